"""The projector: folds the log into one read file, rows and position in one transaction.

The projector runs in a thread of the service's process, for every event. So it does little: it
applies facts and stores the event unchanged. Scenes, sentences and notations are rendered when a
query needs them.

SQLite releases Python's interpreter lock at every step of a statement, and taking it again may
take milliseconds. So one statement inserts many rows.
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
"""Matches whose frontends stay in memory."""


class _Batch:
    """The rows of one transaction, without those of matches, players and devices."""

    def __init__(self) -> None:
        self.armies: dict[UUID, armies.ArmyRow] = {}
        self.plans: dict[UUID, conditional_moves.PlanRow] = {}
        self.errors: list[tuple[Any, ...]] = []
        self.nodes: list[tuple[int, bytes]] = []


class Projector:
    """Writes one read file. Not thread-safe."""

    def __init__(
        self, connection: sqlite3.Connection, mapper: EventMapper, keep: int = 512
    ) -> None:
        """Create a projector that continues at the file's position.

        Args:
            connection: A connection of `schema.connect_writer`.
            mapper: The mapper of the log's events.
            keep: Number of matches that stay in memory between batches.
        """
        self._connection = connection
        self._mapper = mapper
        self._owners: OrderedDict[UUID, UUID | None] = OrderedDict()
        """The frontend, or None, of each match that has conditional moves or tables."""
        self._stopped_ids: set[str] = set()
        self._tree = Frontier(0, log_tree.node_reader(connection))
        self._devices = DeviceRows(connection)
        self._players = PlayerRows(connection)
        self._matches = MatchRows(connection, mapper, self._players, keep)
        self._turn = 0
        """The number of events of matches and players so far (see `schema.py`)."""
        self.position = 0
        """The log's number of the last event in the tables."""
        self.mark = ""
        """The digest of that event, which shows whether the file was made from the same log."""
        self._load_position()

    @property
    def error_count(self) -> int:
        """The number of aggregates whose projection has stopped at an unreadable event."""
        return len(self._stopped_ids)

    def apply(self, notifications: Sequence[Notification]) -> dict[UUID, int]:
        """Write events in log order, all or none. Events up to the position are skipped.

        An event that cannot be decoded or folded is recorded as a projection error of its
        aggregate. The aggregate keeps its state before that event, and its later events are
        skipped. All other aggregates continue. Every event has its leaf in the tree over the log,
        readable or not.

        Returns:
            The latest version of each aggregate in the batch.

        Raises:
            sqlite3.Error: The file cannot be written. Nothing is changed, and the projector stays
                usable.
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
            self._roll_back()
            raise
        accounts_now = self._players.changed_versions()
        self._players.reset()
        armies_now = {name: listed.army.version for name, listed in batch.armies.items()}
        plans_now = {name: row.version for name, row in batch.plans.items()}
        return others | armies_now | plans_now | accounts_now

    def is_tree_sound(self, last: Notification) -> bool:
        """Return whether the edge of the tree over the log is intact.

        Args:
            last: The last event in the tables, as the log has it.
        """
        return log_tree.is_edge_sound(self._connection, self._mapper.leaf(last))

    def mark_ready(self) -> None:
        """Mark a rebuilt file as ready to be read."""
        self._connection.execute("UPDATE tracking SET ready = 1")

    def index_events(self, limit: int) -> bool:
        """Add the next `limit` events to the search index of public matches.

        An event that cannot be rendered is left out.

        Returns:
            False if there are no more events.
        """
        connection = self._connection
        texts = search.unindexed_events(connection, limit)
        if texts is None:
            return False
        connection.execute("BEGIN IMMEDIATE")
        try:
            search.write_index(connection, texts)
            connection.execute("COMMIT")
        except sqlite3.Error:
            self._roll_back()
            raise
        return True

    def close(self) -> None:
        """Close the connection to the read file."""
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
        elif kind != SERVICE:  # events of the service have no rows
            self._fold_match(notification, batch)

    def _fold_match(self, notification: Notification, batch: _Batch) -> None:
        try:
            self._matches.fold(notification, self._tree.size - 1, self._turn)
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
            self._players.fold(sealed, notification, self._turn)
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
        self._count_bytes(UUID(row.match) if row.match else None, len(sealed.body))

    def _fold_table(self, notification: Notification, batch: _Batch) -> None:
        place = self._tree.size - 1
        try:
            if (tap := self._mapper.to_tap(notification)) is not None:
                self._devices.fold_tap(tap, notification, place)
                table, size = tap.event.table, len(tap.body)
            else:
                sealed = self._mapper.to_domain_event(notification)
                self._devices.fold(sealed, notification, place)
                table, size = sealed.event.aggregate, len(sealed.body)
        except UNREADABLE_ERRORS as error:
            self._refuse(notification, error, batch)
            return
        self._count_bytes(self._devices.match_of_table(table), size)

    def _count_bytes(self, match: UUID | None, size: int) -> None:
        """Add the bytes of conditional moves or of a tap to the usage of the match's frontend."""
        if match is None:
            return
        if match not in self._owners:
            self._owners[match] = self._matches.frontend_of(match)
            if len(self._owners) > MAX_CACHED_OWNERS:
                self._owners.popitem(last=False)
        if (owner := self._owners[match]) is not None:
            self._players.add_bytes(owner, size)

    def _refuse(self, notification: Notification, error: Exception, batch: _Batch) -> None:
        found = {str(notification.originator_id): notification.originator_version}
        if isinstance(error, MisplacedError):
            found |= {name: version for name, version in error.missing.items() if name not in found}
        for identity, version in found.items():
            if identity not in self._stopped_ids:
                self._stopped_ids.add(identity)
                why = f"event {version} cannot be read: {error or type(error).__name__}"
                batch.errors.append((identity, version, why, self._mapper.kind(notification)))
                _LOG.error("match_in_trouble", match=identity, version=version, error=repr(error))

    # --- writing ---------------------------------------------------------------------------------

    def _write(self, batch: _Batch, last: Notification) -> dict[UUID, int]:
        """Write all rows or none, and return the versions of the batch's matches and tables."""
        mark = digest(last.state)
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        moved = connection.execute(
            "UPDATE tracking SET position = ?, mark = ?, leaves = ?, turns = ? WHERE position = ?",
            (last.id, mark, self._tree.size, self._turn, self.position),
        )
        if moved.rowcount != 1:
            raise sqlite3.IntegrityError("another process writes to this read file")
        insert(connection, _INSERT_NODES, batch.nodes)
        self._matches.write()
        insert(
            connection, armies.UPSERT, [armies.army_values(each) for each in batch.armies.values()]
        )
        insert(
            connection, conditional_moves.UPSERT, [astuple(each) for each in batch.plans.values()]
        )
        tables = self._devices.write()
        insert(connection, _INSERT_ERRORS, batch.errors)
        connection.execute("COMMIT")
        self._devices.finish_batch()
        self.position, self.mark = last.id, mark
        return self._matches.finish_batch() | tables

    def _roll_back(self) -> None:
        """Roll back, and load the state of the file again."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._matches.reset()
        self._devices.reset()
        self._players.reset()
        self._load_position()

    def _load_position(self) -> None:
        self.position, self.mark, self._turn = self._connection.execute(
            "SELECT position, mark, turns FROM tracking"
        ).fetchone()
        troubled = self._connection.execute("SELECT match FROM troubles").fetchall()
        self._stopped_ids = {match for (match,) in troubled}
        self._tree = Frontier(
            log_tree.tree_size(self._connection), log_tree.node_reader(self._connection)
        )
