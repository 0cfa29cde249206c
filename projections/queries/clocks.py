"""Rows of deadlines: the next flag fall of each match, or its expiry while it waits for players."""

import sqlite3
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from domain.match import AnyMatch, is_paused_by_downtime, next_deadline
from domain.match.clocks import MS

UPSERT: Final = (
    "INSERT INTO clocks VALUES ",
    4,
    " ON CONFLICT (number) DO UPDATE SET due_ms = excluded.due_ms, stops = excluded.stops",
)
UNIX_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


_MAX_MS: Final = 2**62


class RunningClock(Struct, frozen=True):
    """A match with a deadline."""

    match: UUID
    due: datetime
    """When the time runs out if no event comes before."""
    stops: bool
    """Whether one of the clocks stops during a downtime of the service."""


def clock_values(number: int, match: AnyMatch) -> tuple[Any, ...]:
    """Return the values of a match's row. Its due time is 0 if the match has no deadline."""
    at = next_deadline(match)
    stops = match.clocks is not None and is_paused_by_downtime(match.clocks, match.time_controls)
    return number, str(match.id), 0 if at is None else (at - UNIX_EPOCH) // MS, int(stops)


def running_clocks(
    connection: sqlite3.Connection, until: datetime | None = None
) -> list[RunningClock]:
    """Return the matches with a deadline, or only those whose deadline is not after `until`."""
    limit = _MAX_MS if until is None else (until - UNIX_EPOCH) // MS
    rows = connection.execute(
        "SELECT match, due_ms, stops FROM clocks WHERE due_ms BETWEEN 1 AND ?", (limit,)
    )
    return [
        RunningClock(UUID(match), UNIX_EPOCH + MS * due, bool(stops)) for match, due, stops in rows
    ]
