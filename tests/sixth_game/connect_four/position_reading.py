"""Positions from text."""

import re

from domain.games.connect_four.state import Options, State, line, mover
from domain.kernel.notation_error import NotationError, short_quote


def read_position(text: str, options: Options) -> State:
    """The state of this text. Raises NotationError for a text that is no position."""
    if not re.fullmatch(r"(-|[ry]+)(/(-|[ry]+))*", text, re.ASCII):
        raise NotationError(f"a position is columns of r and y, not {short_quote(text)}")
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
