"""Saved armies in the log: read whole each time, since an army has few events."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from functools import reduce
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.army.army import Event, SavedArmy, evolve
from domain.log.sealed_events import Sealed
from services.store.errors import ArmyBusy, ArmyUnknown, VersionConflict
from services.store.log import Log

ATTEMPTS: Final = 5
"""How often a change is decided again when another was quicker."""


class ArmyHistory(Struct, frozen=True):
    """An army with all that happened to it."""

    armies: tuple[SavedArmy, ...] = ()
    """As it stood after each event."""
    requests: tuple[str, ...] = ()
    """The request behind each event."""

    @property
    def army(self) -> SavedArmy | None:
        """As it stands; None if it was never saved."""
        return self.armies[-1] if self.armies else None

    def with_event(self, sealed: Sealed[Event]) -> "ArmyHistory":
        """The same with one event more."""
        army = evolve(self.army, sealed)
        return ArmyHistory((*self.armies, army), (*self.requests, sealed.event.request))

    def made_by(self, request: str) -> SavedArmy | None:
        """The army as a request left it; None for a new request."""
        return self.armies[self.requests.index(request)] if request in self.requests else None


Decide = Callable[[ArmyHistory], Sealed[Event] | None]
"""What to record, if anything."""


class ArmyStore:
    """The armies in a log."""

    def __init__(self, log: Log, executor: Executor) -> None:
        self._log = log
        self._executor = executor

    async def get(self, identity: UUID) -> SavedArmy:
        """An army as it stands. ArmyUnknown if there is none, or none any more."""
        army = (await self._load(identity)).army
        if army is None or army.deleted:
            raise ArmyUnknown(identity)
        return army

    async def change(self, identity: UUID, decide: Decide) -> ArmyHistory:
        """Record what is decided for an army, and give all of it with that.

        `decide` is called again if another change was quicker; ArmyBusy if that does not end.
        """
        for _ in range(ATTEMPTS):
            history = await self._load(identity)
            sealed = decide(history)
            if sealed is None:
                return history
            try:
                await self._log.write([sealed])
            except VersionConflict:
                continue
            return history.with_event(sealed)
        raise ArmyBusy(identity)

    async def _load(self, identity: UUID) -> ArmyHistory:
        loop = asyncio.get_running_loop()

        def read() -> ArmyHistory:
            return reduce(ArmyHistory.with_event, self._log.army_events(identity), ArmyHistory())

        return await loop.run_in_executor(self._executor, read)
