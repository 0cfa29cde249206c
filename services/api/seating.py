"""Who sits where: taking and leaving seats, and the referee's role."""

from hmac import compare_digest
from uuid import UUID

from domain.kernel.game import REFEREE
from domain.match import (
    MAX_NAME_LENGTH,
    AnyMatch,
    Changeset,
    SeatClaim,
    assign_referee,
    can_claim_any_seat,
    claim,
    code_digest,
    has_codes,
    invitation_role,
    is_link_code,
    leave,
    seat_for,
)
from projections.queries.full_text import fold_case
from projections.queries.player_names import with_player_names
from projections.views.board_views import MatchRow
from services.accounts.context import RequestContext, require_role
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.idempotency import IdempotentRequest, caller_identity
from services.api.origins import hide_unknown_origins
from services.api.requests import parse_name, parse_uuid, raise_if_denied
from services.mapping import match_messages
from services.runtime import display_names
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.recorded_requests import RecordedRequest, find_recorded_request, replay_decision
from services.wire.emeth.v1 import matches_pb2 as pb


class Seating:
    """Seats players and referees."""

    def __init__(self, live: MatchCache, token_issuer: TokenIssuer) -> None:
        self._live = live
        self._token_issuer = token_issuer

    def own_seat(
        self,
        call: RequestContext,
        request: pb.CreateMatchRequest,
        identity: UUID,
        seats: tuple[str, ...],
    ) -> tuple[SeatClaim | None, str]:
        """The seat that whoever creates a match takes with it, if any, and its token."""
        if not request.HasField("own_seat"):
            return None, ""
        own = request.own_seat
        if own.seat not in seats:
            raise field_invalid("own_seat.seat", f"it is one of {', '.join(seats)}")
        player = _parse_player_name(call, "own_seat.player", own.player)
        entropy = own.entropy
        if call.player is not None:
            return SeatClaim(own.seat, player, "", entropy, call.player), ""
        token = self._token_issuer.token("player", str(identity), own.seat, request.request_id)
        return SeatClaim(own.seat, player, token_digest(token), entropy), token

    async def join_match(
        self, call: RequestContext, request: pb.JoinMatchRequest, caller: str = ""
    ) -> pb.JoinMatchResponse:
        """Take a seat, or the referee's role, and get what is its only token from now on. `caller`
        is who is given it again, where that is not who makes the call."""
        secret = request.client_secret
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        player = _parse_player_name(call, "player", request.player)
        bot = request.bot
        key, token = "", ""
        if call.player is None:
            token = self._token_issuer.token("player", str(identity), request.role, request_id)
            key = token_digest(token)
        shown = call.token if call.player is None else request.invite_code
        await display_names.load_confusables()

        async def decide(live: CachedMatch) -> Decision[tuple[pb.Match, str]]:
            match = live.state
            is_link = bool(call.token) and is_link_code(match, token_digest(call.token))
            own = IdempotentRequest(
                self._token_issuer,
                request_id,
                caller or caller_identity(call, secret, token_is_shared=is_link),
            )
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                seat = first.asked[1] if first.asked[0] == "claim" else ""
                asked = ["claim", request.role or seat, player or str(call.player)]
                asked += [bot] if bot else []
                own.check(first.request, first.version, first.asked, asked)
                return None, (await self._first(call, live, first), seat)
            seat = _claimable_role(match, call, request.role, shown)
            self._check_look(match, seat, player)
            command_context = own.command_context(identity)
            if seat == REFEREE:
                if bot:
                    raise field_invalid("bot", "a bot does not referee")
                taken = raise_if_denied(
                    assign_referee(match, player, key, command_context, call.player)
                )
                return taken, (await self._after(call, taken), seat)
            seeds = self._token_issuer.seeds(identity)
            sits = (seat, player, key, command_context, request.entropy, call.player)
            taken = raise_if_denied(claim(match, *sits, seeds, bot))
            return taken, (await self._after(call, taken), seat)

        after, role = await self._live.command(identity, decide)
        return pb.JoinMatchResponse(match=after, role=role, token=token)

    async def leave_match(
        self, call: RequestContext, request: pb.LeaveMatchRequest
    ) -> pb.LeaveMatchResponse:
        """Give a seat back."""
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        code = self._token_issuer.token("code", str(identity), request.seat, request_id)
        own = IdempotentRequest(self._token_issuer, request_id, caller_identity(call))

        async def decide(live: CachedMatch) -> Decision[tuple[pb.Match, str]]:
            match = live.state
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                own.check(first.request, first.version, first.asked, ["leave", request.seat])
                left = await replay_decision(self._live, live, first)
                return None, (await self._after(call, left), self._code(left, request.seat, code))
            _check_seat(match, request.seat)
            if not _holds_seat(match, call, request.seat):
                raise ApiError(
                    Reason.ROLE_NOT_ALLOWED, f"to leave {request.seat} takes that seat's token"
                )
            command_context = own.command_context(identity)
            left = raise_if_denied(leave(match, request.seat, command_context, token_digest(code)))
            return left, (await self._after(call, left), self._code(left, request.seat, code))

        after, code = await self._live.command(identity, decide)
        return pb.LeaveMatchResponse(match=after, invite_code=code)

    def _code(self, left: Changeset[AnyMatch], seat: str, new: str) -> str:
        """The code for whoever takes the seat next: the new one, if it was given out; else the
        first, where that is a code."""
        if seat in left.state.details.codes:
            return new
        return self._token_issuer.invitation(left.state.id, seat) if has_codes(left.state) else ""

    async def _after(self, call: RequestContext, changeset: Changeset[AnyMatch]) -> pb.Match:
        """The match after what was decided."""
        known = await hide_unknown_origins(self._live, changeset.state, call)
        match = with_player_names(known, self._live.names)
        stands = MatchRow(match, changeset.events[-1].event.at, "", 0)
        return match_messages.match_or_fault(stands)

    async def _first(
        self, call: RequestContext, live: CachedMatch, first: RecordedRequest
    ) -> pb.Match:
        """The match as a request left it that comes again."""
        return await self._after(call, await replay_decision(self._live, live, first))

    def _check_look(self, match: AnyMatch, seat: str, player: str) -> None:
        """FIELD_INVALID if a name that was typed passes for another's in the match: for that of a
        frontend's player, or for another one that differs in what can hardly be seen. One person
        may take several seats under one name."""
        holders = {**match.holders, REFEREE: match.details.referee}
        for place, holder in holders.items():
            if not player or place == seat or holder is None:
                continue
            name = holder.player if holder.id is None else self._live.names(holder.id)
            same = holder.id is None and fold_case(name) == fold_case(player)
            if not same and display_names.are_confusable(name, player):
                why = f"it looks like {name}, which is the name of {place}"
                raise field_invalid("player", why)


def _parse_player_name(call: RequestContext, field: str, text: str) -> str:
    """The name of who takes a seat; empty for a frontend's player, who is known by an id."""
    if call.player is not None:
        if text:
            raise field_invalid(field, "the frontend has told the player's name: leave it empty")
        return ""
    return parse_name(field, text, MAX_NAME_LENGTH, 1)


def _check_seat(match: AnyMatch, seat: str) -> None:
    if seat not in match.seats:
        raise ApiError(
            Reason.SEAT_INVALID, f"{seat[:40]!r} is not a seat; {', '.join(match.seats)} are"
        )


def _holds_seat(match: AnyMatch, call: RequestContext, seat: str) -> bool:
    """Does the caller show the seat's own token?"""
    holder = match.holders.get(seat)
    if holder is not None and call.player is not None:
        return holder.id == call.player
    if holder is not None and call.token and compare_digest(holder.key, token_digest(call.token)):
        call.proved(call)
        return True
    return require_role(match, call, seat) == seat


def _claimable_role(match: AnyMatch, call: RequestContext, wanted: str, shown: str) -> str:
    """The seat that the caller may take, or `referee`, by the token or code that is shown."""
    if wanted != REFEREE and can_claim_any_seat(match, token_digest(shown)):
        if wanted:
            _check_seat(match, wanted)
        if (place := seat_for(match, wanted)) is not None:
            return place
        if wanted:
            raise field_invalid("role", "seats are taken in order here: leave it empty")
        raise ApiError(Reason.MATCH_FULL, match=match.id)
    if wanted != REFEREE and _came_too_late(match, shown):
        raise ApiError(Reason.MATCH_FULL, match=match.id)
    if not wanted and shown:
        wanted = invitation_role(match, token_digest(shown))
    _check_invited(match, call, wanted, shown)
    return wanted


def _came_too_late(match: AnyMatch, shown: str) -> bool:
    """Return whether all seats are taken, and the caller could have had any of them before."""
    by_link = bool(shown) and is_link_code(match, token_digest(shown))
    was_admitted = by_link or (not shown and match.terms.admission == "anybody")
    return was_admitted and all(seat in match.holders for seat in match.seats)


def _check_invited(match: AnyMatch, call: RequestContext, role: str, shown: str) -> None:
    """The caller shows what invites to this seat, or to the referee's role."""
    if not role and call.player is None:
        require_role(match, call)  # which tells what is wrong with the token
    if role != REFEREE:
        _check_seat(match, role)
    # Of a seat that is taken, so that whoever comes second is told that.
    code = match.invitations.get(role) if role in match.holders else code_digest(match, role)
    if shown and code is not None and compare_digest(code, token_digest(shown)):
        call.proved(call)
        return
    if call.player is not None:
        raise ApiError(
            Reason.TOKEN_WRONG_MATCH,
            f"to take {role} takes its token or code, in `invite_code`",
            match=match.id,
        )
    if (own := require_role(match, call)) != role or role == REFEREE:
        to = "the referee's role" if role == REFEREE else role
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED, f"the token is {own}'s, and does not invite to {to}", role=own
        )
