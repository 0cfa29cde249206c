"""Repeated requests: what a request recorded the first time, so that it is answered alike."""

from itertools import accumulate
from typing import Any

from msgspec import Struct

from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Changeset, Event, LineContinued, evolve, requested_command
from services.store.match_cache import CachedMatch, MatchCache


class RecordedRequest(Struct, frozen=True):
    """The events that a request recorded."""

    before: AnyMatch
    """The match before them; for the request that created the match, its first state."""
    events: tuple[SealedEvent[Event], ...]

    @property
    def version(self) -> int:
        """Return the version of the first event."""
        return self.events[0].event.version

    @property
    def request(self) -> str:
        """Return the stored name of the request."""
        return self.events[0].event.request

    @property
    def command(self) -> list[Any]:
        """Return the actions or changes that were requested."""
        return requested_command(self.before, [each.event for each in self.events])


async def find_recorded_request(
    store: MatchCache, live: CachedMatch, request_id: str
) -> RecordedRequest | None:
    """Return what a request has recorded of a match; None for a new request."""
    first = live.version_of_request(*store.request_names(request_id))
    return None if first is None else await recorded_request_at(store, live, first)


async def recorded_request_at(store: MatchCache, live: CachedMatch, first: int) -> RecordedRequest:
    """Return what the request of event `first` has recorded."""
    events = await store.events_of(live, (range(first, live.state.version + 1),))
    before = await store.at(live, max(first - 1, 1))
    request = events[0].event.request
    return RecordedRequest(before, tuple(each for each in events if each.event.request == request))


async def replay_decision(
    store: MatchCache, live: CachedMatch, first: RecordedRequest
) -> Changeset[AnyMatch]:
    """Return the original decision of a repeated request."""
    goals = {each.event.to for each in first.events if isinstance(each.event, LineContinued)}
    states = {to: await store.at(live, to) for to in goals}
    matches = accumulate(
        first.events,
        lambda match, sealed: evolve(match, sealed, states.__getitem__, store.library),
        initial=first.before,
    )
    return Changeset(first.events, tuple(matches)[1:])
