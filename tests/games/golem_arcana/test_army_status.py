"""Army status and the catalog, as any frontend can show them."""

import msgspec

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.display.army_status import status
from domain.games.golem_arcana.options import Options
from domain.kernel.armies import CatalogEntry, SideStatus, StatusRow, UnitStatus

SCENE = (
    "s1=sand-lion+tamsin*ember-lens.3@a9:50%bite.2.1!x.y:dodge:-15:2:north;"
    "n1=plague-bringer*briar-totem.0@e6:85"
)
MORE = {
    "seats": "south:6:0:0:nahesh;north:0:0:0:-",
    "constructs": "n1k=briar-totem@b9:18",
}


def row(having: UnitStatus | SideStatus, kind: str, number: int = 0) -> StatusRow:
    return [each for each in having.rows if each.kind == kind][number]


def entry(kind: str, name: str) -> CatalogEntry:
    assert GAME.armies is not None
    (found,) = (
        each
        for each in GAME.armies.catalog(GAME.armies.constraints())
        if (each.kind, each.id) == (kind, name)
    )
    return found


def test_each_side_is_described_with_its_points_units_and_ancient_ones(start) -> None:
    options = Options(scenario="night-of-embers")
    table = start(scenario="night-of-embers").do("hide 1", "hide 1", "quest 2", "quest 1")
    south, _ = status(table.state, "south", options)
    assert south.seat == "south"
    assert [(track.id, track.value) for track in south.tracks] == [
        ("ap", 6), ("mana", 0), ("vp", 0),
    ]  # fmt: skip
    hulk = south.units[3]
    assert (hulk.kind, hulk.name, hulk.where) == ("golem", "Ossuary Hulk", "d1")
    assert (hulk.tracks[0].value, hulk.tracks[0].most) == (125, 125)
    assert row(hulk, "knight").name == "Vask the Breaker"
    relic = row(hulk, "relic")
    assert (relic.name, relic.attributes) == ("Mirror of Hours", {"charges": "1", "Mana": "8"})
    assert row(south, "ancient").name == "Urzal Who Counts Bones"
    assert south.losses == ()


def test_a_secret_quest_is_narrated_to_permitted_viewers_only(start) -> None:
    options = Options(scenario="night-of-embers")
    state = start(scenario="night-of-embers").do("hide 1", "hide 1", "quest 2", "quest 1").state

    def quests(viewer: str) -> list[str]:
        return [row(side, "quest").name for side in status(state, viewer, options)]

    assert quests("south") == ["Break a giant", "secret"]
    assert quests("north") == ["secret", "Mark the stones"]
    assert quests("spectator") == ["secret", "secret"]
    assert quests("referee") == ["Break a giant", "Mark the stones"]


def test_abilities_have_their_present_cost_and_effects_the_time_left(at) -> None:
    south, north = status(at(SCENE, **MORE).state, "spectator", Options(scenario="proving-ground"))
    lion = south.units[0]
    bite = next(each for each in lion.rows if each.id == "s1.bite")
    assert bite.attributes == {"AP": "4", "pips": "2"}
    effect = row(lion, "effect")
    assert effect.name == "dodge -15"
    assert effect.attributes == {"by": "North", "source": "an effect", "Upkeeps left": "2"}
    totem = north.units[1]
    assert (totem.id, totem.kind, totem.where) == ("n1k", "construct", "b9")
    assert (totem.tracks[0].value, totem.tracks[0].most) == (18, 18)


def test_what_was_there_at_first_and_is_gone_is_a_loss(at) -> None:
    south, _ = status(at(SCENE, **MORE).state, "spectator", Options(scenario="proving-ground"))
    assert [(loss.id, loss.name, loss.attributes) for loss in south.losses] == [
        ("s2", "Bramblehorn", {"points": "55"})
    ]


def test_golems_that_are_not_on_the_board_are_where_they_are(at) -> None:
    table = at("s1=sand-lion@off:50;n1=sand-lion@a9:50")
    south, _ = status(table.state, "spectator", Options(scenario="proving-ground"))
    assert south.units[0].where == "reserve"


def test_status_is_the_games_and_goes_through_json(at) -> None:
    assert GAME.status is status
    sides = status(at(SCENE, **MORE).state, "north", Options(scenario="proving-ground"))
    assert msgspec.json.decode(msgspec.json.encode(sides), type=tuple[SideStatus, ...]) == sides


def test_the_catalog_has_every_card_and_scenario() -> None:
    assert GAME.armies is not None
    found = GAME.armies.catalog(GAME.armies.constraints())
    kinds = [each.kind for each in found]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "faction": 3, "golem": 22, "knight": 9, "relic": 8, "ancient": 4, "scenario": 9,
    }  # fmt: skip
    assert all(each.description and each.name for each in found)
    assert len({(each.kind, each.id) for each in found}) == len(found)


def test_a_card_is_described_in_one_line() -> None:
    lion = entry("golem", "sand-lion")
    assert (lion.size, lion.points, lion.factions) == ("warsprite", 70, ("gudanna",))
    assert lion.description == (
        "50 HP, armor 4, dodge 16; Walk (1 AP): walk, nimble, MP 3; Hamstring (1 AP): melee "
        "attack, accuracy 95, damage 10, dodge -15 for 2 Rounds; Bite (2 AP): melee attack, "
        "accuracy 75, damage 31"
    )
    assert entry("golem", "charred-demon").description.endswith(
        "Scarring Whip (2 AP): ranged attack, accuracy 70, damage 25, range 1, displaces it by 2 "
        "Regions, you choose where (no Colossi); Scourge (1 AP): melee attack, accuracy 65, "
        "damage 27"
    )
    assert entry("knight", "ortrud").description == (
        "Shield Wall: armor +4 with an enemy in its Region; "
        "Giant Killer: damage +6 against larger targets"
    )
    assert entry("relic", "undertow-chain").description == (
        "Drag (5 Mana): Relic, base size 1, charges 2, on an enemy, range 2, in Line of Sight: "
        "displaces it by 1 Region nearer"
    )
    assert entry("ancient", "nahesh").description == (
        "Tide of Mending (10 Mana): Miracle, each Golem of your side: heals 10 HP; "
        "Calm Harbour (6 Mana, 3 Mana to move): Blessing, Golems of your side in its Region have "
        "dodge +10"
    )
    assert entry("scenario", "twin-wells").attributes["armies"] == "built"


def test_the_catalog_has_what_a_scenario_lays_down() -> None:
    gate = entry("scenario", "siege-of-grey-gate").attributes
    assert gate["seats"] == "South, North"
    assert gate["victory"] == (
        "8 Rounds, then most Victory Points win. The last side with Golems wins at once. "
        "For destroying: Warsprite 1 VP, Ogre 2 VP, Titan 3 VP, Colossus 5 VP and Construct 1 VP. "
        "gate (f7 and g7): 2 VP in each Upkeep. yard (f4): 1 VP in each Upkeep. "
        "North starts with 2 VP"
    )
    assert gate["forces"].endswith("Up to 3 Golems in reserve, from Round 2 for 1 AP")
    assert gate["mana"].startswith("A destroyed Golem gives its seat 10 % of its value as Mana. ")
    assert "well" not in entry("scenario", "first-steps").attributes["mana"].lower().replace(
        "no mana wells", ""
    )


def test_the_catalog_says_which_golems_a_miracle_concerns() -> None:
    assert "each enemy Golem (Warsprites and Ogres only)" in entry("ancient", "sarnath").description


def test_a_scenario_with_fixed_armies_limits_none() -> None:
    assert GAME.armies is not None
    constraints = GAME.armies.constraints
    assert constraints().limit is None
    assert constraints(scenario="first-steps").limit is None
    assert constraints(scenario="twin-wells").limit == CORE.scenarios["twin-wells"].apv
