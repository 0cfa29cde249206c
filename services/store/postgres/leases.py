"""Leases: exclusive rights of one of many services, granted and revoked by PostgreSQL.

A lease is an advisory session lock. The session ends with its connection, and PostgreSQL ends it
when it was idle for a while. A frozen or disconnected service therefore blocks nobody for long.
"""

from contextlib import suppress
from typing import Any, Final

import psycopg
import structlog
from psycopg import Connection

from services.store.errors import StoreError
from services.store.postgres.connections import Datastore

_LOG: Final = structlog.get_logger(__name__)

SILENCE_SECONDS: Final = 10
"""Idle time after which a holder loses its lease."""


def lease_name(name: str) -> str:
    """Return the text whose hash is the key of a lease's lock."""
    return f"emeth public {name}"


class AdvisoryLease:
    """A named lease. Not thread-safe.

    Call `try_acquire` before each piece of work, at least every `SILENCE_SECONDS`. A holder that is
    suspended after that call may resume when another service has taken over. The log prevents doing
    the work twice: it accepts one of two events with the same version.
    """

    def __init__(self, datastore: Datastore, name: str) -> None:
        self._datastore = datastore
        self._name = lease_name(name)
        self._connection: Connection[Any] | None = None
        self._is_held = False

    def try_acquire(self) -> bool:
        """Return whether this service holds the lease, after trying to acquire it. Blocks."""
        was_held, fresh = self._is_held, self._connection is None
        try:
            self._ask()
        except (psycopg.Error, StoreError) as error:
            _LOG.info("lease_connection_lost", name=self._name, held=was_held, error=str(error))
            self.close()
            # An idle connection that was cut is noticed only when it is used.
            return False if was_held or fresh else self.try_acquire()
        return self._is_held

    def _ask(self) -> None:
        if self._connection is None:
            self._connection = self._datastore.connect()
            self._connection.execute(f"SET idle_session_timeout = '{SILENCE_SECONDS}s'")
        if self._is_held:
            self._connection.execute("SELECT 1")
        else:
            take = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0)) AS taken"
            row = self._connection.execute(take, (self._name,)).fetchone()
            self._is_held = bool(row and row["taken"])

    def close(self) -> None:
        """Release the lease, and close its connection."""
        self._is_held = False
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None
