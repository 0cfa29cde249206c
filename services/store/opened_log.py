"""An opened log: the interface of a store to `Log`."""

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
    """An exclusive right of one process."""

    def try_acquire(self) -> bool:
        """Return whether this process holds the lease, after trying to acquire it. Blocks."""


class LocalLease:
    """The lease of a process that has a log to itself."""

    def try_acquire(self) -> bool:
        """Return True: one process owns an SQLite log."""
        return True


class Downtime(Struct, frozen=True):
    """The last time in which no service was running."""

    since: datetime | None
    """Start of the downtime; None if unknown."""
    until: datetime


class OpenedLog(Struct, frozen=True, kw_only=True):
    """A log that is open for writing."""

    name: str
    """Location of the log, for people, without a password."""
    recorder: ApplicationRecorder
    snapshots: AggregateRecorder
    mapper: EventMapper
    side_store: SideStore
    """The data outside the event log, in the same place."""
    close: Callable[[], object]
    """Closes the log; blocks."""
    suspects: Mapping[UUID, str] = {}
    """Aggregates whose events must not be trusted even if their digests match, with reasons."""
    torn: bool = False
    """Whether the last commit before this start was incomplete. If it was acknowledged, data is
    lost."""
    shared: bool = False
    """Whether other processes may write to the log."""
    lease: Callable[[str], AbstractContextManager[Lease]] = lambda name: nullcontext(LocalLease())
    """Returns the lease of a name, which all processes with the log share."""
    register: Callable[[], Downtime] | None = None
    """Registers a service and returns the last downtime; None for a log of one service."""
    heartbeat: Callable[[], None] = lambda: None
    """Writes a heartbeat of the service. Raises LogUnavailable."""
    pool: Callable[[], Mapping[str, int]] = dict
    """Returns statistics of the connection pool by psycopg_pool's names; empty if there is none."""
    trust_fingerprints: Callable[[Mapping[str, str]], None] = lambda fingerprints: None
    """Raises KeysDiffer unless the log has keys of these fingerprints, by their names. The first
    service to call it sets them."""


StartupWork = Callable[[], object]
"""Work of a starting service while the log is checked in another thread."""
OpenLog = Callable[[str, Callable[[LogFailed], object], CipherKeys, StartupWork], OpenedLog]
"""Opens a log, given its location, the callback for failures, the cipher keys and concurrent
work."""
