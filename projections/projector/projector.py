"""Folds the log into one read file: rows and tracking position in one transaction.

This runs in the service's process, beside its event loop, for every event there is, so it does
little: it applies facts, and writes the event as it is. Scenes, sentences and notations are made
when somebody asks for them.

Python's interpreter lock changes hands at every step of an SQLite statement, and a thread that
gave it away may wait milliseconds for it. So many rows are one statement here, never one each.
"""

import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import structlog
from eventsourcing.persistence import Notification
from msgspec.structs import astuple

from domain.log.digests import digest
from domain.log.merkle import Frontier, subtree_number
from domain.storage.mapper import EventMapper
from domain.storage.topics import ARMY, FRONTEND, MATCH, PLAN, PLAYER, SERVICE, TABLE, kind_of
from projections.projector.device_rows import DeviceRows
from projections.projector.match_rows import MatchRows, MisplacedError
from projections.projector.player_rows import PlayerRows
from projections.projector.schema import insert
from projections.queries import armies, conditional_moves, log_tree, search
from projections.queries.projection_errors import UNREADABLE_ERRORS

_LOG: Final = structlog.get_logger("emeth.projections")

_INSERT_NODES: Final = ("INSERT INTO nodes VALUES ", 2, "")
_INSERT_ERRORS: Final = ("INSERT INTO troubles VALUES ", 4, "")

MAX_CACHED_OWNERS: Final = 4096
"""Matches whose frontends are remembered."""


class _Batch:
    """Rows to be written together, but for those of matches, players and devices."""

    def __init__(self) -> None:
        self.armies: dict[UUID, armies.ArmyRow] = {}
        self.plans: dict[UUID, conditional_moves.PlanRow] = {}
        self.error_count: list[tuple[Any, ...]] = []
        self.nodes: list[tuple[int, bytes]] = []


class Projector:
    """Writes one read file. Not safe for use by two threads at once."""

    def __init__(
        self, connection: sqlite3.Connection, mapper: EventMapper, keep: int = 512
    ) -> None:
        """`connection` is from `schema.connect`; `keep` matches stay in memory between batches."""
        self._connection = connection
        self._mapper = mapper
        self._owners: OrderedDict[UUID, UUID | None] = OrderedDict()
        """The frontends of matches that something beside them was stored for."""
        self._stopped_ids: set[str] = set()
        self._tree = Frontier(0, log_tree.node_reader(connection))
        self._devices = DeviceRows(connection)
        self._players = PlayerRows(connection)
        self._matches = MatchRows(connection, mapper, self._players, keep)
        self._turn = 0
        """How many events of matches and players there were: `schema.py` says what for."""
        self.position = 0
        """The log's number of the last event that is in the tables."""
        self.mark = ""
        """A digest of that event, by which a log knows whether it is its own."""
        self._remember()

    @property
    def error_count(self) -> int:
        """How many matches have an event that could not be understood."""
        return len(self._stopped_ids)

    def apply(self, notifications: Sequence[Notification]) -> dict[UUID, int]:
        """Write these events, all or none, in log order; those before the position are left out.

        Returns the latest version of each match, army and table among them. Raises sqlite3.Error if
        they could not be written; nothing is then changed, and the projector can go on.

        An event that cannot be decoded or folded is a trouble of its match. The match stays as it
        was before that event, with a row in `troubles`, and its later events are left out: they
        would be folded into a state that nobody knows. All other matches go on. In the tree over
        the log every event has its leaf, whether it can be understood or not.
        """
        notifications = [each for each in notifications if each.id > self.position]
        if not notifications:
            return {}
        batch = _Batch()
        try:
            for notification in notifications:
                leaf = self._mapper.leaf(notification)
                batch.nodes += [(subtree_number(*at), found) for *at, found in self._tree.add(leaf)]
                self._turn += kind_of(notification) in (MATCH, PLAYER)
                if str(notification.originator_id) not in self._stopped_ids:
                    self._fold_event(notification, batch)
            others = self._write(batch, notifications[-1])
        except sqlite3.Error:
            self._forget()
            raise
        accounts_now = self._players.changed()
        self._players.forget()
        armies_now = {name: listed.army.version for name, listed in batch.armies.items()}
        plans_now = {name: row.version for name, row in batch.plans.items()}
        return others | armies_now | plans_now | accounts_now

    def is_tree_sound(self, last: Notification) -> bool:
        """Return whether the edge of the tree over the log is as it was written, for a log whose
        `last` event that is in the tables is this."""
        return log_tree.is_edge_sound(self._connection, self._mapper.leaf(last))

    def finish(self) -> None:
        """Declare a file made by a rebuild ready to be read."""
        self._connection.execute("UPDATE tracking SET ready = 1")

    def tell(self, most: int) -> bool:
        """Look at so many events for the index of what public matches tell; False once there are no
        more. An event that cannot be told is left out of it."""
        connection = self._connection
        told = search.unindexed_events(connection, most)
        if told is None:
            return False
        connection.execute("BEGIN IMMEDIATE")
        try:
            search.write_index(connection, told)
            connection.execute("COMMIT")
        except sqlite3.Error:
            self._forget()
            raise
        return True

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    # --- folding ---------------------------------------------------------------------------------

    def _fold_event(self, notification: Notification, batch: _Batch) -> None:
        kind = kind_of(notification)
        if kind == TABLE:
            self._fold_table(notification, batch)
        elif kind == ARMY:
            self._fold_army(notification, batch)
        elif kind in (FRONTEND, PLAYER):
            self._fold_account(notification, batch)
        elif kind == PLAN:
            self._fold_plan(notification, batch)
        elif kind != SERVICE:  # of that no table tells
            self._fold_match(notification, batch)

    def _fold_match(self, notification: Notification, batch: _Batch) -> None:
        try:
            self._matches.take(notification, self._tree.size - 1, self._turn)
        except UNREADABLE_ERRORS as error:
            self._refuse(notification, error, batch)

    def _fold_army(self, notification: Notification, batch: _Batch) -> None:
        try:
            sealed = self._mapper.to_domain_event(notification)
            listed = armies.fold_army(self._connection, batch.armies, sealed, notification)
        except UNREADABLE_ERRORS as error:
            self._refuse(notification, error, batch)
            return
        batch.armies[listed.army.id] = listed

    def _fold_account(self, notification: Notification, batch: _Batch) -> None:
        try:
            sealed = self._mapper.to_domain_event(notification)
            self._players.take(sealed, notification, self._turn)
        except UNREADABLE_ERRORS as error:
            self._refuse(notification, error, batch)

    def _fold_plan(self, notification: Notification, batch: _Batch) -> None:
        try:
            sealed = self._mapper.to_domain_event(notification)
            row = conditional_moves.fold_plan(self._connection, batch.plans, sealed, notification)
        except UNREADABLE_ERRORS as error:
            self._refuse(notification, error, batch)
            return
        batch.plans[sealed.event.plan] = row
        self._charge(UUID(row.match) if row.match else None, len(sealed.body))

    def _fold_table(self, notification: Notification, batch: _Batch) -> None:
        place = self._tree.size - 1
        try:
            if (tap := self._mapper.to_tap(notification)) is not None:
                self._devices.fold_tap(tap, notification, place)
                table, size = tap.event.table, len(tap.body)
            else:
                sealed = self._mapper.to_domain_event(notification)
                self._devices.take(sealed, notification, place)
                table, size = sealed.event.aggregate, len(sealed.body)
        except UNREADABLE_ERRORS as error:
            self._refuse(notification, error, batch)
            return
        self._charge(self._devices.match_of_table(table), size)

    def _charge(self, match: UUID | None, size: int) -> None:
        """Count what is stored for a match, and is no event of it, to the frontend that has it."""
        if match is None:
            return
        if match not in self._owners:
            self._owners[match] = self._matches.frontend_of(match)
            if len(self._owners) > MAX_CACHED_OWNERS:
                self._owners.popitem(last=False)
        if (owner := self._owners[match]) is not None:
            self._players.charge(owner, size)

    def _refuse(self, notification: Notification, error: Exception, batch: _Batch) -> None:
        found = {str(notification.originator_id): notification.originator_version}
        if isinstance(error, MisplacedError):
            found |= {name: version for name, version in error.missing.items() if name not in found}
        for identity, version in found.items():
            if identity not in self._stopped_ids:
                self._stopped_ids.add(identity)
                why = f"event {version} cannot be understood: {error or type(error).__name__}"
                batch.error_count.append((identity, version, why, self._mapper.kind(notification)))
                _LOG.error("match_in_trouble", match=identity, version=version, error=repr(error))

    # --- writing ---------------------------------------------------------------------------------

    def _write(self, batch: _Batch, last: Notification) -> dict[UUID, int]:
        """Write all rows, or none. The versions of the matches and tables among them."""
        mark = digest(last.state)
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        moved = connection.execute(
            "UPDATE tracking SET position = ?, mark = ?, leaves = ?, turns = ? WHERE position = ?",
            (last.id, mark, self._tree.size, self._turn, self.position),
        )
        if moved.rowcount != 1:
            raise sqlite3.IntegrityError("another service writes into this read file")
        insert(connection, _INSERT_NODES, batch.nodes)
        self._matches.write()
        insert(
            connection, armies.UPSERT, [armies.army_values(each) for each in batch.armies.values()]
        )
        insert(
            connection, conditional_moves.UPSERT, [astuple(each) for each in batch.plans.values()]
        )
        tables = self._devices.write()
        insert(connection, _INSERT_ERRORS, batch.error_count)
        connection.execute("COMMIT")
        self._devices.written()
        self.position, self.mark = last.id, mark
        return self._matches.written() | tables

    def _forget(self) -> None:
        """After a failure, know only what the file knows."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._matches.forget()
        self._devices.forget()
        self._players.forget()
        self._remember()

    def _remember(self) -> None:
        self.position, self.mark, self._turn = self._connection.execute(
            "SELECT position, mark, turns FROM tracking"
        ).fetchone()
        troubled = self._connection.execute("SELECT match FROM troubles").fetchall()
        self._stopped_ids = {match for (match,) in troubled}
        self._tree = Frontier(
            log_tree.tree_size(self._connection), log_tree.node_reader(self._connection)
        )
