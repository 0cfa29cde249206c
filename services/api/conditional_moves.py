"""Conditional moves of seats, which only the seat itself can set, read and delete."""

from contextlib import suppress
from typing import Any

from domain.conditional_moves import (
    ConditionalMove,
    ConditionalMoves,
    cancel,
    conditional_moves_id,
    requested_command,
    set_conditional_moves,
)
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Refused
from domain.match import AnyMatch
from services.accounts.context import RequestContext
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.api.requests import (
    check_same,
    check_version,
    raise_if_denied,
)
from services.api.seat_conditional_moves import SeatPlans, holder_key
from services.runtime.errors import ApiError, Reason, field_invalid
from services.scheduler.conditional_moves import ConditionalMoveRunner
from services.store.aggregate_cache import Decision
from services.store.conditional_moves_cache import CachedConditionalMoves, ConditionalMovesCache
from services.store.errors import VersionConflict
from services.wire.emeth.v1 import conditional_moves_pb2 as pb


class ConditionalMovesHandlers:
    """Handlers of the rpcs of PlayService about conditional moves."""

    def __init__(
        self,
        seats: SeatPlans,
        plans: ConditionalMovesCache,
        runner: ConditionalMoveRunner,
        quotas: Quotas,
        token_issuer: TokenIssuer,
    ) -> None:
        self._seats = seats
        self._quotas = quotas
        self._plans = plans
        self._runner = runner
        self._token_issuer = token_issuer

    async def set_conditional_moves(
        self, call: RequestContext, request: pb.SetConditionalMovesRequest
    ) -> pb.SetConditionalMovesResponse:
        """Set the conditional moves of a seat, once."""
        request_id = request.request_id.lower()
        live, seat = await self._seats.seat(call, request)
        match, holder = live.state, holder_key(live.state, seat)
        nodes = _nodes(match, seat, request)
        identity = conditional_moves_id(match.id, seat)
        command_context = self._token_issuer.command_context(
            identity, self._token_issuer.request_key(request_id)
        )
        asked = ["set", holder, nodes]
        left = (match.id, seat, holder, match.version, nodes, command_context)

        async def check() -> None:
            if match.result is not None:
                raise ApiError(Reason.MATCH_OVER, f"the match is over: {match.result.score}")
            if request.HasField("expected_version"):
                check_version(match, request.expected_version)
            await self._quotas.count_action(match, seat)

        if await self._plans.find(identity) is None:
            await check()
            with suppress(VersionConflict):  # a concurrent duplicate of the request
                await self._plans.create(set_conditional_moves(None, *left))

        async def decide(
            held: CachedConditionalMoves,
        ) -> Decision[ConditionalMoves, ConditionalMoves]:
            if await self._is_recorded(held, request_id, asked):
                return None, held.state
            await check()
            changeset = set_conditional_moves(held.state, *left)
            return changeset, changeset.state

        plan = await self._plans.command(identity, decide)
        self._runner.add(plan)
        return pb.SetConditionalMovesResponse(
            conditional_moves=await self._seats.message(plan, live)
        )

    async def get_conditional_moves(
        self, call: RequestContext, request: pb.GetConditionalMovesRequest
    ) -> pb.GetConditionalMovesResponse:
        """Return the conditional moves of a seat."""
        return pb.GetConditionalMovesResponse(
            conditional_moves=await self._seats.get(call, request)
        )

    async def delete_conditional_moves(
        self, call: RequestContext, request: pb.DeleteConditionalMovesRequest
    ) -> pb.DeleteConditionalMovesResponse:
        """Delete the conditional moves of a seat, once."""
        request_id = request.request_id.lower()
        live, seat = await self._seats.seat(call, request)
        identity = conditional_moves_id(live.state.id, seat)
        command_context = self._token_issuer.command_context(
            identity, self._token_issuer.request_key(request_id)
        )
        if await self._seats.find(live, seat) is None:
            raise ApiError(Reason.NO_CONDITIONAL_MOVES)

        async def decide(
            held: CachedConditionalMoves,
        ) -> Decision[ConditionalMoves, ConditionalMoves]:
            if await self._is_recorded(held, request_id, ["cancel"]):
                return None, held.state
            changeset = raise_if_denied(cancel(held.state, command_context))
            return changeset, changeset.state

        plan = await self._plans.command(identity, decide)
        return pb.DeleteConditionalMovesResponse(
            conditional_moves=await self._seats.message(plan, live)
        )

    async def _is_recorded(
        self, held: CachedConditionalMoves, request_id: str, asked: list[Any]
    ) -> bool:
        first = held.version_of_request(*self._token_issuer.request_names(request_id))
        if first is None:
            return False
        event = (await self._plans.event_at(held, first)).event
        check_same(request_id, first, requested_command(event), asked)
        return True


def _nodes(
    match: AnyMatch, seat: str, request: pb.SetConditionalMovesRequest
) -> tuple[ConditionalMove, ...]:
    """Parse conditional moves, with actions in canonical notation.

    Raises:
        ApiError: FIELD_INVALID for moves that are not valid.
    """
    given = request.moves
    parents = {node.parent for node in given}
    found = []
    for number, node in enumerate(given, 1):
        field = f"moves[{number - 1}]"
        if node.parent >= number:
            raise field_invalid(
                f"{field}.parent", f"it must be the number of an earlier entry, 0 to {number - 1}"
            )
        if node.trigger_seat and (
            node.trigger_seat == seat or node.trigger_seat not in match.seats
        ):
            others = ", ".join(each for each in match.seats if each != seat)
            raise field_invalid(
                f"{field}.trigger_seat",
                f"it must be one of the other seats, {others}, or empty for any",
            )
        if not node.responses and number not in parents:
            raise field_invalid(
                f"{field}.responses",
                "it is empty: give a response, or an entry that follows this one",
            )
        replies = tuple(
            _action(match.rules, f"{field}.responses[{n}]", text)
            for n, text in enumerate(node.responses)
        )
        on = (
            _action(match.rules, f"{field}.trigger_action", node.trigger_action)
            if node.trigger_action
            else ""
        )
        found.append(ConditionalMove(node.parent, node.trigger_seat, on, replies))
    return tuple(found)


def _action(game: AnyGame, field: str, text: str) -> str:
    action = game.read_action(text)
    if isinstance(action, Refused):
        raise field_invalid(field, action.why)
    return game.write_action(action)
