"""The group-commit writer: one thread writes all events, and one fsync serves many jobs.

A job consists of the events of one decision. When its future resolves, the job is on disk as a
whole. Otherwise the future raises a StoreError and nothing is on disk (for LogFailed: see that
error).
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from queue import SimpleQueue
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

from services.runtime.call_records import CURRENT_CALL_RECORD
from services.runtime.metrics import LATENCY_BUCKETS, SIZE_BUCKETS, Histogram, WriterStats
from services.store.errors import (
    EventsUnstorable,
    LogClosed,
    LogFailed,
    LogOverloaded,
    StoreError,
    VersionConflict,
)
from services.store.faults import FAULTS, diagnose

REFUSALS: Final = (IntegrityError, DataError, ProgrammingError, OverflowError, ValueError)
"""Errors of a recorder if the events, and not the store, are at fault."""


Numbers = Sequence[int]
"""The numbers of a job's events in the log, in order."""


class _Job:
    __slots__ = ("error", "events", "future", "is_settled", "numbers")

    def __init__(
        self, events: Sequence[StoredEvent], future: asyncio.Future[None] | Future[Numbers]
    ) -> None:
        self.events = events
        self.future = future
        self.error: StoreError | None = None
        self.numbers: Numbers = ()
        self.is_settled = False

    def settle(self, error: StoreError | None) -> None:
        self.error = error
        self.is_settled = True

    def conflict(self) -> VersionConflict:
        versions: dict[UUID | str, int] = {}
        for event in self.events:
            versions.setdefault(event.originator_id, event.originator_version)
        return VersionConflict(versions)

    def aggregates(self) -> set[UUID | str]:
        return {event.originator_id for event in self.events}


class _Outcome(asyncio.Future[None]):
    """The future of a job. It resolves even if its waiter is canceled.

    A waiting task therefore needs no shield, which would add a second future to each job.
    """

    def __init__(self, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop=loop)
        self._call = None if CURRENT_CALL_RECORD.get() is None else copy_context()

    def cancel(self, msg: Any | None = None) -> bool:
        """Count the call as canceled, and nothing else: the job is written."""
        if self._call is not None and not self.done():
            self._call.run(_give_up)
        return False


def _give_up() -> None:
    if (record := CURRENT_CALL_RECORD.get()) is not None:
        record.mark_canceled()


class _Queue:
    """The jobs that wait for the writer's thread, in order of arrival.

    Jobs that an event loop submits in one iteration are announced once, at its end. Announced at
    the first job, the thread would contend with the loop for the interpreter's global lock, and
    commit the jobs a few at a time. A commit costs as much as twenty jobs.
    """

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._wake_up: SimpleQueue[None] = SimpleQueue()
        self._announcing: set[asyncio.AbstractEventLoop] = set()
        """Event loops that will announce jobs at the end of their iteration."""
        self._closed = False

    def __len__(self) -> int:
        return len(self._jobs)

    def put(self, job: _Job) -> None:
        """Add a job, on the event loop of its future."""
        self._jobs.append(job)
        if isinstance(job.future, Future):
            self._wake_up.put(None)
        elif (loop := job.future.get_loop()) not in self._announcing:
            self._announcing.add(loop)
            loop.call_soon(self._announce, loop)

    def _announce(self, loop: asyncio.AbstractEventLoop) -> None:
        self._announcing.discard(loop)
        self._wake_up.put(None)

    def take(self, limit: int) -> list[_Job]:
        """Wait for jobs and return them, up to `limit`; none when closed and empty."""
        while True:
            self._wake_up.get()
            closed = self._closed  # read first: no job is added after closing
            batch = self.take_at_once(limit)
            if self._jobs or closed:
                self._wake_up.put(None)  # for the next call
            if batch or closed:
                return batch

    def take_at_once(self, limit: int | None = None) -> list[_Job]:
        """Return the waiting jobs, announced or not."""
        count = len(self._jobs) if limit is None else min(limit, len(self._jobs))
        return [self._jobs.popleft() for _ in range(count)]

    def close(self) -> None:
        """Close the queue: no jobs are added after this."""
        self._closed = True
        self._wake_up.put(None)


class Writer:
    """The writer of a log, with its own thread, which runs until `close`.

    A caller must wait for the result of an aggregate's job before it submits the next version.
    Outside one batch, the next job would be written even if the first fails.
    """

    def __init__(
        self,
        recorder: ApplicationRecorder,
        *,
        on_failure: Callable[[LogFailed], object],
        max_waiting: int = 8192,
        max_jobs: int = 512,
    ) -> None:
        """Start the writer's thread.

        Args:
            recorder: The recorder of the log.
            on_failure: Called once, in the writer's thread, when the log must not be written any
                more,
                before any job fails. It must neither block nor call `close`.
            max_waiting: Maximum length of the queue.
            max_jobs: Maximum number of jobs in a batch.
        """
        self._recorder = recorder
        self._on_failure = on_failure
        self._max_waiting = max_waiting
        self._max_jobs = max_jobs
        self._queue = _Queue()
        self._lock = Lock()  # no job is queued after closing or a failure
        self._closed = False
        self._failure: LogFailed | None = None
        self._batch: list[_Job] = []
        self._batches = self._jobs = self._largest_batch = 0
        self._last_commit_seconds = 0.0
        self._seconds, self._sizes = Histogram(LATENCY_BUCKETS), Histogram(SIZE_BUCKETS)
        self._events: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._started: float | None = None
        self._fault = ""
        self._thread = Thread(target=self._run, name="log-writer", daemon=True)
        self._thread.start()

    def submit(self, events: Sequence[StoredEvent]) -> asyncio.Future[None]:
        """Submit events to be written, all or none; the future resolves when they are on disk.

        Call it in a running event loop, of any thread. The future cannot be canceled: a canceled
        task learns the outcome first. Raises LogOverloaded, LogClosed or LogFailed at once. The
        future may raise VersionConflict, EventsUnstorable, LogUnavailable or LogFailed.
        """
        future = _Outcome(loop=asyncio.get_running_loop())
        self._queue_up(_Job(events, future))
        return future

    def write(self, events: Sequence[StoredEvent]) -> Numbers:
        """Write events from a thread without an event loop; blocks until they are on disk.

        Raises as `submit` and its future do.
        """
        future: Future[Numbers] = Future()
        self._queue_up(_Job(events, future))
        return future.result()

    def _queue_up(self, job: _Job) -> None:
        with self._lock:
            if self._failure is not None:
                raise LogFailed(self._failure.why, self._failure.code)
            if self._closed:
                raise LogClosed
            if len(self._queue) >= self._max_waiting:
                raise LogOverloaded(len(self._queue), self._max_waiting)
            self._queue.put(job)

    def stats(self) -> WriterStats:
        """Return the current counters."""
        return WriterStats(
            batches=self._batches,
            jobs=self._jobs,
            largest_batch=self._largest_batch,
            waiting=len(self._queue),
            last_commit_seconds=self._last_commit_seconds,
            seconds=self._seconds,
            sizes=self._sizes,
            events=self._events,
            failures=self._failures,
            running_seconds=0.0 if (started := self._started) is None else perf_counter() - started,
            fault=self._fault,
        )

    def close(self) -> None:
        """Write waiting jobs, then stop the thread. Blocks. Calling it twice is allowed."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.close()
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
        # If an unexpected error ends this thread, no caller may be left waiting.
        failure: LogFailed | None = LogFailed("the writer stopped after an unexpected error")
        try:
            failure = self._write_until_closed()
        finally:
            if failure is not None:
                self._fail(failure)

    def _write_until_closed(self) -> LogFailed | None:
        while batch := self._queue.take(self._max_jobs):
            self._batch = batch
            self._started = started = perf_counter()
            failure = self._write_batch()
            self._started = None
            self._last_commit_seconds = perf_counter() - started
            self._seconds.add(self._last_commit_seconds)
            self._sizes.add(len(batch))
            self._batches += 1
            self._jobs += len(batch)
            self._largest_batch = max(self._largest_batch, len(batch))
            if failure is not None:
                return failure
            _deliver(batch)
        return None

    def _write_batch(self) -> LogFailed | None:
        try:
            self._write(self._batch, set())
        except FAULTS as error:
            # Later jobs fail too: they may depend on events that were not written.
            for job in self._batch:
                if not job.is_settled:
                    job.settle(diagnose(error))
            fault = diagnose(error)
            self._fault = fault.why
            self._failures[fault.code or "unknown"] += 1
            return fault if isinstance(fault, LogFailed) else None
        self._fault = ""
        return None

    def _write(self, jobs: list[_Job], refused: set[UUID | str]) -> None:
        """Write jobs in order, in as few transactions as isolating the faulty ones takes.

        One faulty job fails the whole transaction, so halves are tried until it is isolated.
        `refused` has the aggregates of the jobs left out so far: later jobs of these conflict too.
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
                job.settle(None)
            self._events.update([event.topic for job in jobs for event in job.events])
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
        with self._lock:
            self._failure = failure
        try:
            self._on_failure(failure)  # before any client gets a response
        finally:
            jobs = [*self._batch, *self._queue.take_at_once()]
            for job in jobs:
                if not job.is_settled:
                    job.settle(LogFailed(failure.why, failure.code))
            _deliver(jobs)


def _refuse(job: _Job, error: Exception | None, refused: set[UUID | str]) -> None:
    """Settle a job that is left out because of its own events, or (no error) an earlier job's."""
    refused.update(job.aggregates())
    if error is None or isinstance(error, IntegrityError):
        job.settle(job.conflict())
    else:
        job.settle(EventsUnstorable(str(error)))


def _deliver(jobs: Iterable[_Job]) -> None:
    """Resolve the futures of settled jobs, in one call for each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        if isinstance(job.future, Future):
            _resolve([job])
        else:
            by_loop.setdefault(job.future.get_loop(), []).append(job)
    for loop, settled in by_loop.items():
        # A loop may close at any time, even between check and call. Then no task waits.
        try:
            loop.call_soon_threadsafe(_resolve, settled)
        except RuntimeError:
            if not loop.is_closed():
                raise


def _resolve(jobs: list[_Job]) -> None:
    for job in jobs:
        if job.future.done():  # its waiter was canceled
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        elif isinstance(job.future, Future):
            job.future.set_result(job.numbers)
        else:
            job.future.set_result(None)
