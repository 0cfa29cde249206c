"""The ledger: how Match, Army and Table alike turn what a command decides into sealed events."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.log.digests import GENESIS
from domain.log.origin import CommandContext
from domain.log.sealed_events import E, SealedEvent, seal


class AggregateState(Protocol):
    """What events make: a match, an army or a table as it stands."""

    @property
    def version(self) -> int:
        """The number of its last event."""

    @property
    def digest(self) -> str:
        """Of that event: the next is chained to it."""


A = TypeVar("A", bound=AggregateState)
A_co = TypeVar("A_co", bound=AggregateState, covariant=True)


class Changeset(Struct, Generic[A_co], frozen=True):
    """What a command records of a match, an army or a table, all of it or nothing."""

    events: tuple[SealedEvent[Any], ...]
    states: tuple[A_co, ...]
    """How it stands after each of the events."""
    beside: tuple[SealedEvent[Any], ...] = ()
    """Events of other aggregates that are recorded in the same transaction."""

    @property
    def state(self) -> A_co:
        """How it stands after all of them."""
        return self.states[-1]


class Rejection(Struct, frozen=True):
    """A command that makes no sense, or cannot be done now: no rule of a game refuses it."""

    reason: str
    """UPPER_SNAKE_CASE, for programs."""
    why: str


class Ledger(ABC, Generic[A]):
    """The events of one command as they are decided, each sealed to the one before it."""

    kind: ClassVar[str]
    """The field of these events that names what they happened to."""

    def __init__(self, before: A | None, identity: UUID, command_context: CommandContext) -> None:
        """`before` is how it stands now; None for what its first event makes."""
        self._before = before
        self._identity = identity
        self._command_context = command_context
        self._events: list[SealedEvent[Any]] = []
        self._states: list[A] = []

    @property
    def state(self) -> A:
        """How it stands after what was recorded so far."""
        state = self._states[-1] if self._states else self._before
        assert state is not None, "there is nothing before the first event"
        return state

    def record(self, event_type: type[E], **fields: Any) -> SealedEvent[E]:
        """Add an event; what it happened to, its version, time, request and salt are known."""
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
        """All that was recorded."""
        return Changeset(tuple(self._events), tuple(self._states))

    def _complete(self, event_type: type[E]) -> None:
        """Prepare the stamp for an event of this type, which is recorded next."""

    def _seal(self, previous: str, event: E) -> SealedEvent[E]:
        return seal(previous, event)

    @abstractmethod
    def _evolve(self, before: A | None, sealed: SealedEvent[Any]) -> A:
        """How it stands after this event."""
