"""What is due when: one time for each of many matches, the first of them at hand."""

from datetime import datetime
from heapq import heapify, heappop, heappush
from typing import Final
from uuid import UUID

MAX_STALE_ENTRIES: Final = 64
"""Times that were changed since, beyond as many as there are, before they are cleared away."""


class DueTimes:
    """A heap. What was expected of a match is replaced by what is expected later."""

    def __init__(self) -> None:
        self._due: dict[UUID, datetime] = {}
        self._heap: list[tuple[datetime, UUID]] = []

    def __len__(self) -> int:
        return len(self._due)

    def get(self, identity: UUID) -> datetime | None:
        """What is expected of a match."""
        return self._due.get(identity)

    @property
    def first(self) -> datetime | None:
        """When to look again: there may be nothing due then."""
        return self._heap[0][0] if self._heap else None

    def expect(self, identity: UUID, due: datetime | None) -> bool:
        """Expect a match to be due then, or not at all. Is it earlier than all others?"""
        if self._due.get(identity) == due:
            return False
        if due is None:
            del self._due[identity]
            return False
        is_first = self.first is None or due < self._heap[0][0]
        self._due[identity] = due
        heappush(self._heap, (due, identity))
        if (
            len(self._heap) > 2 * len(self._due) + MAX_STALE_ENTRIES
        ):  # most are of times that have changed
            self._heap = [(at, each) for each, at in self._due.items()]
            heapify(self._heap)
        return is_first

    def passed(self, now: datetime) -> list[UUID]:
        """The matches that are due by now. They are expected no more."""
        found = []
        while self._heap and self._heap[0][0] <= now:
            due, identity = heappop(self._heap)
            if self._due.get(identity) == due:
                del self._due[identity]
                found.append(identity)
        return found
