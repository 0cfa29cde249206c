"""Proposals of undos, redos, draws and rematches, and the responses to them."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from domain.kernel.rulings import Refused
from domain.log.origin import CommandContext, Origin
from domain.match import (
    AnyMatch,
    Changeset,
    Outcome,
    last_action,
    offer_draw,
    respond_to_draw,
    turn_start,
    visible_match,
)
from projections.queries.proposals import (
    DRAW_OFFER_NAME,
    ProposalView,
    immediate_line_change,
    open_proposal,
)
from projections.views.transitions import transitions
from services.accounts.context import (
    RequestContext,
    proposing_role,
    require_role,
    seat_and_substitute,
)
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.api.acceptances import AcceptanceView, fill_acceptance, is_full_view
from services.api.rematches import Rematches
from services.api.requests import check_same, check_version, parse_uuid, raise_if_denied
from services.mapping import messages
from services.proof.receipts import ReceiptSigner
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.line_changes import (
    LineChange,
    answer_line_change,
    change_line,
    find_in_line,
    last_branch,
)
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.recorded_requests import RecordedRequest, find_recorded_request, replay_decision
from services.wire.emeth.v1 import play_pb2 as pb

Request = pb.CreateProposalRequest | pb.RespondToProposalRequest
Response = TypeVar("Response", pb.CreateProposalResponse, pb.RespondToProposalResponse)


class _ActingSeat(NamedTuple):
    """The seat that proposes or responds."""

    name: str
    substitute: str = ""
    """The role that substitutes for it; empty if the caller has the seat."""


class Proposals:
    """Handles proposals and responses, each request once."""

    def __init__(
        self,
        live: MatchCache,
        token_issuer: TokenIssuer,
        signer: ReceiptSigner,
        quotas: Quotas,
        rematches: Rematches,
    ) -> None:
        self._live = live
        self._quotas = quotas
        self._token_issuer = token_issuer
        self._signer = signer
        self._rematches = rematches

    async def create_proposal(
        self, call: RequestContext, request: pb.CreateProposalRequest
    ) -> pb.CreateProposalResponse:
        """Create a proposal, or carry it out at once if nobody has to agree."""
        kind = request.WhichOneof("kind")
        response = pb.CreateProposalResponse()
        if kind == "rematch":
            await self._rematches.propose(call, request, response)
            return response
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        full = is_full_view(request.view)

        async def decide(live: CachedMatch) -> "Decision[None]":
            match = live.state
            role = require_role(match, call, request.seat)
            response.Clear()  # an earlier attempt, on an old version, may have filled it in
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                seat = _proposing_seat(first.before, role, request)
                asked = await self._recorded_request(live, first.before, seat.name, request)
                check_same(request.request_id, first.version, first.command, asked)
                await self._fill_repeated(live, first, seat, response, full=full)
                return None, None
            seat = _proposing_seat(match, role, request)
            count = await self._quotas.action_counter(match)
            if request.HasField("expected_version"):
                check_version(match, request.expected_version)
            outcome = await self._propose(
                live, seat, request, self._command_context(identity, request, seat)
            )
            if isinstance(outcome, Refused):
                messages.fill_refusal(response.refused, visible_match(match, seat.name), outcome)
                return None, None
            changeset = raise_if_denied(outcome)
            if (exceeded := count(seat.name)) is not None:
                raise exceeded
            if open_proposal(changeset.state) is not None:
                self._quotas.count_limits.count_request(identity, seat.name)
            self._fill(response.accepted, match, changeset, seat, full=full)
            return changeset, None

        return await self._decide_and_sign(identity, request, decide, response)

    async def respond_to_proposal(
        self, call: RequestContext, request: pb.RespondToProposalRequest
    ) -> pb.RespondToProposalResponse:
        """Accept, reject or withdraw a proposal."""
        identity = parse_uuid(request.match_id)
        response = pb.RespondToProposalResponse()
        if self._rematches.is_rematch_proposal(identity, request.proposal_id):
            await self._rematches.respond(call, request, response)
            return response
        request_id = request.request_id.lower()
        full, yes = is_full_view(request.view), request.decision == pb.PROPOSAL_DECISION_ACCEPT

        async def decide(live: CachedMatch) -> "Decision[None]":
            match = live.state
            role = require_role(match, call, request.seat)
            response.Clear()  # as above
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                proposal = _find_proposal(first.before, request)
                seat = _responding_seat(first.before, role, request, proposal)
                asked = _response_request(first.before, seat.name, proposal, yes=yes)
                check_same(request.request_id, first.version, first.command, asked)
                await self._fill_repeated(live, first, seat, response, full=full)
                return None, None
            proposal = _find_proposal(match, request)
            seat = _responding_seat(match, role, request, proposal)
            if proposal is None:
                raise ApiError(
                    Reason.NO_PROPOSAL,
                    "no such proposal is pending: it was answered, or an action ended it",
                )
            _check_decision(proposal, seat.name, request)
            command_context, seeds = (
                self._command_context(identity, request, seat),
                self._token_issuer.seeds(identity),
            )
            if proposal.kind == "draw":
                outcome = respond_to_draw(match, seat.name, yes, command_context, seeds)
            else:
                outcome = await answer_line_change(
                    self._live, live, seat.name, command_context, seeds, granted=yes
                )
            if isinstance(outcome, Refused):
                messages.fill_refusal(response.refused, visible_match(match, seat.name), outcome)
                return None, None
            changeset = raise_if_denied(outcome)
            self._fill(response.accepted, match, changeset, seat, full=full)
            return changeset, None

        return await self._decide_and_sign(identity, request, decide, response)

    def _command_context(self, match: UUID, request: Request, seat: _ActingSeat) -> CommandContext:
        request_id = request.request_id.lower()
        return self._token_issuer.command_context(
            match, request_id, Origin("", stand_in=seat.substitute)
        )

    async def _decide_and_sign(
        self,
        identity: UUID,
        request: Request,
        decide: Callable[[CachedMatch], Awaitable["Decision[None]"]],
        response: Response,
    ) -> Response:
        """Execute a command, and return the response with a receipt signed after the commit."""
        await self._live.command(identity, decide)
        if response.HasField("accepted"):
            receipt = response.accepted.receipt
            await messages.sign(receipt, self._signer, grouped=request.group_receipt)
        return response

    def _fill(
        self,
        accepted: pb.Acceptance,
        before: AnyMatch,
        changeset: Changeset[AnyMatch],
        seat: _ActingSeat,
        *,
        full: bool,
    ) -> None:
        fill_acceptance(
            accepted, before, changeset, AcceptanceView(seat.name, self._live.names, full=full)
        )
        if full:
            for step in transitions(before, changeset, self._live.names):
                moved = None if accepted.HasField("proposal") else immediate_line_change(step)
                if moved is not None:
                    messages.fill_proposal(accepted.proposal, moved)

    async def _fill_repeated(
        self,
        live: CachedMatch,
        first: RecordedRequest,
        seat: _ActingSeat,
        response: pb.CreateProposalResponse | pb.RespondToProposalResponse,
        *,
        full: bool,
    ) -> None:
        """Fill in the first response to a repeated request."""
        again = await replay_decision(self._live, live, first)
        self._fill(response.accepted, first.before, again, seat, full=full)

    # --- what is proposed ------------------------------------------------------------------------

    async def _propose(
        self,
        live: CachedMatch,
        seat: _ActingSeat,
        request: pb.CreateProposalRequest,
        command_context: CommandContext,
    ) -> Outcome | Refused:
        match, seeds = live.state, self._token_issuer.seeds(live.state.id)
        if request.WhichOneof("kind") == "draw":
            return offer_draw(match, seat.name, command_context, seeds)
        is_redo = request.WhichOneof("kind") == "redo"
        wanted = LineChange(
            seat.name, await self._target(live, match, seat.name, request), is_redo=is_redo
        )
        return await change_line(self._live, live, wanted, command_context, seeds)

    async def _recorded_request(
        self, live: CachedMatch, before: AnyMatch, seat: str, request: pb.CreateProposalRequest
    ) -> list[Any]:
        """Return what a request proposes, in the form of `asked_for`."""
        kind, draws = request.WhichOneof("kind"), before.rules.draws
        if kind == "draw":
            return ["act", seat, draws.offer(seat)] if draws else ["offer-draw", seat]
        return [str(kind), seat, await self._target(live, before, seat, request)]

    async def _target(
        self, live: CachedMatch, match: AnyMatch, seat: str, request: pb.CreateProposalRequest
    ) -> int:
        """Return the version that an undo or redo goes to, in this state of the match."""
        if request.WhichOneof("kind") == "redo":
            return request.redo.version or await self._last_branch(live, match)
        undo = request.undo
        if undo.WhichOneof("target") == "version":
            return undo.version
        match undo.scope:
            case pb.UNDO_SCOPE_LAST_ACTION:
                found = await find_in_line(
                    self._live, live, match, lambda events, _: last_action(seat, events)
                )
            case pb.UNDO_SCOPE_LAST_TURN:
                found = await find_in_line(
                    self._live,
                    live,
                    match,
                    lambda events, all_: turn_start(match, seat, events, whole=all_),
                )
            case _:
                raise field_invalid(
                    "undo.target", "it is empty: name the version or turn to undo to"
                )
        if found is None:
            raise ApiError(
                Reason.NOTHING_TO_UNDO, f"{seat} has taken no action that could be undone"
            )
        return found - 1

    async def _last_branch(self, live: CachedMatch, match: AnyMatch) -> int:
        """Return the last version of the branch that was left last."""
        head = await last_branch(self._live, live, match)
        if head is None:
            raise ApiError(Reason.NOTHING_TO_REDO)
        return head


def _proposing_seat(match: AnyMatch, role: str, request: pb.CreateProposalRequest) -> _ActingSeat:
    if request.WhichOneof("kind") == "draw":
        return _ActingSeat(*seat_and_substitute(match, role, request.seat))
    return _ActingSeat(proposing_role(match, role, request.seat))


def _find_proposal(match: AnyMatch, request: pb.RespondToProposalRequest) -> ProposalView | None:
    """Return the pending proposal that a request refers to, or None."""
    proposal = open_proposal(match)
    is_meant = proposal is not None and request.proposal_id in ("", proposal.name)
    return proposal if is_meant else None


def _responding_seat(
    match: AnyMatch,
    role: str,
    request: pb.RespondToProposalRequest,
    proposal: ProposalView | None,
) -> _ActingSeat:
    if proposal is not None and proposal.kind == "draw":
        return _ActingSeat(*seat_and_substitute(match, role, request.seat))
    return _ActingSeat(proposing_role(match, role, request.seat))


def _response_request(
    before: AnyMatch, seat: str, proposal: ProposalView | None, *, yes: bool
) -> list[Any]:
    """Return what a response requests, in the form of `asked_for`."""
    if proposal is None:
        return ["answer", seat]
    if proposal.kind != "draw":
        return ["answer-undo", seat, yes]
    draws = before.rules.draws
    return ["act", seat, draws.answer(seat, yes)] if draws else ["answer-draw", seat, yes]


def _check_decision(
    proposal: ProposalView, seat: str, request: pb.RespondToProposalRequest
) -> None:
    """Raise SEAT_NOT_AWAITED if the seat may not respond in this way."""
    is_own = seat == proposal.made.seat
    if request.decision == pb.PROPOSAL_DECISION_WITHDRAW:
        if not is_own:
            raise ApiError(
                Reason.SEAT_NOT_AWAITED,
                f"only {proposal.made.seat}, who made the proposal, may withdraw it",
            )
        if proposal.name == DRAW_OFFER_NAME:
            raise ApiError(Reason.SEAT_NOT_AWAITED, "a draw offer of this game cannot be withdrawn")
    elif is_own and seat not in proposal.made.awaiting:
        raise ApiError(
            Reason.SEAT_NOT_AWAITED,
            f"{seat} made the proposal: only the other seats answer it, and {seat} may withdraw it",
        )
