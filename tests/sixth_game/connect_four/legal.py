"""Whose turn it is, what may be done, and how it ended."""

from collections.abc import Iterator

from domain.games.connect_four.actions import Drop
from domain.games.connect_four.state import State, line, mover
from domain.kernel.game import Prompt, Result


def turn(state: State) -> tuple[Prompt, ...]:
    """The prompt for the next disc."""
    return () if result(state) else (Prompt(mover(state), "disc"),)


def legal(state: State, seat: str) -> Iterator[Drop]:
    """A disc into each column that is not full."""
    if any(prompt.seat == seat for prompt in turn(state)):
        for number, stack in enumerate(state.stacks, 1):
            if len(stack) < state.rows:
                yield Drop(number)


def result(state: State) -> Result | None:
    """Four in a row, or a full board."""
    found = line(state)
    if found is not None:
        return Result((found[0],), "line", "1-0" if found[0] == "red" else "0-1")
    full = all(len(stack) == state.rows for stack in state.stacks)
    return Result((), "full", "1/2-1/2") if full else None
