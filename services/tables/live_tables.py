"""Live tables: each in memory as it is on disk, one command at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any, Final, TypeVar
from uuid import UUID

import structlog

from domain.aggregates.snapshots import read_table_snapshot, take_table_snapshot
from domain.aggregates.topics import TABLE, kind_of
from domain.log.sealed_events import Sealed
from domain.table import Table, TableEvent, evolve
from services.errors import ApiError, Reason
from services.store.errors import StoreError, VersionConflict
from services.store.log import Log

T = TypeVar("T")
log = structlog.get_logger(__name__)

MOST: Final = 2048
"""Tables kept in memory, unless more are in use."""
SNAPSHOT_EVERY: Final = 500
ATTEMPTS: Final = 5


class LiveTable:
    """A table in memory. `table` is always what is on disk; only `LiveTables` changes it."""

    __slots__ = ("lock", "table", "users")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.users = 0


class LiveTables:
    """All live tables."""

    def __init__(self, store: Log, executor: Executor) -> None:
        self._store = store
        self._executor = executor
        self._tables: OrderedDict[UUID, LiveTable] = OrderedDict()
        self._errands: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tables)

    async def find(self, identity: UUID) -> Table | None:
        """A table as it stands; None if there is none."""
        live = await self._get(identity)
        return live.table if live else None

    async def get(self, identity: UUID) -> Table:
        """A table as it stands; TABLE_UNKNOWN if there is none."""
        table = await self.find(identity)
        if table is None:
            raise ApiError(Reason.TABLE_UNKNOWN, table=identity)
        return table

    async def create(self, table: Table, events: tuple[Sealed[Any], ...]) -> None:
        """Record the first events of a table. VersionConflict if it exists."""
        await self._store.write(events)
        self._keep(table.id, LiveTable(table))

    async def command(
        self, identity: UUID, decide: Callable[[Table], Awaitable[tuple[Table, T]]]
    ) -> T:
        """Do something at a table, alone. `decide` has written what it gives back as the table.

        It is called again if another replica was quicker. Whatever goes wrong in it, the table is
        read anew from the log by the next command.
        """
        for _ in range(ATTEMPTS):
            live = await self._get(identity)
            if live is None:
                raise ApiError(Reason.TABLE_UNKNOWN, table=identity)
            live.users += 1
            try:
                async with live.lock:
                    if self._tables.get(identity) is not live:
                        continue
                    before = live.table.version
                    try:
                        live.table, answer = await decide(live.table)
                    except BaseException:
                        self._tables.pop(identity, None)
                        raise
                    if live.table.version // SNAPSHOT_EVERY > before // SNAPSHOT_EVERY:
                        self._run(self._snapshot(live.table))
                    return answer
            except VersionConflict:
                log.info("version conflict", table=str(identity))
            finally:
                live.users -= 1
        raise ApiError(Reason.MATCH_BUSY, table=identity)

    async def write(self, events: tuple[Sealed[Any], ...]) -> None:
        """Write events of a table; they are on disk when it returns."""
        await self._store.write(events)

    async def event(self, identity: UUID, version: int) -> TableEvent:
        """The event of a table at this version, which it has."""

        def read() -> TableEvent:
            (sealed,) = self._store.table_events(identity, after=version - 1, until=version)
            return sealed.event

        return await asyncio.get_running_loop().run_in_executor(self._executor, read)

    async def _get(self, identity: UUID) -> LiveTable | None:
        live = self._tables.get(identity)
        if live is not None:
            self._tables.move_to_end(identity)
            return live
        loop = asyncio.get_running_loop()
        table = await loop.run_in_executor(self._executor, load, self._store, identity)
        if table is None:
            return None
        # Another call may have loaded it meanwhile: there is one copy only.
        known = self._tables.get(identity)
        return known or self._keep(identity, LiveTable(table))

    def _keep(self, identity: UUID, live: LiveTable) -> LiveTable:
        self._tables[identity] = live
        if len(self._tables) > MOST:
            for name, other in self._tables.items():
                if not other.users and other is not live:
                    del self._tables[name]
                    break
        return live

    def _run(self, errand: Awaitable[None]) -> None:
        task = asyncio.ensure_future(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _snapshot(self, table: Table) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(
                self._executor, lambda: self._store.put_snapshot(take_table_snapshot(table))
            )
        except StoreError as error:  # a snapshot only saves time: the table goes on without
            log.warning("snapshot not taken", table=str(table.id), why=str(error))

    async def close(self) -> None:
        """Wait for snapshots under way."""
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._errands)


def load(store: Log, identity: UUID) -> Table | None:
    """A table from its latest snapshot and the events since; None if the log has none of it."""
    stored = store.latest_snapshot(identity)
    if stored is not None and kind_of(stored) != TABLE:
        return None
    table = read_table_snapshot(stored) if stored is not None else None
    if table is not None and table.id != identity:
        table = None
    after, digest = (table.version, table.digest) if table else (0, None)
    for sealed in store.table_events(identity, after=after, digest=digest):
        table = evolve(table, sealed)
    return table
