"""The monotonic wall clock of the service.

The clock follows the machine's clock while both run at the same rate
([why](../docs/decisions/0069-the-clock-of-the-service-never-goes-back.md)):

- If the machine's clock is set back, this clock runs slightly slower until the two agree.
- If the machine's clock is set forward, or the machine was suspended, this clock follows at once.
  It
  reports the skipped interval to its listeners, since nobody could play during it.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

import structlog

log = structlog.get_logger(__name__)

NANOSECONDS_PER_SECOND: Final = 1_000_000_000
"""One second in nanoseconds, the unit of all times in this module."""
STEP_THRESHOLD: Final = NANOSECONDS_PER_SECOND // 2
"""The difference from which the machine's clock counts as set, and not merely slewed."""
SLEW_DIVISOR: Final = 50
"""While the machine's clock is behind, this clock loses one second in so many."""
READ_WINDOW: Final = NANOSECONDS_PER_SECOND // 100
"""Both clocks of the machine are read within this time, or are read again."""
MAX_LOG_AHEAD: Final = timedelta(days=1)
"""How far a log may be ahead of the machine's clock for a starting service to trust it."""

NanosecondCounter = Callable[[], int]
StepListener = Callable[[datetime, datetime], None]
"""Called on a step forward, in any thread, with the start and end of the skipped interval."""


class Clock:
    """A wall clock that never runs backwards. Thread-safe."""

    def __init__(
        self, wall: NanosecondCounter = time.time_ns, steady: NanosecondCounter = time.monotonic_ns
    ) -> None:
        """Create a clock.

        Args:
            wall: Returns nanoseconds since 1970 by the machine's clock, which may be set.
            steady: Returns nanoseconds of a clock that is never set.
        """
        self._wall = wall
        self._steady = steady
        self._lock = Lock()
        self._listeners: list[StepListener] = []
        self._behind = False
        """Whether a log line reported that the machine's clock is behind."""
        self._time, self._last_count = self._read()

    def now(self) -> datetime:
        """Return the current time in UTC."""
        step: tuple[int, int] | None = None
        with self._lock:
            wall, counted = self._read()
            passed = max(0, counted - self._last_count)
            due = self._time + passed
            off = wall - due
            if off >= STEP_THRESHOLD:
                step = due, wall
            self._time = wall if off >= 0 else due - min(-off, passed // SLEW_DIVISOR)
            self._last_count = counted
            self._note(off)
            now = self._time
        if step is not None:
            since, until = map(_moment, step)
            log.warning("clock_set_forward", seconds=(until - since).total_seconds())
            for listener in self._listeners:
                listener(since, until)
        return _moment(now)

    def not_before(self, time: datetime) -> None:
        """Advance the clock to a recorded time, unless it is ahead by more than a day."""
        ahead = time - self.now()
        if ahead > MAX_LOG_AHEAD:
            log.warning(
                "log_is_ahead",
                seconds=ahead.total_seconds(),
                why="recorded times may run backwards",
            )
        elif ahead > timedelta(0):
            with self._lock:
                self._time += round(ahead.total_seconds() * NANOSECONDS_PER_SECOND)

    @contextmanager
    def listening(self, listener: StepListener) -> Iterator[None]:
        """Call the listener on each step forward, within the context."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def _read(self) -> tuple[int, int]:
        while True:
            before = self._steady()
            wall, after = self._wall(), self._steady()
            if after - before < READ_WINDOW:
                return wall, after

    def _note(self, off: int) -> None:
        """Log once that the machine's clock fell behind, and once that it caught up."""
        if self._behind and off >= 0:
            self._behind = False
            log.info("clock_caught_up")
        elif off <= -STEP_THRESHOLD and not self._behind:
            self._behind = True
            log.warning(
                "clock_set_back",
                seconds=-off / NANOSECONDS_PER_SECOND,
                why="recorded times keep increasing",
            )


def _moment(count: int) -> datetime:
    return datetime.fromtimestamp(count / NANOSECONDS_PER_SECOND, UTC)


_clock = Clock()


def current_clock() -> Clock:
    """Return the clock of this process."""
    return _clock


def utc_now() -> datetime:
    """Return the current time in UTC: the time at which an event is recorded."""
    return _clock.now()


@contextmanager
def use_clock(clock: Clock) -> Iterator[Clock]:
    """Use another clock within the context."""
    global _clock
    before, _clock = _clock, clock
    try:
        yield clock
    finally:
        _clock = before
