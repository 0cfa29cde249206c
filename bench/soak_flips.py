"""A soak test that flips bits on disk and checks that no wrong response goes unnoticed.

    python bench/soak_flips.py --flips 300 --seed 1

A service plays matches of several games, with armies, a table, taps and a dispute, and its
responses to all kinds of requests are recorded. Each trial restores the folder, flips one bit,
repeats all requests and plays on. Every response must be the same bytes, or one of the errors that
report damage; a service may also refuse to start because of it.

Where the bits flip: `log`, the log of a service that was stopped; `wal`, what a killed one left of
it; `rebuilt`, the log again, with read models rebuilt from it. The last line is "N silently wrong".
"""

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from services.client import Client, ServiceError
from services.main import Service
from services.runtime import logging
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.store.errors import StoreError
from services.store.startup import StartError
from services.wire.emeth.v1 import matches_pb2 as matches

REPORTED_CODES: Final = frozenset({b"! RECORD_DAMAGED", b"! REPLICA_LAG", b"! LOG_UNAVAILABLE"})
"""Responses that report the damage."""
NO_SEATS: Final = ("referee", "spectator", "table")
"""Roles that do not act."""
LIMITS: Final = Limits(snapshot_every=10)
PEN: Final = "AA:01"

Answers = dict[str, bytes]
Question = Callable[[Client], Awaitable[bytes]]


class Played(NamedTuple):
    """The tokens, next actions and keys that requests need."""

    tokens: dict[str, dict[str, str]]
    """Tokens of each match, by role."""
    next: dict[str, tuple[str, str]]
    """The next action of each match: its seat and notation."""
    admin: str
    gateway: str


class Flip(NamedTuple):
    """One bit of a file on disk."""

    path: Path
    place: int
    bit: int

    def do(self) -> None:
        """Invert the bit in the file."""
        with self.path.open("r+b") as file:
            file.seek(self.place)
            (byte,) = file.read(1)
            file.seek(self.place)
            file.write(bytes([byte ^ 1 << self.bit]))


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[tuple[Service, Client]]:
    """Run a service, and yield it with a client."""
    async with Service(settings, LIMITS) as service, Client(service.address) as client:
        yield service, client


# --- playing -------------------------------------------------------------------------------------


async def play(settings: Settings, chance: random.Random, killed: Path) -> Played:
    """Fill a folder, and copy it to `killed` as a killed service would leave it."""
    async with running(settings) as (service, client):
        tokens, following = {}, {}
        for game, actions in (("agog", 14), ("agog", 3), ("earthen-war", 25), ("res-arcana", 20)):
            terms: dict[str, Any] = {"title": f"A match of {game}"}
            if game != "agog":
                terms["chance"] = matches.CHANCE_ROLLED
            created = await client.create_match(game=game, **terms)
            identity, given = created.match.match_id, dict(created.tokens)
            for seat in [each.name for each in created.match.seats]:
                claimed = await client.join_match(given[seat], identity, seat, f"Player {seat}")
                given[seat] = claimed.token
            for _ in range(actions):
                seat, action = await choose(client, identity, given, chance)
                await client.submit(given[seat], identity, action)
            tokens[identity] = given
            following[identity] = await choose(client, identity, given, chance)
        first = next(iter(tokens))
        await client.create_dispute(tokens[first]["white"], first, 5, "was that a capture?")
        gateway = await tap(service, chance)
        played = Played(tokens, following, service.admin_key, gateway)
        await ask(client, played)  # the read models have it all
        shutil.copytree(settings.folder, killed)
        return played


async def choose(
    client: Client, identity: str, tokens: dict[str, str], chance: random.Random
) -> tuple[str, str]:
    """Return a seat with legal actions, and a random one that is no resignation."""
    for seat in sorted(tokens):
        if seat in NO_SEATS:
            continue
        legal = await client.list_actions(tokens["referee"], identity, seat)
        if live := [each.notation for each in legal if each.verb != "resign"]:
            return seat, chance.choice(live)
    stands = await client.match(identity)
    raise SystemExit(f"over too soon, so take another seed: {stands.game} {stands.caption}")


async def tap(service: Service, chance: random.Random) -> str:
    """Create a table with a stylus, and return the key of its gateway."""
    async with Client(service.address) as client:
        key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
        await client.pair_stylus(key, PEN, pin="0000")
        created = await client.create_match(game="agog")
        await client.seat_stylus(
            key, PEN, created.match.match_id, [created.tokens["white"], created.tokens["black"]]
        )
    return key


# --- asking --------------------------------------------------------------------------------------


def questions(played: Played) -> dict[str, Question]:
    """Return all requests, by name."""
    found: dict[str, Question] = {
        "matches": lambda client: listed(client),
        "open matches": lambda client: listed(client, "open_seat = true"),
        "matches by title": lambda client: listed(client, 'title : "match of"'),
        "matches by player": lambda client: listed(client, 'player : "Player white"'),
        "disputes": lambda client: disputed(client, played.admin),
    }
    for identity, tokens in played.tokens.items():
        found |= of_match(identity, tokens)
    return found


def of_match(identity: str, tokens: dict[str, str]) -> dict[str, Question]:
    """Return the requests about one match, by name."""
    referee = tokens["referee"]
    return {
        f"{identity} match": lambda client: one(match_alone(client, identity)),
        f"{identity} scene": lambda client: one(client.view(referee, identity, "text")),
        f"{identity} before": lambda client: one(client.view(referee, identity, "text", version=4)),
        f"{identity} history": lambda client: several(client.list_events(referee, identity)),
        f"{identity} citations": lambda client: several(client.citations(referee, identity)),
        f"{identity} actions": lambda client: several(every(client, identity, tokens)),
    }


async def match_alone(client: Client, identity: str) -> Any:
    """Get a match without its creator, whose number of matches omits damaged ones."""
    found = await client.match(identity)
    found.ClearField("creator")
    return found


async def every(client: Client, identity: str, tokens: dict[str, str]) -> list[Any]:
    """Return the legal actions of all seats."""
    found: list[Any] = []
    for seat in tokens:
        if seat not in NO_SEATS:
            found += await client.list_actions(tokens["referee"], identity, seat)
    return found


async def one(answer: Awaitable[Any]) -> bytes:
    """Return a message as bytes."""
    return bytes((await answer).SerializeToString(deterministic=True))


async def several(answers: Awaitable[Any]) -> bytes:
    """Return several messages as bytes, in order."""
    return b"\n".join(each.SerializeToString(deterministic=True) for each in await answers)


async def listed(client: Client, wanted: str = "") -> bytes:
    """Return a page of matches; raise DamageReported if matches are missing."""
    page = await client.list_matches_page(filter=wanted)
    return whole(page, page.damaged_match_ids)


async def disputed(client: Client, admin_key: str) -> bytes:
    """Return a page of disputes; raise DamageReported if disputes may be missing."""
    page = await client.list_disputes_page(admin_key)
    return whole(page, page.unreachable)


def whole(page: Any, missing: Collection[str]) -> bytes:
    """Return a page as bytes; raise DamageReported if it names missing records."""
    if missing:
        raise DamageReported("RECORD_DAMAGED")
    return bytes(page.SerializeToString(deterministic=True))


class DamageReported(Exception):  # noqa: N818  # it is an answer, and a right one
    """A response that names missing records."""


async def ask(client: Client, played: Played) -> Answers:
    """Return the responses to all requests; for an error its reason."""
    answers: Answers = {}
    for name, question in questions(played).items():
        try:
            answers[name] = await question(client)
        except ServiceError as error:
            answers[name] = f"! {error.reason or error.message}".encode()
        except DamageReported as reported:
            answers[name] = f"! {reported}".encode()
    return answers


async def play_on(client: Client, played: Played) -> Answers:
    """Take the next action in each match, and return the new versions and positions."""
    answers: Answers = {}
    for identity, (seat, action) in played.next.items():
        try:
            taken = await client.submit(played.tokens[identity][seat], identity, action)
            accepted = taken.accepted
            # A service that starts again draws anew, so what followed by chance may differ.
            drawn = any(each.HasField("draw") for each in accepted.events)
            stands = accepted.events[0].action.notation if drawn else accepted.position
            answers[f"{identity} next"] = f"{accepted.version} {stands}".encode()
        except ServiceError as error:
            answers[f"{identity} next"] = f"! {error.reason or error.message}".encode()
    return answers


# --- flipping ------------------------------------------------------------------------------------


def flip_in(folder: Path, where: str, chance: random.Random) -> Flip:
    """Return a random bit of the files of one place."""
    patterns = {
        "log": "log.sqlite",
        "rebuilt": "log.sqlite",
        "wal": "log.sqlite-wal",
    }
    paths = [path for path in sorted(folder.glob(patterns[where])) if path.stat().st_size]
    sizes = [path.stat().st_size for path in paths]
    path = chance.choices(paths, sizes)[0]
    return Flip(path, chance.randrange(path.stat().st_size), chance.randrange(8))


class Soak:
    """Trials with copies of one folder."""

    def __init__(self, base: Path, seed: int) -> None:
        self.base = base
        self.chance = random.Random(seed)
        self.settings = Settings(data=str(base / "data"), listen="127.0.0.1:0", drain_seconds=0)
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def prepare(self) -> None:
        """Play the matches, and record the expected responses."""
        self.played = await play(self.settings, self.chance, self.base / "killed")
        shutil.copytree(self.base / "data", self.base / "stopped")
        self.due: dict[str, Answers] = {}
        for kept in ("stopped", "killed"):
            self.put_back(kept)
            async with running(self.settings) as (_, client):
                answers = await ask(client, self.played)
                self.due[kept] = answers | await play_on(client, self.played)

    def put_back(self, kept: str) -> None:
        """Restore the folder from one of its copies."""
        shutil.rmtree(self.base / "data", ignore_errors=True)
        shutil.copytree(self.base / kept, self.base / "data")

    async def trial(self, where: str) -> None:
        """Flip a bit of one place, and check the responses."""
        kept = "killed" if where.endswith("wal") else "stopped"
        self.put_back(kept)
        flip = flip_in(self.settings.folder, where, self.chance)
        if where == "rebuilt":
            shutil.rmtree(self.settings.folder / "reads")
        flip.do()
        try:
            async with running(self.settings) as (_, client):
                found = await ask(client, self.played)
                found |= await play_on(client, self.played)
        except (StartError, StoreError):
            self.note(where, "refused to start", flip)
            return
        self.judge(where, flip, found, self.due[kept])

    def judge(self, where: str, flip: Flip, found: Answers, due: Answers) -> None:
        """Compare responses with the expected ones, and note the outcome."""
        different = {name for name in due if found[name] != due[name]}
        reported = {name for name in different if found[name] in REPORTED_CODES}
        if different - reported:
            name = min(different - reported)
            self.note(where, "wrong", flip, f"{name}: {found[name][:200]!r}")
        elif different:
            self.note(where, "told", flip)
        else:
            self.note(where, "all right", flip)

    def note(self, where: str, outcome: str, flip: Flip, why: str = "") -> None:
        """Count an outcome, and report a wrong response."""
        self.counts[f"{where}: {outcome}"] += 1
        if why:
            self.wrong.append(f"{where}: {flip.path.name} byte {flip.place} bit {flip.bit}: {why}")
            print(self.wrong[-1], file=sys.stderr)


PLACES: Final = ("log", "wal", "rebuilt")


async def soak(flips: int, seed: int, places: list[str]) -> int:
    """Run the trials, print the counts, and return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        trials = Soak(Path(folder), seed)
        await trials.prepare()
        for where in places:
            for _ in range(flips):
                await trials.trial(where)
    for outcome, count in sorted(trials.counts.items()):
        print(f"{outcome:30} {count}")
    print(f"{len(trials.wrong)} silently wrong")
    return 1 if trials.wrong else 0


def main() -> None:
    """Run trials in the places that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", nargs="*", help=", ".join(PLACES))
    parser.add_argument("--flips", type=int, default=50, help="bits in each place")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if unknown := set(given.places) - set(PLACES):
        raise SystemExit(f"there is no place {unknown.pop()!r}; there is {', '.join(PLACES)}")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    logging.configure("critical")
    sys.exit(asyncio.run(soak(given.flips, given.seed, given.places or [*PLACES])))


if __name__ == "__main__":
    main()
