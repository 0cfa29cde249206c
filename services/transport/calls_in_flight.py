"""Calls in flight, with a distinction between work of the service and waiting for callers.

A caller that does not read its stream keeps it open as long as it likes. A service that stops waits
for calls that it works on and for callers that still read. For others it waits only until it is
clear that they do not read.
"""

import time
from collections.abc import Callable


class CallsInFlight:
    """The calls in flight on all transports."""

    def __init__(self) -> None:
        self._working_count = 0
        self._latest = time.monotonic()
        self.working = _CountedScope(self._begin, self._end)
        """Context of a call, from start to end."""
        self.waiting = _CountedScope(self._pause, self._resume)
        """Context in a call while its caller sends a request or reads a message."""

    @property
    def idle_seconds(self) -> float:
        """Return how long the service has only waited for callers, none of whom read anything."""
        return 0.0 if self._working_count else time.monotonic() - self._latest

    def _begin(self) -> None:
        self._working_count += 1

    def _end(self) -> None:
        self._working_count -= 1
        self._latest = time.monotonic()

    def _pause(self) -> None:
        self._working_count -= 1

    def _resume(self) -> None:
        self._working_count += 1
        self._latest = time.monotonic()


class _CountedScope:
    """A reusable context manager around two callbacks, cheap enough to enter for each message."""

    __slots__ = ("_begin", "_end")

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._begin = begin
        self._end = end

    def __enter__(self) -> None:
        self._begin()

    def __exit__(self, *_: object) -> None:
        self._end()
