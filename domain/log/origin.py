"""What the shell knows of a command and the rules do not: when it came, and from where."""

from datetime import datetime
from hashlib import blake2b
from typing import Final
from uuid import UUID

from msgspec import Struct

CALLER_SEPARATOR: Final = "."
"""In a stored request, what stands between the request and its caller."""


def request_lookup_key(request: str) -> str:
    """Return the part of a stored request by which it is found when it is repeated.

    A request whose response holds a secret is stored as two keyed digests, of its id and of its
    caller, so that its id does not follow from what is stored. A caller that differs is found by
    the first, and told by the second.

    >>> index_of("5f0c.91ab"), index_of("123e4567-e89b-42d3-a456-426614174000")
    ('5f0c', '123e4567-e89b-42d3-a456-426614174000')
    """
    return request.partition(CALLER_SEPARATOR)[0]


class Taps(Struct, frozen=True):
    """The taps of a stylus that asked for an action."""

    table: UUID
    gateway: str
    stylus: str
    versions: tuple[int, ...]
    """The events of the table that recorded them, the one that completed the action last."""


class Origin(Struct, frozen=True, omit_defaults=True):
    """Where a command came from."""

    client: str = ""
    """The frontend's own name and version, as it gave them."""
    taps: Taps | None = None
    """Set if it came from a gateway."""
    stand_in: str = ""
    """Who gave it in the place of the seat that it is of: `referee`; empty if the seat itself."""
    answers: int = 0
    """The version of the event that was the condition on which the seat had left it to be done; 0
    if it was given there and then."""


UNKNOWN_ORIGIN: Final = Origin()
"""Of what the service did by itself, or of a command that does not say."""

SALT_BYTES: Final = 16
"""Bytes of the salt in each event: 128 bits, which nobody finds by trying."""


class CommandContext(Struct, frozen=True):
    """What is recorded of a command beside what it does."""

    at: datetime
    """UTC. For people only: the order of events is their versions."""
    request: str
    """The client's id of the request, or what stands for it: each event says which."""
    salt: bytes
    """Secret bytes, at least `SALT_BYTES` and 64 at most, from which the ledger derives the salt of
    each event. It has no default, so that no command records an event whose digest can be
    guessed."""
    source: Origin = UNKNOWN_ORIGIN

    def __post_init__(self) -> None:
        """Raise ValueError for a salt that is too short to be secret."""
        if len(self.salt) < SALT_BYTES:
            raise ValueError(f"a stamp has a secret salt of at least {SALT_BYTES} bytes")

    def event_salt(self, aggregate: UUID, version: int) -> str:
        """Return the salt of one event: 32 hexadecimal digits.

        It is BLAKE2b, keyed by the salt of the stamp, over the aggregate and the version of the
        event. So whoever is given the salt of one event learns nothing of any other, even if both
        were recorded by one command.
        """
        place = aggregate.bytes + version.to_bytes(8)
        return blake2b(place, digest_size=SALT_BYTES, key=self.salt).hexdigest()
