"""How long each of Python's threads may go on while others wait: it runs one of them at a time.

The threads that play, write and follow take turns of themselves, whenever they wait for the disk or
a caller: to have Python change them before that costs more than it is worth. But whoever plays
would wait long, and again and again, for threads that compute without a pause.
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
"""A turn while something is computed. With Python's own, 5 ms, whoever plays beside a flood of
matches that are verified waits twice as long; yet an action alone costs an eighth less then.
"""


class _Turns:
    """Those of all threads of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._computing = 0
        self._usual = 0.0

    def begin(self) -> None:
        with self._lock:
            self._computing += 1
            if self._computing == 1:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(min(SWITCH_INTERVAL_SECONDS, self._usual))

    def end(self) -> None:
        with self._lock:
            self._computing -= 1
            if not self._computing:
                sys.setswitchinterval(self._usual)


_TURNS: Final = _Turns()


@contextmanager
def cpu_bound() -> Iterator[None]:
    """While this lasts, all threads take short turns: enter it in a thread that computes for longer
    than a turn, or decorate with it what is done there."""
    _TURNS.begin()
    try:
        yield
    finally:
        _TURNS.end()


async def run_cpu_bound(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What comes of work that computes: it is done in a thread, and those who play go on."""
    return await asyncio.to_thread(cpu_bound()(work), *arguments, **named)
