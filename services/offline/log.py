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
from services.store.beside import Beside
from services.store.cipher_keys import NO_KEYS
from services.store.errors import StoreError, VersionConflict
from services.store.log import Log
from services.store.opened import OpenedLog
from services.store.writer import Writer


class PageWriter(Writer):
    """Writes each job at once, and tells of it: there is no disk to wait for, and no thread."""

    def __init__(self, recorder: POPOApplicationRecorder, written: Callable[[], object]) -> None:
        """`written` is called after each job."""
        self._recorder = recorder
        self._written = written

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
        try:
            self._recorder.insert_events(events)
        except IntegrityError:
            wanted: dict[UUID | str, int] = {}
            for event in events:
                wanted.setdefault(event.originator_id, event.originator_version)
            raise VersionConflict(wanted) from None

    def close(self) -> None:
        """Nothing waits."""


class PageLog(Log):
    """A log that lasts as long as the page."""

    def __init__(self, beside: Beside, events: Sequence[StoredEvent] = ()) -> None:
        """A log that has these events, and this beside it."""
        recorder = POPOApplicationRecorder()
        recorder.insert_events(events)
        self.written: Callable[[], object] = lambda: None
        """Called whenever something was."""
        closing = ExitStack()
        opened = OpenedLog(
            name="the memory of a page",
            recorder=recorder,
            snapshots=POPOAggregateRecorder(),
            mapper=EventMapper(JSONTranscoder()),
            beside=beside,
            close=closing.close,
        )
        self._use(opened, PageWriter(recorder, lambda: self.written()), NO_KEYS, closing)

    def all(self) -> Sequence[StoredEvent]:
        """All events that it has, in order."""
        return self.recorder.select_notifications(None, self.newest())

    def has(self, sealed: Sealed[Any]) -> bool:
        """Is this very event in it?"""
        version = sealed.originator_version
        found = self.events(sealed.originator_id, after=version - 1, until=version)
        return any(each.digest == sealed.digest for each in found)
