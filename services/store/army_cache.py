"""The cache of saved armies. Armies have few events, and no snapshots."""

from concurrent.futures import Executor
from functools import reduce
from typing import Final
from uuid import UUID

from domain.army import Event, SavedArmy, evolve
from domain.log.ledger import Changeset
from domain.log.sealed_events import SealedEvent
from services.store.aggregate_cache import AggregateCache, CachedAggregateWithRequests
from services.store.errors import ArmyBusy, ArmyUnknown
from services.store.loading import load_army
from services.store.log import Log

MAX_ARMIES: Final = 512

CachedArmy = CachedAggregateWithRequests[SavedArmy]


class ArmyCache(AggregateCache[SavedArmy, CachedArmy]):
    """The cache of saved armies. Deleted ones stay, to answer repeated requests."""

    kind = "army"

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, max_entries=MAX_ARMIES)

    async def saved(self, identity: UUID) -> SavedArmy:
        """Return a saved army. Raises ArmyUnknown if there is none or it was deleted."""
        army = (await self.get(identity)).state
        if army.deleted:
            raise ArmyUnknown(identity)
        return army

    async def at(self, held: CachedArmy, version: int) -> tuple[SealedEvent[Event], SavedArmy]:
        """Return the event at a version, from 1 to the current one, and the army after it."""

        def read() -> tuple[SealedEvent[Event], SavedArmy]:
            events = list(self._store.army_events(held.state.id, until=version))
            return events[-1], reduce(evolve, events[1:], evolve(None, events[0]))

        return await self._read(read)

    def _load(self, identity: UUID) -> CachedArmy | None:
        loaded = load_army(self._store, identity)
        return None if loaded is None else CachedAggregateWithRequests(*loaded)

    def _new_entry(self, created: Changeset[SavedArmy]) -> CachedArmy:
        began = CachedAggregateWithRequests(created.state, {})
        began.apply(created)
        return began

    def _unknown(self, identity: UUID) -> ArmyUnknown:
        return ArmyUnknown(identity)

    def _busy(self, identity: UUID) -> ArmyBusy:
        return ArmyBusy(identity)
