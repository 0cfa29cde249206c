"""Offline taps that wait for those of other gateways of the same table."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from typing import Final

from msgspec import Struct

from services.runtime.signals import Signal
from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_HOLD_SECONDS: Final = 30.0
"""How long taps of one gateway may wait, at one match version, for taps of other gateways."""
MAX_SENDING_HOLD_SECONDS: Final = 5.0
"""How long a gateway may take to send its next stored messages after it connects."""
MAX_READ_AHEAD: Final = 1000
"""Maximum number of messages that are read while an earlier tap is held."""


class RequestReader:
    """The requests of a gateway in order, some of them read ahead while a tap is held."""

    def __init__(
        self,
        requests: AsyncIterator[pb.ConnectRequest],
        is_report: Callable[[pb.ConnectRequest], bool],
    ) -> None:
        """Create a reader of these requests.

        `is_report` handles requests without a number, which never wait. It returns whether it did.
        """
        self._requests = requests
        self._is_report = is_report
        self._ahead: deque[pb.ConnectRequest] = deque()
        self._count = 0
        """Number of messages that were read ahead."""
        self._last = 0
        """The number of the last message that is held or was read ahead."""
        self._reading: asyncio.Task[pb.ConnectRequest | None] | None = None

    async def next(self) -> pb.ConnectRequest | None:
        """Return the next request; None when the gateway sends no more."""
        if self._ahead:
            request = self._ahead.popleft()
            self._count -= len(_numbers(request))
            return request
        if self._reading is None:
            return await anext(self._requests, None)
        reading, self._reading = self._reading, None
        return await reading

    async def read_ahead(self, held: pb.ConnectRequest, news: Signal, seconds: float) -> bool:
        """Read ahead until there is news or the time is up, while this request is held.

        Returns:
            False if the gateway has disconnected; it then sends the held request again.
        """
        self._last = max(self._last, _numbers(held)[-1])
        heard = asyncio.create_task(news.wait())
        try:
            async with asyncio.timeout(seconds):
                while not heard.done():
                    if self._count >= MAX_READ_AHEAD:
                        await heard
                        break
                    reading = self._reading = self._reading or asyncio.create_task(self._one())
                    await asyncio.wait({heard, reading}, return_when=asyncio.FIRST_COMPLETED)
                    if reading.done():
                        self._reading = None
                        if (request := reading.result()) is None:
                            return False
                        self._keep(request)
        except TimeoutError:
            pass
        finally:
            heard.cancel()
        return True

    def stop(self) -> None:
        """Stop reading at the end of the stream."""
        if self._reading is not None:
            self._reading.cancel()

    async def _one(self) -> pb.ConnectRequest | None:
        return await anext(self._requests, None)

    def _keep(self, request: pb.ConnectRequest) -> None:
        """Queue a request unless all its messages are queued: gateways resend messages."""
        numbers = _numbers(request)
        if self._is_report(request) or not numbers or numbers[-1] <= self._last:
            return
        if numbers[0] <= self._last + 1:  # else messages are missing, and it will not be its turn
            self._last = numbers[-1]
        self._ahead.append(request)
        self._count += len(numbers)


def _numbers(request: pb.ConnectRequest) -> tuple[int, ...]:
    """Return the numbers of the messages in a request."""
    match request.WhichOneof("message"):
        case "tap":
            return (request.tap.seq,)
        case "status":
            return (request.status.seq,)
        case "journal":
            entries = request.journal.entries
            kept = (each.tap if each.HasField("tap") else each.status for each in entries)
            return tuple(each.seq for each in kept) or (0,)
        case _:
            return ()


class HoldBudget(Struct):
    """The remaining hold time of a gateway's taps at a version of the match."""

    version: int
    seconds: float


class HoldTimes:
    """The remaining hold times of all gateways, across their connections."""

    def __init__(self, pending_upload_seconds: Callable[[str], float]) -> None:
        """Create empty budgets.

        `pending_upload_seconds` returns how long a gateway may still send offline messages.
        """
        self._pending_upload_seconds = pending_upload_seconds
        self._budgets: dict[str, HoldBudget] = {}

    def seconds(self, gateway: str, version: int, awaited: Collection[str]) -> float:
        """Return the longest time to hold a gateway's tap for the awaited gateways, in seconds.

        The result is for this version of the match; with 0 or less, the tap is not held.
        """
        if not awaited:
            self._budgets.pop(gateway, None)
            return 0.0
        longest = max(map(self._pending_upload_seconds, awaited))
        return min(longest, self._of(gateway, version).seconds)

    def spend(self, gateway: str, version: int, seconds: float) -> None:
        """Deduct the time for which a tap of a gateway was held at this version."""
        self._of(gateway, version).seconds -= seconds

    def _of(self, gateway: str, version: int) -> HoldBudget:
        known = self._budgets.get(gateway)
        if known is None or known.version != version:
            known = self._budgets[gateway] = HoldBudget(version, MAX_HOLD_SECONDS)
        return known
