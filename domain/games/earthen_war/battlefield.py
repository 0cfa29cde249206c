"""The battlefield as a plane: squares, trenches, directions (SETTING UP; EW-R1, EW-R2).

Files and ranks are counted from 0 here, so rank 0 is White's trench and the first rank is 1.
"""

from functools import cache
from typing import Final

from domain.games.earthen_war.state import CELLS, EDGE, SEATS, Cell, Options, Seat, Square

FILES: Final = "abcdefgh"
SIZES: Final = range(5, 9)

Plan = tuple[int, bool]
"""How a battlefield is laid out: its size, and whether its trenches are mirrored."""


def plan_of(options: Options) -> Plan:
    """The battlefield of a match with these options: a mirrored one of odd size is the same."""
    return options.board, options.start == "d0-c7" and options.board % 2 == 0


Way = tuple[int, int]
"""By how many files to the east and ranks to the north."""


def _trench(plan: Plan, seat: Seat) -> Square:
    board, mirrored = plan
    left, right = FILES[(board + 1) // 2 - 1], FILES[board // 2]
    if seat == "white":
        return f"{right if mirrored else left}0"
    return f"{left if mirrored else right}{board + 1}"


TRENCHES: Final[dict[Plan, dict[Seat, Square]]] = {
    (board, mirrored): {seat: _trench((board, mirrored), seat) for seat in SEATS}
    for board in SIZES
    for mirrored in (False, True)
}
"""The starting square of each seat."""

FIELDS: Final[dict[int, tuple[Square, ...]]] = {
    board: tuple(f"{file}{rank}" for rank in range(1, board + 1) for file in FILES[:board])
    for board in SIZES
}
"""The squares of the battlefield, without the trenches, from a1 on."""


def place(square: Square) -> tuple[int, int]:
    """The file and the rank of a square.

    >>> place("c0")
    (2, 0)
    """
    return FILES.index(square[0]), int(square[1])


_NAMES: Final[dict[Plan, dict[tuple[int, int], Square]]] = {
    plan: {place(square): square for square in (*FIELDS[plan[0]], *trenches.values())}
    for plan, trenches in TRENCHES.items()
}

# The front of a grid looks at the enemy: north for White, south for Black.
_SIDES: Final[dict[Seat, int]] = {"white": 1, "black": -1}
WAYS: Final[dict[Seat, dict[Cell, Way]]] = {
    seat: {
        cell: (side * (CELLS.index(cell) % 3 - 1), side * (1 - CELLS.index(cell) // 3))
        for cell in EDGE
    }
    for seat, side in _SIDES.items()
}
"""The direction on the battlefield of each square of a grid."""
_TOWARDS: Final[dict[Seat, dict[Way, Cell]]] = {
    seat: {way: cell for cell, way in ways.items()} for seat, ways in WAYS.items()
}

COMPASS: Final[dict[Way, str]] = {
    (0, 1): "north", (1, 1): "north-east", (1, 0): "east", (1, -1): "south-east",
    (0, -1): "south", (-1, -1): "south-west", (-1, 0): "west", (-1, 1): "north-west",
}  # fmt: skip


@cache
def ray(plan: Plan, start: Square, way: Way, distance: int) -> tuple[Square | None, ...]:
    """The next squares in a direction, trenches too; None for what is off the battlefield."""
    (file, rank), (east, north) = place(start), way
    names = _NAMES[plan]
    return tuple(names.get((file + east * n, rank + north * n)) for n in range(1, distance + 1))


@cache
def around(plan: Plan, square: Square) -> frozenset[Square]:
    """The eight surrounding squares, trenches too, as far as they exist."""
    found = (ray(plan, square, way, 1)[0] for way in COMPASS)
    return frozenset(near for near in found if near is not None)


def towards(seat: Seat, golem: Square, square: Square) -> Cell:
    """The square of this seat's grid that points from its golem to an adjacent square.

    >>> towards("black", "d5", "c4")
    'fr'
    """
    (file, rank), (to_file, to_rank) = place(golem), place(square)
    return _TOWARDS[seat][to_file - file, to_rank - rank]


def is_trench(plan: Plan, square: Square) -> bool:
    """Is this a starting square?"""
    return square in TRENCHES[plan].values()


def compass(seat: Seat, cell: Cell) -> str:
    """Where a square of this seat's grid points to.

    >>> compass("black", "fl")
    'south-east'
    """
    return COMPASS[WAYS[seat][cell]]


def standable(plan: Plan, seat: Seat) -> frozenset[Square]:
    """Where this seat's golem can stand: on the field, or in the own trench before it left."""
    return frozenset(FIELDS[plan[0]]) | {TRENCHES[plan][seat]}
