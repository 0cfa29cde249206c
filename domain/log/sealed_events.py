"""Sealed events: each chained to the one before it, beside the bytes that its digest is over."""

from typing import Generic, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.log.digests import canonical_bytes, chain_digest


class LogEvent(Protocol):
    """What every event in the log has, whatever it happened to."""

    @property
    def aggregate(self) -> UUID:
        """The name under which the event store knows what it happened to."""

    @property
    def version(self) -> int:
        """The event's number there, from 1."""


E = TypeVar("E", bound=LogEvent)
E_co = TypeVar("E_co", bound=LogEvent, covariant=True)


class SealedEvent(Struct, Generic[E_co], frozen=True):
    """An event with its place in the digest chain, and the exact bytes that were hashed."""

    event: E_co
    digest: str
    body: bytes

    @property
    def originator_id(self) -> UUID:
        """The name under which the event store knows what it happened to."""
        return self.event.aggregate

    @property
    def originator_version(self) -> int:
        """The event's number there."""
        return self.event.version


def seal(previous: str, event: E) -> SealedEvent[E]:
    """The event, chained to the digest of the one before it."""
    body = canonical_bytes(event)
    return SealedEvent(event, chain_digest(previous, body), body)
