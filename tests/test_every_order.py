"""No rule, text or byte follows the order in which a mapping was filled.

A snapshot and a read model keep a state with sorted keys, a position text has an order of its own,
and a live match has the order in which things happened: all of them are the same position, and
everything that is worked out from it is the same too.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.kernel.any_game import fold, read_options
from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.rulings import Accepted
from domain.log.digests import canonical_bytes
from domain.match import MatchSetup, Terms, create, roles
from domain.registry import GAMES
from domain.storage.snapshots import match_decoder, read_snapshot, take_snapshot
from tests.command_contexts import context_at
from tests.mapping_orders import shuffle_mappings

ROOT = Path(__file__).parents[1]
STEPS = 20
"""Actions of a random game that are looked at."""
LISTED = 12
"""Legal actions of one position that are judged."""

BANNERS = "4b1e78e576a3df170496e8c41db83c5b8b1512ef3cb482928cfc6bf404e41aab"
"""A content pack with four seats."""
CHOICES: dict[str, tuple[dict[str, Any], ...]] = {
    "earthen-war": ({"artillery": True, "board": 5},),
    "tokars-arcana": ({"check": True, "south": "undead"}, {"quiet_limit": 30}),
    "res-arcana": ({"players": 3}, {"players": 4, "chance": "entered"}),
    "golem-arcana": (
        {"scenario": "twin-wells"},
        {"scenario": "hold-the-ford"},
        {"scenario": "night-of-embers"},
        {"scenario": "proving-ground"},
        {"pack": BANNERS, "scenario": "crossed-errands", "teams": "south+north/east+west"},
    ),
}
"""Options under which a game is played, beside its defaults."""

games_and_choices = pytest.mark.parametrize(
    ("game", "choice"),
    [(game, choice) for slug, game in GAMES.items() for choice in ({}, *CHOICES.get(slug, ()))],
    ids=lambda each: each.slug if hasattr(each, "slug") else "+".join(map(str, each.values())),
)
# `bench/soak_restarts.py` plays as long as one likes.
laws = settings(max_examples=2, suppress_health_check=[HealthCheck.too_slow])


def everything(game: AnyGame, state: Any, options: Any) -> Iterator[tuple[str, Any]]:
    """All that the rules make of a state, order included."""
    yield "position", game.write_position(state)
    yield "result", game.result(state)
    yield "asks", game.turn(state)
    yield "announced", game.announcements and game.announcements(state)
    for viewer in (*game.seats(options), SPECTATOR, REFEREE):
        yield f"view of {viewer}", game.write_view(state, viewer)
        # As bytes, in which the order of attributes shows: drawings follow it.
        yield f"scene of {viewer}", msgspec.json.encode(game.scene(state, viewer))
        if game.status is not None:
            yield f"status for {viewer}", msgspec.json.encode(game.status(state, viewer, options))
    for prompt in game.turn(state):
        listed = [*islice(game.legal(state, prompt.seat), 400)]
        yield f"actions of {prompt.seat}", listed
        if game.groups is not None:
            groups = islice(game.groups(state, prompt.seat), 60)
            yield (
                f"groups of {prompt.seat}",
                [(each.parts, each.write_sentence(), each.first) for each in groups],
            )
        for action in listed[:: max(len(listed) // LISTED, 1)]:
            outcome = game.decide(state, prompt.seat, action)
            assert isinstance(outcome, Accepted)
            # What a digest is made over, and an export shows.
            yield f"outcome of {action}", canonical_bytes(outcome)
            yield f"position after {action}", game.write_position(fold(game, state, outcome.facts))
            yield f"parts of {action}", game.parts(state, action)


def in_other_orders(game: AnyGame, state: Any, options: Any, chance: Random) -> Iterator[Any]:
    """The same position, as it comes from elsewhere."""
    match = standing(game, state, options)
    taken = read_snapshot(take_snapshot(match, {}))
    assert taken is not None
    yield taken[0].position
    yield match_decoder(game.slug).decode(canonical_bytes(match)).position
    yield game.read_position(game.write_position(state), options)
    yield shuffle_mappings(state, chance)


def standing(game: AnyGame, state: Any, options: Any) -> Any:
    """A match that stands at this position."""
    keys = {role: f"{role}-key" for role in roles(game, options)}
    command_context = context_at(datetime(2026, 11, 21, tzinfo=UTC), "request")
    made = create(
        MatchSetup(game, options, terms=Terms()), UUID(int=1), keys, command_context
    ).state
    return msgspec.structs.replace(made, position=state, result=game.result(state))


@games_and_choices
@laws
@given(seed=st.integers(0, 10_000))
def test_whatever_order_a_state_comes_in_it_is_the_same_position(
    game: AnyGame, choice: dict[str, Any], seed: int
) -> None:
    options, chance = read_options(game, choice), Random(seed)
    state = game.start(options)
    for _ in range(STEPS):
        expected = [*everything(game, state, options)]
        for other in in_other_orders(game, state, options, chance):
            assert other == state
            for (what, is_so), (_, is_now) in zip(
                expected, everything(game, other, options), strict=True
            ):
                assert is_now == is_so, (what, game.write_position(state))
        prompts = game.turn(state)
        if not prompts:
            return
        seat = chance.choice(prompts).seat
        listed = [
            each
            for each in islice(game.legal(state, seat), 400)
            if not game.is_administrative(each)
        ]
        outcome = game.decide(state, seat, chance.choice(listed))
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)
        # Play continues from what was read, as it does after a restart.
        state = shuffle_mappings(state, chance)


WALK = """
from hashlib import sha256
from itertools import islice
from random import Random
from domain.log.digests import canonical_bytes
from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR
from domain.registry import GAMES
import msgspec

for game in GAMES.values():
    state, chance, told = game.start(msgspec.convert({}, game.options)), Random(7), sha256()
    for _ in range(40):
        asks = game.turn(state)
        if not asks:
            break
        seat = chance.choice(asks).seat
        listed = [a for a in islice(game.legal(state, seat), 200) if not game.is_administrative(a)]
        outcome = game.decide(state, seat, chance.choice(listed))
        state = fold(game, state, outcome.facts)
        for value in (listed, outcome, game.scene(state, seat), game.scene(state, SPECTATOR)):
            told.update(canonical_bytes(value))
        told.update(game.write_position(state).encode())
    print(game.slug, told.hexdigest())
"""
"""Plays a game of each kind at random, and prints a digest of all that came of it."""


def test_nor_does_anything_follow_the_order_of_a_set_which_differs_from_process_to_process() -> (
    None
):
    outputs = {
        subprocess.run(
            [sys.executable, "-c", WALK],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(GAMES)
