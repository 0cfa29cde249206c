"""What `emeth doctor` finds, and the rows of a log as it reads them. Nothing is written."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Literal, Protocol
from uuid import UUID

from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from services.store.cipher_keys import HEADER_BYTES

Severity = Literal["fine", "note", "bad"]


class HealthCheck(Struct, frozen=True):
    """What was found of one thing."""

    weight: Severity
    about: str
    """What was looked at."""
    what: str
    """What was found."""
    remedy: str = ""
    """What to do; empty if nothing is to be done."""


class LogRows(Protocol):
    """What is read of a log."""

    def size(self) -> tuple[int, int]:
        """Return how many events there are, and the number of the last."""

    def names(self) -> list[str]:
        """Return the ids of all aggregates."""

    def rows(self, name: str) -> Iterator[StoredEvent]:
        """Read the events of an aggregate in order."""

    def in_order(self) -> Iterator[StoredEvent]:
        """Read all events in the order of the log."""

    def last(self) -> StoredEvent | None:
        """Return the last event; None if there is none."""

    def heads(self) -> Mapping[bytes, int]:
        """Return how many events begin with which bytes, which tell how they are encrypted."""


class FileRows:
    """The rows of a log in an SQLite file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def size(self) -> tuple[int, int]:
        """See `LogRows`."""
        query = "SELECT count(*), coalesce(max(rowid), 0) FROM stored_events"
        count, last = self._connection.execute(query).fetchone()
        return count, last

    def names(self) -> list[str]:
        """See `LogRows`."""
        query = "SELECT DISTINCT originator_id FROM stored_events"
        return [name for (name,) in self._connection.execute(query)]

    def rows(self, name: str) -> Iterator[StoredEvent]:
        """See `LogRows`."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " WHERE originator_id = ? ORDER BY originator_version"
        )
        return (stored_event(*row) for row in self._connection.execute(query, (name,)))

    def in_order(self) -> Iterator[StoredEvent]:
        """See `LogRows`."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " ORDER BY rowid"
        )
        return (stored_event(*row) for row in self._connection.execute(query))

    def last(self) -> StoredEvent | None:
        """See `LogRows`."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " ORDER BY rowid DESC LIMIT 1"
        )
        row = self._connection.execute(query).fetchone()
        return None if row is None else stored_event(*row)

    def heads(self) -> Mapping[bytes, int]:
        """See `LogRows`."""
        query = "SELECT substr(state, 1, ?), count(*) FROM stored_events GROUP BY 1"
        found = self._connection.execute(query, (HEADER_BYTES,))
        return {head if isinstance(head, bytes) else head.encode(): n for head, n in found}


def stored_event(name: str | UUID, version: int, topic: str, state: bytes | str) -> StoredEvent:
    # Who edits a row by hand makes text of it, which the chain shows.
    raw = state.encode() if isinstance(state, str) else bytes(state)
    return StoredEvent(name if isinstance(name, UUID) else UUID(name), version, topic, raw)
