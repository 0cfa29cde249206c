"""What the coach found, put into the page that replays the match: a graph, and what was missed."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from projections.replay.page import in_a_script

PLACE: Final = '<script type="application/json" id="match">'
"""Before which it goes."""


class Worth(Struct, frozen=True):
    """What was found of one event."""

    version: int
    chances: Mapping[str, float]
    """Of each seat to win, after it."""
    mistake: str
    """As `blunder`; empty for none."""
    missed: tuple[str, ...]
    """What would have been better, in words."""


def with_analysis(page: str, seats: Sequence[str], found: Sequence[Worth]) -> str:
    """The page of a replay with what the coach found in it."""
    before, place, after = page.partition(PLACE)
    assert place, "a page of `projections.replay.page`"
    told = in_a_script({"seats": seats, "events": found})
    return f'{before}<script type="application/json" id="analysis">{told}</script>\n{place}{after}'
