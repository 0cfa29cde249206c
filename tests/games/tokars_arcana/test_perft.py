"""Every way to play on from known positions, counted: the `*.perft` files beside this one."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.state import Options, State
from domain.kernel.perft import children, divide

LARGEST = 2_000_000
"""Larger counts are left to those with time: one of 4 million takes a minute."""


def counts() -> Iterator[tuple[str, dict[str, str], str, int, int]]:
    """Each line of a file as its id, options, position, depth and count."""
    for file in sorted(Path(__file__).parent.glob("*.perft")):
        name = position = ""
        options: dict[str, str] = {}
        for line in file.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "id":
                name, options = f"{file.stem}: {rest}", {}
            elif word == "options":
                options = dict(pair.split("=") for pair in rest.split())
            elif word == "position":
                position = rest
            elif word == "perft":
                depth, count = rest.split()
                yield name, options, position, int(depth), int(count)


COUNTS = [line for line in counts() if line[4] <= LARGEST]


def listed(state: State) -> int:
    """How many actions of play there are; what comes of the last ones need not be made."""
    seats = {ask.seat for ask in GAME.turn(state)}
    return sum(not GAME.aside(a) for seat in seats for a in GAME.legal(state, seat))


def lines_of_play(state: State, depth: int) -> int:
    if depth == 1:
        return listed(state)
    return sum(lines_of_play(after, depth - 1) for _, after in children(GAME, state))


def test_there_are_counts() -> None:
    assert len({name for name, *_ in COUNTS}) == 7


@pytest.mark.parametrize(
    ("options", "position", "depth", "count"),
    [line[1:] for line in COUNTS],
    ids=[f"{name}, depth {depth}" for name, _, _, depth, _ in COUNTS],
)
def test_the_tree_has_so_many_lines_of_play(
    options: dict[str, str], position: str, depth: int, count: int
) -> None:
    state = GAME.read_position(position, msgspec.convert(options, Options))
    assert lines_of_play(state, depth) == count, divide(GAME, state, 1)
