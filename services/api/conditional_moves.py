"""Conditional moves of seats: set, read and deleted by the seat alone."""

from contextlib import suppress
from typing import Any

from domain.conditional_moves import LeftPlan, PlanNode, asked_for, cancel, plan_id, set_plan
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Refused
from domain.match import AnyMatch
from services.accounts.context import Call
from services.accounts.quotas import Quotas
from services.accounts.tokens import Mint
from services.api.requests import (
    check_same,
    check_version,
    not_denied,
)
from services.api.seat_conditional_moves import SeatMoves, holder_of
from services.runtime.errors import ApiError, Reason, malformed
from services.scheduler.conditional_moves import PlannedActions
from services.store.aggregate_cache import Decision
from services.store.conditional_moves_cache import LivePlan, LivePlans
from services.store.errors import VersionConflict
from services.wire.emeth.v1 import conditional_moves_pb2 as pb


class ConditionalMovesCalls:
    """The rpcs of PlayService about conditional moves."""

    def __init__(
        self,
        seats: SeatMoves,
        plans: LivePlans,
        planned: PlannedActions,
        quotas: Quotas,
        mint: Mint,
    ) -> None:
        self._seats = seats
        self._quotas = quotas
        self._plans = plans
        self._planned = planned
        self._mint = mint

    async def set_conditional_moves(
        self, call: Call, request: pb.SetConditionalMovesRequest
    ) -> pb.SetConditionalMovesResponse:
        """Set the conditional moves of a seat, once."""
        request_id = request.request_id.lower()
        live, seat = await self._seats.seat(call, request)
        match, holder = live.state, holder_of(live.state, seat)
        nodes = _nodes(match, seat, request)
        identity = plan_id(match.id, seat)
        stamp = self._mint.stamp(identity, self._mint.request_key(request_id))
        asked = ["set", holder, nodes]
        left = (match.id, seat, holder, match.version, nodes, stamp)

        async def check() -> None:
            if match.result is not None:
                raise ApiError(Reason.MATCH_OVER, f"the match is over: {match.result.score}")
            if request.HasField("expected_version"):
                check_version(match, request.expected_version)
            await self._quotas.acting(match, seat)

        if await self._plans.find(identity) is None:
            await check()
            with suppress(VersionConflict):  # the same request, sent twice at once
                await self._plans.create(set_plan(None, *left))

        async def decide(held: LivePlan) -> Decision[LeftPlan, LeftPlan]:
            if await self._came_before(held, request_id, asked):
                return None, held.state
            await check()
            decided = set_plan(held.state, *left)
            return decided, decided.state

        plan = await self._plans.command(identity, decide)
        self._planned.left(plan)
        return pb.SetConditionalMovesResponse(
            conditional_moves=await self._seats.message(plan, live)
        )

    async def get_conditional_moves(
        self, call: Call, request: pb.GetConditionalMovesRequest
    ) -> pb.GetConditionalMovesResponse:
        """Return the conditional moves of a seat."""
        return pb.GetConditionalMovesResponse(
            conditional_moves=await self._seats.present(call, request)
        )

    async def delete_conditional_moves(
        self, call: Call, request: pb.DeleteConditionalMovesRequest
    ) -> pb.DeleteConditionalMovesResponse:
        """Delete the conditional moves of a seat, once."""
        request_id = request.request_id.lower()
        live, seat = await self._seats.seat(call, request)
        identity = plan_id(live.state.id, seat)
        stamp = self._mint.stamp(identity, self._mint.request_key(request_id))
        if await self._seats.own(live, seat) is None:
            raise ApiError(Reason.NO_CONDITIONAL_MOVES)

        async def decide(held: LivePlan) -> Decision[LeftPlan, LeftPlan]:
            if await self._came_before(held, request_id, ["cancel"]):
                return None, held.state
            decided = not_denied(cancel(held.state, stamp))
            return decided, decided.state

        plan = await self._plans.command(identity, decide)
        return pb.DeleteConditionalMovesResponse(
            conditional_moves=await self._seats.message(plan, live)
        )

    async def _came_before(self, held: LivePlan, request_id: str, asked: list[Any]) -> bool:
        first = held.made_by(*self._mint.request_names(request_id))
        if first is None:
            return False
        event = (await self._plans.event_at(held, first)).event
        check_same(request_id, first, asked_for(event), asked)
        return True


def _nodes(
    match: AnyMatch, seat: str, request: pb.SetConditionalMovesRequest
) -> tuple[PlanNode, ...]:
    """The nodes of a plan, in the notation that positions are compared in. FIELD_INVALID for what
    is no plan."""
    given = request.moves
    parents = {node.parent for node in given}
    found = []
    for number, node in enumerate(given, 1):
        field = f"moves[{number - 1}]"
        if node.parent >= number:
            raise malformed(f"{field}.parent", f"it is an entry before this one, 0 to {number - 1}")
        if node.trigger_seat and (
            node.trigger_seat == seat or node.trigger_seat not in match.seats
        ):
            others = ", ".join(each for each in match.seats if each != seat)
            raise malformed(
                f"{field}.trigger_seat", f"it is another seat, of {others}, or empty for any"
            )
        if not node.responses and number not in parents:
            raise malformed(f"{field}.responses", "say what to do then, or what comes next")
        replies = tuple(
            _action(match.rules, f"{field}.responses[{n}]", text)
            for n, text in enumerate(node.responses)
        )
        on = (
            _action(match.rules, f"{field}.trigger_action", node.trigger_action)
            if node.trigger_action
            else ""
        )
        found.append(PlanNode(node.parent, node.trigger_seat, on, replies))
    return tuple(found)


def _action(game: AnyGame, field: str, text: str) -> str:
    action = game.read_action(text)
    if isinstance(action, Refused):
        raise malformed(field, action.why)
    return game.write_action(action)
