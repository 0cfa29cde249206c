"""Actions that are submitted or tried: judged by the match, recorded once, and answered."""

from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from domain.kernel.any_game import foreseeable
from domain.kernel.rulings import Refused
from domain.log.ledger import Denied
from domain.log.sealed_events import Sealed
from domain.log.stamps import Source, Stamp
from domain.match import (
    AnyMatch,
    Decided,
    Seeds,
    act,
    answer_draw,
    known,
    no_seeds,
    offer_draw,
    resign,
    understood,
    unrolled,
)
from projections.following.schema import Names
from projections.scenes import scene_change
from projections.transitions import transitions
from projections.visible_events import see
from services import messages, scene_messages
from services.accounts.quotas import Quotas
from services.api.alternatives import nearest
from services.api.requests import (
    LONGEST_ACTION,
    check_expected,
    check_same,
    denied,
    identifier,
    short_text,
    written_identifier,
)
from services.callers import Call, played_seat, role_in
from services.errors import ApiError, Reason, malformed
from services.proof.receipts import ReceiptSigner
from services.store.first_answers import decided_again, first_answer
from services.store.live_matches import Decision, LiveMatch, LiveMatches
from services.tokens import Mint
from services.wire.emeth.v1 import actions_pb2
from services.wire.emeth.v1 import play_pb2 as pb

LONGEST_CLIENT: Final = 80
VIEWS: Final = frozenset(pb.AnswerView.values())

Submission = pb.SubmitActionRequest | pb.ResignRequest | pb.OfferDrawRequest | pb.AnswerDrawRequest
Request = Submission | pb.PreviewActionRequest
Answer = TypeVar(
    "Answer",
    pb.SubmitActionResponse,
    pb.ResignResponse,
    pb.OfferDrawResponse,
    pb.AnswerDrawResponse,
)


class Submissions:
    """Takes actions, resignations and draws, each once for its request."""

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
        """Take one action, once."""
        return await self._take(call, request, pb.SubmitActionResponse())

    async def resign(self, call: Call, request: pb.ResignRequest) -> pb.ResignResponse:
        """Give the match up."""
        return await self._take(call, request, pb.ResignResponse())

    async def offer_draw(self, call: Call, request: pb.OfferDrawRequest) -> pb.OfferDrawResponse:
        """Offer to end the match without a winner."""
        return await self._take(call, request, pb.OfferDrawResponse())

    async def answer_draw(self, call: Call, request: pb.AnswerDrawRequest) -> pb.AnswerDrawResponse:
        """Accept or decline the draw that is offered."""
        return await self._take(call, request, pb.AnswerDrawResponse())

    async def preview_action(
        self, call: Call, request: pb.PreviewActionRequest
    ) -> pb.PreviewActionResponse:
        """What an action would do."""
        identity = identifier("match_id", request.match_id)
        match = (await self._live.get(identity)).state
        seat, _ = played_seat(match, role_in(match, call, request.seat), request.seat)
        match = known(match, seat)
        stamp = self._mint.stamp(identity, "")
        # Chance is not foretold: a preview stops at what the service would roll.
        outcome = _judge(unrolled(match), seat, request, stamp, no_seeds)
        answer = pb.PreviewActionResponse()
        if isinstance(outcome, Refused):
            _refuse(answer.refused, match, seat, request, outcome)
            return answer
        foreseen = _foreseen(match, outcome)
        shown = _Shown(seat, self._live.names, changes=request.changes)
        _fill(answer.accepted, match, foreseen, shown, recorded=False)
        if foreseen is not outcome:
            for name in ("position", "prompts", "result"):
                answer.accepted.ClearField(name)
        return answer

    async def _take(self, call: Call, request: Submission, answer: Answer) -> Answer:
        identity = identifier("match_id", request.match_id)
        request_id = written_identifier("request_id", request.request_id)
        client, expected = "", None
        if request.view not in VIEWS:
            raise malformed("view", "it is one of AnswerView")
        full = request.view != pb.ANSWER_VIEW_BASIC
        changes = isinstance(request, pb.SubmitActionRequest) and request.changes
        if isinstance(request, pb.SubmitActionRequest | pb.ResignRequest):
            client = short_text("client", request.client, LONGEST_CLIENT)
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
                shown = _Shown(seat, self._live.names, changes=changes, full=full)
                _fill(answer.accepted, first.before, again, shown)
                return None, None
            seat, stand_in = played_seat(match, role, request.seat)
            await self._quotas.acting(match)
            if expected is not None:
                await check_expected(self._live, live, match, expected, seat)
            stamp = self._mint.stamp(identity, request_id, Source(client, stand_in=stand_in))
            outcome = _judge(match, seat, request, stamp, self._mint.seeds(identity))
            if isinstance(outcome, Refused):
                _refuse(answer.refused, known(match, seat), seat, request, outcome)
                return None, None
            if isinstance(request, pb.OfferDrawRequest):
                self._quotas.bounds.ask(identity, seat)
            shown = _Shown(seat, self._live.names, changes=changes, full=full)
            _fill(answer.accepted, match, outcome, shown)
            return outcome, None

        await self._live.command(identity, decide)
        if answer.HasField("accepted"):
            # Only now, since what is signed must be on disk.
            receipt = answer.accepted.receipt
            await messages.sign(receipt, self._signer, grouped=request.group_receipt)
        return answer


def _refuse(
    message: actions_pb2.Refusal, match: AnyMatch, seat: str, request: Request, refused: Refused
) -> None:
    """Answer an action that a rule forbids, with what the seat may do instead. The match is as the
    seat may know it."""
    if not isinstance(request, pb.SubmitActionRequest | pb.PreviewActionRequest):
        messages.fill_refusal(message, match, refused)
        return
    score_notation = request.WhichOneof("what") == "score_notation"
    tried = request.score_notation if score_notation else request.action
    messages.fill_refusal(message, match, refused, nearest(match, seat, tried))


def _judge(
    match: AnyMatch, seat: str, request: Request, stamp: Stamp, seeds: Seeds
) -> Decided[AnyMatch] | Refused:
    """What comes of a request."""
    match request:
        case pb.ResignRequest():
            outcome = resign(match, seat, stamp, seeds)
        case pb.OfferDrawRequest():
            outcome = offer_draw(match, seat, stamp, seeds)
        case pb.AnswerDrawRequest():
            outcome = answer_draw(match, seat, request.accepted, stamp, seeds)
        case _:
            action = _read(match, request)
            is_none = isinstance(action, Refused | Denied)
            outcome = action if is_none else act(match, seat, action, stamp, seeds)
    if isinstance(outcome, Denied):
        raise denied(outcome)
    return outcome


def _read(match: AnyMatch, request: pb.SubmitActionRequest | pb.PreviewActionRequest) -> Any:
    """The action that a request means in this state; Refused or Denied if it means none."""
    game = match.rules
    match request.WhichOneof("what"):
        case "action":
            return understood(match, short_text("action", request.action, LONGEST_ACTION, 1))
        case "score_notation":
            if game.score is None:
                raise ApiError(
                    Reason.NO_SCORE_NOTATION, f"{game.name} has no score notation: use `action`"
                )
            text = short_text("score_notation", request.score_notation, LONGEST_ACTION, 1)
            return understood(match, text, score_notation=True)
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


def _asked(before: AnyMatch, seat: str, request: Request) -> list[Any]:
    """What a request asks for, in the words of `asked_for`."""
    game = before.rules
    match request:
        case pb.ResignRequest():
            return ["act", seat, game.resign(seat)] if game.resign else ["resign", seat]
        case pb.OfferDrawRequest():
            return ["act", seat, game.draws.offer(seat)] if game.draws else ["offer-draw", seat]
        case pb.AnswerDrawRequest(accepted=yes):
            if game.draws:
                return ["act", seat, game.draws.answer(seat, yes)]
            return ["answer-draw", seat, yes]
        case _:
            return ["act", seat, _read(before, request)]


class _Shown(NamedTuple):
    """To whom an answer is shown, and how much of it."""

    seat: str
    names: Names
    changes: bool = False
    """With the changes of the seat's scene."""
    full: bool = True
    """All that followed, and not only that it did."""


def _fill(
    accepted: pb.Acceptance,
    before: AnyMatch,
    decided: Decided[AnyMatch],
    shown: _Shown,
    *,
    recorded: bool = True,
) -> None:
    """Answer the seat that acted with what was decided, which follows `before`."""
    match, seat = decided.state, shown.seat
    accepted.version = match.version if recorded else before.version
    if recorded:
        messages.fill_receipt(accepted.receipt, match)
    if match.result is not None:
        accepted.result.CopyFrom(messages.result(match.result, match.seats))
    if not shown.full:
        return
    for step in transitions(before, decided, shown.names):
        event = accepted.events.add()
        messages.fill_event(event, see(step, seat))
        if shown.changes:
            scene_messages.fill_changes(event.changes, scene_change(step, seat)[1])
        if not recorded:
            event.ClearField("digest")
            event.ClearField("version")
    accepted.position = match.rules.write_view(match.position, seat)
    messages.fill_prompts(accepted.prompts, match.prompts)
