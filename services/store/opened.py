"""What a store gives when it has opened a log: all that `Log` is made of."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol
from uuid import UUID

from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder
from msgspec import Struct

from domain.aggregates.mapper import EventMapper
from services.store.errors import LogFailed


class Lease(Protocol):
    """The right to do what only one process may do."""

    def held(self) -> bool:
        """Is it this process's now? Tries to take it if it is nobody's. Blocks."""


class Mine:
    """The lease of a process that has the log for itself."""

    def held(self) -> bool:
        """It always is."""
        return True


class OpenedLog(Struct, frozen=True, kw_only=True):
    """A log that is open for writing."""

    name: str
    """Where it is, for people; without a password."""
    recorder: ApplicationRecorder
    snapshots: AggregateRecorder
    mapper: EventMapper
    close: Callable[[], object]
    """Lets go of it; blocks meanwhile."""
    suspects: Mapping[UUID, str] = {}
    """What must not be believed although its digests may fit, and why."""
    torn: bool = False
    """The last commit before this start was not whole. If others know of it, it was once."""
    shared: bool = False
    """Other processes may write to it meanwhile."""
    lease: Callable[[str], AbstractContextManager[Lease]] = lambda name: nullcontext(Mine())
    """The lease of this name, shared by all who have the log open."""
    vouch: Callable[[Mapping[str, str]], None] = lambda fingerprints: None
    """Raises KeysDiffer unless the log was written with the keys of these fingerprints, by their
    names; the first who has it open says which those are."""


Opening = Callable[[str, Callable[[LogFailed], object]], OpenedLog]
"""Opens a log: its place, and whom to tell if it must not be written any more."""
