"""Actions that are submitted or previewed: judged by the match, recorded once, and answered."""

import asyncio
from typing import Any

import msgspec

from domain.kernel.any_game import foreseeable
from domain.kernel.rulings import Refused
from domain.log.ledger import Denied
from domain.log.origin import Source, Stamp
from domain.log.sealed_events import Sealed
from domain.match import (
    AnyMatch,
    Decided,
    Seeds,
    act,
    known,
    no_seeds,
    resign,
    understood,
    unrolled,
)
from projections.views.scenes import scene_change
from projections.views.transitions import transitions
from projections.views.viewer_events import see
from services.accounts.context import Call, played_seat, role_in
from services.accounts.quotas import Quotas
from services.accounts.tokens import Mint
from services.api.acceptances import Shown, fill_acceptance, is_full
from services.api.alternatives import nearest
from services.api.requests import check_expected, check_same, denied, uuid_of
from services.mapping import messages, scene_messages
from services.proof.receipts import ReceiptSigner
from services.runtime.errors import ApiError, Reason, malformed
from services.store.first_answers import decided_again, first_answer
from services.store.match_cache import Decision, LiveMatch, LiveMatches
from services.wire.emeth.v1 import actions_pb2
from services.wire.emeth.v1 import play_pb2 as pb


class Submissions:
    """Takes actions and resignations, each once for its request, and previews them."""

    def __init__(
        self, live: LiveMatches, mint: Mint, signer: ReceiptSigner, quotas: Quotas
    ) -> None:
        self._live = live
        self._quotas = quotas
        self._mint = mint
        self._signer = signer

    async def submit_action(
        self, call: Call, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """Record one action or resignation, once; or tell what it would do."""
        if request.validate_only:
            return await self._validate(call, request)
        answer = pb.SubmitActionResponse()
        identity = uuid_of(request.match_id)
        request_id = request.request_id.lower()
        full, changes = is_full(request.view), request.include_changes
        client = request.client
        expected = request.expected_version if request.HasField("expected_version") else None

        # Its annotation is quoted, since it would be worked out anew for each action.
        async def decide(live: LiveMatch) -> "Decision[None]":
            match = live.state
            role = role_in(match, call, request.seat)
            answer.Clear()  # it may have been decided before, from a version that was too old
            if (first := await first_answer(self._live, live, request_id)) is not None:
                # As it was then: the referee, say, is asked no more what it has answered.
                seat, _ = played_seat(first.before, role, request.seat)
                asked = _asked(first.before, seat, request)
                check_same(request.request_id, first.version, first.asked, asked)
                again = await decided_again(self._live, live, first)
                shown = Shown(seat, self._live.names, changes=changes, full=full)
                fill_acceptance(answer.accepted, first.before, again, shown)
                return None, None
            seat, stand_in = played_seat(match, role, request.seat)
            count = await self._quotas.counting(match)
            if expected is not None:
                await check_expected(self._live, live, match, expected, seat)
            stamp = self._mint.stamp(identity, request_id, Source(client, stand_in=stand_in))
            outcome = _judge(match, seat, request, stamp, self._mint.seeds(identity))
            if isinstance(outcome, Refused):
                _refuse(answer.refused, known(match, seat), seat, request, outcome)
                return None, None
            if (exceeded := count(seat)) is not None:
                raise exceeded
            shown = Shown(seat, self._live.names, changes=changes, full=full)
            fill_acceptance(answer.accepted, match, outcome, shown)
            return outcome, None

        await self._live.command(identity, decide)
        if answer.HasField("accepted"):
            # Only now, since what is signed must be on disk.
            receipt = answer.accepted.receipt
            await messages.sign(receipt, self._signer, grouped=request.group_receipt)
        return answer

    async def _validate(
        self, call: Call, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """Tell what an action would do, and record nothing."""
        match, seat = await self._as_known(call, request)
        if request.WhichOneof("input") == "resignation":
            raise malformed("validate_only", "a resignation is always possible")
        if request.HasField("expected_version"):
            live = await self._live.get(match.id)
            await check_expected(self._live, live, live.state, request.expected_version, seat)
        answer = pb.SubmitActionResponse()
        outcome = _foretold(match, seat, _read(match, request), self._stamp(match))
        if isinstance(outcome, Refused):
            _refuse(answer.refused, match, seat, request, outcome)
            return answer
        foreseen = _foreseen(match, outcome)
        shown = Shown(
            seat, self._live.names, changes=request.include_changes, full=is_full(request.view)
        )
        fill_acceptance(answer.accepted, match, foreseen, shown, recorded=False)
        if foreseen is not outcome:
            for name in ("position", "prompts", "result", "proposal"):
                answer.accepted.ClearField(name)
        return answer

    async def preview_order(
        self, call: Call, request: pb.PreviewOrderRequest
    ) -> pb.PreviewOrderResponse:
        """Forecast what each of some actions would do."""
        match, seat = await self._as_known(call, request)
        response = pb.PreviewOrderResponse(version=match.version)
        for text in request.notations:
            self._forecast(response.forecasts.add(), match, seat, text)
            await asyncio.sleep(0)  # a forecast may take milliseconds: others act in between
        return response

    def _forecast(self, forecast: pb.Forecast, match: AnyMatch, seat: str, text: str) -> None:
        forecast.notation = text
        outcome = _foretold(match, seat, understood(match, text), self._stamp(match))
        if isinstance(outcome, Refused):
            messages.fill_refusal(forecast.refusal, match, outcome)
            return
        foreseen = _foreseen(match, outcome)
        for step in transitions(match, foreseen, self._live.names):
            forecast.sentence = see(step, seat).sentence
            scene_messages.fill_changes(forecast.changes, scene_change(step, seat)[1])
        if foreseen is not outcome:
            forecast.stop = pb.FORECAST_STOP_REVEAL
        elif any(prompt.is_chance for prompt in foreseen.state.prompts):
            forecast.stop = pb.FORECAST_STOP_CHANCE

    async def _as_known(
        self, call: Call, request: pb.SubmitActionRequest | pb.PreviewOrderRequest
    ) -> tuple[AnyMatch, str]:
        """The match as the seat that is acted for may know it, and that seat."""
        match = (await self._live.get(uuid_of(request.match_id))).state
        seat, _ = played_seat(match, role_in(match, call, request.seat), request.seat)
        return known(match, seat), seat

    def _stamp(self, match: AnyMatch) -> Stamp:
        return self._mint.stamp(match.id, "")


def _foretold(match: AnyMatch, seat: str, action: Any, stamp: Stamp) -> Decided[AnyMatch] | Refused:
    """What an action would do. Chance is not foretold: it stops at what the service would roll."""
    return _acted(unrolled(match), seat, action, stamp, no_seeds)


def _acted(
    match: AnyMatch, seat: str, action: Any, stamp: Stamp, seeds: Seeds
) -> Decided[AnyMatch] | Refused:
    """What comes of an action that was read, or of why it could not be."""
    is_none = isinstance(action, Refused | Denied)
    outcome = action if is_none else act(match, seat, action, stamp, seeds)
    if isinstance(outcome, Denied):
        raise denied(outcome)
    return outcome


def _judge(
    match: AnyMatch, seat: str, request: pb.SubmitActionRequest, stamp: Stamp, seeds: Seeds
) -> Decided[AnyMatch] | Refused:
    """What comes of a request."""
    if request.WhichOneof("input") != "resignation":
        return _acted(match, seat, _read(match, request), stamp, seeds)
    outcome = resign(match, seat, stamp, seeds)
    if isinstance(outcome, Denied):
        raise denied(outcome)
    return outcome


def _refuse(
    message: actions_pb2.Refusal,
    match: AnyMatch,
    seat: str,
    request: pb.SubmitActionRequest,
    refused: Refused,
) -> None:
    """Answer an action that a rule forbids, with what the seat may do instead. The match is as the
    seat may know it."""
    tried = request.action or request.score_notation
    messages.fill_refusal(message, match, refused, nearest(match, seat, tried) if tried else ())


def _read(match: AnyMatch, request: pb.SubmitActionRequest) -> Any:
    """The action that a request means in this state; Refused or Denied if it means none."""
    game = match.rules
    match request.WhichOneof("input"):
        case "action":
            return understood(match, request.action)
        case "score_notation":
            if game.score is None:
                raise ApiError(
                    Reason.NO_SCORE_NOTATION, f"{game.name} has no score notation: use `action`"
                )
            return understood(match, request.score_notation, score_notation=True)
        case _:
            raise malformed("action", "say what to do, in `action` or in `score_notation`")


def _foreseen(match: AnyMatch, decided: Decided[AnyMatch]) -> Decided[AnyMatch]:
    """As much of an action as may be told before it is taken: up to what reveals something, be it
    by its absence."""
    (sealed,) = decided.events
    facts = getattr(sealed.event, "facts", ())
    first = foreseeable(match.rules, match.options, facts)
    if first is None:
        return decided
    rulings = [each for each in sealed.event.rulings if each.fact is not None]
    event = msgspec.structs.replace(
        sealed.event,
        facts=facts[:first],
        rulings=tuple(each for each in rulings if each.fact < first),
    )
    # Half of an action leads to no position: the match stands as it was.
    return Decided((Sealed(event, "", b""),), (match,))


def _asked(before: AnyMatch, seat: str, request: pb.SubmitActionRequest) -> list[Any]:
    """What a request asks for, in the words of `asked_for`."""
    if request.WhichOneof("input") != "resignation":
        return ["act", seat, _read(before, request)]
    game = before.rules
    return ["act", seat, game.resign(seat)] if game.resign else ["resign", seat]
