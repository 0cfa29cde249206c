"""Queues for messages of gateways that send them by separate calls."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final

from services.accounts.context import RequestContext
from services.accounts.tokens import token_digest
from services.runtime.errors import ApiError, Reason
from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_MESSAGES: Final = 256
"""Maximum number of queued messages; senders of more wait."""


class Inbox:
    """The messages of one gateway that are not processed yet."""

    def __init__(self, first: pb.ConnectRequest) -> None:
        self._messages: asyncio.Queue[pb.ConnectRequest] = asyncio.Queue(MAX_MESSAGES)
        self._messages.put_nowait(first)

    async def put(self, message: pb.ConnectRequest) -> None:
        """Add a message; wait while the inbox is full."""
        await self._messages.put(message)

    async def messages(self) -> AsyncIterator[pb.ConnectRequest]:
        """Yield the messages in order, until the consumer stops."""
        while True:
            yield await self._messages.get()


class Inboxes:
    """The inboxes of all gateways that listen here."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Inbox] = {}

    @contextmanager
    def open(self, call: RequestContext, epoch: str, inbox: Inbox) -> Iterator[None]:
        """Register this inbox for the caller's key and epoch during the context.

        A caller with another key has another inbox, even before keys are checked.
        """
        place = (token_digest(call.token), epoch)
        self._open[place] = inbox
        try:
            yield
        finally:
            if self._open.get(place) is inbox:
                del self._open[place]

    def find(self, call: RequestContext, epoch: str) -> Inbox:
        """Return the inbox for the caller's key and epoch.

        Raises:
            ApiError: GATEWAY_NOT_LISTENING if there is none.
        """
        inbox = self._open.get((token_digest(call.token), epoch))
        if inbox is None:
            raise ApiError(Reason.GATEWAY_NOT_LISTENING)
        return inbox
