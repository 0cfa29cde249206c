"""Moving without a capture: forward, over free squares (UNITS, The Golem, The Hulk)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Final

from domain.games.agog.actions import Move
from domain.games.agog.board import AT, BETWEEN, FORWARD_RAYS, GOAL, SQUARES, STEPS, is_forward
from domain.games.agog.state import CORRUPTED, FLIERS, FREE, HULK, OWN, Seat, Unit, name_of
from domain.kernel.game import Refused

FORWARD_WORDS: Final[dict[Seat, str]] = {
    "white": "to the next letter or up to a higher number",
    "black": "to the letter before or down to a lower number",
}


def moves(board: str, seat: Seat) -> list[tuple[int, int]]:
    """Every start and end of a move, as if captures were not compulsory."""
    own, steps = OWN[seat], STEPS[seat]
    found = [
        (start, end)
        for start, unit in enumerate(board)
        if unit in own and unit not in FLIERS
        for end in steps[start]
        if board[end] == FREE
    ]
    for flier in (HULK[seat], CORRUPTED[seat]):
        if flier in board:
            found += _slides(board, seat, flier)
    return found


def _slides(board: str, seat: Seat, flier: Unit) -> Iterator[tuple[int, int]]:
    for start, unit in enumerate(board):
        if unit == flier:
            for ray in FORWARD_RAYS[seat][start]:
                for end in takewhile(lambda place: board[place] == FREE, ray):
                    yield start, end


def can_move(board: str, seat: Seat) -> bool:
    """Has this player any move? A hulk that can go far can also go one step."""
    return next(_exits(board, seat), None) is not None


@lru_cache(maxsize=4096)
def has_two_exits(board: str, seat: Seat) -> bool:
    """Can this player step onto two squares at least?

    One move of the opponent can block only one of them, so it cannot immobilise this player:
    counting trees and listing children ask this once for all moves in one position.
    """
    exits = _exits(board, seat)
    first = next(exits, None)
    return any(end != first for end in exits)


def _exits(board: str, seat: Seat) -> Iterator[int]:
    own, steps = OWN[seat], STEPS[seat]
    for start, unit in enumerate(board):
        if unit in own:
            for end in steps[start]:
                if board[end] == FREE:
                    yield end


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
