"""Rows of tables and their devices: one row for each table that a batch changes.

`domain.table` folds the events, and `queries/devices.py` defines what a row contains.
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
from domain.log.digests import GENESIS, check_link
from domain.log.sealed_events import SealedEvent
from domain.storage.mapper import TapSummary
from domain.table import Event, Table, TapTaken, evolve
from domain.table.events import (
    EpochBegan,
    GatewayRevoked,
    MessagesLost,
    PinRefused,
    StylusLeft,
    StylusPaired,
    StylusReleased,
    StylusStatusReported,
    StylusUnlocked,
    TableClosed,
    TableOpened,
)
from projections.projector.schema import insert
from projections.queries.devices import DECODER, GatewaySummary, StylusSummary, TableSummary

MAX_CACHED_TABLES: Final = 2048
"""Maximum number of tables that stay in memory between batches."""


class _CachedTable:
    """A table in memory, with the values of its row that are not in its state."""

    __slots__ = (
        "health",
        "last_heard",
        "last_taps",
        "number",
        "pairing_changes",
        "table",
        "updated",
    )

    def __init__(self, number: int, table: Table, updated: datetime) -> None:
        self.number = number
        """The log's number of the table's first event, which sorts lists."""
        self.table = table
        self.updated = updated
        self.last_heard: dict[str, datetime] = {}
        self.last_taps: dict[str, datetime] = {}
        self.health: dict[str, _GatewayHealth] = {}
        self.pairing_changes: set[str] = set()
        """Styluses whose pairing changed since their rows were written."""


class _GatewayHealth(Struct, frozen=True):
    """The health of a gateway, which is not in the table's state."""

    first: datetime | None = None
    software: str = ""
    lost: int = 0
    wrong_pins: int = 0


class DeviceRows:
    """Folds the events of tables, and writes the rows of a batch."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._cache: OrderedDict[UUID, _CachedTable] = OrderedDict()
        self._changed: dict[UUID, _CachedTable] = {}
        self._taps: list[tuple[int, int, int]] = []

    def fold(self, sealed: SealedEvent[Event], notification: Notification, place: int) -> None:
        """Fold an event. An error leaves everything unchanged.

        Args:
            sealed: The event.
            notification: The event as the log stores it.
            place: The index of the event's leaf in the tree over the log.

        Raises:
            ValueError: The event is not the next one of its table. Folding may raise other errors.
        """
        event = sealed.event
        known = self._table_before(sealed, notification)
        if known and isinstance(event, TableOpened):
            raise ValueError("it opens a table that exists")
        before = set(known.table.styluses) if known else set()
        after = evolve(known.table if known else None, sealed)
        tracked = known or _CachedTable(notification.id, after, event.at)
        # Maps and requests grow large, and no row needs them.
        tracked.table = replace(after, codes={}, requests={}) if event.request else after
        self._note(tracked, event, before)
        if isinstance(event, TapTaken):
            self._note_tap(tracked, event, place)
        self._touch(tracked)

    def fold_tap(
        self,
        sealed: SealedEvent[TapTaken] | SealedEvent[TapSummary],
        notification: Notification,
        place: int,
    ) -> None:
        """Fold a tap. A row has the gateway's message count, but not the stylus's selection.

        Raises:
            ValueError: The tap is not the next event of its table.
        """
        known = self._table_before(sealed, notification)
        if known is None:
            raise ValueError("its table was never opened")
        tap, table = sealed.event, known.table
        gateway = replace(table.gateways[tap.gateway], highest=tap.seq)
        gateways = {**table.gateways, tap.gateway: gateway}
        known.table = replace(table, version=tap.version, digest=sealed.digest, gateways=gateways)
        known.updated = tap.at
        self._note_tap(known, tap, place)
        self._touch(known)

    def match_of_table(self, table: UUID) -> UUID | None:
        """Return the match that a table plays, after all folded events."""
        known = self._cache.get(table)
        return known.table.match if known else None

    def write(self) -> dict[UUID, int]:
        """Write the rows of the batch, and return the versions of its tables."""
        touched = self._changed.values()
        insert(self._connection, _UPSERT_TABLES, [_table_row(each) for each in touched])
        insert(
            self._connection, _UPSERT_STYLUSES, [row for t in touched for row in _stylus_rows(t)]
        )
        insert(self._connection, _INSERT_TAPS, self._taps)
        return {identity: tracked.table.version for identity, tracked in self._changed.items()}

    def finish_batch(self) -> None:
        """Finish a committed batch and start the next."""
        for tracked in self._changed.values():
            tracked.pairing_changes.clear()
        self._changed, self._taps = {}, []
        while len(self._cache) > MAX_CACHED_TABLES:
            self._cache.popitem(last=False)

    def reset(self) -> None:
        """Drop the batch and all cached tables, after a rollback."""
        self._cache.clear()
        self._changed, self._taps = {}, []

    def _table_before(
        self,
        sealed: SealedEvent[Event] | SealedEvent[TapTaken] | SealedEvent[TapSummary],
        notification: Notification,
    ) -> _CachedTable | None:
        """Return the table before an event.

        Raises:
            ValueError: The event is not the next one of its table.
        """
        event = sealed.event
        known = self._cache.get(event.table) or self._load(event.table)
        due = (known.table.version if known else 0) + 1
        place = (notification.originator_id, notification.originator_version)
        if place != (event.table, due) or event.version != due:
            raise ValueError(
                f"it is version {event.version} of {event.table}, but version {due} is due"
            )
        check_link(known.table.digest if known else GENESIS, sealed.digest, sealed.body)
        return known

    def _touch(self, tracked: _CachedTable) -> None:
        identity = tracked.table.id
        self._cache[identity] = self._changed[identity] = tracked
        self._cache.move_to_end(identity)

    def _note_tap(self, tracked: _CachedTable, tap: TapTaken | TapSummary, place: int) -> None:
        """Record the time of a tap, and its leaf in the tree if an action may cite the tap."""
        tracked.last_heard[tap.gateway] = tap.at
        if tap.stylus in tracked.table.styluses:
            tracked.last_taps[tap.stylus] = tap.at
        if tap.outcome in CITABLE_OUTCOMES:
            self._taps.append((tracked.number, tap.version, place))

    def _note(self, tracked: _CachedTable, event: Event, before: set[str]) -> None:
        """Record when a gateway was heard, and which styluses changed their pairing.

        Args:
            tracked: The table.
            event: The event.
            before: The styluses that the table had before the event.
        """
        tracked.updated = event.at
        match event:
            case StylusStatusReported(stylus=stylus, sign=sign):
                tracked.last_heard[event.gateway] = event.at
                if sign == "reset" and stylus in tracked.table.styluses:
                    tracked.pairing_changes.add(stylus)
            case EpochBegan() | MessagesLost():
                tracked.last_heard[event.gateway] = event.at
                _update_health(tracked, event)
            case (
                StylusPaired(stylus=stylus)
                | StylusLeft(stylus=stylus)
                | StylusReleased(stylus=stylus)
                | PinRefused(stylus=stylus)
                | StylusUnlocked(stylus=stylus)
            ):
                tracked.pairing_changes.add(stylus)
                _update_health(tracked, event)
            case GatewayRevoked() | TableClosed():
                tracked.pairing_changes |= before
            case _:
                pass

    def _load(self, table: UUID) -> _CachedTable | None:
        """Load a table from its row, with what folding its next events needs."""
        row = self._connection.execute(
            "SELECT number, state FROM tables WHERE identity = ?", (str(table),)
        ).fetchone()
        if row is None:
            return None
        number, state = row
        standing = DECODER.decode(state)
        tracked = _CachedTable(number, _as_table(standing), standing.updated)
        tracked.last_heard = {each.gateway: each.heard for each in standing.gateways if each.heard}
        tracked.health = {
            each.gateway: _GatewayHealth(each.first, each.software, each.lost, each.wrong_pins)
            for each in standing.gateways
        }
        tracked.last_taps = {each.stylus: each.tapped for each in standing.styluses if each.tapped}
        return tracked


def _update_health(tracked: _CachedTable, event: Event) -> None:
    """Update the health of a gateway after an event."""
    name = getattr(event, "gateway", "")
    known = tracked.health.get(name, _GatewayHealth())
    match event:
        case EpochBegan(software=software):
            tracked.health[name] = replace(known, first=known.first or event.at, software=software)
        case MessagesLost(first=first, last=last):
            tracked.health[name] = replace(known, lost=known.lost + last - first + 1)
        case PinRefused():
            tracked.health[name] = replace(known, wrong_pins=known.wrong_pins + 1)
        case _:
            pass


def _as_table(standing: TableSummary) -> Table:
    """Return a table state that further events can be folded into."""
    return Table(
        id=standing.table,
        name=standing.name,
        version=standing.version,
        digest=standing.digest,
        gateways={
            each.gateway: tables.Gateway(
                each.name,
                "",
                each.epoch,
                each.highest,
                map_version=each.map_version,
                revoked=each.revoked,
                certificate="known" if each.is_certified else "",
                locale=each.locale,
            )
            for each in standing.gateways
        },
        styluses={
            each.stylus: tables.Stylus(
                gateway=each.gateway,
                lost=each.lost,
                name=each.name,
                battery=each.battery,
                seats=dict.fromkeys(each.seats, ""),
                shared=each.shared,
                grants=dict.fromkeys(each.granted, ""),
                ended=each.ended,
            )
            for each in standing.styluses
        },
        match=standing.match,
        map_version=standing.map_version,
        closed=standing.closed,
    )


def _summary(tracked: _CachedTable) -> TableSummary:
    table = tracked.table
    return TableSummary(
        table=table.id,
        name=table.name,
        version=table.version,
        match=table.match,
        map_version=table.map_version,
        updated=tracked.updated,
        gateways=tuple(
            GatewaySummary(
                name,
                each.name,
                each.epoch,
                each.highest,
                tracked.last_heard.get(name),
                each.revoked,
                each.map_version,
                is_certified=bool(each.certificate),
                locale=each.locale,
                **msgspec.structs.asdict(tracked.health.get(name, _GatewayHealth())),
            )
            for name, each in table.gateways.items()
        ),
        styluses=tuple(
            StylusSummary(
                name,
                each.name,
                each.gateway,
                each.battery,
                each.lost,
                tracked.last_taps.get(name),
                tuple(each.seats),
                each.shared,
                tuple(each.grants),
                each.ended,
            )
            for name, each in table.styluses.items()
        ),
        digest=table.digest,
        closed=table.closed,
    )


CITABLE_OUTCOMES: Final = ("done", "refused", "acted")
"""Outcomes of the taps that an action may cite as evidence."""

_UPSERT_TABLES: Final = (
    "INSERT INTO tables VALUES ",
    5,
    " ON CONFLICT (number) DO UPDATE SET version = excluded.version, match = excluded.match,"
    " state = excluded.state",
)
_UPSERT_STYLUSES: Final = (
    "INSERT INTO styluses VALUES ",
    3,
    " ON CONFLICT (at_table, stylus) DO UPDATE SET gateway = excluded.gateway",
)
_INSERT_TAPS: Final = ("INSERT INTO taps VALUES ", 3, "")


def _table_row(tracked: _CachedTable) -> tuple[Any, ...]:
    table = tracked.table
    return (
        tracked.number,
        str(table.id),
        table.version,
        str(table.match) if table.match else None,
        msgspec.json.encode(_summary(tracked)).decode(),
    )


def _stylus_rows(tracked: _CachedTable) -> Iterator[tuple[Any, ...]]:
    for name in sorted(tracked.pairing_changes):
        yield tracked.number, name, tracked.table.stylus(name).gateway
