"""Wakes those who wait for a match to move on: watchers, readers who want the newest, styluses.

There are two of these, one for each place where a match is looked at. The read models' own is woken
when they have a new version, the memory's own (`MatchCache.watchers`) when the memory has it:
whoever is woken must look at the place that woke them, since the other may be a moment behind.

A crowd is woken a few at a time, and between two of these slices the event loop does what else
there is: so thousands who watch one match keep no action of another waiting.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final
from uuid import UUID

from services.runtime.signals import Signal

ANY_MATCH: Final = UUID(int=0)
"""Stands for all matches: who waits for it is woken whenever any moves on."""
WAKE_BATCH: Final = 8
"""How many are woken before the event loop does something else. To serve that many watchers takes
it about a millisecond, and an action takes about ten of its rounds."""


class _MatchWaiters:
    """Those who wait for one match."""

    __slots__ = ("events", "turn")

    def __init__(self, turn: int) -> None:
        self.events: set[Signal] = set()
        self.turn = turn


class Watchers:
    """Who waits for which match. It lives on the event loop."""

    def __init__(self) -> None:
        self._waiting: dict[UUID, _MatchWaiters] = {}
        self._turns = count()
        self._due: dict[UUID, set[Signal]] = {}
        """Whom to wake, by match: the matches take turns, so that a crowd delays no few."""
        self._serving = False
        self.closing = False
        self.closed = Signal()
        """Rings when they are told to leave."""

    def __len__(self) -> int:
        return sum(len(crowd.events) for crowd in self._waiting.values())

    def turn(self, match: UUID) -> int:
        """A number that is another whenever the match may have moved on since, for who watches it:
        what was looked up at the same number is as new for all."""
        return self._waiting[match].turn

    def close(self) -> None:
        """Wake everybody, to say goodbye."""
        self.closing = True
        self.closed.set()
        self.wake(tuple(self._waiting))

    def wake(self, matches: Iterable[UUID]) -> None:
        """These matches may have moved on."""
        if not self._waiting:
            return
        for match in (*matches, ANY_MATCH):
            if (crowd := self._waiting.get(match)) is not None:
                crowd.turn = next(self._turns)
                self.serve(match, crowd.events)

    def serve(self, match: UUID, events: Iterable[Signal]) -> None:
        """Set these events of a match, a few at a time."""
        self._due.setdefault(match, set()).update(events)
        if not self._serving:
            self._serve()

    def _serve(self) -> None:
        for _ in range(WAKE_BATCH):
            match = next(iter(self._due), None)
            if match is None:
                break
            events = self._due.pop(match)
            events.pop().set()
            if events:
                self._due[match] = events  # the last now
        self._serving = bool(self._due)
        if self._serving:
            asyncio.get_running_loop().call_soon(self._serve)

    @contextmanager
    def watching(self, match: UUID, event: Signal | None = None) -> Iterator[Signal]:
        """An event, the caller's or a new one, that is set whenever the match may have moved on;
        the caller clears it."""
        event = event or Signal()
        crowd = self._waiting.get(match)
        if crowd is None:
            crowd = self._waiting[match] = _MatchWaiters(next(self._turns))
        crowd.events.add(event)
        try:
            yield event
        finally:
            crowd.events.discard(event)
            if not crowd.events and self._waiting.get(match) is crowd:
                del self._waiting[match]
