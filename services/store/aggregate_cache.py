"""Live aggregates: every match, army or table that is in use, in memory as it is on disk.

One task at a time decides for each, from a state that is on disk, and holds it until what it
decided is on disk too. So nobody is ever shown, or acts on, what could still be lost.
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
"""How often a command is decided again when another replica was quicker."""


class CachedAggregate(Generic[A]):
    """An aggregate in memory. `state` is what is on disk; only `AggregateCache` changes it."""

    __slots__ = ("lock", "recorded", "state", "still", "waiting")

    def __init__(self, state: A) -> None:
        self.state = state
        self.lock = asyncio.Lock()
        self.still = Signal()
        """Set unless an event is being written: it may be on disk, and not yet in `state`."""
        self.still.set()
        self.waiting = 0
        """Commands that decide for it, or wait to."""
        self.recorded = 0
        """The version that the log is known to have; more than that of `state` if another service
        has moved it on."""

    def apply(self, changeset: Changeset[A]) -> None:
        """Take in what is on disk now."""
        self.state = changeset.state


class CachedAggregateWithRequests(CachedAggregate[A]):
    """One that knows all requests that were made of it."""

    __slots__ = ("requests",)

    def __init__(self, state: A, requests: dict[str, int]) -> None:
        super().__init__(state)
        self.requests = requests
        """The version of the first event that each made: that is its answer."""

    def apply(self, changeset: Changeset[A]) -> None:
        """Take in what is on disk now."""
        super().apply(changeset)
        for sealed in changeset.events:
            self.requests.setdefault(request_lookup_key(sealed.event.request), sealed.event.version)

    def version_of_request(self, *names: str) -> int | None:
        """Return the version of the first event of a request, which may be stored by any of these
        names (`TokenIssuer.request_names`); None for a new request."""
        found = (self.requests.get(name) for name in names)
        return next((version for version in found if version is not None), None)


class RecordedDecision(Struct, Generic[A], frozen=True):
    """What was decided, and is on disk already: with what another aggregate recorded."""

    changeset: Changeset[A]


H = TypeVar("H", bound=CachedAggregate[Any])
Decision = tuple[Changeset[A] | RecordedDecision[A] | None, T]
"""What to record, if anything, and what to answer once it is on disk."""


class AggregateCache(ABC, Generic[A, H]):
    """All live aggregates of a kind, bounded in number; the least lately used are let go."""

    kind: ClassVar[str]
    most_waiting: ClassVar[int | None] = None
    """Commands that may wait for one of them; more are refused. None for any number."""

    def __init__(
        self, store: Log, executor: Executor, *, most: int, snapshot_every: int = 0
    ) -> None:
        """`most` are kept in memory, unless more are in use. 0 for no snapshots."""
        self._store = store
        self._executor = executor
        self._most = most
        self._snapshot_every = snapshot_every
        self._held: OrderedDict[UUID, H] = OrderedDict()
        self._behind: OrderedDict[UUID, H] = OrderedDict()
        """Those that another service has moved on, as they were."""
        self._loading: dict[UUID, asyncio.Task[H | None]] = {}
        self._background_tasks: set[asyncio.Task[None]] = set()
        self.on_changed_elsewhere: Callable[[UUID], object] = lambda identity: None
        """Called when one turns out to be moved on by another service."""

    def __len__(self) -> int:
        return len(self._held)

    # --- what each kind says of itself -----------------------------------------------------------

    @abstractmethod
    def _load(self, identity: UUID) -> H | None:
        """One from the log; None if the log has none of it. Blocks on the disk."""

    @abstractmethod
    def _begun(self, created: Changeset[A]) -> H:
        """One that these events have made."""

    @abstractmethod
    def _unknown(self, identity: UUID) -> StoreError:
        """The log has no such one."""

    @abstractmethod
    def _busy(self, identity: UUID) -> StoreError:
        """Too many commands wait for one, or others were quicker again and again."""

    def _copy(self, held: H) -> H | None:
        """One that can be brought up to what the log has; None if it is better loaded whole."""
        return None

    def _catch_up(self, held: H) -> H | None:
        """A copy, with what the log has since; None if that takes what it has not. Blocks on the
        disk."""
        return None

    def _snapshot(self, held: H) -> Callable[[], StoredEvent]:
        """What makes the snapshot of one as it stands now, in another thread."""
        raise NotImplementedError(f"no {self.kind} is snapshotted")

    # --- looking ---------------------------------------------------------------------------------

    async def find(self, identity: UUID) -> H | None:
        """One as it stands for all who look, loaded from the log if need be; None if there is
        none."""
        held = await self._find(identity)
        if held is not None and not held.still.is_set():
            await held.still.wait()
            held = await self._find(identity)  # the write may have failed, and it be let go
        if held is not None and self._store.shared and await self._is_behind(identity, held):
            held = await self._find(identity)
        return held

    async def get(self, identity: UUID) -> H:
        """The same. The error of its kind if there is none."""
        held = await self.find(identity)
        if held is None:
            raise self._unknown(identity)
        return held

    async def _find(self, identity: UUID) -> H | None:
        """One as it is in memory: what is being written may be on disk already."""
        held = self._held.get(identity)
        if held is not None:
            self._held.move_to_end(identity)
            return held
        task = self._loading.get(identity)
        if task is None:
            task = asyncio.create_task(self._load_one(identity))
            self._loading[identity] = task
            task.add_done_callback(lambda _: self._loading.pop(identity, None))
        # Several callers may wait for one load: none of them may cancel it for the others.
        return await asyncio.shield(task)

    async def _load_one(self, identity: UUID) -> H | None:
        behind = self._behind.pop(identity, None)
        copy = None if behind is None else self._copy(behind)  # here, where nobody changes it
        held = await self._reading(lambda: (copy and self._catch_up(copy)) or self._load(identity))
        if held is not None:
            self._keep(identity, held)
        return held

    async def _reading(self, read: Callable[[], T]) -> T:
        """What is read from the disk, in another thread."""
        return await self.in_thread(read)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """What comes of work that takes longer than the event loop has: it is done in a thread, and
        those who play go on meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, cpu_bound()(work))

    async def _is_behind(self, identity: UUID, held: H) -> bool:
        """Has another service moved it on? Then it is let go."""
        known = held.state.version
        newest = await self._reading(lambda: self._store.newest_version(identity, known))
        await held.still.wait()  # what is newer may be one's own
        if held.state.version >= newest:
            return False
        self._moved(identity, held)
        return True

    def recorded(self, versions: Mapping[UUID, int]) -> None:
        """The log has these at these versions, by whatever service.

        What is older in memory is let go, to be loaded again by whoever looks next; while somebody
        decides for it, or writes, what they do may be just that: they see to it when it is done.
        """
        if not self._held:
            return
        for identity, version in versions.items():
            held = self._held.get(identity)
            if held is not None and held.state.version < version:
                held.recorded = max(held.recorded, version)
                if held.still.is_set() and not held.lock.locked():
                    self._moved(identity, held)

    def _moved(self, identity: UUID, held: H) -> None:
        if self._held.get(identity) is held:
            self._set_aside(identity, held)
        self.on_changed_elsewhere(identity)

    def _set_aside(self, identity: UUID, held: H) -> None:
        """Let one go that was true once: it need not be loaded whole again."""
        self.let_go(identity)
        self._behind[identity] = held
        if len(self._behind) > self._most:
            self._behind.popitem(last=False)

    # --- changing --------------------------------------------------------------------------------

    async def create(self, created: Changeset[A]) -> None:
        """Record the first events of one. VersionConflict if it exists."""
        await self._store.write(created.events)
        held = self._begun(created)
        self._keep(created.events[0].originator_id, held)
        self._snapshot_if_due(held, 0)

    async def import_events(self, events: tuple[SealedEvent[Any], ...]) -> None:
        """Record all events of one from elsewhere. VersionConflict if it exists."""
        await self._store.write(events)

    async def command(self, identity: UUID, decide: Callable[[H], Awaitable[Decision[A, T]]]) -> T:
        """Decide for one, alone, and record what was decided, all of it or nothing.

        `decide` is called again if another service was quicker, which is found when it is written,
        or else before anybody is told that nothing was. If the caller goes away while the disk is
        at work, what was decided is recorded all the same.
        """
        await self._store.commit_batcher.enter(identity)
        for _ in range(MAX_ATTEMPTS):
            held = await self._find(identity)
            if held is None:
                raise self._unknown(identity)
            if self.most_waiting is not None and held.waiting >= self.most_waiting:
                raise self._busy(identity)
            held.waiting += 1
            try:
                async with held.lock:
                    if self._held.get(identity) is not held:
                        continue  # let go, or found to be behind, while this command waited
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
                if await self._is_of_others(conflict, identity, version):
                    raise
            finally:
                held.waiting -= 1
                if held.recorded > held.state.version and not held.lock.locked():
                    self._moved(identity, held)
        raise self._busy(identity)

    async def _is_of_others(self, conflict: VersionConflict, identity: UUID, version: int) -> bool:
        """Was this one as new as the log, so that what was to be written beside it was not?"""
        if len(conflict.versions) < 2:
            return False
        newest = await self._reading(lambda: self._store.newest_version(identity, version))
        return newest == version

    def let_go(self, identity: UUID) -> None:
        """The log may have more of it than the memory: whoever looks next reads the log again."""
        self._held.pop(identity, None)

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
        held.still.clear()
        try:
            await self._store.write((*changeset.events, *changeset.beside))
            held.apply(changeset)
        except LogOverloaded:  # nothing was written, and the state still holds
            raise
        except asyncio.CancelledError:  # whoever asked went away, and it is on disk all the same
            held.apply(changeset)
            raise
        except StoreError:
            # What is on the disk is not known, or is not this: only reading the log again can tell.
            self.let_go(identity)
            raise
        finally:  # whatever came of it: now there may be something new to see
            held.still.set()

    # --- keeping ---------------------------------------------------------------------------------

    def _keep(self, identity: UUID, held: H) -> None:
        self._held[identity] = held
        if len(self._held) > self._most:
            # One that is waited for stays: a second copy of it would decide beside the first.
            for name, other in self._held.items():
                if not other.waiting and other is not held:
                    del self._held[name]
                    return

    def _snapshot_if_due(self, held: H, before: int) -> None:
        every = self._snapshot_every
        if every and held.state.version // every > before // every:
            task = asyncio.ensure_future(self._put(held.state.id, self._snapshot(held)))
            self._background_tasks.add(task)
            task.add_done_callback(self._background_tasks.discard)

    async def _put(self, identity: UUID, take: Callable[[], StoredEvent]) -> None:
        try:
            await self._reading(lambda: self._store.put_snapshot(take()))
        except StoreError as error:  # a snapshot only saves time: it goes on without
            log.warning("snapshot not taken", why=str(error), **{self.kind: str(identity)})

    async def close(self) -> None:
        """Wait for snapshots under way."""
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._background_tasks)
