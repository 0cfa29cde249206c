"""The log of a page: in memory, written at once, by the one who asks."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, JSONTranscoder, StoredEvent
from eventsourcing.popo import POPOAggregateRecorder, POPOApplicationRecorder

from domain.aggregates.mapper import EventMapper
from domain.log.sealed_events import Sealed
from services.store.errors import StoreError, VersionConflict
from services.store.log import Log
from services.store.writer import Writer, WriterStats


class PageWriter(Writer):
    """Writes each job at once, and tells of it: there is no disk to wait for, and no thread."""

    def __init__(self, recorder: POPOApplicationRecorder, written: Callable[[], object]) -> None:
        """`written` is called after each job."""
        self._recorder = recorder
        self._written = written
        self._jobs = 0

    def submit(self, events: Sequence[StoredEvent]) -> asyncio.Future[None]:
        """Have these events written, all or none. The future has the outcome already."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            self._insert(events)
        except StoreError as error:
            future.set_exception(error)
        else:
            future.set_result(None)
            self._written()
        return future

    def _insert(self, events: Sequence[StoredEvent]) -> None:
        self._jobs += 1
        try:
            self._recorder.insert_events(events)
        except IntegrityError:
            wanted: dict[UUID | str, int] = {}
            for event in events:
                wanted.setdefault(event.originator_id, event.originator_version)
            raise VersionConflict(wanted) from None

    def stats(self) -> WriterStats:
        """The counters as they stand."""
        return WriterStats(self._jobs, self._jobs, 1, 0, 0.0)

    def close(self) -> None:
        """Nothing waits."""


class PageLog(Log):
    """A log that lasts as long as the page."""

    def __init__(self, events: Sequence[StoredEvent] = ()) -> None:
        """A log that has these events."""
        self.recorder = POPOApplicationRecorder()
        self.recorder.insert_events(events)
        self.mapper = EventMapper(JSONTranscoder())
        self.known_version = lambda kind, identity: 0
        self.torn = False
        self.written: Callable[[], object] = lambda: None
        """Called whenever something was."""
        self._snapshots = POPOAggregateRecorder()
        self._suspects = {}
        self._writer = PageWriter(self.recorder, lambda: self.written())
        self._opened = ExitStack()

    def all(self) -> Sequence[StoredEvent]:
        """All events that it has, in order."""
        return self.recorder.select_notifications(None, self.newest())

    def has(self, sealed: Sealed[Any]) -> bool:
        """Is this very event in it?"""
        version = sealed.originator_version
        found = self.events(sealed.originator_id, after=version - 1, until=version)
        return any(each.digest == sealed.digest for each in found)
