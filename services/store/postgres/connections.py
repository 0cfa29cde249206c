"""Connections to a log in PostgreSQL, with guaranteed durability and time-outs.

A broken connection is replaced when the next one is needed. A log that has lost events, because a
lagging standby took over or a backup was restored, must not be continued: cached states would be
chained to missing events.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

import psycopg
import psycopg_pool
from eventsourcing import persistence as errors
from eventsourcing import postgres as library
from psycopg import Connection
from psycopg.rows import DictRow, dict_row

from services.store.errors import LogFailed, LogNotDurable, LogUnavailable
from services.store.postgres import faults
from services.store.postgres import format as formats
from services.store.postgres.address import Address
from services.store.postgres.listening import Listener
from services.store.subscription import LogSubscriptions

LIBRARY_ERRORS: Final = (
    (psycopg.InterfaceError, errors.InterfaceError),
    (psycopg.OperationalError, errors.OperationalError),
    (psycopg.DataError, errors.DataError),
    (psycopg.IntegrityError, errors.IntegrityError),
    (psycopg.InternalError, errors.InternalError),
    (psycopg.ProgrammingError, errors.ProgrammingError),
    (psycopg.NotSupportedError, errors.NotSupportedError),
    (psycopg.DatabaseError, errors.DatabaseError),
    (psycopg.Error, errors.PersistenceError),
)

_READY: Final = """
SELECT
    set_config('lock_timeout', %(lock_timeout)s, false),
    set_config('statement_timeout', %(statement_timeout)s, false),
    set_config('idle_in_transaction_session_timeout', %(idle)s, false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('search_path', %(path)s, false),
    set_config('synchronous_commit', current_setting('synchronous_commit'), false) AS kept,
    current_setting('fsync') AS fsync
"""
"""Sets time-outs and the schema, and pins the durability of this connection's commits."""

MIN_POOL_SIZE: Final = 2
"""Number of connections kept open for reading and writing. Two more listen and hold leases. One
writes whatever is waiting, and one reads meanwhile."""
MAX_POOL_SIZE: Final = 10
"""Maximum number of connections, while many matches are loaded. PostgreSQL allows 100 in total."""
CONNECT_SECONDS: Final = 5.0
"""How long a call waits for a connection, of the 15 seconds for which a commit is tried."""
RECONNECT_SECONDS: Final = 2.0
"""How long the pool tries to reconnect, at growing intervals. After that it tries on
demand. The library's default is 5 minutes: with it, the pool would be unavailable for as long
again after an outage."""
LIFETIME_SECONDS: Final = 3600.0
"""Age at which a connection is replaced, so that no server process grows forever."""
LOCK_SECONDS: Final = 5
"""How long to wait for the commit of another service, which takes milliseconds."""
STATEMENT_SECONDS: Final = 30
"""Time-out of one statement. The longest reads a page of some thousand events."""
IDLE_SECONDS: Final = 5
"""Time after which the server rolls back the transaction of a stuck process, which releases the
log."""

PROFILE_PREFIX: Final = "people "
"""Prefix of notifications about changed player profiles."""


class LogLost(LogFailed):
    """The database has fewer events than it acknowledged."""


class Datastore(library.PostgresDatastore):
    """The connections to one log, and this process's subscriptions to it."""

    def __init__(self, address: Address) -> None:
        super().__init__("", "", "", "", "", schema=formats.SCHEMA, lock_timeout=LOCK_SECONDS)
        self.address = address
        self.followers = LogSubscriptions()
        self.writer = secrets.token_hex(8)
        """Identifies this process's commits among the notifications."""
        self.highest = 0
        """Number of the last event that this process knows to be in the log."""
        self.on_lost: Callable[[LogLost], object] = lambda lost: None
        self._loss: LogLost | None = None
        self.on_profile_changed: Callable[[str], object] = lambda player: None
        """Called with the id of each player whose row changed; empty if any may have."""
        self._closed = False
        self._listener: Listener | None = None
        self._claimed = False
        self._words = {"connect_timeout": max(2, int(CONNECT_SECONDS)), **address.words}
        self.pool = cast(
            library.ConnectionPool[Connection[DictRow]],
            psycopg_pool.ConnectionPool(
                connection_class=Connection[DictRow],
                kwargs={"row_factory": dict_row, "autocommit": True, **self._words},
                min_size=MIN_POOL_SIZE,
                max_size=MAX_POOL_SIZE,
                open=False,
                configure=self._make_ready,
                timeout=CONNECT_SECONDS,
                max_lifetime=LIFETIME_SECONDS,
                reconnect_timeout=RECONNECT_SECONDS,
                name="emeth-log",
            ),
        )

    def register_type_adapters(self) -> None:
        """Do nothing: events are sent as arrays of their columns."""

    def connect(self) -> Connection[DictRow]:
        """Return a new connection outside the pool.

        Raises psycopg.Error, LogNotDurable or LogLost.
        """
        connection = Connection[DictRow].connect(
            **self._words, autocommit=True, row_factory=cast(Any, dict_row)
        )
        ready = False
        try:
            self._make_ready(connection)
            ready = True
        finally:
            if not ready:
                connection.close()
        return connection

    def claim(self, *, encrypted: bool = False) -> None:
        """Create the tables if there are none.

        Raises LogTooNew, LogForeign, LogDamaged, LogNotDurable or LogUnavailable.

        Args:
            encrypted: Whether events may be encrypted.
        """
        if self._claimed and not encrypted:
            return
        try:
            with self.connect() as connection:
                formats.claim(connection, self.address.name, encrypted=encrypted)
        except psycopg.Error as error:
            raise faults.meaning(error) or LogUnavailable(str(error)) from error
        self._claimed = True

    @contextmanager
    def get_connection(self) -> Iterator[Connection[DictRow]]:
        """Provide a connection from the pool. Raises the library's errors.

        PersistenceError, which is not retried, means that no connection was available for a while.
        """
        if self._closed:
            raise errors.ConnectionPoolClosedError
        if self._loss is not None:
            raise errors.PersistenceError(str(self._loss)) from self._loss
        try:
            self.pool.open()
            with self.pool.connection() as connection:
                yield connection
        except (psycopg_pool.PoolTimeout, psycopg_pool.TooManyRequests) as error:
            raise errors.PersistenceError(str(error)) from error
        except psycopg_pool.PoolClosed:
            raise errors.ConnectionPoolClosedError from None
        except psycopg.Error as error:
            kind = next(ours for theirs, ours in LIBRARY_ERRORS if isinstance(error, theirs))
            raise kind(str(error)) from error

    def pool_stats(self) -> dict[str, int]:
        """Return psycopg_pool's statistics of the pool."""
        return cast(psycopg_pool.ConnectionPool, self.pool).get_stats()

    def listen(self) -> None:
        """Start waking subscriptions when other processes commit."""
        if self._listener is None:
            self._listener = Listener(self.connect, formats.CHANNEL, self._on_notification)

    def _on_notification(self, payload: str | None) -> None:
        """Handle a notification; None means that some may have been missed."""
        if payload is None:
            self.on_profile_changed("")
            self.followers.wake()
        elif payload.startswith(PROFILE_PREFIX):
            self.on_profile_changed(payload.removeprefix(PROFILE_PREFIX))
        elif payload != self.writer:
            self.followers.wake()

    def close(self) -> None:
        """Stop the subscriptions, whose threads use connections, then close these."""
        self._closed = True
        self.followers.close()
        if self._listener is not None:
            self._listener.close()
        self.pool.close()

    def _make_ready(self, connection: Connection[DictRow]) -> None:
        name = self.address.name
        given = {
            "lock_timeout": f"{LOCK_SECONDS}s",
            "statement_timeout": f"{STATEMENT_SECONDS}s",
            "idle": f"{IDLE_SECONDS}s",
            "path": formats.SCHEMA,
        }
        found = connection.execute(_READY, given).fetchone()
        assert found is not None
        if found["fsync"] != "on":
            remedy = "set it in postgresql.conf"
            raise LogNotDurable(name, "fsync", found["fsync"], "on", remedy)
        if found["kept"] == "off":
            remedy = "set it for this database or user"
            raise LogNotDurable(name, "synchronous_commit", "off", "on, or stronger", remedy)
        if self.highest:
            self._check_end(connection)

    def _check_end(self, connection: Connection[DictRow]) -> None:
        due = self.highest
        query = "SELECT max(notification_id) AS has FROM public.stored_events"
        row = connection.execute(query).fetchone()
        has = (row and row["has"]) or 0
        if has < due:
            self._loss = LogLost(
                f"{self.address.name} has {has} events, and had {due}: a standby that was behind "
                "may have taken over, or a backup have been put in its place; look at that, and "
                "start again"
            )
            self.on_lost(self._loss)
            raise self._loss
