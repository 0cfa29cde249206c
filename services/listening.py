"""Listening at both ports, gRPC's and HTTP's, and going away without losing a call."""

import asyncio
import socket
from contextlib import AsyncExitStack, suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import SERVICE_NAME as HEALTH
from grpc_health.v1.health import aio as health
from grpc_health.v1.health_pb2_grpc import add_HealthServicer_to_server

from services.api.tree_files import TreeFiles
from services.doors.gate import Gate
from services.doors.grpc import Rest, bind, bind_session
from services.doors.port import CHANNEL, PortError, http_address, open_http_port, open_port
from services.doors.reflection import add_reflection
from services.doors.session import Sessions, handlers_of_session
from services.roles import serves
from services.settings import Settings
from services.starting import StartError
from services.tallies import Sources

if TYPE_CHECKING:  # its libraries take as long to load as all else
    from services.doors.http import HttpDoor

SHORTEST_QUIET_SECONDS: Final = 0.02
QUIET_SECONDS: Final = 0.25
LONGEST_QUIET_SECONDS: Final = 2.0
IDLE_SECONDS: Final = 0.5
"""A service that stops goes on sending calls away until none has come for a while: a short one if
none had come for `IDLE_SECONDS` before, else `QUIET_SECONDS`, since who has just been answered is
about to call again. It does so for `LONGEST_QUIET_SECONDS` at most."""
STUCK_SECONDS: Final = 2.0
"""Then it waits for calls under way, but not for callers none of whom has taken anything of what
they were sent for so long."""
LOOK_SECONDS: Final = 0.1
"""How often it looks whether anybody has."""


class Listening:
    """The ports of a service, and the calls that come in by them."""

    def __init__(
        self,
        settings: Settings,
        gate: Gate,
        handlers: dict[ModuleType, object],
        admin_key: str,
    ) -> None:
        self.address = ""
        """Where it listens, with the real port; empty until it does."""
        self.http_address = ""
        """Where browsers find it; empty until it listens there, or if it does not."""
        self.sessions = Sessions(handlers_of_session(_by_service(handlers)), gate)
        self._settings = settings
        self._admin_key = admin_key
        self._gate = gate
        self._services = _by_service(
            {each: handlers[each] for each in handlers if serves(settings.role, each)}
        )
        self._server = grpc.aio.server(options=CHANNEL)
        self._health = health.HealthServicer()
        self._door: HttpDoor | None = None

    async def open(self, sources: Sources, tree: TreeFiles, stack: AsyncExitStack) -> None:
        """Open both ports; the stack closes HTTP's. StartError if one cannot be had."""
        self._bind()
        try:
            self.address = open_port(self._server, self._settings)
            listening = open_http_port(self._settings)
        except PortError as error:
            raise StartError(str(error)) from error.__cause__
        if listening is not None:
            self.http_address = http_address(listening, self._settings)
            stack.callback(listening.close)
            serving = asyncio.create_task(self._serve_http(listening, sources, tree))
            stack.push_async_callback(self._stop_http, serving)
        await self._server.start()
        for service in self._services:
            await self._health.set(service.full_name, health_pb2.HealthCheckResponse.SERVING)

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
        server.add_generic_rpc_handlers((Rest(self._gate),))

    async def _serve_http(
        self, listening: socket.socket, sources: Sources, tree: TreeFiles
    ) -> None:
        """Serve the HTTP door until it is told to stop."""
        # Its libraries take as long to load as all else: whoever knocks meanwhile waits.
        http = await asyncio.to_thread(import_module, "services.doors.http")
        self._door = http.HttpDoor(
            self._services, self._gate, sources, tree, self._settings, self._admin_key
        )
        await self._door.serve(listening)

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
            if min(self._gate.under_way.idle_seconds, loop.time() - begun) > STUCK_SECONDS:
                return False
            await asyncio.wait((stopping,), timeout=LOOK_SECONDS)
        return True

    async def _quiet(self) -> None:
        """Wait until no more calls come, shortly: each that has arrived is told to come again.

        gRPC itself cancels those that it has not handed over yet, without a word.
        """
        loop, gate = asyncio.get_running_loop(), self._gate
        until, sent_away = loop.time() + LONGEST_QUIET_SECONDS, -1
        quiet = SHORTEST_QUIET_SECONDS if gate.idle_seconds > IDLE_SECONDS else QUIET_SECONDS
        while sent_away < gate.sent_away and loop.time() < until:
            sent_away = gate.sent_away
            await asyncio.sleep(quiet)
            quiet = QUIET_SECONDS


def _by_service(handlers: dict[ModuleType, object]) -> dict[ServiceDescriptor, object]:
    return {
        service: handler
        for module, handler in handlers.items()
        for service in module.DESCRIPTOR.services_by_name.values()
    }
