"""Rematches: a finished match is played again by its players, with the seats turned."""

from msgspec.structs import replace

from domain.match import WAITING_TERM, AnyMatch, Setting, Terms, create
from services import match_messages
from services.accounts.quotas import Quotas
from services.api.new_matches import NewMatches
from services.api.repetitions import caller_of
from services.api.requests import identifier
from services.api.seating import Seating
from services.bots.hosting import BotHost
from services.callers import Call, role_in
from services.errors import ApiError, Reason
from services.store.errors import MatchUnknown, VersionConflict
from services.store.live_matches import LiveMatches
from services.tokens import Mint
from services.wire.emeth.v1 import matches_pb2 as pb


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

    async def rematch(self, call: Call, request: pb.RematchRequest) -> pb.RematchResponse:
        """Take one's seat in the rematch of a match, which is made if there is none yet."""
        identity = identifier("match_id", request.match_id)
        match = (await self._live.get(identity)).state
        role = role_in(match, call)
        holder = match.holders.get(role)
        if holder is None:
            raise ApiError(
                Reason.ROLE_NOT_ALLOWED, f"the token is {role}'s; a player plays again", role=role
            )
        if match.result is None:
            raise ApiError(Reason.MATCH_NOT_OVER, "a match is played again when it is over")
        made = await self._made(match)
        again = made.id
        await self._seat_bots(match, made)
        seat = turned(match, role)
        code, is_player = self._mint.invitation(again, seat), call.player is not None
        claimed = await self._seating.join_match(
            call if is_player else replace(call, token=code),
            pb.JoinMatchRequest(
                request_id=request.request_id,
                match_id=str(again),
                role=seat,
                player="" if is_player else holder.player,
                invite_code=code if is_player else "",
                entropy=request.entropy,
                bot=holder.bot,
            ),
            caller_of(call),
        )
        live = await self._live.get(again)
        return pb.RematchResponse(
            match=match_messages.match(live.state, live.state.created),
            seat=seat,
            token=claimed.token,
        )

    async def _made(self, match: AnyMatch) -> AnyMatch:
        """The rematch of a match, which is made if there is none yet."""
        name = f"rematch of {match.id}"
        again = self._mint.match_id(name)
        try:
            return (await self._live.get(again)).state
        except MatchUnknown:
            self._bots.check(self._turned(match), match.seats, "")
            await self._make(match, name)
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
            await self._bots.take(again.id, missing, f"rematch of {match.id}")

    async def _make(self, match: AnyMatch, name: str) -> None:
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
        except VersionConflict:
            return  # another player was quicker


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
        waiting_seconds=int(WAITING_TERM.total_seconds()),
    )
