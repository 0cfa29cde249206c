"""What the players see: the scene, parts of actions, sentences, army status, answers."""

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.display.questions import attack_figures, open_figures, reach
from domain.kernel.parts import Parts, Pick
from domain.kernel.rulings import Refused

SCENE = (
    "s1=sand-lion+tamsin*ember-lens.3@a9:50%bite.2.1!x.y:dodge:-15:2:north;"
    "n1=plague-bringer*briar-totem.0@e6:85"
)
MORE = {
    "seats": "south:6:0:0:nahesh;north:0:0:0:-",
    "constructs": "n1k=briar-totem@b9:18",
    "wells": "a5:L,e5:S",
    "powers": "south.nahesh.calm-harbour@a9",
}


def piece(scene, name: str):
    return next(each for each in scene.pieces if each.id == name)


def test_the_board_shows_terrain_cover_obstructions_elevation_and_room(at) -> None:
    scene = GAME.scene(at(SCENE, **MORE).state, "spectator")
    spaces = {space.id: space for space in scene.spaces}
    assert len(spaces) == 81
    assert (spaces["b1"].x, spaces["b1"].y) == (1, 0)
    assert spaces["d5"].kind == "elevated ground with ground cover"
    assert spaces["f8"].kind == "1 obstruction"
    assert spaces["f8"].attributes["room"] == "3"
    assert spaces["b4"].attributes["damage_on_entering"] == "10"
    assert spaces["e6"].attributes == {"room": "3", "cover": "medium"}
    assert spaces["i5"].attributes["location"] == "mark: 1 VP"
    assert spaces["a1"].attributes["zone"] == "south"
    assert spaces["g5"].label == "S"


def test_on_the_board_are_golems_constructs_wells_and_what_ancient_ones_laid(at) -> None:
    scene = GAME.scene(at(SCENE, **MORE).state, "spectator")
    lion = piece(scene, "s1")
    assert (lion.where, lion.owner, lion.name) == ("a9", "south", "South's Sand Lion s1")
    assert lion.attributes["hit points"] == "50 of 50"
    assert lion.attributes["knight"] == "Tamsin Quickstep"
    assert lion.attributes["dodge by an effect of North"] == "-15, 2 Upkeeps left"
    assert piece(scene, "n1k").where == "b9"
    wells = {space.id: space.badges for space in scene.spaces if "well" in space.icons}
    assert wells == {"a5": ("3 {mana}",), "e5": ("2 {mana}",)}
    assert piece(scene, "laid-south.nahesh.calm-harbour").kind == "blessing"
    assert piece(scene, "s1.bite").attributes["AP"] == "4"
    assert piece(scene, "s1*").attributes == {"charges": "3", "Mana": "3"}
    assert piece(scene, "south.nahesh.calm-harbour").attributes["lies in"] == "a9"
    assert {t.id: t.value for t in scene.tracks}["ap-south"] == 6


def test_open_dice_show_the_chance_and_the_line_of_sight(at) -> None:
    table = at("s1=prism-archer@d6:40;n1=horned-blight@f6:60").do("attack s1 shard-shot n1")
    scene = GAME.scene(table.state, "north")
    assert scene.caption == (
        "South rolls for Shard Shot of South's Prism Archer s1 on North's Horned Blight n1: 40 or "
        "less hits for 14 of its 60 HP"
    )
    assert scene.attributes["line_of_sight"] == "d6 to f6: e6"


def test_places_of_pieces_are_spaces_or_zones_of_the_scene(start) -> None:
    for name in CORE.scenarios:
        scene = GAME.scene(start(scenario=name).state, "referee")
        places = {s.id for s in scene.spaces} | {z.id for z in scene.zones}
        assert {p.where for p in scene.pieces} <= places
        assert len({p.id for p in scene.pieces}) == len(scene.pieces)


def test_the_caption_describes_the_state(at, start) -> None:
    first = GAME.scene(start().state, "south").caption
    assert first.startswith("Round 1: South's Turn, with 4 AP. ")
    twin_wells = start(scenario="twin-wells").state
    assert GAME.scene(twin_wells, "south").caption.startswith("South deploys in a1 to i1: ")
    table = at("s1=sand-lion@a1:50;n1=sand-lion@a1:5").do("attack s1 bite n1", "dice 10")
    assert GAME.scene(table.state, "south").caption.startswith("South wins ")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("move s1 walk b9", Parts("move", "South's Sand Lion s1 moves to b9 by Walk", ("s1",),
         ("b9",), ("s1.walk",), cost="1 {ap}", actor="s1", line="walk", picks=(Pick("b9", "to"),))),
        ("relic s1 focus", Parts("relic", "South's Sand Lion s1 uses Focus: it has accuracy "
         "+15 for 1 Round", ("s1",), (), ("s1*",),
         cost="3 {mana}", actor="s1", line="relic.ember-lens/focus", picks=())),
        ("invoke nahesh calm-harbour c9", Parts("invoke", "South moves Calm Harbour of Nahesh of "
         "the Still Water from a9 to c9: Golems of South's side there have dodge +10", (),
         ("c9",), ("south.nahesh.calm-harbour",), cost="3 {mana}",
         actor="south.nahesh.calm-harbour", line="calm-harbour", picks=(Pick("c9", "target"),))),
        ("end", Parts("end", "South ends the Turn: 6 AP become Mana", choices=("end",),
         picks=())),
        ("charge s1 hamstring walk n1k", Parts("charge", "South's Sand Lion s1 charges North's "
         "Briar Totem n1k by Walk with Hamstring: 85 or less hits for 10 of its 18 HP",
         ("s1", "n1k"), (), ("s1.hamstring", "s1.walk"), cost="2 {ap}", actor="s1",
         picks=(Pick("n1k", "target"), Pick("hamstring-walk", "option", "Hamstring by Walk")))),
    ],
)  # fmt: skip
def test_an_action_says_what_is_pointed_at(at, text: str, parts: Parts) -> None:
    more = {**MORE, "seats": "south:6:9:0:nahesh;north:0:0:0:-"}
    assert GAME.parts(at(SCENE, **more).state, GAME.read_action(text)) == parts


def test_the_cards_that_parts_name_are_pieces_of_the_scene(at) -> None:
    table = at(SCENE, **MORE)
    scene = {p.id for p in GAME.scene(table.state, "south").pieces}
    for action in GAME.legal(table.state, "south"):
        parts = GAME.parts(table.state, action)
        assert {*parts.pieces, *parts.cards} <= scene


def test_an_entry_says_what_chance_has_shown(at, start) -> None:
    table = start(scenario="night-of-embers")
    hide = GAME.parts(table.state, GAME.read_action("hide 2"))
    assert hide.sentence == "A buried cache is hidden in d3"
    table.do("hide 2", "hide 1")
    quest = GAME.parts(table.state, GAME.read_action("quest 3"))
    assert quest.sentence == (
        "South is dealt secret quest 3, Hoard (have 12 Mana in an Upkeep; 2 Victory Points)"
    )
    roll = at("s1=sand-lion@a1:50;n1=sand-lion@a1:50").do("attack s1 bite n1")
    dice = GAME.parts(roll.state, GAME.read_action("dice 07"))
    assert dice == Parts(
        "dice",
        "The dice for Bite of South's Sand Lion s1 show 07: a hit",
        choices=("07",),
        picks=(Pick("0_", "die"), Pick("07", "die")),
    )


def test_facts_are_narrated_in_sentences(at) -> None:
    table = at("s1=sand-lion@b7:50;n1=horned-blight@d7:60").do("charge s1 bite walk n1")
    assert table.narrate("dice 30").facts == (
        "",
        "Bite of South's Sand Lion s1 gains 2 pips and costs 4 AP now.",
        "North's Horned Blight n1 loses 17 HP and has 43 of 60.",
        "North's Horned Blight n1 is to be displaced.",
    )


# --- army status and questions -------------------------------------------------------------------


def test_reach_shows_each_region_with_its_path(at) -> None:
    found = reach(at("s1=horned-blight@a4:60;n1=sand-lion@i9:50").state, "s1", "walk")
    there = next(each for each in found if each.region == "c4")
    assert (there.path, there.points, there.damage) == (("a3", "b3", "c3", "c4"), 4, 0)


def test_figures_name_the_regions_that_give_cover(at) -> None:
    state = at("s1=prism-archer@d6:40;n1=horned-blight@f6:60").state
    (aim,) = attack_figures(state, "south", GAME.read_action("attack s1 shard-shot n1"))
    assert [(share.region, share.points, share.why) for share in aim.cover_from] == [
        ("f6", 20, "medium cover, warsprite")
    ]
    assert [(share.region, share.points) for share in aim.between_from] == [("e6", 20)]
    refused = attack_figures(state, "north", GAME.read_action("attack s1 shard-shot n1"))
    assert isinstance(refused, Refused)
    assert open_figures(state) == ()
