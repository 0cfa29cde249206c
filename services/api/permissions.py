"""What a caller is in a match, and may do in it."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from domain.kernel.game import REFEREE
from domain.match import AnyMatch, invited_to, seats_of_player
from services.accounts.context import (
    Call,
    find_viewer,
    manages,
    may_export,
    may_fork,
    may_stand_in,
    viewer_in,
)
from services.accounts.tokens import key_of
from services.store.read_models import Reads
from services.wire.emeth.v1 import matches_pb2 as pb

Test = Callable[[AnyMatch, str], bool]


def _acts(match: AnyMatch, role: str) -> bool:
    return role in (*match.seats, *match.rules.scribes)


def _sits(match: AnyMatch, role: str) -> bool:
    return role in match.seats


def _referees(match: AnyMatch, role: str) -> bool:
    del match
    return role == REFEREE


def _may_undo(match: AnyMatch, role: str) -> bool:
    return match.terms.undo != "none" and (_acts(match, role) or role == REFEREE)


def _may_offer(match: AnyMatch, role: str) -> bool:
    game = match.rules
    return _sits(match, role) and (game.agreed_draws or game.draws is not None)


TESTS: Final[dict[pb.Permission.ValueType, Test]] = {
    pb.PERMISSION_WATCH: lambda match, role: True,
    pb.PERMISSION_SEE_ALL: _referees,
    pb.PERMISSION_ACT: _acts,
    pb.PERMISSION_SUBSTITUTE: may_stand_in,
    pb.PERMISSION_LEAVE: lambda match, role: role in match.holders,
    pb.PERMISSION_UNDO: _may_undo,
    pb.PERMISSION_RESIGN: _sits,
    pb.PERMISSION_OFFER_DRAW: _may_offer,
    pb.PERMISSION_CREATE_DISPUTE: _acts,
    pb.PERMISSION_RESOLVE_DISPUTE: _referees,
    pb.PERMISSION_FORK: may_fork,
    pb.PERMISSION_EXPORT: may_export,
}
"""By number."""


async def viewing_role(reads: Reads, identity: UUID, call: Call) -> str:
    """Return the role that the caller views a match in: that of its token, or a spectator's for a
    caller without a token if the match is public. Raises ApiError without either."""
    match = await reads.known(identity)
    role = find_viewer(match, call) if match else None
    if role is None:
        # A token may be newer than what the read models know: whom it was given to may use it.
        newest = await reads.newest(identity)
        role = viewer_in(newest, call)
        await reads.reached(identity, newest.version, call.seconds_left)
    return role


def caller(match: AnyMatch, call: Call, role: str | None) -> pb.Caller:
    """Return what the caller is in a match, and what its role, if it has one, may do."""
    invited = invited_to(match, key_of(call.token)) if call.token else ""
    found = [permission for permission, test in TESTS.items() if role and test(match, role)]
    if invited:
        found.append(pb.PERMISSION_JOIN)
    if manages(match, call):
        found += [pb.PERMISSION_INVITE, pb.PERMISSION_UPDATE]
        found += [pb.PERMISSION_CANCEL] if match.status == "waiting" else []
    seats = seats_of_player(match, call.player) if call.player else ()
    own = (role,) if role in match.seats else ()
    return pb.Caller(
        role=role or "", seats=seats or own, permissions=sorted(found), invited_role=invited
    )
