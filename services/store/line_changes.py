"""Moving the line of a live match: what was done last, what was left last, and the move itself."""

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
"""Events of a line among which to look before all of it is read."""


async def find(
    store: LiveMatches,
    live: LiveMatch,
    match: AnyMatch,
    look: Callable[[list[Event], bool], T | None],
) -> T | None:
    """What is found among the line's events, the last first: among those in memory, or a few more,
    or else all."""
    stretches = line(match)
    for most in (REMEMBERED, NEAR):
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


async def last_branch(store: LiveMatches, live: LiveMatch, match: AnyMatch) -> int | None:
    """The end of the branch that was left last, of those in which anything was played."""
    for head in abandoned(match):
        events = await store.events_of(live, taken_up(match, head))
        if any(is_play(each.event) for each in events):
            return head
    return None


class LineMove(Struct, frozen=True):
    """What a seat wants of the line: to go on from a version of it, or from an undone one."""

    seat: str
    to: int
    redoes: bool


async def move(
    store: LiveMatches, live: LiveMatch, wanted: LineMove, stamp: Stamp, seeds: Seeds
) -> Outcome:
    """Have the line go on from where a seat wants it to; or ask for that."""
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
    """Grant or refuse the move that is asked for."""
    match = live.state
    to = (match.proposal and match.proposal.to) or match.version
    stood = await store.at(live, to)
    return answer_undo(match, seat, granted, stamp, lambda _: stood, seeds)
