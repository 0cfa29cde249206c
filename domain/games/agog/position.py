"""Positions as one line of text; reading them is in `position_reading`."""

from typing import Final

from domain.games.agog.legal import SCORES
from domain.games.agog.state import Outcome, State

_GAPS: Final = tuple(("." * length, str(length)) for length in range(8, 0, -1))
"""Free squares beside each other in a row, and how they are written; the longest first."""


def write_position(state: State) -> str:
    """The state as one line of six fields."""
    board = state.board
    for gap, length in _GAPS:
        board = board.replace(gap, length)
    if isinstance(state.turn, Outcome):
        turn, outcome = "-", f"{SCORES[state.turn.winner]}:{state.turn.reason}"
    else:
        turn, outcome = state.turn[0], "*"
    flag = "fresh" if state.fresh_supply else "-"
    return f"{board} {turn} {state.white_supply} {state.black_supply} {flag} {outcome}"
