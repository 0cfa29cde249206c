"""The HTTP port: the Connect door, the console, health, figures, what search engines are told.

It listens from the start, and answers once its libraries are loaded, which would keep the gRPC door
waiting.
"""

import asyncio
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import Any, Final, cast

import uvicorn
from google.protobuf.descriptor import ServiceDescriptor
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.api.tree_files import TreeFiles
from services.runtime.metrics import MetricSources
from services.runtime.settings import Settings, allowed_origins
from services.transport import metrics
from services.transport.connect import ConnectApplication
from services.transport.connections import Connection
from services.transport.event_streams import CompressedStreams, EventStreams
from services.transport.hosts import AllowedHosts, HostCheck
from services.transport.pipeline import CallPipeline
from services.transport.static_pages import console_routes
from services.transport.themes import theme_routes
from services.transport.tiles import Tiles

SUBSCRIBE: Final = "/emeth.v1.ViewsService/Subscribe"
ROBOTS: Final = "User-agent: *\nDisallow: /\n"
MAX_CONNECTIONS: Final = 5_000
IDLE_SECONDS: Final = 75
"""How long a connection stays open for another request."""
CORS_HEADERS: Final = (
    "authorization", "connect-protocol-version", "connect-timeout-ms", "content-type",
    "emeth-frontend", "if-none-match", "last-event-id",
)  # fmt: skip
CORS_SECONDS: Final = 7_200
"""How long a browser may remember that it may call."""


class HttpServer:
    """A server on a socket, in the loop of the service."""

    def __init__(
        self,
        services: Mapping[ServiceDescriptor, object],
        gate: CallPipeline,
        sources: MetricSources,
        files: TreeFiles,
        settings: Settings,
        admin_key: str,
    ) -> None:
        self._gate = gate
        self._admin_key = admin_key
        self._sources = sources
        self._tiles = Tiles(files)
        connect = ConnectApplication(services, gate)
        config = uvicorn.Config(
            self._application(connect, settings),
            http=cast(Any, partial(Connection, {})),
            loop="none",
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=IDLE_SECONDS,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=settings.drain_seconds,
            ssl_certfile=settings.tls_certificate or None,
            ssl_keyfile=settings.tls_key or None,
            ssl_ca_certs=settings.tls_client_ca or None,
            ssl_cert_reqs=2 if settings.tls_client_ca else 0,
        )
        config.load()
        self._server = _UvicornServer(config)

    @property
    def context(self) -> ssl.SSLContext:
        """The context of its TLS; there must be one."""
        context = self._server.config.ssl
        assert context is not None
        return context

    def renew_hosts(self, settings: Settings) -> None:
        """Answer for the names in the certificate that the settings name, as it is now."""
        self._hosts.renew(AllowedHosts(settings))

    async def serve(self, listening: socket.socket) -> None:
        """Serve until `stop` was called and all calls under way have ended."""
        await self._server.serve(sockets=[listening])

    def stop(self) -> None:
        """Take no more connections."""
        self._server.stop()

    def cut(self) -> None:
        """Hang up on who is connected."""
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()

    def _application(self, connect: ConnectApplication, settings: Settings) -> ASGIApp:
        files = Starlette(
            routes=[
                Route("/healthz", self._health),
                Route("/ready", self._ready),
                Route("/metrics", self._metrics),
                Route("/robots.txt", _robots),
                *console_routes(),
                *self._tiles.routes(),
                *theme_routes(),
                Mount("/", connect),  # which knows no such path, and says so
            ],
        )
        allowed = CORSMiddleware(
            _Router(connect, files),
            allow_origins=allowed_origins(settings),
            allow_methods=("GET", "POST"),
            allow_headers=CORS_HEADERS,
            expose_headers=("etag",),
            max_age=CORS_SECONDS,
        )
        self._hosts = HostCheck(allowed, AllowedHosts(settings))
        return self._hosts

    async def _health(self, _: Request) -> Response:
        """200 while calls are let in."""
        serving = self._gate.open
        return JSONResponse(
            {"status": "serving" if serving else "stopping"}, status_code=200 if serving else 503
        )

    async def _ready(self, _: Request) -> Response:
        """Return 200 while the service can do what its role is for, else 503, with what it can."""
        now = self._sources.availability()
        ready = self._gate.open and now.ready
        parts = {"ready": ready, "writes": now.writes, "reads": now.reads}
        return JSONResponse(parts, status_code=200 if ready else 503)

    async def _metrics(self, request: Request) -> Response:
        """Return the metrics to this machine and to the operator: counts of events tell what
        players hide."""
        host = request.client.host if request.client else ""
        if not metrics.can_read(host, request.headers, self._admin_key):
            headers = {"www-authenticate": "Bearer", "cache-control": "no-store"}
            return PlainTextResponse(metrics.ACCESS_DENIED, status_code=401, headers=headers)
        return Response(
            metrics.metrics_page(self._sources), headers={"content-type": metrics.CONTENT_TYPE}
        )


async def _robots(_: Request) -> Response:
    return PlainTextResponse(ROBOTS)


class _UvicornServer(uvicorn.Server):
    """A server that leaves signals to the service, and stops as soon as it is told."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._told = asyncio.Event()

    def stop(self) -> None:
        """Take no more connections."""
        self.should_exit = True
        self._told.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        """Renew the date in the headers each second until told to stop.

        The one of uvicorn looks ten times a second whether it has been told, idle or not.
        """
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop at once where nobody is connected; else let calls under way end."""
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for server in self.servers:
            server.close()
            await server.wait_closed()


class _Router:
    """Gives calls of the API straight to their door: of a stream, each message would go through all
    that stands before it."""

    def __init__(self, calls: ConnectApplication, files: ASGIApp) -> None:
        self._knows = calls.knows
        self._calls = _ETagMiddleware(calls)
        self._streams = CompressedStreams(EventStreams(calls))
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path == SUBSCRIBE:
            await self._streams(scope, receive, send)
            return
        known = self._knows(path)
        await (self._calls if known else self._files)(scope, receive, send)


class _ETagMiddleware:
    """Tags each answer to a GET by its content; nothing is sent that the caller has already."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._application(scope, receive, send)
            return
        start: dict[str, Any] = {}
        body: list[bytes] = []

        async def hold(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                body.append(message.get("body", b""))

        await self._application(scope, receive, hold)
        if not start:
            return
        content = b"".join(body)
        if start["status"] == 200:
            tag = b'"' + sha256(content).hexdigest()[:32].encode() + b'"'
            start["headers"] = [
                *((name, value) for name, value in start["headers"] if name != b"vary"),
                (b"etag", tag),
                (b"cache-control", b"private, no-cache"),
                (b"vary", b"Accept-Encoding, Authorization, Emeth-Frontend"),
            ]
            if tag in dict(scope["headers"]).get(b"if-none-match", b""):
                start["status"], content = 304, b""
        await send(start)
        await send({"type": "http.response.body", "body": content})
