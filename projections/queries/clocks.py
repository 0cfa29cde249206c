"""When the first clock of each match runs out, or its time to wait for players: for who has to
say so."""

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
    """A match in which somebody's time runs."""

    match: UUID
    due: datetime
    """When it is up, if nothing happens before."""
    stops: bool
    """A clock among them does not run while the service is away."""


def clock_values(number: int, match: AnyMatch) -> tuple[Any, ...]:
    """The row of a match in which something is due, which is known by this number; due at 0 if
    nothing is."""
    at = next_deadline(match)
    stops = match.clocks is not None and is_paused_by_downtime(match.clocks, match.time_controls)
    return number, str(match.id), 0 if at is None else (at - UNIX_EPOCH) // MS, int(stops)


def running_clocks(
    connection: sqlite3.Connection, until: datetime | None = None
) -> list[RunningClock]:
    """All matches in which a clock runs, or in which one is up until a time, as far as the read
    models know."""
    most = _MAX_MS if until is None else (until - UNIX_EPOCH) // MS
    rows = connection.execute(
        "SELECT match, due_ms, stops FROM clocks WHERE due_ms BETWEEN 1 AND ?", (most,)
    )
    return [
        RunningClock(UUID(match), UNIX_EPOCH + MS * due, bool(stops)) for match, due, stops in rows
    ]
