"""Rulings in words."""

from domain.games.golem_arcana import GAME
from domain.kernel.game import explain


def test_a_ruling_reads_as_a_sentence_with_its_figures_and_its_source() -> None:
    sentence = explain(GAME.rules["ga.hit.cover"], {"e6 medium cover, warsprite": 20})
    assert sentence == (
        "The terrain of the target's Region covers it by its size (e6 medium cover, warsprite 20) "
        "[Combat Resolution; Terrain Cover Table; GA-R15; GA-R19; GA-R22; GA-R55]"
    )
