"""Invites of players: the code of such an invite is shown to the invited player alone, in a notice.

Nothing secret is stored for it. The code follows from the player, the role and the event of the
match that has its digest, so that each look at the notice makes it again.
"""

from hmac import compare_digest
from sqlite3 import Connection
from uuid import UUID

from domain import player as players
from domain.match import LINK, Event, role_of
from projections.queries.notices import Notice
from projections.queries.projection_errors import POISON
from projections.views import board_views
from services.accounts.context import Call
from services.accounts.count_limits import Bounds
from services.accounts.tokens import Mint, key_of
from services.api.account_changes import Change, change
from services.api.repetitions import Repeatable
from services.store.account_cache import LivePlayers


class PlayerInvites:
    """Invites players, and knows which of their invites are valid."""

    def __init__(self, live: LivePlayers, mint: Mint, bounds: Bounds) -> None:
        self._live = live
        self._mint = mint
        self._bounds = bounds

    def code(self, match: UUID, role: str, player: UUID, version: int) -> str:
        """Return the code of an invite whose event in the match has this version."""
        return self._mint.token("invite", str(match), role, str(player), str(version))

    async def may_invite(self, call: Call, player: UUID, *, is_admin: bool) -> bool:
        """Return whether the caller may invite a player: one of the caller's frontend, or any for
        the operator."""
        held = await self._live.find(player)
        if held is None or held.state.deleted:
            return False
        return is_admin or held.state.frontend in (call.frontend, call.home)

    def count(self, call: Call, player: UUID) -> None:
        """Count an invite. LIMIT_EXCEEDED if the player who calls invites too often."""
        if call.player is not None:
            self._bounds.invite(call.player, player)

    async def record(
        self, request: Repeatable, call: Call, player: UUID, given: Event, role: str, by: str
    ) -> None:
        """Record that a player was invited to a role of a match by the event `given`, unless the
        request did so before. `by` is the role of who calls."""
        seat = "" if role == LINK else role
        await change(
            self._live,
            player,
            Change(request, ["invite", given.match, seat], players.asked_for),
            lambda held, stamp: players.invite(
                held, given.match, given.version, seat, stamp, by=by, by_player=call.player
            ),
        )

    def code_in(self, connection: Connection, notice: Notice) -> str | None:
        """Return the code of the invite that a notice is about: empty once the player has joined
        the match, None if the invite is valid no more. Blocks on the disk."""
        try:
            found = board_views.present(connection, notice.match)
        except POISON:
            return None
        if found is None:
            return None
        match, role = found.match, notice.seat or LINK
        code = self.code(match.id, role, notice.player, notice.version)
        is_open = not match.cancelled and (role != LINK or match.waiting)
        if is_open and compare_digest(match.affairs.codes.get(role, ""), key_of(code)):
            return code
        return None if role_of(match, "", notice.player) is None else ""
