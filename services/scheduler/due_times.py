"""A priority queue of due times: one time for each match, the earliest first."""

from datetime import datetime
from heapq import heapify, heappop, heappush
from typing import Final
from uuid import UUID

MAX_STALE_ENTRIES: Final = 64
"""Times that were changed since, beyond as many as there are, before they are cleared away."""


class DueTimes:
    """A heap of due times. A later time for a match replaces the earlier one."""

    def __init__(self) -> None:
        self._due: dict[UUID, datetime] = {}
        self._heap: list[tuple[datetime, UUID]] = []

    def __len__(self) -> int:
        return len(self._due)

    def get(self, identity: UUID) -> datetime | None:
        """Return the due time of a match; None if it has none."""
        return self._due.get(identity)

    @property
    def first(self) -> datetime | None:
        """Return the time of the next check; nothing may be due then."""
        return self._heap[0][0] if self._heap else None

    def expect(self, identity: UUID, due: datetime | None) -> bool:
        """Set the due time of a match, or remove it. Return whether it is now the earliest."""
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

    def pop_due(self, now: datetime) -> list[UUID]:
        """Remove and return the matches that are due by now."""
        found = []
        while self._heap and self._heap[0][0] <= now:
            due, identity = heappop(self._heap)
            if self._due.get(identity) == due:
                del self._due[identity]
                found.append(identity)
        return found
