"""The cache of conditional moves, which have few events and no snapshots."""

from concurrent.futures import Executor
from typing import Final
from uuid import UUID

from domain.conditional_moves import Event, LeftPlan
from domain.log.ledger import Decided
from domain.log.sealed_events import Sealed
from services.store.aggregate_cache import HeldWithRequests, Live
from services.store.errors import PlanBusy, PlanUnknown
from services.store.loading import load_plan
from services.store.log import Log
from services.store.watchers import Watchers

MOST: Final = 1024

LivePlan = HeldWithRequests[LeftPlan]


class LivePlans(Live[LeftPlan, LivePlan]):
    """The cache of conditional moves. Ended ones stay, to answer repeated requests."""

    kind = "plan"

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, most=MOST)
        self.watchers = Watchers()
        """Wakes those who wait for changes of conditional moves."""

    async def event_at(self, held: LivePlan, version: int) -> Sealed[Event]:
        """Return the event at a version, from 1 to the current one."""

        def read() -> Sealed[Event]:
            return list(self._store.plan_events(held.state.id))[version - 1]

        return await self._reading(read)

    async def _write(self, identity: UUID, held: LivePlan, decided: Decided[LeftPlan]) -> None:
        await super()._write(identity, held, decided)
        self.watchers.wake((identity,))

    def _load(self, identity: UUID) -> LivePlan | None:
        loaded = load_plan(self._store, identity)
        return None if loaded is None else HeldWithRequests(*loaded)

    def _begun(self, created: Decided[LeftPlan]) -> LivePlan:
        began = HeldWithRequests(created.state, {})
        began.apply(created)
        self.watchers.wake((created.state.id,))
        return began

    def _unknown(self, identity: UUID) -> PlanUnknown:
        return PlanUnknown(identity)

    def _busy(self, identity: UUID) -> PlanBusy:
        return PlanBusy(identity)
