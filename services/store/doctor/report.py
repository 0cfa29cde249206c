"""Results of `emeth doctor`, and its read-only access to a log."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Literal, Protocol
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from services.store.cipher_keys import HEADER_BYTES

Severity = Literal["fine", "note", "bad"]


class HealthCheck(Struct, frozen=True):
    """The result of one health check."""

    weight: Severity
    about: str
    """What the check examined."""
    what: str
    """What the check found."""
    remedy: str = ""
    """What to do; empty if nothing is needed."""


class LogRows(Protocol):
    """Read access to the rows of a log."""

    def size(self) -> tuple[int, int]:
        """Return how many events there are, and the number of the last."""

    def names(self) -> list[str]:
        """Return the ids of all aggregates."""

    def rows(self, name: str) -> Iterator[StoredEvent]:
        """Yield the events of an aggregate in order."""

    def in_order(self) -> Iterator[StoredEvent]:
        """Yield all events in the order of the log."""

    def last(self) -> StoredEvent | None:
        """Return the last event; None if there is none."""

    def heads(self) -> Mapping[bytes, int]:
        """Count the events by their first bytes, which tell how they are encrypted."""


class FileRows:
    """The rows of a log in an SQLite file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def size(self) -> tuple[int, int]:
        """Return how many events there are, and the number of the last."""
        query = "SELECT count(*), coalesce(max(rowid), 0) FROM stored_events"
        count, last = self._connection.execute(query).fetchone()
        return count, last

    def names(self) -> list[str]:
        """Return the ids of all aggregates."""
        query = "SELECT DISTINCT originator_id FROM stored_events"
        return [name for (name,) in self._connection.execute(query)]

    def rows(self, name: str) -> Iterator[StoredEvent]:
        """Yield the events of an aggregate in order."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " WHERE originator_id = ? ORDER BY originator_version"
        )
        return (stored_event(*row) for row in self._connection.execute(query, (name,)))

    def in_order(self) -> Iterator[StoredEvent]:
        """Yield all events in the order of the log."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " ORDER BY rowid"
        )
        return (stored_event(*row) for row in self._connection.execute(query))

    def last(self) -> StoredEvent | None:
        """Return the last event; None if there is none."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " ORDER BY rowid DESC LIMIT 1"
        )
        row = self._connection.execute(query).fetchone()
        return None if row is None else stored_event(*row)

    def heads(self) -> Mapping[bytes, int]:
        """Count the events by their first bytes, which tell how they are encrypted."""
        query = "SELECT substr(state, 1, ?), count(*) FROM stored_events GROUP BY 1"
        found = self._connection.execute(query, (HEADER_BYTES,))
        return {head if isinstance(head, bytes) else head.encode(): n for head, n in found}


def stored_event(name: str | UUID, version: int, topic: str, state: bytes | str) -> StoredEvent:
    """Return a row as an event. Rows that were edited by hand may contain text as state."""
    raw = state.encode() if isinstance(state, str) else bytes(state)
    return StoredEvent(name if isinstance(name, UUID) else UUID(name), version, topic, raw)
