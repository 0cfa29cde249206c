"""Published cards written as a pack: armor that is ignored, help for allies, Relics that last.

The Woodguard has 85 Hit Points, armor 10, dodge 8; the Blazing Dervish 70, 12, 10.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.content.army_options import Constraints, check
from domain.games.golem_arcana.content.cards import Army
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.pack_reading import PackError, read_pack
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.display.questions import attack_figures
from domain.games.golem_arcana.options import Options
from domain.kernel.notation_error import NotationError

HERE = Path(__file__).with_name("packs")
CONTENT = (HERE / "published.content.toml").read_bytes()
BOARDS = (HERE / "published.boards.toml").read_bytes()


@pytest.fixture
def pack() -> Pack:
    return read_pack(CONTENT, BOARDS)


@pytest.fixture
def glade(pack: Pack, table: Callable[..., Any]) -> Callable[..., Any]:
    """Set a battle up in the glade, open ground: South to move with 6 Action Points."""

    def set_up(golems: str, mana: int = 0) -> Any:
        seats = f"south:6:{mana}:0:-;north:0:0:0:-"
        text = f"ga1 glade - R1 south {seats} {golems} - - - - - *"
        return table(GAME.read_position(text, Options(scenario="glade", pack=pack)))

    return set_up


def figures(table: Any, attack: str, target: str) -> tuple[int, int]:
    """The chance to hit in percent, and the Hit Points that a hit costs."""
    golem, ability, named = attack.split(" ")
    found = attack_figures(table.state, table.asked, a.Attack(golem, ability, named))
    assert isinstance(found, tuple), found
    aim = next(each for each in found if each.target == target)
    return aim.chance, aim.damage


# --- the printed figures -------------------------------------------------------------------------


def test_the_woodguard_strikes_with_its_printed_figures(glade) -> None:
    """Against a Dervish: 85 - 10, 20 - 12; and 75 - 10, 35 - 12."""
    table = glade("s1=woodguard@b2:85;n1=blazing-dervish@b2:70")
    assert figures(table, "s1 protecting-pummel n1", "n1") == (75, 8)
    assert figures(table, "s1 bash n1", "n1") == (65, 23)


def test_blade_dance_ignores_five_of_the_targets_armor_and_then_takes_five_away(glade) -> None:
    """Against a Woodguard: 75 - 8; 25 - (10 - 5) = 20, then 25 - (5 - 5) = 25."""
    table = glade("s1=blazing-dervish@b2:70;n1=woodguard@b2:85")
    assert figures(table, "s1 blade-dance n1", "n1") == (67, 20)
    table.do("attack s1 blade-dance n1", "dice 30")
    assert table.unit("n1") == ("woodguard@b2:65!blazing-dervish.blade-dance:armor:-5:2:south")
    assert table.figures("ga.damage.armor")["armor from Blade Dance ignores"] == -5
    assert figures(table, "s1 blade-dance n1", "n1") == (67, 25)


def test_flying_scimitars_are_thrown_over_two_regions(glade) -> None:
    table = glade("s1=blazing-dervish@a1:70;n1=woodguard@c3:85")
    assert figures(table, "s1 flying-scimitars n1", "n1") == (57, 12)
    assert table.refused("attack s1 blade-dance n1") == "ga.melee.same-region"


@pytest.mark.parametrize(("armor", "damage"), [(0, 25), (3, 25), (5, 25), (6, 24), (12, 18)])
def test_no_more_armor_is_ignored_than_there_is(table, armor: int, damage: int) -> None:
    content = CONTENT.replace(b"armor = 10\ndodge = 8", b"armor = %d\ndodge = 8" % armor)
    other = read_pack(content, BOARDS)
    text = (
        "ga1 glade - R1 south south:6:0:0:-;north:0:0:0:- s1=blazing-dervish@b2:70;"
        "n1=woodguard@b2:85 - - - - - *"
    )
    battle = table(GAME.read_position(text, Options(scenario="glade", pack=other)))
    assert figures(battle, "s1 blade-dance n1", "n1") == (67, damage)


# --- help for allies -----------------------------------------------------------------------------


def test_a_protector_gives_armor_to_its_allies_in_its_region_and_not_to_itself(glade) -> None:
    """Bash does 35: less 12 + 5 for the Dervish beside it, less 10 for the Woodguard itself."""
    table = glade(
        "s1=woodguard@b2:85;s2=blazing-dervish@b2:70;s3=blazing-dervish@a1:70;"
        "n1=woodguard@b2:85;n2=woodguard@a1:85"
    ).do("end")
    assert figures(table, "n1 bash s2", "s2") == (65, 18)
    assert figures(table, "n1 bash s1", "s1") == (67, 25)
    assert figures(table, "n2 bash s3", "s3") == (65, 23), "not beyond its Region"
    table.do("attack n1 bash s2", "dice 30")
    assert table.figures("ga.damage.armor")["armor from Protector of s1"] == 5


def test_two_protectors_help_each_other_and_add_up_for_a_third(glade) -> None:
    table = glade(
        "s1=woodguard@b2:85;s2=woodguard@b2:85;s3=blazing-dervish@b2:70;n1=woodguard@b2:85"
    ).do("end")
    assert figures(table, "n1 bash s1", "s1") == (67, 20)
    assert figures(table, "n1 bash s3", "s3") == (65, 13)


def test_a_protector_does_not_help_the_enemy(glade) -> None:
    table = glade("s1=woodguard@b2:85;n1=blazing-dervish@b2:70")
    assert figures(table, "s1 bash n1", "n1") == (65, 23)


def test_protecting_pummel_gives_the_group_armor_for_two_rounds(glade) -> None:
    """The Woodguard and its allies in the Region, once, as soon as anything is hit."""
    golems = (
        "s1=woodguard@b2:85;s2=blazing-dervish@b2:70;s3=blazing-dervish@a1:70;n1=woodguard@b2:85"
    )
    table = glade(golems).do("attack s1 protecting-pummel n1")
    narration = table.narrate("dice 30")
    gained = "!woodguard.protecting-pummel:armor:5:2:south"
    assert table.unit("s1") == f"woodguard@b2:85%protecting-pummel.2.1{gained}"
    assert table.unit("s2") == f"blazing-dervish@b2:70{gained}"
    assert table.unit("s3") == "blazing-dervish@a1:70"
    assert table.unit("n1") == "woodguard@b2:75"
    golem = "South's Woodguard s1"
    assert f"{golem} has armor +5 for 2 Rounds (Protecting Pummel)." in narration.facts
    missed = glade(golems).do("attack s1 protecting-pummel n1", "dice 98")
    assert "armor" not in missed.position
    table.do("end")
    assert figures(table, "n1 bash s1", "s1") == (67, 20)
    assert figures(table, "n1 bash s2", "s2") == (65, 13)


def test_what_helps_a_charge_helps_that_of_an_ally(glade) -> None:
    """The drummer's allies do 4 more as they charge: 35 + 4 - 12 = 27."""
    table = glade("s1=woodguard@a2:85;s2=woodguard*war-drum@a2:85;n1=blazing-dervish@c2:70")
    table.do("charge s1 bash walk n1", "dice 30")
    assert table.unit("n1") == "blazing-dervish@c2:43"
    other = glade("s1=woodguard@a2:85;s2=woodguard*war-drum@a1:85;n1=blazing-dervish@c2:70")
    assert other.do("charge s1 bash walk n1", "dice 30").unit("n1") == "blazing-dervish@c2:47"


def test_a_power_can_be_for_the_whole_group(glade) -> None:
    table = glade(
        "s1=woodguard*war-drum@b2:85;s2=blazing-dervish@b2:70;s3=woodguard@a1:85;"
        "n1=woodguard@c3:85",
        mana=4,
    ).do("relic s1 beat")
    assert [table.unit(name).count("war-drum.beat:mp:1:1") for name in ("s1", "s2", "s3")] == [
        1, 1, 0,
    ]  # fmt: skip


# --- Relics without charges ----------------------------------------------------------------------


def test_a_relic_without_charges_is_used_as_often_as_it_is_paid_for(glade) -> None:
    table = glade("s1=blazing-dervish*patient-bellows@b2:10;n1=woodguard@c3:85")
    table.do(*["relic s1 breathe"] * 6)
    assert table.unit("s1") == "blazing-dervish*patient-bellows@b2:40"
    assert table.purse("south") == (0, 0, 0)
    assert table.refused("relic s1 breathe") == "ga.ap.short"


def test_a_position_writes_charges_where_there_are_some_and_only_there(glade, at) -> None:
    with pytest.raises(NotationError, match="patient-bellows, which has no charges"):
        glade("s1=blazing-dervish*patient-bellows.1@b2:10;n1=woodguard@c3:85")
    with pytest.raises(NotationError, match="ember-lens, which has 3 charges"):
        at("s1=sand-lion*ember-lens@a9:50;n1=horned-blight@a8:60")


def test_a_relic_without_charges_is_shown_without_a_count(glade) -> None:
    table = glade("s1=blazing-dervish*patient-bellows@b2:10;n1=woodguard@c3:85")
    scene = GAME.scene(table.state, "north")
    pieces = {piece.id: piece for piece in scene.pieces}
    assert pieces["s1"].attributes["relic"] == "Patient Bellows"
    assert pieces["s1*"].attributes == {"AP": "1"}
    assert pieces["s1.blade-dance"].attributes["ignores armor"] == "5"
    assert GAME.status is not None
    side = GAME.status(table.state, "north", Options(scenario="glade", pack=table.state.pack))[0]
    assert next(row for row in side.units[0].rows if row.kind == "relic").attributes == {}


def test_a_relic_without_charges_is_tapped_like_any_other(glade) -> None:
    table = glade("s1=blazing-dervish*patient-bellows@b2:10;n1=woodguard@c3:85")
    assert GAME.pointing is not None
    narrowed = GAME.pointing(table.state, "south", "south").narrow(("relic s1",))
    assert narrowed.armed is not None
    assert narrowed.armed.label == "relic s1 breathe"


def test_the_relic_of_an_army_asks_for_its_arcanum(pack: Pack) -> None:
    army = {"faction": "durani", "golems": [{"type": "woodguard", "relic": "patient-bellows"}]}
    constraints = Constraints("parade", pack)
    faults = check(msgspec.convert(army, Army), constraints).faults
    assert [str(fault) for fault in faults] == ["ga.army.relic-arcanum golems[0].relic"]
    army["golems"] = [{"type": "blazing-dervish", "relic": "patient-bellows"}]
    assert not check(msgspec.convert(army, Army), constraints).faults
    raw = {"pack": pack, "scenario": "parade", "armies": {"south": army}}
    state = GAME.start(msgspec.convert(raw, Options))
    assert "s1=blazing-dervish*patient-bellows@?:70" in GAME.write_position(state)


# --- the pack ------------------------------------------------------------------------------------


def test_the_cards_say_what_they_do(pack: Pack) -> None:
    assert GAME.packs is not None
    words = {entry.id: entry.description for entry in GAME.packs.entries(pack)}
    assert "itself and its allies there: armor +5 for 2 Rounds" in words["woodguard"]
    assert words["woodguard"].endswith("Protector: its allies there have armor +5")
    assert "accuracy 75, damage 25, ignores 5 armor, " in words["blazing-dervish"]
    assert words["patient-bellows"] == (
        "Breathe (1 AP): Relic, base size 1, on itself: heals 5 HP, carried by Durani only"
    )


FAULTS = [
    (b"ap = 1, target", b"target", "relic patient-bellows: charges: what costs nothing"),
    (b'arcana = ["durani"]\napv', b'arcana = ["mud"]\napv', "relic patient-bellows: arcana[0]"),
    (b'stat = "armor", amount = 5, affects', b'kind = "aura", amount = 5, affects',
     "golem woodguard: passive[0].affects: only a stat helps allies"),
    (b'to = "own-group", stat = "armor"', b'to = "own-group", only = "enemy", stat = "armor"',
     "golem woodguard: ability[1].effects[0].only: nobody in one's own group"),
]  # fmt: skip


@pytest.mark.parametrize(("was", "now", "error"), FAULTS)
def test_a_fault_in_the_new_text_is_reported(was: bytes, now: bytes, error: str) -> None:
    assert was in CONTENT
    with pytest.raises(PackError) as caught:
        read_pack(CONTENT.replace(was, now, 1), BOARDS)
    assert [line for line in caught.value.errors if line.startswith(f"content: {error}")]


def test_a_pack_that_uses_none_of_the_new_words_is_what_it_was() -> None:
    """Its name is the hash of its files, and nothing in it pierces or helps."""
    assert not CORE.gives
    assert all(relic.charges for relic in CORE.relics.values())


def test_a_partner_is_an_ally(table: Callable[..., Any]) -> None:
    """Teams: the Protector and the own group of a Protecting Pummel are those of the side."""
    boards = BOARDS.replace(b'["south", "north"]', b'["south", "north", "east"]', 1).replace(
        b"army.north", b'army.east = { faction = "durani", golems = [ { type = "woodguard", '
        b'at = "a1" } ] }\narmy.north', 1,
    )  # fmt: skip
    pack = read_pack(CONTENT, boards)
    options = Options(scenario="glade", pack=pack, teams="south+east")
    text = (
        "ga1 glade teams=south+east R1 north south:0:0:0:-;north:6:0:0:-;east:0:0:0:- "
        "s1=woodguard@b2:85;n1=blazing-dervish@b2:70;e1=blazing-dervish@b2:70 - - - - - *"
    )
    battle = table(GAME.read_position(text, options))
    assert figures(battle, "n1 blade-dance e1", "e1") == (65, 13)  # 25 - (12 + 5 - 5)
    battle.do("end")
    assert battle.asked == "east"
    text = text.replace("R1 north south:0:", "R1 south south:6:").replace("north:6", "north:0")
    battle = table(GAME.read_position(text, options)).do(
        "attack s1 protecting-pummel n1", "dice 30"
    )
    assert "woodguard.protecting-pummel:armor:5" in battle.unit("e1")
    assert "protecting-pummel" not in battle.unit("n1")
