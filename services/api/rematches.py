"""Rematches: a finished match is played again by its players, with the seats turned."""

from uuid import UUID

from msgspec.structs import replace

from domain.match import AnyMatch, SeatClaimed, Setting, Terms, create
from services.accounts.quotas import Quotas
from services.api.new_matches import NewMatches
from services.api.repetitions import caller_of
from services.api.requests import identifier
from services.api.seating import Seating
from services.bots.hosting import BotHost
from services.callers import Call, role_in
from services.errors import ApiError, Reason
from services.store.errors import MatchUnknown, VersionConflict
from services.store.live_matches import LiveMatch, LiveMatches
from services.tokens import Mint
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1 import proposals_pb2


class Rematches:
    """Makes rematches. Which match is the rematch of another follows from that one, so that both
    players come to the same, whoever asks first."""

    def __init__(
        self,
        live: LiveMatches,
        mint: Mint,
        new_matches: NewMatches,
        seating: Seating,
        quotas: Quotas,
        bots: BotHost,
    ) -> None:
        self._bots = bots
        self._quotas = quotas
        self._live = live
        self._mint = mint
        self._new_matches = new_matches
        self._seating = seating

    def names(self, match: UUID, proposal_id: str) -> bool:
        """Return whether this is the name of the rematch of a match."""
        return proposal_id == str(self._mint.match_id(_name(match)))

    async def propose(
        self, call: Call, request: play.CreateProposalRequest, response: play.CreateProposalResponse
    ) -> None:
        """Have the caller join the rematch of a match, which is made if there is none yet."""
        identity = identifier("match_id", request.match_id)
        match = (await self._live.get(identity)).state
        seat = _held_seat(match, role_in(match, call, request.seat))
        if match.result is None:
            raise ApiError(Reason.MATCH_NOT_OVER, "a match is played again when it is over")
        made = await self._made(call, match)
        await self._seat_bots(match, made)
        await self._join(call, match, seat, request.request_id, request.rematch.entropy, response)

    async def respond(
        self,
        call: Call,
        request: play.RespondToProposalRequest,
        response: play.RespondToProposalResponse,
    ) -> None:
        """Have the caller join the rematch that another player proposed."""
        identity = identifier("match_id", request.match_id)
        match = (await self._live.get(identity)).state
        seat = _held_seat(match, role_in(match, call, request.seat))
        try:
            await self._live.get(self._mint.match_id(_name(identity)))
        except MatchUnknown:
            raise ApiError(Reason.NO_PROPOSAL, "nobody has proposed a rematch") from None
        if request.decision != play.PROPOSAL_DECISION_ACCEPT:
            why = "a rematch is accepted only: one that nobody joins waits"
            raise ApiError(Reason.SEAT_NOT_AWAITED, why)
        await self._join(call, match, seat, request.request_id, request.entropy, response)

    async def _join(
        self,
        call: Call,
        match: AnyMatch,
        role: str,
        request_id: str,
        entropy: str,
        response: play.CreateProposalResponse | play.RespondToProposalResponse,
    ) -> None:
        again = self._mint.match_id(_name(match.id))
        holder, seat = match.holders[role], turned(match, role)
        code, is_player = self._mint.invitation(again, seat), call.player is not None
        claimed = await self._seating.claim_seat(
            call if is_player else replace(call, token=code),
            pb.ClaimSeatRequest(
                request_id=request_id,
                match_id=str(again),
                seat=seat,
                player="" if is_player else holder.player,
                invitation=code if is_player else "",
                entropy=entropy,
                bot=holder.bot,
            ),
            caller_of(call),
        )
        response.accepted.version = match.version
        response.rematch_seat.match_id = str(again)
        response.rematch_seat.seat = seat
        response.rematch_seat.token = claimed.token
        await self._fill_proposal(response.accepted.proposal, match, await self._live.get(again))

    async def _fill_proposal(
        self, message: proposals_pb2.Proposal, match: AnyMatch, live: LiveMatch
    ) -> None:
        """Tell how a rematch stands: who has not joined it yet, and who was the first to."""
        again = live.state
        events = await self._live.events_of(live, (range(1, again.version + 1),))
        joined = [
            each.event.seat
            for each in events
            if isinstance(each.event, SeatClaimed) and not each.event.bot
        ]
        message.proposal_id = message.rematch_match_id = str(again.id)
        message.kind = proposals_pb2.PROPOSAL_KIND_REMATCH
        message.seat = next((seat for seat in match.seats if turned(match, seat) in joined[:1]), "")
        message.state = proposals_pb2.PROPOSAL_STATE_ACCEPTED
        if again.waiting:
            message.state = proposals_pb2.PROPOSAL_STATE_PENDING
            message.awaiting_seats.extend(
                seat for seat in match.seats if turned(match, seat) not in again.holders
            )

    async def _made(self, call: Call, match: AnyMatch) -> AnyMatch:
        """The rematch of a match, which is made if there is none yet."""
        name = _name(match.id)
        again = self._mint.match_id(name)
        try:
            return (await self._live.get(again)).state
        except MatchUnknown:
            self._bots.check(self._turned(match), match.seats, "")
            await self._make(call, match, name)
            return (await self._live.get(again)).state

    def _turned(self, match: AnyMatch) -> dict[str, str]:
        """The seats that bots of this service have in the rematch of a match, with their levels:
        they always play again."""
        return {turned(match, seat): level for seat, level in self._bots.held(match).items()}

    async def _seat_bots(self, match: AnyMatch, again: AnyMatch) -> None:
        """Have bots take their seats. Done before the rematch is told of, and also by who asks
        next, should the service have stopped in between."""
        wanted = self._turned(match)
        missing = {seat: wanted[seat] for seat in wanted if seat not in again.holders}
        if missing:
            self._bots.check(missing, again.seats, "")
            await self._bots.take(again.id, missing, _name(match.id))

    async def _make(self, call: Call, match: AnyMatch, name: str) -> None:
        terms = terms_of_rematch(match)
        beginning = self._new_matches.begin(name, match.rules, match.options, terms)
        setting = Setting(
            match.rules, match.options, match.title, terms=terms, creator=match.affairs.creator
        )
        made = create(
            setting,
            beginning.identity,
            beginning.invitations,
            beginning.stamp,
            seeds=self._mint.seeds(beginning.identity),
        )
        try:
            async with self._quotas.opening(terms.frontend):
                await self._live.create(made)
                call.counted(len(made.events))
        except VersionConflict:
            return  # another player was quicker


def _name(match: UUID) -> str:
    """What the id of the rematch of a match is made from."""
    return f"rematch of {match}"


def _held_seat(match: AnyMatch, role: str) -> str:
    """The caller's seat. ROLE_NOT_ALLOWED for whoever holds none."""
    if role not in match.holders:
        why = f"the token is {role}'s; a player plays again"
        raise ApiError(Reason.ROLE_NOT_ALLOWED, why, role=role)
    return role


def turned(match: AnyMatch, seat: str) -> str:
    """The seat after this one, in order of play."""
    return match.seats[(match.seats.index(seat) + 1) % len(match.seats)]


def terms_of_rematch(match: AnyMatch) -> Terms:
    """Those of the match; but it begins when its players have come, and no creator referees it."""
    usual, terms = Terms(), match.terms
    return replace(
        terms,
        begins="when-full",
        referee="operator" if terms.referee == "operator" else "nobody",
        origin=None,
        admission=usual.admission,
        seat_order=usual.seat_order,
        rematch=match.id,
    )
