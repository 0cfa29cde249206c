"""The stylus and the Control Card, as section 11 of the reference has them."""

from pathlib import Path

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.notation.tap_vectors import TapVector, read_tap_vector
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State
from domain.kernel.any_game import read_options
from domain.stylus.tap_machine import Selection, StylusView, TapResult, stylus_screen, tap
from domain.table import target_of

LINES = (Path(__file__).parent / "taps.jsonl").read_bytes().splitlines()
VECTORS = [read_tap_vector(line) for line in LINES]
DUEL = VECTORS[0]


QUIET = "s1=sand-lion@a9:50;n1=horned-blight@i1:60 - - - - -"


def state(rest: str, south: str = "south:6:0:0:nahesh", ancient: str = "-") -> State:
    """A position of the proving ground in South's Turn, from its Golems on."""
    seats = f"{south};north:0:0:0:{ancient}"
    text = f"ga1 proving-ground - R1 south {seats} {rest} *"
    return GAME.read_position(text, Options(scenario="proving-ground"))


OVER = GAME.read_position(
    f"ga1 proving-ground - R1 - south:6:0:0:-;north:0:0:0:- {QUIET} win:north",
    Options(scenario="proving-ground"),
)


def rule(tapped: TapResult) -> str:
    """The rule by which a tap is refused; empty if it is not."""
    return tapped.refusal.rule if tapped.refusal else ""


def after(vector: TapVector, *taps: str, seats: tuple[str, ...] = ("south",)) -> TapResult:
    """What came of the last of these taps."""
    position = GAME.read_position(vector.start, read_options(GAME, vector.options))
    tapped = TapResult(Selection())
    for each in taps:
        tapped = tap(StylusView(GAME, position, seats), tapped.hand, each)
    return tapped


@pytest.mark.parametrize("line", LINES, ids=[vector.name for vector in VECTORS])
def test_the_machine_agrees_with_the_vector(line: bytes) -> None:
    assert GAME.vector_checks["taps"](line) == ()


def test_a_second_tap_on_the_same_base_changes_nothing() -> None:
    assert after(DUEL, "base s1", "base s1").hand.picked == ("base s1",)


@pytest.mark.parametrize(
    "view", ["cc map", "cc map|region a8", "cc map|region a8|button page", "cc army", "cc army>"]
)
def test_page_drops_no_pick_outside_the_play_view(view: str) -> None:
    """11.3, 6: in the map it shows the whole map, and in none of these views touches what is
    picked."""
    looks = view.split("|")
    tapped = after(DUEL, "base s1", "card s1 walk", *looks, "button page", "button page")
    assert tapped.hand.picked == ("base s1", "card s1 walk")
    assert tapped.hand.view.startswith(looks[0].removeprefix("cc ").rstrip(">"))


def test_page_drops_no_pick_in_a_view_that_there_is_no_longer() -> None:
    """As if the last Ancient One were gone while it was shown."""
    hand = Selection(view="ancients 1", picked=("base s1",))
    position = GAME.read_position(DUEL.start, read_options(GAME, DUEL.options))
    paged = tap(StylusView(GAME, position, ("south",)), hand, "button page").hand
    assert (paged.view, paged.picked) == ("play", ("base s1",))


def test_page_drops_the_last_pick() -> None:
    assert after(DUEL, "base s1", "card s1 walk", "button page").hand.picked == ("base s1",)


def test_a_region_or_an_enemy_never_starts_a_selection_but_shows_its_info() -> None:
    for target in ("region a8", "base n1", "card n1"):
        tapped = after(DUEL, target)
        assert (tapped.refusal, tapped.hand) == (None, Selection(view=f"info {target}"))


def test_what_is_not_on_the_table_has_no_card() -> None:
    for target in ("region z9", "base n7", "base n1k", "card n1 sing", "relic n1", "card", "nose"):
        assert rule(after(DUEL, target)) == "ga.stylus.nothing"


def test_a_card_is_shown_out_of_turn_and_after_the_end_too() -> None:
    for seats in (("north",), ()):
        assert after(DUEL, "base s1", seats=seats).hand.view == "info base s1"
    for target in ("base s1", "region c4", "card s1 walk"):
        over = tap(StylusView(GAME, OVER, ("south",)), Selection(), target)
        assert (over.refusal, over.hand.view) == (None, f"info {target}")


def test_confirm_and_page_leave_a_card_for_play_and_keep_what_was_chosen() -> None:
    for button in ("button confirm", "button page"):
        assert after(DUEL, "base n1", button).hand == Selection()


def test_nothing_can_be_chosen_by_rune_in_a_view_that_lists_none() -> None:
    for view in ("cc army", "cc map", "base n1"):
        assert rule(after(DUEL, view, "cc rune 1")) == "ga.stylus.nothing"


# --- digits --------------------------------------------------------------------------------------

ROLL = "s1=sand-lion@a9:50;n1=horned-blight@a9:60 - - - - roll/s1/bite/n1"
DIE = "s1=ossuary-hulk@e7:125;n1=horned-blight@e7:60 - - - - displace/n1/random/1/e7/south"


@pytest.mark.parametrize("view", ["cc army", "cc map", "base n1", "cc ancients"])
def test_dice_are_typed_in_any_view_which_is_play_again(view: str) -> None:
    moment = StylusView(GAME, state(ROLL), ("south",))
    hand = tap(moment, tap(moment, Selection(), "cc digit 0").hand, view).hand
    assert hand.view != "play"
    hand = tap(moment, hand, "cc digit 7").hand
    typed = "7" if view.startswith("base") else "07"  # a thing on the table drops the digits
    assert (hand.view, hand.digits) == ("play", typed)


@pytest.mark.parametrize("view", ["cc army", "cc map", "cc ancients"])
def test_elsewhere_digits_choose_from_the_runes_of_play_only(view: str) -> None:
    moment = StylusView(GAME, state(DIE), ("south",))
    assert tap(moment, Selection(), "cc digit 2").hand.chosen == "die 2"
    viewing = tap(moment, Selection(), view).hand
    assert rule(tap(moment, viewing, "cc digit 2")) == "ga.stylus.nothing"
    assert tap(moment, viewing, "cc digit 2").hand == viewing


def test_a_digit_of_a_seat_that_is_not_asked_means_nothing() -> None:
    moment = StylusView(GAME, state(ROLL), ("north",))
    assert rule(tap(moment, Selection(), "cc digit 2")) == "ga.stylus.nothing"


# --- deploying -----------------------------------------------------------------------------------


def test_a_second_region_while_deploying_is_refused_by_its_own_rule() -> None:
    deploy = next(vector for vector in VECTORS if vector.name == "deploy-or-hold")
    for region, refused in (("a2", "ga.deploy.zone"), ("z9", "ga.region.unknown")):
        tapped = after(deploy, "base s1", "region a1", f"region {region}")
        assert (rule(tapped), tapped.hand.picked) == (refused, ("base s1", "region a1"))
    assert rule(after(deploy, "base s1", "region a1", "region b1")) == "ga.stylus.nothing"


# --- views ---------------------------------------------------------------------------------------


def test_after_the_end_ones_own_army_is_still_ones_own() -> None:
    for seat in ("south", "north"):
        assert (
            tap(StylusView(GAME, OVER, (seat,)), Selection(), "cc army").hand.view == f"army {seat}"
        )
    resigned = StylusView(GAME, state(ROLL), ("north",), over=True)
    assert tap(resigned, Selection(), "cc army").hand.view == "army north"
    assert not resigned.can_act
    assert stylus_screen(resigned, Selection()).runes == ()


def test_the_armies_of_the_opponents_follow_in_turn_order() -> None:
    three = Options(scenario="three-banners")
    position = GAME.start(three)
    moment, hand, views = StylusView(GAME, position, ("east",)), Selection(), []
    for icon in ("cc army", "cc army>", "cc army>", "cc army>"):
        hand = tap(moment, hand, icon).hand
        views.append(hand.view)
    assert views == ["army east", "army south", "army north", "army east"]


def test_the_ancient_ones_view_lists_its_powers_whatever_a_rune_has_chosen() -> None:
    moment = StylusView(GAME, state(QUIET, "south:6:12:0:nahesh"), ("south",))
    hand = tap(moment, Selection(), "cc rune 1").hand
    assert hand.chosen == "end"
    shown = stylus_screen(moment, tap(moment, hand, "cc ancients").hand)
    assert [option.label for option in shown.runes] == ["tide-of-mending", "calm-harbour"]
    assert (shown.next, shown.armed) == ((), None)
    picked = tap(moment, tap(moment, hand, "cc ancients").hand, "cc rune 2").hand
    assert (picked.chosen, picked.picked) == ("", ("power nahesh calm-harbour",))


def test_a_power_that_is_listed_can_be_tapped() -> None:
    moment = StylusView(GAME, state(QUIET, "south:6:12:0:nahesh"), ("south",))
    powers = [
        thing for thing in stylus_screen(moment, Selection()).next if thing.startswith("power ")
    ]
    assert powers
    for power in powers:
        assert target_of({}, power) == power
        assert tap(moment, Selection(), power).hand.picked == (power,)


def test_on_an_opponents_ancient_one_runes_mean_nothing() -> None:
    moment = StylusView(GAME, state(QUIET, "south:6:12:0:nahesh", "urzal"), ("south",))
    hand = tap(moment, tap(moment, Selection(), "cc ancients").hand, "cc ancients>").hand
    assert hand.view == "ancients 2"
    assert rule(tap(moment, hand, "cc rune 1")) == "ga.stylus.nothing"
    shown = moment.views["ancients"].lines(moment.scene, "2", 1)
    assert shown[0] == "Urzal Who Counts Bones, of North, with 0 Mana"
    assert len(shown) == 1 + 2, "each of its powers, with cost, effect and whether there is Mana"
    assert all(" Mana" in line and ": " in line for line in shown[1:]), shown
    assert all("there is too little Mana for it" in line for line in shown[1:]), shown


def test_the_stylus_of_another_seat_may_look_and_not_act() -> None:
    assert after(DUEL, "cc army", seats=("north",)).hand.view == "army north"
    refusal = after(DUEL, "button confirm", seats=("north",)).refusal
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


def test_a_third_digit_starts_again() -> None:
    waiting = next(vector for vector in VECTORS if vector.name == "area-attack").position
    position = GAME.read_position(waiting, GAME.options(scenario=waiting.split(" ")[1]))
    moment, hand = StylusView(GAME, position, ("south",)), Selection()
    for digit, shown in (("0", "0"), ("7", "07"), ("3", "3"), ("1", "31")):
        hand = tap(moment, hand, f"cc digit {digit}").hand
        assert hand.digits == shown
    armed = stylus_screen(moment, hand).armed
    assert armed is not None
    assert armed.label == "dice 31"


@pytest.mark.parametrize(
    "thing", ["card s1k", "relic s1k", "card s1k aura", "piece s1k", "piece s1"]
)
def test_only_a_base_shows_the_card_of_a_construct(thing: str) -> None:
    """11.1: `card` names the card of a Golem. A Construct has a base sticker alone."""
    golems = "s1=sand-lion*warding-obelisk.0@a9:50;n1=horned-blight@i1:60"
    moment = StylusView(GAME, state(f"{golems} s1k=warding-obelisk@b1:12 - - - -"), ("south",))
    tapped = tap(moment, Selection(), thing)
    assert rule(tapped) == "ga.stylus.nothing"
    assert tapped.hand.view == "play"
    assert tap(moment, Selection(), "base s1k").hand.view == "info base s1k"
