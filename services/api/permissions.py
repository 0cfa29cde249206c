"""The role and the permissions of a caller in a match."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from domain.kernel.game import REFEREE
from domain.match import AnyMatch, invitation_role, seats_of_player
from services.accounts.context import (
    RequestContext,
    can_export,
    can_fork,
    can_manage,
    can_substitute,
    find_viewer,
    require_viewer,
)
from services.accounts.tokens import token_digest
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import matches_pb2 as pb

RoleTest = Callable[[AnyMatch, str], bool]


def _can_act(match: AnyMatch, role: str) -> bool:
    return role in (*match.seats, *match.rules.entry_roles)


def _has_seat(match: AnyMatch, role: str) -> bool:
    return role in match.seats


def _is_referee(match: AnyMatch, role: str) -> bool:
    del match
    return role == REFEREE


def _can_undo(match: AnyMatch, role: str) -> bool:
    return match.terms.undo != "none" and (_can_act(match, role) or role == REFEREE)


def _can_offer_draw(match: AnyMatch, role: str) -> bool:
    game = match.rules
    return _has_seat(match, role) and (game.agreed_draws or game.draws is not None)


PERMISSION_TESTS: Final[dict[pb.Permission.ValueType, RoleTest]] = {
    pb.PERMISSION_WATCH: lambda match, role: True,
    pb.PERMISSION_SEE_ALL: _is_referee,
    pb.PERMISSION_ACT: _can_act,
    pb.PERMISSION_SUBSTITUTE: can_substitute,
    pb.PERMISSION_LEAVE: lambda match, role: role in match.holders,
    pb.PERMISSION_UNDO: _can_undo,
    pb.PERMISSION_RESIGN: _has_seat,
    pb.PERMISSION_OFFER_DRAW: _can_offer_draw,
    pb.PERMISSION_CREATE_DISPUTE: _can_act,
    pb.PERMISSION_RESOLVE_DISPUTE: _is_referee,
    pb.PERMISSION_FORK: can_fork,
    pb.PERMISSION_EXPORT: can_export,
}
"""Permissions in numeric order, with the test for a role."""


async def viewing_role(read_models: ReadModelQueries, identity: UUID, call: RequestContext) -> str:
    """Return the role in which the caller views a match.

    A caller without a token views a public match as a spectator.

    Raises:
        ApiError: The caller may not view the match.
    """
    match = await read_models.projected_match(identity)
    role = find_viewer(match, call) if match else None
    if role is None:
        # The read models may not know a new token yet.
        newest = await read_models.current_match(identity)
        role = require_viewer(newest, call)
        await read_models.wait_for_version(identity, newest.version, call.seconds_left)
    return role


def caller_message(match: AnyMatch, call: RequestContext, role: str | None) -> pb.Caller:
    """Return the role of the caller in a match, and its permissions."""
    invited = invitation_role(match, token_digest(call.token)) if call.token else ""
    found = [
        permission for permission, test in PERMISSION_TESTS.items() if role and test(match, role)
    ]
    if invited:
        found.append(pb.PERMISSION_JOIN)
    if can_manage(match, call):
        found += [pb.PERMISSION_INVITE, pb.PERMISSION_UPDATE]
        found += [pb.PERMISSION_CANCEL] if match.status == "waiting" else []
    seats = seats_of_player(match, call.player) if call.player else ()
    own = (role,) if role in match.seats else ()
    return pb.Caller(
        role=role or "", seats=seats or own, permissions=sorted(found), invited_role=invited
    )
