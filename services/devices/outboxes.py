"""A bounded queue of responses to one gateway."""

import asyncio
from typing import Final

from services.runtime.signals import Signal
from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_MESSAGES: Final = 256
"""Maximum number of queued answers. Beyond that, the gateway is not read from."""

OutboxEntry = pb.ConnectResponse | None
"""An answer to send, or None for the end of the stream."""


class Outbox:
    """A queue of responses in order, for one reader on the event loop."""

    __slots__ = ("_entries", "_reader", "_room")

    def __init__(self) -> None:
        self._entries: list[OutboxEntry] = []
        self._reader: asyncio.Future[None] | None = None
        """Resolved when a response is ready for the waiting reader."""
        self._room: Signal | None = None
        """Set when the queue has room for waiting writers."""

    async def put(self, answer: OutboxEntry) -> None:
        """Add a response; wait while the outbox is full."""
        while len(self._entries) >= MAX_MESSAGES:
            if self._room is None:
                self._room = Signal()
            await self._room.wait()
        self._entries.append(answer)
        self._wake()

    async def get(self) -> OutboxEntry:
        """Wait for the next response and return it."""
        while not self._entries:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        answer = self._entries.pop(0)
        self._make_room()
        return answer

    def end(self) -> None:
        """End the stream; queued responses are dropped."""
        self._entries = [None]
        self._make_room()
        self._wake()

    def _make_room(self) -> None:
        if self._room is not None:
            self._room.set()
            self._room = None

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
