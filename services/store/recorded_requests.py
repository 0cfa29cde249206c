"""What a request had recorded when it came first: for one that comes again, and is answered so."""

from itertools import accumulate
from typing import Any

from msgspec import Struct

from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Changeset, Event, LineContinued, evolve, requested_command
from services.store.match_cache import CachedMatch, MatchCache


class RecordedRequest(Struct, frozen=True):
    """What a request had recorded."""

    before: AnyMatch
    """The match before that. Of the request that made the match, as it began."""
    events: tuple[SealedEvent[Event], ...]

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
        return requested_command(self.before, [each.event for each in self.events])


async def find_recorded_request(
    store: MatchCache, live: CachedMatch, request_id: str
) -> RecordedRequest | None:
    """What this request had recorded of a match; None for a new request."""
    first = live.version_of_request(*store.request_names(request_id))
    return None if first is None else await recorded_request_at(store, live, first)


async def recorded_request_at(store: MatchCache, live: CachedMatch, first: int) -> RecordedRequest:
    """What the request had recorded that made event `first`."""
    events = await store.events_of(live, (range(first, live.state.version + 1),))
    before = await store.at(live, max(first - 1, 1))
    request = events[0].event.request
    return RecordedRequest(before, tuple(each for each in events if each.event.request == request))


async def replay_decision(
    store: MatchCache, live: CachedMatch, first: RecordedRequest
) -> Changeset[AnyMatch]:
    """What was decided then."""
    goals = {each.event.to for each in first.events if isinstance(each.event, LineContinued)}
    stood = {to: await store.at(live, to) for to in goals}
    matches = accumulate(
        first.events,
        lambda match, sealed: evolve(match, sealed, stood.__getitem__, store.library),
        initial=first.before,
    )
    return Changeset(first.events, tuple(matches)[1:])
