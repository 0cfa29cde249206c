"""A client of the service, for programs written in Python: the command line, tests and benches.

It makes request ids, so that every call may be repeated; repeats calls that found the service
away; follows a watched match over restarts; and turns errors into `ServiceError`.
"""

from typing import TYPE_CHECKING, Any, Final

import grpc

from services.client.connection import (
    PATIENCE_SECONDS,
    P,
    Q,
    ServiceError,
    new_request,
)
from services.client.history import HistoryCalls
from services.client.play import PlayCalls
from services.client.views import ViewsCalls
from services.wire.emeth.v1.play_pb2 import (
    CreateProposalRequest,
    RespondToProposalRequest,
    SubmitActionRequest,
)

if TYPE_CHECKING:  # most clients have none
    from services.client.witness import Witness

ACTING: Final = (SubmitActionRequest, CreateProposalRequest, RespondToProposalRequest)
"""Requests that may record an event of a match; their responses have a receipt."""

__all__ = ["PATIENCE_SECONDS", "Client", "ServiceError", "new_request"]


class Client(PlayCalls, ViewsCalls, HistoryCalls):
    """A connection to one service with a method for each rpc, and some that make several calls.

    Use it as an async context manager. The generated methods are in `services.wire.calls`.

    Reads of a match are never older than the client's own writes to it.

    Every method raises ServiceError. A `token` is a token of the match or a key; see
    docs/api/README.md.
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
        """Create a client with the arguments of `Connection`, and perhaps a witness.

        The `witness` checks before each action that the log extends what the witness has recorded.
        It keeps each receipt, and raises `witness.LogRewrittenError`.
        """
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

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Q, P], request: Q, token: str = ""
    ) -> P:
        """Make a call. One that may act is made in a log that still has all that was signed."""
        if not isinstance(request, ACTING):
            return await super()._call(method, request, token)
        if self._witness is not None:
            await self._witness.check(self, request.match_id)
        request.group_receipt = self._shares_signatures
        response = await super()._call(method, request, token)
        answer: Any = response
        if self._witness is not None and answer.accepted.HasField("receipt"):
            await self._witness.record_receipt(self, answer.accepted.receipt)
        return response
