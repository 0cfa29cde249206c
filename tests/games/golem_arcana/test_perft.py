"""Every way to play on from known positions, counted: the `*.perft` files beside this one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.options import Options
from domain.kernel.perft import divide, perft


def counts() -> Iterator[tuple[str, str, int, int]]:
    """Each line of a file as its id, position, depth and count."""
    for file in sorted(Path(__file__).parent.glob("*.perft")):
        name = position = ""
        for line in file.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "id":
                name = f"{file.stem}: {rest}"
            elif word == "position":
                position = rest
            elif word == "perft":
                depth, count = rest.split()
                yield name, position, int(depth), int(count)


COUNTS = list(counts())


def test_there_are_counts() -> None:
    assert len({name for name, *_ in COUNTS}) == 5


@pytest.mark.parametrize(
    ("position", "depth", "count"),
    [line[1:] for line in COUNTS],
    ids=[f"{name}, depth {depth}" for name, _, depth, _ in COUNTS],
)
def test_the_tree_has_so_many_lines_of_play(position: str, depth: int, count: int) -> None:
    state = GAME.read_position(position, Options(scenario=position.split(" ")[1]))
    found = perft(GAME, state, depth)
    assert found == count, divide(GAME, state, depth)
