"""PlayService: acting in a match. `domain.match` decides, `store.live` records."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import accumulate, islice
from typing import Any, Final

import structlog

from domain.kernel.game import Refused
from domain.match import (
    ActionTaken,
    AnyMatch,
    Decided,
    Denied,
    DrawAnswered,
    DrawOffered,
    Event,
    Resigned,
    Seeds,
    Source,
    Stamp,
    act,
    answer_draw,
    evolve,
    no_seeds,
    offer_draw,
    resign,
    unrolled,
)
from services import messages
from services.alternatives import nearest
from services.door import Call
from services.errors import ApiError, Reason, malformed
from services.requests import (
    LONGEST_ACTION,
    Pages,
    acting_seat,
    check_version,
    denied,
    identifier,
    listed_seat,
    page_size,
    reused,
    role_in,
    short_text,
)
from services.signing import Signer
from services.store.live import Decision, Live, LiveMatch
from services.tokens import Mint
from services.wire.emeth.v1 import actions_pb2
from services.wire.emeth.v1 import play_pb2 as pb

log = structlog.get_logger(__name__)

USUAL_PAGE: Final = 100
LARGEST_PAGE: Final = 500
LONGEST_CLIENT: Final = 80

Outcome = pb.Acceptance | actions_pb2.Refusal
Taking = pb.SubmitActionRequest | pb.ResignRequest | pb.OfferDrawRequest | pb.AnswerDrawRequest
Request = Taking | pb.PreviewActionRequest


class PlayHandlers:
    """The rpcs of PlayService."""

    def __init__(self, live: Live, pages: Pages, mint: Mint, signer: Signer) -> None:
        self._live = live
        self._pages = pages
        self._mint = mint
        self._signer = signer

    async def list_actions(
        self, call: Call, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse:
        """One page of what a seat may do now."""
        identity = identifier("match_id", request.match_id)
        match = (await self._live.get(identity)).match
        seat = listed_seat(match, role_in(match, call), request.seat)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = (identity, seat, request.verb)
        begin = 0
        if request.page_token:
            version, _, place = self._pages.read(request.page_token, *query).partition("-")
            check_version(match, int(version))
            begin = int(place)
        page = list(islice(_legal(match, seat, request.verb), begin, begin + size + 1))
        response = pb.ListActionsResponse(
            version=match.version,
            actions=[messages.legal_action(match, each) for each in page[:size]],
            asks=messages.asks(match.asks),
        )
        if len(page) > size:
            response.next_page_token = self._pages.write(f"{match.version}-{begin + size}", *query)
        return response

    async def submit_action(
        self, call: Call, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """Take one action, once."""
        outcome = await self._take(call, request)
        if isinstance(outcome, pb.Acceptance):
            return pb.SubmitActionResponse(accepted=outcome)
        return pb.SubmitActionResponse(refused=outcome)

    async def resign(self, call: Call, request: pb.ResignRequest) -> pb.ResignResponse:
        """Give the match up."""
        outcome = await self._take(call, request)
        if isinstance(outcome, pb.Acceptance):
            return pb.ResignResponse(accepted=outcome)
        return pb.ResignResponse(refused=outcome)

    async def offer_draw(self, call: Call, request: pb.OfferDrawRequest) -> pb.OfferDrawResponse:
        """Offer to end the match without a winner."""
        outcome = await self._take(call, request)
        if isinstance(outcome, pb.Acceptance):
            return pb.OfferDrawResponse(accepted=outcome)
        return pb.OfferDrawResponse(refused=outcome)

    async def answer_draw(self, call: Call, request: pb.AnswerDrawRequest) -> pb.AnswerDrawResponse:
        """Accept or decline the draw that is offered."""
        outcome = await self._take(call, request)
        if isinstance(outcome, pb.Acceptance):
            return pb.AnswerDrawResponse(accepted=outcome)
        return pb.AnswerDrawResponse(refused=outcome)

    async def preview_action(
        self, call: Call, request: pb.PreviewActionRequest
    ) -> pb.PreviewActionResponse:
        """What an action would do."""
        identity = identifier("match_id", request.match_id)
        match = (await self._live.get(identity)).match
        seat = acting_seat(match, role_in(match, call), request.seat)
        stamp = Stamp(datetime.now(UTC), "")
        # Chance is not foretold: a preview stops at what the service would roll.
        outcome = _judge(unrolled(match), seat, request, stamp, no_seeds)
        if isinstance(outcome, Refused):
            return pb.PreviewActionResponse(refused=_refusal(match, seat, request, outcome))
        return pb.PreviewActionResponse(accepted=_acceptance(match, outcome, seat, recorded=False))

    async def _take(self, call: Call, request: Taking) -> Outcome:
        identity = identifier("match_id", request.match_id)
        request_id = str(identifier("request_id", request.request_id))
        client, expected = "", None
        if isinstance(request, pb.SubmitActionRequest | pb.ResignRequest):
            client = short_text("client", request.client, LONGEST_CLIENT)
            expected = request.expected_version if request.HasField("expected_version") else None

        async def decide(live: LiveMatch) -> Decision[Outcome]:
            match = live.match
            seat = acting_seat(match, role_in(match, call), request.seat)
            if (first := live.made_by(request_id)) is not None:
                return None, await self._repeated(match, seat, request, first)
            if expected is not None:
                check_version(match, expected)
            stamp = Stamp(datetime.now(UTC), request_id, Source(client))
            outcome = _judge(match, seat, request, stamp, self._mint.seeds(identity))
            if isinstance(outcome, Refused):
                return None, _refusal(match, seat, request, outcome)
            return outcome, _acceptance(match, outcome, seat)

        outcome = await self._live.command(identity, decide)
        if isinstance(outcome, pb.Acceptance):
            # Only now, since what is signed must be on disk.
            outcome.receipt.CopyFrom(messages.signed(outcome.receipt, self._signer))
        return outcome

    async def _repeated(
        self,
        match: AnyMatch,
        seat: str,
        request: Taking,
        first: int,
    ) -> Outcome:
        """The first answer to a request that comes again; REQUEST_ID_REUSED if it asks for more."""
        before, events = await self._live.since(match.id, first)
        mine = [each for each in events if each.event.request == events[0].event.request]
        asked = _asked(before or match, seat, request)
        if before is None or _taken(mine[0].event) != asked:
            raise reused(request.request_id, first, _taken(mine[0].event), asked)
        matches = tuple(accumulate(mine, evolve, initial=before))[1:]
        return _acceptance(before, Decided(tuple(mine), matches), seat)


def _legal(match: AnyMatch, seat: str, verb: str) -> Iterator[Any]:
    game = match.rules
    listed = () if match.result else game.legal(match.position, seat)
    for action in listed:
        if not verb or game.parts(match.position, action).verb == verb:
            yield action


def _refusal(match: AnyMatch, seat: str, request: Request, refused: Refused) -> actions_pb2.Refusal:
    """The answer to an action that a rule forbids."""
    if not isinstance(request, pb.SubmitActionRequest | pb.PreviewActionRequest):
        return messages.refusal(match, refused)
    human = request.WhichOneof("what") == "human"
    tried = request.human if human else request.action
    return messages.refusal(match, refused, nearest(match, seat, tried), human=human)


def _judge(
    match: AnyMatch, seat: str, request: Request, stamp: Stamp, seeds: Seeds
) -> Decided | Refused:
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
            if isinstance(action, Refused):
                return action
            outcome = act(match, seat, action, stamp, seeds)
    if isinstance(outcome, Denied):
        raise denied(outcome)
    return outcome


def _read(match: AnyMatch, request: pb.SubmitActionRequest | pb.PreviewActionRequest) -> Any:
    """The action that a request means in this state, or Refused if it means none."""
    game = match.rules
    match request.WhichOneof("what"):
        case "action":
            return game.read_action(short_text("action", request.action, LONGEST_ACTION, 1))
        case "human":
            if game.score is None:
                raise ApiError(
                    Reason.NO_SCORE_NOTATION, f"{game.name} has no score notation: use `action`"
                )
            text = short_text("human", request.human, LONGEST_ACTION, 1)
            return game.score.read(match.position, text)
        case _:
            raise malformed("action", "say what to do, in `action` or in `human`")


def _asked(before: AnyMatch, seat: str, request: Request) -> list[Any]:
    """What a request asks for, to be compared with `_taken`."""
    game = before.rules
    match request:
        case pb.ResignRequest():
            return [seat, game.resign(seat) if game.resign else "gives up"]
        case pb.OfferDrawRequest():
            return [seat, game.draws.offer(seat) if game.draws else "offers a draw"]
        case pb.AnswerDrawRequest(accepted=yes):
            return [seat, game.draws.answer(seat, yes) if game.draws else ["answers", yes]]
        case _:
            return [seat, _read(before, request)]


def _taken(event: Event) -> list[Any]:
    match event:
        case ActionTaken(seat=seat, action=action):
            return [seat, action]
        case Resigned(seat=seat):
            return [seat, "gives up"]
        case DrawOffered(seat=seat):
            return [seat, "offers a draw"]
        case DrawAnswered(seat=seat, accepted=yes):
            return [seat, ["answers", yes]]
        case _:
            return [type(event).__name__]


def _acceptance(
    before: AnyMatch, decided: Decided, seat: str, *, recorded: bool = True
) -> pb.Acceptance:
    """The answer to what was decided, which follows `before`, for the seat that acted."""
    match = decided.match
    shown = [
        messages.recorded(stood, sealed, seat)
        for stood, sealed in zip((before, *decided.matches), decided.events, strict=False)
    ]
    if not recorded:
        for event in shown:
            event.ClearField("digest")
            event.ClearField("version")
    receipt = pb.Receipt(match_id=str(match.id), version=match.version, digest=match.digest)
    answer = pb.Acceptance(
        receipt=receipt if recorded else None,
        version=match.version if recorded else before.version,
        events=shown,
        position=match.rules.write_view(match.position, seat),
        asks=messages.asks(match.asks),
    )
    if match.result is not None:
        answer.result.CopyFrom(messages.result(match.result))
    return answer
