"""Canonical bytes of values, and the digest chain that makes a log tamper-evident.

The canonical bytes of a value are its JSON with sorted keys and no spaces. For ASCII keys and no
floats this equals RFC 8785, so any language can recompute a digest. `docs/log.md` shows how.
"""

from hashlib import sha256
from typing import Any, Final

import msgspec


class ContentAddressable:
    """A base class of immutable values that are stored as their digests.

    Two values with the same digest are equal.
    """

    digest: str

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, ContentAddressable) and self.digest == other.digest
        )

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.digest[:12]}>"


def encode_as_digest(value: Any) -> str:
    """Return the digest of a `ContentAddressable`: the `enc_hook` of msgspec encoders for states.

    Raises NotImplementedError for values of other types.
    """
    if isinstance(value, ContentAddressable):
        return value.digest
    raise NotImplementedError(f"{type(value).__name__} has no stored form")


_ENCODER: Final = msgspec.json.Encoder(order="sorted", enc_hook=encode_as_digest)

GENESIS: Final = "0" * 64
"""The digest to which the first event of each stream is chained."""


def canonical_bytes(value: Any) -> bytes:
    """Return the canonical bytes of a value."""
    return _ENCODER.encode(value)


def digest(value: bytes) -> str:
    """Return the SHA-256 of these bytes as 64 lower-case hexadecimal digits."""
    return sha256(value).hexdigest()


def chain_digest(previous: str, body: bytes) -> str:
    """Return the digest of an event, computed over the previous digest and the event's bytes.

    Args:
        previous: The digest of the previous event in hexadecimal, or `GENESIS` for the first event.
            It enters the hash as 32 raw bytes.
        body: The canonical bytes of the event.
    """
    return sha256(bytes.fromhex(previous) + body).hexdigest()


class BrokenChainError(ValueError):
    """An event whose digest does not match its bytes and the previous event."""


def check_link(previous: str, digest: str, body: bytes) -> None:
    """Raise BrokenChainError unless an event with this body and predecessor has this digest."""
    due = chain_digest(previous, body)
    if due != digest:
        raise BrokenChainError(
            f"the digest of the event is {digest}, but its bytes and the previous digest give {due}"
        )
