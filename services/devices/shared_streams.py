"""Connections that several gateways share: one for each of several tables, with the same key."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from services.devices.gateway_stream import GatewayStream
from services.runtime.errors import ApiError
from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_GATEWAYS: Final = 16
"""Maximum number of additional gateways on one connection."""
MAX_REQUESTS: Final = 64
"""Maximum number of queued messages of one gateway before reading the connection stops."""

Requests = AsyncIterator[pb.ConnectRequest]
OpenStream = Callable[[pb.Hello, Requests], AsyncGenerator[pb.ConnectResponse, None]]
"""Runs the stream of another gateway."""


class SharedStream:
    """The gateways that share a connection with its first gateway."""

    def __init__(self) -> None:
        self._queues: dict[str, asyncio.Queue[pb.ConnectRequest | None]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._first: GatewayStream | None = None

    async def responses(
        self, stream: GatewayStream, requests: Requests, another: OpenStream
    ) -> AsyncGenerator[pb.ConnectRequest, None]:
        """Yield the requests for a stream; those of the first stream for others are forwarded."""
        if self._first is not None:  # one of the others: only its own comes here
            async for request in requests:
                yield request
            return
        self._first = stream
        async for request in requests:
            said = request.WhichOneof("message") == "hello"
            gateway = request.hello.gateway_id if said else request.gateway_id
            if gateway in ("", stream.gateway):
                yield request
            elif said:
                await self._begin(gateway, request.hello, another)
            elif gateway in self._queues:
                await self._queues[gateway].put(request)

    async def stop(self, stream: GatewayStream) -> None:
        """Stop all gateways of the connection when the first has disconnected."""
        if stream is not self._first:
            return
        for task in self._tasks.values():
            task.cancel()
        for task in self._tasks.values():
            with suppress(asyncio.CancelledError):
                await task

    async def _begin(self, gateway: str, hello: pb.Hello, another: OpenStream) -> None:
        assert self._first is not None
        if gateway in self._tasks and not self._tasks[gateway].done():
            return
        if len(self._queues) >= MAX_GATEWAYS and gateway not in self._queues:
            why = f"a line has at most {MAX_GATEWAYS} gateways beside the first"
            await self._first.forward(_disconnect(gateway, why))
            return
        queue = self._queues[gateway] = asyncio.Queue(MAX_REQUESTS)
        self._tasks[gateway] = asyncio.create_task(self._run(gateway, hello, queue, another))

    async def _run(
        self,
        gateway: str,
        hello: pb.Hello,
        queue: asyncio.Queue[pb.ConnectRequest | None],
        another: OpenStream,
    ) -> None:
        """Serve another gateway until its stream ends; the connection continues without it."""
        assert self._first is not None
        try:
            async for answer in another(hello, _queued_requests(queue)):
                answer.gateway_id = gateway
                await self._first.forward(answer)
        except ApiError as error:
            await self._first.forward(_disconnect(gateway, error.message))
        self._queues.pop(gateway, None)


async def _queued_requests(queue: asyncio.Queue[pb.ConnectRequest | None]) -> Requests:
    while (request := await queue.get()) is not None:
        yield request


def _disconnect(gateway: str, why: str) -> pb.ConnectResponse:
    return pb.ConnectResponse(gateway_id=gateway, disconnect=pb.Disconnect(message=why))
