"""What a request had recorded when it came first: for one that comes again, and is answered so."""

from collections.abc import Sequence
from itertools import accumulate

from domain.log.sealed_events import Sealed
from domain.match import AnyMatch, Decided, Event, LineContinued, evolve
from services.store.live_matches import Live, LiveMatch


async def recorded_by(
    store: Live, live: LiveMatch, first: int
) -> tuple[AnyMatch, list[Sealed[Event]]]:
    """The match before event `first`, and all events of the request that made it.

    Before the first of all there is no match: with that one, the match is as it began.
    """
    events = await store.events_of(live, (range(first, live.match.version + 1),))
    before = await store.at(live, max(first - 1, 1))
    return before, [each for each in events if each.event.request == events[0].event.request]


async def decided_again(
    store: Live, live: LiveMatch, before: AnyMatch, events: Sequence[Sealed[Event]]
) -> Decided:
    """What was decided with these events, which follow `before`."""
    goals = {each.event.to for each in events if isinstance(each.event, LineContinued)}
    stood = {to: (await store.at(live, to)).position for to in goals}
    matches = accumulate(
        events, lambda match, sealed: evolve(match, sealed, stood.__getitem__), initial=before
    )
    return Decided(tuple(events), tuple(matches)[1:])
