"""Teams: two seats fight as one side (option `teams`; docs/rulings/golem-arcana.md)."""

from collections.abc import Callable

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.destruction import credit
from domain.games.golem_arcana.battle.modifiers import total
from domain.games.golem_arcana.battle.sides import sides_of, teams_of
from domain.games.golem_arcana.content.packs import BANNERS
from domain.games.golem_arcana.display.army_status import status
from domain.games.golem_arcana.options import Options
from tests.games.golem_arcana.conftest import Table

SEATS = "south:6:{mana}:0:{south};north:0:0:0:{north};east:0:0:{vp}:{east}"


@pytest.fixture
def allied_table(at: Callable[..., Table]) -> Callable[..., Table]:
    """South and East fight North; South is to move."""

    def set_up(golems: str, **more: str | int) -> Table:
        purse = {"mana": 20, "south": "-", "north": "-", "east": "-", "vp": 0}
        purse |= {name: more.pop(name) for name in list(more) if name in purse}
        more.setdefault("options", "teams=south+east")
        return at(golems, scenario="three-banners", seats=SEATS.format(**purse), **more)

    return set_up


def four(at: Callable[..., Table], golems: str, purses: str, **more: str) -> Table:
    """South and North fight West and East."""
    teams = "teams=south+north/east+west"
    return at(golems, scenario="four-banners", pack=BANNERS, options=teams, seats=purses, **more)


# --- who is an enemy -----------------------------------------------------------------------------


def test_a_friend_is_no_target_of_an_attack_or_a_charge(allied_table) -> None:
    table = allied_table(
        "s1=sand-lion@a1:50;n1=sand-lion@a1:50;e1=sand-lion@a1:50;e2=bramblehorn@c1:45"
    )
    assert table.refused("attack s1 bite e1") == "ga.target.friend"
    assert table.refused("charge s1 bite walk e2") == "ga.target.friend"
    assert table.legal("attack s1") == ["attack s1 bite n1", "attack s1 hamstring n1"]
    assert table.legal("charge") == []


def test_without_teams_all_are_enemies(allied_table) -> None:
    table = allied_table("s1=sand-lion@a1:50;n1=sand-lion@i6:50;e1=sand-lion@a1:50", options="-")
    assert table.legal("attack s1 bite") == ["attack s1 bite e1"]


def test_an_area_attack_needs_an_enemy_and_hurts_friends_too(allied_table) -> None:
    friends = "s1=vigilant-sentinel@a1:45;s2=bramblehorn@a1:45;e1=bramblehorn@a1:45;"
    assert (
        allied_table(f"{friends}n1=bramblehorn@i6:45").refused("attack s1 burning-beacon a1")
        == "ga.area.no-enemy"
    )
    table = allied_table(f"{friends}n1=bramblehorn@a1:45").do(
        "attack s1 burning-beacon a1", "dice 00"
    )
    assert table.unit("e1") == "bramblehorn@a1:29"
    assert table.unit("n1").startswith("bramblehorn@a1:29!")  # only enemies take the effect


def test_friends_do_not_stop_a_golem_nor_hold_it_fast(allied_table) -> None:
    apart = "n1=sand-lion@i6:50"
    table = allied_table(f"s1=sand-lion@a1:50;{apart};e1=sand-lion@a1:50;e2=sand-lion@c1:50")
    assert "move s1 walk d2" in table.legal("move")
    assert table.do("move s1 walk c1").purse("south")[0] == 5  # no Breakaway


def test_reserves_enter_next_to_a_friend(at) -> None:
    purses = "south:4:0:0:-;west:0:0:0:-;north:0:0:0:-;east:0:0:0:-"
    table = four(
        at, "s1=sand-lion@off:50;s2=sand-lion@d1:50;w1=sand-lion@e1:50;n1=sand-lion@f1:50",
        purses, rounds=2,
    )  # fmt: skip
    assert table.refused("enter s1 e1") == "ga.reserve.enemy"
    assert table.do("enter s1 f1").unit("s1") == "sand-lion@f1:50"


def test_a_friend_may_be_helped_and_not_harmed_by_a_power(allied_table) -> None:
    table = allied_table(
        "s1=sand-lion*stonebark-salve.1@a1:50;n1=sand-lion@a1:50;e1=sand-lion@b1:20"
        "!x.y:dodge:-15:2:north!z.y:dodge:5:2:south"
    )
    relic = next(iter(table.legal("relic"))).split()[2]
    assert table.refused(f"relic s1 {relic} n1") == "ga.target.foe"
    # What its own side caused stays.
    assert table.do(f"relic s1 {relic} e1").unit("e1") == "sand-lion@b1:40!z.y:dodge:5:2:south"


def test_a_miracle_and_a_blessing_touch_the_whole_side_and_a_curse_the_other(allied_table) -> None:
    golems = "s1=sand-lion@a1:30;n1=sand-lion@a1:30;e1=sand-lion@a1:30"
    healed = allied_table(golems, south="nahesh").do("invoke nahesh tide-of-mending")
    assert [healed.unit(name) for name in ("s1", "n1", "e1")] == [
        "sand-lion@a1:40", "sand-lion@a1:30", "sand-lion@a1:40",
    ]  # fmt: skip
    laid = allied_table(
        golems, south="nahesh", north="urzal",
        powers="north.urzal.grave-chill@a1,south.nahesh.calm-harbour@a1",
    )  # fmt: skip
    battle = Battle(laid.state)
    assert [total(battle, name, "dodge") for name in ("s1", "n1", "e1")] == [10, 0, 10]
    chilled = [total(battle, name, "accuracy") for name in ("s1", "n1", "e1")]
    assert chilled[0] == chilled[2] != 0 == chilled[1]


def test_a_construct_helps_the_whole_side(allied_table) -> None:
    table = allied_table(
        "s1=sand-lion*warding-obelisk.0@a1:50;n1=sand-lion@a1:50;e1=sand-lion@a1:50",
        constructs="s1k=warding-obelisk@a1:30",
    )
    assert [total(Battle(table.state), name, "armor") for name in ("s1", "n1", "e1")] == [6, 0, 6]


# --- points and the end --------------------------------------------------------------------------


def test_a_place_is_held_next_to_a_friend_and_not_next_to_an_enemy(allied_table) -> None:
    def turn(where: str) -> Table:
        golems = f"s1=sand-lion@e4:50;n1=sand-lion@i6:50;n2=sand-lion@{where}:50;e1=sand-lion@e4:50"
        return allied_table(golems, turn="east", rounds=1).do("end")

    assert turn("a6").purse("south")[2] == 1
    assert (
        allied_table(
            "s1=sand-lion@e4:50;n1=sand-lion@e4:50;e1=sand-lion@a1:50", turn="east", rounds=1
        )
        .do("end")
        .purse("south")[2]
        == 0
    )
    # Who has no Golem of its own there gains nothing.
    lent = allied_table("s1=sand-lion@a1:50;n1=sand-lion@i6:50;e1=sand-lion@e4:50", turn="north")
    assert lent.do("end").purse("south")[2] == 0
    assert lent.purse("east")[2] == 1


def test_what_is_nobodys_deed_is_the_other_sides_where_there_are_two(allied_table, at) -> None:
    """GA-R36: as the opponent's among two seats."""
    two = Battle(allied_table("s1=sand-lion@a1:50;n1=sand-lion@i6:50;e1=sand-lion@a1:50").state)
    assert credit(two, "north", None) == "south"
    assert credit(two, "east", "south") == "north"
    assert credit(two, "east", "north") == "north"
    three = four(
        at, "s1=sand-lion@d1:50;w1=sand-lion@a4:50;n1=sand-lion@d9:50;e1=sand-lion@i6:50",
        "south:4:0:0:-;west:0:0:0:-;north:0:0:0:-;east:0:0:0:-",
    ).state  # fmt: skip
    lone = msgspec.structs.replace(three.variants, teams="south+north")
    three = Battle(msgspec.structs.replace(three, variants=lone))
    assert credit(three, "south", "north") is None


def test_the_last_side_with_golems_has_won_with_all_its_seats(allied_table) -> None:
    table = allied_table("s1=sand-lion@a1:50;n1=horned-blight@a1:5;e1=sand-lion@i2:50")
    table.do("attack s1 bite n1", "dice 00")
    assert table.field(13) == "win:south+east"
    result = GAME.result(table.state)
    assert result is not None
    assert (result.winners, result.reason) == (("south", "east"), "elimination")
    assert GAME.scene(table.state, "north").caption.startswith("South and East win ")
    assert GAME.read_position(table.position, Options(scenario="three-banners")) == table.state


def test_a_side_has_the_points_of_its_seats_together(allied_table) -> None:
    """After the last Round: South 1 and East 2 against North 2, though nobody has more than 2."""
    table = allied_table(
        "s1=sand-lion@a1:50;n1=sand-lion@i6:50;e1=sand-lion@i2:50", turn="east", rounds=6, vp=2
    )
    purses = {
        seat: msgspec.structs.replace(purse, vp={"south": 1, "north": 2, "east": 2}[seat])
        for seat, purse in table.state.seats.items()
    }
    table.state = msgspec.structs.replace(table.state, seats=purses)
    assert table.do("end").field(13) == "win:south+east"


def test_sides_that_are_level_draw(allied_table) -> None:
    table = allied_table("s1=sand-lion@a1:50;n1=sand-lion@i6:50;e1=sand-lion@i2:50",
                   turn="east", rounds=6)  # fmt: skip
    assert table.do("end").field(13) == "draw:south+north+east"


@pytest.mark.parametrize("result", ["win:south", "win:south+north", "draw:south+east"])
def test_a_result_is_that_of_whole_sides(result: str) -> None:
    text = (
        "ga1 three-banners teams=south+east R3 - south:0:0:1:-;north:0:0:1:-;east:0:0:0:- "
        f"s1=sand-lion@a1:50;n1=sand-lion@i6:50 - - - - - {result}"
    )
    with pytest.raises(ValueError, match=r"whole sides|one side wins"):
        GAME.read_position(text, Options(scenario="three-banners"))


def test_points_to_win_are_those_of_a_side(start) -> None:
    options = {"pack": BANNERS, "scenario": "crossed-errands"}
    state = start(**options, teams="south+north/east+west").state
    points = {"south": 7, "north": 5}
    seats = {
        seat: msgspec.structs.replace(purse, vp=points.get(seat, 0))
        for seat, purse in state.seats.items()
    }
    table = Table(msgspec.structs.replace(state, seats=seats, round=1, turn="south", todo=()))
    assert table.do("end").field(13) == "win:south+north"


# --- who fights together -------------------------------------------------------------------------


def test_who_can_fight_together_are_those_who_play() -> None:
    assert teams_of(("south", "north")) == ("none",)
    assert teams_of(("south", "north", "east")) == (
        "none", "south+north", "south+east", "north+east",
    )  # fmt: skip
    assert len(teams_of(("south", "west", "north", "east"))) == 10
    assert sides_of("east+west", ("south", "west", "north", "east")) == (
        ("south",), ("west", "east"), ("north",),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("scenario", "teams"),
    [("first-steps", "south+north"), ("three-banners", "south+west"),
     ("three-banners", "south+north/east+west")],
)  # fmt: skip
def test_other_teams_are_refused(scenario: str, teams: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="can fight as none"):
        msgspec.convert({"scenario": scenario, "teams": teams}, Options)


def test_each_seat_has_its_own_turn_golems_and_secrets(start) -> None:
    """A partner sees no more than an enemy; what partners say to each other is their affair."""
    options = {"pack": BANNERS, "scenario": "crossed-errands"}
    table = start(**options, teams="south+north/east+west")
    assert [prompt.seat for prompt in GAME.turn(table.state)] == ["referee"]
    table.do("hide 1", "hide 1", by="referee")
    for number, seat in enumerate(("south", "west", "north", "east"), 1):
        table.do(f"quest {number}", by=seat)
    assert table.asked == "south"
    assert table.refused("move n1 walk d8") == "ga.golem.not-yours"
    assert "south=1,west=?,north=?,east=?" in GAME.write_view(table.state, "south")
    assert table.do("end").asked == "west"


def test_every_viewer_sees_the_alliances_and_eliminated_seats(allied_table) -> None:
    state = allied_table("s1=sand-lion@a1:50;n1=sand-lion@i6:50;e1=sand-lion@i2:50").state
    assert GAME.scene(state, "north").attributes["sides"] == "South and East against North"
    south, north, east = status(state, "north", Options(scenario="three-banners"))
    assert [[row.name for row in side.rows] for side in (south, north, east)] == [
        ["East"], [], ["South"],
    ]  # fmt: skip
