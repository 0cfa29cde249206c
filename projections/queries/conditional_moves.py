"""Rows of conditional moves: which seats have an active plan. Rows do not contain the moves."""

import sqlite3
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import Notification
from msgspec import Struct

from domain.conditional_moves import ConditionalMovesSet, Event
from domain.log.digests import GENESIS, check_link
from domain.log.sealed_events import SealedEvent

UPSERT: Final = (
    "INSERT INTO plans VALUES ",
    6,
    " ON CONFLICT (number) DO UPDATE SET version = excluded.version, digest = excluded.digest,"
    " match = excluded.match, goes_on = excluded.goes_on",
)
"""The statement for the fields of a `PlanRow`."""


class PlanRow(Struct, frozen=True):
    """The row of a seat's conditional moves."""

    number: int
    """The log's number of their first event."""
    plan: str
    version: int
    digest: str
    match: str
    goes_on: bool
    """Whether the conditional moves still wait for a trigger or a turn."""


def fold_plan(
    connection: sqlite3.Connection,
    pending: Mapping[UUID, PlanRow],
    sealed: SealedEvent[Event],
    notification: Notification,
) -> PlanRow:
    """Fold an event, and return the row of its plan after it.

    Args:
        connection: The read models.
        pending: The rows of the batch, which are not written yet.
        sealed: The event.
        notification: The event as the log stores it.

    Raises:
        ValueError: The event is not the next one of its plan.
    """
    event = sealed.event
    before = pending.get(event.plan) or _row(connection, event.plan)
    due = (before.version if before else 0) + 1
    stored = (notification.originator_id, notification.originator_version)
    if stored != (event.plan, due) or event.version != due:
        raise ValueError(f"it is version {event.version} of {event.plan}, but version {due} is due")
    check_link(before.digest if before else GENESIS, sealed.digest, sealed.body)
    number = before.number if before else notification.id
    if isinstance(event, ConditionalMovesSet):
        match, goes_on = str(event.match), True
    else:
        match, goes_on = before.match if before else "", False
    return PlanRow(number, str(event.plan), event.version, sealed.digest, match, goes_on)


def version(connection: sqlite3.Connection, plan: UUID) -> int:
    """Return the version of conditional moves in the read models; 0 for unknown ones."""
    found = _row(connection, plan)
    return found.version if found else 0


def active_plans(connection: sqlite3.Connection) -> list[tuple[UUID, UUID]]:
    """Return the IDs of all active conditional moves, each with the ID of its match."""
    rows = connection.execute("SELECT plan, match FROM plans WHERE goes_on = 1")
    return [(UUID(plan), UUID(match)) for plan, match in rows]


def _row(connection: sqlite3.Connection, plan: UUID) -> PlanRow | None:
    row: Any = connection.execute("SELECT * FROM plans WHERE plan = ?", (str(plan),)).fetchone()
    return None if row is None else PlanRow(*row)
