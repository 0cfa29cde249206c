"""The log: opens the event store, writes to it through one writer, and reads matches from it.

Nothing outside `services.store` knows what keeps it.
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
"""The log's file, in the folder of the service's data, unless it is elsewhere."""
PAGE_SIZE: Final = 1000
"""Events of a match read at once."""


class _Timed(msgspec.Struct):
    at: datetime


class Log:
    """One log, open for writing. Reading is safe from any thread."""

    def __init__(
        self,
        folder: Path,
        on_failure: Callable[[LogFailed], object],
        store: str = "",
        cipher: CipherKeys = NO_KEYS,
        meanwhile: StartupWork = lambda: None,
    ) -> None:
        """Open or make the log that a URI names; without one, the file in a folder that exists.

        `meanwhile` is done once this process has the folder to itself, while the file is gone
        through, and needs nothing of it.

        `on_failure` is called in another thread when the log must not be written any more: since
        its disk failed, once, or since it was deleted, replaced, or lost events, each time that
        somebody comes upon it.
        Raises StoreUnknown, LogLocked, LogTooNew, LogForeign, LogDamaged, LogNotDurable,
        CipherKeyMissing or LogUnavailable.
        """
        with ExitStack() as stack:
            own = folder / FILE
            uri = store or f"sqlite:{own}"
            file = file_of(uri)
            if file is None or file.resolve() != own.resolve():
                # Wherever the log is, what lies in the folder is this process's alone.
                stack.enter_context(LogLock(own))
            opened = open_log(uri, on_failure, cipher, meanwhile)
            stack.callback(opened.close)
            self._writer = stack.enter_context(Writer(opened.recorder, on_failure=on_failure))
            self._closing = stack.pop_all()
        self._log = opened
        self.recorder = opened.recorder
        self.mapper = opened.mapper
        self.cipher = cipher
        """The keys that it is encrypted under."""
        self.name = opened.name
        """Where it is, for people."""
        self.beside = opened.beside
        """What is kept beside it: for `people`, `deliveries` and imported files."""
        self.torn = opened.torn
        """The last commit before this start was not whole. If others know of it, it was once."""
        self.commit_batcher = CommitBatcher()
        """Who has something to decide for goes through it first."""
        self.known_version: Callable[[str, UUID], int] = lambda kind, identity: 0
        """How many events others know of a match, army or table, by its kind and name: the log must
        have as many."""

    def vouch(self, fingerprints: Mapping[str, str]) -> None:
        """Raise KeysDiffer unless all who share the log have keys of these fingerprints."""
        self._log.vouch(fingerprints)

    def exclusive_lease(self, name: str) -> AbstractContextManager[Lease]:
        """The right to do what only one of the services on the log may do, as long as it is held.

        Ask for it before each piece of work, in a thread: it blocks.
        """
        return self._log.lease(name)

    def register(self) -> Downtime | None:
        """The last time in which no service was on a shared log, one of which is there from now on;
        None for a log that is not shared. Blocks. LogUnavailable."""
        return self._log.register() if self._log.register else None

    def heartbeat(self) -> None:
        """Write something small, to find out whether the log can be written. On a shared log it
        says that this service is there yet. Blocks. LogUnavailable."""
        self._log.heartbeat()

    def pool(self) -> Mapping[str, int]:
        """Return counts of the pool of connections, as psycopg_pool names them; none for a file."""
        return self._log.pool()

    @property
    def shared(self) -> bool:
        """May other services write to it meanwhile?"""
        return self._log.shared

    def newest_version(self, identity: UUID, known: int) -> int:
        """How many events the log has of an aggregate that is known to have so many. Blocks.
        LogUnavailable if it cannot be asked."""
        try:
            later = self.recorder.select_events(identity, gt=known, desc=True, limit=1)
        except FAULTS as error:
            raise diagnose(error) from error
        return later[0].originator_version if later else known

    async def write(self, events: Sequence[SealedEvent[Any]]) -> None:
        """Write these events, all or none; they are on disk when it returns.

        Raises LogOverloaded, VersionConflict, EventsUnstorable or LogUnavailable: nothing was
        written then, except that after a LogFailed nobody knows. Whoever is cancelled meanwhile
        learns the outcome first: after CancelledError they are on disk.
        """
        if not events:
            return
        written = self._writer.submit([self.mapper.to_stored_event(each) for each in events])
        self.commit_batcher.write()
        with tracing.commit_span(events):
            try:
                await written
            except asyncio.CancelledError:
                written.result()  # one that failed is told, also to whoever was cancelled meanwhile
                raise
            finally:
                self.commit_batcher.written(events[0].originator_id)

    def events(
        self,
        match: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        digest: str | None = None,
    ) -> Iterator[SealedEvent[Event]]:
        """Events of a match in order: those after a version, up to and with another.

        `digest` is what event `after` is known to have. None for what is no match. Blocks on the
        disk. RecordDamaged if they are not those that were recorded, or cannot be read.
        """
        stretch = EventRange(MATCH, match, after, until, digest)
        return self._checked(stretch, self.mapper.to_domain_event)

    def steps(
        self,
        match: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        digest: str | None = None,
    ) -> Iterator[FoldInput]:
        """The same events, as much of them as folding needs."""
        stretch = EventRange(MATCH, match, after, until, digest)
        return self._checked(stretch, self.mapper.to_step)

    def unchecked(self, match: UUID) -> Iterator[SealedEvent[Event]]:
        """All events of a match as they lie there, for who checks them. Blocks on the disk.

        MapperDeserialisationError for one that cannot be read, PersistenceError if the file cannot.
        """
        return map(self.mapper.to_domain_event, self._stored(MATCH, match, 0))

    def army_events(
        self, identity: UUID, until: int | None = None
    ) -> Iterator[SealedEvent[army.Event]]:
        """Events of a saved army in order, as `events`; none for what is no army."""
        stretch = EventRange(ARMY, identity, until=until)
        return self._checked(stretch, self.mapper.to_domain_event)

    def account_events(
        self, kind: str, identity: UUID, until: int | None = None
    ) -> Iterator[SealedEvent[Any]]:
        """Events of a frontend or a player in order, as `events`; none for what is none."""
        stretch = EventRange(kind, identity, until=until)
        return self._checked(stretch, self.mapper.to_domain_event)

    def plan_events(self, identity: UUID) -> Iterator[SealedEvent[PlanEvent]]:
        """Events of a plan in order, as `events`; none for what is no plan."""
        return self._checked(EventRange(PLAN, identity), self.mapper.to_domain_event)

    def run_events(self) -> Iterator[SealedEvent[runs.RunBegun]]:
        """The runs of the service in order, as `events`."""
        return self._checked(EventRange(SERVICE, runs.SERVICE_ID), self.mapper.to_domain_event)

    def table_events(
        self,
        identity: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        digest: str | None = None,
    ) -> Iterator[SealedEvent[TableEvent]]:
        """Events of a table in order, as `steps`, but whole; none for what is no table."""
        stretch = EventRange(TABLE, identity, after, until, digest)
        return self._checked(stretch, self.mapper.to_domain_event)

    def _checked(self, stretch: EventRange, decode: Callable[[StoredEvent], T]) -> Iterator[T]:
        """What `_stored` has, where each is the event that was recorded: `chain.checked`."""
        # Asked before the log is read, which may have grown since.
        kind, identity = stretch.kind, stretch.identity
        stretch = replace(stretch, least=self.known_version(kind, identity))
        if identity in self._log.suspects:
            raise record_damaged(stretch, stretch.first, self._log.suspects[identity])
        rows = self._stored(kind, identity, stretch.first - 1, stretch.until)
        return decode_rows(stretch, verify_rows(stretch, rows, self.mapper.link), decode)

    def _stored(
        self, kind: str, identity: UUID, after: int, until: int | None = None
    ) -> Iterator[StoredEvent]:
        """Stored events of an aggregate of this kind in order; none for one of another kind."""
        while True:
            page = self.recorder.select_events(identity, gt=after, lte=until, limit=PAGE_SIZE)
            if page and kind_of(page[0]) in KINDS - {kind}:
                return
            yield from page
            if len(page) < PAGE_SIZE:
                return
            after = page[-1].originator_version

    def latest_snapshot(self, match: UUID, until: int | None = None) -> StoredEvent | None:
        """The newest snapshot of a match up to a version, if there is one that can be read."""
        try:
            found = self._log.snapshots.select_events(match, lte=until, desc=True, limit=1)
        except PersistenceError as error:  # it only saves time
            _LOG.warning("snapshot_unreadable", identity=str(match), why=str(error))
            return None
        try:
            return next((_with(each, self.cipher.decrypt(each.state)) for each in found), None)
        except ValueError as error:  # of a key that is gone, or changed
            _LOG.warning("snapshot_unreadable", identity=str(match), why=str(error))
            return None

    def put_snapshot(self, snapshot: StoredEvent) -> None:
        """Keep a snapshot. StoreError if it cannot be written; a match can do without."""
        try:
            sealed = _with(snapshot, self.cipher.encrypt(snapshot.state))
            self._log.snapshots.insert_events([sealed])
        except IntegrityError:
            return  # another service has taken it
        except FAULTS as error:
            raise diagnose(error) from error

    def newest(self) -> int:
        """The number of the last event in the log; 0 if it is empty."""
        return self.recorder.max_notification_id() or 0

    def newest_time(self) -> datetime | None:
        """When the last event was recorded; None if there is none, or if it cannot be read."""
        try:
            (last,) = self.recorder.select_notifications(self.newest(), 1)
            return msgspec.json.decode(self.mapper.link(last)[1], type=_Timed).at
        except (*FAULTS, msgspec.MsgspecError, ValueError):
            return None  # whoever asks for it otherwise is told why

    def stats(self) -> WriterStats:
        """The writer's counters."""
        return self._writer.stats()

    def close(self) -> None:
        """Write what waits, then let go of the files; blocks meanwhile."""
        self._closing.close()


def _with(stored: StoredEvent, state: bytes) -> StoredEvent:
    return StoredEvent(stored.originator_id, stored.originator_version, stored.topic, state)
