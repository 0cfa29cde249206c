"""Packs of others say what the game's own does not, and are played by the same rules."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.pack_reading import read_pack
from domain.games.golem_arcana.options import Options
from domain.kernel.any_game import fold

HERE = Path(__file__).with_name("packs")


@pytest.fixture
def yard(table: Callable[..., Any]) -> Callable[..., Any]:
    """Set a battle up in the yard of the oddities: South to move with 6 Action Points."""
    pack = read_pack(
        (HERE / "oddities.content.toml").read_bytes(), (HERE / "oddities.boards.toml").read_bytes()
    )
    options = Options(scenario="yard", pack=pack)

    def set_up(
        golems: str,
        secrets: str = "-",
        *,
        seats: str = "south:6:0:0:-;north:0:0:0:-",
        todo: str = "-",
    ) -> Any:
        text = f"ga1 yard - R1 south {seats} {golems} - - - {secrets} {todo} *"
        return Reread(table(GAME.read_position(text, options)), options)

    return set_up


class Reread:
    """A table whose every position is read again as it was written."""

    def __init__(self, table: Any, options: Options) -> None:
        self.table, self.options = table, options

    def do(self, *actions: str) -> "Reread":
        for action in actions:
            before = self.table.state
            self.table.do(action)
            assert fold(GAME, before, self.table.facts) == self.table.state
            assert GAME.read_position(self.table.position, self.options) == self.table.state
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)


# --- attacks -------------------------------------------------------------------------------------


def test_a_charge_whose_effect_destroys_its_target_displaces_nobody(yard) -> None:
    table = yard("s1=breaker@a1:40;n1=breaker@c1:20").do("charge s1 shatter walk n1", "dice 30")
    assert table.unit("n1") == ""
    assert table.unit("s1").startswith("breaker@c1:40"), "the attacker moves in all the same"
    assert table.field(12) == "-"


def test_an_attacker_that_dies_of_its_own_attack_leaves_no_work_behind(yard) -> None:
    """Its target is still displaced; there is nobody left to advance."""
    table = yard("s1=breaker@a1:40;n1=breaker@c1:20").do("charge s1 last-blow walk n1", "dice 30")
    assert table.unit("s1") == ""
    assert table.field(12) == "displace/n1/choose/1/a1/south"
    assert table.do("displace c2").field(12) == "-"


def test_a_group_that_the_attacker_belongs_to_can_bring_it_down_with_a_friend(yard) -> None:
    """Quake hits the friend in the Region, whose group are all of its side there."""
    table = yard("s1=breaker@a1:40;s2=breaker@a1:40;n1=breaker@a1:40;n2=breaker@c1:40")
    table.do("attack s1 quake a1", "dice 30")
    assert [table.unit(name) for name in ("s1", "s2", "n1")] == ["", "", ""]


def test_a_free_step_with_nowhere_to_go_is_not_requested(yard) -> None:
    """Blocks fill the two neighbours of a1 [4.7]."""
    full = "n2=block@a2:60;n3=block@a2:60;n4=block@b1:60;n5=block@b1:60"
    table = yard(f"s1=breaker@a1:40;n1=breaker@a1:40;{full}").do("attack s1 slip n1", "dice 30")
    assert table.field(12) == "-"
    assert table.figures("ga.step.place") == {"possible": "nowhere"}
    room = yard(f"s1=breaker@a1:40;n1=breaker@a1:40;{full.rpartition(';')[0]}")
    assert room.do("attack s1 slip n1", "dice 30").legal() == ["stay", "step b1"]


# --- encounters ----------------------------------------------------------------------------------


def test_two_encounters_in_a_region_are_met_one_after_the_other_in_scenario_order(yard) -> None:
    secrets = "fork=b2,toll=c2,riddle=b2"
    table = yard("s1=breaker@a2:40;n1=breaker@c3:40", secrets).do("move s1 walk b2")
    assert table.field(12) == "choice/fork/s1", "the first in the scenario asks first"
    assert table.field(11) == "fork=b2!,toll=c2,riddle=b2", "nothing tells that another waits"
    table.do("choose 1")
    assert table.field(12) == "choice/riddle/s1"
    table.do("choose 1")
    assert table.field(12) == "-"
    assert table.purse("south") == (5, 3, 1)


def test_what_comes_after_a_choice_waits_for_it(yard) -> None:
    table = yard("s1=breaker@a2:40;n1=breaker@c3:40", "fork=b2,toll=b2,riddle=c2")
    table.do("move s1 walk b2")
    assert "40" in table.unit("s1"), "the toll is not yet paid"
    assert "breaker@b2:38" in table.do("choose 1").unit("s1")


def test_who_falls_at_the_first_encounter_meets_no_second(yard) -> None:
    table = yard("s1=breaker@a2:40;s2=breaker@a1:40;n1=breaker@c3:40", "fork=b2,toll=c2,riddle=b2")
    table.do("move s1 walk b2", "choose 2")
    assert table.unit("s1") == ""
    assert table.field(12) == "-"
    assert table.field(11) == "fork=b2!,toll=c2,riddle=b2"


# --- powers --------------------------------------------------------------------------------------


def test_a_power_does_to_the_golem_itself_what_is_meant_for_itself(yard) -> None:
    """Taunt is for an enemy; the healing in it is for who taunts."""
    seats = "south:6:5:0:-;north:0:0:0:-"
    table = yard("s1=breaker@a1:20;n1=breaker@a2:20", seats=seats).do("use s1 taunt n1")
    assert table.unit("s1") == "breaker@a1:23"
    assert table.unit("n1") == "breaker@a2:20!breaker.taunt:dodge:-5:1:south"


def test_a_power_of_the_golem_itself_is_named_by_its_card(yard) -> None:
    """Not every power is a Knight's: positions name the card that it is on."""
    seats = "south:6:5:0:-;north:0:0:0:-"
    table = yard("s1=breaker+juggler@a1:20;n1=breaker@a2:20", seats=seats)
    assert "!breaker.taunt:" in table.do("use s1 taunt n1").unit("n1")


def test_a_golem_that_a_teleport_destroys_is_not_moved_again(yard) -> None:
    """d1 is a pit: 10 damage."""
    seats = "south:6:5:0:-;north:0:0:0:-"
    table = yard("s1=breaker+juggler@b1:9;n1=breaker@a3:40", seats=seats)
    assert table.do("use s1 here-and-there d1").unit("s1") == ""


def test_nobody_has_more_of_anything_than_nine_digits_can_say(yard) -> None:
    seats = "south:6:999999990:9990:-;north:0:0:0:-"
    table = yard("s1=breaker+miser@a1:40;n1=breaker@c3:40", seats=seats).do("use s1 hoard")
    assert table.purse("south") == (10_005, 999_999_999, 19_989)


def test_a_long_idle_battle_can_be_written_and_read(yard) -> None:
    """What is unspent becomes Mana, Turn after Turn."""
    seats = "south:6:12345:0:-;north:0:0:0:-"
    table = yard("s1=breaker@a1:40;n1=breaker@c3:40", seats=seats).do("end")
    assert table.purse("south") == (0, 12_351, 0)


def test_a_landing_that_is_soft_heals_nobody(yard) -> None:
    table = yard("s1=breaker+stone-rider@a1:40;n1=breaker@b1:30").do("move s1 walk b1")
    assert table.unit("n1") == "breaker@b1:30"


def test_the_referee_sees_a_place_for_every_hidden_encounter(yard) -> None:
    table = yard("s1=breaker@a1:40;n1=breaker@c3:40", "fork=b2,toll=c2,riddle=b2")
    scene = GAME.scene(table.state, "referee")
    places = {space.id for space in scene.spaces} | {zone.id for zone in scene.zones}
    assert {piece.where for piece in scene.pieces} <= places
    assert "secrets" not in {zone.id for zone in GAME.scene(table.state, "south").zones}
