"""Positions as text."""

from domain.games.connect_four.state import State


def write_position(state: State) -> str:
    """The columns, with `-` for an empty one."""
    return "/".join(stack or "-" for stack in state.stacks)
