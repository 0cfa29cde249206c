"""Messages of gateways whose lines go one way only: they come by calls of their own."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final

from services.accounts.context import RequestContext
from services.accounts.tokens import token_digest
from services.runtime.errors import ApiError, Reason
from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_MESSAGES: Final = 256
"""Messages that may wait to be done; then those who send more wait too."""


class Inbox:
    """What one gateway sent and is not done yet."""

    def __init__(self, first: pb.ConnectRequest) -> None:
        self._waiting: asyncio.Queue[pb.ConnectRequest] = asyncio.Queue(MAX_MESSAGES)
        self._waiting.put_nowait(first)

    async def put(self, message: pb.ConnectRequest) -> None:
        """Add a message, when there is room."""
        await self._waiting.put(message)

    async def messages(self) -> AsyncIterator[pb.ConnectRequest]:
        """The messages in order, for as long as anybody asks for them."""
        while True:
            yield await self._waiting.get()


class Inboxes:
    """The inboxes of all gateways that listen here."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Inbox] = {}

    @contextmanager
    def open(self, call: RequestContext, epoch: str, inbox: Inbox) -> Iterator[None]:
        """Meanwhile this is the inbox for the caller's key and epoch.

        Whoever has another key cannot get in the way, even before keys are looked at.
        """
        place = (token_digest(call.token), epoch)
        self._open[place] = inbox
        try:
            yield
        finally:
            if self._open.get(place) is inbox:
                del self._open[place]

    def find(self, call: RequestContext, epoch: str) -> Inbox:
        """The inbox for the caller's key. GATEWAY_NOT_LISTENING if there is none."""
        inbox = self._open.get((token_digest(call.token), epoch))
        if inbox is None:
            raise ApiError(Reason.GATEWAY_NOT_LISTENING)
        return inbox
