"""Narrowing by taps in games whose reference says nothing of a stylus."""

import msgspec
import pytest

from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from domain.stylus.tap_machine import (
    Selection,
    StylusView,
    TapResult,
    carry_over,
    stylus_screen,
    tap,
)
from domain.stylus.targets import Option

AGOG = GAMES["agog"]
EARTHEN_WAR = GAMES["earthen-war"]


def opening(seats: tuple[str, ...] = ("white",)) -> StylusView:
    return StylusView(AGOG, AGOG.start(AGOG.options()), seats)


def after(moment: StylusView, *taps: str) -> TapResult:
    tapped = TapResult(Selection())
    for each in taps:
        tapped = tap(moment, tapped.hand, each)
    return tapped


def armed(moment: StylusView, *taps: str) -> str | None:
    shown = stylus_screen(moment, after(moment, *taps).hand).armed
    return shown.label if shown else None


def test_two_squares_and_confirm_are_a_move() -> None:
    assert armed(opening(), "space a6", "space b6") == "a6-b6"
    tapped = after(opening(), "space a6", "space b6", "button confirm")
    assert tapped.notation == "a6-b6"
    assert tapped.hand == Selection()


def test_a_second_tap_on_the_same_thing_takes_it_back() -> None:
    assert after(opening(), "space a6", "space a6").hand.picked == ()
    assert after(opening(), "space a6", "space b6", "space b6").hand.picked == ("space a6",)
    assert after(opening(), "space a6", "space b6", "space a6").hand.picked == ()


def test_a_tap_on_another_piece_starts_again() -> None:
    assert after(opening(), "space a6", "space b5").hand.picked == ("space b5",)


def test_to_resign_takes_two_runes_and_confirm() -> None:
    assert armed(opening()) is None
    assert [option.label for option in stylus_screen(opening(), Selection()).runes] == ["aside"]
    assert armed(opening(), "cc rune 1") is None
    opened = after(opening(), "cc rune 1").hand
    assert [option.label for option in stylus_screen(opening(), opened).runes] == ["resign white"]
    assert armed(opening(), "cc rune 1", "cc rune 1") == "resign white"
    assert after(opening(), "cc rune 1", "button confirm").refusal is not None
    assert after(opening(), "cc rune 1", "cc rune 1", *["button page"] * 2).hand == Selection()


def test_a_seat_not_on_turn_never_resigns_by_confirm_alone() -> None:
    waiting = opening(("black",))
    refusal = after(waiting, "button confirm").refusal
    assert refusal is not None
    assert refusal.rule == "stylus.unready"
    assert armed(waiting, "cc rune 1") is None
    assert armed(waiting, "cc rune 1", "cc rune 1") == "resign black"


def test_what_means_nothing_is_answered_kindly() -> None:
    for target in ("space z9", "piece nobody", "cc nose", "cc rune 4", "cc digit 9", "button x"):
        refusal = after(opening(), target).refusal
        assert refusal is not None
        assert refusal.rule == "stylus.nothing", target


def test_a_space_is_read_as_the_piece_on_it_where_only_that_fits() -> None:
    """The Page button moves to the next interpretation of an ambiguous tap."""
    moment = opening()
    hand = after(moment, "space a6").hand
    assert hand.picked == ("space a6",)
    other = tap(moment, hand, "button page").hand
    assert other.picked[0].startswith("piece ")
    assert tap(moment, other, "button page").hand.picked == ()


def test_dice_are_typed_digit_by_digit() -> None:
    state = EARTHEN_WAR.start(msgspec.convert({}, EARTHEN_WAR.options))
    moment = StylusView(EARTHEN_WAR, state, (), shared=True)
    action = next(iter(EARTHEN_WAR.legal(state, moment.seat)))
    dice = "".join(EARTHEN_WAR.parts(state, action).choices)
    notation = EARTHEN_WAR.write_action(action)
    assert armed(moment, *(f"cc digit {die}" for die in dice)) == notation
    assert after(moment, "cc digit 9").refusal is not None


@pytest.mark.parametrize("taps", [("space a6", "space b6"), ("space a6",)])
def test_what_still_means_something_stays_picked_when_others_move(taps: tuple[str, ...]) -> None:
    moment = opening()
    hand = after(moment, *taps).hand
    outcome = AGOG.decide(moment.state, "white", AGOG.read_action("a6-b6"))
    assert isinstance(outcome, Accepted)
    later = StylusView(AGOG, fold(AGOG, moment.state, outcome.facts), ("white",))
    assert carry_over(later, hand).picked == ()
    assert carry_over(moment, hand).picked == hand.picked


@pytest.mark.parametrize("slug", ["tokars-arcana", "res-arcana"])
def test_what_can_be_chosen_is_made_once_for_all_matches(slug: str) -> None:
    def chosen() -> list[Option]:
        state = game.start(game.options())
        moment = StylusView(game, state, (game.turn(state)[0].seat,))
        first = moment.narrow(())
        narrowed = (first, *(moment.narrow((thing,)) for thing in first.next[:10]))
        options = [each for left in narrowed for each in (*left.runes, left.armed)]
        return [each for each in options if each is not None and each.action is not None]

    game = GAMES[slug]
    one, other = chosen(), chosen()
    assert one
    assert all(mine is theirs for mine, theirs in zip(one, other, strict=True))
