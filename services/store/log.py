"""The event log: one writer for all events, and reads of aggregates.

Code outside `services.store` does not depend on the database.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
import structlog
from eventsourcing.persistence import (
    IntegrityError,
    PersistenceError,
    StoredEvent,
)
from msgspec.structs import replace

from domain import army, runs
from domain.conditional_moves import Event as PlanEvent
from domain.log.sealed_events import SealedEvent
from domain.match import Event, FoldInput
from domain.storage.topics import ARMY, KINDS, MATCH, PLAN, SERVICE, TABLE, kind_of
from domain.table import Event as TableEvent
from services.runtime import tracing
from services.runtime.metrics import WriterStats
from services.store.chain import EventRange, decode_rows, record_damaged, verify_rows
from services.store.cipher_keys import NO_KEYS, CipherKeys
from services.store.commit_batcher import CommitBatcher
from services.store.errors import LogFailed
from services.store.faults import FAULTS, diagnose
from services.store.opened_log import Downtime, Lease, StartupWork
from services.store.sqlite.lock import LogLock
from services.store.stores import file_of, open_log
from services.store.writer import Writer

T = TypeVar("T")
_LOG: Final = structlog.get_logger(__name__)

FILE: Final = "log.sqlite"
"""Name of the log's file in the data folder, unless the log is elsewhere."""
PAGE_SIZE: Final = 1000
"""Number of events of an aggregate that are read at once."""


class _Timed(msgspec.Struct):
    at: datetime


class Log:
    """One log, open for writing. Reads are thread-safe."""

    def __init__(
        self,
        folder: Path,
        on_failure: Callable[[LogFailed], object],
        store: str = "",
        cipher: CipherKeys = NO_KEYS,
        meanwhile: StartupWork = lambda: None,
    ) -> None:
        """Open or create a log.

        Args:
            folder: The data folder, which exists.
            on_failure: Called in another thread when the log must not be written any more. If the
                disk
                failed, once; if the log was deleted, replaced, or lost events, at each access.
            store: URI of the log; empty for the file in the folder.
            cipher: The cipher keys.
            meanwhile: Called after the folder is locked, while the file is checked.

        Raises:
            StoreError: StoreUnknown, LogLocked, LogTooNew, LogForeign, LogDamaged, LogNotDurable,
                CipherKeyMissing or LogUnavailable.
        """
        with ExitStack() as stack:
            own = folder / FILE
            uri = store or f"sqlite:{own}"
            file = file_of(uri)
            if file is None or file.resolve() != own.resolve():
                # Wherever the log is, only this process may use the folder.
                stack.enter_context(LogLock(own))
            opened = open_log(uri, on_failure, cipher, meanwhile)
            stack.callback(opened.close)
            self._writer = stack.enter_context(Writer(opened.recorder, on_failure=on_failure))
            self._closing = stack.pop_all()
        self._log = opened
        self.recorder = opened.recorder
        self.mapper = opened.mapper
        self.cipher = cipher
        """The cipher keys of the log."""
        self.name = opened.name
        """Location of the log, for people."""
        self.side_store = opened.side_store
        """The data outside the event log: player profiles, delivery progress, attestations."""
        self.torn = opened.torn
        """Whether the last commit before this start was incomplete. If it was acknowledged, data is
        lost."""
        self.commit_batcher = CommitBatcher()
        """Batches commands; each command waits here before it is decided."""
        self.known_version: Callable[[str, UUID], int] = lambda kind, identity: 0
        """Returns a known minimum version of an aggregate by kind and id, to detect lost events."""

    def trust_fingerprints(self, fingerprints: Mapping[str, str]) -> None:
        """Raise KeysDiffer unless all services on the log have keys of these fingerprints."""
        self._log.trust_fingerprints(fingerprints)

    def exclusive_lease(self, name: str) -> AbstractContextManager[Lease]:
        """Return a lease for work that only one of the services on the log may do.

        Check it before each piece of work, in a thread: it blocks.
        """
        return self._log.lease(name)

    def register(self) -> Downtime | None:
        """Register this service on a shared log and return the last downtime; else return None.

        Blocks. Raises LogUnavailable.
        """
        return self._log.register() if self._log.register else None

    def heartbeat(self) -> None:
        """Write a heartbeat, which also shows whether the log is writable. Blocks.

        Raises LogUnavailable.
        """
        self._log.heartbeat()

    def pool(self) -> Mapping[str, int]:
        """Return statistics of the connection pool by psycopg_pool's names; empty for a file."""
        return self._log.pool()

    @property
    def shared(self) -> bool:
        """Return whether other services may write to the log."""
        return self._log.shared

    def newest_version(self, identity: UUID, known: int) -> int:
        """Return the version of an aggregate that has at least `known` events. Blocks.

        Raises LogUnavailable.
        """
        try:
            later = self.recorder.select_events(identity, gt=known, desc=True, limit=1)
        except FAULTS as error:
            raise diagnose(error) from error
        return later[0].originator_version if later else known

    async def write(self, events: Sequence[SealedEvent[Any]]) -> None:
        """Write events, all or none; they are on disk when it returns.

        Raises LogOverloaded, VersionConflict, EventsUnstorable or LogUnavailable: nothing was
        written then, except that after LogFailed nobody knows. A canceled caller gets the outcome
        first: after CancelledError the events are on disk.
        """
        if not events:
            return
        written = self._writer.submit([self.mapper.to_stored_event(each) for each in events])
        self.commit_batcher.commit_started()
        with tracing.commit_span(events):
            try:
                await written
            except asyncio.CancelledError:
                written.result()  # a failure is raised even to a canceled caller
                raise
            finally:
                self.commit_batcher.commit_finished(events[0].originator_id)

    def events(
        self,
        match: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        digest: str | None = None,
    ) -> Iterator[SealedEvent[Event]]:
        """Yield the events of a match after a version, up to and including another.

        Blocks on the disk. Yields nothing for an id that is no match.

        Args:
            match: The match.
            after: The version before the first event.
            until: The version of the last event; None for all.
            digest: Known digest of event `after`.

        Raises:
            RecordDamaged: The events are not those that were recorded, or are unreadable.
        """
        event_range = EventRange(MATCH, match, after, until, digest)
        return self._checked(event_range, self.mapper.to_domain_event)

    def steps(
        self,
        match: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        digest: str | None = None,
    ) -> Iterator[FoldInput]:
        """Yield the same events, reduced to what folding needs."""
        event_range = EventRange(MATCH, match, after, until, digest)
        return self._checked(event_range, self.mapper.to_step)

    def unchecked(self, match: UUID) -> Iterator[SealedEvent[Event]]:
        """Yield all events of a match without verification. Blocks on the disk.

        Raises:
            MapperDeserialisationError: An event is unreadable.
            PersistenceError: The log is unreadable.
        """
        return map(self.mapper.to_domain_event, self._stored(MATCH, match, 0))

    def army_events(
        self, identity: UUID, until: int | None = None
    ) -> Iterator[SealedEvent[army.Event]]:
        """Yield the events of a saved army, like `events`."""
        event_range = EventRange(ARMY, identity, until=until)
        return self._checked(event_range, self.mapper.to_domain_event)

    def account_events(
        self, kind: str, identity: UUID, until: int | None = None
    ) -> Iterator[SealedEvent[Any]]:
        """Yield the events of a frontend or a player, like `events`."""
        event_range = EventRange(kind, identity, until=until)
        return self._checked(event_range, self.mapper.to_domain_event)

    def plan_events(self, identity: UUID) -> Iterator[SealedEvent[PlanEvent]]:
        """Yield the events of conditional moves, like `events`."""
        return self._checked(EventRange(PLAN, identity), self.mapper.to_domain_event)

    def run_events(self) -> Iterator[SealedEvent[runs.RunBegun]]:
        """Yield the runs of the service, like `events`."""
        return self._checked(EventRange(SERVICE, runs.SERVICE_ID), self.mapper.to_domain_event)

    def table_events(
        self,
        identity: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        digest: str | None = None,
    ) -> Iterator[SealedEvent[TableEvent]]:
        """Yield the events of a table, like `events`."""
        event_range = EventRange(TABLE, identity, after, until, digest)
        return self._checked(event_range, self.mapper.to_domain_event)

    def _checked(self, event_range: EventRange, decode: Callable[[StoredEvent], T]) -> Iterator[T]:
        """Yield decoded events after verifying their chain."""
        # Read before the log, which may grow in between.
        kind, identity = event_range.kind, event_range.identity
        event_range = replace(event_range, least=self.known_version(kind, identity))
        if identity in self._log.suspects:
            raise record_damaged(event_range, event_range.first, self._log.suspects[identity])
        rows = self._stored(kind, identity, event_range.first - 1, event_range.until)
        return decode_rows(event_range, verify_rows(event_range, rows, self.mapper.link), decode)

    def _stored(
        self, kind: str, identity: UUID, after: int, until: int | None = None
    ) -> Iterator[StoredEvent]:
        """Yield the stored events of an aggregate; none if it is of another kind."""
        while True:
            page = self.recorder.select_events(identity, gt=after, lte=until, limit=PAGE_SIZE)
            if page and kind_of(page[0]) in KINDS - {kind}:
                return
            yield from page
            if len(page) < PAGE_SIZE:
                return
            after = page[-1].originator_version

    def latest_snapshot(self, match: UUID, until: int | None = None) -> StoredEvent | None:
        """Return the latest readable snapshot of an aggregate up to a version, or None."""
        try:
            found = self._log.snapshots.select_events(match, lte=until, desc=True, limit=1)
        except PersistenceError as error:  # snapshots are optional
            _LOG.warning("snapshot_unreadable", identity=str(match), why=str(error))
            return None
        try:
            return next((_with(each, self.cipher.decrypt(each.state)) for each in found), None)
        except ValueError as error:  # a missing cipher key, or damaged data
            _LOG.warning("snapshot_unreadable", identity=str(match), why=str(error))
            return None

    def put_snapshot(self, snapshot: StoredEvent) -> None:
        """Store a snapshot. Raises StoreError if that fails; snapshots are optional."""
        try:
            sealed = _with(snapshot, self.cipher.encrypt(snapshot.state))
            self._log.snapshots.insert_events([sealed])
        except IntegrityError:
            return  # another service has stored it
        except FAULTS as error:
            raise diagnose(error) from error

    def newest(self) -> int:
        """Return the number of the last event in the log; 0 if it is empty."""
        return self.recorder.max_notification_id() or 0

    def newest_time(self) -> datetime | None:
        """Return when the last event was recorded; None if there is none or it is unreadable."""
        try:
            (last,) = self.recorder.select_notifications(self.newest(), 1)
            return msgspec.json.decode(self.mapper.link(last)[1], type=_Timed).at
        except (*FAULTS, msgspec.MsgspecError, ValueError):
            return None  # other reads report the error

    def stats(self) -> WriterStats:
        """Return the writer's counters."""
        return self._writer.stats()

    def close(self) -> None:
        """Write waiting events, then close the files. Blocks."""
        self._closing.close()


def _with(stored: StoredEvent, state: bytes) -> StoredEvent:
    return StoredEvent(stored.originator_id, stored.originator_version, stored.topic, state)
