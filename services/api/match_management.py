"""Management of matches: titles and visibility, invites, and cancelling."""

from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

from domain.kernel.game import REFEREE, SPECTATOR
from domain.log.ledger import Denied
from domain.log.origin import Stamp
from domain.match import (
    LINK,
    LONGEST_NAME,
    AnyMatch,
    Decided,
    InviteCreated,
    RefereeInvited,
    cancel,
    has_codes,
    invite,
    invite_referee,
    revoke_invite,
    update,
)
from projections.queries.player_names import named
from projections.views.board_views import Standing
from services.accounts.context import Call, check_admin, find_role, is_admin, manages, role_in
from services.accounts.tokens import Mint, key_of
from services.api.etags import check_etag
from services.api.field_masks import update_paths
from services.api.origins import with_known_origins
from services.api.player_invites import PlayerInvites
from services.api.repetitions import Repeatable, caller_of
from services.api.requests import check_same, identifier, name_text, not_denied, uuid_of
from services.mapping import match_messages
from services.runtime.errors import ApiError, Reason, malformed
from services.store.first_answers import decided_again, first_answer
from services.store.match_cache import Decision, LiveMatch, LiveMatches
from services.wire.emeth.v1 import matches_pb2 as pb

UPDATABLE: Final = ("title", "visibility", "shared")
ROLES: Final = {
    pb.INVITE_KIND_SEAT: LINK,
    pb.INVITE_KIND_REFEREE: REFEREE,
    pb.INVITE_KIND_SPECTATOR: SPECTATOR,
}
VISIBILITIES: Final = {message: each for each, message in match_messages.VISIBILITIES.items()}

Change = Callable[[AnyMatch, Stamp], Decided[AnyMatch] | Denied]
Check = Callable[[AnyMatch], None]


class MatchManagement:
    """Handles the calls of those who manage a match: its creator, its frontend, the operator."""

    def __init__(
        self, live: LiveMatches, mint: Mint, invites: PlayerInvites, admin_key: str
    ) -> None:
        self._live = live
        self._invites = invites
        self._mint = mint
        self._admin_key = key_of(admin_key)

    async def update_match(
        self, call: Call, request: pb.UpdateMatchRequest
    ) -> pb.UpdateMatchResponse:
        """Change the title of a match, and who may see it."""
        given = request.match
        paths = update_paths(given, request.update_mask, UPDATABLE)
        if not paths:
            raise malformed("update_mask", f"name what is updated: {', '.join(UPDATABLE)}")
        title = name_text("match.title", given.title, LONGEST_NAME) if "title" in paths else None
        visibility = VISIBILITIES.get(given.visibility, "private")
        seen = visibility if "visibility" in paths else None
        shared = given.shared if "shared" in paths else None

        def check(match: AnyMatch) -> None:
            self._check_manages(match, call, "update the match")
            check_etag(request.etag, match_messages.etag_of(match))

        decided = await self._changed(
            call,
            identifier("match.match_id", given.match_id),
            request.request_id,
            ["update", title, seen, shared],
            check,
            lambda match, stamp: update(match, stamp, title=title, visibility=seen, shared=shared),
        )
        return pb.UpdateMatchResponse(match=await self._message(call, decided))

    async def cancel_match(
        self, call: Call, request: pb.CancelMatchRequest
    ) -> pb.CancelMatchResponse:
        """Cancel a match that waits for its players."""
        match = await self.cancel(
            call,
            uuid_of(request.match_id),
            request.request_id,
            lambda match: self._check_manages(match, call, "cancel the match"),
            lambda match: self._acts_as(match, call),
        )
        return pb.CancelMatchResponse(match=match)

    async def cancel(
        self,
        call: Call,
        identity: UUID,
        request_id: str,
        check: Check,
        acts_as: Callable[[AnyMatch], str],
    ) -> pb.Match:
        """Cancel a match that waits, if `check` raises nothing; and return it. `acts_as` is the
        role of who calls."""

        def change(match: AnyMatch, stamp: Stamp) -> Decided[AnyMatch] | Denied:
            return cancel(match, stamp, by=acts_as(match), by_player=call.player)

        decided = await self._changed(call, identity, request_id, ["cancel"], check, change)
        return await self._message(call, decided)

    async def create_invite(
        self, call: Call, request: pb.CreateInviteRequest
    ) -> pb.CreateInviteResponse:
        """Give out a code by which somebody joins, or looks on; a player gets it in a notice."""
        role, identity = _role(request), uuid_of(request.match_id)
        request_id = request.request_id.lower()
        player = uuid_of(request.player_id) if request.player_id else None
        is_operator = is_admin(call, self._admin_key)
        known = player and await self._invites.may_invite(call, player, is_admin=is_operator)
        may_invite = self._may_invite(call, role)

        def code(version: int) -> str:
            if player is not None:
                return self._invites.code(identity, role, player, version)
            return self._mint.token("code", str(identity), role, request_id)

        def check(match: AnyMatch) -> None:
            may_invite(match)
            if player is not None and not known:
                raise ApiError(Reason.PLAYER_NOT_FOUND, player=player)
            if player is not None:
                self._invites.count(call, player)

        def change(match: AnyMatch, stamp: Stamp) -> Decided[AnyMatch] | Denied:
            key = key_of(code(match.version + 1))
            if role == REFEREE:
                return invite_referee(match, key, stamp)
            return invite(match, role, key, stamp)

        asked = ["invite-referee"] if role == REFEREE else ["invite", role]
        decided = await self._changed(call, identity, request_id, asked, check, change, secret=True)
        given = decided.events[0].event
        own = code(given.version)
        if not isinstance(given, InviteCreated | RefereeInvited) or given.key != key_of(own):
            check_same(request_id, given.version, asked, [*asked, str(player or "")])
        if player is not None:
            by = self._acts_as(decided.state, call)
            request_of = Repeatable(self._mint, request_id, caller_of(call))
            await self._invites.record(request_of, call, player, given, role, by)
        return pb.CreateInviteResponse(
            invite=pb.Invite(
                kind=request.kind,
                seat=request.seat,
                code="" if player else own,
                player_id=request.player_id,
            )
        )

    async def revoke_invite(
        self, call: Call, request: pb.RevokeInviteRequest
    ) -> pb.RevokeInviteResponse:
        """Void what was given out for a role."""
        role = _role(request)
        decided = await self._changed(
            call,
            uuid_of(request.match_id),
            request.request_id,
            ["revoke-invite", role],
            self._may_invite(call, role),
            lambda match, stamp: revoke_invite(match, role, stamp),
        )
        return pb.RevokeInviteResponse(match=await self._message(call, decided))

    async def _changed(
        self,
        call: Call,
        identity: UUID,
        request_id: str,
        asked: Sequence[object],
        check: Check,
        change: Change,
        *,
        secret: bool = False,
    ) -> Decided[AnyMatch]:
        """Make a change, or return what the same request changed before. `check` raises what is in
        the way."""
        request_id = request_id.lower()
        own = Repeatable(self._mint, request_id, caller_of(call))

        async def decide(live: LiveMatch) -> Decision[Decided[AnyMatch]]:
            if (first := await first_answer(self._live, live, request_id)) is not None:
                if secret:
                    own.check(first.request, first.version, first.asked, asked)
                else:
                    own.check_same(first.version, first.asked, asked)
                return None, await decided_again(self._live, live, first)
            check(live.state)
            changed = not_denied(change(live.state, own.stamp(identity)))
            return changed, changed

        return await self._live.command(identity, decide)

    async def _message(self, call: Call, decided: Decided[AnyMatch]) -> pb.Match:
        everything = is_admin(call, self._admin_key)
        known = await with_known_origins(self._live, decided.state, call, everything=everything)
        match = named(known, self._live.names)
        return match_messages.listed_match(Standing(match, decided.events[-1].event.at, "", 0))

    def _acts_as(self, match: AnyMatch, call: Call) -> str:
        """Return the role in which somebody manages a match, as events name it."""
        role = find_role(match, call)
        if role is not None and (role == REFEREE or role in match.seats) and not call.by_key:
            return role
        if is_admin(call, self._admin_key):
            return "operator"
        is_frontends = call.frontend is not None and call.frontend == match.terms.frontend
        return "frontend" if is_frontends else "creator"

    def _check_manages(self, match: AnyMatch, call: Call, what: str) -> None:
        if is_admin(call, self._admin_key) or manages(match, call):
            return
        role = role_in(match, call)
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED, f"the token is {role}'s, which may not {what}", role=role
        )

    def _may_invite(self, call: Call, role: str) -> Check:
        """What checks that the caller may invite to this role."""
        return lambda match: (
            self._check_invites_referee(match, call)
            if role == REFEREE
            else self._check_invites(match, call, role)
        )

    def _check_invites(self, match: AnyMatch, call: Call, role: str) -> None:
        # Of a match that has begun, whoever made it could take a seat that somebody left, with all
        # that it holds. The referee knows that already.
        if role != SPECTATOR and has_codes(match) and not match.waiting:
            if role_in(match, call) != REFEREE:
                raise ApiError(
                    Reason.ROLE_NOT_ALLOWED, "the match has begun: only the referee invites"
                )
            return
        self._check_manages(match, call, "invite")

    def _check_invites_referee(self, match: AnyMatch, call: Call) -> None:
        by_operator = match.terms.referee == "operator"
        if by_operator and match.affairs.referee is None:
            check_admin(call, self._admin_key)
            return
        if by_operator and is_admin(call, self._admin_key):
            return
        if (role := role_in(match, call)) != REFEREE and match.terms.referee != "nobody":
            raise ApiError(
                Reason.ROLE_NOT_ALLOWED,
                f"the token is {role}'s; the referee gives the role",
                role=role,
            )


def _role(request: pb.CreateInviteRequest | pb.RevokeInviteRequest) -> str:
    if request.seat and request.kind != pb.INVITE_KIND_SEAT:
        raise malformed("seat", "it requires INVITE_KIND_SEAT")
    return request.seat or ROLES[request.kind]
