"""A benchmark of what a match's age costs: folding it from the log, and acting in it.

Folding: events a second of cold loads without snapshots, from the log on disk to the state in
memory. The floor only reads the rows and decodes their JSON into plain values.
Acting: the median time of SubmitAction at about the 20th and the 2,000th event of a match, in turns
over one connection. Old matches are aged by claiming and leaving a seat repeatedly.
"""

import argparse
import asyncio
import tempfile
import time
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from uuid import UUID, uuid4

import msgspec

from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Changeset, MatchSetup, act, claim, create, leave
from domain.registry import GAMES
from services.accounts.tokens import token_digest
from services.client import Client
from services.main import Service
from services.runtime import logging
from services.runtime.settings import Settings
from services.store.loading import load_match
from services.store.log import Log
from tests.command_contexts import context_at

GAME = GAMES["agog"]
ROLES = ("white", "black", "referee", "spectator")
MOVES = 30
"""Actions measured in each match."""


def command_context() -> CommandContext:
    """Return a context of the present time with a new request ID."""
    return context_at(datetime.now(UTC), str(uuid4()))


class Story:
    """A match and its events, not stored yet."""

    def __init__(self) -> None:
        keys = {role: token_digest(role) for role in ROLES}
        created = create(
            MatchSetup(GAME, GAME.options(), "a match"), uuid4(), keys, command_context()
        )
        self.events: list[SealedEvent[Any]] = [*created.events]
        self.match: AnyMatch = created.state

    def record(self, changeset: Any) -> None:
        """Continue with the state of a changeset, and keep its events."""
        self.events += changeset.events
        self.match = changeset.state

    def age(self, events: int) -> "Story":
        """Claim and leave a seat until the match has this many events."""
        while len(self.events) < events:
            self.record(claim(self.match, "white", "Ada", token_digest("ada"), command_context()))
            self.record(leave(self.match, "white", command_context()))
        return self

    def play(self, random: Random) -> "Story":
        """Play at random to the end."""
        while self.match.result is None:
            seat = GAME.turn(self.match.position)[0].seat
            legal = [
                a for a in GAME.legal(self.match.position, seat) if not GAME.is_administrative(a)
            ]
            self.record(act(self.match, seat, random.choice(legal), command_context()))
        return self


def fold(matches: int) -> float:
    """Print and return events a second of cold loads."""
    random = Random(1)
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder), print)
        try:
            stories = [Story().play(random) for _ in range(matches)]
            asyncio.run(_write(log, stories))
            identities = [story.match.id for story in stories]
            events = sum(len(story.events) for story in stories)
            began = time.perf_counter()
            for identity in identities:
                loaded = load_match(log, identity)
                assert loaded is not None
            took = time.perf_counter() - began
            floor = _read(log, identities)
        finally:
            log.close()
    print(
        f"fold   {events} events of {matches} matches: {events / took:9.0f} events/s;"
        f" reading and decoding alone {events / floor:9.0f}/s; ratio {floor / took:.2f}"
    )
    return events / took


def _read(log: Log, identities: list[UUID]) -> float:
    began = time.perf_counter()
    for identity in identities:
        for stored in log.recorder.select_events(identity):
            msgspec.json.decode(stored.state)
    return time.perf_counter() - began


async def _write(log: Log, stories: list[Story]) -> None:
    # All at once, so that the writer makes few transactions of them.
    await asyncio.gather(*(log.write(story.events) for story in stories))


async def age(pairs: int, young: int, old: int) -> None:
    """Print the median time of actions in young and in old matches."""
    with tempfile.TemporaryDirectory() as folder:
        stories = {events: [Story().age(events) for _ in range(pairs)] for events in (young, old)}
        log = Log(Path(folder), print)
        await _write(log, [*chain(*stories.values())])
        await asyncio.to_thread(log.close)
        took: dict[int, list[float]] = {young: [], old: []}
        async with (
            Service(Settings(data=folder, listen="127.0.0.1:0")) as service,
            Client(service.address) as client,
        ):
            for pair in zip(*stories.values(), strict=True):
                await _take_turns(client, dict(zip(stories, pair, strict=True)), took)
    first, last = median(took[young]), median(took[old])
    print(
        f"act    at event {young}: {first * 1e3:.2f} ms; at event {old}: {last * 1e3:.2f} ms;"
        f" ratio {last / first:.2f}"
    )


async def _take_turns(
    client: Client, stories: dict[int, Story], took: dict[int, list[float]]
) -> None:
    line = _line(next(iter(stories.values())).match)
    for number, (seat, action) in enumerate(line):
        for events, story in stories.items():
            began = time.perf_counter()
            answer = await client.submit(seat, str(story.match.id), action)
            if number:  # the first loads the match, which `fold` measures
                took[events].append(time.perf_counter() - began)
            if not answer.HasField("accepted"):
                raise SystemExit(f"refused: {answer}")


def _line(match: AnyMatch) -> list[tuple[str, str]]:
    random, line = Random(2), []
    for _ in range(MOVES):
        seat = GAME.turn(match.position)[0].seat
        legal = [a for a in GAME.legal(match.position, seat) if not GAME.is_administrative(a)]
        action = random.choice(legal)
        changeset = act(match, seat, action, command_context())
        assert isinstance(changeset, Changeset)
        line.append((seat, GAME.write_action(action)))
        match = changeset.state
    return line


def main() -> None:
    """Measure folding, then actions in matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="matches that are folded")
    parser.add_argument("--pairs", type=int, default=5, help="young and old matches acted in")
    parser.add_argument("--young", type=int, default=20, help="events of a young match")
    parser.add_argument("--old", type=int, default=2000, help="events of an old match")
    given = parser.parse_args()
    logging.configure("warning")
    fold(given.matches)
    asyncio.run(age(given.pairs, given.young, given.old))


if __name__ == "__main__":
    main()
