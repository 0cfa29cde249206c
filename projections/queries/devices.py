"""Queries for tables with their gateways and styluses.

The rows contain no PIN, key or token in any form, and no tapped target: taps are read from the log.
For each tap that an action may cite, a row has the leaf's index in the tree over the log, for
proofs. `projector/device_rows.py` writes the rows.
"""

import sqlite3
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from projections.queries import projection_errors


class GatewaySummary(Struct, frozen=True):
    """A gateway of a table."""

    gateway: str
    name: str
    epoch: str
    """The current run of the gateway; empty if it never connected."""
    highest: int
    """The number of the last recorded message of the current run."""
    heard: datetime | None
    """When the last message was recorded; None without messages."""
    revoked: bool = False
    """Whether the gateway's key was revoked: it may not connect."""
    map_version: int = 0
    """The version of the gateway's own tap map; 0 without one."""
    first: datetime | None = None
    """When the gateway's first run began."""
    software: str = ""
    """The software that the gateway reported in its current run."""
    lost: int = 0
    """Number of lost messages, over all runs."""
    wrong_pins: int = 0
    """Number of wrong PINs that were entered at the gateway."""
    is_certified: bool = False
    """Whether the gateway may authenticate with a certificate in place of its key."""
    locale: str = ""
    """The language of the gateway's users, as it last reported: a BCP 47 tag, or empty."""


class StylusSummary(Struct, frozen=True):
    """A stylus that is or was paired at a table."""

    stylus: str
    name: str
    gateway: str
    """The gateway that the stylus is paired with; empty if unpaired."""
    battery: int | None
    lost: datetime | None
    """Since when the stylus has been lost; None while it is connected."""
    tapped: datetime | None
    """When the stylus's last tap was recorded."""
    seats: tuple[str, ...]
    shared: bool
    granted: tuple[str, ...] = ()
    """The seats for which the stylus may only tap."""
    ended: tuple[str, ...] = ()
    """The seats that were withdrawn from the stylus since it was seated."""


class TableSummary(Struct, frozen=True):
    """A table with its devices."""

    table: UUID
    name: str
    version: int
    match: UUID | None
    map_version: int
    updated: datetime
    gateways: tuple[GatewaySummary, ...]
    """The gateways, in order of registration."""
    styluses: tuple[StylusSummary, ...]
    """The styluses, in order of their first pairing."""
    digest: str
    """The digest of the table's last event."""
    closed: bool = False


class DevicePage(Struct, frozen=True):
    """A page of tables."""

    tables: tuple[TableSummary, ...]
    next: int | None
    """The `after` of the next page; None after the last page."""


def version(connection: sqlite3.Connection, table: UUID) -> int:
    """Return the version of a table in the read models, or 0 if they do not have the table."""
    row = connection.execute(
        "SELECT version FROM tables WHERE identity = ?", (str(table),)
    ).fetchone()
    return row[0] if row else 0


def table_page(
    connection: sqlite3.Connection,
    size: int,
    *,
    table: UUID | None = None,
    match: UUID | None = None,
    after: int | None = None,
) -> DevicePage:
    """Return a page of tables, the latest created first.

    Args:
        connection: The read models.
        size: Maximum number of tables.
        table: Only this table.
        match: Only tables on which this match is played.
        after: `next` of the previous page; None for the first page.

    Raises:
        ProjectionStoppedError: A table of the page has a projection error.
    """
    rows = connection.execute(
        "SELECT number, state FROM tables"
        " WHERE number < :before AND (:table IS NULL OR identity = :table)"
        " AND (:match IS NULL OR match = :match) ORDER BY number DESC LIMIT :most",
        {
            "before": _MAX_NUMBER if after is None else after,
            "table": str(table) if table else None,
            "match": str(match) if match else None,
            "most": size + 1,
        },
    ).fetchall()
    tables = tuple(DECODER.decode(state) for _, state in rows[:size])
    projection_errors.require_projected(connection, (each.table for each in tables))
    return DevicePage(
        tables,
        rows[size - 1][0] if len(rows) > size else None,
    )


def tables_of_match(connection: sqlite3.Connection, match: UUID, limit: int) -> list[UUID]:
    """Return up to `limit` tables on which a match is played."""
    rows = connection.execute(
        "SELECT identity FROM tables WHERE match = ? LIMIT ?", (str(match), limit)
    ).fetchall()
    return [UUID(identity) for (identity,) in rows]


def find_table(connection: sqlite3.Connection, table: UUID) -> TableSummary | None:
    """Return a table, or None if the read models do not have it."""
    found = table_page(connection, 1, table=table).tables
    return found[0] if found else None


def other_pairings(
    connection: sqlite3.Connection, stylus: str, table: UUID
) -> list[tuple[UUID, datetime]]:
    """Return the other tables at which a stylus is paired, with the times of their last events."""
    rows = connection.execute(
        "SELECT t.state FROM styluses s JOIN tables t ON t.number = s.at_table"
        " WHERE s.stylus = ? AND s.gateway != '' AND t.identity != ?",
        (stylus, str(table)),
    ).fetchall()
    found = [DECODER.decode(state) for (state,) in rows]
    return [(each.table, each.updated) for each in found]


def tables_of_stylus(connection: sqlite3.Connection, stylus: str, table: UUID) -> list[UUID]:
    """Return the other tables at which a stylus was paired or its PIN was entered."""
    rows = connection.execute(
        "SELECT t.identity FROM styluses s JOIN tables t ON t.number = s.at_table"
        " WHERE s.stylus = ? AND t.identity != ? ORDER BY t.number DESC LIMIT ?",
        (stylus, str(table), MAX_TABLES_OF_STYLUS),
    ).fetchall()
    return [UUID(identity) for (identity,) in rows]


def device_names(
    connection: sqlite3.Connection, table: UUID, gateway: str, stylus: str
) -> tuple[str, str]:
    """Return the current names of a gateway and a stylus; empty if they have none."""
    found = find_table(connection, table)
    gateways = found.gateways if found else ()
    styluses = found.styluses if found else ()
    return (
        next((each.name for each in gateways if each.gateway == gateway), ""),
        next((each.name for each in styluses if each.stylus == stylus), ""),
    )


def tap_leaf_index(connection: sqlite3.Connection, table: UUID, version: int) -> int | None:
    """Return the index of a tap's leaf in the tree over the log, or None if it has no row."""
    row = connection.execute(
        "SELECT p.place FROM taps p JOIN tables t ON t.number = p.at_table"
        " WHERE t.identity = ? AND p.version = ?",
        (str(table), min(version, _MAX_NUMBER)),
    ).fetchone()
    return row[0] if row else None


MAX_TABLES_OF_STYLUS: Final = 64
"""Maximum number of tables in which a stylus's wrong PINs are counted: the latest ones."""
_MAX_NUMBER: Final = 2**62
"""An upper bound of numbers and versions in the log."""


DECODER: Final = msgspec.json.Decoder(TableSummary)
"""The decoder of the column `state` of a table's row."""
