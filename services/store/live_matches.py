"""Live matches: the state of each match that is being played, kept in memory, and how it moves on.

One task at a time decides for a match, from a state that is on disk, and holds the match until
what it decided is on disk too. So nobody is ever shown, or acts on, what could still be lost.

This is also the one place that says at which version a match is. The read models may have an event
a moment before the memory has it: whoever looks while a write is under way waits for its end, so
that nobody sees less than was shown before. Who waits for a match to move on is woken after that.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from typing import Final, TypeVar
from uuid import UUID

import structlog

from domain.aggregates.snapshots import Requests, take_snapshot
from domain.kernel.packs import Library
from domain.log.digests import digest
from domain.log.sealed_events import Sealed
from domain.match import ActionTaken, AnyMatch, Decided, Event, SeedLost
from services.store.errors import (
    LogOverloaded,
    MatchBusy,
    MatchUnknown,
    SeedMissing,
    StoreError,
    VersionConflict,
)
from services.store.loading import load, load_at, load_until
from services.store.log import Log
from services.store.watchers import Watchers

T = TypeVar("T")
log = structlog.get_logger(__name__)

REMEMBERED: Final = 64
"""Last events of a live match that are kept in memory."""
STEPPED: Final = 256
"""Earlier states that are kept once one was asked for: who goes back step by step needs them."""
ATTEMPTS: Final = 5
"""How often a command is decided again when another replica was quicker."""
WAITING: Final = 64
"""Commands that may wait for one match; more are refused."""


class LiveMatch:
    """A match in memory. `match` is always what is on disk; only `Live` changes it."""

    __slots__ = ("earlier", "lately", "lock", "match", "requests", "still", "waiting")

    def __init__(self, match: AnyMatch, requests: Requests) -> None:
        self.match = match
        self.requests = requests
        self.lately: deque[tuple[Sealed[Event], AnyMatch]] = deque(maxlen=REMEMBERED)
        """The last events, and the match after each: what an undo most likely goes back to."""
        self.earlier: dict[int, AnyMatch] = {}
        """The match at versions before those, while it is taken back step by step."""
        self.lock = asyncio.Lock()
        self.still = asyncio.Event()
        """Set unless an event is being written: it may be on disk, and not yet in `match`."""
        self.still.set()
        self.waiting = 0

    def apply(self, decided: Decided) -> None:
        """Take in what is on disk now."""
        self.match = decided.match
        self.lately.extend(zip(decided.events, decided.matches, strict=True))
        if any(isinstance(sealed.event, ActionTaken) for sealed in decided.events):
            self.earlier = {}
        for sealed in decided.events:
            # The first of several events of one request is its answer.
            self.requests.setdefault(sealed.event.request, sealed.event.version)

    def made_by(self, request_id: str) -> int | None:
        """The version of the event that this request made; None for a new request.

        Requests that gave out tokens are known by the digests of their ids only.
        """
        known = self.requests.get(request_id)
        return self.requests.get(digest(request_id.encode())) if known is None else known


Decision = tuple[Decided | None, T]
"""What to record, if anything, and what to answer once it is on disk."""


class Live:
    """All live matches, bounded in number; the least lately used are let go."""

    def __init__(
        self,
        store: Log,
        executor: Executor,
        library: Library,
        *,
        most: int = 4096,
        snapshot_every: int = 250,
    ) -> None:
        self.library = library
        """The packs that matches may be played with."""
        self._store = store
        self._executor = executor
        self._most = most
        self._snapshot_every = snapshot_every
        self._matches: OrderedDict[UUID, LiveMatch] = OrderedDict()
        self._loading: dict[UUID, asyncio.Task[LiveMatch]] = {}
        self._errands: set[asyncio.Task[None]] = set()
        self.watchers = Watchers()
        """Who waits for the memory to have what is new."""

    def __len__(self) -> int:
        return len(self._matches)

    def version(self, identity: UUID) -> int:
        """The version of a match that is in memory; 0 for any other."""
        live = self._matches.get(identity)
        return live.match.version if live else 0

    def recorded(self, versions: Mapping[UUID, int]) -> None:
        """The read models have found these matches at these versions in the log.

        A match in memory that is older, and is not being written, was moved on by another process:
        it is let go, to be loaded anew by whoever looks next.
        """
        for identity, version in versions.items():
            live = self._matches.get(identity)
            if live is None or (live.match.version < version and live.still.is_set()):
                self._matches.pop(identity, None)
                self.watchers.wake((identity,))

    async def get(self, identity: UUID) -> LiveMatch:
        """The live match, at the version that it has for all who look; loaded from the log if need
        be. MatchUnknown if there is none."""
        live = await self._get(identity)
        if not live.still.is_set():
            await live.still.wait()
            live = await self._get(identity)  # the write may have failed, and the match be let go
        return live

    async def _get(self, identity: UUID) -> LiveMatch:
        """The live match as it is in memory: what is being written may be on disk already."""
        live = self._matches.get(identity)
        if live is not None:
            self._matches.move_to_end(identity)
            return live
        task = self._loading.get(identity)
        if task is None:
            task = asyncio.create_task(self._load(identity))
            self._loading[identity] = task
            task.add_done_callback(lambda _: self._loading.pop(identity, None))
        # Several callers may wait for one load: none of them may cancel it for the others.
        return await asyncio.shield(task)

    async def create(self, created: Decided) -> None:
        """Record the first events of a match. VersionConflict if that match exists."""
        await self._store.write(created.events)
        live = LiveMatch(created.match, {})
        live.apply(created)
        self._keep(created.match.id, live)
        if created.match.version >= self._snapshot_every:
            self._run(self._snapshot(live.match, dict(live.requests)))

    async def take_in(self, events: Sequence[Sealed[Event]]) -> None:
        """Record all events of a match from elsewhere. VersionConflict if the match exists."""
        await self._store.write(events)

    async def command(
        self, identity: UUID, decide: Callable[[LiveMatch], Awaitable[Decision[T]]]
    ) -> T:
        """Decide for a match, alone, and record what was decided, all of it or nothing.

        `decide` is called again if another replica moved the match on meanwhile. If the caller goes
        away while the disk is at work, what was decided is recorded all the same.
        """
        for _ in range(ATTEMPTS):
            live = await self._get(identity)
            if live.waiting >= WAITING:
                raise MatchBusy(identity)
            live.waiting += 1
            try:
                async with live.lock:
                    if self._matches.get(identity) is not live:
                        continue  # let go, or found to be behind, while this command waited
                    decided, answer = await decide(live)
                    if decided is not None:
                        await self._record(identity, live, decided)
                    return answer
            except SeedLost as error:
                raise SeedMissing(identity, str(error)) from None
            except VersionConflict:
                log.info("version conflict", match=str(identity), version=live.match.version)
            finally:
                live.waiting -= 1
        raise MatchBusy(identity)

    async def back_to(self, live: LiveMatch, version: int) -> tuple[AnyMatch, list[Sealed[Event]]]:
        """The match as it stood at a version (at least 1), and the events since.

        From memory if it was lately, else folded from the log.
        """
        lately = list(live.lately)
        for place, (_, stood) in enumerate(lately):
            if stood.version == version:
                return stood, [sealed for sealed, _ in lately[place + 1 :]]
        before, events = await self.since(live.match.id, version + 1)
        assert before is not None
        return before, events

    async def at(self, live: LiveMatch, version: int) -> AnyMatch:
        """The match as it stood at a version, from 1 to the present."""
        if version == live.match.version:
            return live.match
        known = {stood.version: stood for _, stood in live.lately} | live.earlier
        if version not in known:

            def read() -> list[AnyMatch]:
                return load_until(self._store, live.match.id, version, STEPPED, self.library)

            stood = await asyncio.get_running_loop().run_in_executor(self._executor, read)
            known = live.earlier = {each.version: each for each in stood}
        return known[version]

    async def told(self, live: LiveMatch, stretches: Sequence[range]) -> list[Sealed[Event]]:
        """The events of these versions, in this order."""
        lately = {sealed.event.version: sealed for sealed, _ in live.lately}

        def read() -> list[Sealed[Event]]:
            events: list[Sealed[Event]] = []
            for each in stretches:
                if each.start in lately:
                    events += [lately[version] for version in each]
                else:
                    until = each.stop - 1
                    events += self._store.events(live.match.id, after=each.start - 1, until=until)
            return events

        if all(each.start in lately for each in stretches):
            return read()
        return await asyncio.get_running_loop().run_in_executor(self._executor, read)

    async def since(
        self, identity: UUID, first: int
    ) -> tuple[AnyMatch | None, list[Sealed[Event]]]:
        """The match as it stood before version `first`, and its events from that one on."""

        def read() -> tuple[AnyMatch | None, list[Sealed[Event]]]:
            before = load_at(self._store, identity, first - 1, self.library) if first > 1 else None
            return before, list(self._store.events(identity, after=first - 1))

        return await asyncio.get_running_loop().run_in_executor(self._executor, read)

    async def _record(self, identity: UUID, live: LiveMatch, decided: Decided) -> None:
        live.still.clear()
        try:
            await self._write(identity, live, decided)
        finally:  # whatever came of it: now there may be something new to see
            live.still.set()
            self.watchers.wake((identity,))

    async def _write(self, identity: UUID, live: LiveMatch, decided: Decided) -> None:
        before = live.match.version
        try:
            await self._store.write((*decided.events, *decided.beside))
        except LogOverloaded:  # nothing was written, and the state still holds
            raise
        except asyncio.CancelledError:  # whoever asked went away, and it is on disk all the same
            live.apply(decided)
            raise
        except StoreError:
            # What is on the disk is not known, or is not this: only reading the log again can tell.
            self._matches.pop(identity, None)
            raise
        live.apply(decided)
        if live.match.version // self._snapshot_every > before // self._snapshot_every:
            self._run(self._snapshot(live.match, dict(live.requests)))

    async def _load(self, identity: UUID) -> LiveMatch:
        loop = asyncio.get_running_loop()
        loaded = await loop.run_in_executor(
            self._executor, load, self._store, identity, self.library
        )
        if loaded is None:
            raise MatchUnknown(identity)
        live = LiveMatch(*loaded)
        self._keep(identity, live)
        return live

    def _keep(self, identity: UUID, live: LiveMatch) -> None:
        self._matches[identity] = live
        if len(self._matches) > self._most:
            # A match that is waited for stays: a second copy of it would decide beside the first.
            for name, other in self._matches.items():
                if not other.waiting and other is not live:
                    del self._matches[name]
                    return

    def _run(self, errand: Awaitable[None]) -> None:
        task = asyncio.ensure_future(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _snapshot(self, match: AnyMatch, requests: Requests) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(
                self._executor, lambda: self._store.put_snapshot(take_snapshot(match, requests))
            )
        except StoreError as error:  # a snapshot only saves time: the match goes on without
            log.warning("snapshot not taken", match=str(match.id), why=str(error))

    async def close(self) -> None:
        """Wait for snapshots under way."""
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._errands)
