"""What there is: the options of a match, and its discs."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Seat = Literal["red", "yellow"]
SEATS: Final[tuple[Seat, ...]] = ("red", "yellow")
LINE: Final = 4
"""So many discs in a row win."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What players may choose."""

    columns: Annotated[int, Meta(ge=4, le=9, description="columns of the board")] = 7
    rows: Annotated[int, Meta(ge=4, le=9, description="rows of the board")] = 6


class State(Struct, frozen=True):
    """The discs in each column, the lowest first: `r` and `y`."""

    stacks: tuple[str, ...]
    rows: int


def mover(state: State) -> Seat:
    """Who drops the next disc: red has dropped as many as yellow, or one more."""
    return SEATS[sum(map(len, state.stacks)) % 2]


def line(state: State) -> tuple[Seat, tuple[tuple[int, int], ...]] | None:
    """A line of four, as columns and rows from 0, and whose it is; None if there is none."""
    for x, stack in enumerate(state.stacks):
        for y, disc in enumerate(stack):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = tuple((x + dx * n, y + dy * n) for n in range(LINE))
                if all(_at(state, *cell) == disc for cell in cells):
                    return SEATS["ry".index(disc)], cells
    return None


def _at(state: State, x: int, y: int) -> str:
    inside = x < len(state.stacks) and 0 <= y < len(state.stacks[x])
    return state.stacks[x][y] if inside else ""


def space(x: int, y: int) -> str:
    """The space in this column and row, both from 0, as `d1`."""
    return f"{'abcdefghi'[x]}{y + 1}"
