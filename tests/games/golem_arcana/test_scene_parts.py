"""What a scene has for a drawing: faces, badges, states, the legend, what a scenario lays down."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.battle.board import Board, read_terrain
from domain.games.golem_arcana.content.card_words import ability_words, power_words
from domain.games.golem_arcana.content.packs import CORE, SHIPPED
from domain.games.golem_arcana.display.names import terrain_name
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR
from domain.kernel.rulings import Accepted
from domain.kernel.scene import Piece, Scene, Stat
from domain.kernel.scene_changes import PieceMoved, diff_scenes
from tests.games.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden" / "cards.txt"
EMBERS = "night-of-embers"


def piece(scene: Scene, name: str) -> Piece:
    return next(each for each in scene.pieces if each.id == name)


def all_texts(scene: Scene) -> str:
    """Everything that a scene says, but ids."""
    return str(msgspec.to_builtins((scene.caption, scene.pieces, scene.spaces, scene.zones)))


# --- cards ---------------------------------------------------------------------------------------


def test_all_that_cards_and_scenarios_say_is_in_the_golden_file() -> None:
    assert GAME.packs is not None
    lines = []
    for entry in GAME.packs.entries(CORE):
        lines.append(f"{entry.kind} {entry.name}: {entry.description}")
        lines += [f"    {key}: {value}" for key, value in entry.attributes.items()]
    assert_golden(GOLDEN, "".join(f"{line}\n" for line in lines))


def test_an_ability_says_every_line_of_its_card(at) -> None:
    table = at(
        "s1=vigilant-sentinel@a1:45%burning-beacon.2.1;s2=sand-widow@b1:55;n1=horned-blight@a9:60"
    )
    scene = GAME.scene(table.state, SPECTATOR)
    beacon = piece(scene, "s1.burning-beacon")
    assert beacon.card is not None
    assert beacon.card.kind == "melee area attack"
    assert beacon.card.cost == "4 {ap}"
    assert beacon.card.stats == (Stat("Accuracy", "90"), Stat("Damage", "14"))
    assert beacon.card.lines == (
        "+15 damage taken from ranged attacks for 2 Rounds (enemies only)",
    )
    assert beacon.badges == ("2 {pip}",)
    assert beacon.description.endswith("; now 4 AP, 2 pips of Cooldown")
    strike, walk = piece(scene, "s2.massive-strike").card, piece(scene, "s2.walk").card
    assert strike is not None
    assert strike.lines == ("a critical hit does 3 times the damage",)
    assert walk is not None
    assert (walk.kind, walk.stats) == ("walk, nimble", (Stat("MP", "4"),))


def test_a_card_is_kept_while_its_ability_is_cool(at) -> None:
    first = at("s1=sand-lion@a1:50;n1=horned-blight@a9:60").state
    other = at("s1=sand-lion@c3:20;n1=horned-blight@a9:60").state
    assert piece(GAME.scene(first, "south"), "s1.bite") is piece(
        GAME.scene(other, "north"), "s1.bite"
    )


def test_powers_have_both_prices_and_say_where_they_lie(at) -> None:
    table = at(
        "s1=sand-lion@a1:50;n1=horned-blight@a9:60",
        seats="south:6:0:0:sarnath;north:0:0:0:-",
        powers="south.sarnath.quicksand@a8",
    )
    scene = GAME.scene(table.state, SPECTATOR)
    sand, laid = (piece(scene, f"{on}south.sarnath.quicksand") for on in ("", "laid-"))
    assert sand.card is not None
    assert sand.card.cost == "6 {mana}, 3 {mana} to move"
    assert sand.card.lines == ("enemy Golems in its Region have -1 Movement Point",)
    assert sand.badges == ("in a8",)
    assert (laid.where, laid.card) == ("a8", sand.card)
    halt = piece(scene, "south.sarnath.halt").card
    assert halt is not None
    assert halt.lines == (
        "each enemy Golem (Warsprites and Ogres only): no movement ability for 1 Round",
    )


def test_every_card_of_every_pack_has_words() -> None:
    for pack in SHIPPED:
        for cards in (pack.golems, pack.knights):
            assert all(ability_words(a) for card in cards.values() for a in card.ability)
        assert all(power_words(p) for card in pack.ancients.values() for p in card.power)


# --- units ---------------------------------------------------------------------------------------


def test_a_golem_shows_its_size_its_hit_points_and_what_is_on_it(at) -> None:
    table = at(
        "s1=ossuary-hulk+vask*mirror-of-hours.0@a9:100!sand-lion.hamstring:dodge:-15:2:north"
        "!x.y:dodge:-5:1:north!x.y:pinned:1:1:north;n1=plague-bringer@e6:85"
    )
    scene = GAME.scene(table.state, SPECTATOR)
    hulk = piece(scene, "s1")
    assert (hulk.kind, hulk.glyph, hulk.where) == ("titan", "s1", "a9")
    assert hulk.badges == ("{dodge}-20", "{pinned}")
    assert hulk.description.startswith(
        "South's Ossuary Hulk s1, Titan, a9, open ground: 100 of 125 HP, armor 12, dodge 4; Knight "
        "Vask the Breaker; Relic Mirror of Hours, 0 charges left; dodge -15 by Hamstring of North, "
        "2 Upkeeps left; "
    )
    relic = piece(scene, "s1*")
    assert (relic.states, relic.badges) == (("spent",), ("0 of 1 {charge}",))
    (track,) = (t for t in scene.tracks if t.piece == "s1")
    assert (track.value, track.most, track.icon, track.label) == (100, 125, "hp", "HP")
    (card,) = (z for z in scene.zones if z.piece == "s1")
    assert (card.place, card.name) == ("card", "South's Ossuary Hulk s1")


def test_what_is_being_resolved_is_marked(at) -> None:
    table = at("s1=prism-archer@d6:40;s2=sand-lion@a1:50;n1=horned-blight@f6:60")
    assert not any(each.states for each in GAME.scene(table.state, "north").pieces)
    table.do("attack s1 shard-shot n1")
    scene = GAME.scene(table.state, "north")
    assert {each.id for each in scene.pieces if "marked" in each.states} == {"s1", "n1"}


MOVES = (
    f.GolemDeployed, f.GolemEntered, f.GolemMoved, f.GolemDisplaced, f.GolemTeleported,
)  # fmt: skip


@pytest.mark.parametrize("scenario", [EMBERS, "first-steps", "proving-ground"])
def test_a_golem_that_moves_is_the_same_piece_elsewhere(start, scenario: str) -> None:
    chance, state, moved = Random(scenario), start(scenario=scenario).state, 0
    for _ in range(150):
        if not (prompts := GAME.turn(state)):
            break
        action = chance.choice(list(GAME.legal(state, prompts[0].seat)))
        answer = GAME.decide(state, prompts[0].seat, action)
        assert isinstance(answer, Accepted)
        after = fold(GAME, state, answer.facts)
        steps = diff_scenes(GAME.scene(state, SPECTATOR), GAME.scene(after, SPECTATOR))
        found = {each.piece: each for each in steps if isinstance(each, PieceMoved)}
        for fact in answer.facts:
            if isinstance(fact, MOVES) and fact.golem in after.golems:
                start_, end = state.golems[fact.golem].where, after.golems[fact.golem].where
                if start_ != end:
                    moved += 1
                    assert (found[fact.golem].start, found[fact.golem].end) == (start_, end)
        state = after
    assert moved > 5


# --- the board -----------------------------------------------------------------------------------


def test_every_kind_of_region_has_a_ground_of_its_own() -> None:
    letters = ["P", "Pg", "Pm", "E", "Eg", "Em", "B", "S", "D", "X", "W", "O1", "O2", "O3"]
    kinds = [terrain_name(terrain) for terrain in map(read_terrain, letters) if terrain]
    assert {*kinds} == {*GAME.theme.grounds}
    for pack in SHIPPED:
        for scenario in pack.scenarios:
            board: Board = pack.board(scenario)
            assert {terrain_name(each) for each in board.terrain.values()} <= {*kinds}
    looks = {(g.fill, g.pattern, g.icon) for g in GAME.theme.grounds.values()}
    # Obstructions differ in number, which is written on the Region.
    assert len(looks) == len(kinds) - 2


def test_regions_show_what_is_to_be_had_there(at) -> None:
    scene = GAME.scene(
        at("s1=sand-lion@e5:50;n1=sand-lion@off:50", wells="a5:S,e5:L").state, SPECTATOR
    )
    spaces = {space.id: space for space in scene.spaces}
    assert spaces["i5"].badges == ("1 {vp}",)
    assert spaces["i5"].icons == ("place",)
    assert spaces["e5"].icons == ("well",)
    assert [counter.value for counter in spaces["a5"].counters] == [1]
    assert spaces["a5"].counters[0].note == "Mana Well: 1 Mana for each Base Size"
    assert (spaces["e5"].badges, spaces["a5"].badges) == (("4 {mana}",), ("1 {mana}",))
    assert spaces["i5"].description == (
        "i5, open ground, room for Base Size 4; mark, 1 Victory Point"
    )
    # Only North has a Golem that has still to come.
    assert spaces["h9"].badges == ("{zone}N",)
    assert spaces["a1"].badges == ()
    assert spaces["a1"].description.endswith("; South's deployment zone")


def test_encounters_are_marked_for_those_who_know_of_them(at) -> None:
    secrets = "south=1,north=2,buried-cache=b3,unquiet-grave=a4!,stranger=c4"
    table = at("s1=sand-lion@a1:50;n1=sand-lion@f6:50", scenario=EMBERS, secrets=secrets)

    def seen(viewer: str) -> set[str]:
        spaces = GAME.scene(table.state, viewer).spaces
        return {space.id for space in spaces if "encounter" in space.icons}

    assert seen("south") == seen(SPECTATOR) == {"a4"}
    assert seen(REFEREE) == {"b3", "a4", "c4"}
    grave = piece(GAME.scene(table.state, "south"), "encounter-unquiet-grave").card
    assert grave is not None
    assert grave.lines == ("12 damage, armor does not help", "accuracy -10 for 1 Round")


def test_a_quest_has_its_goal_for_its_owner_and_the_referee(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@f6:50", scenario=EMBERS, secrets="south=2,north=3")
    for viewer, known in (("south", True), (REFEREE, True), ("north", False), (SPECTATOR, False)):
        scene = GAME.scene(table.state, viewer)
        quest = piece(scene, "quest-south")
        assert ("hidden" in quest.states) is not known
        assert ("destroy a Titan or larger" in all_texts(scene)) is known
        assert ("Break a giant" in all_texts(scene)) is known
    own = piece(GAME.scene(table.state, "south"), "quest-south").card
    assert own is not None
    assert (own.title, own.lines, own.points) == (
        "Break a giant", ("destroy a Titan or larger",), 3,
    )  # fmt: skip


# --- what a scenario lays down -------------------------------------------------------------------


def test_a_scenario_shows_what_it_lays_down(start) -> None:
    scene = GAME.scene(start(scenario="hold-the-ford").state, SPECTATOR)
    (zone,) = (each for each in scene.zones if each.id == "scenario")
    assert zone.name == "Scenario: Hold the Ford"
    victory, forces, mana = (
        piece(scene, f"scenario-{key}").card for key in ("victory", "forces", "mana")
    )
    assert victory is not None
    assert victory.lines == (
        "10 Rounds, then most Victory Points win",
        "8 {vp} win at once",
        "The last side with Golems wins at once",
        "For destroying: Warsprite 1 {vp}, Ogre 1 {vp}, Titan 1 {vp} and Colossus 1 {vp}",
        "west ford (b3 and b4): 1 {vp} in each Upkeep",
        "east ford (e3 and e4): 1 {vp} in each Upkeep",
    )
    assert forces is not None
    assert forces.lines == (
        "Turns: North, South",
        "Armies of up to 500 points",
        "4 {ap} in each Turn",
        "North deploys in a6 to i6",
        "South deploys in a1 to i1",
        "Up to 1 Golem in reserve, from Round 2 for 1 {ap}",
    )
    assert mana is not None
    assert mana.lines == (
        "A destroyed Golem gives its seat 20 % of its value as {mana}", "No Mana Wells",
    )  # fmt: skip


def test_the_holder_of_a_place_is_shown(at) -> None:
    held = GAME.scene(at("s1=sand-lion@i5:50;n1=sand-lion@a9:50").state, SPECTATOR)
    assert piece(held, "place-1").badges == ("held by South",)
    contested = GAME.scene(at("s1=sand-lion@i5:50;n1=sand-lion@i5:50").state, SPECTATOR)
    assert piece(contested, "place-1").badges == ()
