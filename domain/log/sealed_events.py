"""Sealed events, which are chained by digests and keep the exact bytes that were hashed."""

from typing import Generic, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.log.digests import canonical_bytes, chain_digest


class LogEvent(Protocol):
    """The properties shared by all events in the log."""

    @property
    def aggregate(self) -> UUID:
        """Return the ID of the aggregate that the event belongs to."""

    @property
    def version(self) -> int:
        """Return the event's number in its aggregate, from 1."""


E = TypeVar("E", bound=LogEvent)
E_co = TypeVar("E_co", bound=LogEvent, covariant=True)


class SealedEvent(Struct, Generic[E_co], frozen=True):
    """An event with its digest and the exact bytes that were hashed."""

    event: E_co
    digest: str
    body: bytes

    @property
    def originator_id(self) -> UUID:
        """Return the ID of the event's aggregate, by the name that `eventsourcing` expects."""
        return self.event.aggregate

    @property
    def originator_version(self) -> int:
        """Return the event's version, by the name that `eventsourcing` expects."""
        return self.event.version


def seal(previous: str, event: E) -> SealedEvent[E]:
    """Return the event, chained to the digest of the previous event."""
    body = canonical_bytes(event)
    return SealedEvent(event, chain_digest(previous, body), body)
