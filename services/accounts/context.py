"""Who calls, and for whom a caller may act."""

from collections.abc import Callable
from functools import lru_cache
from hmac import compare_digest
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import unquote
from uuid import UUID

from msgspec import Struct

from domain.frontend import Right
from domain.kernel.game import REFEREE, SPECTATOR
from domain.match import AnyMatch, is_creator, role_of, seats_of_player
from services.accounts.tokens import token_digest
from services.runtime.errors import ApiError, Reason

MAX_CACHED_NETWORKS: Final = 10_000


class Certificate(Struct, frozen=True):
    """The certificate that a caller showed, signed by the service's own authority for clients."""

    name: str
    """Its common name."""
    sha256: str
    """Of its DER form, in hexadecimal."""


def _always_valid() -> None:
    """Of what can be checked only once."""


def _ignore_events(events: int) -> None:
    """Of a call that no door has let in."""


def _ignore_authentication(call: "RequestContext") -> None:
    """Where nobody keeps count of good tokens."""


class RequestContext(Struct, frozen=True):
    """What a handler may know of a call beside its request."""

    token: str
    """The bearer token; empty if the caller sent none."""
    seconds_left: float | None
    """Until the caller's deadline."""
    frontend_key: str = ""
    """What was sent as `emeth-frontend`; empty if nothing was."""
    player: UUID | None = None
    """The frontend's player whose token it is."""
    home: UUID | None = None
    """The frontend of that player."""
    frontend: UUID | None = None
    """The frontend whose key the call has."""
    rights: frozenset[Right] = frozenset()
    """What that frontend may do."""
    check: Callable[[], None] = _always_valid
    """Raises what a call would be refused with now: for streams, which outlast tokens and keys."""
    certificate: Certificate | None = None
    """What the caller showed by mutual TLS."""
    peer: str = ""
    """The address that it came from, without its port; empty where there is none."""
    trace: str = ""
    """What came as `traceparent`."""
    proved: Callable[["RequestContext"], None] = _ignore_authentication
    """Is told when what the call shows proves to be good."""
    counted: Callable[[int], None] = _ignore_events
    """Is told how many events the call made or drew, where these may be many."""

    @property
    def has_only_frontend_key(self) -> bool:
        """Is a frontend's key all that the caller shows?"""
        return self.frontend is not None and self.token in ("", self.frontend_key)


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, as transports and proxies write it: percent-encoded, quoted,
    in brackets, or with a port. Return None if there is none.

    An IPv4 address that a dual-stack socket shows as IPv6 is returned as IPv4.

    >>> [str(parse_address(text)) for text in ("192.0.2.7:443", '"[2001:db8::1]:443"', "%5B::1%5D")]
    ['192.0.2.7', '2001:db8::1', '::1']
    >>> [str(parse_address(text)) for text in ("::ffff:192.0.2.7", "unknown", "")]
    ['192.0.2.7', 'None', 'None']
    """
    text = unquote(text).strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped if isinstance(found, IPv6Address) else None) or found


@lru_cache(MAX_CACHED_NETWORKS)
def client_network(host: str) -> str:
    """The place that an address stands for: of IPv6, what a household has, since each of its
    machines may take any of countless addresses.

    >>> client_network("192.0.2.7"), client_network("[2001:db8::1:2]")
    ('192.0.2.7', '2001:db8::/64')
    >>> client_network("%5B::1%5D"), client_network("")
    ('::/64', '')
    >>> client_network("::ffff:192.0.2.7")
    '192.0.2.7'
    """
    found = parse_address(host)
    if found is None:
        return host
    return str(found if found.version == 4 else ip_network((int(found), 64), strict=False))


def host_without_port(place: str | None) -> str:
    """The address in an address and a port, as a transport writes them; empty for none."""
    return (place or "").rpartition(":")[0]


def looks_like_jwt(token: str) -> bool:
    """Is it a JSON Web Token, good or not? No other token has two full stops and begins so."""
    return token.startswith("ey") and token.count(".") == 2


def require_admin(call: RequestContext, digest: str) -> None:
    """Whoever calls shows the admin key, which has this digest."""
    if not call.token:
        raise ApiError(Reason.TOKEN_MISSING)
    if not compare_digest(token_digest(call.token), digest):
        raise ApiError(Reason.ADMIN_KEY_INVALID)
    call.proved(call)


def find_role(match: AnyMatch, call: RequestContext, wanted: str = "") -> str | None:
    """The role that the caller's token stands for in this match, if any: of a player's seats the
    wanted one, or the first. The one place where tokens become roles; those of streams may have
    been replaced meanwhile."""
    call.check()
    if call.has_only_frontend_key:
        refereed = call.frontend == match.terms.frontend and "referee" in call.rights
        return REFEREE if refereed else None
    if call.player is not None and wanted in seats_of_player(match, call.player):
        return wanted
    role = role_of(match, token_digest(call.token), call.player)
    if role is not None:
        call.proved(call)
    return role


def find_viewer(match: AnyMatch, call: RequestContext) -> str | None:
    """The role that the caller looks in, if any: a spectator's in a public match for whoever shows
    no token, for players, and for frontends that may look at those."""
    anonymous = not (call.token or call.has_only_frontend_key)
    role = None if anonymous else find_role(match, call)
    looks = anonymous or call.player is not None or "read-public" in call.rights
    return SPECTATOR if role is None and looks and match.terms.visibility != "private" else role


def require_role(match: AnyMatch, call: RequestContext, wanted: str = "") -> str:
    """The role that the caller's token stands for in this match, as `find_role`."""
    if not (call.token or call.has_only_frontend_key):
        raise ApiError(Reason.TOKEN_MISSING)
    role = find_role(match, call, wanted)
    if role is None:
        raise ApiError(
            Reason.TOKEN_WRONG_MATCH,
            "the token is for no role of this match, or the seat has been claimed since",
            match=match.id,
        )
    return role


def require_viewer(match: AnyMatch, call: RequestContext) -> str:
    """The role that the caller looks in, as `find_viewer`."""
    return find_viewer(match, call) or require_role(match, call)


def can_manage(match: AnyMatch, call: RequestContext) -> bool:
    """Does the caller look after this match: as its creator, its referee, or the frontend that
    created it?"""
    if call.frontend is not None and call.frontend == match.terms.frontend:
        return "create" in call.rights or "referee" in call.rights
    if find_role(match, call) == REFEREE:
        return True
    if (
        call.token
        and not call.has_only_frontend_key
        and is_creator(match, token_digest(call.token), call.player)
    ):
        call.proved(call)
        return True
    return False


def is_admin(call: RequestContext, digest: str) -> bool:
    """Does the caller show the service's admin key, of this digest?"""
    if not (call.token and compare_digest(token_digest(call.token), digest)):
        return False
    call.proved(call)
    return True


def can_see(match: AnyMatch, call: RequestContext) -> bool:
    """May the caller know of this match: as one of its roles, by a code that is good, as who looks
    after it, as a spectator, or as somebody who may join it? A private match is nobody else's to
    know of."""
    waits_for_anybody = match.status == "waiting" and match.terms.admission == "anybody"
    if waits_for_anybody or match.terms.visibility != "private":
        return True
    return find_viewer(match, call) is not None or can_manage(match, call)


def acting_seat(match: AnyMatch, role: str, wanted: str) -> str:
    """The seat that acts: the token's own. ROLE_NOT_ALLOWED for any other.

    Entries of chance may also be asked of who is no seat: the referee, or a game's scribes.
    """
    if role in match.seats and wanted in ("", role):
        return role
    known = (*match.seats, *match.rules.entry_roles, *(prompt.seat for prompt in match.turn))
    if wanted and wanted not in known:
        raise ApiError(
            Reason.SEAT_INVALID, f"{wanted[:40]!r} is not a seat; {', '.join(match.seats)} are"
        )
    if role not in known or wanted not in ("", role):
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED,
            f"the token is {role}'s; to act for {wanted or 'a seat'} takes that seat's token",
            role=role,
        )
    return role


def seat_and_substitute(match: AnyMatch, role: str, wanted: str) -> tuple[str, str]:
    """The seat that plays, and who stands in for it; empty if the token is its own."""
    if can_substitute(match, role) and wanted in (*match.seats, *match.rules.entry_roles):
        return wanted, role
    return acting_seat(match, role, wanted), ""


def can_substitute(match: AnyMatch, role: str) -> bool:
    """May the role act for seats whose players are gone?"""
    return match.terms.stand_in == role


def proposing_role(match: AnyMatch, role: str, wanted: str) -> str:
    """Who asks or answers: the token's own seat, or the referee."""
    return role if role == REFEREE and wanted in ("", REFEREE) else acting_seat(match, role, wanted)


def listed_seat(match: AnyMatch, role: str, wanted: str) -> str:
    """The seat whose actions may be listed: one's own, or any for the referee."""
    if role == REFEREE and wanted in (*match.seats, *match.rules.entry_roles):
        return wanted
    return acting_seat(match, role, wanted)


def can_fork(match: AnyMatch, role: str) -> bool:
    """May the role fork this match? Who makes a fork is given all its tokens, and so is shown all
    that is hidden in it."""
    return role == REFEREE or (role in match.seats and not match.rules.has_hidden_information)


def can_export(match: AnyMatch, role: str) -> bool:
    """May the role write this match to a file? All that is hidden is in it."""
    return role == REFEREE or not match.rules.has_hidden_information
