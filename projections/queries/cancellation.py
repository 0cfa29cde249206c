"""Cancellation of queries whose callers no longer wait.

A thread cannot be stopped from outside. So a cancellation interrupts SQLite, and loops over many
events check for it at each step.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Final

from projections.projector.schema import ReadModelConnection

SLICE_SECONDS: Final = 0.002
"""How long a query runs before it pauses. Python runs one thread at a time, so a running query
delays each step of an action by half a millisecond. The slice is shorter than an action, so that no
action competes with a query for its whole duration."""


class QueryCancelledError(Exception):
    """The error raised in a query that was cancelled."""


class CancellableQuery:
    """A query that one thread runs and another thread may cancel."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._slice_start = time.monotonic()
        self._connection: sqlite3.Connection | None = None
        self._cancelled = Event()

    @contextmanager
    def running_on(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Run the query on a connection: the body of the `with` statement can be cancelled.

        Raises:
            QueryCancelledError: The query was cancelled before it started.
        """
        with self._lock:  # held briefly: the event loop may call `cancel`
            if self._cancelled.is_set():
                raise QueryCancelledError
            # The slice starts now, not when the query was made: a pause for the time in the queue
            # would delay the queries behind this one, which would then pause even longer.
            self._slice_start = time.monotonic()
            self._connection = connection
        if isinstance(connection, ReadModelConnection):
            connection.check_cancelled = self.check
        try:
            yield
        finally:
            with self._lock:  # from here on the connection may serve another query
                self._connection = None
            if isinstance(connection, ReadModelConnection):
                del connection.check_cancelled

    def check(self) -> None:
        """Raise QueryCancelledError if the query was cancelled.

        After a slice of running time the check pauses for as long as the query ran.
        """
        if (took := time.monotonic() - self._slice_start) > SLICE_SECONDS:
            self._cancelled.wait(took)
            self._slice_start = time.monotonic()
        if self._cancelled.is_set():
            raise QueryCancelledError

    def cancel(self) -> None:
        """Cancel the query, from any thread and at any time."""
        with self._lock:
            self._cancelled.set()
            if self._connection is not None:
                self._connection.interrupt()
