"""Plays conditional moves: checks those of a match after each of its events.

The progress of a plan is derived from the events of its match, under the lock of the match. So each
move is played once, also after a restart, and an interrupted plan is resumed.
"""

import asyncio
from typing import Any, Final
from uuid import UUID

import structlog
from msgspec.structs import replace

from domain.conditional_moves import (
    ConditionalMoves,
    ConditionalMovesEnding,
    ConditionalMovesProgress,
    advance,
    end,
    initial_progress,
    next_action,
)
from domain.kernel.rulings import Refused
from domain.log.ledger import Rejection
from domain.log.origin import Origin
from domain.match import AnyMatch, Changeset, act, parse_match_action
from projections.queries import conditional_moves as plan_rows
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.runtime.errors import ApiError
from services.store.conditional_moves_cache import CachedConditionalMoves, ConditionalMovesCache
from services.store.errors import StoreError
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.read_models import ReadModelQueries

log = structlog.get_logger(__name__)

CLIENT: Final = "plan"
"""Client name that the log records for actions by conditional moves."""
SCAN_SECONDS: Final = 30.0
"""Interval between scans of the read models for conditional moves."""
RETRY_SECONDS: Final = 1.0
"""Pause before a retry when the log is not writable."""


class ConditionalMoveRunner:
    """The active conditional moves of all matches. The match cache reports changed matches."""

    def __init__(
        self,
        live: MatchCache,
        plans: ConditionalMovesCache,
        token_issuer: TokenIssuer,
        quotas: Quotas,
    ) -> None:
        self._quotas = quotas
        self._live = live
        self._plans = plans
        self._token_issuer = token_issuer
        self._going_on: dict[UUID, set[UUID]] = {}
        self._working: dict[UUID, asyncio.Task[None]] = {}
        self._again: set[UUID] = set()
        self._closed = False
        live.moved.append(self.look)

    async def start(self, reads: ReadModelQueries) -> None:
        """Resume the conditional moves that were active when the service stopped."""
        self._working[UUID(int=0)] = asyncio.create_task(self._take_up(reads))

    async def _take_up(self, reads: ReadModelQueries) -> None:
        """Resume conditional moves from before the start, or set at another replica."""
        while not self._closed:
            for plan, match in await reads.ask_until_ready(plan_rows.active_plans):
                if plan not in self._going_on.get(match, ()):
                    self._going_on.setdefault(match, set()).add(plan)
                    self.look(match)
            await asyncio.sleep(SCAN_SECONDS)

    async def close(self) -> None:
        """Stop playing conditional moves."""
        self._closed = True
        for task in self._working.values():
            task.cancel()
        await asyncio.gather(*self._working.values(), return_exceptions=True)

    def left(self, plan: ConditionalMoves) -> None:
        """Register conditional moves that a seat has set."""
        self._going_on.setdefault(plan.match, set()).add(plan.id)
        self.look(plan.match)

    def look(self, match: UUID) -> None:
        """Check the conditional moves of a match that may have changed."""
        if match not in self._going_on or self._closed:
            return
        self._again.add(match)
        if match not in self._working:
            task = asyncio.create_task(self._work(match))
            self._working[match] = task
            task.add_done_callback(lambda _: self._working.pop(match, None))

    async def standing(self, plan: ConditionalMoves, live: CachedMatch) -> ConditionalMovesProgress:
        """Return the progress of conditional moves. `live` is the cached match."""
        match = live.state
        standing = initial_progress(plan)
        if match.version > plan.since:
            events = await self._live.events_of(live, (range(plan.since + 1, match.version + 1),))
            for sealed in events:
                standing = advance(plan, standing, match.rules, sealed.event)
        if standing.ending is None and match.result is not None:
            ending = ConditionalMovesEnding("over", "the match is over", match.version)
            standing = replace(standing, ending=ending)
        return standing

    async def _work(self, match: UUID) -> None:
        while match in self._again:
            self._again.discard(match)
            try:
                for plan in sorted(self._going_on.get(match, ())):
                    await self._go(match, plan)
            except StoreError as error:
                await self._wait(match, error, RETRY_SECONDS)
            except ApiError as error:  # its frontend has had as many actions as it may
                await self._wait(match, error, error.retry_seconds or SCAN_SECONDS)

    async def _wait(self, match: UUID, why: Exception, seconds: float) -> None:
        log.warning("plan waits", match=str(match), why=str(why))
        await asyncio.sleep(seconds)
        self._again.add(match)

    async def _go(self, match: UUID, identity: UUID) -> None:
        """Take all actions by conditional moves that are due."""
        plan = (await self._plans.get(identity)).state
        acted = plan.ending is None
        while acted:
            acted, ending = await self._act(match, plan)
            if ending is not None:
                await self._end(plan, ending)
                acted = False
        plan = (await self._plans.get(identity)).state
        if plan.ending is not None and (known := self._going_on.get(match)):
            known.discard(identity)
            if not known:
                del self._going_on[match]

    async def _act(
        self, match: UUID, plan: ConditionalMoves
    ) -> tuple[bool, ConditionalMovesEnding | None]:
        """Take the next action by conditional moves, if it is due.

        Returns:
            Whether the action was taken, and whether the plan has ended.
        """

        async def decide(live: CachedMatch) -> Decision[tuple[bool, ConditionalMovesEnding | None]]:
            standing = await self.standing(plan, live)
            text = next_action(plan, standing, live.state)
            if standing.ending is not None or text is None:
                return None, (False, standing.ending)
            outcome = self._judged(live.state, plan.seat, text, standing.answers)
            if isinstance(outcome, Changeset):
                await self._quotas.acting(live.state, plan.seat)
                return outcome, (True, None)
            why = f"{text}: {outcome.why}"
            return None, (False, ConditionalMovesEnding("refused", why, live.state.version))

        return await self._live.command(match, decide)

    def _judged(self, match: AnyMatch, seat: str, text: str, answers: int) -> Any:
        action = parse_match_action(match, text)
        if isinstance(action, Refused | Rejection):
            return action
        request = f"plan {seat} {match.version + 1}"
        command_context = self._token_issuer.command_context(
            match.id, request, Origin(CLIENT, answers=answers)
        )
        return act(match, seat, action, command_context, self._token_issuer.seeds(match.id))

    async def _end(self, plan: ConditionalMoves, ending: ConditionalMovesEnding) -> None:
        """Notify the seat that its conditional moves have ended, unless it has replaced them."""
        command_context = self._token_issuer.command_context(plan.id, f"end {plan.version + 1}")

        async def decide(
            live: CachedConditionalMoves,
        ) -> tuple[Changeset[ConditionalMoves] | None, None]:
            if live.state.version != plan.version:
                return None, None
            return end(live.state, ending, command_context), None

        await self._plans.command(plan.id, decide)
