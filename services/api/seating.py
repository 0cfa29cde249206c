"""Who sits where: taking and leaving seats, and the referee's role."""

from hmac import compare_digest
from uuid import UUID

from domain.kernel.game import REFEREE
from domain.match import (
    LONGEST_NAME,
    AnyMatch,
    Decided,
    Sitter,
    claim,
    code_of,
    has_codes,
    invited_to,
    is_admitted,
    is_link_code,
    leave,
    place_for,
    seat_referee,
)
from projections.queries.full_text import folded
from projections.queries.player_names import named
from projections.views.board_views import Standing
from services.accounts.context import Call, role_in
from services.accounts.tokens import Mint, key_of
from services.api.origins import with_known_origins
from services.api.repetitions import Repeatable, caller_of
from services.api.requests import name_text, not_denied, uuid_of
from services.mapping import match_messages
from services.runtime import display_names
from services.runtime.errors import ApiError, Reason, malformed
from services.store.first_answers import FirstAnswer, decided_again, first_answer
from services.store.match_cache import Decision, LiveMatch, LiveMatches
from services.wire.emeth.v1 import matches_pb2 as pb


class Seating:
    """Seats players and referees."""

    def __init__(self, live: LiveMatches, mint: Mint) -> None:
        self._live = live
        self._mint = mint

    def own_seat(
        self, call: Call, request: pb.CreateMatchRequest, identity: UUID, seats: tuple[str, ...]
    ) -> tuple[Sitter | None, str]:
        """The seat that whoever creates a match takes with it, if any, and its token."""
        if not request.HasField("own_seat"):
            return None, ""
        own = request.own_seat
        if own.seat not in seats:
            raise malformed("own_seat.seat", f"it is one of {', '.join(seats)}")
        player = _name(call, "own_seat.player", own.player)
        entropy = own.entropy
        if call.player is not None:
            return Sitter(own.seat, player, "", entropy, call.player), ""
        token = self._mint.token("player", str(identity), own.seat, request.request_id)
        return Sitter(own.seat, player, key_of(token), entropy), token

    async def join_match(
        self, call: Call, request: pb.JoinMatchRequest, caller: str = ""
    ) -> pb.JoinMatchResponse:
        """Take a seat, or the referee's role, and get what is its only token from now on. `caller`
        is who is given it again, where that is not who makes the call."""
        secret = request.client_secret
        identity = uuid_of(request.match_id)
        request_id = request.request_id.lower()
        player = _name(call, "player", request.player)
        bot = request.bot
        key, token = "", ""
        if call.player is None:
            token = self._mint.token("player", str(identity), request.role, request_id)
            key = key_of(token)
        shown = call.token if call.player is None else request.invite_code
        await display_names.prepare()

        async def decide(live: LiveMatch) -> Decision[tuple[pb.Match, str]]:
            match = live.state
            is_link = bool(call.token) and is_link_code(match, key_of(call.token))
            own = Repeatable(
                self._mint, request_id, caller or caller_of(call, secret, token_is_shared=is_link)
            )
            if (first := await first_answer(self._live, live, request_id)) is not None:
                seat = first.asked[1] if first.asked[0] == "claim" else ""
                asked = ["claim", request.role or seat, player or str(call.player)]
                asked += [bot] if bot else []
                own.check(first.request, first.version, first.asked, asked)
                return None, (await self._first(call, live, first), seat)
            seat = _place(match, call, request.role, shown)
            self._check_look(match, seat, player)
            stamp = own.stamp(identity)
            if seat == REFEREE:
                if bot:
                    raise malformed("bot", "a bot does not referee")
                taken = not_denied(seat_referee(match, player, key, stamp, call.player))
                return taken, (await self._after(call, taken), seat)
            seeds = self._mint.seeds(identity)
            sits = (seat, player, key, stamp, request.entropy, call.player)
            taken = not_denied(claim(match, *sits, seeds, bot))
            return taken, (await self._after(call, taken), seat)

        after, role = await self._live.command(identity, decide)
        return pb.JoinMatchResponse(match=after, role=role, token=token)

    async def leave_match(self, call: Call, request: pb.LeaveMatchRequest) -> pb.LeaveMatchResponse:
        """Give a seat back."""
        identity = uuid_of(request.match_id)
        request_id = request.request_id.lower()
        code = self._mint.token("code", str(identity), request.seat, request_id)
        own = Repeatable(self._mint, request_id, caller_of(call))

        async def decide(live: LiveMatch) -> Decision[tuple[pb.Match, str]]:
            match = live.state
            if (first := await first_answer(self._live, live, request_id)) is not None:
                own.check(first.request, first.version, first.asked, ["leave", request.seat])
                left = await decided_again(self._live, live, first)
                return None, (await self._after(call, left), self._code(left, request.seat, code))
            _check_seat(match, request.seat)
            if not _holds(match, call, request.seat):
                raise ApiError(
                    Reason.ROLE_NOT_ALLOWED, f"to leave {request.seat} takes that seat's token"
                )
            stamp = own.stamp(identity)
            left = not_denied(leave(match, request.seat, stamp, key_of(code)))
            return left, (await self._after(call, left), self._code(left, request.seat, code))

        after, code = await self._live.command(identity, decide)
        return pb.LeaveMatchResponse(match=after, invite_code=code)

    def _code(self, left: Decided[AnyMatch], seat: str, new: str) -> str:
        """The code for whoever takes the seat next: the new one, if it was given out; else the
        first, where that is a code."""
        if seat in left.state.affairs.codes:
            return new
        return self._mint.invitation(left.state.id, seat) if has_codes(left.state) else ""

    async def _after(self, call: Call, decided: Decided[AnyMatch]) -> pb.Match:
        """The match after what was decided."""
        known = await with_known_origins(self._live, decided.state, call)
        match = named(known, self._live.names)
        stands = Standing(match, decided.events[-1].event.at, "", 0)
        return match_messages.listed_match(stands)

    async def _first(self, call: Call, live: LiveMatch, first: FirstAnswer) -> pb.Match:
        """The match as a request left it that comes again."""
        return await self._after(call, await decided_again(self._live, live, first))

    def _check_look(self, match: AnyMatch, seat: str, player: str) -> None:
        """FIELD_INVALID if a name that was typed passes for another's in the match: for that of a
        frontend's player, or for another one that differs in what can hardly be seen. One person
        may take several seats under one name."""
        holders = {**match.holders, REFEREE: match.affairs.referee}
        for place, holder in holders.items():
            if not player or place == seat or holder is None:
                continue
            name = holder.player if holder.id is None else self._live.names(holder.id)
            same = holder.id is None and folded(name) == folded(player)
            if not same and display_names.look_alike(name, player):
                why = f"it looks like {name}, which is the name of {place}"
                raise malformed("player", why)


def _name(call: Call, field: str, text: str) -> str:
    """The name of who takes a seat; empty for a frontend's player, who is known by an id."""
    if call.player is not None:
        if text:
            raise malformed(field, "the frontend has told the player's name: leave it empty")
        return ""
    return name_text(field, text, LONGEST_NAME, 1)


def _check_seat(match: AnyMatch, seat: str) -> None:
    if seat not in match.seats:
        raise ApiError(
            Reason.SEAT_INVALID, f"{seat[:40]!r} is not a seat; {', '.join(match.seats)} are"
        )


def _holds(match: AnyMatch, call: Call, seat: str) -> bool:
    """Does the caller show the seat's own token?"""
    holder = match.holders.get(seat)
    if holder is not None and call.player is not None:
        return holder.id == call.player
    if holder is not None and call.token and compare_digest(holder.key, key_of(call.token)):
        call.proved(call)
        return True
    return role_in(match, call, seat) == seat


def _place(match: AnyMatch, call: Call, wanted: str, shown: str) -> str:
    """The seat that the caller may take, or `referee`, by the token or code that is shown."""
    if wanted != REFEREE and is_admitted(match, key_of(shown)):
        if wanted:
            _check_seat(match, wanted)
        if (place := place_for(match, wanted)) is not None:
            return place
        if wanted:
            raise malformed("role", "seats are taken in order here: leave it empty")
        raise ApiError(Reason.MATCH_FULL, match=match.id)
    if wanted != REFEREE and _is_late(match, shown):
        raise ApiError(Reason.MATCH_FULL, match=match.id)
    if not wanted and shown:
        wanted = invited_to(match, key_of(shown))
    _check_invited(match, call, wanted, shown)
    return wanted


def _is_late(match: AnyMatch, shown: str) -> bool:
    """Return whether all seats are taken, and the caller could have had any of them before."""
    by_link = bool(shown) and is_link_code(match, key_of(shown))
    was_admitted = by_link or (not shown and match.terms.admission == "anybody")
    return was_admitted and all(seat in match.holders for seat in match.seats)


def _check_invited(match: AnyMatch, call: Call, role: str, shown: str) -> None:
    """The caller shows what invites to this seat, or to the referee's role."""
    if not role and call.player is None:
        role_in(match, call)  # which tells what is wrong with the token
    if role != REFEREE:
        _check_seat(match, role)
    # Of a seat that is taken, so that whoever comes second is told that.
    code = match.invitations.get(role) if role in match.holders else code_of(match, role)
    if shown and code is not None and compare_digest(code, key_of(shown)):
        call.proved(call)
        return
    if call.player is not None:
        raise ApiError(
            Reason.TOKEN_WRONG_MATCH,
            f"to take {role} takes its token or code, in `invite_code`",
            match=match.id,
        )
    if (own := role_in(match, call)) != role or role == REFEREE:
        to = "the referee's role" if role == REFEREE else role
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED, f"the token is {own}'s, and does not invite to {to}", role=own
        )
