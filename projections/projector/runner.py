"""The projection runner: a thread that applies new events of the log to the read models in batches.

Rows and position are committed together, so each event is in the tables exactly once, even if the
process is killed. After a failure of the log or of the read file the runner retries.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic, perf_counter
from types import TracebackType
from typing import Final, Self
from uuid import UUID

import structlog
from eventsourcing.persistence import (
    ApplicationRecorder,
    Notification,
    PersistenceError,
    Subscription,
)
from msgspec import Struct

from domain.log.digests import digest
from domain.storage.mapper import EventMapper
from projections.projector import schema
from projections.projector.projector import Projector
from projections.queries.read_files import ReadModels, is_damage
from projections.views import board_views

_LOG: Final = structlog.get_logger("emeth.projections")

MAX_BATCH: Final = 500
"""Maximum number of events in one transaction."""
MIN_BATCH_INTERVAL: Final = 0.01
MAX_BATCH_INTERVAL: Final = 0.05
"""Bounds, in seconds, of the interval between two batches, in which new events accumulate."""
INTERVAL_PER_WORK: Final = 8
"""The interval is this many times as long as the last batch took, within the bounds. A commit costs
as much as a hundred rows, so a busy service commits less often and keeps its event loop free."""
MIN_RETRY_SECONDS: Final = 0.1
MAX_RETRY_SECONDS: Final = 5.0
"""Bounds, in seconds, of the delay before a retry. The delay doubles with each failure."""

INDEX_BATCH: Final = 32
"""Events that are added to the search index in one step."""

VersionListener = Callable[[Mapping[UUID, int]], object]


class ProjectionStatus(Struct, frozen=True):
    """The progress and health of the read models."""

    position: int
    """The log's number of the last event in the read models."""
    newest: int
    """The log's number of its last event, as last read."""
    error_count: int
    """Number of aggregates whose projection has stopped at an unreadable event."""
    failures: int
    """Failed attempts since the last success."""
    error: str
    """The last failure; empty if the last attempt succeeded."""

    @property
    def lag(self) -> int:
        """The number of events in the log that the read models do not have yet."""
        return max(0, self.newest - self.position)


class ProjectionRunner:
    """Keeps the read models up to date, in a thread that runs until `close`.

    Close the runner before the log. Methods are thread-safe and may block on the disk.
    """

    def __init__(
        self,
        recorder: ApplicationRecorder,
        models: ReadModels,
        mapper: EventMapper,
        listener: VersionListener | None = None,
    ) -> None:
        """Start the threads.

        Args:
            recorder: The log.
            models: The read models to keep up to date.
            mapper: The mapper of the log's events.
            listener: Called in the runner's thread with the new version of each aggregate that
                changed. It must neither raise nor block.

        Raises:
            sqlite3.Error: The read file cannot be opened.
            PersistenceError: The log cannot be read.
        """
        self._recorder = recorder
        self._models = models
        self._mapper = mapper
        self._listener = listener
        self._projector = Projector(schema.connect_writer(models.path, models.library), mapper)
        self._damage = ""
        """Why the read file must be rebuilt; empty if it is sound."""
        self._complete_at = recorder.max_notification_id() or 0
        """The position at which the file is complete: the log's last event when the file was opened
        or created."""
        models.on_damage = self.request_rebuild
        self._write_lock = threading.Lock()  # held while the projector writes or is replaced
        self._advanced = threading.Condition()
        self._stopping = threading.Event()
        self._subscription: Subscription[ApplicationRecorder] | None = None
        self._newest = self._complete_at
        self._failures = 0
        self._error = ""
        self._check_file()
        self._thread = threading.Thread(target=self._run, name="projection-runner", daemon=True)
        self._thread.start()
        self._indexer = threading.Thread(target=self._index, name="log-indexer", daemon=True)
        self._indexer.start()

    @property
    def position(self) -> int:
        """The log's number of the last event in the read models."""
        return self._projector.position

    def status(self) -> ProjectionStatus:
        """Return the status, with the log's newest event if the log can be read."""
        try:
            self._newest = self._recorder.max_notification_id() or 0
        except PersistenceError as error:
            _LOG.warning("log_not_asked", error=str(error))
        return self.cached_status()

    def cached_status(self) -> ProjectionStatus:
        """Return the status without reading the log. Never blocks, even while a database hangs."""
        return ProjectionStatus(
            self.position, self._newest, self._projector.error_count, self._failures, self._error
        )

    def wait_for(self, match: UUID, version: int, timeout: float) -> bool:
        """Wait until the read models have a match at a version or later.

        Returns:
            False if `timeout` seconds passed before.
        """

        def is_there() -> bool:
            with self._models.reading() as connection:
                return board_views.latest_version(connection, match) >= version

        with self._advanced:
            return self._advanced.wait_for(is_there, timeout)

    def catch_up(self, timeout: float) -> bool:
        """Wait until the read models have every event that is in the log now.

        Returns:
            False if `timeout` seconds passed before.

        Raises:
            PersistenceError: The log cannot be read.
        """
        newest = self._recorder.max_notification_id() or 0
        with self._advanced:
            return self._advanced.wait_for(lambda: self.position >= newest, timeout)

    def index_events(self, seconds: float) -> None:
        """Add events to the search index of public matches for up to `seconds`."""
        until = monotonic() + seconds
        has_more = True
        while has_more and monotonic() < until and not self._stopping.is_set():
            with self._write_lock:
                has_more = self._projector.index_events(INDEX_BATCH)

    @property
    def is_complete(self) -> bool:
        """Whether the read models have all events that the log had when the file was opened.

        For a new file, that is when it was created. Until then answers may be outdated, and matches
        may be missing.
        """
        return not self._damage and self.position >= self._complete_at

    def wait_until_complete(self, timeout: float) -> bool:
        """Wait until the read models are complete, or the runner stops.

        Returns:
            False if `timeout` seconds passed before.
        """
        with self._advanced:
            return self._advanced.wait_for(
                lambda: self.is_complete or self._stopping.is_set(), timeout
            )

    def request_rebuild(self, why: str) -> None:
        """Request a rebuild of a damaged read file, and return at once."""
        self._damage = why
        if (subscription := self._subscription) is not None:
            subscription.stop()

    def switch_to(self, projector: Projector, path: Path) -> None:
        """Replace the current projector and file with others that were made from the same log.

        The new file first catches up with the current one, so that no reader goes back in time.
        """
        with self._write_lock:
            while projector.position < self._projector.position:
                missing = read_events_between(self._recorder, projector.position, self.position)
                projector.apply(missing)
            projector.mark_ready()
            self._replace(projector, path)

    def close(self) -> None:
        """Stop the threads after the current batch. Closing twice is allowed."""
        self._stopping.set()
        if (subscription := self._subscription) is not None:
            subscription.stop()
        self._thread.join()
        self._indexer.join()
        self._projector.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        # If an unexpected error ends this thread, `status` must report it.
        ended = "The projection runner ended with an unexpected error: see the service's output."
        try:
            while not self._stopping.is_set():
                try:
                    self._follow()
                except (PersistenceError, sqlite3.Error, OSError) as error:
                    self._wait_out(error)
            ended = ""
        finally:
            self._error = ended or self._error

    def _index(self) -> None:
        """Add a few events to the search index of public matches each second."""
        while not self._stopping.wait(1.0):
            try:
                with self._write_lock:
                    self._projector.index_events(INDEX_BATCH)
            except sqlite3.Error as error:
                _LOG.warning("events_not_told", error=str(error))
                if is_damage(error):
                    self.request_rebuild(str(error))

    def _follow(self) -> None:
        if self._damage:
            self._discard_file(self._damage)
        self._check_file()
        with self._recorder.subscribe(gt=self.position) as subscription:
            self._subscription = subscription
            # `close` and `request_rebuild` stop the subscription if they see it. If they came
            # before it was set, their flags are set here.
            if self._stopping.is_set() or self._damage:
                return
            for batch in self._batches(subscription):
                began = perf_counter()
                self._apply(batch)
                took = perf_counter() - began
                self._stopping.wait(
                    min(max(MIN_BATCH_INTERVAL, INTERVAL_PER_WORK * took), MAX_BATCH_INTERVAL)
                )
        if not self._stopping.is_set() and not self._damage:
            raise PersistenceError("the subscription to the log has ended: the log was closed")

    def _batches(
        self, subscription: Subscription[ApplicationRecorder]
    ) -> Iterator[list[Notification]]:
        """Yield the log's new events in batches, waiting only when there are none."""
        batch: list[Notification] = []
        for notification in subscription:
            if not batch:
                self._newest = self._recorder.max_notification_id() or 0
            batch.append(notification)
            if notification.id >= self._newest or len(batch) == MAX_BATCH:
                yield batch
                batch = []

    def _apply(self, batch: list[Notification]) -> None:
        with self._write_lock:
            versions = self._projector.apply(batch)
        self._failures, self._error = 0, ""
        if versions and self._listener is not None:
            self._listener(versions)
        with self._advanced:
            self._advanced.notify_all()

    def _wait_out(self, error: Exception) -> None:
        if self._stopping.is_set():
            return
        self._failures += 1
        self._error = str(error) or type(error).__name__
        pause = min(MAX_RETRY_SECONDS, MIN_RETRY_SECONDS * 2 ** min(self._failures - 1, 10))
        _LOG.warning("read_models_wait", error=self._error, failures=self._failures, seconds=pause)
        # The log raises errors of the eventsourcing library, so an SQLite error is the read file's.
        if is_damage(error):
            self._damage = str(error)
        self._stopping.wait(pause)

    def _check_file(self) -> None:
        """Discard a file that was made from another log, or whose tree over the log is damaged."""
        position, mark = self._projector.position, self._projector.mark
        if position == 0:
            return
        last = self._recorder.select_notifications(position, 1, stop=position)
        if not last or digest(last[0].state) != mark:
            self._discard_file("it was made from another log")
        elif not self._projector.is_tree_sound(last[0]):
            self._discard_file("a hash in its tree over the log was changed")

    def _discard_file(self, why: str) -> None:
        _LOG.warning("read_file_discarded", file=self._models.path.name, why=why)
        path = self._models.next_path()
        connection = schema.connect_writer(path, self._models.library)
        schema.create_tables(connection, ready=True)
        projector = Projector(connection, self._mapper)
        self._complete_at = self._recorder.max_notification_id() or 0
        with self._write_lock:
            self._replace(projector, path)
        self._damage = ""
        with self._advanced:
            self._advanced.notify_all()

    def _replace(self, projector: Projector, path: Path) -> None:
        self._projector.close()
        self._projector = projector
        self._models.switch(path)


def read_events_between(
    recorder: ApplicationRecorder, after: int, until: int, limit: int = MAX_BATCH
) -> Sequence[Notification]:
    """Return the log's events after a number, through another number that the log has.

    Args:
        recorder: The log.
        after: The log's number before the first event.
        until: The log's number of the last event.
        limit: Maximum number of events.

    Raises:
        PersistenceError: The log has no such events.
    """
    found = recorder.select_notifications(after, limit, stop=until, inclusive_of_start=False)
    if not found:
        raise PersistenceError(f"the log has lost its event {until}")
    return found
