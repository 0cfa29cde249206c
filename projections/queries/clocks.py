"""Rows of deadlines: the next flag fall of each match, or its expiry while it waits for players."""

import sqlite3
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from domain.match import AnyMatch, due, stops_while_away
from domain.match.clocks import MS

WRITE: Final = (
    "INSERT INTO clocks VALUES ",
    4,
    " ON CONFLICT (number) DO UPDATE SET due_ms = excluded.due_ms, stops = excluded.stops",
)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


_FOR_EVER: Final = 2**62


class RunningClock(Struct, frozen=True):
    """A match with a deadline."""

    match: UUID
    due: datetime
    """When the time runs out if no event comes before."""
    stops: bool
    """Whether one of the clocks stops during a downtime of the service."""


def row(number: int, match: AnyMatch) -> tuple[Any, ...]:
    """Return the values of a match's row. Its due time is 0 if the match has no deadline."""
    at = due(match)
    stops = match.clocks is not None and stops_while_away(match.clocks, match.clock_terms)
    return number, str(match.id), 0 if at is None else (at - EPOCH) // MS, int(stops)


def running(connection: sqlite3.Connection, until: datetime | None = None) -> list[RunningClock]:
    """Return the matches with a deadline, or only those whose deadline is not after `until`."""
    most = _FOR_EVER if until is None else (until - EPOCH) // MS
    rows = connection.execute(
        "SELECT match, due_ms, stops FROM clocks WHERE due_ms BETWEEN 1 AND ?", (most,)
    )
    return [RunningClock(UUID(match), EPOCH + MS * due, bool(stops)) for match, due, stops in rows]
