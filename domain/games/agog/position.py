"""Positions as one line of text; reading them is in `position_reading`."""

import re

from domain.games.agog.legal import SCORES
from domain.games.agog.state import Outcome, State


def write_position(state: State) -> str:
    """The state as one line of six fields."""
    board = re.sub(r"\.+", lambda gap: str(len(gap[0])), state.board)
    if isinstance(state.turn, Outcome):
        turn, outcome = "-", f"{SCORES[state.turn.winner]}:{state.turn.reason}"
    else:
        turn, outcome = state.turn[0], "*"
    flag = "fresh" if state.fresh_supply else "-"
    return f"{board} {turn} {state.white_supply} {state.black_supply} {flag} {outcome}"
