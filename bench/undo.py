"""A benchmark of undos, and of views of earlier versions, in a long match.

In one run, over one connection: an action and its undo, in turns; an undo of many actions at once,
and one at a time, beside a load of the whole match from the log; and the position and the scene at
random versions.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from uuid import uuid4

from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Changeset, MatchSetup, act, create, roles
from domain.registry import GAMES
from services.accounts.tokens import token_digest
from services.client import Client
from services.main import Service
from services.runtime import logging
from services.runtime.settings import Settings
from services.store.loading import load_match
from services.store.log import Log
from tests.command_contexts import context_at


def command_context() -> CommandContext:
    """Return a context of the present time with a new request ID."""
    return context_at(datetime.now(UTC), str(uuid4()))


def story(game: AnyGame, actions: int) -> tuple[AnyMatch, list[SealedEvent[Any]]]:
    """Return a random match of so many actions that is not over, and its events."""
    options = game.options()
    keys = {role: token_digest(role) for role in roles(game, options)}
    created = create(MatchSetup(game, options, "a long match"), uuid4(), keys, command_context())
    match, events, random = created.state, [*created.events], Random(1)
    for _ in range(actions):
        changeset = act(match, *choose(match, random), command_context())
        assert isinstance(changeset, Changeset)
        match = changeset.state
        events += changeset.events
    return match, events


def choose(match: AnyMatch, random: Random) -> tuple[str, Any]:
    """Return the seat that has the turn, and a random action that does not end the game."""
    game, seat = match.rules, match.prompts[0].seat
    legal = [each for each in game.legal(match.position, seat) if not game.is_administrative(each)]
    random.shuffle(legal)
    for action in legal:
        judged: Any = game.decide(match.position, seat, action)
        if game.result(fold(game, match.position, judged.facts)) is None:
            return seat, action
    raise SystemExit("every action ends the game: take another seed")


async def timed(call: Awaitable[Any]) -> tuple[Any, float]:
    """Return the response to a call, and the seconds that it took."""
    began = time.perf_counter()
    answer = await call
    return answer, time.perf_counter() - began


async def measure(game: AnyGame, actions: int, back: int, rounds: int) -> None:
    """Print the figures of one match."""
    with tempfile.TemporaryDirectory() as folder:
        match, events = story(game, actions)
        log = Log(Path(folder), print)
        await log.write(events)
        began = time.perf_counter()
        assert load_match(log, match.id) is not None
        loading = time.perf_counter() - began
        await asyncio.to_thread(log.close)
        print(f"load   {actions} actions of {game.name}: {loading * 1e3:.0f} ms")
        async with (
            Service(Settings(data=folder, listen="127.0.0.1:0")) as service,
            Client(service.address) as client,
        ):
            await until_followed(client, match)
            await look_back(client, match, rounds)
            await take_back(client, match, rounds)
            await far_back(client, match, back, loading)


async def until_followed(client: Client, match: AnyMatch) -> None:
    """Wait until the read models have followed the match, at most ten seconds."""
    for _ in range(100):
        with suppress(Exception):
            await client.view("referee", str(match.id), at_least_version=match.version)
            return
        await asyncio.sleep(0.1)


async def take_back(client: Client, match: AnyMatch, rounds: int) -> None:
    """Print the median time of an action, and of its undo."""
    random, took = Random(2), (list[float](), list[float]())
    for turn in range(rounds):
        seat, action = choose(match, random)
        text = match.rules.write_action(action)
        answer, submitting = await timed(client.submit(seat, str(match.id), text))
        assert answer.HasField("accepted"), answer
        to = answer.accepted.version - 1
        consent, undoing = await timed(client.undo("referee", str(match.id), to))
        assert not consent.proposal.awaiting_seats
        if turn:  # the first loads the match
            took[0].append(submitting)
            took[1].append(undoing)
    acting, undoing = map(median, took)
    print(
        f"undo   one action {undoing * 1e3:.2f} ms; taking one {acting * 1e3:.2f} ms;"
        f" ratio {undoing / acting:.2f}"
    )


async def far_back(client: Client, match: AnyMatch, back: int, loading: float) -> None:
    """Print the time to undo many actions at once, to redo them, and to undo each alone."""
    identity = str(match.id)
    _, took = await timed(client.undo("referee", identity, match.version - back))
    print(f"undo   {back} actions at once {took * 1e3:.0f} ms; {took / loading:.2f} loads")
    _, took = await timed(
        client.create_proposal("referee", identity, redo={"version": match.version})
    )
    print(f"redo   {back} actions at once {took * 1e3:.0f} ms; {took / loading:.2f} loads")
    began = time.perf_counter()
    for step in range(1, back + 1):
        await client.undo("referee", identity, match.version - step)
    took = time.perf_counter() - began
    print(
        f"undo   {back} actions, one at a time {took * 1e3:.0f} ms; {took / loading:.2f} loads;"
        f" {took / back * 1e3:.2f} ms each"
    )


async def look_back(client: Client, match: AnyMatch, rounds: int) -> None:
    """Print the time of positions and scenes at random versions."""
    random, identity = Random(3), str(match.id)
    versions = [random.randint(1, match.version) for _ in range(rounds)]
    for name, ask in (
        ("position", lambda version: client.view("referee", identity, version=version)),
        ("scene   ", lambda version: client.view("referee", identity, "text", version=version)),
    ):
        took = [(await timed(ask(version)))[1] for version in versions]
        print(
            f"look   {name} at any version {median(took) * 1e3:.2f} ms,"
            f" worst {max(took) * 1e3:.2f} ms"
        )


def main() -> None:
    """Measure one long match of a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, default="earthen-war", help="one of long matches")
    parser.add_argument("--actions", type=int, default=5000, help="in the match")
    parser.add_argument("--back", type=int, default=1000, help="actions that are taken back")
    parser.add_argument("--rounds", type=int, default=100, help="calls of each kind")
    given = parser.parse_args()
    logging.configure("warning")
    asyncio.run(measure(GAMES[given.game], given.actions, given.back, given.rounds))


if __name__ == "__main__":
    main()
