"""Tables with their gateways and styluses, as they stand. Written by the projector: however many
taps a batch has, a device is one row of it.

What a table folds to is for `domain.table` to say; here it is put into rows. They have no PIN, key
or token in any form, and nothing that was tapped: taps are read from the log itself. Of each tap
that an action may name there is only its place in the tree over the log, so that it can be proven.
"""

import sqlite3
from collections import OrderedDict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import Notification
from msgspec import Struct
from msgspec.structs import replace

from domain import table as tables
from domain.match import Sealed
from domain.table import Event, Table, TapTaken, evolve
from domain.table.events import EpochBegan, MatchPlaced, MessagesLost, SignNoticed, TableOpened
from projections.schema import insert

KEEP: Final = 2048
"""Tables that stay in memory between batches."""


class Gateway(Struct, frozen=True):
    """A gateway of a table."""

    gateway: str
    name: str
    epoch: str
    """Its present run; empty if it never connected."""
    highest: int
    """The number of the last message of that run which is recorded."""
    heard: datetime | None
    """When its last message was recorded; None if there was none."""


class Stylus(Struct, frozen=True):
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


class TableStanding(Struct, frozen=True):
    """A table as it stands."""

    number: int
    """The log's number of its first event, which lists are ordered by."""
    table: UUID
    name: str
    version: int
    match: UUID | None
    map_version: int
    updated: datetime
    gateways: tuple[Gateway, ...]
    styluses: tuple[Stylus, ...]


class Page(Struct, frozen=True):
    """Some of the tables."""

    tables: tuple[TableStanding, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""


# --- asking --------------------------------------------------------------------------------------


def version(connection: sqlite3.Connection, table: UUID) -> int:
    """The version of a table that the read models have; 0 if they do not know it."""
    row = connection.execute(
        "SELECT version FROM tables WHERE identity = ?", (str(table),)
    ).fetchone()
    return row[0] if row else 0


def listed(
    connection: sqlite3.Connection,
    size: int,
    *,
    table: UUID | None = None,
    match: UUID | None = None,
    after: int | None = None,
) -> Page:
    """At most `size` tables, the latest first, those that come after `after`, which is a page's
    `next`: of all, or this one, or those on which this match is played."""
    rows = connection.execute(
        "SELECT number, identity, name, version, match, map_version, updated FROM tables"
        " WHERE number < :before AND (:table IS NULL OR identity = :table)"
        " AND (:match IS NULL OR match = :match) ORDER BY number DESC LIMIT :most",
        {
            "before": _BEYOND if after is None else after,
            "table": str(table) if table else None,
            "match": str(match) if match else None,
            "most": size + 1,
        },
    ).fetchall()
    return Page(
        tuple(_standing(connection, row) for row in rows[:size]),
        rows[size - 1][0] if len(rows) > size else None,
    )


def elsewhere(
    connection: sqlite3.Connection, stylus: str, table: UUID
) -> list[tuple[UUID, datetime]]:
    """The other tables at which a stylus with this hardware id is paired, and when anything
    happened there last."""
    rows = connection.execute(
        "SELECT t.identity, t.updated FROM styluses s JOIN tables t ON t.number = s.at_table"
        " WHERE s.stylus = ? AND s.gateway != '' AND t.identity != ?",
        (stylus, str(table)),
    ).fetchall()
    return [(UUID(identity), datetime.fromisoformat(updated)) for identity, updated in rows]


def names(connection: sqlite3.Connection, table: UUID, gateway: str, stylus: str) -> list[str]:
    """What a gateway and a stylus are called now; empty for what has no name."""
    asked = (
        ("SELECT name FROM gateways WHERE gateway = ?", (gateway,)),
        (
            "SELECT s.name FROM styluses s JOIN tables t ON t.number = s.at_table"
            " WHERE t.identity = ? AND s.stylus = ?",
            (str(table), stylus),
        ),
    )
    rows = [connection.execute(*each).fetchone() for each in asked]
    return [row[0] if row else "" for row in rows]


def place(connection: sqlite3.Connection, table: UUID, version: int) -> int | None:
    """The place of a tap in the log, from 0; None if the read models do not know it."""
    row = connection.execute(
        "SELECT p.place FROM taps p JOIN tables t ON t.number = p.at_table"
        " WHERE t.identity = ? AND p.version = ?",
        (str(table), min(version, _BEYOND)),
    ).fetchone()
    return row[0] if row else None


_BEYOND: Final = 2**62
"""No log is as long."""


def _standing(connection: sqlite3.Connection, row: tuple[Any, ...]) -> TableStanding:
    number, identity, name, told, match, map_version, updated = row
    return TableStanding(
        number=number,
        table=UUID(identity),
        name=name,
        version=told,
        match=UUID(match) if match else None,
        map_version=map_version,
        updated=datetime.fromisoformat(updated),
        gateways=tuple(_gateways(connection, number)),
        styluses=tuple(_styluses(connection, number)),
    )


def _gateways(connection: sqlite3.Connection, number: int) -> Iterator[Gateway]:
    rows = connection.execute(
        "SELECT gateway, name, epoch, highest, heard FROM gateways WHERE at_table = ?"
        " ORDER BY rowid",
        (number,),
    )
    for gateway, name, epoch, highest, heard in rows:
        yield Gateway(gateway, name, epoch, highest, _time(heard))


def _styluses(connection: sqlite3.Connection, number: int) -> Iterator[Stylus]:
    rows = connection.execute(
        "SELECT stylus, name, gateway, battery, lost, tapped, seats, shared FROM styluses"
        " WHERE at_table = ? ORDER BY rowid",
        (number,),
    )
    for stylus, name, gateway, battery, lost, tapped, seats, shared in rows:
        yield Stylus(
            stylus,
            name,
            gateway,
            battery,
            _time(lost),
            _time(tapped),
            msgspec.json.decode(seats, type=tuple[str, ...]),
            bool(shared),
        )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


# --- following the log ---------------------------------------------------------------------------


class _Tracked:
    """A table in memory, and which of its rows are behind."""

    __slots__ = ("gateways", "heard", "number", "styluses", "table", "tapped", "updated")

    def __init__(self, number: int, table: Table) -> None:
        self.number = number
        self.table = table
        self.updated = ""
        self.heard: dict[str, str | None] = {}
        self.tapped: dict[str, str | None] = {}
        self.gateways: set[str] = set()
        self.styluses: set[str] = set()


class Devices:
    """Folds the events of tables, and writes what a batch of them came to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: OrderedDict[UUID, _Tracked] = OrderedDict()
        self._touched: dict[UUID, _Tracked] = {}
        self._taps: list[tuple[int, int, int]] = []

    def take(self, sealed: Sealed[Event], notification: Notification, place: int) -> None:
        """Fold an event, which is the leaf of this index in the tree over the log.

        Raises ValueError for an event that is not the next one of its table; what folding raises
        for others is its own. Nothing is changed then.
        """
        event = sealed.event
        known = self._known.get(event.table) or self._load(event.table)
        due = (known.table.version if known else 0) + 1
        told = (notification.originator_id, notification.originator_version)
        if told != (event.table, due) or event.version != due:
            raise ValueError(
                f"it is version {event.version} of {event.table}, where version {due} is due"
            )
        if known and isinstance(event, TableOpened):
            raise ValueError("it opens a table that is there")
        after = evolve(known.table if known else None, sealed)
        tracked = known or _Tracked(notification.id, after)
        # Maps and requests grow large, and nobody asks for them here.
        tracked.table = replace(after, codes={}, requests={}) if event.request else after
        self._note(tracked, event)
        if isinstance(event, TapTaken) and event.outcome in NAMED:
            self._taps.append((tracked.number, event.version, place))
        self._known[event.table] = self._touched[event.table] = tracked
        self._known.move_to_end(event.table)

    def write(self) -> dict[UUID, int]:
        """Write the rows of the batch. The versions of the tables that are in it."""
        touched = self._touched.values()
        insert(self._connection, _TABLES, [_table_row(each) for each in touched])
        insert(self._connection, _GATEWAYS, [row for t in touched for row in _gateway_rows(t)])
        insert(self._connection, _STYLUSES, [row for t in touched for row in _stylus_rows(t)])
        insert(self._connection, _TAPS, self._taps)
        return {identity: tracked.table.version for identity, tracked in self._touched.items()}

    def written(self) -> None:
        """The batch is committed: begin the next."""
        for tracked in self._touched.values():
            tracked.gateways.clear()
            tracked.styluses.clear()
        self._touched, self._taps = {}, []
        while len(self._known) > KEEP:
            self._known.popitem(last=False)

    def forget(self) -> None:
        """Know only what the file knows."""
        self._known.clear()
        self._touched, self._taps = {}, []

    def _note(self, tracked: _Tracked, event: Event) -> None:
        """Remember what an event says of when, and whose rows it changes."""
        at = tracked.updated = event.at.isoformat()
        gateway: str = getattr(event, "gateway", "")
        stylus: str = getattr(event, "stylus", "")
        if gateway in tracked.table.gateways:
            tracked.gateways.add(gateway)
        if stylus in tracked.table.styluses:
            tracked.styluses.add(stylus)
        match event:
            case EpochBegan() | MessagesLost() | SignNoticed():
                tracked.heard[gateway] = at
            case TapTaken():
                tracked.heard[gateway] = at
                if stylus in tracked.table.styluses:
                    tracked.tapped[stylus] = at
            case MatchPlaced():
                tracked.styluses.update(tracked.table.styluses)
            case _:
                pass

    def _load(self, table: UUID) -> _Tracked | None:
        """A table from its rows, as far as they have it: enough to fold it on to the next rows."""
        found = listed(self._connection, 1, table=table).tables
        if not found:
            return None
        (told,) = found
        tracked = _Tracked(
            told.number,
            Table(
                told.table,
                told.name,
                told.version,
                "",
                {g.gateway: tables.Gateway(g.name, "", g.epoch, g.highest) for g in told.gateways},
                {
                    each.stylus: tables.Stylus(
                        gateway=each.gateway,
                        lost=each.lost,
                        name=each.name,
                        battery=each.battery,
                        seats=dict.fromkeys(each.seats, ""),
                        shared=each.shared,
                    )
                    for each in told.styluses
                },
                told.match,
                map_version=told.map_version,
            ),
        )
        tracked.heard = {g.gateway: g.heard.isoformat() for g in told.gateways if g.heard}
        tracked.tapped = {s.stylus: s.tapped.isoformat() for s in told.styluses if s.tapped}
        return tracked


NAMED: Final = ("done", "refused", "acted")
"""Outcomes of the taps that an action may name."""

_TABLES: Final = (
    "INSERT INTO tables VALUES ",
    7,
    " ON CONFLICT (number) DO UPDATE SET version = excluded.version, match = excluded.match,"
    " map_version = excluded.map_version, updated = excluded.updated",
)
_GATEWAYS: Final = (
    "INSERT INTO gateways VALUES ",
    6,
    " ON CONFLICT (gateway) DO UPDATE SET name = excluded.name, epoch = excluded.epoch,"
    " highest = excluded.highest, heard = excluded.heard",
)
_STYLUSES: Final = (
    "INSERT INTO styluses VALUES ",
    9,
    " ON CONFLICT (at_table, stylus) DO UPDATE SET name = excluded.name,"
    " gateway = excluded.gateway, battery = excluded.battery, lost = excluded.lost,"
    " tapped = excluded.tapped, seats = excluded.seats, shared = excluded.shared",
)
_TAPS: Final = ("INSERT INTO taps VALUES ", 3, "")


def _table_row(tracked: _Tracked) -> tuple[Any, ...]:
    table = tracked.table
    return (
        tracked.number,
        str(table.id),
        table.name,
        table.version,
        str(table.match) if table.match else None,
        table.map_version,
        tracked.updated,
    )


def _gateway_rows(tracked: _Tracked) -> Iterator[tuple[Any, ...]]:
    # In the order in which the table knows them, whatever order a set has.
    for name in [each for each in tracked.table.gateways if each in tracked.gateways]:
        gateway = tracked.table.gateways[name]
        heard = tracked.heard.get(name)
        yield name, tracked.number, gateway.name, gateway.epoch, gateway.highest, heard


def _stylus_rows(tracked: _Tracked) -> Iterator[tuple[Any, ...]]:
    for name in [each for each in tracked.table.styluses if each in tracked.styluses]:
        stylus = tracked.table.styluses[name]
        yield (
            tracked.number,
            name,
            stylus.name,
            stylus.gateway,
            stylus.battery,
            stylus.lost.isoformat() if stylus.lost else None,
            tracked.tapped.get(name),
            msgspec.json.encode([*stylus.seats]).decode(),
            int(stylus.shared),
        )
