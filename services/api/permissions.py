"""What a role may do in a match."""

from collections.abc import Callable
from typing import Final

from domain.kernel.game import REFEREE
from domain.match import AnyMatch
from services.callers import may_export, may_fork, may_stand_in
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
    pb.PERMISSION_STAND_IN: may_stand_in,
    pb.PERMISSION_LEAVE_SEAT: lambda match, role: role in match.holders,
    pb.PERMISSION_UNDO: _may_undo,
    pb.PERMISSION_RESIGN: _sits,
    pb.PERMISSION_OFFER_DRAW: _may_offer,
    pb.PERMISSION_RAISE_DISPUTE: _acts,
    pb.PERMISSION_GIVE_VERDICT: _referees,
    pb.PERMISSION_FORK: may_fork,
    pb.PERMISSION_EXPORT: may_export,
    pb.PERMISSION_INVITE_REFEREE: _referees,
}
"""By number."""


def permissions(match: AnyMatch, role: str, invited: str) -> list[pb.Permission.ValueType]:
    """What the role may do, whenever it is asked for or possible; `invited` is the role that the
    caller may take."""
    found = [permission for permission, test in TESTS.items() if test(match, role)]
    return sorted([*found, pb.PERMISSION_CLAIM_SEAT] if invited else found)
