"""Tables with their gateways and styluses, as they stand: what is told of them, and asking for it.

The rows have no PIN, key or token in any form, and nothing that was tapped: taps are read from the
log itself. Of each tap that an action may name there is only its place in the tree over the log, so
that it can be proven. `devices_following.py` writes them.
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
    """Its present run; empty if it never connected."""
    highest: int
    """The number of the last message of that run which is recorded."""
    heard: datetime | None
    """When its last message was recorded; None if there was none."""
    revoked: bool = False
    """It may not connect any more."""
    map_version: int = 0
    """Of its own tap map; 0 if it has none."""
    first: datetime | None = None
    """When its first message was recorded, or its first run."""
    software: str = ""
    """Its software, as its present run told."""
    lost: int = 0
    """Messages that it has lost, over all its runs."""
    wrong_pins: int = 0
    """PINs that were tried at it in vain."""
    is_certified: bool = False
    """May it show a certificate in place of its key?"""
    locale: str = ""
    """The language in which its users read, as it told last: BCP 47, or empty."""


class StylusSummary(Struct, frozen=True):
    """A stylus that is or was paired at a table."""

    stylus: str
    name: str
    gateway: str
    """That it is paired with; empty for none."""
    battery: int | None
    lost: datetime | None
    """Since when it is not heard; None while it is."""
    tapped: datetime | None
    """When its last tap was recorded."""
    seats: tuple[str, ...]
    shared: bool
    granted: tuple[str, ...] = ()
    """Those of its seats for which it may only tap."""
    ended: tuple[str, ...] = ()
    """The seats that it has lost since it was seated."""


class TableSummary(Struct, frozen=True):
    """A table as it stands."""

    table: UUID
    name: str
    version: int
    match: UUID | None
    map_version: int
    updated: datetime
    gateways: tuple[GatewaySummary, ...]
    """The first registered first."""
    styluses: tuple[StylusSummary, ...]
    """The first known first."""
    digest: str
    """Of its last event."""
    closed: bool = False


class DevicePage(Struct, frozen=True):
    """Some of the tables."""

    tables: tuple[TableSummary, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""


def version(connection: sqlite3.Connection, table: UUID) -> int:
    """The version of a table that the read models have; 0 if they do not know it."""
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
    """At most `size` tables, the latest first, those that come after `after`, which is a page's
    `next`: of all, or this one, or those on which this match is played."""
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


def tables_of_match(connection: sqlite3.Connection, match: UUID, most: int) -> list[UUID]:
    """Return at most this many tables on which a match is played."""
    rows = connection.execute(
        "SELECT identity FROM tables WHERE match = ? LIMIT ?", (str(match), most)
    ).fetchall()
    return [UUID(identity) for (identity,) in rows]


def find_table(connection: sqlite3.Connection, table: UUID) -> TableSummary | None:
    """A table as it stands; None if the read models do not know it."""
    found = table_page(connection, 1, table=table).tables
    return found[0] if found else None


def other_pairings(
    connection: sqlite3.Connection, stylus: str, table: UUID
) -> list[tuple[UUID, datetime]]:
    """The other tables at which a stylus with this hardware id is paired, and when anything
    happened there last."""
    rows = connection.execute(
        "SELECT t.state FROM styluses s JOIN tables t ON t.number = s.at_table"
        " WHERE s.stylus = ? AND s.gateway != '' AND t.identity != ?",
        (stylus, str(table)),
    ).fetchall()
    found = [DECODER.decode(state) for (state,) in rows]
    return [(each.table, each.updated) for each in found]


def tables_of_stylus(connection: sqlite3.Connection, stylus: str, table: UUID) -> list[UUID]:
    """The other tables at which a stylus was paired, or its PIN was tried."""
    rows = connection.execute(
        "SELECT t.identity FROM styluses s JOIN tables t ON t.number = s.at_table"
        " WHERE s.stylus = ? AND t.identity != ? ORDER BY t.number DESC LIMIT ?",
        (stylus, str(table), MAX_TABLES_OF_STYLUS),
    ).fetchall()
    return [UUID(identity) for (identity,) in rows]


def device_names(
    connection: sqlite3.Connection, table: UUID, gateway: str, stylus: str
) -> tuple[str, str]:
    """What a gateway and a stylus are called now; empty for what has no name."""
    found = find_table(connection, table)
    gateways = found.gateways if found else ()
    styluses = found.styluses if found else ()
    return (
        next((each.name for each in gateways if each.gateway == gateway), ""),
        next((each.name for each in styluses if each.stylus == stylus), ""),
    )


def tap_leaf_index(connection: sqlite3.Connection, table: UUID, version: int) -> int | None:
    """The place of a tap in the log, from 0; None if the read models do not know it."""
    row = connection.execute(
        "SELECT p.place FROM taps p JOIN tables t ON t.number = p.at_table"
        " WHERE t.identity = ? AND p.version = ?",
        (str(table), min(version, _MAX_NUMBER)),
    ).fetchone()
    return row[0] if row else None


MAX_TABLES_OF_STYLUS: Final = 64
"""Tables that are asked for wrong PINs of one stylus: the latest ones."""
_MAX_NUMBER: Final = 2**62
"""No log is as long."""


DECODER: Final = msgspec.json.Decoder(TableSummary)
"""Reads the column `state` of a table's row."""
