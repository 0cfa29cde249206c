"""LINE OF SIGHT and the Terrain Cover Table, with the rulebook's examples."""

import pytest

from domain.games.golem_arcana.battle.board import Board, Terrain, read_terrain, turned
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.display.questions import open_figures, sight_line


def aimed(table, action: str):
    """The figures of an attack on its only target."""
    (aim,) = open_figures(table.do(action).state)
    return aim


def test_the_rulebooks_combat_example(at) -> None:
    """A Dryad's Grasping Vines at a Horned Blight in medium cover: 75 - 10 - 20 = 45."""
    table = at("s1=wildwood-dryad@e7:70;n1=horned-blight@e6:60")
    aim = aimed(table, "attack s1 grasping-vines n1")
    assert (aim.accuracy, aim.dodge, aim.cover, aim.chance) == (75, -10, -20, 45)
    assert table.figures("ga.hit.chance") == {
        "target": "n1", "accuracy": 75, "dodge": -10, "cover": -20, "between": 0,
        "engaged": 0, "pit": 0, "chance": 45,
    }  # fmt: skip
    assert table.figures("ga.hit.cover") == {"e6 medium cover, warsprite": 20, "cover": 20}
    table.do("dice 16")
    assert "@e6:39" in table.unit("n1"), "25 - 4 = 21"
    assert table.figures("ga.damage.armor") == {
        "target": "n1", "damage": 25, "armor": -4, "hit": 21,
    }  # fmt: skip


def test_medium_cover_behind_medium_cover_is_30(at) -> None:
    """COMBAT RESOLUTION: 20 and half of 20."""
    table = at("s1=prism-archer@d6:40;n1=horned-blight@f6:60")
    aim = aimed(table, "attack s1 shard-shot n1")
    assert (aim.cover, aim.between) == (-20, -10)
    assert table.figures("ga.hit.between") == {"e6 medium cover, warsprite": 20, "counted": 10}


def test_ground_cover_behind_two_is_20_by_the_formula_and_30_by_the_later_note(at) -> None:
    """GA-R16."""
    golems = "s1=prism-archer@a6:40;n1=horned-blight@d6:60"
    half = aimed(at(golems), "attack s1 shard-shot n1")
    full = aimed(at(golems, options="intervening=full"), "attack s1 shard-shot n1")
    assert half.cover + half.between == -20
    assert full.cover + full.between == -30


def test_half_of_five_is_rounded_down_for_each_region_or_once(at) -> None:
    """GA-R17."""
    golems = "s1=prism-archer@d6:40;n1=cinder-aurochs@g6:120"
    assert aimed(at(golems), "attack s1 shard-shot n1").between == -4
    summed = at(golems, options="half-cover=sum")
    assert aimed(summed, "attack s1 shard-shot n1").between == -5


@pytest.mark.parametrize(
    ("region", "covers"),
    [
        ("e8", (0, 0, 0, 0)), ("b6", (10, 0, 0, 0)), ("e6", (20, 10, 5, 0)),
        ("g6", (10, 0, 0, 0)), ("h6", (20, 10, 5, 0)), ("b4", (50, 50, 50, 50)),
        ("f4", (0, 0, 0, 0)), ("g3", (0, 0, 0, 0)),
    ],
)  # fmt: skip
def test_cover_goes_by_the_terrain_and_the_targets_size(
    at, region: str, covers: tuple[int, ...]
) -> None:
    """Terrain Cover Table (GA-R19, GA-R55)."""
    sizes = ("horned-blight", "marble-halberdier", "cinder-aurochs", "basalt-regent")
    if region == "g3":
        sizes = sizes[:2]
    hp = {"horned-blight": 60, "marble-halberdier": 80, "cinder-aurochs": 120, "basalt-regent": 240}
    column, row = region[0], int(region[1])
    shooter = f"{column}{row + 1}"
    for name, cover in zip(sizes, covers, strict=False):
        table = at(f"s1=prism-archer@{shooter}:40;n1={name}@{region}:{hp[name]}")
        assert aimed(table, "attack s1 shard-shot n1").cover == -cover


def test_water_and_pits_between_give_nothing(at) -> None:
    table = at("s1=prism-archer@i6:40;n1=horned-blight@g6:60")
    assert aimed(table, "attack s1 shard-shot n1").between == 0
    table = at("s1=prism-archer@a4:40;n1=horned-blight@c4:60")
    assert aimed(table, "attack s1 shard-shot n1").between == 0


def test_obstructions_give_cover_only_as_an_option(at) -> None:
    """GA-R22."""
    golems = "s1=prism-archer@f7:40;n1=horned-blight@f8:60"
    assert aimed(at(golems), "attack s1 shard-shot n1").cover == 0
    heavy = at(golems, options="obstruction-cover=heavy")
    assert aimed(heavy, "attack s1 shard-shot n1").cover == -25


def test_cover_counts_in_melee_too_unless_an_option_says_no(at) -> None:
    """GA-R15."""
    golems = "s1=sand-lion@e6:50;n1=bramblehorn@e6:45"
    assert aimed(at(golems), "attack s1 bite n1").cover == -20
    assert aimed(at(golems, options="melee-cover=no"), "attack s1 bite n1").cover == 0


def test_an_uncovered_target_has_no_cover_of_either_sort(at) -> None:
    mark = "!bramblehorn.scouting-flare:uncovered:1:2:south"
    table = at(f"s1=prism-archer@d6:40;n1=horned-blight@f6:60{mark}")
    aim = aimed(table, "attack s1 shard-shot n1")
    assert (aim.cover, aim.between) == (0, 0)


def test_an_area_attack_ignores_all_cover(at) -> None:
    table = at("s1=mossback-elder@d6:130;n1=horned-blight@f6:60")
    aim = aimed(table, "attack s1 spore-cloud f6")
    assert (aim.cover, aim.between, aim.chance) == (0, 0, 70)
    assert table.figures("ga.area.no-cover") == {"target": "n1"}


def test_a_construct_has_no_cover(at) -> None:
    table = at(
        "s1=prism-archer@d6:40;n1=plague-bringer*briar-totem.0@i9:85",
        constructs="n1k=briar-totem@f6:18",
    )
    aim = aimed(table, "attack s1 shard-shot n1k")
    assert (aim.cover, aim.between, aim.dodge) == (0, 0, -10)
    assert table.figures("ga.construct.target") == {"target": "n1k"}


def test_spider_stealth_hides_in_medium_cover(at) -> None:
    table = at("s1=prism-archer@e7:40;n1=sand-widow@e6:55")
    assert aimed(table, "attack s1 shard-shot n1").cover == -120


# --- line of sight -------------------------------------------------------------------------------


def test_a_corner_that_is_only_touched_is_not_crossed(at) -> None:
    """GA-R18: from b7 to c8 past blocking b8."""
    table = at("s1=prism-archer@b7:40;n1=marble-halberdier@c8:80").do("attack s1 shard-shot n1")
    assert table.figures("ga.los.line") == {"from": "b7", "to": "c8", "between": "none"}


def test_blocking_terrain_between_blocks(at) -> None:
    table = at("s1=prism-archer@b7:40;n1=sand-lion@b9:50")
    assert table.refused("attack s1 shard-shot n1") == "ga.los.blocked"
    assert sight_line(table.state, "b7", "b9").blocked.what == "blocking terrain"


def test_elevated_ground_between_blocks_unless_an_end_is_elevated(at) -> None:
    """d8 is elevated, and so are d3, d4, d5."""
    table = at("s1=prism-archer@c8:40;n1=sand-lion@e8:50")
    assert table.refused("attack s1 shard-shot n1") == "ga.los.blocked"
    assert sight_line(table.state, "c8", "e8").blocked.rule == "ga.los.elevated"
    table = at("s1=prism-archer@d5:40;n1=sand-lion@d3:50").do("attack s1 shard-shot n1")
    assert "ga.los.elevated" in {rule for r in table.rulings for rule in r.rules}


@pytest.mark.parametrize("colossus", ["s2=duneheart-engine@b9:220", "n2=duneheart-engine@b9:220"])
def test_a_colossus_between_blocks_for_any_owner(at, colossus: str) -> None:
    golems = sorted(("s1=prism-archer@a9:40", colossus, "n1=sand-lion@c9:50"), reverse=True)
    own = [g for g in golems if g[0] == "s"]
    table = at(";".join(sorted(own) + sorted(g for g in golems if g[0] == "n")))
    assert table.refused("attack s1 shard-shot n1") == "ga.los.blocked"
    assert sight_line(table.state, "a9", "c9").blocked.rule == "ga.los.colossus"


def test_the_two_end_regions_never_block(at) -> None:
    at("s1=prism-archer@c8:40;n1=sand-lion@d8:50").do("attack s1 shard-shot n1")
    at("s1=prism-archer@a9:40;n1=duneheart-engine@b9:220").do("attack s1 shard-shot n1")


@pytest.mark.parametrize(
    ("one", "other", "between"),
    [
        ("a1", "a4", "a2 a3"),
        ("a1", "d4", "b2 c3"),
        ("a1", "c2", "b1 b2"),
        ("a1", "b3", "a2 b2"),
        ("a1", "e4", "b1 b2 c2 c3 d3 d4"),
        ("a1", "d2", "b1 c2"),
        ("a1", "b1", ""),
        ("a1", "a1", ""),
    ],
)
def test_the_line_crosses_these_regions(one: str, other: str, between: str) -> None:
    """Also the other way round, in the opposite order."""
    board = CORE.board("proving-ground")
    assert " ".join(board.between(one, other)) == between
    assert board.between(other, one) == board.between(one, other)[::-1]


def test_distance_has_three_readings() -> None:
    """GA-R20."""
    board = CORE.board("proving-ground")
    measured = [board.distance("a1", "c4", ruler) for ruler in ("square", "steps", "euclid")]
    assert measured == [3, 5, 3]
    assert [board.distance("a1", "d4", r) for r in ("square", "steps", "euclid")] == [3, 6, 4]


def test_a_tile_turns_clockwise() -> None:
    rows = [[Terrain("plain"), Terrain("pit")], [Terrain("swamp"), Terrain("deep")]]
    once = turned(rows, 1)
    assert [[each.base for each in row] for row in once] == [["swamp", "plain"], ["deep", "pit"]]
    assert turned(rows, 4) == rows
    assert Board(rows).terrain["b1"].base == "deep"
    assert read_terrain("Sg") is None


def test_the_reference_draws_first_steps_so() -> None:
    terrain = CORE.board("first-steps").terrain
    assert terrain["b2"] == Terrain("elevated", "ground")
    assert terrain["e2"] == Terrain("blocking")
    assert terrain["e1"] == Terrain("plain", obstructions=1)
    assert terrain["a1"] == Terrain("plain", "medium")
