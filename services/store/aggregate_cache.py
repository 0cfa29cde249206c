"""Caches of event-sourced aggregates, whose state is always durable.

One task at a time decides for an aggregate. It starts from a state that is on disk, and holds the
aggregate until its decision is on disk too. Nobody sees, or acts on, a state that could be lost.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any, ClassVar, Final, Generic, TypeVar
from uuid import UUID

import structlog
from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from domain.log.ledger import A, Changeset
from domain.log.origin import request_lookup_key
from domain.log.sealed_events import SealedEvent
from services.runtime.signals import Signal
from services.runtime.thread_switching import cpu_bound
from services.store.errors import LogOverloaded, StoreError, VersionConflict
from services.store.log import Log

T = TypeVar("T")
log = structlog.get_logger(__name__)

MAX_ATTEMPTS: Final = 8
"""How often a command is decided again after a version conflict with another replica."""


class CachedAggregate(Generic[A]):
    """A cached aggregate. `state` is always durable; only `AggregateCache` changes it."""

    __slots__ = ("idle", "lock", "log_version", "state", "waiting_count")

    def __init__(self, state: A) -> None:
        self.state = state
        self.lock = asyncio.Lock()
        self.idle = Signal()
        """Set unless an event is being written. Until then, `state` may lack an event on disk."""
        self.idle.set()
        self.waiting_count = 0
        """Number of commands that decide for the aggregate, or wait to."""
        self.log_version = 0
        """Known version in the log; larger than that of `state` if another service recorded
        events."""

    def apply(self, changeset: Changeset[A]) -> None:
        """Apply events that are on disk now."""
        self.state = changeset.state


class CachedAggregateWithRequests(CachedAggregate[A]):
    """A cached aggregate with an index of the requests that changed it."""

    __slots__ = ("requests",)

    def __init__(self, state: A, requests: dict[str, int]) -> None:
        super().__init__(state)
        self.requests = requests
        """Version of the first event of each request, which is its response."""

    def apply(self, changeset: Changeset[A]) -> None:
        """Apply events that are on disk now, and index their requests."""
        super().apply(changeset)
        for sealed in changeset.events:
            self.requests.setdefault(request_lookup_key(sealed.event.request), sealed.event.version)

    def version_of_request(self, *names: str) -> int | None:
        """Return the version of a request's first event; None for a new request.

        The request may be stored under any of these names (`TokenIssuer.request_names`).
        """
        found = (self.requests.get(name) for name in names)
        return next((version for version in found if version is not None), None)


class RecordedDecision(Struct, Generic[A], frozen=True):
    """A decision that is on disk already, written together with another aggregate's."""

    changeset: Changeset[A]


H = TypeVar("H", bound=CachedAggregate[Any])
Decision = tuple[Changeset[A] | RecordedDecision[A] | None, T]
"""The events to record, if any, and the response once they are on disk."""


class AggregateCache(ABC, Generic[A, H]):
    """A bounded cache of aggregates of one kind, which evicts the least recently used."""

    kind: ClassVar[str]
    max_waiting: ClassVar[int | None] = None
    """Maximum number of commands that wait for one aggregate; None for no limit."""

    def __init__(
        self, store: Log, executor: Executor, *, max_entries: int, snapshot_every: int = 0
    ) -> None:
        """Create a cache.

        Args:
            store: The log.
            executor: Runs reads that block.
            max_entries: Maximum number of aggregates, unless more are in use.
            snapshot_every: Number of events between two snapshots; 0 for none.
        """
        self._store = store
        self._executor = executor
        self._max_entries = max_entries
        self._snapshot_every = snapshot_every
        self._entries: OrderedDict[UUID, H] = OrderedDict()
        self._outdated: OrderedDict[UUID, H] = OrderedDict()
        """Outdated aggregates that another service has changed, kept so that they can catch up."""
        self._loading: dict[UUID, asyncio.Task[H | None]] = {}
        self._background_tasks: set[asyncio.Task[None]] = set()
        self.on_changed_elsewhere: Callable[[UUID], object] = lambda identity: None
        """Called when another service has changed an aggregate."""

    def __len__(self) -> int:
        return len(self._entries)

    # --- to be defined by each kind --------------------------------------------------------------

    @abstractmethod
    def _load(self, identity: UUID) -> H | None:
        """Return an aggregate from the log; None if the log has none. Blocks on the disk."""

    @abstractmethod
    def _new_entry(self, created: Changeset[A]) -> H:
        """Return the cached aggregate that its first events create."""

    @abstractmethod
    def _unknown(self, identity: UUID) -> StoreError:
        """Return the error for an aggregate that the log does not have."""

    @abstractmethod
    def _busy(self, identity: UUID) -> StoreError:
        """Return the error for too many waiting commands or repeated version conflicts."""

    def _copy(self, held: H) -> H | None:
        """Return a copy that can catch up with the log; None to load it from the start."""
        return None

    def _catch_up(self, held: H) -> H | None:
        """Apply newer events to a copy and return it; None if it must be loaded from the start.

        Blocks on the disk.
        """
        return None

    def _snapshot(self, held: H) -> Callable[[], StoredEvent]:
        """Return a function that takes a snapshot of the current state, in another thread."""
        raise NotImplementedError(f"no {self.kind} is snapshotted")

    # --- reading ---------------------------------------------------------------------------------

    async def find(self, identity: UUID) -> H | None:
        """Return the durable state of an aggregate, loaded if necessary, or None."""
        held = await self._find(identity)
        if held is not None and not held.idle.is_set():
            await held.idle.wait()
            held = await self._find(identity)  # a failed write evicts it
        if held is not None and self._store.shared and await self._is_behind(identity, held):
            held = await self._find(identity)
        return held

    async def get(self, identity: UUID) -> H:
        """Return the durable state of an aggregate. Raises an error if it does not exist."""
        held = await self.find(identity)
        if held is None:
            raise self._unknown(identity)
        return held

    async def _find(self, identity: UUID) -> H | None:
        """Return the cached aggregate, which may be behind a write in progress."""
        held = self._entries.get(identity)
        if held is not None:
            self._entries.move_to_end(identity)
            return held
        task = self._loading.get(identity)
        if task is None:
            task = asyncio.create_task(self._load_one(identity))
            self._loading[identity] = task
            task.add_done_callback(lambda _: self._loading.pop(identity, None))
        # Several callers may wait for one load: a canceled one must not cancel it for the others.
        return await asyncio.shield(task)

    async def _load_one(self, identity: UUID) -> H | None:
        behind = self._outdated.pop(identity, None)
        copy = (
            None if behind is None else self._copy(behind)
        )  # on the event loop, where nobody changes it
        held = await self._read(lambda: (copy and self._catch_up(copy)) or self._load(identity))
        if held is not None:
            self._insert(identity, held)
        return held

    async def _read(self, read: Callable[[], T]) -> T:
        """Run a blocking read in another thread and return its result."""
        return await self.in_thread(read)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Run CPU-bound work in a thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, cpu_bound()(work))

    async def _is_behind(self, identity: UUID, held: H) -> bool:
        """Return whether another service has changed the aggregate, and evict it in that case."""
        known = held.state.version
        newest = await self._read(lambda: self._store.newest_version(identity, known))
        await held.idle.wait()  # the newer event may be this service's own
        if held.state.version >= newest:
            return False
        self._handle_outdated(identity, held)
        return True

    def note_versions(self, versions: Mapping[UUID, int]) -> None:
        """Note the versions that the log has, recorded by any service, and evict older states.

        An aggregate that a command decides for, or writes, is kept: the newer events may be its
        own. The command checks again when it is done.
        """
        if not self._entries:
            return
        for identity, version in versions.items():
            held = self._entries.get(identity)
            if held is not None and held.state.version < version:
                held.log_version = max(held.log_version, version)
                if held.idle.is_set() and not held.lock.locked():
                    self._handle_outdated(identity, held)

    def _handle_outdated(self, identity: UUID, held: H) -> None:
        if self._entries.get(identity) is held:
            self._set_aside(identity, held)
        self.on_changed_elsewhere(identity)

    def _set_aside(self, identity: UUID, held: H) -> None:
        """Evict an outdated aggregate, but keep it so that it can catch up."""
        self.evict(identity)
        self._outdated[identity] = held
        if len(self._outdated) > self._max_entries:
            self._outdated.popitem(last=False)

    # --- changing --------------------------------------------------------------------------------

    async def create(self, created: Changeset[A]) -> None:
        """Record the first events of an aggregate. Raises VersionConflict if it exists."""
        await self._store.write(created.events)
        held = self._new_entry(created)
        self._insert(created.events[0].originator_id, held)
        self._snapshot_if_due(held, 0)

    async def import_events(self, events: tuple[SealedEvent[Any], ...]) -> None:
        """Record all events of an imported aggregate. Raises VersionConflict if it exists."""
        await self._store.write(events)

    async def command(self, identity: UUID, decide: Callable[[H], Awaitable[Decision[A, T]]]) -> T:
        """Decide for an aggregate, exclusively, and record the decision, all of it or nothing.

        `decide` is called again if another service was quicker. That is detected when the events
        are written, or before an empty decision is returned. A canceled caller does not stop a
        write in progress.
        """
        await self._store.commit_batcher.admit(identity)
        for _ in range(MAX_ATTEMPTS):
            held = await self._find(identity)
            if held is None:
                raise self._unknown(identity)
            if self.max_waiting is not None and held.waiting_count >= self.max_waiting:
                raise self._busy(identity)
            held.waiting_count += 1
            try:
                async with held.lock:
                    if self._entries.get(identity) is not held:
                        continue  # evicted, or outdated, while this command waited
                    try:
                        changeset, answer = await decide(held)
                    except Exception:
                        if self._store.shared and await self._is_behind(identity, held):
                            continue
                        raise
                    if changeset is not None:
                        await self._record(identity, held, changeset)
                    elif self._store.shared and await self._is_behind(identity, held):
                        continue
                    return answer
            except VersionConflict as conflict:
                version = held.state.version
                log.info("version conflict", version=version, **{self.kind: str(identity)})
                self._set_aside(identity, held)
                if await self._concerns_others(conflict, identity, version):
                    raise
            finally:
                held.waiting_count -= 1
                if held.log_version > held.state.version and not held.lock.locked():
                    self._handle_outdated(identity, held)
        raise self._busy(identity)

    async def _concerns_others(
        self, conflict: VersionConflict, identity: UUID, version: int
    ) -> bool:
        """Return whether a conflict concerns only the other aggregates of the write."""
        if len(conflict.versions) < 2:
            return False
        newest = await self._read(lambda: self._store.newest_version(identity, version))
        return newest == version

    def evict(self, identity: UUID) -> None:
        """Evict an aggregate, so that it is read from the log again."""
        self._entries.pop(identity, None)

    async def _record(
        self, identity: UUID, held: H, changeset: Changeset[A] | RecordedDecision[A]
    ) -> None:
        before = held.state.version
        if isinstance(changeset, RecordedDecision):
            held.apply(changeset.changeset)
        else:
            await self._write(identity, held, changeset)
        self._snapshot_if_due(held, before)

    async def _write(self, identity: UUID, held: H, changeset: Changeset[A]) -> None:
        held.idle.clear()
        try:
            await self._store.write((*changeset.events, *changeset.other_events))
            held.apply(changeset)
        except LogOverloaded:  # nothing was written, and the state is still valid
            raise
        except asyncio.CancelledError:  # the caller was canceled, but the events are on disk
            held.apply(changeset)
            raise
        except StoreError:
            # The content of the disk is unknown or different: read the log again.
            self.evict(identity)
            raise
        finally:  # on success and failure alike, readers may continue
            held.idle.set()

    # --- keeping ---------------------------------------------------------------------------------

    def _insert(self, identity: UUID, held: H) -> None:
        self._entries[identity] = held
        if len(self._entries) > self._max_entries:
            # Aggregates in use stay: a second copy would decide concurrently.
            for name, other in self._entries.items():
                if not other.waiting_count and other is not held:
                    del self._entries[name]
                    return

    def _snapshot_if_due(self, held: H, before: int) -> None:
        every = self._snapshot_every
        if every and held.state.version // every > before // every:
            task = asyncio.ensure_future(self._store_snapshot(held.state.id, self._snapshot(held)))
            self._background_tasks.add(task)
            task.add_done_callback(self._background_tasks.discard)

    async def _store_snapshot(self, identity: UUID, take: Callable[[], StoredEvent]) -> None:
        try:
            await self._read(lambda: self._store.put_snapshot(take()))
        except StoreError as error:  # snapshots are optional
            log.warning("snapshot not taken", why=str(error), **{self.kind: str(identity)})

    async def close(self) -> None:
        """Wait for snapshots in progress."""
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._background_tasks)
