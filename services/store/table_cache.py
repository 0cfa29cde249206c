"""The cache of stylus tables."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from domain.log.ledger import Changeset
from domain.storage.snapshots import take_table_snapshot
from domain.table import Table, TableEvent, evolve
from services.store.aggregate_cache import AggregateCache, CachedAggregate
from services.store.errors import TableBusy, TableUnknown
from services.store.loading import load_table
from services.store.log import Log

MAX_TABLES: Final = 2048
SNAPSHOT_EVERY: Final = 500

CachedTable = CachedAggregate[Table]


class TableCache(AggregateCache[Table, CachedTable]):
    """A cache of tables in memory. A table stores its latest requests itself."""

    kind = "table"

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, max_entries=MAX_TABLES, snapshot_every=SNAPSHOT_EVERY)

    async def event(self, identity: UUID, version: int) -> TableEvent:
        """Return the event of a table at an existing version."""

        def read() -> TableEvent:
            (sealed,) = self._store.table_events(identity, after=version - 1, until=version)
            return sealed.event

        return await self._read(read)

    def _load(self, identity: UUID) -> CachedTable | None:
        table = load_table(self._store, identity)
        return None if table is None else CachedAggregate(table)

    def _copy(self, held: CachedTable) -> CachedTable:
        return CachedAggregate(held.state)

    def _catch_up(self, held: CachedTable) -> CachedTable:
        table = held.state
        after, digest = table.version, table.digest
        for sealed in self._store.table_events(table.id, after=after, digest=digest):
            held.state = evolve(held.state, sealed)
        return held

    def _new_entry(self, created: Changeset[Table]) -> CachedTable:
        return CachedAggregate(created.state)

    def _unknown(self, identity: UUID) -> TableUnknown:
        return TableUnknown(identity)

    def _busy(self, identity: UUID) -> TableBusy:
        return TableBusy(identity)

    def _snapshot(self, held: CachedTable) -> Callable[[], StoredEvent]:
        table = held.state
        return lambda: take_table_snapshot(table)
