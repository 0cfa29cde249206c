"""The cache of conditional moves, which have few events and no snapshots."""

from concurrent.futures import Executor
from typing import Final
from uuid import UUID

from domain.conditional_moves import ConditionalMoves, Event
from domain.log.ledger import Changeset
from domain.log.sealed_events import SealedEvent
from services.store.aggregate_cache import AggregateCache, CachedAggregateWithRequests
from services.store.errors import ConditionalMovesBusy, ConditionalMovesUnknown
from services.store.loading import load_conditional_moves
from services.store.log import Log
from services.store.watchers import Watchers

MAX_CONDITIONAL_MOVES: Final = 1024

CachedConditionalMoves = CachedAggregateWithRequests[ConditionalMoves]


class ConditionalMovesCache(AggregateCache[ConditionalMoves, CachedConditionalMoves]):
    """The cache of conditional moves. Ended ones stay, to answer repeated requests."""

    kind = "plan"

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, max_entries=MAX_CONDITIONAL_MOVES)
        self.watchers = Watchers()
        """Wakes those who wait for changes of conditional moves."""

    async def event_at(self, held: CachedConditionalMoves, version: int) -> SealedEvent[Event]:
        """Return the event at a version, from 1 to the current one."""

        def read() -> SealedEvent[Event]:
            return list(self._store.plan_events(held.state.id))[version - 1]

        return await self._read(read)

    async def _write(
        self, identity: UUID, held: CachedConditionalMoves, changeset: Changeset[ConditionalMoves]
    ) -> None:
        await super()._write(identity, held, changeset)
        self.watchers.wake((identity,))

    def _load(self, identity: UUID) -> CachedConditionalMoves | None:
        loaded = load_conditional_moves(self._store, identity)
        return None if loaded is None else CachedAggregateWithRequests(*loaded)

    def _new_entry(self, created: Changeset[ConditionalMoves]) -> CachedConditionalMoves:
        began = CachedAggregateWithRequests(created.state, {})
        began.apply(created)
        self.watchers.wake((created.state.id,))
        return began

    def _unknown(self, identity: UUID) -> ConditionalMovesUnknown:
        return ConditionalMovesUnknown(identity)

    def _busy(self, identity: UUID) -> ConditionalMovesBusy:
        return ConditionalMovesBusy(identity)
