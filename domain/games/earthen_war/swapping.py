"""Rearranging the grid by one swap (PHASE 3: SWAPPING)."""

from itertools import pairwise
from typing import Final

from domain.games.earthen_war.facts import DiceSwapped, PhaseBegan
from domain.games.earthen_war.improve_dice import refuse_centre
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import (
    CELL_NAMES,
    CELLS,
    CENTRE,
    Cell,
    Grid,
    Seat,
    State,
    die_on,
    golem_of,
)
from domain.kernel.rulings import Refused

_RING: Final[tuple[Cell, ...]] = ("fl", "f", "fr", "r", "br", "b", "bl", "l", "fl")
_CORNERS: Final[tuple[Cell, ...]] = ("f", "r", "b", "l", "f")
"""Edge squares that touch at a corner, each with the next one."""

Pair = tuple[Cell, Cell]


def _in_reading_order(pair: Pair) -> Pair:
    first, second = sorted(pair, key=CELLS.index)
    return first, second


PAIRS: Final[tuple[Pair, ...]] = tuple(
    sorted(
        map(_in_reading_order, (*pairwise(_RING), *pairwise(_CORNERS))),
        key=lambda pair: (CELLS.index(pair[0]), CELLS.index(pair[1])),
    )
)
"""The twelve pairs of adjacent squares (EW-R7): round the ring, and across a corner."""


def can_swap(grid: Grid, pair: Pair) -> bool:
    """Is there a die on at least one of two adjacent squares?"""
    return die_on(grid, pair[0]) is not None or die_on(grid, pair[1]) is not None


def refuse_swap(state: State, seat: Seat, first: Cell, second: Cell) -> Refused | None:
    """Why these squares cannot be swapped, or None."""
    if CENTRE in (first, second):
        return refuse_centre()
    if (first, second) not in PAIRS:
        partners = [CELL_NAMES[b if a == first else a] for a, b in PAIRS if first in (a, b)]
        return Refused(
            "ew.swap.adjacent",
            f"{CELL_NAMES[first]} and {CELL_NAMES[second]} are not adjacent:"
            f" {CELL_NAMES[first]} is swapped with {', '.join(partners[:-1])} or {partners[-1]}",
            {"first": first, "second": second},
        )
    if not can_swap(golem_of(state, seat).grid, (first, second)):
        return Refused(
            "ew.swap.empty",
            f"no die lies on {CELL_NAMES[first]} or {CELL_NAMES[second]}: a swap needs one",
            {"first": first, "second": second},
        )
    return None


def swap(course: Resolution, seat: Seat, first: Cell, second: Cell) -> None:
    """What lies on the squares changes places; damage stays."""
    course.record(DiceSwapped(seat, first, second), "ew.swap.adjacent", first=first, second=second)
    course.record(PhaseBegan(seat, "use"), "ew.swap.one", "ew.turn.phases", swaps=1, phase="use")


def leave_unswapped(course: Resolution, seat: Seat) -> None:
    """The seat swaps nothing."""
    course.record(PhaseBegan(seat, "use"), "ew.swap.one", "ew.turn.phases", swaps=0, phase="use")
