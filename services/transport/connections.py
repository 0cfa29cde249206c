"""Connections to the HTTP port: how large the head of a request may be, and how slow a caller.

uvicorn takes heads of any size, and waits for a request for ever. So a head without end would take
all memory and keep all others waiting, and who connects and says nothing would hold a place.
"""

import asyncio
import socket
from contextlib import suppress
from typing import Any, Final, TypeAlias

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES: Final = 65_536
"""Bytes of the first line of a request and its headers, or of what else comes between the pieces of
its body. What came in one piece with its end may be a little more."""
HEAD_SECONDS: Final = 20.0
"""How long a head may take to come, the first one from when the connection is made."""
BODY_SECONDS: Final = 30.0
MIN_BODY_BYTES_PER_SECOND: Final = 1_000
"""A body may take `BODY_SECONDS`, and a second more for so many bytes that have come."""
BODY_CHECK_SECONDS: Final = 1.0
"""How often it is looked whether a body still comes."""
HEAD_TOO_LARGE_RESPONSE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n"
)
KEEP_ALIVE: Final = tuple(
    (getattr(socket, name), value)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 4))
    if hasattr(socket, name)
)
"""When the system asks who is silent whether they are there, in seconds, and how often in vain."""

IdleConnections: TypeAlias = "dict[Connection, None]"
"""The connections of a server that no request is under way on, the one that waits longest first."""


class Connection(HttpToolsProtocol):
    """A connection that ends when its caller sends too much head, or too slowly; or when it waits
    for a request, and others want its place."""

    def __init__(self, waiting: IdleConnections, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._waiting = waiting
        self._head = 0
        """Bytes of the present head, or since the last piece of a body."""
        self._body = 0
        self._begun = 0.0
        """When the present body began."""
        self._in_body = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        taken = transport.get_extra_info("socket")
        with suppress(OSError):  # the caller may have hung up already
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in KEEP_ALIVE:
                taken.setsockopt(socket.IPPROTO_TCP, name, value)
        most = self.limit_concurrency
        if most is not None and len(self.connections) >= most and self._waiting:
            longest = next(iter(self._waiting))
            del self._waiting[longest]  # now: many may come before it is gone
            longest.transport.abort()
        self._waiting[self] = None
        self._due(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._waiting.pop(self, None)
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take the next piece of a request."""
        if self._timer is None:  # after an answer: another request begins
            self._due(HEAD_SECONDS)
        self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.transport.write(HEAD_TOO_LARGE_RESPONSE)
            self.transport.close()

    def on_headers_complete(self) -> None:
        """A head is there: its body comes."""
        self._waiting.pop(self, None)
        self._head, self._body, self._in_body = 0, 0, True
        self._begun = self.loop.time()
        self._due(BODY_CHECK_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body is there."""
        self._head = 0
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is there."""
        self._head, self._in_body = 0, False
        self._rest()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """It was answered."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._waiting[self] = None

    def _due(self, seconds: float) -> None:
        self._rest()
        self._timer = self.loop.call_later(seconds, self._look)

    def _look(self) -> None:
        """Hang up if what was waited for has not come, unless it is the service that reads none."""
        if self._in_body:
            took = self.loop.time() - self._begun
            if (
                took > BODY_SECONDS + self._body / MIN_BODY_BYTES_PER_SECOND
                and not self.flow.read_paused
            ):
                self.transport.abort()
            else:
                self._due(BODY_CHECK_SECONDS)
        elif self in self._waiting:
            self.transport.abort()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
