"""Wakes those who wait for a match to move on: watchers, and readers who want the newest."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID


class Watchers:
    """Who waits for which match. It lives on the event loop; the read side calls from a thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: defaultdict[UUID, set[asyncio.Event]] = defaultdict(set)
        self.closing = False

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def moved_on(self, versions: Mapping[UUID, int]) -> None:
        """The read models now have these matches at these versions. Safe from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, tuple(versions))

    def close(self) -> None:
        """Wake everybody, to say goodbye."""
        self.closing = True
        self._wake(tuple(self._waiting))

    def _wake(self, matches: tuple[UUID, ...]) -> None:
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
