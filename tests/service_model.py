"""A whole service against a model of it that fits in a page: Hypothesis finds calls that they tell
apart.

The model knows of each match what the service has said: the position at each version, and the
version at which it stands. The rules act, repeat a request, take back, take up again, fork, dispute
and give verdicts, and start the service anew, which may have been killed. A test runs it for
some seconds; for more:

    python -m tests.service_model --lives 200
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from uuid import uuid4

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    multiple,
    rule,
    run_state_machine_as_test,
)

from services import logs
from services.client import Client, ServiceError
from services.server import Service
from services.settings import Settings
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import Begun, newest

T = TypeVar("T")

GAMES: dict[str, dict[str, Any]] = {
    "agog": {},
    "earthen-war": {"artillery": True},
    "tokars-arcana": {"first": "random"},
    "res-arcana": {"players": 3},
    "golem-arcana": {"scenario": "twin-wells"},
}
PATIENCE_SECONDS = 30.0
numbers = st.integers(0, 10**6)


class Told:
    """What the service has said of a match."""

    def __init__(self, begun: Begun) -> None:
        self.begun = begun
        self.version = 0
        self.positions: dict[int, str] = {}

    @property
    def referee(self) -> str:
        return self.begun.tokens["referee"]


class ServiceMachine(RuleBasedStateMachine):
    """The service, and the model beside it."""

    matches = Bundle("matches")
    asked = Bundle("asked")

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp())
        self.settings = Settings(
            data=str(self.place / "data"), listen="127.0.0.1:0", http="no", drain_seconds=0,
            snapshot_every=7, cache_matches=2,
        )  # fmt: skip
        self.all: list[Told] = []
        self.runner = asyncio.Runner()
        self._start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def _start(self) -> None:
        self.service = Service(self.settings)
        self.run(self.service.__aenter__())
        self.client = Client(self.service.address)
        self.run(self.client.__aenter__())

    def _stop(self) -> None:
        self.run(self.client.__aexit__())
        self.run(self.service.__aexit__(None, None, None))

    def teardown(self) -> None:
        """What was said is so yet, and every match is sound."""
        try:
            for told in self.all:
                self.run(self._check(told))
        finally:
            self._stop()
            self.runner.close()
            shutil.rmtree(self.place)

    async def _check(self, told: Told) -> None:
        for version, position in told.positions.items():
            assert await self._position(told, version) == position
        verified = await self.client.verify_match(told.referee, told.begun.id)
        assert verified.sound, verified.findings
        assert verified.events == told.version

    async def _position(self, told: Told, version: int) -> str:
        """As history has it, however slow the machine is."""
        until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while True:
            try:
                found = await self.client.position(
                    told.referee, told.begun.id, version=version, at_least_version=told.version
                )
            except ServiceError as error:
                late = asyncio.get_running_loop().time() > until
                if error.reason != "READS_BEHIND" or late:
                    raise
            else:
                return found.position

    async def _moved(self, told: Told, least: int) -> None:
        """The match has moved on: note where it stands."""
        version = await newest(self.client, told.begun)
        assert version >= least > told.version
        told.version = version
        told.positions[version] = await self._position(told, version)

    # --- rules -----------------------------------------------------------------------------------

    @rule(target=matches, game=st.sampled_from(sorted(GAMES)))
    def create(self, game: str) -> Told:
        async def work() -> Told:
            rolled = game != "agog"
            terms = {"chance": pb.CHANCE_ROLLED} if rolled else {}
            made = await self.client.create_match(game, GAMES[game], **terms)  # type: ignore[arg-type]
            told = Told(Begun(made.match.match_id, dict(made.tokens)))
            await self._moved(told, 1)
            return told

        self.all.append(self.run(work()))
        return self.all[-1]

    @rule(target=asked, told=matches, pick=numbers)
    def act(self, told: Told, pick: int) -> Any:
        """Somebody acts; what was asked, and the answer."""

        async def work() -> Any:
            seats = [each for each in told.begun.tokens if each not in ("referee", "spectator")]
            for seat in seats:
                listed = await self.client.list_actions(told.referee, told.begun.id, seat)
                if real := [each.notation for each in listed if each.verb != "resign"]:
                    request = (told, seat, Random(pick).choice(real), str(uuid4()))
                    version = await self._submit(*request)
                    await self._moved(told, version)
                    return (*request, version)
            return None

        done = self.run(work())
        return multiple() if done is None else done

    async def _submit(self, told: Told, seat: str, action: str, request: str) -> int:
        answer = await self.client.submit(
            told.begun.tokens[seat], told.begun.id, action, request_id=request
        )
        assert answer.HasField("accepted"), "what is listed is accepted"
        return answer.accepted.version

    @rule(asked=consumes(asked))
    def repeat(self, asked: Any) -> None:
        """A request that comes again gets its first answer, and records nothing."""
        *request, version = asked
        told: Told = asked[0]

        async def work() -> None:
            assert await self._submit(*request) == version
            assert await newest(self.client, told.begun) == told.version

        self.run(work())

    @rule(told=matches, pick=numbers)
    def take_back(self, told: Told, pick: int) -> None:
        """The referee has the match go on from any version: undo, or redo of what was undone."""
        to = Random(pick).choice(sorted(told.positions))
        if to == told.version:
            return

        async def work() -> None:
            call = (told.referee, told.begun.id, to)
            try:
                await self.client.undo(*call)
            except ServiceError as error:
                # Of a branch that was left it is a redo; of what is just here, nothing.
                assert error.reason in ("NOTHING_TO_UNDO", "NOT_ON_LINE", "VERSION_UNDONE"), error  # noqa: PT017
                return
            await self._moved(told, told.version + 1)
            assert told.positions[told.version] == told.positions[to]

        self.run(work())

    @rule(target=matches, told=matches, pick=numbers)
    def fork(self, told: Told, pick: int) -> Any:
        at = Random(pick).choice(sorted(told.positions))

        async def work() -> Told:
            made = await self.client.fork(told.referee, told.begun.id, at)
            fork = Told(Begun(made.match.match_id, dict(made.tokens)))
            await self._moved(fork, 1)
            assert fork.positions[fork.version] == told.positions[at]
            return fork

        self.all.append(self.run(work()))
        return self.all[-1]

    @rule(told=matches, pick=numbers, upheld=st.booleans())
    def dispute(self, told: Told, pick: int, upheld: bool) -> None:
        chance = Random(pick)
        seat = next(each for each in told.begun.tokens if each not in ("referee", "spectator"))
        to = None if upheld else chance.choice(sorted(told.positions))

        async def work() -> None:
            token, match = told.begun.tokens[seat], told.begun.id
            on = chance.randint(1, told.version)
            raised = await self.client.raise_dispute(token, match, on, "is that so?")
            before = told.positions[told.version]
            await self._moved(told, raised)
            assert told.positions[told.version] == before
            if to is not None and to == told.version:
                return
            await self.client.give_verdict(told.referee, match, raised, "so it is", revert_to=to)
            await self._moved(told, raised + 1)
            due = before if to is None else told.positions[to]
            assert told.positions[told.version] == due

        self.run(work())

    @rule(killed=st.booleans())
    def start_again(self, killed: bool) -> None:
        """As a kill leaves the folder, or as a stop does."""
        if killed:
            copied = self.place / "killed"
            shutil.copytree(self.settings.folder, copied)
            self._stop()
            shutil.rmtree(self.settings.folder)
            copied.rename(self.settings.folder)
        else:
            self._stop()
        self._start()


FEW = settings(
    max_examples=2,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lives", type=int, default=100)
    parser.add_argument("--steps", type=int, default=60)
    given = parser.parse_args()
    logs.configure("critical")
    long = settings(
        FEW, derandomize=False, max_examples=given.lives, stateful_step_count=given.steps
    )
    run_state_machine_as_test(ServiceMachine, settings=long)  # type: ignore[no-untyped-call]
    print(f"{given.lives} lives as the model has them")  # noqa: T201
    sys.exit(0)


if __name__ == "__main__":
    main()
