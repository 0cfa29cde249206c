"""Conditional moves as their own seat sees them. No other seat sees them."""

from contextlib import AbstractContextManager
from typing import Final
from uuid import UUID

from domain.conditional_moves import ConditionalMoves, conditional_moves_id, forecast_moves
from domain.match import AnyMatch, visible_match
from services.accounts.context import RequestContext, require_role
from services.api.requests import parse_uuid
from services.runtime.errors import ApiError, Reason
from services.runtime.signals import Signal
from services.runtime.thread_switching import run_cpu_bound
from services.scheduler.conditional_moves import ConditionalMoveRunner
from services.store.conditional_moves_cache import ConditionalMovesCache
from services.store.match_cache import CachedMatch, MatchCache
from services.wire.emeth.v1 import conditional_moves_pb2 as pb
from services.wire.emeth.v1.subscriptions_pb2 import SeatConditionalMoves

STATES: Final = {
    "done": pb.CONDITIONAL_MOVES_STATE_DONE,
    "cancelled": pb.CONDITIONAL_MOVES_STATE_DELETED,
}
ConditionalMovesRequest = (
    pb.SetConditionalMovesRequest | pb.GetConditionalMovesRequest | pb.DeleteConditionalMovesRequest
)


class SeatPlans:
    """Reads and watches conditional moves for their seats."""

    def __init__(
        self, live: MatchCache, plans: ConditionalMovesCache, runner: ConditionalMoveRunner
    ) -> None:
        self._live = live
        self._plans = plans
        self._runner = runner

    def watching(self, match: UUID, seat: str, woken: Signal) -> AbstractContextManager[Signal]:
        """Set the signal whenever the conditional moves of a seat may have changed."""
        return self._plans.watchers.watching(conditional_moves_id(match, seat), woken)

    async def seat(
        self, call: RequestContext, request: ConditionalMovesRequest
    ) -> tuple[CachedMatch, str]:
        """Return the match and the caller's own seat. Raise ROLE_NOT_ALLOWED for other callers."""
        live = await self._live.get(parse_uuid(request.match_id))
        match, wanted = live.state, request.seat
        role = require_role(match, call, wanted)
        if wanted and wanted not in match.seats:
            raise ApiError(
                Reason.SEAT_INVALID,
                f"{wanted[:40]!r} is not a seat of the match; its seats are"
                f" {', '.join(match.seats)}",
            )
        if role not in match.seats or wanted not in ("", role):
            why = "conditional moves are private to a seat: use the token of that seat"
            raise ApiError(Reason.ROLE_NOT_ALLOWED, why, role=role)
        return live, role

    async def get(
        self, call: RequestContext, request: ConditionalMovesRequest
    ) -> pb.ConditionalMoves | None:
        """Return the conditional moves of the caller's seat, or None if it has none."""
        live, seat = await self.seat(call, request)
        plan = await self.find(live, seat)
        return None if plan is None else await self.message(plan, live)

    async def find(self, live: CachedMatch, seat: str) -> ConditionalMoves | None:
        """Return the conditional moves of the seat's present holder, or None."""
        held = await self._plans.find(conditional_moves_id(live.state.id, seat))
        if held is None or held.state.holder != holder_key(live.state, seat):
            return None
        return held.state

    async def message(self, plan: ConditionalMoves, live: CachedMatch) -> pb.ConditionalMoves:
        """Return conditional moves as a message, with sentences for the actions."""
        ending = plan.ending
        message = pb.ConditionalMoves(
            version=plan.version,
            seat=plan.seat,
            moves=[
                pb.ConditionalMove(
                    parent=n.parent, trigger_seat=n.by, trigger_action=n.on, responses=n.replies
                )
                for n in plan.nodes
            ],
            since_version=plan.since,
            state=pb.CONDITIONAL_MOVES_STATE_WAITING,
        )
        if ending is not None:
            message.state = STATES.get(ending.reason, pb.CONDITIONAL_MOVES_STATE_DROPPED)
            message.end_reason, message.end_version = ending.why, ending.at_version
        else:
            standing = await self._runner.progress(plan, live)
            message.awaiting.extend(standing.awaiting)
            message.next_responses.extend(standing.replies)
            match = visible_match(live.state, plan.seat)
            forecast = await run_cpu_bound(forecast_moves, plan, standing, match)
            message.next_response_sentences.extend(forecast.replies)
            for number, node in forecast.nodes.items():
                message.moves[number - 1].trigger_sentence = node.on
                message.moves[number - 1].response_sentences.extend(node.replies)
        return message


class SeatPlanWatch:
    """Changes of the conditional moves of a seat, for one watcher."""

    def __init__(
        self, plans: SeatPlans, call: RequestContext, request: ConditionalMovesRequest
    ) -> None:
        self._plans = plans
        self._call = call
        self._request = request
        self._last_shown: SeatConditionalMoves | None = None

    async def next_change(self) -> SeatConditionalMoves | None:
        """Return the conditional moves if they changed since the last call, else None."""
        found = SeatConditionalMoves(
            conditional_moves=await self._plans.get(self._call, self._request)
        )
        if found == self._last_shown:
            return None
        self._last_shown = found
        return found


def holder_key(match: AnyMatch, seat: str) -> str:
    """Return a key that identifies the present holder of a seat."""
    holder = match.holders.get(seat)
    return holder.claim if holder else match.invitations.get(seat, "")
