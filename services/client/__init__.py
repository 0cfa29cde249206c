"""A client of the service, for programs written in Python: the command line, tests and benches.

It makes request ids, so that every call may be repeated; repeats calls that found the service
away; follows a watched match over restarts; and turns errors into `ServiceError`.
"""

from typing import TYPE_CHECKING

import grpc

from services.client.admin import AdminCalls
from services.client.analysis import AnalysisCalls
from services.client.armies import ArmiesCalls
from services.client.audit import AuditCalls
from services.client.connection import (
    PATIENCE_SECONDS,
    ServiceError,
    new_request,
)
from services.client.frontends import FrontendsCalls
from services.client.games import GamesCalls
from services.client.history import HistoryCalls
from services.client.matches import MatchesCalls
from services.client.play import PlayCalls
from services.client.players import PlayersCalls
from services.client.statistics import StatisticsCalls
from services.client.views import ViewsCalls
from services.wire.emeth.v1.play_pb2 import Receipt

if TYPE_CHECKING:  # most clients have none
    from services.client.witness import Witness

__all__ = ["PATIENCE_SECONDS", "Client", "ServiceError", "new_request"]


class Client(
    GamesCalls,
    MatchesCalls,
    PlayCalls,
    ViewsCalls,
    HistoryCalls,
    AuditCalls,
    ArmiesCalls,
    FrontendsCalls,
    PlayersCalls,
    StatisticsCalls,
    AnalysisCalls,
    AdminCalls,
):
    """A connection to one service. Use it as an async context manager.

    What it reads of a match is never older than what it has done there itself.

    Every method raises ServiceError. A `token` is one of the match's; see `MatchesService`. A
    `request_id` is made for each call unless given: give one to be able to repeat the call later.
    """

    def __init__(
        self,
        address: str,
        *,
        name: str = "",
        credentials: grpc.ChannelCredentials | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
        session: bool = False,
        witness: "Witness | None" = None,
        frontend_key: str = "",
        client_secret: str = "",
    ) -> None:
        """As `Connection`. With a `witness`, actions are taken only in a log that extends what it
        has kept, and it keeps each receipt; see `witness.Rewritten`."""
        super().__init__(
            address,
            name=name,
            credentials=credentials,
            patience_seconds=patience_seconds,
            frontend_key=frontend_key,
            client_secret=client_secret,
            session=session,
        )
        self._witness = witness

    async def _check_witness(self, match_id: str) -> None:
        if self._witness is not None:
            await self._witness.check(self, match_id)

    async def _witnessed(self, receipt: Receipt) -> None:
        if self._witness is not None:
            await self._witness.keep(self, receipt)
