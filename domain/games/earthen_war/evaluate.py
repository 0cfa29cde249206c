"""Who stands better, by rules of thumb: damage in rows, dice, and attacks that would hit next.

The points began as a fit to how battles between bots ended (logistic regression).
"""

from functools import lru_cache
from typing import Final

from domain.games.earthen_war.battlefield import WAYS, place
from domain.games.earthen_war.damage import LINES
from domain.games.earthen_war.state import (
    CELLS,
    OTHER,
    SEATS,
    Cell,
    Golem,
    Grid,
    Seat,
    State,
    acting,
    golem_of,
)
from domain.kernel.win_probabilities import win_probabilities

IN_A_ROW: Final = (0.0, 0.2, 0.45, 3.0)
"""Points for a row, a column or a diagonal of the enemy grid with so many damaged squares."""
HIT: Final = (0.2, 0.1)
"""For a square of the enemy grid that an attack could damage next: for who acts, and who waits."""
LAST: Final = (3.0, 1.7)
"""The same for an attack that would destroy the golem."""
DOT: Final = {"white": 0.05, "black": 0.12}
"""For each dot of a die."""
TOGETHER: Final = 4
"""White dice of a grid that are thought of together."""


def evaluate(state: State) -> dict[str, float]:
    """How likely each seat wins."""
    turn = acting(state.phase)
    return win_probabilities({seat: _standing(state, seat, turn == seat) for seat in SEATS})


def _standing(state: State, seat: Seat, acts: bool) -> float:
    own, enemy = golem_of(state, seat), golem_of(state, OTHER[seat])
    damaged = frozenset(
        cell for cell, square in zip(CELLS, enemy.grid, strict=True) if square.damaged
    )
    points = sum(IN_A_ROW[len(damaged.intersection(line))] for line in LINES)
    points += sum(DOT[square.die.colour] * square.die.dots for square in own.grid if square.die)
    reach = _within_reach(seat, own, enemy, state.options.board, acts) - damaged
    last = {cell for cell in reach if _completes(damaged, cell)}
    waits = 0 if acts else 1
    return points + HIT[waits] * len(reach - last) + LAST[waits] * bool(last)


@lru_cache(maxsize=4096)
def _completes(damaged: frozenset[Cell], cell: Cell) -> bool:
    """Would a hit here make three in a row?"""
    return any(cell in line and damaged.issuperset(set(line) - {cell}) for line in LINES)


def _within_reach(seat: Seat, own: Golem, enemy: Golem, board: int, acts: bool) -> set[Cell]:
    """The squares that attacks could hit after any moves, what is in the way left aside."""
    moves, attacks = _dice(seat, own.grid, acts)
    if not attacks:
        return set()
    (x, y), (to_x, to_y) = place(own.square), place(enemy.square)
    stands = {(x, y)}
    for dx, dy in moves[:TOGETHER]:
        stands |= {
            (x + dx, y + dy) for x, y in stands if 0 <= x + dx < board and 1 <= y + dy <= board
        }
    return {cell for cell, (dx, dy) in attacks if (to_x - dx, to_y - dy) in stands}


@lru_cache(maxsize=8192)
def _dice(
    seat: Seat, grid: Grid, unused: bool
) -> tuple[list[tuple[int, int]], list[tuple[Cell, tuple[int, int]]]]:
    """Where white dice move and where black ones attack, as differences of files and ranks."""
    moves, attacks = [], []
    for cell, square in zip(CELLS, grid, strict=True):
        die = square.die
        if die is None or (unused and die.used):
            continue
        dx, dy = WAYS[seat][cell]
        way = (dx * die.dots, dy * die.dots)
        if die.colour == "white":
            moves.append(way)
        else:
            attacks.append((cell, way))
    return moves, attacks
