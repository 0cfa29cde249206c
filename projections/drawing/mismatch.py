"""A failed conformance vector as a picture: the board as expected beside the board as got."""

from itertools import zip_longest
from typing import Final

import msgspec

from domain.conformance.vectors import Mismatch, Vector
from domain.kernel.any_game import read_options
from domain.kernel.game import REFEREE, AnyGame
from domain.kernel.notation_error import NotationError
from projections.drawing import text

_MAX_BOARD_WIDTH: Final = 60
"""Characters of a board beside which there is room for another."""


def draw(game: AnyGame, vector: Vector, mismatch: Mismatch) -> str:
    r"""What was expected and what was got, in words and as two boards; lines end in \n."""
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
    """Two columns; one under the other where they are too wide."""
    width = max(map(len, left))
    if width > _MAX_BOARD_WIDTH:
        return [f"  {line}".rstrip() for line in (*left, *right)]
    rows = zip_longest(left, right, fillvalue="")
    return [f"  {one.ljust(width)}    {other}".rstrip() for one, other in rows]
