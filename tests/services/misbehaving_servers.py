"""Servers that the service calls, and that answer as they ought not to, or never."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def run_server(
    serve: Serve, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """A server at this address; its port. Whoever is being served when it ends is let go."""
    served = set[asyncio.Task[None]]()

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        served.add(task)
        try:
            await serve(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            served.discard(task)
            writer.transport.abort()

    server = await asyncio.start_server(one, host, port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(served):
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)


def respond_with(answer: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    return serve


async def never_respond(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


def drip(begin: bytes, drop: bytes) -> Serve:
    """Says something, and then a little more again and again, so that there is always news."""

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0.01)

    return serve


SLOW_SERVERS: dict[str, Serve] = {
    "never answers": never_respond,
    "drips its status": drip(b"HTTP/1.1 200 O", b"k"),
    "drips its head": drip(b"HTTP/1.1 200 OK\r\nX: ", b"x"),
    "drips headers": drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "drips interim answers": drip(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "drips its body": drip(b"HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n", b"x"),
    "drips chunks": drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
}
