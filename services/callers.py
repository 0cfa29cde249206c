"""Who calls, and for whom a caller may act."""

from hmac import compare_digest

from msgspec import Struct

from domain.kernel.game import REFEREE, SPECTATOR
from domain.match import AnyMatch, role_of
from services.errors import ApiError, Reason
from services.tokens import key_of


class Call(Struct, frozen=True):
    """What a handler may know of a call beside its request."""

    token: str
    """The bearer token; empty if the caller sent none."""
    seconds_left: float | None
    """Until the caller's deadline."""
    peer: str = ""
    """The address that it came from, without its port; empty where there is none."""

    @classmethod
    def of(cls, token: str, seconds_left: float | None, place: str | None) -> "Call":
        """A call from this place, which is an address and a port as a transport writes them."""
        return cls(token, seconds_left, (place or "").rpartition(":")[0])


def check_admin(call: Call, digest: str) -> None:
    """Whoever calls shows the admin key, which has this digest."""
    if not call.token:
        raise ApiError(Reason.TOKEN_MISSING)
    if not compare_digest(key_of(call.token), digest):
        raise ApiError(Reason.ADMIN_KEY_WRONG)


def role_in(match: AnyMatch, call: Call) -> str:
    """The role that the caller's token stands for in this match."""
    if not call.token:
        raise ApiError(Reason.TOKEN_MISSING)
    role = role_of(match, key_of(call.token))
    if role is None:
        raise ApiError(
            Reason.TOKEN_FOREIGN,
            "the token is for no role of this match, or the seat has been claimed since",
            match=match.id,
        )
    return role


def viewer_in(match: AnyMatch, call: Call) -> str:
    """The role that the caller looks in: the token's; a spectator's for whoever shows no token of a
    public match."""
    if not call.token and match.terms.visibility != "private":
        return SPECTATOR
    return role_in(match, call)


def acting_seat(match: AnyMatch, role: str, wanted: str) -> str:
    """The seat that acts: the token's own. ROLE_FORBIDS for any other.

    Entries of chance may also be asked of who is no seat: the referee, or a game's scribes.
    """
    known = (*match.seats, *match.rules.scribes, *(ask.seat for ask in match.turn))
    if wanted and wanted not in known:
        raise ApiError(
            Reason.NOT_A_SEAT, f"{wanted[:40]!r} is not a seat; {', '.join(match.seats)} are"
        )
    if role not in known or wanted not in ("", role):
        raise ApiError(
            Reason.ROLE_FORBIDS,
            f"the token is {role}'s; to act for {wanted or 'a seat'} takes that seat's token",
            role=role,
        )
    return role


def played_seat(match: AnyMatch, role: str, wanted: str) -> tuple[str, str]:
    """The seat that plays, and who stands in for it; empty if the token is its own."""
    if may_stand_in(match, role) and wanted in (*match.seats, *match.rules.scribes):
        return wanted, role
    return acting_seat(match, role, wanted), ""


def may_stand_in(match: AnyMatch, role: str) -> bool:
    """May the role act for seats whose players are gone?"""
    return match.terms.stand_in == role


def asking_seat(match: AnyMatch, role: str, wanted: str) -> str:
    """Who asks or answers: the token's own seat, or the referee."""
    return role if role == REFEREE and wanted in ("", REFEREE) else acting_seat(match, role, wanted)


def listed_seat(match: AnyMatch, role: str, wanted: str) -> str:
    """The seat whose actions may be listed: one's own, or any for the referee."""
    if role == REFEREE and wanted in (*match.seats, *match.rules.scribes):
        return wanted
    return acting_seat(match, role, wanted)


def may_fork(match: AnyMatch, role: str) -> bool:
    """May the role fork this match? Who makes a fork is given all its tokens, and so is shown all
    that is hidden in it."""
    return role == REFEREE or (role in match.seats and not match.rules.hides)


def may_export(match: AnyMatch, role: str) -> bool:
    """May the role write this match to a file? All that is hidden is in it."""
    return role == REFEREE or not match.rules.hides
