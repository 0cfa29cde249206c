"""Positions and actions as text."""

import re
from typing import Final

from domain.games.connect_four.actions import Drop
from domain.games.connect_four.state import Options, State, line, mover
from domain.kernel.game import Refused
from domain.kernel.text import NotationError, shortened

NOTATION: Final = """\
A position has each column from the left, its discs from below: -/-/r/ry/-/-/-
An action is the column, counted from 1: drop 4"""


def write_position(state: State) -> str:
    """The columns, with `-` for an empty one."""
    return "/".join(stack or "-" for stack in state.stacks)


def read_position(text: str, options: Options) -> State:
    """The state of this text. Raises NotationError for a text that is no position."""
    if not re.fullmatch(r"(-|[ry]+)(/(-|[ry]+))*", text, re.ASCII):
        raise NotationError(f"a position is columns of r and y, not {shortened(text)}")
    state = State(tuple(stack.strip("-") for stack in text.split("/")), options.rows)
    if len(state.stacks) != options.columns:
        raise NotationError(f"the board has {options.columns} columns, not {len(state.stacks)}")
    if any(len(stack) > options.rows for stack in state.stacks):
        raise NotationError(f"a column holds {options.rows} discs at most")
    if text.count("r") - text.count("y") not in (0, 1):
        raise NotationError("red has dropped as many discs as yellow, or one more")
    found = line(state)
    if found is not None and found[0] == mover(state):
        raise NotationError(f"{found[0]} has won and cannot be to move")
    return state


def write_action(action: Drop) -> str:
    """As `drop 4`."""
    return f"drop {action.column}"


def read_action(text: str) -> Drop | Refused:
    """The action that a text means."""
    if not re.fullmatch(r"drop [1-9]", text, re.ASCII):
        return Refused("c4.notation", f"{shortened(text)} is not like `drop 4`")
    return Drop(int(text[-1]))
