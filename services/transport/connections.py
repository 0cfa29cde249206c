"""Limits of HTTP connections: the size of request heads, and how slow a client may be.

uvicorn accepts heads of any size and waits for requests forever. Endless heads would fill the
memory, and silent connections would use up the connection limit.
"""

import asyncio
import socket
from contextlib import suppress
from typing import Any, Final, TypeAlias

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES: Final = 65_536
"""Maximum bytes of a request head, or of data between two pieces of a body. Data that arrives in
one piece with its end may exceed this a little."""
HEAD_SECONDS: Final = 20.0
"""Time in which a head must arrive, counted from the connection for the first one."""
BODY_SECONDS: Final = 30.0
MIN_BODY_BYTES_PER_SECOND: Final = 1_000
"""A body may take `BODY_SECONDS`, and one second more for each of these bytes received."""
BODY_CHECK_SECONDS: Final = 1.0
"""Interval at which the progress of a body is checked."""
HEAD_TOO_LARGE_RESPONSE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n"
)
KEEP_ALIVE: Final = tuple(
    (getattr(socket, name), value)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 4))
    if hasattr(socket, name)
)
"""TCP keepalive settings: idle seconds, seconds between probes, and number of probes."""

IdleConnections: TypeAlias = "dict[Connection, None]"
"""Idle connections of a server, the one that has been idle longest first."""


class Connection(HttpToolsProtocol):
    """An HTTP connection that ends if its client is too slow or sends too large a head.

    An idle connection also ends when the server is full and a new client connects.
    """

    def __init__(self, waiting: IdleConnections, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._idle_connections = waiting
        self._head = 0
        """Bytes of the current head, or since the last piece of a body."""
        self._body = 0
        self._body_started_at = 0.0
        """Start time of the current body, by the clock of the loop."""
        self._in_body = False
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the timer for the first request.

        If the server is full, the longest idle connection is closed.
        """
        super().connection_made(transport)
        taken = transport.get_extra_info("socket")
        with suppress(OSError):  # the client may have disconnected already
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in KEEP_ALIVE:
                taken.setsockopt(socket.IPPROTO_TCP, name, value)
        limit = self.limit_concurrency
        if limit is not None and len(self.connections) >= limit and self._idle_connections:
            longest = next(iter(self._idle_connections))
            del self._idle_connections[longest]  # now: many may come before it is gone
            longest.transport.abort()
        self._idle_connections[self] = None
        self._start_timer(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer of a closed connection."""
        self._idle_connections.pop(self, None)
        self._cancel_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive the next piece of a request; close the connection if its head is too large."""
        if self._timer is None:  # the first data of another request
            self._start_timer(HEAD_SECONDS)
        self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.transport.write(HEAD_TOO_LARGE_RESPONSE)
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Start the timer for the body."""
        self._idle_connections.pop(self, None)
        self._head, self._body, self._in_body = 0, 0, True
        self._body_started_at = self.loop.time()
        self._start_timer(BODY_CHECK_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a piece of a body."""
        self._head = 0
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the timer, since the request is complete."""
        self._head, self._in_body = 0, False
        self._cancel_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Mark the connection as idle."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._idle_connections[self] = None

    def _start_timer(self, seconds: float) -> None:
        self._cancel_timer()
        self._timer = self.loop.call_later(seconds, self._check_body_rate)

    def _check_body_rate(self) -> None:
        """Abort a connection that is too slow, unless the service itself has paused reading."""
        if self._in_body:
            took = self.loop.time() - self._body_started_at
            if (
                took > BODY_SECONDS + self._body / MIN_BODY_BYTES_PER_SECOND
                and not self.flow.read_paused
            ):
                self.transport.abort()
            else:
                self._start_timer(BODY_CHECK_SECONDS)
        elif self in self._idle_connections:
            self.transport.abort()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
