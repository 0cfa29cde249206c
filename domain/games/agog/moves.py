"""Moving without a capture: forward, over free squares (UNITS, The Golem, The Hulk)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Final

from domain.games.agog.actions import Move
from domain.games.agog.board import (
    AT,
    BETWEEN,
    FORWARD,
    FORWARD_RAYS,
    GOAL,
    SQUARES,
    is_forward,
    places_of,
)
from domain.games.agog.planes import picked, planes, shifted
from domain.games.agog.state import BAR, FLIERS, FLIERS_OF, FREE, SEATS, Seat, Unit, name_of
from domain.kernel.rulings import Refused

FORWARD_WORDS: Final[dict[Seat, str]] = {
    "white": "to the next letter or up to a higher number",
    "black": "to the letter before or down to a lower number",
}


MOVES: Final = {(start, end): Move(SQUARES[start], SQUARES[end]) for start, end in BETWEEN}
"""All moves that ask for no choice, made once: trees of play have them by the million."""
_STEPS: Final[dict[Seat, tuple[Move, ...]]] = {
    seat: tuple(
        MOVES.get((place, place + way), Move("", ""))
        for place in range(len(SQUARES))
        for way in FORWARD[seat]
    )
    for seat in SEATS
}
"""From each place the two moves of one step; those that leave the board are never picked."""


def moves(board: str, seat: Seat) -> list[Move]:
    """Every move, as if captures were not compulsory and nobody had to leave a sanctum."""
    fliers = [flier for flier in FLIERS_OF[seat] if flier in board]
    walkers = board
    for flier in fliers:
        walkers = walkers.replace(flier, BAR)
    units, free = planes(walkers)
    one, other = FORWARD[seat]
    steps = units[seat] & shifted(free, -one), units[seat] & shifted(free, -other)
    found = [*picked(_STEPS[seat], *steps)]
    for flier in fliers:
        found += _slides(board, seat, flier)
    return found


def _slides(board: str, seat: Seat, flier: Unit) -> Iterator[Move]:
    for start in places_of(board, flier):
        for ray in FORWARD_RAYS[seat][start]:
            for end in takewhile(lambda place: board[place] == FREE, ray):
                yield MOVES[start, end]


def can_move(board: str, seat: Seat) -> bool:
    """Has this player any move? A hulk that can go far can also go one step."""
    return _exits(board, seat) != 0


@lru_cache(maxsize=4096)
def has_two_exits(board: str, seat: Seat) -> bool:
    """Can this player step onto two squares at least?

    One move of the opponent can block only one of them, so it cannot immobilise this player:
    counting trees and listing children ask this once for all moves in one position.
    """
    return _exits(board, seat).bit_count() > 1


def _exits(board: str, seat: Seat) -> int:
    """The squares that one step leads to, as a plane."""
    units, free = planes(board)
    one, other = FORWARD[seat]
    return free & (shifted(units[seat], one) | shifted(units[seat], other))


def refuse_move(board: str, seat: Seat, move: Move) -> Refused | None:
    """Why this unit cannot make this move, but for compulsory captures and promotion."""
    start, end = AT[move.start], AT[move.end]
    unit, name = board[start], name_of(board[start])
    between = BETWEEN.get((start, end))
    if between is None:
        return Refused(
            "agog.move.straight",
            f"{move.end} is not in the column or the row of {move.start}: units move along one"
            " column or one row, to another square",
        )
    if not is_forward(seat, start, end):
        return Refused(
            "agog.move.forward",
            f"from {move.start} to {move.end} is backward: without a capture {seat.title()} moves"
            f" towards {SQUARES[GOAL[seat]]}, {FORWARD_WORDS[seat]}",
        )
    if between and unit not in FLIERS:
        return Refused(
            "agog.move.step",
            f"the {name} on {move.start} moves one square, as to {SQUARES[between[0]]};"
            f" {move.end} is {len(between) + 1} squares away",
            {"squares": len(between) + 1},
        )
    for place in (*between, end):
        if board[place] != FREE:
            return Refused(
                "agog.move.clear",
                f"a {name_of(board[place])} stands on {SQUARES[place]}: the {name} on {move.start}"
                " can only pass and reach free squares",
            )
    return None
