"""The conformance vectors of every game, by the same checker that `emeth conform` uses.

A failure shows the board as expected and the board as got.
"""

from pathlib import Path

import pytest

from domain.conformance.vectors import Vector, check, read_vector
from domain.registry import GAMES
from projections.drawing.mismatch import draw


def vectors_of(slug: str) -> list[Vector]:
    path = Path(__file__).parent / slug.replace("-", "_") / "vectors.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [read_vector(line) for line in lines]


@pytest.mark.parametrize(
    ("slug", "vector"),
    [
        pytest.param(slug, vector, id=f"{slug}-{vector.name}")
        for slug in GAMES
        for vector in vectors_of(slug)
    ],
)
def test_the_rules_agree_with_the_vector(slug: str, vector: Vector) -> None:
    game = GAMES[slug]
    assert vector.game == slug
    failures = [draw(game, vector, mismatch) for mismatch in check(game, vector)]
    assert not failures, "\n".join(failures)
