"""Notifications of other processes' commits, on a dedicated connection that reconnects."""

import socket
from collections.abc import Callable
from selectors import EVENT_READ, DefaultSelector
from threading import Thread
from typing import Any, Final

import psycopg
import structlog
from psycopg import Connection
from psycopg.sql import SQL, Identifier

from services.store.errors import StoreError

_LOG: Final = structlog.get_logger(__name__)

PAUSE_SECONDS: Final = 0.2
LONGEST_PAUSE_SECONDS: Final = 5.0
"""Maximum time between two attempts to connect; the pause doubles each time."""


class Listener:
    """A thread that receives the notifications of a channel."""

    def __init__(
        self,
        connect: Callable[[], Connection[Any]],
        channel: str,
        on_payload: Callable[[str | None], object],
    ) -> None:
        """Start the thread.

        Args:
            connect: Opens a connection.
            channel: The channel.
            on_payload: Called in the thread with each text, duplicates removed, and with None
                whenever some may have been missed.
        """
        self._connect = connect
        self._channel = channel
        self._on_payload = on_payload
        self._closing, self._close = socket.socketpair()
        self._thread = Thread(target=self._run, name="log-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread, and wait for its end."""
        self._close.close()
        self._thread.join()
        self._closing.close()

    def _run(self) -> None:
        pause = PAUSE_SECONDS
        while True:
            try:
                with self._connect() as connection:
                    connection.execute(SQL("LISTEN {}").format(Identifier(self._channel)))
                    pause = PAUSE_SECONDS
                    self._on_payload(None)  # whatever was committed before
                    self._listen(connection)
                    return
            except (psycopg.Error, StoreError, OSError) as error:
                _LOG.warning("log_not_heard", error=str(error), seconds=pause)
            if self._is_closing(pause):
                return
            pause = min(LONGEST_PAUSE_SECONDS, 2 * pause)

    def _listen(self, connection: Connection[Any]) -> None:
        """Pass on notifications until closed. Raises psycopg.Error if the connection breaks."""
        while not self._is_closing(None, connection):
            for payload in {each.payload for each in connection.notifies(timeout=0)}:
                self._on_payload(payload)

    def _is_closing(self, seconds: float | None, *others: Connection[Any]) -> bool:
        """Wait for closing, input on another connection, or a time-out; return if closing."""
        with DefaultSelector() as waiting:
            waiting.register(self._closing, EVENT_READ)
            for each in others:
                waiting.register(each, EVENT_READ)
            return any(key.fileobj is self._closing for key, _ in waiting.select(seconds))
