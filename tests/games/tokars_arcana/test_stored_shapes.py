"""What the log keeps for ever: a frozen sample shows each kind of action and of fact."""

from pathlib import Path
from typing import Any

import pytest

from domain.games.tokars_arcana import GAME

SHAPES = Path(__file__).parents[2] / "domain" / "stored_shapes"
SAMPLES = "\n".join(file.read_text() for file in SHAPES.glob("*tokars-arcana*.json"))


@pytest.mark.parametrize("kind", [*GAME.actions.__args__, *GAME.facts.__args__])
def test_a_frozen_sample_shows_it(kind: Any) -> None:
    assert f'"type":"{kind.__struct_config__.tag}"' in SAMPLES
