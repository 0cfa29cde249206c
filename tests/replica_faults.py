"""Several services on one log, which are killed, frozen and cut off while random clients play.

Afterwards nothing that was acknowledged may be lost, doubled or reordered, at any replica. A test
runs it for some seconds; for longer:

    python -m tests.replica_faults --seconds 600 --replicas 3
"""

import argparse
import asyncio
import signal
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from itertools import cycle, groupby
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import psycopg

from domain.registry import GAMES
from domain.table import TapTaken
from services.client import Client, ServiceError, new_request
from services.client.gateway import Device, GatewayClient
from services.store.log import Log
from services.wire.emeth.v1 import matches_pb2, play_pb2
from tests.linearizability import Operation, find_anomaly
from tests.postgres import Databases
from tests.services.cli.conftest import RunningService
from tests.services.conftest import STYLUS, CreatedMatch, create_match

T = TypeVar("T")

PATIENCE_SECONDS = 3.0
"""How long a client waits for an answer before it asks another replica."""
ADMIN = "the-admin-key-of-all"
TAPS = ("space a6", "space b6", "button confirm", "button cancel", "figure/999", "space c4")


class History(NamedTuple):
    """What a client did in a match."""

    actions: dict[str, Operation]
    """Acknowledged actions, by their request IDs."""
    looks: list[Operation]


class GatewaySetup(NamedTuple):
    """A gateway of a match's table."""

    table: UUID
    key: str
    journal: Path


class Cluster:
    """A server, its services, and the clients of each."""

    def __init__(self, folder: Path, databases: Databases, replicas: int) -> None:
        self.databases = databases
        self.uri = databases.make()
        keys = {"secret": sha256(b"s").hexdigest(), "signing-key": sha256(b"k").hexdigest()}
        flags = [
            "--store",
            self.uri,
            "--http",
            "no",
            "--admin-key",
            ADMIN,
            "--log-level",
            "warning",
        ]
        for name, value in keys.items():
            flags += [f"--{name}", value]
        self.services = [RunningService(folder / str(n), *flags) for n in range(replicas)]
        self.clients: list[Client] = []

    async def start(self) -> None:
        """Start all services, at once."""
        await asyncio.gather(*(asyncio.to_thread(each.start) for each in self.services))
        self.clients = [
            Client(each.address, name="faults/1", patience_seconds=0) for each in self.services
        ]

    async def stop(self) -> None:
        for client in self.clients:
            await client.__aexit__()
        for each in self.services:
            await asyncio.to_thread(each.stop)

    def gateway(self, random: Random, corner: GatewaySetup) -> GatewayClient:
        """A gateway, connecting to any replica; what it has not been acknowledged is in a file."""
        address = random.choice(self.services).address
        device = Device(resend_seconds=0.3)
        return GatewayClient(address, corner.key, journal=corner.journal, device=device)

    async def corner(self, folder: Path) -> tuple[GatewaySetup, CreatedMatch]:
        """A table with a gateway and a stylus for both seats of a new match."""
        async with Client(self.services[0].address) as client:
            registered = await client.create_gateway(ADMIN, name="Corner")
            match = await create_match(client)
            await client.pair_stylus(registered.gateway_key, STYLUS, pin="0000")
            seats = [match.tokens["white"], match.tokens["black"]]
            await client.seat_stylus(registered.gateway_key, STYLUS, match.id, seats)
        return GatewaySetup(
            UUID(registered.table_id), registered.gateway_key, folder / "journal"
        ), match

    # --- what goes wrong --------------------------------------------------------------------------

    async def kill(self, random: Random) -> None:
        """A service dies, and is started again."""
        one = random.choice(self.services)
        await asyncio.to_thread(one.stop, signal.SIGKILL)
        await asyncio.sleep(random.random())
        await asyncio.to_thread(one.start)

    async def freeze(self, random: Random, seconds: float = 2.5) -> None:
        """Stop a service for longer than any caller waits, then continue it."""
        one = random.choice(self.services)
        one.send(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        one.send(signal.SIGCONT)

    async def cut(self, random: Random) -> None:
        """All connections to the database break."""
        with psycopg.connect(self.uri, autocommit=True) as outside:
            outside.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await asyncio.sleep(random.random() / 2)

    async def crash_the_database(self, random: Random) -> None:
        """PostgreSQL crashes, and is started again."""
        await asyncio.to_thread(self.databases.restart)
        await asyncio.sleep(random.random())

    async def inject_faults(self, random: Random, until: float) -> list[str]:
        """One fault after the other: each kind in turn, however long that takes, then any. Their
        names."""
        kinds = [self.kill, self.freeze, self.cut, self.crash_the_database]
        done: list[str] = []
        while monotonic() < until or len(done) < len(kinds):
            kind = kinds[len(done)] if len(done) < len(kinds) else random.choice(kinds)
            await kind(random)
            done.append(kind.__name__)
            await asyncio.sleep(0.3)
        return done


async def ask_any_replica(
    random: Random, cluster: Cluster, ask: Callable[..., Awaitable[T]], *what: Any, **terms: Any
) -> T:
    """What any replica answers to a call, which is made until one does."""
    while True:
        client = random.choice(cluster.clients)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await ask(client, *what, **terms)
        except TimeoutError:
            continue
        except ServiceError as error:
            if not (error.passing or error.reason in {"MATCH_BUSY", "LOG_OVERLOADED"}):
                raise
        await asyncio.sleep(0.05)


async def play(random: Random, cluster: Cluster, match: CreatedMatch, until: float) -> History:
    """Take random actions of a match, each by whatever replica."""
    found = History({}, [])
    seats = [role for role in match.tokens if role not in ("referee", "spectator")]
    while monotonic() < until:
        seat = random.choice(seats)
        token, began = match.tokens[seat], monotonic()
        shown = await ask_any_replica(random, cluster, legal_actions, token, match.id, seat)
        found.looks.append(Operation(began, monotonic(), shown.version, looks=True))
        if not shown.actions:
            continue
        notation, request = random.choice(shown.actions).notation, new_request()
        began = monotonic()
        what = token, match.id, notation
        answer = await ask_any_replica(random, cluster, Client.submit, *what, request_id=request)
        if answer.HasField("accepted"):
            found.actions[request] = Operation(began, monotonic(), answer.accepted.version)
    return found


async def legal_actions(
    client: Client, token: str, match: str, seat: str
) -> play_pb2.ListActionsResponse:
    """Some of what a seat may do, and the version of the match that this is so of."""
    request = play_pb2.ListActionsRequest(match_id=match, seat=seat, page_size=500)
    return await client._call(client._play.ListActions, request, token)


async def tap(random: Random, cluster: Cluster, corner: GatewaySetup, until: float) -> list[str]:
    """Tap on a stylus whose gateway connects to one replica after the other; what was tapped."""
    taps: list[str] = []
    while monotonic() < until:
        with suppress(TimeoutError):
            async with cluster.gateway(random, corner) as gateway:
                for _ in range(10):
                    taps.append(random.choice(TAPS))
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        await gateway.tap(STYLUS, taps[-1])
    async with asyncio.timeout(30), cluster.gateway(random, corner) as gateway:
        await gateway.wait_until_settled()
    return taps


# --- what must be so afterwards ------------------------------------------------------------------


def check_match(log: Log, match: CreatedMatch, *players: History) -> None:
    """Every acknowledged action is in the log, where it was said to be, once; and all that was done
    and seen could have been so one by one."""
    events = list(log.events(UUID(match.id)))  # raises unless the chain of digests is whole
    assert [each.event.version for each in events] == list(range(1, len(events) + 1))
    runs = [request for request, _ in groupby(each.event.request for each in events)]
    assert len(runs) == len(set(runs)), "a request was recorded twice"
    acknowledged = {name: done for each in players for name, done in each.actions.items()}
    for request, done in acknowledged.items():
        assert events[done.version - 1].event.request == request
    looks = [look for each in players for look in each.looks]
    found = find_anomaly([*acknowledged.values(), *looks])
    assert found is None, f"no order explains what was done: {found}"


def check_taps(log: Log, corner: GatewaySetup, tapped: list[str]) -> None:
    """Every tap is in the log, once, and in order."""
    events = [each.event for each in log.table_events(corner.table)]
    recorded = [each for each in events if isinstance(each, TapTaken)]
    assert [each.seq for each in recorded] == list(range(1, len(tapped) + 1))
    assert [each.code for each in recorded] == tapped


async def check_reads(cluster: Cluster, log: Log, matches: Sequence[CreatedMatch]) -> None:
    """All replicas tell the same of every match, and sign the same of the log."""
    for match in matches:
        version = log.newest_version(UUID(match.id), 0)
        referee, found = match.tokens["referee"], set()
        for client in cluster.clients:
            scene = await client.view(referee, match.id, "text", at_least_version=version)
            sound = (await client.verify_match(referee, match.id)).sound
            found.add((scene.version, scene.position, sound))
        assert found == {(version, scene.position, True)}
    newest = log.newest()
    async with asyncio.timeout(60):  # until the checkpoint is published that has all of it
        while True:
            notes = {(await client.get_checkpoint()).checkpoint for client in cluster.clients}
            if {note.splitlines()[1] for note in notes} == {str(newest)}:
                break
            await asyncio.sleep(0.5)
    assert len({note.splitlines()[2] for note in notes}) == 1


class Outcome(NamedTuple):
    """What a run was."""

    faults: list[str]
    actions: int
    taps: int
    events: int


async def run(
    folder: Path, databases: Databases, *, seconds: float, replicas: int, matches: int, seed: int
) -> Outcome:
    """Play for so long under faults, then check. AssertionError for what must not be."""
    random, cluster = Random(seed), Cluster(folder, databases, replicas)
    await cluster.start()
    try:
        games = [game for _, game in zip(range(matches), cycle(GAMES), strict=False)]
        begun_matches = [
            await create_match(cluster.clients[0], game, chance=matches_pb2.CHANCE_ROLLED)
            for game in games
        ]
        corner, tapped_match = await cluster.corner(folder)
        until = monotonic() + seconds
        *played, taps, faults = await asyncio.gather(
            *(
                play(Random(f"{seed} {number}"), cluster, match, until)
                for number, match in enumerate(begun_matches * 2)
            ),
            tap(random, cluster, corner, until),
            cluster.inject_faults(Random(seed), until),
        )
        with closing(Log(folder, print, cluster.uri)) as log:
            for number, match in enumerate(begun_matches):
                check_match(log, match, played[number], played[number + len(begun_matches)])
            check_match(log, tapped_match)
            check_taps(log, corner, taps)
            await check_reads(cluster, log, [*begun_matches, tapped_match])
            return Outcome(
                faults, sum(len(each.actions) for each in played), len(taps), log.newest()
            )
    finally:
        await cluster.stop()


def main() -> None:
    """Run it for as long as one likes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as server:
        Path(server).chmod(0o755)
        databases = Databases(Path(server) / "postgres")
        try:
            print(asyncio.run(run(Path(folder), databases, **vars(given))))  # noqa: T201
        finally:
            databases.close()


if __name__ == "__main__":
    main()
