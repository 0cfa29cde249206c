"""The policy of bots apart from their moves: search time, and responses to proposals."""

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
    """Return the search time in seconds for the time left on the clock; None without a clock."""
    if left_seconds is None:
        return longest
    return max(0.0, min(longest, left_seconds * CLOCK_SHARE, left_seconds - RESERVE_SECONDS))


def accepts_draw(win_chance: float) -> bool:
    """Return whether a draw is better than this win probability."""
    return win_chance < DRAW_THRESHOLD


def accepts_undo() -> bool:
    """Return True: a bot accepts each takeback, since its opponents want to learn."""
    return True
