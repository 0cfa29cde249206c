"""Warns players of frontends that their time is low, with an event of the player.

Readers of the player's notices receive the warning in order, however late. It is no event of the
match. One task serves one heap of due times. Replicas on one log may all send a warning: the first
is recorded.
"""

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

import structlog

from domain import player as players
from domain.log.digests import digest
from domain.match import AnyMatch, low_time_warnings
from domain.match.clocks import DAY_MS, MS
from domain.player import Player
from services.accounts.tokens import TokenIssuer
from services.runtime.clock import utc_now
from services.scheduler.due_times import DueTimes
from services.store.account_cache import PlayerCache
from services.store.aggregate_cache import CachedAggregateWithRequests, Decision
from services.store.errors import StoreError
from services.store.match_cache import MatchCache

log = structlog.get_logger(__name__)

MAX_LEAD_TIME: Final = DAY_MS * MS
"""Maximum remaining time that counts as low."""
MAX_CONCURRENT_WARNINGS: Final = 16
IDLE_SECONDS: Final = 60.0


class LowTimeWarnings:
    """The low-time warnings of one service.

    The flag fall scheduler reports each match that changes.
    """

    def __init__(self, live: MatchCache, accounts: PlayerCache, token_issuer: TokenIssuer) -> None:
        self._live = live
        self._players = accounts
        self._token_issuer = token_issuer
        self._due = DueTimes()
        self._wake_up = asyncio.Event()
        self._slots = asyncio.Semaphore(MAX_CONCURRENT_WARNINGS)
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

    def note(self, match: AnyMatch) -> None:
        """Schedule the warnings of a match with clocks that has changed."""
        if not any(each.id for each in match.holders.values()):
            return
        now = utc_now()
        self._expect(
            match.id,
            min((low.at for low in low_time_warnings(match) if low.at > now), default=None),
        )

    def expect(self, identity: UUID, flag: datetime) -> None:
        """Schedule a check of a match before the clock that runs out at `flag` can be low."""
        if self._due.get(identity) is None:
            self._expect(identity, flag - MAX_LEAD_TIME)

    def _expect(self, identity: UUID, due: datetime | None) -> None:
        if self._due.expect(identity, due):
            self._wake_up.set()

    def start(self) -> None:
        """Start sending low-time warnings."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop sending low-time warnings."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        await asyncio.gather(*self._background_tasks, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._wake_up.clear()
            now = utc_now()
            for identity in self._due.pop_due(now):
                background_task = asyncio.create_task(self._warn(identity))
                self._background_tasks.add(background_task)
                background_task.add_done_callback(self._background_tasks.discard)
            rest = IDLE_SECONDS
            if (first := self._due.first) is not None:
                rest = max(0.0, min(rest, (first - now).total_seconds()))
            with suppress(TimeoutError):
                async with asyncio.timeout(rest):
                    await self._wake_up.wait()

    async def _warn(self, identity: UUID) -> None:
        """Warn the players of a match whose time is low by now, and schedule the others."""
        async with self._slots:
            try:
                match = (await self._live.get(identity)).state
                now = utc_now()
                for low in low_time_warnings(match):
                    holder = match.holders.get(low.seat)
                    if low.at <= now and holder is not None and holder.id is not None:
                        await self._record(holder.id, match, low.seat)
                self.note(match)
            except StoreError as error:  # it is a service to players, and waits for nobody
                log.warning("low clock not told", match=str(identity), why=str(error))

    async def _record(self, player: UUID, match: AnyMatch, seat: str) -> None:
        request = digest(f"clock low {match.id} {match.version} {seat}".encode())

        async def decide(held: CachedAggregateWithRequests[Player]) -> Decision[Player, None]:
            if held.state.deleted or held.version_of_request(request) is not None:
                return None, None
            command_context = self._token_issuer.command_context(player, request)
            return players.record_low_time(
                held.state, match.id, match.version, seat, command_context
            ), None

        await self._players.command(player, decide)
