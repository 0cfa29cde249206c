"""What holds of taps in every game of the registry: whatever can be done can be tapped."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Accepted
from domain.match import Changeset, MatchSetup, act, create, roles
from domain.registry import GAMES
from domain.stylus.narrowing import MAX_ACTIONS
from domain.stylus.tap_machine import Selection, StylusView, carry_over, stylus_screen, tap
from domain.stylus.tap_paths import taps_for
from tests.command_contexts import context_at

STEPS = 25
LISTED = 40

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
seeds = st.integers(0, 10_000)


def moments(game: AnyGame, seed: int, steps: int = STEPS) -> Iterator[tuple[StylusView, list[Any]]]:
    """The positions of a random game as a stylus that is handed around meets them."""
    random, state = Random(seed), game.start(msgspec.convert({}, game.options))
    for _ in range(steps):
        if game.result(state) is not None or not game.turn(state):
            return
        moment = StylusView(game, state, (), shared=True)
        listed = list(islice(game.legal(state, moment.seat), MAX_ACTIONS))
        yield moment, random.sample(listed, min(LISTED, len(listed)))
        action = random.choice([each for each in listed if not game.is_administrative(each)])
        outcome = game.decide(state, moment.seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)


@every_game
@settings(max_examples=6)
@given(seed=seeds)
def test_any_legal_action_can_be_reached_by_taps_alone(game: AnyGame, seed: int) -> None:
    for moment, actions in moments(game, seed):
        for action in actions:
            hand, taken = Selection(), None
            taps = taps_for(moment, action)
            for each in taps:
                assert taken is None, (game.write_position(moment.state), taps)
                tapped = tap(moment, hand, each)
                assert tapped.refusal is None, (game.write_position(moment.state), taps, tapped)
                hand, taken = tapped.hand, tapped.action
            assert taken == action, (game.write_position(moment.state), taps)


WHOLE = 300
"""Actions of a match that is played by taps; most random ones are over by then."""


@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_match_played_by_taps_has_the_same_log_as_by_notation(
    game: AnyGame, seed: int
) -> None:
    """Taps carry one hand through the match; the log by notation is made beside it."""
    options = msgspec.convert({}, game.options)
    keys = {role: f"{role}-key" for role in roles(game, options)}
    command_context = context_at(datetime(2026, 11, 21, tzinfo=UTC), "request")
    tapped = written = create(MatchSetup(game, options), UUID(int=1), keys, command_context).state
    random, hand = Random(seed), Selection()
    for _ in range(WHOLE):
        if tapped.result is not None:
            break
        moment = StylusView(game, tapped.position, (), shared=True)
        legal = [
            each
            for each in game.legal(tapped.position, moment.seat)
            if not game.is_administrative(each)
        ]
        action = random.choice(legal)
        for target in taps_for(moment, action):
            step = tap(moment, hand, target)
            hand = step.hand
        outcomes = [
            act(tapped, moment.seat, step.action, command_context),
            act(written, moment.seat, game.read_action(game.write_action(action)), command_context),
        ]
        assert all(isinstance(each, Changeset) for each in outcomes), game.write_action(action)
        tapped, written = (each.state for each in outcomes if isinstance(each, Changeset))
    assert tapped.digest == written.digest
    assert tapped.version > 10


@every_game
@settings(max_examples=6)
@given(seed=seeds)
def test_random_taps_do_nothing_but_what_is_legal(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    for moment, _ in moments(game, seed, 6):
        hand = Selection()
        for _ in range(40):
            shown = stylus_screen(moment, hand)
            target = random.choice([*FIXED, *shown.next, *shown.next])
            tapped = tap(moment, hand, target)
            hand = tapped.hand
            if tapped.action is not None:
                outcome = game.decide(moment.state, moment.seat, tapped.action)
                assert isinstance(outcome, Accepted), (target, tapped)
            if tapped.refusal is not None:
                assert tapped.refusal.why
            assert carry_over(moment, hand).picked == hand.picked


FIXED = (
    *(f"cc {icon}" for icon in ("army", "army<", "army>", "ancients", "ancients<", "ancients>")),
    "cc map",
    *(f"cc rune {number}" for number in range(1, 8)),
    *(f"cc digit {number}" for number in range(10)),
    *("button confirm", "button page", "button power", "button nose", "cc nose"),
    *("piece nobody", "space nowhere", "card none", "base s1", "region c4", "card s1 bite", ""),
)


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_a_stylus_of_nobody_only_looks(game: AnyGame, seed: int) -> None:
    for moment, actions in moments(game, seed, 4):
        onlooker = StylusView(game, moment.state, ())
        for target in (*taps_for(moment, actions[0]), *FIXED):
            assert tap(onlooker, Selection(), target).action is None


@every_game
@settings(max_examples=4)
@given(seed=seeds)
def test_what_a_view_does_not_list_cannot_be_picked_in_it(game: AnyGame, seed: int) -> None:
    for moment, actions in moments(game, seed, 8):
        first = taps_for(moment, actions[0])[0]
        picked = tap(moment, Selection(), first).hand
        for view in ("map", *moment.views):
            viewing = tap(moment, picked, f"cc {view}").hand
            shown = stylus_screen(moment, viewing)
            assert shown.armed is None
            assert shown.runes == () or moment.views[view].options is not None
            for number in range(len(shown.runes) + 1, 7):
                tapped = tap(moment, viewing, f"cc rune {number}")
                assert (bool(tapped.refusal), tapped.hand) == (True, viewing)
            for digit in range(10):
                tapped = tap(moment, viewing, f"cc digit {digit}")
                dice = moment.narrow(viewing.picked).dice
                assert tapped.hand == viewing or (dice and tapped.hand.view == "play")
            assert tap(moment, viewing, "button confirm").hand == replace(picked, page=1)
