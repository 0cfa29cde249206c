"""What a store gives when it has opened a log: all that `Log` is made of."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Protocol
from uuid import UUID

from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder
from msgspec import Struct

from domain.storage.mapper import EventMapper
from services.store.cipher_keys import CipherKeys
from services.store.errors import LogFailed
from services.store.side_store import SideStore


class Lease(Protocol):
    """The right to do what only one process may do."""

    def held(self) -> bool:
        """Is it this process's now? Tries to take it if it is nobody's. Blocks."""


class LocalLease:
    """The lease of a process that has the log for itself."""

    def held(self) -> bool:
        """It always is."""
        return True


class Downtime(Struct, frozen=True):
    """The last time in which no service was there."""

    since: datetime | None
    """None if nobody knows."""
    until: datetime


class OpenedLog(Struct, frozen=True, kw_only=True):
    """A log that is open for writing."""

    name: str
    """Where it is, for people; without a password."""
    recorder: ApplicationRecorder
    snapshots: AggregateRecorder
    mapper: EventMapper
    beside: SideStore
    """What is kept beside it, in the same place."""
    close: Callable[[], object]
    """Lets go of it; blocks meanwhile."""
    suspects: Mapping[UUID, str] = {}
    """What must not be believed although its digests may fit, and why."""
    torn: bool = False
    """The last commit before this start was not whole. If others know of it, it was once."""
    shared: bool = False
    """Other processes may write to it meanwhile."""
    lease: Callable[[str], AbstractContextManager[Lease]] = lambda name: nullcontext(LocalLease())
    """The lease of this name, shared by all who have the log open."""
    register: Callable[[], Downtime] | None = None
    """Says that a service is there, and tells of the last outage; None where that is for the one
    service to know."""
    heartbeat: Callable[[], None] = lambda: None
    """Writes something small; on a shared log, that the service is still there. LogUnavailable."""
    pool: Callable[[], Mapping[str, int]] = dict
    """Counts of the pool of connections, as psycopg_pool names them; empty where there is none."""
    vouch: Callable[[Mapping[str, str]], None] = lambda fingerprints: None
    """Raises KeysDiffer unless the log was written with the keys of these fingerprints, by their
    names; the first who has it open says which those are."""


StartupWork = Callable[[], object]
"""What a service that starts does in its own thread while the log is gone through."""
OpenLog = Callable[[str, Callable[[LogFailed], object], CipherKeys, StartupWork], OpenedLog]
"""Opens a log: its place, whom to tell if it must not be written any more, the keys that it is
encrypted under, and what is done meanwhile."""
