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
        self._active_plans: dict[UUID, set[UUID]] = {}
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._changed_matches: set[UUID] = set()
        self._closed = False
        live.on_change.append(self.note_change)

    async def start(self, read_models: ReadModelQueries) -> None:
        """Resume the conditional moves that were active when the service stopped."""
        self._tasks[UUID(int=0)] = asyncio.create_task(self._resume(read_models))

    async def _resume(self, read_models: ReadModelQueries) -> None:
        """Resume conditional moves from before the start, or set at another replica."""
        while not self._closed:
            for plan, match in await read_models.ask_until_ready(plan_rows.active_plans):
                if plan not in self._active_plans.get(match, ()):
                    self._active_plans.setdefault(match, set()).add(plan)
                    self.note_change(match)
            await asyncio.sleep(SCAN_SECONDS)

    async def close(self) -> None:
        """Stop playing conditional moves."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def add(self, plan: ConditionalMoves) -> None:
        """Register conditional moves that a seat has set."""
        self._active_plans.setdefault(plan.match, set()).add(plan.id)
        self.note_change(plan.match)

    def note_change(self, match: UUID) -> None:
        """Check the conditional moves of a match that may have changed."""
        if match not in self._active_plans or self._closed:
            return
        self._changed_matches.add(match)
        if match not in self._tasks:
            task = asyncio.create_task(self._work(match))
            self._tasks[match] = task
            task.add_done_callback(lambda _: self._tasks.pop(match, None))

    async def progress(self, plan: ConditionalMoves, live: CachedMatch) -> ConditionalMovesProgress:
        """Return the progress of conditional moves. `live` is the cached match."""
        match = live.state
        progress = initial_progress(plan)
        if match.version > plan.since:
            events = await self._live.events_of(live, (range(plan.since + 1, match.version + 1),))
            for sealed in events:
                progress = advance(plan, progress, match.rules, sealed.event)
        if progress.ending is None and match.result is not None:
            ending = ConditionalMovesEnding("over", "the match is over", match.version)
            progress = replace(progress, ending=ending)
        return progress

    async def _work(self, match: UUID) -> None:
        while match in self._changed_matches:
            self._changed_matches.discard(match)
            try:
                for plan in sorted(self._active_plans.get(match, ())):
                    await self._act_while_due(match, plan)
            except StoreError as error:
                await self._wait(match, error, RETRY_SECONDS)
            except ApiError as error:  # its frontend has had as many actions as it may
                await self._wait(match, error, error.retry_seconds or SCAN_SECONDS)

    async def _wait(self, match: UUID, why: Exception, seconds: float) -> None:
        log.warning("plan waits", match=str(match), why=str(why))
        await asyncio.sleep(seconds)
        self._changed_matches.add(match)

    async def _act_while_due(self, match: UUID, identity: UUID) -> None:
        """Take all actions by conditional moves that are due."""
        plan = (await self._plans.get(identity)).state
        acted = plan.ending is None
        while acted:
            acted, ending = await self._act(match, plan)
            if ending is not None:
                await self._end(plan, ending)
                acted = False
        plan = (await self._plans.get(identity)).state
        if plan.ending is not None and (known := self._active_plans.get(match)):
            known.discard(identity)
            if not known:
                del self._active_plans[match]

    async def _act(
        self, match: UUID, plan: ConditionalMoves
    ) -> tuple[bool, ConditionalMovesEnding | None]:
        """Take the next action by conditional moves, if it is due.

        Returns:
            Whether the action was taken, and whether the plan has ended.
        """

        async def decide(live: CachedMatch) -> Decision[tuple[bool, ConditionalMovesEnding | None]]:
            progress = await self.progress(plan, live)
            text = next_action(plan, progress, live.state)
            if progress.ending is not None or text is None:
                return None, (False, progress.ending)
            outcome = self._decide(live.state, plan.seat, text, progress.answers)
            if isinstance(outcome, Changeset):
                await self._quotas.count_action(live.state, plan.seat)
                return outcome, (True, None)
            why = f"{text}: {outcome.why}"
            return None, (False, ConditionalMovesEnding("refused", why, live.state.version))

        return await self._live.command(match, decide)

    def _decide(self, match: AnyMatch, seat: str, text: str, answers: int) -> Any:
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
