"""Sealed events: each chained to the one before it, beside the bytes that its digest is over."""

from typing import Generic, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.log.digests import canonical, chain


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


class Sealed(Struct, Generic[E_co], frozen=True):
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


def seal(previous: str, event: E) -> Sealed[E]:
    """The event, chained to the digest of the one before it."""
    body = canonical(event)
    return Sealed(event, chain(previous, body), body)
