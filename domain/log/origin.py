"""The context of commands: when a command came, from which client, and by which request."""

from datetime import datetime
from hashlib import blake2b
from typing import Final
from uuid import UUID

from msgspec import Struct

CALLER_SEPARATOR: Final = "."
"""The separator between request digest and caller digest in a stored request."""


def request_lookup_key(request: str) -> str:
    """Return the part of a stored request by which a repetition is looked up.

    If the response holds a secret, the request is stored as two keyed digests: of its ID and of its
    caller. So the stored value does not reveal the ID. A repetition by another caller has the same
    first part and a different second part.

    >>> request_lookup_key("5f0c.91ab")
    '5f0c'
    >>> request_lookup_key("123e4567-e89b-42d3-a456-426614174000")
    '123e4567-e89b-42d3-a456-426614174000'
    """
    return request.partition(CALLER_SEPARATOR)[0]


class Taps(Struct, frozen=True):
    """The stylus taps that produced an action."""

    table: UUID
    gateway: str
    stylus: str
    versions: tuple[int, ...]
    """The versions of the table events that recorded the taps; the tap that completed the action is
    last."""


class Origin(Struct, frozen=True, omit_defaults=True):
    """The client or device that a command came from."""

    client: str = ""
    """The name and version of the client, as the client reported them."""
    taps: Taps | None = None
    """The taps behind the command, if it came from a gateway."""
    stand_in: str = ""
    """`referee` if the referee acted as a substitute for the seat; empty if the seat acted
    itself."""
    answers: int = 0
    """For a conditional move, the version of the event that triggered it; 0 for any other
    command."""


UNKNOWN_ORIGIN: Final = Origin()
"""The origin of commands by the service itself, or by a client that reports none."""

SALT_BYTES: Final = 16
"""Bytes of salt in each event: 128 bits, too many to guess."""


class CommandContext(Struct, frozen=True):
    """The time, request, salt and origin that are recorded with the events of a command."""

    at: datetime
    """The time in UTC. It is informative only: versions define the order of events."""
    request: str
    """The client's request ID or its stored form, which each event of the command repeats."""
    salt: bytes
    """Secret bytes, from `SALT_BYTES` to 64, from which the salt of each event is derived. There is
    no default, so that each event has a digest that nobody can guess."""
    source: Origin = UNKNOWN_ORIGIN

    def __post_init__(self) -> None:
        """Raise ValueError if the salt is too short to be secret."""
        if len(self.salt) < SALT_BYTES:
            raise ValueError(
                f"the salt must have at least {SALT_BYTES} bytes, not {len(self.salt)}"
            )

    def event_salt(self, aggregate: UUID, version: int) -> str:
        """Return the salt of one event, as 32 hexadecimal digits.

        The salt is BLAKE2b over aggregate and version, keyed by the salt of the command. So a
        published event salt reveals no other, even if one command recorded both.
        """
        place = aggregate.bytes + version.to_bytes(8)
        return blake2b(place, digest_size=SALT_BYTES, key=self.salt).hexdigest()
