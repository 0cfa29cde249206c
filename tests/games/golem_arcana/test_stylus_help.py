"""The stylus's screen during play: paths, choices, the close-up map, help."""

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.display.helping import TOPICS, help_lines
from domain.stylus.tap_machine import Selection, StylusView, stylus_screen, tap
from services.devices.screens import highlighted_scene, screen

SECRETS = "south=1,north=2,buried-cache=b3,unquiet-grave=a4,stranger=c4"


def tapped(table, *taps: str) -> tuple[StylusView, Selection]:
    moment, hand = StylusView(GAME, table.state, ("south",)), Selection()
    for each in taps:
        hand = tap(moment, hand, each).hand
    return moment, hand


def shown(table, *taps: str) -> list[str]:
    return screen(*tapped(table, *taps)).splitlines()


def test_every_region_that_can_be_reached_is_listed_with_its_price_and_its_dangers(at) -> None:
    table = at("s1=sand-lion@a4:50;n1=horned-blight@i9:60")
    lines = shown(table, "base s1", "card s1 walk")
    assert lines[0] == (
        "South's Sand Lion s1 by Walk, 1 MP: a3, a5, b3, b4 (pit, 10 damage on the way), b5"
    )
    regions = {move.split(" ")[3] for move in table.legal("move s1 walk")}
    listed = " ".join(lines).replace(",", "").split(" ")
    assert regions <= {*listed}


def test_every_region_that_can_be_reached_is_marked_on_the_map(at) -> None:
    table = at("s1=sand-lion@a4:50;n1=horned-blight@i9:60")
    moment, hand = tapped(table, "base s1", "card s1 walk", "cc map")
    marks = {
        mark.space for mark in highlighted_scene(moment, hand).marks if mark.kind == "reachable"
    }
    assert marks == {move.split(" ")[3] for move in table.legal("move s1 walk")}


def test_what_is_picked_shows_what_can_be_done_with_it(at) -> None:
    table = at("s1=sand-lion@a4:50;n1=horned-blight@a4:60")
    assert shown(table, "base s1", "card s1 bite") == [
        "South's Sand Lion s1 attacks North's Horned Blight n1 with Bite: 65 or less hits for 17 "
        "of its 60 HP, 2 AP"
    ]


def test_an_encounter_is_walked_through(at) -> None:
    table = at(
        "s1=horned-blight@c5:40;n1=winged-preserver@f6:110",
        scenario="night-of-embers",
        secrets=SECRETS,
    ).do("move s1 walk c4")
    assert shown(table) == [
        "A stranger at the fire",
        "South's Horned Blight s1 meets A stranger at the fire in c4.",
        "1 trade: South gains 4 Mana",
        "2 rob: South gains 1 Victory Point; it takes 10 damage",
        "3 leave: nothing",
    ]


def test_dice_are_awaited_with_the_figures_of_each_target(at) -> None:
    table = at("s1=sand-lion@e6:50;n1=bramblehorn@e6:45").do("attack s1 bite n1")
    assert shown(table) == [
        "North's Bramblehorn n1: 35 or less hits for 28 HP, critically 42",
        "  accuracy 75, dodge -20, cover -20",
    ]


def test_a_displacement_is_narrated_with_the_terrain_and_occupants(at) -> None:
    table = at("s1=sand-lion@b7:50;s2=sand-lion@d8:50;n1=horned-blight@d7:60")
    table.do("charge s1 bite walk n1", "dice 30")
    assert shown(table) == [
        "North's Horned Blight n1 is displaced to d6 (ground cover)",
        "North's Horned Blight n1 is displaced to d8 (elevated ground); there: South's Sand Lion "
        "s2: 50 of 50 HP",
        "North's Horned Blight n1 is displaced to e7 (open ground)",
    ]


def test_the_map_from_near_keeps_names_hit_points_effects_and_wells(at) -> None:
    table = at(
        "s1=sand-lion@a4:50!wildwood-dryad.grasping-vines:dodge:-15:1:south;n1=horned-blight@i9:60",
        wells="a5:L",
    )
    moment, hand = tapped(table, "cc map", "region b4")
    text = screen(moment, hand)
    assert "Sand Lion" in text
    assert "50 of 50" in text
    assert "dodge -15" in text
    assert "*" in text.splitlines()[0]
    assert "Horned Blight" not in text


@pytest.mark.parametrize(
    ("golems", "actions", "topic"),
    [
        ("s1=sand-lion@a1:50;n1=sand-lion@a1:50", (), "The Turn"),
        ("s1=sand-lion@a1:50;n1=sand-lion@a1:50", ("attack s1 bite n1",), "Hits and damage"),
        (
            "s1=ossuary-hulk@e7:125;n1=horned-blight@e7:60",
            ("attack s1 bone-flail n1", "dice 30"),
            "Displacement and free steps",
        ),
    ],
)
def test_help_starts_with_the_rules_of_what_is_being_done(
    at, golems: str, actions: tuple[str, ...], topic: str
) -> None:
    table = at(golems).do(*actions)
    assert shown(table, "cc help")[0] == topic
    assert len(shown(table, "cc help")) > 3


@pytest.mark.parametrize(
    ("taps", "topic"),
    [
        (("base s1",), "Moving"),
        (("base s1", "card s1 walk"), "Moving"),
        (("base s1", "card s1 bite"), "Attacking and charging"),
        (("relic s1",), "Mana, Ancient Ones, Relics"),
    ],
)
def test_help_starts_with_the_rules_of_what_is_picked(
    at, taps: tuple[str, ...], topic: str
) -> None:
    table = at(
        "s1=sand-lion*ember-lens.2@a1:50;s2=sand-lion@a1:50;n1=sand-lion@a1:50",
        seats="south:6:9:0:-;north:0:0:0:-",
    )
    assert shown(table, *taps, "cc help")[0] == topic


def test_the_arrows_of_help_lead_through_all_topics_and_back(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@a9:50")
    moment, hand = tapped(table, "cc help")
    seen = []
    for _ in TOPICS:
        seen.append(stylus_screen(moment, hand).view)
        hand = tap(moment, hand, "cc help>").hand
    assert {*seen} == {f"help {topic}" for topic in TOPICS}
    assert stylus_screen(moment, hand).view == seen[0]
    assert help_lines("weather") == ()
