"""The pairings of styluses: each stylus is paired at one table only."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID
from weakref import WeakValueDictionary

import structlog
from msgspec.structs import replace

from domain.table import OtherTable, Table, WrongPin, unpair
from projections.queries import devices
from services.accounts.context import RequestContext
from services.accounts.tokens import TokenIssuer
from services.runtime.clock import utc_now
from services.runtime.errors import ApiError
from services.store.aggregate_cache import Decision
from services.store.read_models import ReadModelQueries
from services.store.table_cache import CachedTable, TableCache

log = structlog.get_logger(__name__)
WrongPins = tuple[WrongPin, ...]

SILENCE_LIMIT: Final = timedelta(hours=1)
"""Time without events at a table after which its disconnected gateways release styluses.

Another table may then pair them. Otherwise a broken gateway would keep them forever.
"""


class Pairings:
    """The pairings of styluses over all tables."""

    def __init__(
        self,
        tables: TableCache,
        read_models: ReadModelQueries,
        is_connected: Callable[[str], bool],
        token_issuer: TokenIssuer,
    ) -> None:
        self._tables = tables
        self._read_models = read_models
        self._is_connected = is_connected
        self._token_issuer = token_issuer
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def lock(self, stylus: str) -> AsyncIterator[None]:
        """Hold the lock for pairings of this stylus during the context."""
        async with self._locks.setdefault(stylus, asyncio.Lock()):
            yield

    async def other_pairing(self, stylus: str, table: UUID) -> OtherTable | None:
        """Return another table at which the stylus is paired; None if there is none.

        A table that still hears the stylus takes precedence.
        """
        found = None
        for other, updated in await self._other_tables(stylus, table):
            paired = other.stylus(stylus)
            silent = utc_now() - updated > SILENCE_LIMIT
            # Its own PIN takes it at once from a gateway that is gone; the factory's does not.
            kept = self._is_connected(paired.gateway) or not (silent or paired.pin)
            heard = paired.lost is None and kept
            if heard or found is None:
                found = OtherTable(other.name, paired, heard)
        return found

    async def unpair_others(self, stylus: str, here: Table, call: RequestContext) -> list[Table]:
        """Unpair the stylus at all other tables. Return those tables."""
        left = []
        for other, _ in await self._other_tables(stylus, here.id):
            left.append(await self._unpair(other.id, stylus))
        await self.wait_until_listed(here.id, call)
        return left

    async def wait_until_listed(self, table: UUID, call: RequestContext) -> None:
        """Wait until the read models contain the changes of the table."""
        version = (await self._tables.get(table)).state.version
        try:
            await self._read_models.wait_for_version(
                table, version, call.seconds_left, devices.version
            )
        except ApiError as error:
            log.warning("pairing not listed yet", table=str(table), why=error.message)

    async def wrong_pins_elsewhere(self, stylus: str, table: Table, gateway: str) -> WrongPins:
        """Return the recent wrong PINs for a stylus at other tables.

        Attempts with the key of this gateway count as attempts at it.
        """
        identity, key = table.id, table.gateways[gateway].key
        tried = await self._read_models.ask(
            lambda found: devices.tables_of_stylus(found, stylus, identity)
        )
        others = [(await self._tables.get(other)).state for other in tried]
        return tuple(
            replace(each, gateway=gateway) if key == other.gateways[each.gateway].key else each
            for other in others
            for each in other.stylus(stylus).wrong
        )

    async def _other_tables(self, stylus: str, table: UUID) -> list[tuple[Table, datetime]]:
        """Return the other tables at which the stylus is paired, each with its last change."""
        found = await self._read_models.ask(
            lambda connection: devices.other_pairings(connection, stylus, table)
        )
        others = [((await self._tables.get(other)).state, updated) for other, updated in found]
        return [each for each in others if each[0].stylus(stylus).gateway]

    async def _unpair(self, table: UUID, stylus: str) -> Table:
        async def leave(live: CachedTable) -> Decision[Table, Table]:
            left = unpair(live.state, stylus, self._token_issuer.command_context(table, ""))
            return left, left.state if left else live.state

        return await self._tables.command(table, leave)
