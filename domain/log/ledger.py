"""Ledgers, which turn the decisions of one command into sealed events of an aggregate."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.log.digests import GENESIS
from domain.log.origin import CommandContext
from domain.log.sealed_events import E, SealedEvent, seal


class AggregateState(Protocol):
    """The state of an aggregate, such as a match, an army or a table."""

    @property
    def version(self) -> int:
        """Return the number of the aggregate's last event."""

    @property
    def digest(self) -> str:
        """Return the digest of the last event, to which the next event is chained."""


A = TypeVar("A", bound=AggregateState)
A_co = TypeVar("A_co", bound=AggregateState, covariant=True)


class Changeset(Struct, Generic[A_co], frozen=True):
    """The events that a command records of one aggregate, all of them or none."""

    events: tuple[SealedEvent[Any], ...]
    states: tuple[A_co, ...]
    """The state after each of the events."""
    other_events: tuple[SealedEvent[Any], ...] = ()
    """Events of other aggregates that are recorded in the same transaction."""

    @property
    def state(self) -> A_co:
        """Return the state after all events."""
        return self.states[-1]


class Rejection(Struct, frozen=True):
    """A command that is invalid or not possible now, although no rule of the game refuses it."""

    reason: str
    """A reason code in UPPER_SNAKE_CASE, for programs."""
    why: str


class Ledger(ABC, Generic[A]):
    """The events of one command, each sealed and applied as it is recorded."""

    kind: ClassVar[str]
    """The name of the event field with the aggregate's ID, such as `match` or `army`."""

    def __init__(self, before: A | None, identity: UUID, command_context: CommandContext) -> None:
        """Start with the state `before` the command, or with None for a new aggregate."""
        self._before = before
        self._identity = identity
        self._command_context = command_context
        self._events: list[SealedEvent[Any]] = []
        self._states: list[A] = []

    @property
    def state(self) -> A:
        """Return the state after the events recorded so far."""
        state = self._states[-1] if self._states else self._before
        assert state is not None, "a new aggregate has no state before its first event"
        return state

    def record(self, event_type: type[E], **fields: Any) -> SealedEvent[E]:
        """Record an event. The ledger adds ID, version, time, request and salt to its fields."""
        before = self._states[-1] if self._states else self._before
        version = before.version + 1 if before else 1
        make: Any = event_type
        fields[self.kind] = self._identity
        self._complete(event_type)
        event: E = make(
            version=version,
            at=self._command_context.at,
            request=self._command_context.request,
            salt=self._command_context.event_salt(self._identity, version),
            **fields,
        )
        sealed = self._seal(before.digest if before else GENESIS, event)
        self._states.append(self._evolve(before, sealed))
        self._events.append(sealed)
        return sealed

    def changeset(self) -> Changeset[A]:
        """Return all recorded events with the states after them."""
        return Changeset(tuple(self._events), tuple(self._states))

    def _complete(self, event_type: type[E]) -> None:
        """Adjust the command context for an event of this type, which is recorded next."""

    def _seal(self, previous: str, event: E) -> SealedEvent[E]:
        return seal(previous, event)

    @abstractmethod
    def _evolve(self, before: A | None, sealed: SealedEvent[Any]) -> A:
        """Return the state after this event."""
