"""What waits to be sent to one gateway."""

import asyncio
from typing import Final

from services.runtime.signals import Signal
from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_MESSAGES: Final = 256
"""Answers that may wait for a gateway that does not read; then it is not read from either."""

OutboxEntry = pb.ConnectResponse | None
"""None ends the stream."""


class Outbox:
    """Answers in order, for one reader. It lives on the event loop.

    An `asyncio.Queue` takes two kilobytes while it is empty, and most gateways are silent most of
    the time.
    """

    __slots__ = ("_reader", "_room", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[OutboxEntry] = []
        self._reader: asyncio.Future[None] | None = None
        """Done when there is something to read, for a reader who waits."""
        self._room: Signal | None = None
        """Set when there is room again, for writers who wait."""

    async def put(self, answer: OutboxEntry) -> None:
        """Add an answer, when there is room."""
        while len(self._waiting) >= MAX_MESSAGES:
            if self._room is None:
                self._room = Signal()
            await self._room.wait()
        self._waiting.append(answer)
        self._wake()

    async def get(self) -> OutboxEntry:
        """The next answer, when there is one."""
        while not self._waiting:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        answer = self._waiting.pop(0)
        self._make_room()
        return answer

    def end(self) -> None:
        """What waits is not sent any more: the stream ends."""
        self._waiting = [None]
        self._make_room()
        self._wake()

    def _make_room(self) -> None:
        if self._room is not None:
            self._room.set()
            self._room = None

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
