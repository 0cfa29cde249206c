"""Listening at both ports, gRPC's and HTTP's, and going away without losing a call."""

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

if TYPE_CHECKING:  # its libraries take as long to load as all else
    from services.transport.http import HttpServer

log = structlog.get_logger(__name__)

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING
LIVENESS: Final = "liveness"
"""The name under which the health service reports that the process lives, which does not depend on
a database. Kubernetes restarts a pod that is not live."""
READINESS: Final = "readiness"
"""The name under which the health service reports that the service can do what its role is for; the
empty name, which health checks ask for by default, means the same."""
MIN_QUIET_SECONDS: Final = 0.02
QUIET_SECONDS: Final = 0.25
MAX_QUIET_SECONDS: Final = 2.0
IDLE_SECONDS: Final = 0.5
"""A service that stops goes on sending calls away until none has come for a while: a short one if
none had come for `IDLE_SECONDS` before, else `QUIET_SECONDS`, since who has just been answered is
about to call again. It does so for `LONGEST_QUIET_SECONDS` at most."""
STUCK_SECONDS: Final = 2.0
"""Then it waits for calls under way, but not for callers none of whom has taken anything of what
they were sent for so long."""
CHECK_SECONDS: Final = 0.1
"""How often it looks whether anybody has."""


class TransportServers:
    """The ports of a service, and the calls that come in by them."""

    def __init__(
        self,
        settings: Settings,
        gate: CallPipeline,
        handlers: dict[ModuleType, object],
        serving: ServingStatus,
        admin_key: str,
    ) -> None:
        self.address = ""
        """Where it listens, with the real port; empty until it does."""
        self.http_address = ""
        """Where browsers find it; empty until it listens there, or if it does not."""
        self.sessions = Sessions(session_handlers(_by_service(handlers)), gate)
        self._settings = settings
        self._admin_key = admin_key
        self._gate = gate
        self._serving = serving
        self._showing: asyncio.Task[None] | None = None
        self._handlers = {
            each: handlers[each] for each in handlers if serves_service(settings.role, each)
        }
        self._services = _by_service(self._handlers)
        self._server = grpc.aio.server(options=CHANNEL_OPTIONS)
        self._health = health.HealthServicer()
        self._door: HttpServer | None = None
        self._certificates: Certificates | None = None

    async def open(self, sources: MetricSources, tree: TreeFiles, stack: AsyncExitStack) -> None:
        """Open both ports; the stack closes HTTP's. StartError if one cannot be had."""
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
        """Have the gRPC health service say what the service can do now."""
        self._showing = asyncio.ensure_future(self._set_health())

    async def _set_health(self) -> None:
        now = self._serving.now()
        states = {LIVENESS: True, READINESS: now.ready, "": now.ready}
        for module, handler in self._handlers.items():
            works = can_serve(module, writes=now.writes, reads=now.reads is not False)
            states |= {each.full_name: works for each in _by_service({module: handler})}
        for name, works in states.items():
            await self._health.set(name, SERVING if works else NOT_SERVING)

    def _bind(self) -> None:
        """Give gRPC's server the handlers of all services."""
        server = self._server
        bound = [bind(*each, self._gate) for each in self._services.items()]
        if self._settings.role != "read":
            bound.append(bind_session(self.sessions.session, self._gate))
        server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(*each) for each in bound]
        )
        add_HealthServicer_to_server(self._health, server)
        names = [service.full_name for service in self._services]
        add_reflection(server, (*names, HEALTH), self._gate)
        server.add_generic_rpc_handlers((UnknownMethods(self._gate),))

    async def _serve_http(
        self, listening: socket.socket, sources: MetricSources, tree: TreeFiles
    ) -> None:
        """Serve the HTTP door until it is told to stop."""
        # Its libraries take as long to load as all else: whoever knocks meanwhile waits.
        http = await asyncio.to_thread(import_module, "services.transport.http")
        self._door = http.HttpServer(
            self._services, self._gate, sources, tree, self._settings, self._admin_key
        )
        if self._certificates is not None:
            self._certificates.follow(self._door.context)
        await self._door.serve(listening)

    def reload_certificates(self) -> None:
        """Read the TLS certificate and its key again, for connections from now on. Nothing changes
        if they are of no use; the log says which it was."""
        try:
            if self._certificates is not None:
                self._certificates.reload()
                if self._door is not None:
                    self._door.renew_hosts(self._settings)
        except TlsError as error:
            log.error("certificates_not_reloaded", why=str(error))
        else:
            log.info("certificates_reloaded")

    async def _stop_http(self, serving: asyncio.Task[None]) -> None:
        if self._door is None:
            serving.cancel()
        else:
            self._door.stop()
            if not await self._stopped(serving):
                self._door.cut()
        with suppress(asyncio.CancelledError):
            await serving

    async def refuse(self) -> None:
        """Let no more calls in: each is told that the service stops."""
        self._gate.open = False
        await self._health.enter_graceful_shutdown()

    async def close(self) -> None:
        """Let calls under way end, and close gRPC's port."""
        self.sessions.close()
        await self._quiet()
        stopping = asyncio.create_task(self._server.stop(self._settings.drain_seconds))
        if not await self._stopped(stopping):
            await self._server.stop(0)
        await stopping

    async def _stopped(self, stopping: asyncio.Task[None]) -> bool:
        """Wait until a door has stopped; False if all that it waits for is callers that take
        nothing of what they are sent."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while not stopping.done():
            if min(self._gate.in_flight.idle_seconds, loop.time() - begun) > STUCK_SECONDS:
                return False
            await asyncio.wait((stopping,), timeout=CHECK_SECONDS)
        return True

    async def _quiet(self) -> None:
        """Wait until no more calls come, shortly: each that has arrived is told to come again.

        gRPC itself cancels those that it has not handed over yet, without a word.
        """
        loop, gate = asyncio.get_running_loop(), self._gate
        until, refused_count = loop.time() + MAX_QUIET_SECONDS, -1
        quiet = MIN_QUIET_SECONDS if gate.idle_seconds > IDLE_SECONDS else QUIET_SECONDS
        while refused_count < gate.refused_count and loop.time() < until:
            refused_count = gate.refused_count
            await asyncio.sleep(quiet)
            quiet = QUIET_SECONDS


def _by_service(handlers: dict[ModuleType, object]) -> dict[ServiceDescriptor, object]:
    return {
        service: handler
        for module, handler in handlers.items()
        for service in module.DESCRIPTOR.services_by_name.values()
    }
