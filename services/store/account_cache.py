"""Caches of frontends and players. Accounts have few events, and no snapshots."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, ClassVar, Final, TypeVar
from uuid import UUID

from domain import frontend, player
from domain.frontend import Frontend
from domain.log.ledger import Changeset
from domain.log.sealed_events import SealedEvent
from domain.player import Player
from services.store.aggregate_cache import AggregateCache, CachedAggregateWithRequests
from services.store.errors import AccountBusy, FrontendUnknown, PlayerUnknown, StoreError
from services.store.log import Log

MAX_FRONTENDS: Final = 512
MAX_PLAYERS: Final = 8_192

CachedFrontend = CachedAggregateWithRequests[Frontend]
CachedPlayer = CachedAggregateWithRequests[Player]
AccountT = TypeVar("AccountT", Frontend, Player)


class _AccountCache(AggregateCache[AccountT, CachedAggregateWithRequests[AccountT]]):
    """A cache of accounts of one kind."""

    evolve: ClassVar[Callable[[Any, SealedEvent[Any]], Any]]

    async def event(self, held: CachedAggregateWithRequests[AccountT], version: int) -> Any:
        """Return the event at a version, from 1 to the current one."""

        def read() -> Any:
            return [*self._store.account_events(self.kind, held.state.id, version)][-1].event

        return await self._read(read)

    def note_versions(self, versions: Mapping[UUID, int]) -> None:
        """Evict accounts that another service has changed, by their versions in the log.

        Accounts that are being written are kept.
        """
        for identity in versions.keys() & self._entries.keys():
            held = self._entries[identity]
            if held.idle.is_set() and held.state.version < versions[identity]:
                self.evict(identity)

    @abstractmethod
    def _unknown(self, identity: UUID) -> StoreError: ...

    def _load(self, identity: UUID) -> CachedAggregateWithRequests[AccountT] | None:
        account: AccountT | None = None
        requests: dict[str, int] = {}
        for sealed in self._store.account_events(self.kind, identity):
            account = type(self).evolve(account, sealed)
            requests.setdefault(sealed.event.request, sealed.event.version)
        return None if account is None else CachedAggregateWithRequests(account, requests)

    def _new_entry(self, created: Changeset[AccountT]) -> CachedAggregateWithRequests[AccountT]:
        began = CachedAggregateWithRequests(created.state, {})
        began.apply(created)
        return began

    def _busy(self, identity: UUID) -> AccountBusy:
        return AccountBusy(identity)


class FrontendCache(_AccountCache[Frontend]):
    """The cache of frontends, including deleted ones."""

    kind = "frontend"
    evolve = frontend.evolve

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, max_entries=MAX_FRONTENDS)

    def _unknown(self, identity: UUID) -> FrontendUnknown:
        return FrontendUnknown(identity)


class PlayerCache(_AccountCache[Player]):
    """The cache of players, including erased ones."""

    kind = "player"
    evolve = player.evolve

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, max_entries=MAX_PLAYERS)

    def _unknown(self, identity: UUID) -> PlayerUnknown:
        return PlayerUnknown(identity)
