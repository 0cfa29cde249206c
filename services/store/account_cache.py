"""Caches of frontends and players. Accounts have few events, and no snapshots."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, ClassVar, Final, TypeVar
from uuid import UUID

from domain import frontend, player
from domain.frontend import Frontend
from domain.log.ledger import Decided
from domain.log.sealed_events import Sealed
from domain.player import Player
from services.store.aggregate_cache import HeldWithRequests, Live
from services.store.errors import AccountBusy, FrontendUnknown, PlayerUnknown, StoreError
from services.store.log import Log

MOST_FRONTENDS: Final = 512
MOST_PLAYERS: Final = 8_192

LiveFrontend = HeldWithRequests[Frontend]
LivePlayer = HeldWithRequests[Player]
AccountT = TypeVar("AccountT", Frontend, Player)


class _LiveAccounts(Live[AccountT, HeldWithRequests[AccountT]]):
    """A cache of accounts of one kind."""

    evolve: ClassVar[Callable[[Any, Sealed[Any]], Any]]

    async def event(self, held: HeldWithRequests[AccountT], version: int) -> Any:
        """Return the event at a version, from 1 to the current one."""

        def read() -> Any:
            return [*self._store.account_events(self.kind, held.state.id, version)][-1].event

        return await self._reading(read)

    def recorded(self, versions: Mapping[UUID, int]) -> None:
        """Evict accounts that another service has changed, by their versions in the log.

        Accounts that are being written are kept.
        """
        for identity in versions.keys() & self._held.keys():
            held = self._held[identity]
            if held.still.is_set() and held.state.version < versions[identity]:
                self.let_go(identity)

    @abstractmethod
    def _unknown(self, identity: UUID) -> StoreError: ...

    def _load(self, identity: UUID) -> HeldWithRequests[AccountT] | None:
        account: AccountT | None = None
        requests: dict[str, int] = {}
        for sealed in self._store.account_events(self.kind, identity):
            account = type(self).evolve(account, sealed)
            requests.setdefault(sealed.event.request, sealed.event.version)
        return None if account is None else HeldWithRequests(account, requests)

    def _begun(self, created: Decided[AccountT]) -> HeldWithRequests[AccountT]:
        began = HeldWithRequests(created.state, {})
        began.apply(created)
        return began

    def _busy(self, identity: UUID) -> AccountBusy:
        return AccountBusy(identity)


class LiveFrontends(_LiveAccounts[Frontend]):
    """The cache of frontends, including deleted ones."""

    kind = "frontend"
    evolve = frontend.evolve

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, most=MOST_FRONTENDS)

    def _unknown(self, identity: UUID) -> FrontendUnknown:
        return FrontendUnknown(identity)


class LivePlayers(_LiveAccounts[Player]):
    """The cache of players, including erased ones."""

    kind = "player"
    evolve = player.evolve

    def __init__(self, store: Log, executor: Executor) -> None:
        super().__init__(store, executor, most=MOST_PLAYERS)

    def _unknown(self, identity: UUID) -> PlayerUnknown:
        return PlayerUnknown(identity)
