"""Rulings in words: their figures, with names for ids."""

import pytest

from domain.games.golem_arcana import GAME
from domain.kernel.rulings import Figures, explain


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"target": "n1", "accuracy": 55, "accuracy from prism-archer.blinding-facet": -20,
          "dodge": 0, "dodge from sand-lion.hamstring": -15, "cover": -20, "between": -5,
          "engaged": -20, "pit": 0, "chance": 10},
         "North's Prism Archer n1, accuracy 55 with Blinding Facet -20, dodge 0 with Hamstring -15,"
         " cover 20, cover between 5, enemy beside 20, 10 needed"),
        ({"target": "n1", "roll": "07", "chance": 45, "result": "hit"},
         "North's Prism Archer n1, 07 rolled, 45 needed, a hit"),
        ({"target": "n1", "roll": "77", "chance": -5, "result": "lucky"},
         "North's Prism Archer n1, 77 rolled, only doubles hit, a lucky hit"),
        ({"target": "s2", "damage": 30, "damage from Headlong": 8, "armor": -14,
          "armor from Relentless": 10, "hit": 24},
         "South's s2, 30 damage and Headlong +8, armor 14 with Relentless +10, a hit costs 24 HP"),
        ({"source": "Plague Cloud of s1", "damage": 5},
         "Plague Cloud of South's Sand Lion s1, 5 damage"),
        ({"source": "swamp", "damage": 5}, "the swamp, 5 damage"),
        ({"stat": "dodge", "amount": -15, "rounds": 2}, "dodge -15, for 2 Rounds"),
        ({"amount": 8, "printed": 125}, "8 HP restored, at most 125 HP"),
        ({"target": 8, "vp_north": 5, "vp_south": 8},
         "8 points to win, Victory Points North 5 and South 8"),
        ({"attacker": 2, "target": 1, "hit": "super"},
         "attacker of Base Size 2, target of Base Size 1, a super-critical hit"),
        ({"from": "a1", "to": "a4", "between": "a2, a3"}, "from a1, to a4, through a2 and a3"),
        ({"cost": 6, "mana": 4}, "costs 6 Mana, 4 there"),
        ({"cost": 6}, "costs 6 Mana"),
        ({"cost": 2, "pool": 1}, "costs 2 AP, 1 AP in the pool"),
        ({"kind": "away", "steps": 1, "seen_from": "b7", "possible": "d6, d8, e7"},
         "1 Region, away, seen from b7, to d6, d8 or e7"),
        ({"region": "e2", "rule": "ga.los.line"}, "in e2, blocking terrain"),
    ],
)  # fmt: skip
def test_figures_are_said_as_people_say_them(at, figures: Figures, said: str) -> None:
    state = at("s1=sand-lion@a1:50;n1=prism-archer@a1:40").state
    assert ", ".join(GAME.figures_in_words(state, figures, state)) == said


def test_a_unit_that_is_destroyed_has_its_name(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=prism-archer@a1:4")
    before = table.do("attack s1 bite n1").state
    figures = table.do("dice 31").figures("ga.vp.kill")
    said = ("North's Prism Archer n1", "1 Victory Point")
    assert GAME.figures_in_words(before, figures, table.state) == said


def test_a_ruling_reads_as_a_sentence_with_its_figures_and_its_source(at) -> None:
    state = at("s1=sand-lion@a1:50;n1=prism-archer@a1:40").state
    figures: Figures = {"e6 medium cover, warsprite": 20, "e6 Spider Stealth": 100, "cover": 120}
    said = GAME.figures_in_words(state, figures, state)
    assert explain(GAME.rules["ga.hit.cover"], said) == (
        "The terrain of the target's Region covers it by its size (100 by Spider Stealth in e6 and "
        "20 by medium cover for Warsprites in e6, cover 120) "
        "[Combat Resolution; Terrain Cover Table; GA-R15; GA-R19; GA-R22; GA-R55]"
    )
