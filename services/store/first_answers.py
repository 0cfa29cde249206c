"""What a request had recorded when it came first: for one that comes again, and is answered so."""

from itertools import accumulate
from typing import Any

from msgspec import Struct

from domain.log.sealed_events import Sealed
from domain.match import AnyMatch, Decided, Event, LineContinued, asked_for, evolve
from services.store.match_cache import LiveMatch, LiveMatches


class FirstAnswer(Struct, frozen=True):
    """What a request had recorded."""

    before: AnyMatch
    """The match before that. Of the request that made the match, as it began."""
    events: tuple[Sealed[Event], ...]

    @property
    def version(self) -> int:
        """The version of its first event."""
        return self.events[0].event.version

    @property
    def request(self) -> str:
        """The request as it is stored."""
        return self.events[0].event.request

    @property
    def asked(self) -> list[Any]:
        """What it asked for."""
        return asked_for(self.before, [each.event for each in self.events])


async def first_answer(store: LiveMatches, live: LiveMatch, request_id: str) -> FirstAnswer | None:
    """What this request had recorded of a match; None for a new request."""
    first = live.made_by(*store.request_names(request_id))
    return None if first is None else await answer_at(store, live, first)


async def answer_at(store: LiveMatches, live: LiveMatch, first: int) -> FirstAnswer:
    """What the request had recorded that made event `first`."""
    events = await store.events_of(live, (range(first, live.state.version + 1),))
    before = await store.at(live, max(first - 1, 1))
    request = events[0].event.request
    return FirstAnswer(before, tuple(each for each in events if each.event.request == request))


async def decided_again(
    store: LiveMatches, live: LiveMatch, first: FirstAnswer
) -> Decided[AnyMatch]:
    """What was decided then."""
    goals = {each.event.to for each in first.events if isinstance(each.event, LineContinued)}
    stood = {to: await store.at(live, to) for to in goals}
    matches = accumulate(
        first.events,
        lambda match, sealed: evolve(match, sealed, stood.__getitem__, store.library),
        initial=first.before,
    )
    return Decided(first.events, tuple(matches)[1:])
