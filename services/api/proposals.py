"""Undos, redos and draws: proposed to the others, answered by them, or done at once."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from domain.kernel.rulings import Refused
from domain.log.origin import Source, Stamp
from domain.match import (
    AnyMatch,
    Decided,
    Outcome,
    answer_draw,
    first_of_turn,
    known,
    last_action,
    offer_draw,
)
from projections.queries.proposals import IN_THE_GAME, SeenProposal, moved_at_once, open_proposal
from projections.views.transitions import transitions
from services.accounts.context import Call, asking_seat, played_seat, role_in
from services.accounts.quotas import Quotas
from services.accounts.tokens import Mint
from services.api.acceptances import Shown, fill_acceptance, is_full
from services.api.rematches import Rematches
from services.api.requests import check_same, check_version, not_denied, uuid_of
from services.mapping import messages
from services.proof.receipts import ReceiptSigner
from services.runtime.errors import ApiError, Reason, malformed
from services.store.first_answers import FirstAnswer, decided_again, first_answer
from services.store.line_changes import LineMove, answer, find, last_branch, move
from services.store.match_cache import Decision, LiveMatch, LiveMatches
from services.wire.emeth.v1 import play_pb2 as pb

Request = pb.CreateProposalRequest | pb.RespondToProposalRequest
Response = TypeVar("Response", pb.CreateProposalResponse, pb.RespondToProposalResponse)


class _Seat(NamedTuple):
    """Who proposes or responds."""

    name: str
    substitute: str = ""
    """Who stands in for it; empty if the token is its own."""


class Proposals:
    """What the others in a match may have to agree to, each request recorded once."""

    def __init__(
        self,
        live: LiveMatches,
        mint: Mint,
        signer: ReceiptSigner,
        quotas: Quotas,
        rematches: Rematches,
    ) -> None:
        self._live = live
        self._quotas = quotas
        self._mint = mint
        self._signer = signer
        self._rematches = rematches

    async def create_proposal(
        self, call: Call, request: pb.CreateProposalRequest
    ) -> pb.CreateProposalResponse:
        """Propose an undo, a redo, a draw or a rematch; or do it, if nobody has to agree."""
        kind = request.WhichOneof("kind")
        response = pb.CreateProposalResponse()
        if kind == "rematch":
            await self._rematches.propose(call, request, response)
            return response
        identity = uuid_of(request.match_id)
        request_id = request.request_id.lower()
        full = is_full(request.view)

        async def decide(live: LiveMatch) -> "Decision[None]":
            match = live.state
            role = role_in(match, call, request.seat)
            response.Clear()  # it may have been decided before, from a version that was too old
            if (first := await first_answer(self._live, live, request_id)) is not None:
                seat = _proposing(first.before, role, request)
                asked = await self._asked(live, first.before, seat.name, request)
                check_same(request.request_id, first.version, first.asked, asked)
                await self._fill_again(live, first, seat, response, full=full)
                return None, None
            seat = _proposing(match, role, request)
            count = await self._quotas.counting(match)
            if request.HasField("expected_version"):
                check_version(match, request.expected_version)
            outcome = await self._proposed(
                live, seat, request, self._stamp(identity, request, seat)
            )
            if isinstance(outcome, Refused):
                messages.fill_refusal(response.refused, known(match, seat.name), outcome)
                return None, None
            decided = not_denied(outcome)
            if (exceeded := count(seat.name)) is not None:
                raise exceeded
            if open_proposal(decided.state) is not None:
                self._quotas.bounds.ask(identity, seat.name)
            self._fill(response.accepted, match, decided, seat, full=full)
            return decided, None

        return await self._signed(identity, request, decide, response)

    async def respond_to_proposal(
        self, call: Call, request: pb.RespondToProposalRequest
    ) -> pb.RespondToProposalResponse:
        """Accept, reject or withdraw a proposal."""
        identity = uuid_of(request.match_id)
        response = pb.RespondToProposalResponse()
        if self._rematches.names(identity, request.proposal_id):
            await self._rematches.respond(call, request, response)
            return response
        request_id = request.request_id.lower()
        full, yes = is_full(request.view), request.decision == pb.PROPOSAL_DECISION_ACCEPT

        async def decide(live: LiveMatch) -> "Decision[None]":
            match = live.state
            role = role_in(match, call, request.seat)
            response.Clear()  # as above
            if (first := await first_answer(self._live, live, request_id)) is not None:
                proposal = _named(first.before, request)
                seat = _responding(first.before, role, request, proposal)
                asked = _answered(first.before, seat.name, proposal, yes=yes)
                check_same(request.request_id, first.version, first.asked, asked)
                await self._fill_again(live, first, seat, response, full=full)
                return None, None
            proposal = _named(match, request)
            seat = _responding(match, role, request, proposal)
            if proposal is None:
                raise ApiError(
                    Reason.NO_PROPOSAL,
                    "no such proposal is pending: it was settled, or somebody acted",
                )
            _check_decision(proposal, seat.name, request)
            stamp, seeds = self._stamp(identity, request, seat), self._mint.seeds(identity)
            if proposal.kind == "draw":
                outcome = answer_draw(match, seat.name, yes, stamp, seeds)
            else:
                outcome = await answer(self._live, live, seat.name, stamp, seeds, granted=yes)
            if isinstance(outcome, Refused):
                messages.fill_refusal(response.refused, known(match, seat.name), outcome)
                return None, None
            decided = not_denied(outcome)
            self._fill(response.accepted, match, decided, seat, full=full)
            return decided, None

        return await self._signed(identity, request, decide, response)

    def _stamp(self, match: UUID, request: Request, seat: _Seat) -> Stamp:
        request_id = request.request_id.lower()
        return self._mint.stamp(match, request_id, Source("", stand_in=seat.substitute))

    async def _signed(
        self,
        identity: UUID,
        request: Request,
        decide: Callable[[LiveMatch], Awaitable["Decision[None]"]],
        response: Response,
    ) -> Response:
        """What comes of a command, signed once it is on disk."""
        await self._live.command(identity, decide)
        if response.HasField("accepted"):
            receipt = response.accepted.receipt
            await messages.sign(receipt, self._signer, grouped=request.group_receipt)
        return response

    def _fill(
        self,
        accepted: pb.Acceptance,
        before: AnyMatch,
        decided: Decided[AnyMatch],
        seat: _Seat,
        *,
        full: bool,
    ) -> None:
        fill_acceptance(accepted, before, decided, Shown(seat.name, self._live.names, full=full))
        if full:
            for step in transitions(before, decided, self._live.names):
                moved = None if accepted.HasField("proposal") else moved_at_once(step)
                if moved is not None:
                    messages.fill_proposal(accepted.proposal, moved)

    async def _fill_again(
        self,
        live: LiveMatch,
        first: FirstAnswer,
        seat: _Seat,
        response: pb.CreateProposalResponse | pb.RespondToProposalResponse,
        *,
        full: bool,
    ) -> None:
        """The first response to a request that comes again."""
        again = await decided_again(self._live, live, first)
        self._fill(response.accepted, first.before, again, seat, full=full)

    # --- what is proposed ------------------------------------------------------------------------

    async def _proposed(
        self, live: LiveMatch, seat: _Seat, request: pb.CreateProposalRequest, stamp: Stamp
    ) -> Outcome | Refused:
        match, seeds = live.state, self._mint.seeds(live.state.id)
        if request.WhichOneof("kind") == "draw":
            return offer_draw(match, seat.name, stamp, seeds)
        redoes = request.WhichOneof("kind") == "redo"
        wanted = LineMove(
            seat.name, await self._target(live, match, seat.name, request), redoes=redoes
        )
        return await move(self._live, live, wanted, stamp, seeds)

    async def _asked(
        self, live: LiveMatch, before: AnyMatch, seat: str, request: pb.CreateProposalRequest
    ) -> list[Any]:
        """What a request proposes, in the words of `asked_for`."""
        kind, draws = request.WhichOneof("kind"), before.rules.draws
        if kind == "draw":
            return ["act", seat, draws.offer(seat)] if draws else ["offer-draw", seat]
        return [str(kind), seat, await self._target(live, before, seat, request)]

    async def _target(
        self, live: LiveMatch, match: AnyMatch, seat: str, request: pb.CreateProposalRequest
    ) -> int:
        """The version that a request means, when the match stands, or stood, so."""
        if request.WhichOneof("kind") == "redo":
            return request.redo.version or await self._last_branch(live, match)
        undo = request.undo
        if undo.WhichOneof("target") == "version":
            return undo.version
        match undo.scope:
            case pb.UNDO_SCOPE_LAST_ACTION:
                found = await find(
                    self._live, live, match, lambda events, _: last_action(seat, events)
                )
            case pb.UNDO_SCOPE_LAST_TURN:
                found = await find(
                    self._live,
                    live,
                    match,
                    lambda events, all_: first_of_turn(match, seat, events, whole=all_),
                )
            case _:
                raise malformed("undo.target", "say how far to go back")
        if found is None:
            raise ApiError(Reason.NOTHING_TO_UNDO, f"{seat} has done nothing on the line")
        return found - 1

    async def _last_branch(self, live: LiveMatch, match: AnyMatch) -> int:
        """The end of the branch that was left last."""
        head = await last_branch(self._live, live, match)
        if head is None:
            raise ApiError(Reason.NOTHING_TO_REDO)
        return head


def _proposing(match: AnyMatch, role: str, request: pb.CreateProposalRequest) -> _Seat:
    if request.WhichOneof("kind") == "draw":
        return _Seat(*played_seat(match, role, request.seat))
    return _Seat(asking_seat(match, role, request.seat))


def _named(match: AnyMatch, request: pb.RespondToProposalRequest) -> SeenProposal | None:
    """The proposal that a request means, if it is pending."""
    proposal = open_proposal(match)
    is_meant = proposal is not None and request.proposal_id in ("", proposal.name)
    return proposal if is_meant else None


def _responding(
    match: AnyMatch,
    role: str,
    request: pb.RespondToProposalRequest,
    proposal: SeenProposal | None,
) -> _Seat:
    if proposal is not None and proposal.kind == "draw":
        return _Seat(*played_seat(match, role, request.seat))
    return _Seat(asking_seat(match, role, request.seat))


def _answered(
    before: AnyMatch, seat: str, proposal: SeenProposal | None, *, yes: bool
) -> list[Any]:
    """What a response asks for, in the words of `asked_for`."""
    if proposal is None:
        return ["answer", seat]
    if proposal.kind != "draw":
        return ["answer-undo", seat, yes]
    draws = before.rules.draws
    return ["act", seat, draws.answer(seat, yes)] if draws else ["answer-draw", seat, yes]


def _check_decision(
    proposal: SeenProposal, seat: str, request: pb.RespondToProposalRequest
) -> None:
    """SEAT_NOT_AWAITED if the seat may not respond so."""
    is_own = seat == proposal.made.seat
    if request.decision == pb.PROPOSAL_DECISION_WITHDRAW:
        if not is_own:
            raise ApiError(Reason.SEAT_NOT_AWAITED, f"the proposal is {proposal.made.seat}'s")
        if proposal.name == IN_THE_GAME:
            raise ApiError(
                Reason.SEAT_NOT_AWAITED, "the offer is an action of the game, and stands"
            )
    elif is_own and seat not in proposal.made.awaiting:
        raise ApiError(Reason.SEAT_NOT_AWAITED, f"{seat} made the proposal, and may withdraw it")
