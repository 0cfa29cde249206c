"""Wakes those who wait for a match to move on: watchers, readers who want the newest, styluses.

There are two of these, one for each place where a match is looked at. The read models' own is woken
when they have a new version, the memory's own (`LiveMatches.watchers`) when the memory has it:
whoever is woken must look at the place that woke them, since the other may be a moment behind.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from uuid import UUID


class Watchers:
    """Who waits for which match. It lives on the event loop."""

    def __init__(self) -> None:
        self._waiting: defaultdict[UUID, set[asyncio.Event]] = defaultdict(set)
        self.wakes = 0
        """How often anybody was woken: what was looked up at the same count is as new for all."""
        self.closing = False

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def close(self) -> None:
        """Wake everybody, to say goodbye."""
        self.closing = True
        self.wake(tuple(self._waiting))

    def wake(self, matches: Iterable[UUID]) -> None:
        """These matches may have moved on."""
        self.wakes += 1
        for match in matches:
            for event in self._waiting.get(match, ()):
                event.set()

    @contextmanager
    def watching(self, match: UUID, event: asyncio.Event | None = None) -> Iterator[asyncio.Event]:
        """An event, the caller's or a new one, that is set whenever the match may have moved on;
        the caller clears it."""
        event = event or asyncio.Event()
        self._waiting[match].add(event)
        try:
            yield event
        finally:
            self._waiting[match].discard(event)
            if not self._waiting[match]:
                del self._waiting[match]
