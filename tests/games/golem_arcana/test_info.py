"""The card shown by a tap on a target, and the Ancient Ones view (the reference, 11.4)."""

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.display.info import ancient_info, info
from domain.stylus.tap_machine import Selection, StylusView
from services.devices.screens import screen


def card(table, thing: str) -> list[str]:
    return list(info(Battle(table.state), thing))


def test_the_card_of_a_golem_has_all_that_is_open_about_it(at) -> None:
    table = at(
        "s1=sand-lion@a1:50;n1=horned-blight+tamsin*ember-lens.2@a9:43%headbutt.2.1"
        "!sand-lion.hamstring:dodge:-15:1:south"
    )
    lines = card(table, "base n1")
    assert lines == card(table, "card n1")
    assert lines[0] == "North's Horned Blight n1, in a9: 43 of 60 HP"
    assert lines[1].startswith("Warsprite, Base Size 1; 60 HP, armor 4, dodge 10; Walk (1 AP)")
    assert lines[1].endswith("; Relentless: armor +10 against melee attacks")
    assert "Headbutt now: 2 AP, 2 pips" in lines
    assert any(line.startswith("Knight Tamsin Quickstep: ") for line in lines)
    assert any(line.startswith("Relic Ember Lens, 2 of 3 left: ") for line in lines)
    assert lines[-1] == "dodge -15 (South's Hamstring), 1 Upkeep left"


def test_an_ability_has_its_cost_and_pips_now_and_what_is_printed(at) -> None:
    table = at("s1=sand-lion@a1:50%bite.2.1;n1=horned-blight@a9:60")
    assert card(table, "card s1 bite") == [
        "South's Sand Lion s1:",
        "Bite (2 AP): melee attack, accuracy 75, damage 31",
        "now 4 AP, 2 pips",
    ]


def test_relics_and_constructs_have_cards_too(at) -> None:
    table = at(
        "s1=sand-lion*warding-obelisk.0@a1:50;n1=horned-blight@a9:60",
        constructs="s1k=warding-obelisk@b1:12",
    )
    assert card(table, "relic s1")[1].startswith("Relic Warding Obelisk, 0 of 1 left: ")
    assert card(table, "base s1k") == [
        "South's Warding Obelisk s1k, in b1: 12 of 30 HP",
        "Warding Obelisk: 30 HP, armor 5, dodge 0; Golems of its side there have armor +6",
    ]


def test_a_region_shows_its_terrain_what_entering_costs_and_what_is_there(at) -> None:
    table = at(
        "s1=sand-lion@e5:50;n1=horned-blight@a9:60",
        seats="south:6:0:0:nahesh;north:0:0:0:-",
        constructs="s1k=warding-obelisk@e5:12",
        wells="e5:L",
        powers="south.nahesh.calm-harbour@e5",
    )
    lines = card(table, "region e5")
    assert lines[:3] == [
        "e5: open ground",
        "to enter: walking 1 MP, flying 1 MP",
        "room for Base Size 3 of 4",
    ]
    assert lines[3:6] == [
        "Mana Well: 4 x Base Size",
        "South's Sand Lion s1: 50 of 50 HP",
        "South's Warding Obelisk s1k: 12 of 30 HP",
    ]
    assert lines[6].startswith("South's Calm Harbour (6 Mana, ")
    assert card(table, "region b4")[1] == "to enter: walking 1 MP, flying 1 MP; 10 damage"
    assert card(table, "region b8")[1].startswith("to enter: nobody walks in")
    assert card(table, "region e6")[1] == "to enter: walking 2 MP (a Colossus 1), flying 1 MP"


def test_a_region_says_nothing_of_an_encounter_that_nobody_has_met(at) -> None:
    secrets = "south=1,north=2,buried-cache=b3,unquiet-grave=a4!,stranger=c4"
    table = at("s1=sand-lion@a1:50;n1=sand-lion@f6:50", scenario="night-of-embers", secrets=secrets)
    assert "An unquiet grave, met" in card(table, "region a4")
    for elsewhere in ("d3", "f4"):
        other = at(
            "s1=sand-lion@a1:50;n1=sand-lion@f6:50",
            scenario="night-of-embers",
            secrets=secrets.replace("cache=b3", f"cache={elsewhere}"),
        )
        for region in ("b3", "d3", "f4", "c4"):
            assert card(other, f"region {region}") == card(table, f"region {region}")


def test_every_power_of_an_ancient_one_is_listed_with_its_price_and_place(at) -> None:
    table = at(
        "s1=sand-lion@a1:50;n1=horned-blight@a9:60",
        seats="south:6:5:0:nahesh;north:0:0:0:-",
        powers="south.nahesh.calm-harbour@a8",
    )
    lines = ancient_info(Battle(table.state), "south", "nahesh")
    assert lines[0] == "Nahesh of the Still Water, of South, with 5 Mana"
    assert len(lines) == 1 + 2
    assert "(10 Mana): Miracle, " in lines[1]
    harbour = next(line for line in lines if line.startswith("Calm Harbour"))
    assert " to move): " in harbour
    assert harbour.endswith("; lies in a8; there is Mana for it"), "three, to be moved"
    assert lines[1].endswith("; there is too little Mana for it"), "ten"


def test_the_screen_of_a_stylus_shows_these_cards(at) -> None:
    table = at(
        "s1=sand-lion@a1:50!unquiet-grave:mp:-1:1:south;s2=sand-lion@a2:50;n1=horned-blight@a9:60",
        seats="south:6:0:0:nahesh;north:0:0:0:-",
    )
    moment = StylusView(GAME, table.state, ("south",))
    battle = Battle(table.state)
    for view, lines in (
        ("info base n1", info(battle, "base n1")),
        ("info region c4", info(battle, "region c4")),
        ("info base n9", ()),
        ("ancients 1", ancient_info(battle, "south", "nahesh")),
    ):
        assert screen(moment, Selection(view=view)) == "".join(f"{line}\n" for line in lines)
    assert screen(moment, Selection(view="army south", page=3)).startswith("South's Sand Lion s2 ")
