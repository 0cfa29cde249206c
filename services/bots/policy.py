"""The policy of bots apart from their moves: search time, and responses to proposals."""

from typing import Final

MAX_SECONDS: Final = 10.0
"""Maximum search time for one action."""
CLOCK_SHARE: Final = 1 / 30
"""Share of the remaining clock time to search for one action."""
RESERVE_SECONDS: Final = 0.5
"""Clock time reserved for the request to the service and its response."""
DRAW_THRESHOLD: Final = 0.45
"""Win probability below which a bot accepts a draw, which is worth half a win."""


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
