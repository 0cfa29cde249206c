"""The bots of the service: they hold seats from the creation of a match, and act when prompted.

The log records which seats they hold. So a match continues after a restart, and at the replica that
has the lease. Bots search in separate processes; the event loop only sends requests and records
actions.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import UUID

import structlog

from domain.bots.levels import LEVELS
from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext, Origin
from domain.match import (
    AnyMatch,
    act,
    claim,
    deduct_elapsed,
    parse_match_action,
    remaining_delay_ms,
    respond_to_draw,
)
from domain.match.information_states import information_state_fingerprint, write_information_state
from projections.queries.match_list import matches_with_bots
from projections.queries.proposals import open_proposal
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer, token_digest
from services.bots.policy import accepts_draw, accepts_undo, seconds_to_think
from services.bots.process_pool import SearchFailedError, SearchPool
from services.bots.search_process import SearchRequest, SearchResult, seed_of
from services.runtime.clock import utc_now
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store import line_changes
from services.store.errors import StoreError
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.opened_log import Lease
from services.store.read_models import ReadModelQueries

log = structlog.get_logger(__name__)

SCAN_SECONDS: Final = 30.0
"""Interval between scans of the read models for further seats of bots."""
RETRY_SECONDS: Final = 2.0
"""Pause before a retry when the log is not writable or a search has failed."""


class BotHost:
    """The bots of a service. The match cache reports each match that changes."""

    def __init__(
        self,
        live: MatchCache,
        token_issuer: TokenIssuer,
        quotas: Quotas,
        pool: SearchPool | None,
        *,
        max_seats: int,
    ) -> None:
        """Create a host for at most `max_seats` seats; without a pool it has no bots."""
        self._live = live
        self._token_issuer = token_issuer
        self._quotas = quotas
        self._pool = pool
        self._max_seats = max_seats
        self._has_lease: Callable[[], bool] = lambda: False
        self._seats: dict[UUID, int] = {}
        """Number of seats that bots hold in each match that is not over."""
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._changed_matches: set[UUID] = set()
        self._scan_task: asyncio.Task[None] | None = None
        self._closed = False
        live.on_change.append(self.note_change)

    def __len__(self) -> int:
        return sum(self._seats.values())

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the levels of the bots, the weakest first; empty if there are no bots."""
        return () if self._pool is None else tuple(LEVELS)

    def start(self, read_models: ReadModelQueries, lease: Lease) -> None:
        """Resume the seats that bots held when the service stopped."""
        self._has_lease = lease.try_acquire
        if self._pool is not None:
            self._scan_task = asyncio.create_task(self._resume(read_models))

    async def close(self) -> None:
        """Stop playing for all seats."""
        self._closed = True
        tasks = [*self._tasks.values(), *([self._scan_task] if self._scan_task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._pool is not None:
            await self._pool.close()

    # --- taking seats ----------------------------------------------------------------------------

    def check(self, bots: dict[str, str], seats: tuple[str, ...], taken: str) -> None:
        """Raise ApiError unless bots can take these seats of a new match.

        Args:
            bots: The level of the bot for each seat.
            seats: The seats of the match.
            taken: The seat of the creator.

        Raises:
            ApiError: BOTS_DISABLED, BOTS_BUSY, or FIELD_INVALID for an unknown seat or level.
        """
        if not bots:
            return
        if self._pool is None:
            raise ApiError(Reason.BOTS_DISABLED)
        for seat, level in bots.items():
            if seat not in seats or seat == taken:
                free = ", ".join(each for each in seats if each != taken)
                raise field_invalid(
                    "bots", f"{seat[:40]!r} is not an open seat; a bot can take {free}"
                )
            if level not in LEVELS:
                raise field_invalid(
                    "bots",
                    f"there is no bot level {level[:40]!r}; the levels are {', '.join(LEVELS)}",
                )
        if len(self) + len(bots) > self._max_seats:
            raise ApiError(
                Reason.BOTS_BUSY,
                f"bots hold {len(self)} of at most {self._max_seats} seats on this service:"
                " try again later",
                held=len(self),
                most=self._max_seats,
            )

    async def claim_seats(self, identity: UUID, bots: dict[str, str], request_id: str) -> AnyMatch:
        """Claim these seats of a match for bots, each once. Return the match after the claims."""
        for seat, level in sorted(bots.items()):
            await self._live.command(
                identity, self._claim_decision(identity, seat, level, request_id)
            )
        match = (await self._live.get(identity)).state
        self._update_count(match)
        self.note_change(identity)
        return match

    def _claim_decision(
        self, identity: UUID, seat: str, level: str, request_id: str
    ) -> Callable[[CachedMatch], Awaitable[Decision[None]]]:
        request = f"{request_id} bot {seat}"
        command_context = self._token_issuer.command_context(
            identity, self._token_issuer.request_key(request)
        )

        async def decide(live: CachedMatch) -> Decision[None]:
            match = live.state
            if live.version_of_request(*self._token_issuer.request_names(request)) is not None:
                return None, None
            seeds = self._token_issuer.seeds(identity)
            name = f"Bot ({level})"
            key = _bot_key(self._token_issuer, match, seat)
            taken = claim(match, seat, name, key, command_context, seeds=seeds, bot=level)
            if isinstance(taken, Rejection):
                raise ApiError(Reason[taken.reason], taken.why)
            return taken, None

        return decide

    def held_seats(self, match: AnyMatch) -> dict[str, str]:
        """Return the seats that bots of this service hold, with their levels."""
        return _bot_levels(self._token_issuer, match)

    def _update_count(self, match: AnyMatch) -> dict[str, str]:
        """Update the count of held seats for a match. Return the seats."""
        own = {} if match.result is not None else self.held_seats(match)
        if own:
            self._seats[match.id] = len(own)
        else:
            self._seats.pop(match.id, None)
        return own

    # --- playing ---------------------------------------------------------------------------------

    async def _resume(self, read_models: ReadModelQueries) -> None:
        """Find seats of bots from before the start, or from another replica."""
        while not self._closed:
            for match in await read_models.ask_until_ready(matches_with_bots):
                self._seats.setdefault(match, 1)
                self.note_change(match)
            await asyncio.sleep(SCAN_SECONDS)

    def note_change(self, match: UUID) -> None:
        """Check a match that may have changed for prompts of its bots."""
        if match not in self._seats or self._closed:
            return
        self._changed_matches.add(match)
        if match not in self._tasks:
            task = asyncio.create_task(self._work(match))
            self._tasks[match] = task
            task.add_done_callback(lambda _: self._tasks.pop(match, None))

    async def _work(self, match: UUID) -> None:
        while match in self._changed_matches:
            self._changed_matches.discard(match)
            try:
                if await asyncio.to_thread(self._has_lease):
                    await self._act(match)
            except (StoreError, ApiError, SearchFailedError) as error:
                log.warning("bot waits", match=str(match), why=str(error))
                await asyncio.sleep(getattr(error, "retry_seconds", 0) or RETRY_SECONDS)
                self._changed_matches.add(match)
            except Exception:  # the outermost layer: a bug of the bot must not go unnoticed
                log.exception("bot failed", match=str(match))

    async def _act(self, identity: UUID) -> None:
        """Act for each bot of a match that has a prompt or a pending proposal."""
        match = (await self._live.get(identity)).state
        own = self._update_count(match)
        if not own or match.status != "active":
            return
        proposal = open_proposal(match)
        for seat, level in own.items():
            if proposal is not None and seat in proposal.made.awaiting:
                await self._answer(match, seat, level, draw=proposal.kind == "draw")
                return
        asked = {prompt.seat for prompt in match.prompts}
        for seat, level in own.items():
            if seat in asked:
                found = await self._search(match, seat, level)
                await self._record(match, seat, level, found.action)
                return

    async def _search(
        self, match: AnyMatch, seat: str, level: str, *, judging: bool = False
    ) -> SearchResult:
        assert self._pool is not None
        until = time.monotonic() + seconds_to_think(_seconds_left(match, seat))
        request = _search_request(
            self._token_issuer, match, seat, level, until=until, judging=judging
        )
        return await self._pool.search(request)

    async def _record(self, searched_match: AnyMatch, seat: str, level: str, action: str) -> None:
        """Record an action, unless the match has changed since the search."""

        async def decide(live: CachedMatch) -> Decision[None]:
            match = live.state
            if match.version != searched_match.version:
                return None, None
            await self._quotas.count_action(match, seat)
            read = parse_match_action(match, action)
            command_context = self._command_context(match, seat, level)
            seeds = self._token_issuer.seeds(match.id)
            outcome = (
                read
                if isinstance(read, Refused | Rejection)
                else act(match, seat, read, command_context, seeds)
            )
            if isinstance(outcome, Changeset):
                return outcome, None
            why = outcome.rule if isinstance(outcome, Refused) else outcome.reason
            log.error("bot refused", match=str(match.id), seat=seat, version=match.version, why=why)
            return None, None

        await self._live.command(searched_match.id, decide)

    async def _answer(self, asked: AnyMatch, seat: str, level: str, *, draw: bool) -> None:
        """Respond to a pending proposal."""
        yes = accepts_undo()
        if draw:
            yes = accepts_draw((await self._search(asked, seat, level, judging=True)).win_chance)

        async def decide(live: CachedMatch) -> Decision[None]:
            match = live.state
            if match.version != asked.version:
                return None, None
            command_context, seeds = (
                self._command_context(match, seat, level),
                self._token_issuer.seeds(match.id),
            )
            if draw:
                outcome = respond_to_draw(match, seat, yes, command_context, seeds)
            else:
                outcome = await line_changes.answer_line_change(
                    self._live, live, seat, command_context, seeds, granted=yes
                )
            return (outcome, None) if isinstance(outcome, Changeset) else (None, None)

        await self._live.command(asked.id, decide)

    def _command_context(self, match: AnyMatch, seat: str, level: str) -> CommandContext:
        request = f"bot {seat} {match.version + 1}"
        return self._token_issuer.command_context(match.id, request, Origin(f"bot {level}"))


def _seconds_left(match: AnyMatch, seat: str) -> float | None:
    """Return the seconds on the seat's clock; None for a seat without a clock."""
    if match.clocks is None or seat not in match.clocks.times:
        return None
    terms = match.time_controls
    now = deduct_elapsed(match.clocks, terms, utc_now())
    return (now.times[seat].left_ms + remaining_delay_ms(now, terms, seat)) / 1000


def _bot_key(token_issuer: TokenIssuer, match: AnyMatch, seat: str) -> str:
    """Return the digest of the token with which a bot claims a seat; the token stays secret."""
    return token_digest(token_issuer.token("bot", str(match.id), seat))


def _bot_levels(token_issuer: TokenIssuer, match: AnyMatch) -> dict[str, str]:
    """Return the seats that bots of this service hold, with their levels.

    Where seats were drawn, a bot may hold another seat than it claimed.
    """
    keys = {_bot_key(token_issuer, match, seat) for seat in match.seats}
    return {
        seat: holder.bot
        for seat, holder in match.holders.items()
        if holder.bot in LEVELS and holder.key in keys
    }


def _search_request(
    token_issuer: TokenIssuer,
    match: AnyMatch,
    seat: str,
    level: str,
    *,
    until: float,
    judging: bool = False,
) -> SearchRequest:
    """Return the search request for a seat of a match, or an evaluation request if `judging`."""
    return SearchRequest(
        game=match.game,
        shape=information_state_fingerprint(match.rules),
        state=write_information_state(match, seat),
        seat=seat,
        level=level,
        seed=seed_of(token_issuer.token("thinking", str(match.id), seat, str(match.version))),
        until=until,
        judging=judging,
    )
