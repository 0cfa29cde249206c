"""The cache of matches, with their recent events and states, and their watchers.

The cache also defines the current version of a match. Read models may have an event a moment
earlier: readers wait for a write in progress, so that nobody sees less than was shown before.
Watchers are woken after that.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from typing import Final, Protocol, TypeVar
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.kernel.packs import Library
from domain.log.ledger import Changeset
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionTaken,
    AnyMatch,
    Event,
    FlagFallPendingError,
    SeedUnavailableError,
    evolve,
    target_version,
)
from domain.storage.snapshots import RequestVersions, take_snapshot
from projections.projector.schema import NameLookup, former_player_name
from services.store import aggregate_cache
from services.store.aggregate_cache import MAX_ATTEMPTS, AggregateCache, CachedAggregateWithRequests
from services.store.errors import MatchBusy, MatchUnknown, ProfilesUnavailable, SeedMissing
from services.store.loading import load_match, load_match_at, load_match_states
from services.store.log import Log
from services.store.watchers import Watchers

T = TypeVar("T")

RECENT_EVENTS: Final = 4
"""Recent events of a match in memory. An event takes ten times as much memory as a state, and is
quickly read again."""
RECENT_STATES: Final = 24
"""Recent states of a match in memory, which share most of their data."""
EARLIER_STATES: Final = 256
"""Earlier states that are kept once one was requested, for undoing step by step."""


class CachedMatch(CachedAggregateWithRequests[AnyMatch]):
    """A cached match, with its recent events and earlier states."""

    __slots__ = ("earlier_states", "recent_events", "recent_states")

    def __init__(self, match: AnyMatch, requests: RequestVersions) -> None:
        super().__init__(match, requests)
        self.recent_events: tuple[SealedEvent[Event], ...] = ()
        """The most recent events."""
        self.recent_states: tuple[AnyMatch, ...] = ()
        """The states after the most recent events, to which most undos return."""
        self.earlier_states: dict[int, AnyMatch] = {}
        """Earlier states by version, kept while players undo step by step."""

    def apply(self, changeset: Changeset[AnyMatch]) -> None:
        """Apply events that are on disk now."""
        super().apply(changeset)
        self.recent_events = (*self.recent_events, *changeset.events)[-RECENT_EVENTS:]
        self.recent_states = (*self.recent_states, *changeset.states)[-RECENT_STATES:]
        if self.earlier_states and any(
            isinstance(each.event, ActionTaken) for each in changeset.events
        ):
            self.earlier_states = {}


Decision = aggregate_cache.Decision[AnyMatch, T]
"""The events to record of a match, if any, and the response once they are on disk."""


class ClockKeeper(Protocol):
    """The keeper of the clocks of all matches."""

    def note(self, match: AnyMatch) -> None:
        """Record the new state of a match."""

    def has_unrecorded_downtime(self, match: AnyMatch) -> bool:
        """Return whether downtime is to be credited that is not recorded yet."""

    async def settle(self, identity: UUID) -> None:
        """Record flag falls and credited downtime of a match."""

    async def note_import(self, match: AnyMatch) -> None:
        """Record the state of an imported match."""


class MatchCache(AggregateCache[AnyMatch, CachedMatch]):
    """A cache of matches in memory, which decides and records their commands."""

    kind = "match"
    max_waiting = 64

    def __init__(
        self,
        store: Log,
        executor: Executor,
        library: Library,
        *,
        max_entries: int,
        snapshot_every: int,
        names: NameLookup = former_player_name,
    ) -> None:
        super().__init__(store, executor, max_entries=max_entries, snapshot_every=snapshot_every)
        self.library = library
        """The content packs that matches may use."""
        self.names = names
        """Returns the display names of frontends' players."""
        self.watchers = Watchers()
        """Wakes those who wait for new events in the cache."""
        self.on_changed_elsewhere = lambda identity: self.watchers.wake((identity,))
        self.request_names: Callable[[str], tuple[str, ...]] = lambda request_id: (request_id,)
        """Returns the names under which a request may be stored."""
        self.clock_keeper: ClockKeeper | None = None
        """The keeper of the clocks; None if there is none."""
        self.on_change: list[Callable[[UUID], None]] = []
        """Callbacks for each match that has new events."""

    def version(self, identity: UUID) -> int:
        """Return the version of a cached match; 0 for any other."""
        held = self._entries.get(identity)
        return held.state.version if held else 0

    def note_versions(self, versions: Mapping[UUID, int]) -> None:
        """Note the versions of matches that the log has, and wake their watchers."""
        for identity in versions:
            for callback in self.on_change:
                callback(identity)
        super().note_versions(versions)
        self.watchers.wake([each for each in versions if each not in self._entries])

    async def command(
        self, identity: UUID, decide: Callable[[CachedMatch], Awaitable[Decision[T]]]
    ) -> T:
        """Decide for a match after recording flag falls and downtime.

        Raises SeedMissing if the match needs a seed that this service does not have.
        """

        # Quoted, since it would be evaluated for each command.
        async def in_time(live: CachedMatch) -> "Decision[T]":
            if self.clock_keeper is not None and self.clock_keeper.has_unrecorded_downtime(
                live.state
            ):
                raise FlagFallPendingError(identity)
            changeset = await decide(live)
            # The clock may have been set meanwhile: then the decision counts skipped time.
            if self.clock_keeper is not None and self.clock_keeper.has_unrecorded_downtime(
                live.state
            ):
                raise FlagFallPendingError(identity)
            return changeset

        for _ in range(MAX_ATTEMPTS):
            try:
                return await self.decide_now(identity, in_time)
            except FlagFallPendingError:
                if self.clock_keeper is None:
                    raise
                await self.clock_keeper.settle(identity)
        raise self._busy(identity)

    async def decide_now(
        self, identity: UUID, decide: Callable[[CachedMatch], Awaitable[Decision[T]]]
    ) -> T:
        """Decide for a match. Raises TimeUp if a flag fell before."""
        try:
            return await super().command(identity, decide)
        except SeedUnavailableError as error:
            raise SeedMissing(identity, str(error)) from None

    async def record_for_many(self, changeset: Sequence[Changeset[AnyMatch]]) -> None:
        """Record independent decisions for many matches, all or nothing.

        The matches are not locked: VersionConflict is raised if one of them has changed. A
        concurrent command decides again.
        """
        await self._store.write([sealed for each in changeset for sealed in each.events])
        for each in changeset:
            self.evict(each.state.id)
        self.watchers.wake([each.state.id for each in changeset])

    async def state_and_events_since(
        self, live: CachedMatch, version: int
    ) -> tuple[AnyMatch, list[SealedEvent[Event]]]:
        """Return the match as of a version (at least 1), and the events since."""
        for state in live.recent_states:
            if state.version == version:
                since = range(version + 1, live.state.version + 1)
                return state, await self.events_of(live, (since,) if since else ())
        before, events = await self.load_since(live.state.id, version + 1)
        assert before is not None
        return before, events

    async def at(self, live: CachedMatch, version: int) -> AnyMatch:
        """Return the match as of a version, from 1 to the current one."""
        if version == live.state.version:
            return live.state
        known = {each.version: each for each in live.recent_states} | live.earlier_states
        if version not in known:

            def read() -> list[AnyMatch]:
                return load_match_states(
                    self._store, live.state.id, version, EARLIER_STATES, self.library
                )

            states = await self._read(read)
            known = live.earlier_states = {each.version: each for each in states}
        return known[version]

    async def events_of(
        self, live: CachedMatch, ranges: Sequence[range]
    ) -> list[SealedEvent[Event]]:
        """Return the events of these version ranges, in this order."""
        recent = {sealed.event.version: sealed for sealed in live.recent_events}

        def read() -> list[SealedEvent[Event]]:
            events: list[SealedEvent[Event]] = []
            for each in ranges:
                if each.start in recent:
                    events += [recent[version] for version in each]
                else:
                    until = each.stop - 1
                    events += self._store.events(live.state.id, after=each.start - 1, until=until)
            return events

        if all(each.start in recent for each in ranges):
            return read()
        return await self._read(read)

    async def load_since(
        self, identity: UUID, first: int
    ) -> tuple[AnyMatch | None, list[SealedEvent[Event]]]:
        """Return the match before version `first`, and its events from that one on."""

        def read() -> tuple[AnyMatch | None, list[SealedEvent[Event]]]:
            before = (
                load_match_at(self._store, identity, first - 1, self.library) if first > 1 else None
            )
            return before, list(self._store.events(identity, after=first - 1))

        return await self._read(read)

    async def _write(
        self, identity: UUID, held: CachedMatch, changeset: Changeset[AnyMatch]
    ) -> None:
        try:
            await super()._write(identity, held, changeset)
        finally:
            if self.clock_keeper is not None:
                self.clock_keeper.note(held.state)
            for callback in self.on_change:
                callback(identity)
            self.watchers.wake((identity,))

    def _load(self, identity: UUID) -> CachedMatch | None:
        loaded = load_match(self._store, identity, self.library)
        return None if loaded is None else self._with_names(CachedMatch(*loaded))

    def _copy(self, held: CachedMatch) -> CachedMatch:
        copy = CachedMatch(held.state, dict(held.requests))
        copy.recent_events, copy.recent_states = held.recent_events, held.recent_states
        return copy

    def _catch_up(self, held: CachedMatch) -> CachedMatch | None:
        match, positions = held.state, {each.version: each.position for each in held.recent_states}
        positions[match.version] = match.position
        after, digest = match.version, match.digest
        for sealed in self._store.events(match.id, after=after, digest=digest):
            if (target_version(sealed.event) or after) not in positions:
                return None
            match = evolve(match, sealed, positions.__getitem__, self.library)
            positions[match.version] = match.position
            held.apply(Changeset((sealed,), (match,)))
        return self._with_names(held)

    def _with_names(self, held: CachedMatch) -> CachedMatch:
        """Load the names of the match's players, so that showing it does not block."""
        for holder in held.state.holders.values():
            if holder.id is not None:
                with suppress(ProfilesUnavailable):  # read again when it is needed
                    self.names(holder.id)
        return held

    def _new_entry(self, created: Changeset[AnyMatch]) -> CachedMatch:
        began = CachedMatch(created.state, {})
        began.apply(created)
        if self.clock_keeper is not None:
            self.clock_keeper.note(began.state)
        return began

    def _unknown(self, identity: UUID) -> MatchUnknown:
        return MatchUnknown(identity)

    def _busy(self, identity: UUID) -> MatchBusy:
        return MatchBusy(identity)

    def _snapshot(self, held: CachedMatch) -> Callable[[], StoredEvent]:
        match, requests = held.state, dict(held.requests)
        return lambda: take_snapshot(match, requests)
