"""Undo and redo in cached matches: finding the target, and changing the line."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from domain.log.ledger import Denied
from domain.log.origin import Stamp
from domain.match import (
    AnyMatch,
    Decided,
    Event,
    Outcome,
    Seeds,
    abandoned,
    answer_undo,
    cannot_redo,
    cannot_undo,
    is_play,
    line,
    moved,
    redo,
    taken_up,
    undo,
)
from services.store.match_cache import REMEMBERED, LiveMatch, LiveMatches

T = TypeVar("T")

NEAR: Final = 64
"""Number of recent events of a line to search before all of it is read."""


async def find(
    store: LiveMatches,
    live: LiveMatch,
    match: AnyMatch,
    look: Callable[[list[Event], bool], T | None],
) -> T | None:
    """Search the line's events, latest first: those in memory, then a few more, then all.

    Args:
        store: The cache.
        live: The cached match.
        match: The state whose line is searched.
        look: Returns the result, or None. It gets the events, and whether they are all of the line.
    """
    stretches = line(match)
    for most in (REMEMBERED, NEAR):
        events = await store.events_of(live, _last(stretches, most))
        if (found := look([each.event for each in reversed(events)], False)) is not None:
            return found
    events = await store.events_of(live, stretches)
    return look([each.event for each in reversed(events)], True)


def _last(stretches: Sequence[range], most: int) -> list[range]:
    """Return the last versions of a line, at most `most`."""
    found: list[range] = []
    for each in reversed(stretches):
        found.append(each[max(0, len(each) - most) :])
        most -= len(found[-1])
        if not most:
            break
    return found[::-1]


async def last_branch(store: LiveMatches, live: LiveMatch, match: AnyMatch) -> int | None:
    """Return the head of the most recently abandoned branch that contains actions."""
    for head in abandoned(match):
        events = await store.events_of(live, taken_up(match, head))
        if any(is_play(each.event) for each in events):
            return head
    return None


class LineMove(Struct, frozen=True):
    """An undo or redo that a seat requests."""

    seat: str
    to: int
    redoes: bool


async def move(
    store: LiveMatches, live: LiveMatch, wanted: LineMove, stamp: Stamp, seeds: Seeds
) -> Outcome:
    """Change the line to a version, or propose to; `wanted` says which and for whom."""
    match, seat, to = live.state, wanted.seat, wanted.to
    cannot, moving = (cannot_redo, redo) if wanted.redoes else (cannot_undo, undo)
    if (no := cannot(match, seat, to)) is not None:
        return no
    stood = await store.at(live, to)
    events = await store.events_of(live, moved(match, to))
    return moving(match, seat, stood, events, stamp, seeds)


async def answer(
    store: LiveMatches, live: LiveMatch, seat: str, stamp: Stamp, seeds: Seeds, *, granted: bool
) -> Decided[AnyMatch] | Denied:
    """Accept or reject the pending proposal to change the line."""
    match = live.state
    to = (match.proposal and match.proposal.to) or match.version
    stood = await store.at(live, to)
    return answer_undo(match, seat, granted, stamp, lambda _: stood, seeds)
