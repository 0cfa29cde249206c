"""The rulebook's score notation (SCOREKEEPING): what players write on paper.

In one position different actions have different texts. Reading them is in `score_reading.py`.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import reduce
from typing import assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT, STEPS
from domain.games.agog.captures import longest_hunts
from domain.games.agog.consequences import consequences
from domain.games.agog.evolve import evolve
from domain.games.agog.legal import SCORES, first_steps
from domain.games.agog.notation import write_jumps
from domain.games.agog.state import FLIERS, OTHER, Outcome, State


def writer(state: State) -> Callable[[Action], str]:
    """Writes actions that are legal in this state, as players write them.

    Of a resignation they write the result. Who could first come where is looked at once, whatever
    is written, and not at all for a single step.
    """
    board, turn = state.board, state.turn
    seen: Counter[tuple[str, int]] | None = None

    def comers(unit: str, to: int) -> int:
        nonlocal seen
        if isinstance(turn, Outcome):
            return 0
        if unit not in FLIERS and not longest_hunts(board, turn)[0]:
            # A step, seen from where it ends, is one of the other player's.
            return sum(board[start] == unit for start in STEPS[OTHER[turn]][to])
        if seen is None:
            seen = Counter((board[start], end) for start, end in first_steps(board, turn))
        return seen[unit, to]

    def write(action: Action) -> str:
        match action:
            case Resign(seat):
                return SCORES[OTHER[seat]]
            case Move(start, first):
                path = first
            case Capture(start, jumps):
                first, path = jumps[0].to, write_jumps(jumps)
            case unreachable:
                assert_never(unreachable)
        unit = board[AT[start]]
        captures = isinstance(action, Capture)
        needed = origin_is_needed(unit, comers(unit, AT[first]), captures)
        origin = _origin(start, first) if needed else ""
        golem = "" if action.leave in (None, "out") else f" {action.leave}=H"
        return f"{label_of(unit)}{origin}{path}{golem}"

    return write


def record(state: State, actions: Iterable[Action]) -> str:
    """A match from this state: a line for each pair of turns, and the result on a line of its own.

    A resignation is that last line and nothing else.
    """
    lines: list[str] = []
    for action in actions:
        if not isinstance(action, Resign):
            text = writer(state)(action)
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


def origin_is_needed(unit: str, comers: int, captures: bool) -> bool:
    """Must the unit say where it comes from, when so many like it could first come to the same
    square (AGOG-R32)?"""
    return comers > 1 or (captures and not label_of(unit))


def _origin(start: str, first: str) -> str:
    """The coordinate that the first step changes (AGOG-R31)."""
    along_the_row = start[1] == first[1]
    return start[0] if along_the_row else start[1]
