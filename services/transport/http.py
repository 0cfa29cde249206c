"""The HTTP server: Connect, the console, health checks, metrics, tiles and themes.

Its socket listens from the start. It responds once its libraries are loaded, so that loading does
not delay the gRPC server.
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

from domain.kernel.packs import Library
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
"""How long an idle connection is kept open."""
CORS_HEADERS: Final = (
    "authorization", "connect-protocol-version", "connect-timeout-ms", "content-type",
    "emeth-frontend", "if-none-match", "last-event-id",
)  # fmt: skip
CORS_SECONDS: Final = 7_200
"""How long a browser may cache the permission to call this origin."""


class HttpServer:
    """An HTTP server on a socket, in the event loop of the service."""

    def __init__(
        self,
        services: Mapping[ServiceDescriptor, object],
        pipeline: CallPipeline,
        sources: MetricSources,
        files: TreeFiles,
        library: Library,
        settings: Settings,
        admin_key: str,
    ) -> None:
        self._pipeline = pipeline
        self._admin_key = admin_key
        self._sources = sources
        self._tiles = Tiles(files)
        self._library = library
        connect = ConnectApplication(services, pipeline)
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
        """Return the TLS context of a server that uses TLS."""
        context = self._server.config.ssl
        assert context is not None
        return context

    def renew_hosts(self, settings: Settings) -> None:
        """Reload the allowed hosts from the settings and the certificate that they name."""
        self._hosts.renew(AllowedHosts(settings))

    async def serve(self, listening: socket.socket) -> None:
        """Serve until `stop` was called and all calls in flight have ended."""
        await self._server.serve(sockets=[listening])

    def stop(self) -> None:
        """Accept no more connections."""
        self._server.stop()

    def cut(self) -> None:
        """Abort all connections at once."""
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
                *theme_routes(self._library),
                Mount("/", connect),  # which refuses unknown paths with METHOD_NOT_FOUND
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
        """Return 200 while calls are accepted, else 503."""
        serving = self._pipeline.open
        return JSONResponse(
            {"status": "serving" if serving else "stopping"}, status_code=200 if serving else 503
        )

    async def _ready(self, _: Request) -> Response:
        """Return 200 while the service can do what its role requires, else 503."""
        now = self._sources.availability()
        ready = self._pipeline.open and now.ready
        parts = {"ready": ready, "writes": now.can_write, "reads": now.can_read}
        return JSONResponse(parts, status_code=200 if ready else 503)

    async def _metrics(self, request: Request) -> Response:
        """Return the metrics to local callers and the operator.

        Counts of events reveal hidden information.
        """
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
    """A uvicorn server that leaves signals to the service, and stops without polling."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stop_event = asyncio.Event()

    def stop(self) -> None:
        """Accept no more connections."""
        self.should_exit = True
        self._stop_event.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        """Update the date header each second until the server is stopped.

        The loop of uvicorn polls ten times a second, even when idle.
        """
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._stop_event.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop at once without connections; else let calls in flight end."""
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for server in self.servers:
            server.close()
            await server.wait_closed()


class _Router:
    """Routes API calls directly to Connect, so that stream messages skip the other middleware."""

    def __init__(self, calls: ConnectApplication, files: ASGIApp) -> None:
        self._is_rpc = calls.has_rpc
        self._calls = _ETagMiddleware(calls)
        self._streams = CompressedStreams(EventStreams(calls))
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path == SUBSCRIBE:
            await self._streams(scope, receive, send)
            return
        known = self._is_rpc(path)
        await (self._calls if known else self._files)(scope, receive, send)


class _ETagMiddleware:
    """Adds an ETag to responses to GET requests, and sends 304 if the client has the content."""

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
