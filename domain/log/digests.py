"""Canonical bytes, and the digest chain that makes a match's log tamper-evident.

The bytes of a value are its JSON with sorted keys and no spaces: what RFC 8785 gives for ASCII
keys and no floats, so that anyone can recompute a digest in any language. `docs/log.md` shows how.
"""

from hashlib import sha256
from typing import Any, Final

import msgspec


class ContentAddressable:
    """Something unchanging that is written as its digest: states name it, and do not hold it.

    Two of one digest are equal.
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
    """How `msgspec` writes what it does not know: the `enc_hook` for whatever may hold content."""
    if isinstance(value, ContentAddressable):
        return value.digest
    raise NotImplementedError(f"{type(value).__name__} is never written")


_ENCODER: Final = msgspec.json.Encoder(order="sorted", enc_hook=encode_as_digest)

GENESIS: Final = "0" * 64
"""What the first event of a match is chained to."""


def canonical_bytes(value: Any) -> bytes:
    """The one sequence of bytes that stands for this value."""
    return _ENCODER.encode(value)


def digest(value: bytes) -> str:
    """SHA-256 as 64 lower-case hexadecimal digits."""
    return sha256(value).hexdigest()


def chain_digest(previous: str, body: bytes) -> str:
    """The digest of an event: over the digest before it and its own canonical bytes.

    `previous` is hexadecimal, `GENESIS` for the first event; it enters the hash as 32 raw bytes.
    """
    return sha256(bytes.fromhex(previous) + body).hexdigest()


class BrokenChainError(ValueError):
    """An event whose digest is not that of its bytes after the event before it."""


def check_link(previous: str, digest: str, body: bytes) -> None:
    """Raise BrokenChainError unless an event of this body and digest follows one of that digest."""
    due = chain_digest(previous, body)
    if due != digest:
        raise BrokenChainError(
            f"its bytes and the digest before it give the digest {due}, and it has {digest}"
        )
