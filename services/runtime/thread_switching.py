"""Shortens the interpreter's switch interval while CPU-bound work runs.

Threads that play, write and project events release the interpreter's global lock whenever they wait
for the disk or a caller, so a long interval suits them best. But beside CPU-bound threads the event
loop would be starved.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SWITCH_INTERVAL_SECONDS: Final = 0.0002
"""The switch interval during CPU-bound work. With Python's default of 5 ms, players wait twice as
long beside a flood of verifications; without such work the default makes actions an eighth
cheaper."""


class _SwitchInterval:
    """The number of CPU-bound tasks of this process, which determines the switch interval."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running = 0
        self._default = 0.0

    def shorten(self) -> None:
        with self._lock:
            self._running += 1
            if self._running == 1:
                self._default = sys.getswitchinterval()
                sys.setswitchinterval(min(SWITCH_INTERVAL_SECONDS, self._default))

    def restore(self) -> None:
        with self._lock:
            self._running -= 1
            if not self._running:
                sys.setswitchinterval(self._default)


_SWITCH_INTERVAL: Final = _SwitchInterval()


@contextmanager
def cpu_bound() -> Iterator[None]:
    """Shorten the switch interval within the context.

    Enter it in a thread that computes for longer than the switch interval, or decorate the work
    with it.
    """
    _SWITCH_INTERVAL.shorten()
    try:
        yield
    finally:
        _SWITCH_INTERVAL.restore()


async def run_cpu_bound(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run CPU-bound work in a thread and return its result, without starving the event loop."""
    return await asyncio.to_thread(cpu_bound()(work), *arguments, **named)
