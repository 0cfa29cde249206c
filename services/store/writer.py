"""The group-commit writer: one thread writes for all, and one sync of the disk serves many jobs.

A job is the events of one decision. It is on disk, whole, when its future resolves, or else its
future raises a StoreError and nothing of it is there (after LogFailed: see that error).
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

    def __init__(self, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop=loop)
        self._call = None if CURRENT_CALL_RECORD.get() is None else copy_context()

    def cancel(self, msg: Any | None = None) -> bool:
        """Count the call as given up, and do nothing else: what is to be written is written."""
        if self._call is not None and not self.done():
            self._call.run(_give_up)
        return False


def _give_up() -> None:
    if (record := CURRENT_CALL_RECORD.get()) is not None:
        record.give_up()


class _Queue:
    """The jobs that wait for the writer's thread, in the order in which they came.

    What an event loop submits in one of its turns is announced once, when the turn is over. Told of
    the first job at once, the thread would contend with the loop for Python's global lock while
    the others are being decided, and commit them a few at a time; yet a commit costs as much as
    twenty jobs do.
    """

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._announcing: set[asyncio.AbstractEventLoop] = set()
        """Loops that will ring when their turn is over."""
        self._closed = False

    def __len__(self) -> int:
        return len(self._jobs)

    def put(self, job: _Job) -> None:
        """Add a job; call it where its future may be waited for."""
        self._jobs.append(job)
        if isinstance(job.future, Future):
            self._bell.put(None)
        elif (loop := job.future.get_loop()) not in self._announcing:
            self._announcing.add(loop)
            loop.call_soon(self._announce, loop)

    def _announce(self, loop: asyncio.AbstractEventLoop) -> None:
        self._announcing.discard(loop)
        self._bell.put(None)

    def take(self, most: int) -> list[_Job]:
        """Wait for jobs, and take all that wait, up to so many; none when closed and empty."""
        while True:
            self._bell.get()
            closed = self._closed  # before it is looked at: no job comes after that
            batch = self.take_at_once(most)
            if self._jobs or closed:
                self._bell.put(None)  # for the next call
            if batch or closed:
                return batch

    def take_at_once(self, most: int | None = None) -> list[_Job]:
        """Take what waits now, announced or not."""
        count = len(self._jobs) if most is None else min(most, len(self._jobs))
        return [self._jobs.popleft() for _ in range(count)]

    def close(self) -> None:
        """No job comes after this."""
        self._closed = True
        self._bell.put(None)


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
        self._queue = _Queue()
        self._gate = Lock()  # nothing enters the queue once it is closed or the writer has failed
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
            if len(self._queue) >= self._most_waiting:
                raise LogOverloaded(len(self._queue), self._most_waiting)
            self._queue.put(job)

    def stats(self) -> WriterStats:
        """The counters as they stand."""
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
        """Write what waits, then end the thread; blocks meanwhile. Closing twice is fine."""
        with self._gate:
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
        # Should an error that nobody foresaw end this thread, then nobody may be left waiting.
        failure: LogFailed | None = LogFailed("the writer ended by an error of its own")
        try:
            failure = self._write_until_closed()
        finally:
            if failure is not None:
                self._fail(failure)

    def _write_until_closed(self) -> LogFailed | None:
        while batch := self._queue.take(self._most_jobs):
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
            # Later jobs fail too: they may build on what was not written.
            for job in self._batch:
                if not job.settled:
                    job.settle(diagnose(error))
            fault = diagnose(error)
            self._fault = fault.why
            self._failures[fault.code or "unknown"] += 1
            return fault if isinstance(fault, LogFailed) else None
        self._fault = ""
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
        with self._gate:
            self._failure = failure
        try:
            self._on_failure(failure)  # before anyone can tell a client
        finally:
            jobs = [*self._batch, *self._queue.take_at_once()]
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
