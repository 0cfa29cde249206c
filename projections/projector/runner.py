"""Follows the log into the read models: a thread that writes what is new, many events at a time.

Rows and tracking position are committed together, so each event is in the tables exactly once,
wherever the process was killed. A failure of the log or of the read file is waited out.
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
"""Events in one transaction, at most."""
MIN_BATCH_INTERVAL: Final = 0.01
MAX_BATCH_INTERVAL: Final = 0.05
"""Seconds between two batches, in which events gather for the next."""
INTERVAL_PER_WORK: Final = 8
"""The rest is so many times as long as the batch took, between these bounds: each commit costs as
much as a hundred rows, so a busy service makes fewer of them, and keeps its event loop free."""
MIN_RETRY_SECONDS: Final = 0.1
MAX_RETRY_SECONDS: Final = 5.0
"""Seconds between one failure and the next attempt: doubled each time, between these."""

INDEX_BATCH: Final = 32
"""Events that are put into the index of what public matches tell, in one turn."""

VersionListener = Callable[[Mapping[UUID, int]], object]


class ProjectionStatus(Struct, frozen=True):
    """How the read models are doing."""

    position: int
    """The log's number of the last event that is in them."""
    newest: int
    """The log's number of its last event, as far as is known."""
    error_count: int
    """Matches with an event that could not be understood."""
    failures: int
    """Attempts that failed since something last went well."""
    error: str
    """The last of these failures; empty if all is well."""

    @property
    def lag(self) -> int:
        """Events that are in the log and not yet in the read models."""
        return max(0, self.newest - self.position)


class ProjectionRunner:
    """Keeps the read models up to date, in a thread of its own that runs until `close`.

    Close it before the log. Every method may be called from any thread, and may block on the disk.
    """

    def __init__(
        self,
        recorder: ApplicationRecorder,
        models: ReadModels,
        mapper: EventMapper,
        listener: VersionListener | None = None,
    ) -> None:
        """Start to follow. `listener` is told, in the follower's thread, which matches have moved
        on and to which version; it must neither raise nor wait.

        Raises sqlite3.Error if the read file cannot be opened, and PersistenceError if the log
        cannot be read.
        """
        self._recorder = recorder
        self._models = models
        self._mapper = mapper
        self._listener = listener
        self._projector = Projector(schema.connect_writer(models.path, models.library), mapper)
        self._damage = ""
        """Why the read file must be rebuilt; empty if it need not."""
        self._due = recorder.max_notification_id() or 0
        """How far the file must be for its answers to be whole: what the log had when it was opened
        or made."""
        models.on_damage = self.request_rebuild
        self._turn = threading.Lock()  # held while the projector writes, or is changed for another
        self._moved = threading.Condition()
        self._stopping = threading.Event()
        self._subscription: Subscription[ApplicationRecorder] | None = None
        self._newest = self._due
        self._failures = 0
        self._error = ""
        self._check_file()
        self._thread = threading.Thread(target=self._run, name="log-follower", daemon=True)
        self._thread.start()
        self._indexer = threading.Thread(target=self._index, name="log-indexer", daemon=True)
        self._indexer.start()

    @property
    def position(self) -> int:
        """The log's number of the last event that is in the read models."""
        return self._projector.position

    def status(self) -> ProjectionStatus:
        """How it is doing. Asks the log for its newest event, if it can be asked."""
        try:
            self._newest = self._recorder.max_notification_id() or 0
        except PersistenceError as error:
            _LOG.warning("log_not_asked", error=str(error))
        return self.cached_status()

    def cached_status(self) -> ProjectionStatus:
        """How it is doing, without asking the log: by what `status` found last, or a batch since.
        Never blocks, also while a database hangs."""
        return ProjectionStatus(
            self.position, self._newest, self._projector.error_count, self._failures, self._error
        )

    def wait_for(self, match: UUID, version: int, timeout: float) -> bool:
        """Wait until the read models have this match at this version or later; False if that took
        more than `timeout` seconds.
        """

        def is_there() -> bool:
            with self._models.reading() as connection:
                return board_views.latest_version(connection, match) >= version

        with self._moved:
            return self._moved.wait_for(is_there, timeout)

    def catch_up(self, timeout: float) -> bool:
        """Wait until all that the log has now is in the read models; False if that took more than
        `timeout` seconds. PersistenceError if the log cannot be asked."""
        newest = self._recorder.max_notification_id() or 0
        with self._moved:
            return self._moved.wait_for(lambda: self.position >= newest, timeout)

    def tell(self, seconds: float) -> None:
        """Look for so long at events that are not in the index of what public matches tell."""
        until = monotonic() + seconds
        goes_on = True
        while goes_on and monotonic() < until and not self._stopping.is_set():
            with self._turn:
                goes_on = self._projector.tell(INDEX_BATCH)

    @property
    def whole(self) -> bool:
        """Do the read models have all that the log had when their file was opened or made? Until
        then, what they say may be old, and a match may be missing."""
        return not self._damage and self.position >= self._due

    def wait_until_complete(self, timeout: float) -> bool:
        """Wait for that; False if it took more than `timeout` seconds."""
        with self._moved:
            return self._moved.wait_for(lambda: self.whole or self._stopping.is_set(), timeout)

    def request_rebuild(self, why: str) -> None:
        """Have the read file rebuilt, since it is damaged. Does not wait."""
        self._damage = why
        if (subscription := self._subscription) is not None:
            subscription.stop()

    def adopt(self, projector: Projector, path: Path) -> None:
        """Go on with this projector and its file, made from the same log, in place of the present.

        It is brought as far as the present file first, so that no reader goes back in time.
        """
        with self._turn:
            while projector.position < self._projector.position:
                missing = read_events_between(self._recorder, projector.position, self.position)
                projector.apply(missing)
            projector.finish()
            self._replace(projector, path)

    def close(self) -> None:
        """Stop after the batch that is being written. Closing twice is fine."""
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
        # Should an error that nobody foresaw end this thread, then `status` must say so.
        ended = "the follower ended by an error of its own: see the service's output"
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
        """Fill the index of what public matches tell, a little each second."""
        while not self._stopping.wait(1.0):
            try:
                with self._turn:
                    self._projector.tell(INDEX_BATCH)
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
            # `close` and `start_over` have seen the subscription and stop it, or are seen here.
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
            raise PersistenceError("the log can no longer be followed: it was closed")

    def _batches(
        self, subscription: Subscription[ApplicationRecorder]
    ) -> Iterator[list[Notification]]:
        """What the log has by now, in batches; waits only when there is nothing."""
        batch: list[Notification] = []
        for notification in subscription:
            if not batch:
                self._newest = self._recorder.max_notification_id() or 0
            batch.append(notification)
            if notification.id >= self._newest or len(batch) == MAX_BATCH:
                yield batch
                batch = []

    def _apply(self, batch: list[Notification]) -> None:
        with self._turn:
            versions = self._projector.apply(batch)
        self._failures, self._error = 0, ""
        if versions and self._listener is not None:
            self._listener(versions)
        with self._moved:
            self._moved.notify_all()

    def _wait_out(self, error: Exception) -> None:
        if self._stopping.is_set():
            return
        self._failures += 1
        self._error = str(error) or type(error).__name__
        pause = min(MAX_RETRY_SECONDS, MIN_RETRY_SECONDS * 2 ** min(self._failures - 1, 10))
        _LOG.warning("read_models_wait", error=self._error, failures=self._failures, seconds=pause)
        # Errors of the log come in the library's own types, so this one is of the read file.
        if is_damage(error):
            self._damage = str(error)
        self._stopping.wait(pause)

    def _check_file(self) -> None:
        """Start over if the file was made from another log, or from what this one has lost, or if
        its tree would sign for a log that never was."""
        position, mark = self._projector.position, self._projector.mark
        if position == 0:
            return
        last = self._recorder.select_notifications(position, 1, stop=position)
        if not last or digest(last[0].state) != mark:
            self._discard_file("the log is not the one that it was made from")
        elif not self._projector.is_tree_sound(last[0]):
            self._discard_file("a value in its tree over the log was changed")

    def _discard_file(self, why: str) -> None:
        _LOG.warning("read_file_discarded", file=self._models.path.name, why=why)
        path = self._models.next_path()
        connection = schema.connect_writer(path, self._models.library)
        schema.create_tables(connection, ready=True)
        projector = Projector(connection, self._mapper)
        self._due = self._recorder.max_notification_id() or 0
        with self._turn:
            self._replace(projector, path)
        self._damage = ""
        with self._moved:
            self._moved.notify_all()

    def _replace(self, projector: Projector, path: Path) -> None:
        self._projector.close()
        self._projector = projector
        self._models.switch(path)


def read_events_between(
    recorder: ApplicationRecorder, after: int, until: int, most: int = MAX_BATCH
) -> Sequence[Notification]:
    """Events of the log after one number, up to and with another that is in the log: at least one,
    and at most `most`. PersistenceError if there is none.
    """
    found = recorder.select_notifications(after, most, stop=until, inclusive_of_start=False)
    if not found:
        raise PersistenceError(f"the log has lost its event {until}")
    return found
