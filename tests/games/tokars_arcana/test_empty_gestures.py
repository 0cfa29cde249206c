"""Option gestures (TA-R39): whether one may strike, throw, vanquish or slay at nobody."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.facts import ModelMoved, RowSlid
from domain.games.tokars_arcana.state import State
from domain.kernel.rulings import Accepted, Figures, Refused
from tests.hypothesis_settings import example_settings

After = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]
Refusal = Callable[..., str]

FORBIDDEN = {
    "ta.kill.target",
    "ta.alchemist.brew.already",
    "ta.battlemage.vanquish.nobody",
    "ta.darkpriest.slay.nobody",
}


def test_they_are_refused_unless_the_option_allows_them(refusal: Refusal) -> None:
    position = "7n/8/8/8/8/8/4W3/8/8/7B - - south order -"
    assert refusal(position, "e4*e7") == "ta.kill.target"


def test_a_strike_at_a_free_square_is_the_whole_order(after: After, cited: Cited) -> None:
    position = "7n/8/8/8/8/8/4W3/8/8/7B - - south order -"
    allowed = {"gestures": "allowed"}
    assert after(position, "e4*e7", **allowed) == position.replace("south", "north")
    assert cited(position, "e4*e7", **allowed)["ta.kill.target"] == {"gestures": "allowed"}


def test_the_square_just_left_may_be_struck(orders: Orders) -> None:
    position = "7n/8/8/8/8/8/4T3/8/8/7B - - south order -"
    assert "-e5*e4" in orders(position, "e4", gestures="allowed").split()
    assert "-e5*e4" not in orders(position, "e4").split()


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        ("d4*d5", "ta.kill.immune"),
        ("d4*e5", "ta.warrior.kill.rank"),
        ("d4*d6", "ta.warrior.kill.reach"),
    ],
)
def test_who_may_not_be_killed_is_not_struck_at_either(
    refusal: Refusal, order: str, rule: str
) -> None:
    position = "7n/8/8/8/8/3si3/3I4/8/8/7B - - south order -"
    assert refusal(position, order, gestures="allowed") == rule


def test_own_models_are_not_struck_at_where_the_options_spare_them(refusal: Refusal) -> None:
    position = "7n/8/8/8/8/3I4/3D4/8/8/7B - - south order -"
    options = {"gestures": "allowed", "friendly_fire": "explicit"}
    assert refusal(position, "d4*d5", **options) == "ta.kill.friendly"


def test_a_burning_model_keeps_its_tokens(after: After, cited: Cited) -> None:
    position = "7n/8/8/8/8/8/8/3z*4/8/3A3B - - south order -"
    for order in ("d1 brew d3", "d1 brew c2"):
        assert after(position, order, gestures="allowed") == position.replace("south", "north")
    assert "ta.alchemist.brew.already" in cited(position, "d1 brew d3", gestures="allowed")


def test_a_throw_at_nobody_comes_before_a_slide_or_after(after: After) -> None:
    position = "7n/8/8/8/8/8/8/8/8/3Ai2B - - south order -"
    slid = "7n/8/8/8/8/8/8/8/8/3i1A1B - - north order -"
    allowed = {"gestures": "allowed"}
    assert after(position, "d1 brew d3 then f1", **allowed) == slid
    assert after(position, "d1-f1 brew e1", **allowed) == slid, "whoever stood on e1 is on d1"


def test_nobody_is_vanquished_and_nobody_is_asked(after: After) -> None:
    position = "7n/8/8/8/8/8/8/8/8/3B4 - - south order -"
    allowed = {"gestures": "allowed"}
    assert after(position, "d1 vanquish", **allowed) == position.replace("south", "north")
    assert after(position, "d1-d2 vanquish", **allowed).endswith("/3B4/8 - - north order -")


def test_nobody_is_slain(after: After) -> None:
    position = "7n/8/8/8/8/8/8/8/8/3X3B - - south order -"
    assert after(position, "d1 slay", gestures="allowed") == position.replace("south", "north")


def test_a_model_that_can_make_a_gesture_is_not_stuck(refusal: Refusal, after: After) -> None:
    # South's mage is held by a Mummy, and a Skeleton stands before the warrior.
    position = "8/n7/8/8/8/3s4/3I4/8/m7/B7 - - south order -"
    assert after(position, "pass", **{"pass": "stuck"}) == position.replace("south", "north")
    assert refusal(position, "pass", **{"pass": "stuck", "gestures": "allowed"}) == "ta.turn.pass"


@example_settings(25, deadline=None)
@given(st.randoms(use_true_random=True))
def test_they_are_what_four_rules_forbid_and_change_nothing_but_by_their_move(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    strict, lax = (
        replace(state, options=replace(state.options, gestures=way))
        for way in ("refused", "allowed")
    )
    for prompt in GAME.turn(state):
        few, many = (set(GAME.legal(each, prompt.seat)) for each in (strict, lax))
        assert {each for each in few - many if GAME.write_action(each) != "pass"} == set()
        for action in many - few:
            refused = GAME.decide(strict, prompt.seat, action)
            assert isinstance(refused, Refused)
            assert refused.rule in FORBIDDEN, GAME.write_action(action)
            outcome = GAME.decide(lax, prompt.seat, action)
            assert isinstance(outcome, Accepted)
            moves = [fact for fact in outcome.facts if isinstance(fact, ModelMoved | RowSlid)]
            assert len(moves) <= 1
            done = {type(fact).__name__ for fact in outcome.facts} - {"ModelMoved", "RowSlid"}
            assert not done & {"FirebrewStruck", "ModelsVanquished", "RaiseAsked"}
