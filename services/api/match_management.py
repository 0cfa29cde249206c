"""Management of matches: titles and visibility, invites, and cancelling."""

from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

from domain.kernel.game import REFEREE, SPECTATOR
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.match import (
    LINK,
    MAX_NAME_LENGTH,
    AnyMatch,
    Changeset,
    InviteCreated,
    RefereeInvited,
    cancel,
    has_codes,
    invite,
    invite_referee,
    revoke_invite,
    update,
)
from projections.queries.player_names import with_player_names
from projections.views.board_views import MatchRow
from services.accounts.context import (
    RequestContext,
    can_manage,
    find_role,
    is_admin,
    require_admin,
    require_role,
)
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.etags import check_etag
from services.api.field_masks import update_paths
from services.api.idempotency import IdempotentRequest, caller_identity
from services.api.origins import hide_unknown_origins
from services.api.player_invites import PlayerInvites
from services.api.requests import (
    check_same,
    parse_id_field,
    parse_name,
    parse_uuid,
    raise_if_denied,
)
from services.mapping import match_messages
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.recorded_requests import find_recorded_request, replay_decision
from services.wire.emeth.v1 import matches_pb2 as pb

UPDATABLE: Final = ("title", "visibility", "shared")
ROLES: Final = {
    pb.INVITE_KIND_SEAT: LINK,
    pb.INVITE_KIND_REFEREE: REFEREE,
    pb.INVITE_KIND_SPECTATOR: SPECTATOR,
}
VISIBILITIES: Final = {message: each for each, message in match_messages.VISIBILITIES.items()}

MatchChange = Callable[[AnyMatch, CommandContext], Changeset[AnyMatch] | Rejection]
MatchCheck = Callable[[AnyMatch], None]


class MatchManagement:
    """Handles the calls of those who manage a match: its creator, its frontend, the operator."""

    def __init__(
        self, live: MatchCache, token_issuer: TokenIssuer, invites: PlayerInvites, admin_key: str
    ) -> None:
        self._live = live
        self._invites = invites
        self._token_issuer = token_issuer
        self._admin_key = token_digest(admin_key)

    async def update_match(
        self, call: RequestContext, request: pb.UpdateMatchRequest
    ) -> pb.UpdateMatchResponse:
        """Change the title of a match, and who may see it."""
        given = request.match
        paths = update_paths(given, request.update_mask, UPDATABLE)
        if not paths:
            raise field_invalid(
                "update_mask", f"name the fields to update, of: {', '.join(UPDATABLE)}"
            )
        title = (
            parse_name("match.title", given.title, MAX_NAME_LENGTH) if "title" in paths else None
        )
        visibility = VISIBILITIES.get(given.visibility, "private")
        seen = visibility if "visibility" in paths else None
        shared = given.shared if "shared" in paths else None

        def check(match: AnyMatch) -> None:
            self._check_manages(match, call, "update the match")
            check_etag(request.etag, match_messages.etag_of(match))

        changeset = await self._change(
            call,
            parse_id_field("match.match_id", given.match_id),
            request.request_id,
            ["update", title, seen, shared],
            check,
            lambda match, command_context: update(
                match, command_context, title=title, visibility=seen, shared=shared
            ),
        )
        return pb.UpdateMatchResponse(match=await self._message(call, changeset))

    async def cancel_match(
        self, call: RequestContext, request: pb.CancelMatchRequest
    ) -> pb.CancelMatchResponse:
        """Cancel a match that waits for its players."""
        match = await self.cancel(
            call,
            parse_uuid(request.match_id),
            request.request_id,
            lambda match: self._check_manages(match, call, "cancel the match"),
            lambda match: self._acting_role(match, call),
        )
        return pb.CancelMatchResponse(match=match)

    async def cancel(
        self,
        call: RequestContext,
        identity: UUID,
        request_id: str,
        check: MatchCheck,
        acts_as: Callable[[AnyMatch], str],
    ) -> pb.Match:
        """Cancel a match that waits for players, if `check` raises nothing, and return it.

        `acts_as` returns the role of the caller.
        """

        def change(
            match: AnyMatch, command_context: CommandContext
        ) -> Changeset[AnyMatch] | Rejection:
            return cancel(match, command_context, by=acts_as(match), by_player=call.player)

        changeset = await self._change(call, identity, request_id, ["cancel"], check, change)
        return await self._message(call, changeset)

    async def create_invite(
        self, call: RequestContext, request: pb.CreateInviteRequest
    ) -> pb.CreateInviteResponse:
        """Create a code to join or spectate. An invited player gets it in a notice."""
        role, identity = _invited_role(request), parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        player = parse_uuid(request.player_id) if request.player_id else None
        is_operator = is_admin(call, self._admin_key)
        known = player and await self._invites.can_invite(call, player, is_admin=is_operator)
        can_invite = self._may_invite(call, role)

        def code(version: int) -> str:
            if player is not None:
                return self._invites.code(identity, role, player, version)
            return self._token_issuer.token("code", str(identity), role, request_id)

        def check(match: AnyMatch) -> None:
            can_invite(match)
            if player is not None and not known:
                raise ApiError(Reason.PLAYER_NOT_FOUND, player=player)
            if player is not None:
                self._invites.count(call, player)

        def change(
            match: AnyMatch, command_context: CommandContext
        ) -> Changeset[AnyMatch] | Rejection:
            key = token_digest(code(match.version + 1))
            if role == REFEREE:
                return invite_referee(match, key, command_context)
            return invite(match, role, key, command_context)

        asked = ["invite-referee"] if role == REFEREE else ["invite", role]
        changeset = await self._change(
            call, identity, request_id, asked, check, change, secret=True
        )
        given = changeset.events[0].event
        own = code(given.version)
        if not isinstance(given, InviteCreated | RefereeInvited) or given.key != token_digest(own):
            check_same(request_id, given.version, asked, [*asked, str(player or "")])
        if player is not None:
            by = self._acting_role(changeset.state, call)
            request_of = IdempotentRequest(self._token_issuer, request_id, caller_identity(call))
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
        self, call: RequestContext, request: pb.RevokeInviteRequest
    ) -> pb.RevokeInviteResponse:
        """Revoke the invite of a role."""
        role = _invited_role(request)
        changeset = await self._change(
            call,
            parse_uuid(request.match_id),
            request.request_id,
            ["revoke-invite", role],
            self._may_invite(call, role),
            lambda match, command_context: revoke_invite(match, role, command_context),
        )
        return pb.RevokeInviteResponse(match=await self._message(call, changeset))

    async def _change(
        self,
        call: RequestContext,
        identity: UUID,
        request_id: str,
        asked: Sequence[object],
        check: MatchCheck,
        change: MatchChange,
        *,
        secret: bool = False,
    ) -> Changeset[AnyMatch]:
        """Make a change, or return the result of the same request before.

        `check` raises an error if the change is not allowed.
        """
        request_id = request_id.lower()
        own = IdempotentRequest(self._token_issuer, request_id, caller_identity(call))

        async def decide(live: CachedMatch) -> Decision[Changeset[AnyMatch]]:
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                if secret:
                    own.check(first.request, first.version, first.command, asked)
                else:
                    own.check_same(first.version, first.command, asked)
                return None, await replay_decision(self._live, live, first)
            check(live.state)
            changed = raise_if_denied(change(live.state, own.command_context(identity)))
            return changed, changed

        return await self._live.command(identity, decide)

    async def _message(self, call: RequestContext, changeset: Changeset[AnyMatch]) -> pb.Match:
        everything = is_admin(call, self._admin_key)
        known = await hide_unknown_origins(self._live, changeset.state, call, everything=everything)
        match = with_player_names(known, self._live.names)
        return match_messages.match_or_fault(MatchRow(match, changeset.events[-1].event.at, "", 0))

    def _acting_role(self, match: AnyMatch, call: RequestContext) -> str:
        """Return the role in which the caller manages a match, as events record it."""
        role = find_role(match, call)
        if (
            role is not None
            and (role == REFEREE or role in match.seats)
            and not call.has_only_frontend_key
        ):
            return role
        if is_admin(call, self._admin_key):
            return "operator"
        is_frontends = call.frontend is not None and call.frontend == match.terms.frontend
        return "frontend" if is_frontends else "creator"

    def _check_manages(self, match: AnyMatch, call: RequestContext, what: str) -> None:
        if is_admin(call, self._admin_key) or can_manage(match, call):
            return
        role = require_role(match, call)
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED, f"the token is {role}'s, which may not {what}", role=role
        )

    def _may_invite(self, call: RequestContext, role: str) -> MatchCheck:
        """Return a check that the caller may invite to this role."""
        return lambda match: (
            self._check_invites_referee(match, call)
            if role == REFEREE
            else self._check_invites(match, call, role)
        )

    def _check_invites(self, match: AnyMatch, call: RequestContext, role: str) -> None:
        # Of a match that has begun, its creator could take a seat that somebody left, with all
        # that it holds. The referee knows that already.
        if role != SPECTATOR and has_codes(match) and not match.waiting:
            if require_role(match, call) != REFEREE:
                raise ApiError(
                    Reason.ROLE_NOT_ALLOWED, "the match has started, so only the referee may invite"
                )
            return
        self._check_manages(match, call, "invite")

    def _check_invites_referee(self, match: AnyMatch, call: RequestContext) -> None:
        by_operator = match.terms.referee == "operator"
        if by_operator and match.details.referee is None:
            require_admin(call, self._admin_key)
            return
        if by_operator and is_admin(call, self._admin_key):
            return
        if (role := require_role(match, call)) != REFEREE and match.terms.referee != "nobody":
            raise ApiError(
                Reason.ROLE_NOT_ALLOWED,
                f"the token is {role}'s; only the referee may invite a referee",
                role=role,
            )


def _invited_role(request: pb.CreateInviteRequest | pb.RevokeInviteRequest) -> str:
    if request.seat and request.kind != pb.INVITE_KIND_SEAT:
        raise field_invalid("seat", "it is allowed only with INVITE_KIND_SEAT")
    return request.seat or ROLES[request.kind]
