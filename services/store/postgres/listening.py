"""Hears of what other processes commit, on a connection of its own, which is made again whenever
it breaks."""

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
"""Between one attempt to connect and the next: doubled each time."""


class Listener:
    """A thread that tells of what is notified on a channel."""

    def __init__(
        self,
        connect: Callable[[], Connection[Any]],
        channel: str,
        tell: Callable[[str | None], object],
    ) -> None:
        """`tell` is called in the thread with each text that is notified, the same ones that come
        together once, and with None whenever some may have been missed."""
        self._connect = connect
        self._channel = channel
        self._tell = tell
        self._closing, self._close = socket.socketpair()
        self._thread = Thread(target=self._run, name="log-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
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
                    self._tell(None)  # whatever was committed before
                    self._listen(connection)
                    return
            except (psycopg.Error, StoreError, OSError) as error:
                _LOG.warning("log_not_heard", error=str(error), seconds=pause)
            if self._is_closing(pause):
                return
            pause = min(LONGEST_PAUSE_SECONDS, 2 * pause)

    def _listen(self, connection: Connection[Any]) -> None:
        """Tell of each notification until this is closed. psycopg.Error if it breaks."""
        while not self._is_closing(None, connection):
            for payload in {each.payload for each in connection.notifies(timeout=0)}:
                self._tell(payload)

    def _is_closing(self, seconds: float | None, *others: Connection[Any]) -> bool:
        """Wait until this is closed, or another connection has something, or it took so long."""
        with DefaultSelector() as waiting:
            waiting.register(self._closing, EVENT_READ)
            for each in others:
                waiting.register(each, EVENT_READ)
            return any(key.fileobj is self._closing for key, _ in waiting.select(seconds))
