"""The stylus and the Control Card, as section 11 of the reference has them."""

from pathlib import Path

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.tap_vectors import TapVector, read_tap_vector
from domain.kernel.taps import Hand, Moment, Tapped, show, tap

LINES = (Path(__file__).parent / "taps.jsonl").read_bytes().splitlines()
VECTORS = [read_tap_vector(line) for line in LINES]
DUEL = VECTORS[0]


def after(vector: TapVector, *taps: str, seats: tuple[str, ...] = ("south",)) -> Tapped:
    """What came of the last of these taps."""
    state = GAME.read_position(vector.start, GAME.options(**vector.options))
    tapped = Tapped(Hand())
    for each in taps:
        tapped = tap(Moment(GAME, state, seats), tapped.hand, each)
    return tapped


@pytest.mark.parametrize("line", LINES, ids=[vector.name for vector in VECTORS])
def test_the_machine_agrees_with_the_vector(line: bytes) -> None:
    assert GAME.extras["taps"](line) == ()


def test_a_second_tap_on_the_same_base_changes_nothing() -> None:
    assert after(DUEL, "base s1", "base s1").hand.picked == ("base s1",)


def test_page_drops_the_last_pick() -> None:
    assert after(DUEL, "base s1", "card s1 walk", "button page").hand.picked == ("base s1",)


def test_a_region_or_an_enemy_never_begins_a_selection() -> None:
    for target in ("region a8", "base n1"):
        refusal = after(DUEL, target).refusal
        assert refusal is not None
        assert refusal.rule == "ga.stylus.nothing"


def test_the_stylus_of_another_seat_may_look_and_not_act() -> None:
    assert after(DUEL, "cc army", seats=("north",)).hand.view == "army north"
    refusal = after(DUEL, "base n1", "button confirm", seats=("north",)).refusal
    assert refusal is not None
    assert refusal.rule == "ga.stylus.seat"


def test_arrows_turn_to_the_armies_of_the_opponents_and_back() -> None:
    assert after(DUEL, "cc army", "cc army>").hand.view == "army north"
    assert after(DUEL, "cc army", "cc army>", "cc army>").hand.view == "army south"


def test_army_status_has_a_page_for_the_side_and_one_for_each_golem() -> None:
    assert after(DUEL, "cc army", "button page").hand.page == 2
    assert after(DUEL, "cc army", "button page", "button page").hand.page == 1


def test_there_is_nothing_to_see_of_ancient_ones_where_none_serve() -> None:
    refusal = after(DUEL, "cc ancients").refusal
    assert refusal is not None
    assert refusal.rule == "ga.stylus.nothing"


def test_a_third_digit_begins_again() -> None:
    waiting = next(vector for vector in VECTORS if vector.name == "area-attack").position
    state = GAME.read_position(waiting, GAME.options(scenario=waiting.split(" ")[1]))
    moment, hand = Moment(GAME, state, ("south",)), Hand()
    for digit, shown in (("0", "0"), ("7", "07"), ("3", "3"), ("1", "31")):
        hand = tap(moment, hand, f"cc digit {digit}").hand
        assert hand.digits == shown
    armed = show(moment, hand).armed
    assert armed is not None
    assert armed.label == "dice 31"
