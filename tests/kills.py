"""kill -9 at any instant, over and over, under load: what was acknowledged is there, once.

Clients play matches of their own, some of them on sessions, and get no signal when the service is
killed. After each start they repeat requests whose outcome is unknown, and receive the outcome;
earlier requests get their first answers. In the end all chains are checked,
by the service and without it. A test kills a few times; for more:

    python -m tests.kills --kills 200 --seed 1
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from random import Random
from signal import SIGKILL
from time import monotonic
from typing import Final, NamedTuple

from services.client import Client, ServiceError, new_request
from services.runtime import logging
from services.runtime.limits import Limits
from services.wire.emeth.v1 import matches_pb2 as matches
from services.wire.emeth.v1 import play_pb2
from tests.power_cuts import Acknowledged, DataLostError, check
from tests.services.cli.conftest import RunningService
from tests.services.conftest import CreatedMatch, create_match, newest_version

PLAYERS: Final = 6
MOST_ACTIONS: Final = 60
"""So many are acknowledged before a kill, at most."""
MOMENT_SECONDS: Final = 0.02
"""What comes on top, so that it falls on any instant of a commit."""
MAX_REPEATS: Final = 3
"""How many earlier requests each player repeats after each start."""
PATIENCE_SECONDS: Final = 30.0


class PendingAction(NamedTuple):
    """One request."""

    request: str
    match: CreatedMatch
    seat: str
    action: str


class Player:
    """Plays matches one after another, and keeps what was acknowledged."""

    def __init__(self, number: int, seed: int) -> None:
        self._chance = Random(f"{seed} {number}")
        self._session = number % 2 == 1
        self._rolled = number % 3 == 2
        self._match: CreatedMatch | None = None
        self._open: PendingAction | None = None
        """What was asked, and nobody has answered."""
        self.taken: list[tuple[PendingAction, int]] = []
        """What was acknowledged, with its version."""
        self.acknowledged = 0
        """How much was, in all."""

    async def play(self, address: str) -> None:
        """Play until the service is gone."""
        async with Client(address, session=self._session, patience_seconds=0) as client:
            while True:
                try:
                    await self._act(client)
                except ServiceError as error:
                    if not error.passing:
                        raise
                    if not error.reason:
                        return
                    await asyncio.sleep(MOMENT_SECONDS)  # it is there, and asks for a moment

    async def _act(self, client: Client) -> None:
        if self._open is not None:
            await self._submit(client, self._open)
            return
        if self._match is None:
            terms = {"chance": matches.CHANCE_ROLLED} if self._rolled else {}
            self._match = await create_match(
                client, "earthen-war" if self._rolled else "agog", **terms
            )
        match = self._match
        for seat in ("white", "black"):
            request = play_pb2.ListActionsRequest(match_id=match.id, page_size=20)
            listed = await client._call(client._play.ListActions, request, match.tokens[seat])
            if real := [each.notation for each in listed.actions if each.verb != "resign"]:
                asked = PendingAction(new_request(), match, seat, self._chance.choice(real))
                self._open = asked
                await self._submit(client, asked)
                return
        self._match = None  # it is over

    async def _submit(self, client: Client, asked: PendingAction) -> None:
        answer = await client.submit(
            asked.match.tokens[asked.seat], asked.match.id, asked.action, request_id=asked.request
        )
        if not answer.HasField("accepted"):
            raise DataLostError(f"{asked} was legal, and is refused: {answer.refused}")
        self.taken.append((asked, answer.accepted.version))
        self.acknowledged += 1
        self._open = None

    async def look(self, address: str) -> None:
        """After a start: ask again what nobody has answered, and what was answered before. Lost."""
        async with Client(
            address, session=self._session, patience_seconds=PATIENCE_SECONDS
        ) as client:
            if self._open is not None:
                await self._submit(client, self._open)
            some = self._chance.sample(self.taken, min(MAX_REPEATS, len(self.taken)))
            for asked, version in [*some, *self.taken[-1:]]:
                token = asked.match.tokens[asked.seat]
                answer = await client.submit(
                    token, asked.match.id, asked.action, request_id=asked.request
                )
                if answer.accepted.version != version:
                    raise DataLostError(f"{asked} made version {version}, and {answer} now")
                if await newest_version(client, asked.match) < version:
                    raise DataLostError(f"match {asked.match.id} has lost version {version}")

    def forget(self) -> None:
        """Keep no more than what was acknowledged last."""
        del self.taken[:-1]

    def matches(self) -> dict[str, CreatedMatch]:
        return {asked.match.id: asked.match for asked, _ in self.taken}


async def run(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill so many times; how many actions were acknowledged, in how many matches. Raises Lost."""
    chance = Random(seed)
    running = RunningService(folder, "--http", "no", limits=Limits(snapshot_every=10))
    players = [Player(number, seed) for number in range(PLAYERS)]
    for _ in range(kills):
        await asyncio.to_thread(running.start)
        await asyncio.gather(*(each.look(running.address) for each in players))
        playing = [asyncio.create_task(each.play(running.address)) for each in players]
        enough = sum(len(each.taken) for each in players) + chance.randint(1, MOST_ACTIONS)
        while sum(len(each.taken) for each in players) < enough:  # no event
            if any(each.done() for each in playing):
                break  # `gather` raises its error below
            await asyncio.sleep(chance.uniform(0, MOMENT_SECONDS))
        await asyncio.to_thread(running.stop, SIGKILL)
        await asyncio.gather(*playing)
    await asyncio.to_thread(running.start)
    await asyncio.gather(*(each.look(running.address) for each in players))
    played = {id_: match for each in players for id_, match in each.matches().items()}
    async with Client(running.address, patience_seconds=PATIENCE_SECONDS) as client:
        for match in played.values():
            verified = await client.verify_match(match.tokens["referee"], match.id)
            if not verified.sound:
                raise DataLostError(f"match {match.id}: {verified.findings}")
    await asyncio.to_thread(running.stop)
    taken = [each for player in players for each in player.taken]
    latest = {asked.match.id: version for asked, version in taken}
    check(folder, [Acknowledged(0, "match", name, at) for name, at in latest.items()])
    versions = [(asked.match.id, version) for asked, version in taken]
    if len(set(versions)) < len(versions):
        raise DataLostError("two requests made one version")
    return len(taken), len(played)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.configure("critical")
    began = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        actions, played = asyncio.run(run(Path(folder) / "service", given.kills, given.seed))
    took = monotonic() - began
    print(  # noqa: T201
        f"{given.kills} kills in {took:.0f} s: {actions} acknowledged actions in {played} matches,"
        " none lost, none doubled"
    )
    sys.exit(0)


if __name__ == "__main__":
    main()
