"""Schedules flag falls, and restores the time that clocks lost while the service was away.

One task serves one heap of due times. A flag fall is recorded before any later command. So the task
may be late: of an action and a flag fall, the earlier one by the service's clock counts.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final, TypeVar
from uuid import UUID

import structlog

from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.match import (
    AnyMatch,
    Changeset,
    cancel,
    credit_downtime,
    is_paused_by_downtime,
    next_deadline,
    next_flag_fall,
    record_flag_fall,
)
from projections.queries import clocks
from projections.queries.clocks import RunningClock
from projections.queries.projection_errors import UNREADABLE_ERRORS
from projections.views import board_views
from services.accounts.tokens import TokenIssuer
from services.runtime.clock import current_clock, utc_now
from services.runtime.files import OWNER_ONLY
from services.scheduler.due_times import DueTimes
from services.scheduler.low_time import LowTimeWarnings
from services.store.errors import MatchUnknown, RecordDamaged, SeedMissing, StoreError
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.opened_log import Downtime

T = TypeVar("T")
log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS: Final = 0.1
"""While a clock runs, it is noted so often that the service is there: what a service that was
killed costs nobody is known as exactly as this."""
RETRY_DELAY: Final = timedelta(seconds=1)
"""How long to wait if the log cannot take it now."""
MAX_CONCURRENT_FLAG_FALLS: Final = 64
"""Matches in which the end of somebody's time is recorded at the same time, at most."""
IDLE_SECONDS: Final = 60.0

SCAN_SECONDS: Final = 5.0
"""Interval between scans of the read models for clocks that run out soon."""
BATCH_SIZE: Final = 200
"""Number of matches whose time is restored in one transaction after a start."""

Query = Callable[[Connection], T]
RunQuery = Callable[[Query[T]], Awaitable[T]]
"""Asks the read models, and waits for them as long as it takes."""


class FlagFallScheduler:
    """The running clocks of one service. The match cache reports each match that changes."""

    def __init__(
        self,
        live: MatchCache,
        token_issuer: TokenIssuer,
        warnings: LowTimeWarnings,
        heartbeat_file: Path | None,
        downtime: Downtime | None = None,
    ) -> None:
        """Create a scheduler without clocks; `start` loads them.

        Args:
            live: The cached matches.
            token_issuer: Issues tokens and seeds.
            warnings: Receives each match with clocks for low-time warnings.
            heartbeat_file: File whose modification time records when the service last ran. None on
                a shared log, where another replica keeps clocks running.
            downtime: The last downtime of all replicas, by the log.
        """
        self._live = live
        self._token_issuer = token_issuer
        self._warnings = warnings
        self._heartbeat_file = heartbeat_file
        self._started_at = downtime.until if downtime else utc_now()
        self._down_since = (
            downtime.since
            if downtime
            else _modification_time(heartbeat_file)
            if heartbeat_file
            else None
        )
        self._credits_downtime = heartbeat_file is not None or downtime is not None
        self._due = DueTimes()
        self._downtime_paused: set[UUID] = set()
        self._imported: set[UUID] = set()
        self._wake_up = asyncio.Event()
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(MAX_CONCURRENT_FLAG_FALLS)
        self._task: asyncio.Task[None] | None = None
        self._scan_task: asyncio.Task[None] | None = None
        self._listening = ExitStack()
        self.ready = False
        """Whether all clocks that ran before the service stopped run again."""
        live.clock_keeper = self

    def __len__(self) -> int:
        return len(self._due)

    # --- called by MatchCache --------------------------------------------------------------------

    def note(self, match: AnyMatch) -> None:
        """Schedule the next flag fall of a match that has changed."""
        if match.clocks is None:
            if match.terms.waiting_seconds:
                self._expect(match.id, next_deadline(match))
            return
        stops = is_paused_by_downtime(match.clocks, match.time_controls)
        (self._downtime_paused.add if stops else self._downtime_paused.discard)(match.id)
        self._expect(match.id, next_deadline(match))
        self._warnings.note(match)

    def has_unrecorded_downtime(self, match: AnyMatch) -> bool:
        """Return whether a running clock lost time to downtime that is not recorded yet."""
        clocks = match.clocks
        return (
            clocks is not None
            and (self._is_in_downtime(clocks.at) or match.id in self._imported)
            and is_paused_by_downtime(clocks, match.time_controls)
        )

    def _is_in_downtime(self, at: datetime) -> bool:
        return self._credits_downtime and at < self._started_at

    def _handle_clock_step(self, since: datetime, until: datetime) -> None:
        """Treat a forward step of the machine's clock as downtime. Runs in any thread."""
        if self._credits_downtime:
            self._down_since, self._started_at = since, until
            self._loop.call_soon_threadsafe(self._settle_all)

    def _settle_all(self) -> None:
        for identity in self._downtime_paused:
            self._expect(identity, self._started_at)
        self._wake_up.set()

    async def settle(self, identity: UUID) -> None:
        """Record the flag fall or downtime of a match, if there is any by now.

        Raises:
            StoreError: The log cannot be written.
        """
        await self._live.decide_now(identity, self._decide)
        self.note((await self._live.get(identity)).state)

    async def note_import(self, match: AnyMatch) -> None:
        """Register an imported match: its clocks lost no time until now."""
        clocks = match.clocks
        if clocks is not None and is_paused_by_downtime(clocks, match.time_controls):
            self._imported.add(match.id)
            try:
                await self.settle(match.id)
            finally:
                self._imported.discard(match.id)

    async def _decide(self, live: CachedMatch) -> Decision[None]:
        match, now = live.state, utc_now()
        if match.expires is not None:
            if match.expires > now:
                return None, None
            log.info("match expired", match=str(match.id))
            expired = cancel(match, self._command_context(match, now), expired=True)
            return (expired if isinstance(expired, Changeset) else None), None
        outcome = self._credit_downtime(match, now)
        if outcome is None and (flag := next_flag_fall(match)) is not None and flag.at <= now:
            seeds = self._token_issuer.seeds(match.id)
            # Nothing was recorded since: so this is when it was, however late the task is.
            outcome = record_flag_fall(
                match, flag.seat, self._command_context(match, flag.at), seeds
            )
            log.info("time ran out", match=str(match.id), seat=flag.seat)
        return (outcome if isinstance(outcome, Changeset) else None), None

    def _credit_downtime(
        self, match: AnyMatch, now: datetime
    ) -> Changeset[AnyMatch] | Rejection | None:
        """Return the event that restores time lost to downtime; None if there was none."""
        if not self.has_unrecorded_downtime(match):
            return None
        assert match.clocks is not None
        since = match.clocks.at
        if self._down_since is not None and match.id not in self._imported:
            since = min(max(since, self._down_since), now)
        return credit_downtime(match, since, self._command_context(match, now))

    def _command_context(self, match: AnyMatch, now: datetime) -> CommandContext:
        return self._token_issuer.command_context(match.id, f"clock {match.version + 1}", at=now)

    # --- the task --------------------------------------------------------------------------------

    async def start(self, ask: RunQuery[Any] | None) -> None:
        """Start the clocks in the read models.

        Without `ask`, other replicas serve the matches that nobody changes here.
        """
        self._loop = asyncio.get_running_loop()
        self._listening.enter_context(current_clock().listening(self._handle_clock_step))
        self._task = asyncio.create_task(self._run(ask))
        self._warnings.start()
        if ask is not None:
            self._scan_task = asyncio.create_task(self._scan(ask))

    async def stop(self) -> None:
        """Stop the clocks of this service before it exits."""
        if self._task is None:
            return
        self._listening.close()
        for task in filter(None, (self._task, self._scan_task)):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._task = None
        await self._warnings.stop()
        await asyncio.gather(*self._background_tasks, return_exceptions=True)
        self._heartbeat()

    async def _run(self, ask: RunQuery[Any] | None) -> None:
        if ask is not None:
            await self._begin(ask)
        self.ready = True
        while True:
            self._wake_up.clear()
            now = utc_now()
            self._heartbeat()
            for identity in self._due.pop_due(now):
                self._send(identity)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._idle_seconds()):
                    await self._wake_up.wait()

    async def _begin(self, ask: RunQuery[Any]) -> None:
        """Restart all clocks that ran before the service stopped."""
        running: list[RunningClock] = await ask(clocks.running_clocks)
        held = self._credits_downtime
        for each in running:
            if not (held and each.stops) and self._due.get(each.match) is None:
                self._expect(each.match, each.due)
                self._warnings.expect(each.match, each.due)
        stopped = [each.match for each in running if held and each.stops]
        for first in range(0, len(stopped), BATCH_SIZE):
            await self._restore_time(ask, stopped[first : first + BATCH_SIZE])

    async def _scan(self, ask: RunQuery[Any]) -> None:
        """Find clocks of matches that another replica has changed."""
        while True:
            await asyncio.sleep(SCAN_SECONDS)
            until = utc_now() + timedelta(seconds=2 * SCAN_SECONDS)
            soon: list[RunningClock] = await ask(partial(clocks.running_clocks, until=until))
            for each in soon:
                if each.due < (self._due.get(each.match) or until):
                    self._expect(each.match, each.due)

    async def _restore_time(self, ask: RunQuery[Any], identities: list[UUID]) -> None:
        """Record that these matches lost no time while the service was away."""

        def decide(connection: Connection) -> list[Changeset[AnyMatch]]:
            held = (self._read_downtime_credit(connection, each) for each in identities)
            return [each for each in held if isinstance(each, Changeset)]

        changeset: list[Changeset[AnyMatch]] = await ask(decide)
        try:
            await self._live.record_for_many(changeset)
        except StoreError:  # as after a change of one match: settle each separately
            for identity in identities:
                self._expect(identity, self._started_at)
            return
        for each in changeset:
            self.note(each.state)

    def _read_downtime_credit(
        self, connection: Connection, identity: UUID
    ) -> Changeset[AnyMatch] | Rejection | None:
        """Return the event that restores the time of a match; None if the match cannot be read.

        An unreadable match does not keep other clocks from running.
        """
        try:
            found = board_views.find_match_row(connection, identity)
            return self._credit_downtime(found.match, utc_now()) if found else None
        except UNREADABLE_ERRORS as error:
            log.error("clock given up", match=str(identity), why=repr(error))
            return None

    def _idle_seconds(self) -> float:
        """Return the seconds until the next due time."""
        longest = HEARTBEAT_SECONDS if self._downtime_paused else IDLE_SECONDS
        if (first := self._due.first) is None:
            return longest
        until = (first - utc_now()).total_seconds()
        return max(0.0, min(until, longest))

    def _expect(self, identity: UUID, due: datetime | None) -> None:
        is_first = self._due.expect(identity, due)
        if is_first or (due is not None and len(self._downtime_paused) == 1):
            self._wake_up.set()

    def _send(self, identity: UUID) -> None:
        background_task = asyncio.create_task(self._settle(identity))
        self._background_tasks.add(background_task)
        background_task.add_done_callback(self._background_tasks.discard)

    async def _settle(self, identity: UUID) -> None:
        async with self._slots:
            try:
                await self.settle(identity)
            except (MatchUnknown, RecordDamaged, SeedMissing) as error:
                # Nothing can be recorded of it, now or later: its next command reports why.
                self._downtime_paused.discard(identity)
                log.warning("clock given up", match=str(identity), why=str(error))
            except StoreError as error:
                log.warning("clock waits", match=str(identity), why=str(error))
                self._expect(identity, utc_now() + RETRY_DELAY)

    def _heartbeat(self) -> None:
        """Write the heartbeat, unless the file records a downtime that is not yet restored."""
        if self._heartbeat_file is None or (
            not self._downtime_paused and self._heartbeat_file.exists()
        ):
            return
        try:
            self._heartbeat_file.touch(OWNER_ONLY)
            now = utc_now().timestamp()
            os.utime(self._heartbeat_file, (now, now))
        except OSError as error:  # then the time since is given back, should it be killed
            log.warning("beat not noted", why=str(error))


def _modification_time(path: Path) -> datetime | None:
    """Return the modification time of a file; None if the file does not exist."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return None
