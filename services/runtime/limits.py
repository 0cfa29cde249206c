"""Limits on what a service does in total, and for one caller.

Operators scale the limits of callers with `EMETH_LIMITS`. All other limits are constants, since no
operator would know a better number. Tests pass other values to `Service`.
"""

from typing import Self

from msgspec import Struct

CALLER_LIMITS = (
    "address",
    "token",
    "frontend",
    "streams",
    "address_streams",
    "new",
    "requests",
    "armies",
    "players",
)
"""The limits of one caller, which `EMETH_LIMITS` scales."""


class Limits(Struct, frozen=True):
    """The limits of a service. A limit of callers that is 0 does not apply."""

    address: int = 400
    """Calls per second from one address without a valid token. With 0, wrong tokens are not
    throttled either."""
    token: int = 500
    """Calls per second with one token or as one player. A program that plays several matches needs
    fewer."""
    frontend: int = 4000
    """Calls per second of one frontend, for all of its players."""
    streams: int = 8192
    """Open streams of one caller. A frontend may watch each of its matches with one."""
    address_streams: int = 16_384
    """Open streams from one address, with any tokens."""
    new: int = 3600
    """Matches, and as many tables, created per hour by one address without a frontend's key."""
    requests: int = 60
    """Requests of one seat to others per minute: takebacks, draw offers, disputes."""
    armies: int = 1000
    """Saved armies of one owner."""
    players: int = 100_000
    """Players of one frontend."""
    bot_seats: int = 64
    """Seats that bots of the service hold at once. With more, each bot would wait long to
    compute."""
    import_bytes: int = 64 << 20
    """Maximum size of an imported match file: about sixty thousand events."""
    cached_matches: int = 4096
    """Matches in the cache. Others are loaded from the log on demand."""
    snapshot_every: int = 250
    """Events of a match between two snapshots: the most that a load has to fold."""

    def scaled(self, factor: float) -> Self:
        """Return the limits with those of callers multiplied, or removed if the factor is 0.

        >>> Limits().scaled(2.5).token, Limits().scaled(0).token, Limits().scaled(0.0001).token
        (1250, 0, 1)
        """
        limits = {name: getattr(self, name) for name in self.__struct_fields__}
        for name in CALLER_LIMITS:
            limits[name] = max(1, round(limits[name] * factor)) if factor else 0
        return type(self)(**limits)
