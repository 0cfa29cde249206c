"""Joining and leaving: seats and the referee role."""

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
    """Lets players join and leave seats, and referees join matches."""

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
        """Return the seat that the creator of a match takes with it, if any, and its token."""
        if not request.HasField("own_seat"):
            return None, ""
        own = request.own_seat
        if own.seat not in seats:
            raise field_invalid("own_seat.seat", f"it must be one of {', '.join(seats)}")
        player = _parse_player_name(call, "own_seat.player", own.player)
        entropy = own.entropy
        if call.player is not None:
            return SeatClaim(own.seat, player, "", entropy, call.player), ""
        token = self._token_issuer.token("player", str(identity), own.seat, request.request_id)
        return SeatClaim(own.seat, player, token_digest(token), entropy), token

    async def join_match(
        self, call: RequestContext, request: pb.JoinMatchRequest, caller: str = ""
    ) -> pb.JoinMatchResponse:
        """Claim a seat or the referee role. The token in the response replaces all earlier ones.

        `caller` is the identity that may repeat the request, if it is not the caller's own.
        """
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
                seat = first.command[1] if first.command[0] == "claim" else ""
                asked = ["claim", request.role or seat, player or str(call.player)]
                asked += [bot] if bot else []
                own.check(first.request, first.version, first.command, asked)
                return None, (await self._first_response(call, live, first), seat)
            seat = _claimable_role(match, call, request.role, shown)
            self._check_look(match, seat, player)
            command_context = own.command_context(identity)
            if seat == REFEREE:
                if bot:
                    raise field_invalid("bot", "a bot cannot be the referee")
                taken = raise_if_denied(
                    assign_referee(match, player, key, command_context, call.player)
                )
                return taken, (await self._visible_match(call, taken), seat)
            seeds = self._token_issuer.seeds(identity)
            sits = (seat, player, key, command_context, request.entropy, call.player)
            taken = raise_if_denied(claim(match, *sits, seeds, bot))
            return taken, (await self._visible_match(call, taken), seat)

        after, role = await self._live.command(identity, decide)
        return pb.JoinMatchResponse(match=after, role=role, token=token)

    async def leave_match(
        self, call: RequestContext, request: pb.LeaveMatchRequest
    ) -> pb.LeaveMatchResponse:
        """Leave a seat of a match."""
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        code = self._token_issuer.token("code", str(identity), request.seat, request_id)
        own = IdempotentRequest(self._token_issuer, request_id, caller_identity(call))

        async def decide(live: CachedMatch) -> Decision[tuple[pb.Match, str]]:
            match = live.state
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                own.check(first.request, first.version, first.command, ["leave", request.seat])
                left = await replay_decision(self._live, live, first)
                return None, (
                    await self._visible_match(call, left),
                    self._code(left, request.seat, code),
                )
            _check_seat(match, request.seat)
            if not _holds_seat(match, call, request.seat):
                raise ApiError(
                    Reason.ROLE_NOT_ALLOWED, f"leaving {request.seat} needs that seat's token"
                )
            command_context = own.command_context(identity)
            left = raise_if_denied(leave(match, request.seat, command_context, token_digest(code)))
            return left, (
                await self._visible_match(call, left),
                self._code(left, request.seat, code),
            )

        after, code = await self._live.command(identity, decide)
        return pb.LeaveMatchResponse(match=after, invite_code=code)

    def _code(self, left: Changeset[AnyMatch], seat: str, new: str) -> str:
        """Return the code with which the next player joins the seat, if there is one."""
        if seat in left.state.details.codes:
            return new
        return self._token_issuer.invitation(left.state.id, seat) if has_codes(left.state) else ""

    async def _visible_match(
        self, call: RequestContext, changeset: Changeset[AnyMatch]
    ) -> pb.Match:
        """Return the match after a decision."""
        known = await hide_unknown_origins(self._live, changeset.state, call)
        match = with_player_names(known, self._live.names)
        stands = MatchRow(match, changeset.events[-1].event.at, "", 0)
        return match_messages.match_or_fault(stands)

    async def _first_response(
        self, call: RequestContext, live: CachedMatch, first: RecordedRequest
    ) -> pb.Match:
        """Return the match after the first of repeated requests."""
        return await self._visible_match(call, await replay_decision(self._live, live, first))

    def _check_look(self, match: AnyMatch, seat: str, player: str) -> None:
        """Raise FIELD_INVALID if a typed name looks like another name in the match.

        The names of players of frontends may not be used at all. One person may take several seats
        with the same typed name.
        """
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
    """Return the name of a joining player; empty for a frontend's player, who has an ID."""
    if call.player is not None:
        if text:
            raise field_invalid(
                field, "it must be empty: the player's name comes from the frontend"
            )
        return ""
    return parse_name(field, text, MAX_NAME_LENGTH, 1)


def _check_seat(match: AnyMatch, seat: str) -> None:
    if seat not in match.seats:
        raise ApiError(
            Reason.SEAT_INVALID,
            f"{seat[:40]!r} is not a seat of the match; its seats are {', '.join(match.seats)}",
        )


def _holds_seat(match: AnyMatch, call: RequestContext, seat: str) -> bool:
    """Return whether the caller has the token of this seat."""
    holder = match.holders.get(seat)
    if holder is not None and call.player is not None:
        return holder.id == call.player
    if holder is not None and call.token and compare_digest(holder.key, token_digest(call.token)):
        call.confirm_tokens(call)
        return True
    return require_role(match, call, seat) == seat


def _claimable_role(match: AnyMatch, call: RequestContext, wanted: str, shown: str) -> str:
    """Return the role that the caller may claim with its token or code."""
    if wanted != REFEREE and can_claim_any_seat(match, token_digest(shown)):
        if wanted:
            _check_seat(match, wanted)
        if (place := seat_for(match, wanted)) is not None:
            return place
        if wanted:
            raise field_invalid("role", "it must be empty: this match assigns the seats")
        raise ApiError(Reason.MATCH_FULL, match=match.id)
    if wanted != REFEREE and _missed_admission(match, shown):
        raise ApiError(Reason.MATCH_FULL, match=match.id)
    if not wanted and shown:
        wanted = invitation_role(match, token_digest(shown))
    _check_invited(match, call, wanted, shown)
    return wanted


def _missed_admission(match: AnyMatch, shown: str) -> bool:
    """Return whether all seats are taken, and the caller could have claimed one before."""
    by_link = bool(shown) and is_link_code(match, token_digest(shown))
    was_admitted = by_link or (not shown and match.terms.admission == "anybody")
    return was_admitted and all(seat in match.holders for seat in match.seats)


def _check_invited(match: AnyMatch, call: RequestContext, role: str, shown: str) -> None:
    """Raise an error unless the token or code invites to this role."""
    if not role and call.player is None:
        require_role(match, call)  # which raises an error for the token
    if role != REFEREE:
        _check_seat(match, role)
    # The code of a taken seat counts, too, so that a second caller gets the right error.
    code = match.invitations.get(role) if role in match.holders else code_digest(match, role)
    if shown and code is not None and compare_digest(code, token_digest(shown)):
        call.confirm_tokens(call)
        return
    if call.player is not None:
        raise ApiError(
            Reason.TOKEN_WRONG_MATCH,
            f"taking {role} needs its invitation token, or its code in `invite_code`",
            match=match.id,
        )
    if (own := require_role(match, call)) != role or role == REFEREE:
        to = "the referee's role" if role == REFEREE else role
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED,
            f"the token is {own}'s, which does not invite to {to}",
            role=own,
        )
