"""How a bot behaves beside its moves: how long it thinks, and what it answers to requests."""

from typing import Final

MAX_SECONDS: Final = 10.0
"""For one action, where there is no clock or much time."""
CLOCK_SHARE: Final = 1 / 30
"""Of what is left on the clock, for one action."""
RESERVE_SECONDS: Final = 0.5
"""What the way to the service and back may take."""
DRAW_THRESHOLD: Final = 0.45
"""A draw is worth half a win: a bot that is nearly sure of less takes it."""


def seconds_to_think(left_seconds: float | None, longest: float = MAX_SECONDS) -> float:
    """For how long to think, with so much left on the clock; None for no clock.

    >>> seconds_to_think(None), seconds_to_think(60.0), seconds_to_think(0.4)
    (10.0, 2.0, 0.0)
    """
    if left_seconds is None:
        return longest
    return max(0.0, min(longest, left_seconds * CLOCK_SHARE, left_seconds - RESERVE_SECONDS))


def accepts_draw(win_chance: float) -> bool:
    """Is a draw better than playing on, with this chance of winning?"""
    return win_chance < DRAW_THRESHOLD


def accepts_undo() -> bool:
    """Does a bot let its opponent take something back? Always: who plays a bot wants to learn."""
    return True
