"""The HTTP server of a witness, which cosigns checkpoints of logs."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from services.proof.witness.records import WitnessStore
from services.proof.witness.requests import ADD_CHECKPOINT_PATH, MAX_REQUEST_BYTES
from services.runtime.rate_limits import RateLimit, TokenBuckets
from services.runtime.settings import Settings
from services.transport.hosts import AllowedHosts, HostCheck

REQUEST_RATE: Final = RateLimit(per_second=20.0, burst=200.0)
"""Rate of requests from one address."""
MAX_CONNECTIONS: Final = 1000
BODY_SECONDS: Final = 10.0


def application(records: WitnessStore, key: str, listen: str, hosts: Sequence[str] = ()) -> ASGIApp:
    """Return the witness as an ASGI application that responds for allowed hosts only.

    Args:
        records: The newest cosigned checkpoint of each log.
        key: The witness's public key, shown at `/`.
        listen: The address and port of the server.
        hosts: Public host names that are allowed too, such as those of a proxy.
    """
    # Requests are checked in one thread, so that they do not block the event loop.
    judge = ThreadPoolExecutor(1, "witness")
    buckets = TokenBuckets[str]()

    async def add(request: Request) -> Response:
        if wait := buckets.take(request.client.host if request.client else "", REQUEST_RATE):
            return PlainTextResponse(
                "too many requests\n", 429, headers={"retry-after": str(int(wait) + 1)}
            )
        raw = await _read_body(request)
        if raw is None:
            return PlainTextResponse(f"a request has {MAX_REQUEST_BYTES} bytes at most\n", 413)
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(judge, records.add, raw)
        return Response(answer.text, answer.status, headers={"content-type": answer.kind})

    async def show(_: Request) -> Response:
        return PlainTextResponse(f"{key}\n")

    routes: list[tuple[str, Callable[[Request], Awaitable[Response]], str]]
    routes = [(f"/{ADD_CHECKPOINT_PATH}", add, "POST"), ("/", show, "GET")]
    found = Starlette(routes=[Route(path, call, methods=[verb]) for path, call, verb in routes])
    origins = ",".join(f"https://{each}" for each in hosts)
    known = AllowedHosts(Settings(http=listen, cors=origins))
    return HostCheck(found, known, "start the witness with `--host {host}`")


async def _read_body(request: Request) -> bytes | None:
    """Return the body of a request, or None if it is too large or too slow."""
    raw = bytearray()
    with suppress(TimeoutError, ClientDisconnect):
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                raw += piece
                if len(raw) > MAX_REQUEST_BYTES:
                    return None
            return bytes(raw)
    return None


def serve(witness: ASGIApp, listening: socket.socket) -> None:
    """Serve the application on this socket until Ctrl+C or SIGTERM."""
    config = uvicorn.Config(
        witness,
        access_log=False,
        log_level="warning",
        lifespan="off",
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
    )
    uvicorn.Server(config).run(sockets=[listening])
