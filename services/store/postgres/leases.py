"""What only one of many services may do: a lease that PostgreSQL gives, and takes back.

It is an advisory lock of a session. The session ends with its connection, and PostgreSQL ends it
when nothing was heard of it for a while: a service that is frozen, or was cut off, holds up nobody
for long.
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
"""After so long without a word of its holder, a lease is anybody's."""


def lease_name(name: str) -> str:
    """Return the text whose hash is the key of a lease's lock."""
    return f"emeth public {name}"


class AdvisoryLease:
    """The lease of a name. Not for use by two threads at once.

    Ask `held` before each piece of work, at least every `SILENCE_SECONDS`. Whoever is stopped
    between that and the work, and goes on after somebody else has taken over, is kept from doing it
    twice by the log: of two events with one version it takes one.
    """

    def __init__(self, datastore: Datastore, name: str) -> None:
        self._datastore = datastore
        self._name = lease_name(name)
        self._connection: Connection[Any] | None = None
        self._held = False

    def held(self) -> bool:
        """Is it ours now? Tries to take it if it is nobody's. Blocks on PostgreSQL."""
        was_held, fresh = self._held, self._connection is None
        try:
            self._ask()
        except (psycopg.Error, StoreError) as error:
            _LOG.info("lease_connection_lost", name=self._name, held=was_held, error=str(error))
            self.close()
            # Of a connection that was cut while it waited nobody knows until it is used.
            return False if was_held or fresh else self.held()
        return self._held

    def _ask(self) -> None:
        if self._connection is None:
            self._connection = self._datastore.connect()
            self._connection.execute(f"SET idle_session_timeout = '{SILENCE_SECONDS}s'")
        if self._held:
            self._connection.execute("SELECT 1")
        else:
            take = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0)) AS taken"
            row = self._connection.execute(take, (self._name,)).fetchone()
            self._held = bool(row and row["taken"])

    def close(self) -> None:
        """Give it back."""
        self._held = False
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None
