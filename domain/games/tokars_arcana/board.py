"""The board as a plane: squares, what is adjacent, lines, what is ahead.

Columns a to h run from west to east, rows from 1 up from south to north. A *plane* is the geometry
of a board of so many rows, made once for each depth.
"""

from functools import cache
from typing import Final

from msgspec import Struct

from domain.games.tokars_arcana.state import Seat, Square

COLUMNS: Final = "abcdefgh"
AHEAD: Final[dict[Seat, int]] = {"south": 1, "north": -1}
"""By how much the number of the row grows on the way from a seat's own edge."""

Offset = tuple[int, int]
"""Columns to the east, rows ahead."""

ORTHOGONAL: Final[tuple[Offset, ...]] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: Final[tuple[Offset, ...]] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
ADJACENT: Final = ORTHOGONAL + DIAGONAL
"""All eight surrounding squares, as the rulebook's side note says."""

Squares = tuple[Square, ...]


class Plane(Struct, frozen=True):
    """A board of `rows` rows without its models."""

    rows: int
    squares: Squares
    """a1, b1, .. h1, a2, ..: board order."""
    place: dict[Square, int]
    """The number of a square in board order, from 0."""
    around: dict[Square, Squares]
    """The adjacent squares, in board order."""
    steps: dict[Square, Squares]
    """The orthogonally adjacent ones."""
    rays: dict[Square, tuple[Squares, ...]]
    """For each of eight ways the squares to the edge; empty where the edge is next."""
    near: dict[Square, Squares]
    """The other squares at most two columns and two rows away."""


def row_of(square: Square) -> int:
    """The number of a square's row, from 1."""
    return int(square[1:])


def column_of(square: Square) -> int:
    """The number of a square's column, from 0."""
    return COLUMNS.index(square[0])


def offset(start: Square, end: Square, seat: Seat) -> Offset:
    """How many columns to the east and how many rows ahead of this seat one comes to the end.

    >>> offset("c4", "d2", "north")
    (1, 2)
    """
    rows = row_of(end) - row_of(start)
    return column_of(end) - column_of(start), rows * AHEAD[seat]


def far_row(rows: int, seat: Seat) -> int:
    """The last row ahead of this seat."""
    return rows if seat == "south" else 1


def home_row(rows: int, seat: Seat) -> int:
    """The row at this seat's own edge."""
    return 1 if seat == "south" else rows


def at(rows: int, column: int, row: int) -> Square | None:
    """The square with this column from 0 and row from 1; None off the board."""
    inside = 0 <= column < len(COLUMNS) and 1 <= row <= rows
    return f"{COLUMNS[column]}{row}" if inside else None


def jumps(rows: int, start: Square, offsets: tuple[Offset, ...], seat: Seat) -> Squares:
    """The squares on the board at these offsets from here, seen by this seat."""
    column, row = column_of(start), row_of(start)
    ends = (at(rows, column + dx, row + dy * AHEAD[seat]) for dx, dy in offsets)
    return tuple(end for end in ends if end is not None)


@cache
def plane(rows: int) -> Plane:
    """The geometry of a board of so many rows."""
    squares = tuple(f"{column}{row}" for row in range(1, rows + 1) for column in COLUMNS)
    place = {square: n for n, square in enumerate(squares)}

    def sorted_jumps(offsets: tuple[Offset, ...]) -> dict[Square, Squares]:
        return {
            square: tuple(sorted(jumps(rows, square, offsets, "south"), key=place.__getitem__))
            for square in squares
        }

    two = tuple((dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if (dx, dy) != (0, 0))
    return Plane(
        rows=rows,
        squares=squares,
        place=place,
        around=sorted_jumps(ADJACENT),
        steps=sorted_jumps(ORTHOGONAL),
        rays={square: tuple(_ray(rows, square, way) for way in ADJACENT) for square in squares},
        near=sorted_jumps(two),
    )


def _ray(rows: int, start: Square, way: Offset) -> Squares:
    (dx, dy), longest = way, max(rows, len(COLUMNS))
    return jumps(rows, start, tuple((dx * n, dy * n) for n in range(1, longest)), "south")


def is_corner(rows: int, square: Square) -> bool:
    """Is this one of the four corners of the board?"""
    return square[0] in "ah" and row_of(square) in (1, rows)
