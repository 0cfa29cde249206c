"""Every way to play on from known positions, counted: the `*.perft` files of each game.

A file has blocks of lines: `id NAME`, `options KEY=VALUE ...` where they are not the defaults,
`position P`, and for each depth `perft DEPTH COUNT`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.conformance.perft import children, divide, perft
from domain.kernel.game import AnyGame
from domain.kernel.packs import BUILT_IN_PACKS
from domain.registry import GAMES

MADE = 100_000
"""Larger counts list their last actions and do not make the states after them, to save time."""
LARGEST = 2_000_000
"""Counts that are larger still are left to those with time: one of 4 million takes a minute."""


class Count(NamedTuple):
    slug: str
    name: str
    options: dict[str, str]
    position: str
    depth: int
    count: int


def counts(slug: str) -> Iterator[Count]:
    for file in sorted(Path(__file__).parent.joinpath(slug.replace("-", "_")).glob("*.perft")):
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
                depth, count = map(int, rest.split())
                yield Count(slug, name, options, position, depth, count)


COUNTS = [count for slug in GAMES for count in counts(slug) if count.count <= LARGEST]


def lines_of_play(game: AnyGame, state: Any, depth: int) -> int:
    """As `perft`, without the states after the last actions."""
    if depth == 1:
        seats = {prompt.seat for prompt in game.turn(state)}
        return sum(
            not game.is_administrative(action)
            for seat in seats
            for action in game.legal(state, seat)
        )
    return sum(lines_of_play(game, after, depth - 1) for _, after in children(game, state))


@pytest.mark.parametrize("slug", {count.slug: None for count in COUNTS})
def test_there_are_counts(slug: str) -> None:
    assert len({count.name for count in COUNTS if count.slug == slug}) >= 5


@pytest.mark.parametrize("known", COUNTS, ids=lambda it: f"{it.slug}, {it.name}, depth {it.depth}")
def test_the_tree_has_so_many_lines_of_play(known: Count) -> None:
    game = GAMES[known.slug]
    options = msgspec.convert(
        known.options, game.options, strict=False, dec_hook=BUILT_IN_PACKS.decode_hook(game.packs)
    )
    state = game.read_position(known.position, options)
    counted = perft if known.count <= MADE else lines_of_play
    found = counted(game, state, known.depth)
    assert found == known.count, divide(game, state, 1)
