"""Moving the line of a live match: what was done last, what was left last, and the move itself."""

from collections.abc import Callable
from itertools import takewhile
from typing import TypeVar

from msgspec import Struct

from domain.log.ledger import Denied
from domain.log.stamps import Stamp
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
from services.store.live_matches import LiveMatch, LiveMatches

T = TypeVar("T")


async def find(
    store: LiveMatches,
    live: LiveMatch,
    match: AnyMatch,
    look: Callable[[list[Event], bool], T | None],
) -> T | None:
    """What is found among the line's events, the last first: among the latest, or else all."""
    lately = {sealed.event.version: sealed.event for sealed, _ in live.lately}
    stretches = line(match)
    backwards = (version for each in reversed(stretches) for version in reversed(each))
    latest = [lately[version] for version in takewhile(lately.__contains__, backwards)]
    if (found := look(latest, False)) is not None:
        return found
    events = await store.events_of(live, stretches)
    return look([each.event for each in reversed(events)], True)


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
    to = (match.pending and match.pending.to) or match.version
    stood = await store.at(live, to)
    return answer_undo(match, seat, granted, stamp, lambda _: stood, seeds)
