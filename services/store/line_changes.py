"""Moving the line of a live match: what was done last, what was left last, and the move itself."""

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
    redo_refusal,
    respond_to_undo,
    undo,
    undo_refusal,
)
from services.store.match_cache import RECENT_EVENTS, CachedMatch, MatchCache

T = TypeVar("T")

NEARBY_EVENTS: Final = 64
"""Events of a line among which to look before all of it is read."""


async def find_in_line(
    store: MatchCache,
    live: CachedMatch,
    match: AnyMatch,
    look: Callable[[list[Event], bool], T | None],
) -> T | None:
    """What is found among the line's events, the last first: among those in memory, or a few more,
    or else all."""
    stretches = line(match)
    for most in (RECENT_EVENTS, NEARBY_EVENTS):
        events = await store.events_of(live, _last(stretches, most))
        if (found := look([each.event for each in reversed(events)], False)) is not None:
            return found
    events = await store.events_of(live, stretches)
    return look([each.event for each in reversed(events)], True)


def _last(stretches: Sequence[range], most: int) -> list[range]:
    """The last versions of a line, at most so many."""
    found: list[range] = []
    for each in reversed(stretches):
        found.append(each[max(0, len(each) - most) :])
        most -= len(found[-1])
        if not most:
            break
    return found[::-1]


async def last_branch(store: MatchCache, live: CachedMatch, match: AnyMatch) -> int | None:
    """The end of the branch that was left last, of those in which anything was played."""
    for head in branch_heads(match):
        events = await store.events_of(live, branch_ranges(match, head))
        if any(is_play(each.event) for each in events):
            return head
    return None


class LineChange(Struct, frozen=True):
    """What a seat wants of the line: to go on from a version of it, or from an undone one."""

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
    """Have the line go on from where a seat wants it to; or ask for that."""
    match, seat, to = live.state, wanted.seat, wanted.to
    cannot, moving = (redo_refusal, redo) if wanted.is_redo else (undo_refusal, undo)
    if (no := cannot(match, seat, to)) is not None:
        return no
    stood = await store.at(live, to)
    events = await store.events_of(live, moved_ranges(match, to))
    return moving(match, seat, stood, events, command_context, seeds)


async def answer_line_change(
    store: MatchCache,
    live: CachedMatch,
    seat: str,
    command_context: CommandContext,
    seeds: SeedSource,
    *,
    granted: bool,
) -> Changeset[AnyMatch] | Rejection:
    """Grant or refuse the move that is asked for."""
    match = live.state
    to = (match.proposal and match.proposal.to) or match.version
    stood = await store.at(live, to)
    return respond_to_undo(match, seat, granted, command_context, lambda _: stood, seeds)
