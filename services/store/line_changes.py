"""Undo and redo in cached matches: finding the target, and changing the line."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.match import (
    AnyMatch,
    Changeset,
    Event,
    Outcome,
    SeedSource,
    branch_heads,
    branch_ranges,
    is_play,
    line,
    moved_ranges,
    redo,
    redo_rejection,
    respond_to_undo,
    undo,
    undo_rejection,
)
from services.store.match_cache import RECENT_EVENTS, CachedMatch, MatchCache

T = TypeVar("T")

NEARBY_EVENTS: Final = 64
"""Number of recent events of a line to search before all of it is read."""


async def find_in_line(
    store: MatchCache,
    live: CachedMatch,
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
    ranges = line(match)
    for limit in (RECENT_EVENTS, NEARBY_EVENTS):
        events = await store.events_of(live, _last(ranges, limit))
        if (found := look([each.event for each in reversed(events)], False)) is not None:
            return found
    events = await store.events_of(live, ranges)
    return look([each.event for each in reversed(events)], True)


def _last(ranges: Sequence[range], limit: int) -> list[range]:
    """Return the last versions of a line, at most `limit`."""
    found: list[range] = []
    for each in reversed(ranges):
        found.append(each[max(0, len(each) - limit) :])
        limit -= len(found[-1])
        if not limit:
            break
    return found[::-1]


async def last_branch(store: MatchCache, live: CachedMatch, match: AnyMatch) -> int | None:
    """Return the head of the most recently abandoned branch that contains actions."""
    for head in branch_heads(match):
        events = await store.events_of(live, branch_ranges(match, head))
        if any(is_play(each.event) for each in events):
            return head
    return None


class LineChange(Struct, frozen=True):
    """An undo or redo that a seat requests."""

    seat: str
    to: int
    is_redo: bool


async def change_line(
    store: MatchCache,
    live: CachedMatch,
    wanted: LineChange,
    command_context: CommandContext,
    seeds: SeedSource,
) -> Outcome:
    """Change the line to a version, or propose to; `wanted` says which and for whom."""
    match, seat, to = live.state, wanted.seat, wanted.to
    cannot, moving = (redo_rejection, redo) if wanted.is_redo else (undo_rejection, undo)
    if (no := cannot(match, seat, to)) is not None:
        return no
    state_at_target = await store.at(live, to)
    events = await store.events_of(live, moved_ranges(match, to))
    return moving(match, seat, state_at_target, events, command_context, seeds)


async def answer_line_change(
    store: MatchCache,
    live: CachedMatch,
    seat: str,
    command_context: CommandContext,
    seeds: SeedSource,
    *,
    granted: bool,
) -> Changeset[AnyMatch] | Rejection:
    """Accept or reject the pending proposal to change the line."""
    match = live.state
    to = (match.proposal and match.proposal.to) or match.version
    state_at_target = await store.at(live, to)
    return respond_to_undo(match, seat, granted, command_context, lambda _: state_at_target, seeds)
