"""The group-commit writer: one thread writes for all, and one sync of the disk serves many jobs.

A job is the events of one decision. It is on disk, whole, when its future resolves, or else its
future raises a StoreError and nothing of it is there (after LogFailed: see that error).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID

from eventsourcing.persistence import (
    ApplicationRecorder,
    DataError,
    IntegrityError,
    ProgrammingError,
    StoredEvent,
)

from services.store.errors import (
    EventsUnstorable,
    LogClosed,
    LogFailed,
    LogOverloaded,
    StoreError,
    VersionConflict,
)
from services.store.faults import FAULTS, diagnose
from services.tallies import SECONDS, SIZES, Spread, WriterStats

REFUSALS: Final = (IntegrityError, DataError, ProgrammingError, OverflowError, ValueError)
"""What a recorder raises when the events it was given are at fault, and not the store."""


Numbers = Sequence[int]
"""The places of a job's events in the log, in order."""


class _Job:
    __slots__ = ("error", "events", "future", "numbers", "settled")

    def __init__(
        self, events: Sequence[StoredEvent], future: asyncio.Future[None] | Future[Numbers]
    ) -> None:
        self.events = events
        self.future = future
        self.error: StoreError | None = None
        self.numbers: Numbers = ()
        self.settled = False

    def settle(self, error: StoreError | None) -> None:
        self.error = error
        self.settled = True

    def conflict(self) -> VersionConflict:
        versions: dict[UUID | str, int] = {}
        for event in self.events:
            versions.setdefault(event.originator_id, event.originator_version)
        return VersionConflict(versions)

    def aggregates(self) -> set[UUID | str]:
        return {event.originator_id for event in self.events}


class _Outcome(asyncio.Future[None]):
    """What came of a job: it comes, whoever goes away. So a task that waits for it need not be
    shielded, which would take a second future for each job."""

    def cancel(self, msg: Any | None = None) -> bool:
        """Nothing: what is to be written is written."""
        return False


class Writer:
    """Owns all writes to a log, in a thread of its own that runs until `close`.

    Whoever submits for an aggregate must wait for the answer before submitting its next version:
    that one would be written even if the first fails, except within one batch.
    """

    def __init__(
        self,
        recorder: ApplicationRecorder,
        *,
        on_failure: Callable[[LogFailed], object],
        most_waiting: int = 8192,
        most_jobs: int = 512,
    ) -> None:
        """`on_failure` is called once, in the writer's thread, when the log must not be written
        any more, before any job hears of it; it must neither block nor call `close`.
        `most_waiting` bounds the queue, `most_jobs` a batch.
        """
        self._recorder = recorder
        self._on_failure = on_failure
        self._most_waiting = most_waiting
        self._most_jobs = most_jobs
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()  # None: no job comes after it
        self._gate = Lock()  # nothing enters the queue once it is closed or the writer has failed
        self._closed = False
        self._failure: LogFailed | None = None
        self._batch: list[_Job] = []
        self._batches = self._jobs = self._largest_batch = 0
        self._last_commit_seconds = 0.0
        self._seconds, self._sizes = Spread(SECONDS), Spread(SIZES)
        self._events: Counter[str] = Counter()
        self._thread = Thread(target=self._run, name="log-writer", daemon=True)
        self._thread.start()

    def submit(self, events: Sequence[StoredEvent]) -> asyncio.Future[None]:
        """Have these events written, all or none; the future resolves when they are on disk.

        Call it in a running event loop, any of any thread. The future cannot be cancelled: a task
        that is cancelled while it waits learns the outcome first. Raises LogOverloaded, LogClosed
        or LogFailed at once. The future may raise VersionConflict, EventsUnstorable, LogUnavailable
        or LogFailed.
        """
        future = _Outcome(loop=asyncio.get_running_loop())
        self._queue_up(_Job(events, future))
        return future

    def write(self, events: Sequence[StoredEvent]) -> Numbers:
        """The same for a thread without an event loop, which waits here until they are on disk.

        Raises as `submit` and its future do.
        """
        future: Future[Numbers] = Future()
        self._queue_up(_Job(events, future))
        return future.result()

    def _queue_up(self, job: _Job) -> None:
        with self._gate:
            if self._failure is not None:
                raise LogFailed(self._failure.why, self._failure.code)
            if self._closed:
                raise LogClosed
            if self._queue.qsize() >= self._most_waiting:
                raise LogOverloaded(self._queue.qsize(), self._most_waiting)
            self._queue.put(job)

    def stats(self) -> WriterStats:
        """The counters as they stand."""
        return WriterStats(
            batches=self._batches,
            jobs=self._jobs,
            largest_batch=self._largest_batch,
            waiting=self._queue.qsize(),
            last_commit_seconds=self._last_commit_seconds,
            seconds=self._seconds,
            sizes=self._sizes,
            events=self._events,
        )

    def close(self) -> None:
        """Write what waits, then end the thread; blocks meanwhile. Closing twice is fine."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self) -> None:
        # Should an error that nobody foresaw end this thread, then nobody may be left waiting.
        failure: LogFailed | None = LogFailed("the writer ended by an error of its own")
        try:
            failure = self._write_until_closed()
        finally:
            if failure is not None:
                self._fail(failure)

    def _write_until_closed(self) -> LogFailed | None:
        while self._take():
            started = perf_counter()
            failure = self._write_batch()
            self._last_commit_seconds = perf_counter() - started
            self._seconds.add(self._last_commit_seconds)
            self._sizes.add(len(self._batch))
            self._batches += 1
            self._jobs += len(self._batch)
            self._largest_batch = max(self._largest_batch, len(self._batch))
            if failure is not None:
                return failure
            _deliver(self._batch)
        return None

    def _take(self) -> bool:
        """Wait for a job, then take all that wait, up to the bound; False when closed and empty."""
        self._batch = batch = []
        job = self._queue.get()
        while job is not None:
            batch.append(job)
            if len(batch) == self._most_jobs:
                return True
            try:
                job = self._queue.get_nowait()
            except Empty:
                return True
        self._queue.put(None)  # for the next call, if there were jobs before it
        return bool(batch)

    def _write_batch(self) -> LogFailed | None:
        try:
            self._write(self._batch, set())
        except FAULTS as error:
            # Later jobs fail too: they may build on what was not written.
            for job in self._batch:
                if not job.settled:
                    job.settle(diagnose(error))
            fault = diagnose(error)
            return fault if isinstance(fault, LogFailed) else None
        return None

    def _write(self, jobs: list[_Job], refused: set[UUID | str]) -> None:
        """Write these jobs in order, in as few transactions as it takes to leave out the guilty.

        One guilty job fails the whole transaction, so halves are tried until it stands alone.
        `refused` has the aggregates of the jobs left out so far: what follows them conflicts too.
        """
        try:
            numbers = self._recorder.insert_events([e for job in jobs for e in job.events]) or ()
        except REFUSALS as error:
            if len(jobs) == 1:
                _refuse(jobs[0], error, refused)
                return
        else:
            start = 0
            for job in jobs:
                job.numbers = numbers[start : start + len(job.events)]
                start += len(job.events)
                self._events.update(event.topic for event in job.events)
                job.settle(None)
            return
        half = len(jobs) // 2
        self._write(jobs[:half], refused)
        later = []
        for job in jobs[half:]:
            if refused.isdisjoint(job.aggregates()):
                later.append(job)
            else:
                _refuse(job, None, refused)
        if later:
            self._write(later, refused)

    def _fail(self, failure: LogFailed) -> None:
        with self._gate:
            self._failure = failure
        try:
            self._on_failure(failure)  # before anyone can tell a client
        finally:
            jobs = list(self._batch)
            while True:
                try:
                    job = self._queue.get_nowait()
                except Empty:
                    break
                if job is not None:
                    jobs.append(job)
            for job in jobs:
                if not job.settled:
                    job.settle(LogFailed(failure.why, failure.code))
            _deliver(jobs)


def _refuse(job: _Job, error: Exception | None, refused: set[UUID | str]) -> None:
    """Settle a job that its own events keep out of the log, or (no error) an earlier job's."""
    refused.update(job.aggregates())
    if error is None or isinstance(error, IntegrityError):
        job.settle(job.conflict())
    else:
        job.settle(EventsUnstorable(str(error)))


def _deliver(jobs: Iterable[_Job]) -> None:
    """Tell each event loop what became of its jobs, in one call; and each thread that waits."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        if isinstance(job.future, Future):
            _resolve([job])
        else:
            by_loop.setdefault(job.future.get_loop(), []).append(job)
    for loop, settled in by_loop.items():
        # A loop may close at any time, even between a look and the call. Nobody waits then.
        try:
            loop.call_soon_threadsafe(_resolve, settled)
        except RuntimeError:
            if not loop.is_closed():
                raise


def _resolve(jobs: list[_Job]) -> None:
    for job in jobs:
        if job.future.done():  # its waiter has gone away
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        elif isinstance(job.future, Future):
            job.future.set_result(job.numbers)
        else:
            job.future.set_result(None)
