"""Questions to the read models that may be given up: nobody waits for the answer any more.

A thread cannot be stopped from outside. So SQLite is interrupted, and whatever goes through many
events asks at each whether it is still wanted.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Final

from projections.projector.schema import ReadModelConnection

SLICE_SECONDS: Final = 0.002
"""How long a thread reads before it rests. Python runs one thread at a time, and each step of an
action waits for half a millisecond while it reads. An action takes some milliseconds: shorter than
that, so that no action meets with a thread that reads all the while."""


class QueryCancelledError(Exception):
    """Nobody waits for the answer any more."""


class CancellableQuery:
    """One question, which a thread answers and another may give up."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._since = time.monotonic()
        self._connection: sqlite3.Connection | None = None
        self._given_up = Event()

    @contextmanager
    def on(self, connection: sqlite3.Connection) -> Iterator[None]:
        """While it is answered through this connection. GivenUpError if it was given up before."""
        with self._lock:  # never for long: who gives up may be the event loop
            if self._given_up.is_set():
                raise QueryCancelledError
            # Only now: to rest for the time that it waited for this thread would have all who wait
            # behind it wait longer, and then rest longer.
            self._since = time.monotonic()
            self._connection = connection
        if isinstance(connection, ReadModelConnection):
            connection.go_on = self.go_on
        try:
            yield
        finally:
            with self._lock:  # from here on the connection may be another question's
                self._connection = None
            if isinstance(connection, ReadModelConnection):
                del connection.go_on

    def go_on(self) -> None:
        """Raise GivenUpError if nobody waits any more. Rests after a while, for as long."""
        if (took := time.monotonic() - self._since) > SLICE_SECONDS:
            self._given_up.wait(took)
            self._since = time.monotonic()
        if self._given_up.is_set():
            raise QueryCancelledError

    def give_up(self) -> None:
        """Nobody waits any more. Safe from any thread, at any time."""
        with self._lock:
            self._given_up.set()
            if self._connection is not None:
                self._connection.interrupt()
