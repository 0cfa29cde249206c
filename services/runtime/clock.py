"""The clock of the service: the machine's, which may be set; this one never goes back.

It follows the machine's clock as long as that runs as fast as the machine counts, and goes its own
way where somebody sets it
([why](../docs/decisions/0069-the-clock-of-the-service-never-goes-back.md)):

- If it is set back, this one goes on a little slower until the other has caught up.
- If it is set forward, or the machine has slept, this one follows at once, and tells who listens
  from when to when nobody could play.
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
"""In nanoseconds, in which all is counted here."""
STEP_THRESHOLD: Final = NANOSECONDS_PER_SECOND // 2
"""What the machine's clock has to be off for it to have been set, and not merely trimmed."""
SLEW_DIVISOR: Final = 50
"""Of so many seconds it takes one longer while the machine's clock is behind."""
READ_WINDOW: Final = NANOSECONDS_PER_SECOND // 100
"""Within this the machine's two clocks are read; if something came between, they are again."""
MAX_LOG_AHEAD: Final = timedelta(days=1)
"""A service that starts believes a log that is ahead of the machine's clock by so much at most."""

NanosecondCounter = Callable[[], int]
StepListener = Callable[[datetime, datetime], None]
"""Is told of a step forward, in any thread: from when to when no time passed for anybody."""


class Clock:
    """A clock that never goes back."""

    def __init__(
        self, wall: NanosecondCounter = time.time_ns, steady: NanosecondCounter = time.monotonic_ns
    ) -> None:
        """`wall` is the time since 1970 by the machine's clock; `steady` counts, and is never
        set."""
        self._wall = wall
        self._steady = steady
        self._lock = Lock()
        self._listeners: list[StepListener] = []
        self._behind = False
        """Is the machine's clock behind, as far as anybody was told?"""
        self._time, self._counted = self._read()

    def now(self) -> datetime:
        """The time, in UTC."""
        step: tuple[int, int] | None = None
        with self._lock:
            wall, counted = self._read()
            passed = max(0, counted - self._counted)
            due = self._time + passed
            off = wall - due
            if off >= STEP_THRESHOLD:
                step = due, wall
            self._time = wall if off >= 0 else due - min(-off, passed // SLEW_DIVISOR)
            self._counted = counted
            self._note(off)
            now = self._time
        if step is not None:
            since, until = map(_moment, step)
            log.warning("clock_set_forward", seconds=(until - since).total_seconds())
            for told in self._listeners:
                told(since, until)
        return _moment(now)

    def not_before(self, time: datetime) -> None:
        """Go on from a time that was recorded before, if the machine's clock is behind it."""
        ahead = time - self.now()
        if ahead > MAX_LOG_AHEAD:
            log.warning(
                "log_is_ahead", seconds=ahead.total_seconds(), why="times may run backwards"
            )
        elif ahead > timedelta(0):
            with self._lock:
                self._time += round(ahead.total_seconds() * NANOSECONDS_PER_SECOND)

    @contextmanager
    def telling(self, listener: StepListener) -> Iterator[None]:
        """Tell somebody of steps forward."""
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
        """Say once that the machine's clock is behind, and once that it no longer is."""
        if self._behind and off >= 0:
            self._behind = False
            log.info("clock_caught_up")
        elif off <= -STEP_THRESHOLD and not self._behind:
            self._behind = True
            log.warning(
                "clock_set_back",
                seconds=-off / NANOSECONDS_PER_SECOND,
                why="times go on, and never run backwards",
            )


def _moment(count: int) -> datetime:
    return datetime.fromtimestamp(count / NANOSECONDS_PER_SECOND, UTC)


_clock = Clock()


def current_clock() -> Clock:
    """The clock of this process."""
    return _clock


def utc_now() -> datetime:
    """The time by which all is recorded."""
    return _clock.now()


@contextmanager
def use_clock(clock: Clock) -> Iterator[Clock]:
    """Go by another clock for a while."""
    global _clock
    before, _clock = _clock, clock
    try:
        yield clock
    finally:
        _clock = before
