"""Score sheets of the conformance vectors, read back.

All else in the vectors is checked by tests/games/test_every_vector.py.
"""

from pathlib import Path

import msgspec
import pytest

from domain.conformance.vectors import Vector, read_vector
from domain.games.agog import GAME
from domain.games.agog.score_reading import read_record

VECTORS = [
    read_vector(line)
    for line in Path(__file__).with_name("vectors.jsonl").read_bytes().splitlines()
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector.name))
def test_a_record_is_read_as_the_turns_that_it_tells(vector: Vector) -> None:
    options = msgspec.convert(vector.options, GAME.options)
    start = (
        GAME.start(options) if vector.start is None else GAME.read_position(vector.start, options)
    )
    assert vector.record is not None
    actions = tuple(GAME.read_action(step.do) for step in vector.steps)
    assert read_record(start, vector.record) == actions
