"""The gRPC and HTTP servers of a service, and their graceful shutdown."""

import asyncio
import socket
from contextlib import AsyncExitStack, suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

import grpc
import structlog
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import SERVICE_NAME as HEALTH
from grpc_health.v1.health import aio as health
from grpc_health.v1.health_pb2_grpc import add_HealthServicer_to_server

from domain.kernel.packs import Library
from services.api.tree_files import TreeFiles
from services.runtime.metrics import MetricSources
from services.runtime.roles import can_serve, serves_service
from services.runtime.settings import Settings
from services.store.startup import StartError
from services.transport.grpc import UnknownMethods, bind, bind_session
from services.transport.health import ServingStatus
from services.transport.pipeline import CallPipeline
from services.transport.ports import (
    CHANNEL_OPTIONS,
    PortError,
    http_address,
    open_http_port,
    open_port,
)
from services.transport.reflection import add_reflection
from services.transport.session import Sessions, session_handlers
from services.transport.tls import Certificates, TlsError

if TYPE_CHECKING:  # its libraries are slow to load
    from services.transport.http import HttpServer

log = structlog.get_logger(__name__)

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING
LIVENESS: Final = "liveness"
"""Health service name for liveness of the process, which does not depend on a database. Kubernetes
restarts a pod that is not live."""
READINESS: Final = "readiness"
"""Health service name for readiness: the service can do what its role requires. The empty name, the
default of health checks, means the same."""
MIN_QUIET_SECONDS: Final = 0.02
QUIET_SECONDS: Final = 0.25
MAX_QUIET_SECONDS: Final = 2.0
IDLE_SECONDS: Final = 0.5
"""A service that stops keeps refusing calls until none has arrived for a while. That time is
shorter if none arrived for `IDLE_SECONDS` before, since clients that were just answered often call
again at once."""
STUCK_SECONDS: Final = 2.0
"""Then the service waits for calls in flight, until all that are left have read nothing for this
time."""
CHECK_SECONDS: Final = 0.1
"""Interval at which that is checked."""


class TransportServers:
    """The gRPC and HTTP servers of a service."""

    def __init__(
        self,
        settings: Settings,
        pipeline: CallPipeline,
        handlers: dict[ModuleType, object],
        serving: ServingStatus,
        admin_key: str,
        library: Library,
    ) -> None:
        self.address = ""
        """Address and actual port of gRPC; empty until the server listens."""
        self.http_address = ""
        """URL for browsers; empty without an HTTP server."""
        self.sessions = Sessions(session_handlers(_by_service(handlers)), pipeline)
        self._settings = settings
        self._admin_key = admin_key
        self._library = library
        self._pipeline = pipeline
        self._serving = serving
        self._shows_health: asyncio.Task[None] | None = None
        self._handlers = {
            each: handlers[each] for each in handlers if serves_service(settings.role, each)
        }
        self._services = _by_service(self._handlers)
        self._server = grpc.aio.server(options=CHANNEL_OPTIONS)
        self._health = health.HealthServicer()
        self._http_server: HttpServer | None = None
        self._certificates: Certificates | None = None

    async def open(self, sources: MetricSources, tree: TreeFiles, stack: AsyncExitStack) -> None:
        """Open both ports, and start serving. The stack closes the HTTP server.

        Raises:
            StartError: A port or a TLS certificate cannot be used.
        """
        self._bind()
        try:
            if self._settings.tls_certificate:
                self._certificates = Certificates(self._settings)
            self.address = open_port(self._server, self._settings, self._certificates)
            listening = open_http_port(self._settings)
        except (PortError, TlsError) as error:
            raise StartError(str(error)) from error.__cause__
        if listening is not None:
            self.http_address = http_address(listening, self._settings)
            stack.callback(listening.close)
            serving = asyncio.create_task(self._serve_http(listening, sources, tree))
            stack.push_async_callback(self._stop_http, serving)
        await self._set_health()
        await self._server.start()

    def show_health(self) -> None:
        """Update the gRPC health service."""
        self._shows_health = asyncio.ensure_future(self._set_health())

    async def _set_health(self) -> None:
        now = self._serving.now()
        states = {LIVENESS: True, READINESS: now.ready, "": now.ready}
        for module, handler in self._handlers.items():
            works = can_serve(module, writes=now.can_write, reads=now.can_read is not False)
            states |= {each.full_name: works for each in _by_service({module: handler})}
        for name, works in states.items():
            await self._health.set(name, SERVING if works else NOT_SERVING)

    def _bind(self) -> None:
        """Add the handlers of all services to the gRPC server."""
        server = self._server
        bound = [bind(*each, self._pipeline) for each in self._services.items()]
        if self._settings.role != "read":
            bound.append(bind_session(self.sessions.session, self._pipeline))
        server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(*each) for each in bound]
        )
        add_HealthServicer_to_server(self._health, server)
        names = [service.full_name for service in self._services]
        add_reflection(server, (*names, HEALTH), self._pipeline)
        server.add_generic_rpc_handlers((UnknownMethods(self._pipeline),))

    async def _serve_http(
        self, listening: socket.socket, sources: MetricSources, tree: TreeFiles
    ) -> None:
        """Serve HTTP until it is stopped."""
        # Its libraries are slow to load. Connections wait meanwhile.
        http = await asyncio.to_thread(import_module, "services.transport.http")
        self._http_server = http.HttpServer(
            self._services,
            self._pipeline,
            sources,
            tree,
            self._library,
            self._settings,
            self._admin_key,
        )
        if self._certificates is not None:
            self._certificates.follow(self._http_server.context)
        await self._http_server.serve(listening)

    def reload_certificates(self) -> None:
        """Reload the TLS certificate and key for new connections.

        If they are not valid, the old ones stay in use. The log has the outcome.
        """
        try:
            if self._certificates is not None:
                self._certificates.reload()
                if self._http_server is not None:
                    self._http_server.renew_hosts(self._settings)
        except TlsError as error:
            log.error("certificates_not_reloaded", why=str(error))
        else:
            log.info("certificates_reloaded")

    async def _stop_http(self, serving: asyncio.Task[None]) -> None:
        if self._http_server is None:
            serving.cancel()
        else:
            self._http_server.stop()
            if not await self._wait_until_stopped(serving):
                self._http_server.cut()
        with suppress(asyncio.CancelledError):
            await serving

    async def refuse(self) -> None:
        """Refuse new calls with SHUTTING_DOWN."""
        self._pipeline.open = False
        await self._health.enter_graceful_shutdown()

    async def close(self) -> None:
        """Let calls in flight end, and close the gRPC port."""
        self.sessions.close()
        await self._wait_until_quiet()
        stopping = asyncio.create_task(self._server.stop(self._settings.drain_seconds))
        if not await self._wait_until_stopped(stopping):
            await self._server.stop(0)
        await stopping

    async def _wait_until_stopped(self, stopping: asyncio.Task[None]) -> bool:
        """Wait until a server has stopped.

        Return False if only callers that do not read are left.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while not stopping.done():
            if min(self._pipeline.in_flight.idle_seconds, loop.time() - begun) > STUCK_SECONDS:
                return False
            await asyncio.wait((stopping,), timeout=CHECK_SECONDS)
        return True

    async def _wait_until_quiet(self) -> None:
        """Wait until no more calls arrive. Those that do are refused and told to retry.

        gRPC itself cancels calls that it has not delivered yet, without a reason.
        """
        loop, pipeline = asyncio.get_running_loop(), self._pipeline
        until, refused_count = loop.time() + MAX_QUIET_SECONDS, -1
        quiet = MIN_QUIET_SECONDS if pipeline.idle_seconds > IDLE_SECONDS else QUIET_SECONDS
        while refused_count < pipeline.refused_count and loop.time() < until:
            refused_count = pipeline.refused_count
            await asyncio.sleep(quiet)
            quiet = QUIET_SECONDS


def _by_service(handlers: dict[ModuleType, object]) -> dict[ServiceDescriptor, object]:
    return {
        service: handler
        for module, handler in handlers.items()
        for service in module.DESCRIPTOR.services_by_name.values()
    }
