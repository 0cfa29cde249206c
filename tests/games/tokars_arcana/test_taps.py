"""Taps of a stylus in Tokar's Arcana: what a tap on a model on the edge does not do."""

import pytest

from domain.games.tokars_arcana import GAME
from domain.stylus.tap_machine import Selection, StylusView, stylus_screen, tap
from tests.games.tokars_arcana.conftest import read

EDGE = "7n/8/8/8/8/3t4/8/I7/1S6/D1s4B - - south order -"
"""A duelist stands on a1."""


@pytest.mark.parametrize("taps", [["space a1"], ["piece a1"], ["space a1", "button page"]])
def test_a_model_on_the_edge_walks_off_only_if_a_tap_says_so(taps: list[str]) -> None:
    moment, hand = StylusView(GAME, read(EDGE, {}), ("south",)), Selection()
    taps = [f"piece {_model(moment)}" if each == "piece a1" else each for each in taps]
    for target in taps:
        hand = tap(moment, hand, target).hand
    shown = stylus_screen(moment, hand)
    assert shown.picked
    assert shown.armed is None
    refusal = tap(moment, hand, "button confirm").refusal
    assert refusal is not None
    assert refusal.rule == "stylus.unready"
    assert [option.label for option in shown.runes] == ["a1 off"]
    said = tap(moment, hand, "cc rune 1").hand
    assert tap(moment, said, "button confirm").notation == "a1 off"


def _model(moment: StylusView) -> str:
    return next(each.id for each in moment.scene.pieces if each.where == "a1")
