"""The request context that handlers get, and the roles and seats that its caller may act for."""

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
    """A client certificate, signed by the certificate authority of this service."""

    name: str
    """The common name of the certificate's subject."""
    sha256: str
    """SHA-256 of its DER encoding, in hexadecimal."""


def _always_valid() -> None:
    """Do nothing: this call has no token or key that could become invalid."""


def _ignore_events(events: int) -> None:
    """Do nothing: this call is not rate limited."""


def _ignore_authentication(call: "RequestContext") -> None:
    """Do nothing: nothing records which tokens are valid."""


class RequestContext(Struct, frozen=True):
    """What a handler knows of a call besides its request."""

    token: str
    """The bearer token; empty if the caller sent none."""
    seconds_left: float | None
    """Seconds to the caller's deadline; None without a deadline."""
    frontend_key: str = ""
    """Value of the `emeth-frontend` header; empty if it was not sent."""
    player: UUID | None = None
    """ID of the player who was authenticated by the token."""
    home: UUID | None = None
    """ID of the frontend to which that player belongs."""
    frontend: UUID | None = None
    """ID of the frontend that was authenticated by its key."""
    rights: frozenset[Right] = frozenset()
    """Rights of that frontend."""
    check: Callable[[], None] = _always_valid
    """Raises the error that this call would get now. Streams call it, since they outlast tokens and
    keys."""
    certificate: Certificate | None = None
    """The client certificate, if the caller uses mutual TLS."""
    peer: str = ""
    """Address of the caller, without the port; empty if it is not known."""
    trace: str = ""
    """Value of the `traceparent` header."""
    confirm_tokens: Callable[["RequestContext"], None] = _ignore_authentication
    """Records that the token or key of the call is valid."""
    charge_events: Callable[[int], None] = _ignore_events
    """Charges the caller for this many events that the call recorded or rendered."""

    @property
    def has_only_frontend_key(self) -> bool:
        """Return whether the key of a frontend is the caller's only credential."""
        return self.frontend is not None and self.token in ("", self.frontend_key)


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, or None if it has none.

    The text is as transports and proxies write it: percent-encoded, quoted, in brackets or with a
    port. An IPv4 address that a dual-stack socket shows as IPv6 is returned as IPv4.

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
    """Return the network of an address by which callers are counted.

    For IPv6 it is the /64 network, since one household can use any address in it.

    >>> client_network("192.0.2.7"), client_network("[2001:db8::1:2]"), client_network("%5B::1%5D")
    ('192.0.2.7', '2001:db8::/64', '::/64')
    >>> client_network("::ffff:192.0.2.7"), client_network("")
    ('192.0.2.7', '')
    """
    found = parse_address(host)
    if found is None:
        return host
    return str(found if found.version == 4 else ip_network((int(found), 64), strict=False))


def host_without_port(place: str | None) -> str:
    """Return the address in an address and port; empty for an empty text or None."""
    return (place or "").rpartition(":")[0]


def looks_like_jwt(token: str) -> bool:
    """Return whether a token has the form of a JSON Web Token. No token of this service has it."""
    return token.startswith("ey") and token.count(".") == 2


def require_admin(call: RequestContext, digest: str) -> None:
    """Raise ADMIN_KEY_INVALID unless the caller sent the admin key, which has this digest."""
    if not call.token:
        raise ApiError(Reason.TOKEN_MISSING)
    if not compare_digest(token_digest(call.token), digest):
        raise ApiError(Reason.ADMIN_KEY_INVALID)
    call.confirm_tokens(call)


def find_role(match: AnyMatch, call: RequestContext, wanted: str = "") -> str | None:
    """Return the caller's role in a match, or None.

    A player with several seats gets the `wanted` one, or the first. Streams call this again for
    each message, since their token may have been replaced.
    """
    call.check()
    if call.has_only_frontend_key:
        refereed = call.frontend == match.terms.frontend and "referee" in call.rights
        return REFEREE if refereed else None
    if call.player is not None and wanted in seats_of_player(match, call.player):
        return wanted
    role = role_of(match, token_digest(call.token), call.player)
    if role is not None:
        call.confirm_tokens(call)
    return role


def find_viewer(match: AnyMatch, call: RequestContext) -> str | None:
    """Return the role in which the caller may view a match, or None.

    In a match that is not private, a caller without a role is a spectator if it sent no token, is a
    player, or is a frontend with the right `read-public`.
    """
    anonymous = not (call.token or call.has_only_frontend_key)
    role = None if anonymous else find_role(match, call)
    looks = anonymous or call.player is not None or "read-public" in call.rights
    return SPECTATOR if role is None and looks and match.terms.visibility != "private" else role


def require_role(match: AnyMatch, call: RequestContext, wanted: str = "") -> str:
    """Return the caller's role in a match. Raise ApiError if it has none; see `find_role`."""
    if not (call.token or call.has_only_frontend_key):
        raise ApiError(Reason.TOKEN_MISSING)
    role = find_role(match, call, wanted)
    if role is None:
        raise ApiError(
            Reason.TOKEN_WRONG_MATCH,
            "the token is not valid for this match: it belongs to another match, or its seat has"
            " been claimed since",
            match=match.id,
        )
    return role


def require_viewer(match: AnyMatch, call: RequestContext) -> str:
    """Return the role in which the caller may view a match. Raise ApiError if it may not."""
    return find_viewer(match, call) or require_role(match, call)


def can_manage(match: AnyMatch, call: RequestContext) -> bool:
    """Return whether the caller may manage a match: as creator, referee or the owning frontend."""
    if call.frontend is not None and call.frontend == match.terms.frontend:
        return "create" in call.rights or "referee" in call.rights
    if find_role(match, call) == REFEREE:
        return True
    if (
        call.token
        and not call.has_only_frontend_key
        and is_creator(match, token_digest(call.token), call.player)
    ):
        call.confirm_tokens(call)
        return True
    return False


def is_admin(call: RequestContext, digest: str) -> bool:
    """Return whether the caller sent the admin key, which has this digest."""
    if not (call.token and compare_digest(token_digest(call.token), digest)):
        return False
    call.confirm_tokens(call)
    return True


def can_see(match: AnyMatch, call: RequestContext) -> bool:
    """Return whether the caller may know that a match exists.

    Everybody may know a match that is not private, or that anybody may join. Others need a role, a
    valid code, or the right to manage the match.
    """
    waits_for_anybody = match.status == "waiting" and match.terms.admission == "anybody"
    if waits_for_anybody or match.terms.visibility != "private":
        return True
    return find_viewer(match, call) is not None or can_manage(match, call)


def acting_seat(match: AnyMatch, role: str, wanted: str) -> str:
    """Return the seat that the caller acts for, which is its own.

    Prompts for chance are also answered by roles that are no seats: the referee, or a game's entry
    roles.

    Raises:
        ApiError: SEAT_INVALID for an unknown seat; ROLE_NOT_ALLOWED for another's seat.
    """
    if role in match.seats and wanted in ("", role):
        return role
    known = (*match.seats, *match.rules.entry_roles, *(prompt.seat for prompt in match.turn))
    if wanted and wanted not in known:
        raise ApiError(
            Reason.SEAT_INVALID,
            f"{wanted[:40]!r} is not a seat of the match; its seats are {', '.join(match.seats)}",
        )
    if role not in known or wanted not in ("", role):
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED,
            f"the token is {role}'s; use the token of {wanted or 'a seat'} to act for it",
            role=role,
        )
    return role


def seat_and_substitute(match: AnyMatch, role: str, wanted: str) -> tuple[str, str]:
    """Return the seat to act for, and the role that substitutes for it, if any."""
    if can_substitute(match, role) and wanted in (*match.seats, *match.rules.entry_roles):
        return wanted, role
    return acting_seat(match, role, wanted), ""


def can_substitute(match: AnyMatch, role: str) -> bool:
    """Return whether a role may act for seats whose players are absent."""
    return match.terms.stand_in == role


def proposing_role(match: AnyMatch, role: str, wanted: str) -> str:
    """Return who proposes or responds: the seat of the caller, or the referee."""
    return role if role == REFEREE and wanted in ("", REFEREE) else acting_seat(match, role, wanted)


def listed_seat(match: AnyMatch, role: str, wanted: str) -> str:
    """Return the seat whose actions are listed: the caller's own, or any for the referee."""
    if role == REFEREE and wanted in (*match.seats, *match.rules.entry_roles):
        return wanted
    return acting_seat(match, role, wanted)


def can_fork(match: AnyMatch, role: str) -> bool:
    """Return whether a role may fork a match. A fork reveals all that is hidden in the match."""
    return role == REFEREE or (role in match.seats and not match.rules.has_hidden_information)


def can_export(match: AnyMatch, role: str) -> bool:
    """Return whether a role may export a match. The file reveals all hidden information."""
    return role == REFEREE or not match.rules.has_hidden_information
