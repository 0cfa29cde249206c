"""The calls under way: which of them the service works on, and which only wait for their callers.

A caller that takes nothing of what it is sent keeps its stream open for as long as it likes. A
service that stops waits for what it works on, and for who still takes what comes; for the others,
only until it is clear that they do not.
"""

import time
from collections.abc import Callable


class CallsInFlight:
    """The calls of all doors."""

    def __init__(self) -> None:
        self._working = 0
        self._latest = time.monotonic()
        self.working = _CountedScope(self._begin, self._end)
        """What lasts from the beginning of a call to its end."""
        self.waiting = _CountedScope(self._rest, self._go_on)
        """What such a call does while its caller sends its request, or takes a message."""

    @property
    def idle_seconds(self) -> float:
        """How long there was nothing to do but to wait for callers, none of whom took anything."""
        return 0.0 if self._working else time.monotonic() - self._latest

    def _begin(self) -> None:
        self._working += 1

    def _end(self) -> None:
        self._working -= 1
        self._latest = time.monotonic()

    def _rest(self) -> None:
        self._working -= 1

    def _go_on(self) -> None:
        self._working += 1
        self._latest = time.monotonic()


class _CountedScope:
    """Entered for each call, and each message of each stream: so it is no generator, and there is
    one of it."""

    __slots__ = ("_begin", "_end")

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._begin = begin
        self._end = end

    def __enter__(self) -> None:
        self._begin()

    def __exit__(self, *_: object) -> None:
        self._end()
