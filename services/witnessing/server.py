"""A witness on an HTTP port."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from services.buckets import Buckets, Rate
from services.witnessing.records import Records
from services.witnessing.requests import LARGEST_REQUEST, PATH

RATE: Final = Rate(per_second=20.0, burst=200.0)
"""Requests from one address."""
MOST_CONNECTIONS: Final = 1000
BODY_SECONDS: Final = 10.0


def application(records: Records, key: str) -> Starlette:
    """The witness as an ASGI application. `key` is its public key, shown at `/`."""
    # One thread, in which requests are judged one after another: so nobody holds up the port.
    judge = ThreadPoolExecutor(1, "witness")
    buckets = Buckets[str]()

    async def add(request: Request) -> Response:
        if wait := buckets.take(request.client.host if request.client else "", RATE):
            return PlainTextResponse(
                "too many requests\n", 429, headers={"retry-after": str(int(wait) + 1)}
            )
        raw = await _body(request)
        if raw is None:
            return PlainTextResponse(f"a request has {LARGEST_REQUEST} bytes at most\n", 413)
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(judge, records.add, raw)
        return Response(answer.text, answer.status, headers={"content-type": answer.kind})

    async def show(_: Request) -> Response:
        return PlainTextResponse(f"{key}\n")

    routes: list[tuple[str, Callable[[Request], Awaitable[Response]], str]]
    routes = [(f"/{PATH}", add, "POST"), ("/", show, "GET")]
    return Starlette(routes=[Route(path, call, methods=[verb]) for path, call, verb in routes])


async def _body(request: Request) -> bytes | None:
    """What was sent; None if it is too much, or comes too slowly."""
    raw = bytearray()
    with suppress(TimeoutError, ClientDisconnect):
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                raw += piece
                if len(raw) > LARGEST_REQUEST:
                    return None
            return bytes(raw)
    return None


def serve(records: Records, key: str, listening: socket.socket) -> None:
    """Serve on this socket until Ctrl+C or SIGTERM."""
    config = uvicorn.Config(
        application(records, key),
        access_log=False,
        log_level="warning",
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
    )
    uvicorn.Server(config).run(sockets=[listening])
