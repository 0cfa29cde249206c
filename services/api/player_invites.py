"""Invites of players, whose codes are only in notices to the invited players.

No secret is stored. A code is derived from the player, the role and the event of the match that has
its digest, whenever the notice is read.
"""

from hmac import compare_digest
from sqlite3 import Connection
from uuid import UUID

from domain import player as players
from domain.match import LINK, Event, role_of
from projections.queries.notices import Notice
from projections.queries.projection_errors import UNREADABLE_ERRORS
from projections.views import board_views
from services.accounts.context import RequestContext
from services.accounts.count_limits import CountLimits
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.account_changes import AccountChange, apply_change
from services.api.idempotency import IdempotentRequest
from services.store.account_cache import PlayerCache


class PlayerInvites:
    """Invites players, and finds the codes of valid invites."""

    def __init__(
        self, live: PlayerCache, token_issuer: TokenIssuer, count_limits: CountLimits
    ) -> None:
        self._live = live
        self._token_issuer = token_issuer
        self._count_limits = count_limits

    def code(self, match: UUID, role: str, player: UUID, version: int) -> str:
        """Return the code of the invite that was created by event `version` of a match."""
        return self._token_issuer.token("invite", str(match), role, str(player), str(version))

    async def can_invite(self, call: RequestContext, player: UUID, *, is_admin: bool) -> bool:
        """Return whether the caller may invite a player of its frontend, or any as operator."""
        held = await self._live.find(player)
        if held is None or held.state.deleted:
            return False
        return is_admin or held.state.frontend in (call.frontend, call.home)

    def count(self, call: RequestContext, player: UUID) -> None:
        """Count an invite. Raise LIMIT_EXCEEDED if the calling player invites too often."""
        if call.player is not None:
            self._count_limits.count_invite(call.player, player)

    async def record(
        self,
        request: IdempotentRequest,
        call: RequestContext,
        player: UUID,
        given: Event,
        role: str,
        by: str,
    ) -> None:
        """Record that event `given` of a match invited a player, unless that is recorded already.

        `by` is the role of the caller.
        """
        seat = "" if role == LINK else role
        await apply_change(
            self._live,
            player,
            AccountChange(request, ["invite", given.match, seat], players.request_payload),
            lambda held, command_context: players.invite(
                held,
                given.match,
                given.version,
                seat,
                command_context,
                by=by,
                by_player=call.player,
            ),
        )

    def code_in(self, connection: Connection, notice: Notice) -> str | None:
        """Return the code of the invite in a notice.

        It is empty once the player has joined the match, and None if the invite is no longer valid.
        Blocks on the disk.
        """
        try:
            found = board_views.find_match_row(connection, notice.match)
        except UNREADABLE_ERRORS:
            return None
        if found is None:
            return None
        match, role = found.match, notice.seat or LINK
        code = self.code(match.id, role, notice.player, notice.version)
        is_open = not match.cancelled and (role != LINK or match.waiting)
        if is_open and compare_digest(match.details.codes.get(role, ""), token_digest(code)):
            return code
        return None if role_of(match, "", notice.player) is None else ""
