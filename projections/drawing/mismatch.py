"""A failed conformance vector as text: the expected board beside the actual board."""

from itertools import zip_longest
from typing import Final

import msgspec

from domain.conformance.vectors import Mismatch, Vector
from domain.kernel.any_game import read_options
from domain.kernel.game import REFEREE, AnyGame
from domain.kernel.notation_error import NotationError
from projections.drawing import text

_MAX_BOARD_WIDTH: Final = 60
"""The widest board, in characters, that leaves room for a second board beside it."""


def draw(game: AnyGame, vector: Vector, mismatch: Mismatch) -> str:
    """Return the expected and the actual result, in words and as two boards.

    Each line ends with a newline.
    """
    lines = (
        f"FAILED {vector.game} {vector.name}, after {mismatch.at} steps: {mismatch.what}",
        f"  expected: {mismatch.expected}",
        f"  got:      {mismatch.got}",
        *_side_by_side(
            ["expected:", *_board(game, vector, mismatch.expected_position)],
            ["got:", *_board(game, vector, mismatch.got_position)],
        ),
        f"  expected: {mismatch.expected_position}",
        f"  got:      {mismatch.got_position}",
    )
    return "".join(f"{line}\n" for line in lines)


def _board(game: AnyGame, vector: Vector, position: str) -> list[str]:
    try:
        state = game.read_position(position, read_options(game, vector.options))
    except (NotationError, msgspec.ValidationError) as error:
        return [f"no board: {error}"]
    return text.draw(game.scene(state, REFEREE), legend=False).splitlines()


def _side_by_side(left: list[str], right: list[str]) -> list[str]:
    """Return two columns, or one below the other if they are too wide."""
    width = max(map(len, left))
    if width > _MAX_BOARD_WIDTH:
        return [f"  {line}".rstrip() for line in (*left, *right)]
    rows = zip_longest(left, right, fillvalue="")
    return [f"  {one.ljust(width)}    {other}".rstrip() for one, other in rows]
