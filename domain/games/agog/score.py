"""The rulebook's score notation (SCOREKEEPING): what players write on paper.

In one position different actions have different texts. Reading them is in `score_reading.py`.
"""

from collections.abc import Iterable
from functools import reduce
from typing import assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT
from domain.games.agog.consequences import consequences
from domain.games.agog.evolve import evolve
from domain.games.agog.legal import SCORES, first_steps
from domain.games.agog.notation import write_jumps
from domain.games.agog.state import OTHER, OWNER, Outcome, State


def write(state: State, action: Action) -> str:
    """An action that is legal in this state, as players write it.

    Of a resignation they write the result.
    """
    match action:
        case Resign(seat):
            return SCORES[OTHER[seat]]
        case Move() | Capture():
            label = label_of(state.board[AT[action.start]])
            path = action.end if isinstance(action, Move) else write_jumps(action.jumps)
            golem = "" if action.leave in (None, "out") else f" {action.leave}=H"
            return f"{label}{_origin(state.board, action)}{path}{golem}"
        case unreachable:
            assert_never(unreachable)


def record(state: State, actions: Iterable[Action]) -> str:
    """A match from this state: a line for each pair of turns, and the result on a line of its own.

    A resignation is that last line and nothing else.
    """
    lines: list[str] = []
    for action in actions:
        if not isinstance(action, Resign):
            text = write(state, action)
            if state.turn == "white":
                lines.append(f"{len(lines) + 1}. {text}")
            elif lines:
                lines[-1] += f" {text}"
            else:
                lines.append(f"1. ... {text}")
        state = after(state, action)
    if isinstance(state.turn, Outcome):
        lines.append(SCORES[state.turn.winner])
    return "\n".join(lines)


def after(state: State, action: Action) -> State:
    """The state after an action that is legal in this one."""
    return reduce(evolve, consequences(state, action), state)


def label_of(unit: str) -> str:
    """J, H or C; nothing for a golem."""
    return unit.upper().replace("G", "")


def origin_is_needed(board: str, start: int, first: int, captures: bool) -> bool:
    """Must the unit that goes from `start` first to `first` say where it comes from (AGOG-R32)?"""
    unit = board[start]
    if captures and not label_of(unit):
        return True
    return any(
        to == first and other != start and board[other] == unit
        for other, to in first_steps(board, OWNER[unit])
    )


def _origin(board: str, action: Move | Capture) -> str:
    """The coordinate that the first step changes, where it is needed (AGOG-R31)."""
    captures = isinstance(action, Capture)
    first = action.jumps[0].to if isinstance(action, Capture) else action.end
    if not origin_is_needed(board, AT[action.start], AT[first], captures):
        return ""
    along_the_row = action.start[1] == first[1]
    return action.start[0] if along_the_row else action.start[1]
