"""Asks the read models, off the event loop, and waits for them where a caller wants the newest."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from sqlite3 import Connection
from typing import Final, TypeVar
from uuid import UUID

from projections import boards, keys
from projections.models import ReadModels
from services.door import Call
from services.errors import ApiError, Reason
from services.tokens import key_of
from services.watchers import Watchers

T = TypeVar("T")

PATIENCE_SECONDS: Final = 5.0
"""How long a read waits for the version that it wants, unless its deadline comes first."""


class Reads:
    """The read models, as handlers ask them."""

    def __init__(self, models: ReadModels, watchers: Watchers, executor: Executor) -> None:
        self._models = models
        self._watchers = watchers
        self._executor = executor

    async def ask(self, query: Callable[[Connection], T]) -> T:
        """What a query answers. It runs in another thread, with a connection of its own."""

        def run() -> T:
            with self._models.reading() as connection:
                return query(connection)

        return await asyncio.get_running_loop().run_in_executor(self._executor, run)

    async def role(self, identity: UUID, call: Call) -> str:
        """The role that the caller's token stands for in this match."""
        if not call.token:
            raise ApiError(Reason.TOKEN_MISSING)
        key = key_of(call.token)
        role = await self.ask(lambda connection: keys.role(connection, identity, key))
        if role is None:
            if await self._version(identity) == 0:
                raise _unknown(identity)
            raise ApiError(
                Reason.TOKEN_FOREIGN,
                "the token is for no role of this match, or the seat has been claimed since",
                match=identity,
            )
        return role

    async def reached(self, identity: UUID, wanted: int, call: Call) -> None:
        """Wait until the read models have this version. READS_BEHIND if that takes too long."""
        if not wanted or await self._version(identity) >= wanted:
            return
        patience = min(PATIENCE_SECONDS, call.seconds_left or PATIENCE_SECONDS)
        try:
            async with asyncio.timeout(patience):
                with self._watchers.watching(identity) as woken:
                    while (present := await self._version(identity)) < wanted:
                        await woken.wait()
                        woken.clear()
        except TimeoutError:
            present = await self._version(identity)
            raise ApiError(
                Reason.READS_BEHIND,
                f"the read models have version {present} of the match, not {wanted}",
                match=identity,
                version=present,
                wanted=wanted,
            ) from None

    async def _version(self, identity: UUID) -> int:
        return await self.ask(lambda connection: boards.version(connection, identity))


def _unknown(identity: UUID) -> ApiError:
    return ApiError(Reason.MATCH_UNKNOWN, f"there is no match {identity}", match=identity)
