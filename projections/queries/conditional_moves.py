"""Plans that seats have left: which ones go on. Nothing is here of what is in them."""

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
"""The statement for rows of `PlanRow`."""


class PlanRow(Struct, frozen=True):
    """A plan, by the log's number of its first event."""

    number: int
    plan: str
    version: int
    digest: str
    match: str
    goes_on: bool


def fold_plan(
    connection: sqlite3.Connection,
    pending: Mapping[UUID, PlanRow],
    sealed: SealedEvent[Event],
    notification: Notification,
) -> PlanRow:
    """The row of a plan after an event: after that of `pending`, which is not written yet, or of
    the table.

    Raises ValueError for an event that is not the next one of its plan.
    """
    event = sealed.event
    before = pending.get(event.plan) or _row(connection, event.plan)
    wanted = (before.version if before else 0) + 1
    stored = (notification.originator_id, notification.originator_version)
    if stored != (event.plan, wanted) or event.version != wanted:
        raise ValueError(f"it is version {event.version} of {event.plan}, where {wanted} is due")
    check_link(before.digest if before else GENESIS, sealed.digest, sealed.body)
    number = before.number if before else notification.id
    if isinstance(event, ConditionalMovesSet):
        match, goes_on = str(event.match), True
    else:
        match, goes_on = before.match if before else "", False
    return PlanRow(number, str(event.plan), event.version, sealed.digest, match, goes_on)


def version(connection: sqlite3.Connection, plan: UUID) -> int:
    """The version of a plan that the read models have; 0 if they do not know it."""
    found = _row(connection, plan)
    return found.version if found else 0


def active_plans(connection: sqlite3.Connection) -> list[tuple[UUID, UUID]]:
    """Every plan that goes on, with its match."""
    rows = connection.execute("SELECT plan, match FROM plans WHERE goes_on = 1")
    return [(UUID(plan), UUID(match)) for plan, match in rows]


def _row(connection: sqlite3.Connection, plan: UUID) -> PlanRow | None:
    row: Any = connection.execute("SELECT * FROM plans WHERE plan = ?", (str(plan),)).fetchone()
    return None if row is None else PlanRow(*row)
