"""Submission and preview of actions."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from domain.kernel.any_game import previewable_fact_count
from domain.kernel.forecasts import complete_forecast
from domain.kernel.hints import Forecast
from domain.kernel.orders import find_action
from domain.kernel.rulings import Refused
from domain.kernel.scene import Scene
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext, Origin
from domain.log.sealed_events import SealedEvent
from domain.match import (
    AnyMatch,
    Changeset,
    SeedSource,
    act,
    no_seeds,
    parse_match_action,
    resign,
    visible_match,
    without_draws_and_clocks,
)
from projections.views.scenes import scene_change
from projections.views.transitions import transitions
from projections.views.viewer_events import render_event
from services.accounts.context import RequestContext, require_role, seat_and_substitute
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.api.acceptances import AcceptanceView, fill_acceptance, is_full_view
from services.api.legal_actions import LegalActions
from services.api.requests import check_expected, check_same, denial_error, parse_uuid
from services.api.similar_actions import similar_legal_actions
from services.mapping import messages
from services.proof.receipts import ReceiptSigner
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.recorded_requests import find_recorded_request, replay_decision
from services.wire.emeth.v1 import actions_pb2
from services.wire.emeth.v1 import play_pb2 as pb

MAX_PREVIEWED_ACTIONS: Final = 128
"""Maximum number of actions of an order that are previewed."""


class Submissions:
    """Records actions and resignations, each request once, and previews them."""

    def __init__(
        self,
        live: MatchCache,
        actions: LegalActions,
        token_issuer: TokenIssuer,
        signer: ReceiptSigner,
        quotas: Quotas,
    ) -> None:
        self._live = live
        self._actions = actions
        self._quotas = quotas
        self._token_issuer = token_issuer
        self._signer = signer

    async def submit_action(
        self, call: RequestContext, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """Record one action or resignation, or only validate it."""
        if request.validate_only:
            return await self._validate(call, request)
        answer = pb.SubmitActionResponse()
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        full, changes = is_full_view(request.view), request.include_changes
        client = request.client
        expected = request.expected_version if request.HasField("expected_version") else None

        # The annotation is quoted, since it would be evaluated for each action.
        async def decide(live: CachedMatch) -> "Decision[None]":
            match = live.state
            role = require_role(match, call, request.seat)
            answer.Clear()  # an earlier attempt, on an old version, may have filled it in
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                # The role is checked in the earlier state, in which the seat was prompted.
                seat, _ = seat_and_substitute(first.before, role, request.seat)
                asked = _recorded_request(first.before, seat, request)
                check_same(request.request_id, first.version, first.command, asked)
                again = await replay_decision(self._live, live, first)
                shown = AcceptanceView(seat, self._live.names, changes=changes, full=full)
                fill_acceptance(answer.accepted, first.before, again, shown)
                return None, None
            seat, stand_in = seat_and_substitute(match, role, request.seat)
            count = await self._quotas.action_counter(match)
            if expected is not None:
                await check_expected(self._live, live, match, expected, seat)
            command_context = self._token_issuer.command_context(
                identity, request_id, Origin(client, stand_in=stand_in)
            )
            outcome = _judge(
                match, seat, request, command_context, self._token_issuer.seeds(identity)
            )
            if isinstance(outcome, Refused):
                _fill_refusal(answer.refused, visible_match(match, seat), seat, request, outcome)
                return None, None
            if (exceeded := count(seat)) is not None:
                raise exceeded
            shown = AcceptanceView(seat, self._live.names, changes=changes, full=full)
            fill_acceptance(answer.accepted, match, outcome, shown)
            return outcome, None

        await self._live.command(identity, decide)
        if answer.HasField("accepted"):
            # Signed only now, since the event must be on disk.
            receipt = answer.accepted.receipt
            await messages.sign(receipt, self._signer, grouped=request.group_receipt)
        return answer

    async def _validate(
        self, call: RequestContext, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """Return the outcome of an action without recording it."""
        match, seat = await self._visible_match(call, request)
        if request.WhichOneof("input") == "resignation":
            raise field_invalid(
                "validate_only", "it is not allowed with a resignation, which is always possible"
            )
        if request.HasField("expected_version"):
            live = await self._live.get(match.id)
            await check_expected(self._live, live, live.state, request.expected_version, seat)
        answer = pb.SubmitActionResponse()
        outcome = _preview(
            match, seat, _parse_action(match, seat, request), self._command_context(match)
        )
        if isinstance(outcome, Refused):
            _fill_refusal(answer.refused, match, seat, request, outcome)
            return answer
        foreseen = _without_chance(match, outcome)
        shown = AcceptanceView(
            seat, self._live.names, changes=request.include_changes, full=is_full_view(request.view)
        )
        fill_acceptance(answer.accepted, match, foreseen, shown, recorded=False)
        if foreseen is not outcome:
            for name in ("position", "prompts", "result", "proposal"):
                answer.accepted.ClearField(name)
        return answer

    async def preview_order(
        self, call: RequestContext, request: pb.PreviewOrderRequest
    ) -> pb.PreviewOrderResponse:
        """Return a forecast of several actions."""
        match, seat = await self._visible_match(call, request)
        response = pb.PreviewOrderResponse(version=match.version)
        game, position = match.rules, match.position
        before = game.scene(position, seat)
        if request.notations:
            for text in request.notations:
                action = parse_match_action(match, text)
                self._forecast(response.forecasts.add(notation=text), match, seat, action, before)
                await asyncio.sleep(0)  # a forecast takes milliseconds; other calls run in between
            return response
        for action in await self._order_actions(match, seat, request):
            text = game.write_action(action)
            self._forecast(response.forecasts.add(notation=text), match, seat, action, before)
            await asyncio.sleep(0)
        if request.actor and match.result is None:
            aim = game.aim(position, seat, request.actor, request.line or request.verb)
            messages.fill_aim(response, match, aim)
        return response

    async def _order_actions(
        self, match: AnyMatch, seat: str, request: pb.PreviewOrderRequest
    ) -> list[Any]:
        """Return the first actions of the orders that a request names."""
        if not (request.actor or request.line or request.verb):
            raise field_invalid("notations", "name the actions, or an order by actor, line or verb")
        orders = await self._actions.orders(match, seat)
        found = (
            each.action
            for order in orders
            if order.actor == request.actor
            and request.line in ("", order.line)
            and request.verb in ("", order.verb)
            for each in order.actions
        )
        return [*islice(found, MAX_PREVIEWED_ACTIONS)]

    def _forecast(
        self, message: pb.Forecast, match: AnyMatch, seat: str, action: Any, before: Scene
    ) -> None:
        """Fill in the forecast of a parsed action, which may be illegal.

        Args:
            message: The forecast to fill in.
            match: The match as the seat knows it.
            seat: The acting seat.
            action: The action, or the refusal to read it.
            before: The seat's scene.
        """
        outcome = _preview(match, seat, action, self._command_context(match))
        if isinstance(outcome, Refused):
            messages.fill_refusal(message.refusal, match, outcome)
            return
        foreseen = _without_chance(match, outcome)
        (step,) = transitions(match, foreseen, self._live.names)
        seen = render_event(step, seat)
        is_whole = foreseen is outcome
        has_chance = any(prompt.is_chance for prompt in foreseen.state.prompts)
        found = Forecast(
            sentence=seen.sentence,
            changes=scene_change(step, seat)[1],
            stop="reveal" if not is_whole else "dice" if has_chance else "",
        )
        sentences = [fact.sentence for fact in seen.facts]
        forecast = complete_forecast(
            match.rules, match.position, seat, action, found, sentences, before
        )
        messages.fill_forecast(message, forecast)

    async def _visible_match(
        self, call: RequestContext, request: pb.SubmitActionRequest | pb.PreviewOrderRequest
    ) -> tuple[AnyMatch, str]:
        """Return the match as the acting seat knows it, and that seat."""
        match = (await self._live.get(parse_uuid(request.match_id))).state
        seat, _ = seat_and_substitute(match, require_role(match, call, request.seat), request.seat)
        return visible_match(match, seat), seat

    def _command_context(self, match: AnyMatch) -> CommandContext:
        return self._token_issuer.command_context(match.id, "")


def _preview(
    match: AnyMatch, seat: str, action: Any, command_context: CommandContext
) -> Changeset[AnyMatch] | Refused:
    """Return the outcome of an action up to its first chance event."""
    return _act(without_draws_and_clocks(match), seat, action, command_context, no_seeds)


def _act(
    match: AnyMatch, seat: str, action: Any, command_context: CommandContext, seeds: SeedSource
) -> Changeset[AnyMatch] | Refused:
    """Return the outcome of a parsed action, or why it could not be parsed."""
    is_none = isinstance(action, Refused | Rejection)
    outcome = action if is_none else act(match, seat, action, command_context, seeds)
    if isinstance(outcome, Rejection):
        raise denial_error(outcome)
    return outcome


def _judge(
    match: AnyMatch,
    seat: str,
    request: pb.SubmitActionRequest,
    command_context: CommandContext,
    seeds: SeedSource,
) -> Changeset[AnyMatch] | Refused:
    """Return the outcome of a request."""
    if request.WhichOneof("input") != "resignation":
        return _act(match, seat, _parse_action(match, seat, request), command_context, seeds)
    outcome = resign(match, seat, command_context, seeds)
    if isinstance(outcome, Rejection):
        raise denial_error(outcome)
    return outcome


def _fill_refusal(
    message: actions_pb2.Refusal,
    match: AnyMatch,
    seat: str,
    request: pb.SubmitActionRequest,
    refused: Refused,
) -> None:
    """Fill in the refusal of an illegal action, with similar legal ones.

    The match must be reduced to what the seat may know.
    """
    tried = request.action or request.score_notation
    messages.fill_refusal(
        message, match, refused, similar_legal_actions(match, seat, tried) if tried else ()
    )


def _parse_action(match: AnyMatch, seat: str, request: pb.SubmitActionRequest) -> Any:
    """Parse the action of a request; Refused or Denied if it is not valid."""
    game = match.rules
    match request.WhichOneof("input"):
        case "action":
            action = parse_match_action(match, request.action)
            return _with_amounts(match, seat, action, request.amounts)
        case "score_notation":
            if game.score is None:
                raise ApiError(
                    Reason.NO_SCORE_NOTATION, f"{game.name} has no score notation: use `action`"
                )
            return parse_match_action(match, request.score_notation, score_notation=True)
        case _:
            raise field_invalid(
                "action", "it is empty: give an action in `action` or in `score_notation`"
            )


def _with_amounts(match: AnyMatch, seat: str, action: Any, amounts: Sequence[int]) -> Any:
    """Return the action with the amounts of a request, if it gives any.

    Raises:
        ApiError: FIELD_INVALID if no legal action has these amounts.
    """
    if not amounts or isinstance(action, Refused | Rejection):
        return action
    known = visible_match(match, seat)
    found = find_action(match.rules, known.position, seat, action, amounts)
    if found is None:
        raise field_invalid("amounts", "no legal action has these amounts: see ListActions")
    return found


def _without_chance(match: AnyMatch, changeset: Changeset[AnyMatch]) -> Changeset[AnyMatch]:
    """Return an outcome up to the first event that reveals something hidden."""
    (sealed,) = changeset.events
    facts = getattr(sealed.event, "facts", ())
    first = previewable_fact_count(match.rules, match.options, facts)
    if first is None:
        return changeset
    rulings = [each for each in sealed.event.rulings if each.fact is not None]
    event = msgspec.structs.replace(
        sealed.event,
        facts=facts[:first],
        rulings=tuple(each for each in rulings if each.fact < first),
    )
    # Half of an action leads to no position: the match stands as it was.
    return Changeset((SealedEvent(event, "", b""),), (match,))


def _recorded_request(before: AnyMatch, seat: str, request: pb.SubmitActionRequest) -> list[Any]:
    """Return what a request asks for, in the form of `asked_for`."""
    if request.WhichOneof("input") != "resignation":
        return ["act", seat, _parse_action(before, seat, request)]
    game = before.rules
    return ["act", seat, game.resign(seat)] if game.resign else ["resign", seat]
