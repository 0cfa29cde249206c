"""How much one service takes on, and how much of it from one caller.

An operator scales what callers may do with `EMETH_LIMITS`. Everything else is a constant: no
operator would know a better number. Tests give other values to `Service`.
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
    "asks",
    "armies",
    "players",
)
"""The limits of one caller, which `EMETH_LIMITS` scales."""


class Limits(Struct, frozen=True):
    """The limits of a service. For a limit of callers, 0 is any number."""

    address: int = 400
    """Calls a second from one address by callers who show no good token. With 0, wrong tokens are
    not held back either."""
    token: int = 500
    """Calls a second by one token or player: a program that plays several matches needs fewer."""
    frontend: int = 4000
    """Calls a second by one frontend, for all of its players."""
    streams: int = 8192
    """Streams that one caller has open: a frontend may watch each of its matches by one."""
    address_streams: int = 16_384
    """Streams from one address, whatever tokens they show."""
    new: int = 3600
    """Matches, and as many tables, that one address creates in an hour without a frontend's key."""
    asks: int = 60
    """Requests that one seat makes of others in a minute: takebacks, draw offers, disputes."""
    armies: int = 1000
    """Armies that one owner keeps."""
    players: int = 100_000
    """Players that one frontend keeps."""
    bot_seats: int = 64
    """Seats that bots of the service hold at once: with more, each would wait long for its turn."""
    import_bytes: int = 64 << 20
    """Size of the largest match file that is imported: that of some sixty thousand events."""
    cached_matches: int = 4096
    """Matches kept in memory. Others are loaded from the log when somebody plays them."""
    snapshot_every: int = 250
    """Events of a match between two snapshots, so that a load folds a few hundred at most."""

    def scaled(self, factor: float) -> Self:
        """Return the limits with those of callers multiplied, or removed if the factor is 0.

        >>> Limits().scaled(2.5).token, Limits().scaled(0).token, Limits().scaled(0.0001).token
        (1250, 0, 1)
        """
        limits = {name: getattr(self, name) for name in self.__struct_fields__}
        for name in CALLER_LIMITS:
            limits[name] = max(1, round(limits[name] * factor)) if factor else 0
        return type(self)(**limits)
