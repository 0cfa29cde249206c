"""What is stored for ever: there is a frozen sample of each action and fact."""

from pathlib import Path
from typing import get_args

import pytest

from domain.games.earthen_war import GAME

_SHAPES = Path(__file__).parents[2] / "domain" / "stored_shapes"
_SAMPLES = "".join(file.read_text() for file in sorted(_SHAPES.glob("*-earthen-war-*.json")))


@pytest.mark.parametrize(
    "tag",
    [
        kind.__struct_config__.tag
        for union in (GAME.actions, GAME.facts)
        for kind in get_args(union)
    ],
)
def test_there_is_a_frozen_sample_of_each_shape(tag: str) -> None:
    assert f'"type":"{tag}"' in _SAMPLES
