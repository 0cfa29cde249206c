"""Wakes tasks that wait for a match to change: watchers, readers of a version, styluses.

There are two instances. One is woken when the read models have a new version, the other
(`MatchCache.watchers`) when the cache has it. A woken task must read from the source that woke it,
since the other may be a moment behind.

Many waiting tasks are woken in small batches, between which the event loop runs other tasks.
Thousands of watchers of one match therefore do not delay actions in others.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final
from uuid import UUID

from services.runtime.signals import Signal

ANY_MATCH: Final = UUID(int=0)
"""ID that stands for any match."""
WAKE_BATCH: Final = 8
"""Number of tasks that are woken per iteration of the event loop. Serving so many watchers takes
about a millisecond, and an action about ten iterations."""


class _MatchWaiters:
    """The tasks that wait for one match."""

    __slots__ = ("events", "turn")

    def __init__(self, turn: int) -> None:
        self.events: set[Signal] = set()
        self.turn = turn


class Watchers:
    """The waiting tasks by match. Bound to one event loop."""

    def __init__(self) -> None:
        self._waiters: dict[UUID, _MatchWaiters] = {}
        self._turns = count()
        self._due: dict[UUID, set[Signal]] = {}
        """Signals to be set, by match. Matches take turns, so that a large one does not delay
        others."""
        self._serve_task = False
        self.closing = False
        self.closed = Signal()
        """Set when all watchers must disconnect."""

    def __len__(self) -> int:
        return sum(len(crowd.events) for crowd in self._waiters.values())

    def turn(self, match: UUID) -> int:
        """Return a number that changes whenever the match may have changed.

        Results that were read at the same number are equally current.
        """
        return self._waiters[match].turn

    def close(self) -> None:
        """Wake all tasks, so that they disconnect."""
        self.closing = True
        self.closed.set()
        self.wake(tuple(self._waiters))

    def wake(self, matches: Iterable[UUID]) -> None:
        """Wake the tasks that wait for these matches."""
        if not self._waiters:
            return
        for match in (*matches, ANY_MATCH):
            if (crowd := self._waiters.get(match)) is not None:
                crowd.turn = next(self._turns)
                self.serve(match, crowd.events)

    def serve(self, match: UUID, events: Iterable[Signal]) -> None:
        """Set these signals of a match, a few per iteration of the event loop."""
        self._due.setdefault(match, set()).update(events)
        if not self._serve_task:
            self._serve()

    def _serve(self) -> None:
        for _ in range(WAKE_BATCH):
            match = next(iter(self._due), None)
            if match is None:
                break
            events = self._due.pop(match)
            events.pop().set()
            if events:
                self._due[match] = events  # requeued at the end
        self._serve_task = bool(self._due)
        if self._serve_task:
            asyncio.get_running_loop().call_soon(self._serve)

    @contextmanager
    def watching(self, match: UUID, event: Signal | None = None) -> Iterator[Signal]:
        """Provide a signal, by default a new one, that is set whenever the match may have changed.

        The caller clears it.
        """
        event = event or Signal()
        crowd = self._waiters.get(match)
        if crowd is None:
            crowd = self._waiters[match] = _MatchWaiters(next(self._turns))
        crowd.events.add(event)
        try:
            yield event
        finally:
            crowd.events.discard(event)
            if not crowd.events and self._waiters.get(match) is crowd:
                del self._waiters[match]
