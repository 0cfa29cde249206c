"""Rematches: new matches of the same players with rotated seats."""

from typing import Final
from uuid import UUID

from msgspec.structs import replace

from domain.match import DEFAULT_WAITING_TIME, AnyMatch, MatchSetup, SeatClaimed, Terms, create
from services.accounts.context import RequestContext, require_role
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.api.idempotency import caller_identity
from services.api.match_management import MatchManagement
from services.api.new_matches import NewMatches
from services.api.requests import parse_uuid
from services.api.seating import Seating
from services.bots.host import BotHost
from services.runtime.errors import ApiError, Reason
from services.store.errors import MatchUnknown, VersionConflict
from services.store.match_cache import CachedMatch, MatchCache
from services.store.recorded_requests import find_recorded_request
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1 import proposals_pb2

MAX_CANCELLED_REMATCHES: Final = 20
"""Maximum number of cancelled rematches, after which no more are created."""


class Rematches:
    """Creates rematches.

    The ID of a rematch is derived from the finished match, so that all players reach the same one.
    """

    def __init__(
        self,
        live: MatchCache,
        token_issuer: TokenIssuer,
        new_matches: NewMatches,
        seating: Seating,
        management: MatchManagement,
        quotas: Quotas,
        bots: BotHost,
    ) -> None:
        self._bots = bots
        self._quotas = quotas
        self._live = live
        self._token_issuer = token_issuer
        self._new_matches = new_matches
        self._seating = seating
        self._management = management

    def is_rematch_proposal(self, match: UUID, proposal_id: str) -> bool:
        """Return whether this is the ID of a rematch of a match."""
        return proposal_id in {
            str(self._token_issuer.match_id(_rematch_request_id(match, nth)))
            for nth in range(MAX_CANCELLED_REMATCHES)
        }

    async def propose(
        self,
        call: RequestContext,
        request: play.CreateProposalRequest,
        response: play.CreateProposalResponse,
    ) -> None:
        """Let the caller join the rematch of a match, and create it if necessary."""
        identity = parse_uuid(request.match_id)
        match = (await self._live.get(identity)).state
        seat = _require_held_seat(match, require_role(match, call, request.seat))
        if match.result is None:
            raise ApiError(Reason.MATCH_NOT_OVER, "a rematch is possible when the match is over")
        made = await self._rematch(call, match, request.request_id.lower())
        await self._seat_bots(match, made)
        entropy = request.rematch.entropy
        await self._join(call, match, made.id, seat, request.request_id, entropy, response)

    async def respond(
        self,
        call: RequestContext,
        request: play.RespondToProposalRequest,
        response: play.RespondToProposalResponse,
    ) -> None:
        """Let the caller join the rematch that another player proposed, or cancel it.

        A player who has not joined may reject it, and the one who proposed it may withdraw it.
        """
        identity = parse_uuid(request.match_id)
        match = (await self._live.get(identity)).state
        seat = _require_held_seat(match, require_role(match, call, request.seat))
        again = UUID(request.proposal_id)
        try:
            live = await self._live.get(again)
        except MatchUnknown:
            raise ApiError(
                Reason.NO_PROPOSAL, "no rematch is proposed: create a proposal first"
            ) from None
        if request.decision == play.PROPOSAL_DECISION_ACCEPT:
            await self._join(
                call, match, again, seat, request.request_id, request.entropy, response
            )
            return
        joined = await self._joined_seats(match, live)
        if request.decision == play.PROPOSAL_DECISION_WITHDRAW:
            may, state = seat in joined[:1], proposals_pb2.PROPOSAL_STATE_WITHDRAWN
        else:
            may, state = seat not in joined, proposals_pb2.PROPOSAL_STATE_REJECTED
        if not may:
            why = "only the proposer may withdraw a rematch, and only seats not in it may reject it"
            raise ApiError(Reason.SEAT_NOT_AWAITED, why)
        own = rotated_seat(match, seat)
        await self._management.cancel(
            call, again, request.request_id, lambda _: None, lambda _: own
        )
        response.accepted.version = match.version
        await self._fill_proposal(response.accepted.proposal, match, live, state)

    async def _join(
        self,
        call: RequestContext,
        match: AnyMatch,
        again: UUID,
        role: str,
        request_id: str,
        entropy: str,
        response: play.CreateProposalResponse | play.RespondToProposalResponse,
    ) -> None:
        holder, seat = match.holders[role], rotated_seat(match, role)
        code, is_player = self._token_issuer.invitation(again, seat), call.player is not None
        claimed = await self._seating.join_match(
            call if is_player else replace(call, token=code),
            pb.JoinMatchRequest(
                request_id=request_id,
                match_id=str(again),
                role=seat,
                player="" if is_player else holder.player,
                invite_code=code if is_player else "",
                entropy=entropy,
                bot=holder.bot,
            ),
            caller_identity(call),
        )
        response.accepted.version = match.version
        response.rematch_seat.match_id = str(again)
        response.rematch_seat.seat = seat
        response.rematch_seat.token = claimed.token
        live = await self._live.get(again)
        state = proposals_pb2.PROPOSAL_STATE_ACCEPTED
        if live.state.waiting:
            state = proposals_pb2.PROPOSAL_STATE_PENDING
        await self._fill_proposal(response.accepted.proposal, match, live, state)

    async def _joined_seats(self, match: AnyMatch, live: CachedMatch) -> list[str]:
        """Return the seats in the finished match whose players joined its rematch, in order."""
        events = await self._live.events_of(live, (range(1, live.state.version + 1),))
        seats = {rotated_seat(match, seat): seat for seat in match.seats}
        return [
            seats[each.event.seat]
            for each in events
            if isinstance(each.event, SeatClaimed) and not each.event.bot
        ]

    async def _fill_proposal(
        self,
        message: proposals_pb2.Proposal,
        match: AnyMatch,
        live: CachedMatch,
        state: proposals_pb2.ProposalState.ValueType,
    ) -> None:
        """Describe a rematch as a proposal: who proposed it, and whose response is awaited."""
        again = live.state
        message.proposal_id = message.rematch_match_id = str(again.id)
        message.kind = proposals_pb2.PROPOSAL_KIND_REMATCH
        message.seat = next(iter(await self._joined_seats(match, live)), "")
        message.state = state
        if state == proposals_pb2.PROPOSAL_STATE_PENDING:
            message.awaiting_seats.extend(
                seat for seat in match.seats if rotated_seat(match, seat) not in again.holders
            )

    async def _rematch(self, call: RequestContext, match: AnyMatch, request_id: str) -> AnyMatch:
        """Return the rematch of a match, and create it if there is none.

        A cancelled rematch is only returned to the request that joined it.
        """
        for nth in range(MAX_CANCELLED_REMATCHES):
            name = _rematch_request_id(match.id, nth)
            again = self._token_issuer.match_id(name)
            try:
                live = await self._live.get(again)
            except MatchUnknown:
                self._bots.check(self._rotated_bots(match), match.seats, "")
                await self._make(call, match, name)
                return (await self._live.get(again)).state
            if not live.state.cancelled or await find_recorded_request(
                self._live, live, request_id
            ):
                return live.state
        raise ApiError(
            Reason.MATCH_CANCELLED,
            f"{MAX_CANCELLED_REMATCHES} rematches of the match were cancelled, and no more are"
            " allowed",
        )

    def _rotated_bots(self, match: AnyMatch) -> dict[str, str]:
        """Return the seats that bots get in the rematch of a match, with their levels."""
        return {
            rotated_seat(match, seat): level for seat, level in self._bots.held_seats(match).items()
        }

    async def _seat_bots(self, match: AnyMatch, again: AnyMatch) -> None:
        """Let bots join the rematch.

        This is repeated for each player, in case the service stopped before it was done.
        """
        wanted = self._rotated_bots(match)
        missing = {seat: wanted[seat] for seat in wanted if seat not in again.holders}
        if missing:
            self._bots.check(missing, again.seats, "")
            await self._bots.claim_seats(again.id, missing, f"rematch of {match.id}")

    async def _make(self, call: RequestContext, match: AnyMatch, name: str) -> None:
        terms = rematch_terms(match)
        beginning = self._new_matches.begin(name, match.rules, match.options, terms)
        setting = MatchSetup(
            match.rules, match.options, match.title, terms=terms, creator=match.details.creator
        )
        made = create(
            setting,
            beginning.identity,
            beginning.invitations,
            beginning.command_context,
            seeds=self._token_issuer.seeds(beginning.identity),
        )
        try:
            async with self._quotas.opening(terms.frontend):
                await self._live.create(made)
                call.charge_events(len(made.events))
        except VersionConflict:
            return  # another player created it first


def _rematch_request_id(match: UUID, nth: int) -> str:
    """Return the request ID from which the ID of the `nth` rematch of a match is derived."""
    return f"rematch {nth + 1} of {match}" if nth else f"rematch of {match}"


def _require_held_seat(match: AnyMatch, role: str) -> str:
    """Return the caller's seat. Raise ROLE_NOT_ALLOWED if it has none."""
    if role not in match.holders:
        why = f"the token is {role}'s; a rematch needs the token of a seat"
        raise ApiError(Reason.ROLE_NOT_ALLOWED, why, role=role)
    return role


def rotated_seat(match: AnyMatch, seat: str) -> str:
    """Return the next seat in order of play."""
    return match.seats[(match.seats.index(seat) + 1) % len(match.seats)]


def rematch_terms(match: AnyMatch) -> Terms:
    """Return the terms of a rematch: those of the match, but it starts when it is full."""
    usual, terms = Terms(), match.terms
    return replace(
        terms,
        begins="when-full",
        referee="operator" if terms.referee == "operator" else "nobody",
        origin=None,
        admission=usual.admission,
        seat_order=usual.seat_order,
        rematch=match.id,
        waiting_seconds=int(DEFAULT_WAITING_TIME.total_seconds()),
    )
