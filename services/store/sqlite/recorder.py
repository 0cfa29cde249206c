"""The log in an SQLite file: a persistence module of the `eventsourcing` library.

It adds durable commits, subscriptions, a format version, and multi-row inserts.
"""

import dataclasses
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from hashlib import sha256
from itertools import chain
from threading import Lock
from typing import Any, Final, Literal, TypeVar
from uuid import UUID

# The library looks for the only factory class in a module, so its own class must not be imported
# by name.
from eventsourcing import sqlite as library
from eventsourcing.persistence import (
    ApplicationRecorder,
    ConnectionPoolClosedError,
    InterfaceError,
    Notification,
    OperationalError,
    PersistenceError,
    StoredEvent,
    Subscription,
)
from eventsourcing.utils import Environment, EnvType

from services.store.errors import LogNotDurable
from services.store.faults import diagnose
from services.store.sqlite.file_identity import FileIdentity, LogGone
from services.store.sqlite.format import check_writable, claim
from services.store.subscription import LogSubscription, LogSubscriptions

E = TypeVar("E", bound=StoredEvent)

POLL_SECONDS = 0.5
"""Maximum delay until a subscription sees what another process has committed."""
ROWS_A_STATEMENT = 500
"""Rows per statement, with four values each: far below SQLite's default limit of 32,766."""


def check_durable(connection: sqlite3.Connection, name: str) -> None:
    """Raise LogNotDurable unless a commit on this connection is on disk when it returns."""
    (journal,) = connection.execute("PRAGMA journal_mode").fetchone()
    if journal != "wal":
        raise LogNotDurable(name, "journal_mode", found=journal, wanted="wal")
    (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
    if synchronous < 2:
        found = ("OFF", "NORMAL")[synchronous]
        raise LogNotDurable(name, "synchronous", found=found, wanted="FULL")


class LogConnection(library.SQLiteConnection):
    """A connection that never returns to the pool in the middle of a transaction."""

    @property
    def raw(self) -> sqlite3.Connection:
        """Return the connection of the sqlite3 module."""
        return self._sqlite_conn

    def commit(self) -> None:
        """Commit, or roll back and raise: a failed COMMIT can leave its transaction open."""
        try:
            super().commit()
        except sqlite3.Error:
            with suppress(sqlite3.Error):  # the first error says what happened
                self.rollback()
            raise


class SingleStatement(library.SQLiteTransaction):
    """A transaction of one statement, which SQLite begins and commits implicitly.

    Each statement releases the global interpreter lock and has to wait for it. With BEGIN and
    COMMIT, a busy event loop would delay the writer three times for each batch instead of once.
    """

    def __enter__(self) -> library.SQLiteCursor:
        return self.connection.cursor()


class Pool(library.SQLiteConnectionPool):
    """A pool of durable connections to a log that this service can read."""

    def connect(self) -> LogConnection:
        """Return a new connection, which is not in the pool until it is put there."""
        try:
            connection = sqlite3.connect(
                self.db_name,
                uri=True,
                check_same_thread=False,
                isolation_level=None,
                cached_statements=256,  # one for each number of rows that is inserted at once
                timeout=self.lock_timeout or library.SQLITE3_DEFAULT_LOCK_TIMEOUT,
            )
        except (sqlite3.Error, TypeError) as error:
            raise InterfaceError(error) from error
        ready = False
        try:
            if not self.is_sqlite_memory_mode:
                self._make_durable(connection)
            ready = True
        except sqlite3.Error as error:
            raise OperationalError(error) from error
        finally:
            if not ready:
                connection.close()
        connection.row_factory = sqlite3.Row
        connection.text_factory = _text
        return LogConnection(connection, max_age=self.max_age)

    def put_connection(self, conn: library.SQLiteConnection) -> None:
        """Return a connection to the pool; it is closed if the pool is."""
        with self._put_condition:
            if not self._closed:
                super().put_connection(conn)
            elif self._in_use.pop(id(conn), None) is not None:
                conn.close()

    def close(self) -> None:
        """Close the pool, and each connection once it is not in use.

        The library's pool also closes connections that other threads use. That crashes the
        interpreter: SQLite frees what another thread's statement still reads.
        """
        with self._put_condition:
            self._closed = True
            while self._pool:
                self._pool.popleft().close()

    def _create_connection(self) -> LogConnection:
        return self.connect()

    def _make_durable(self, connection: sqlite3.Connection) -> None:
        claim(connection, self.db_name)  # before anything in the file is changed
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # where fsync alone stops short: macOS
        check_durable(connection, self.db_name)


class Datastore(library.SQLiteDatastore):
    """The connections to one log, and this process's subscriptions to it.

    One connection is reserved for writing and opened with the log, so that a process that runs out
    of file handles can still write. The library's pool fails for all writers after one failure to
    connect, and its readers wait whenever a writer waits.
    """

    pool: Pool

    def __init__(
        self,
        db_name: str,
        *,
        lock_timeout: int | None = None,
        single_row_tracking: bool = True,
        originator_id_type: Literal["uuid", "text"] = "uuid",
    ) -> None:
        self.followers = LogSubscriptions()
        self.file_identity = FileIdentity()
        self._for_writing: LogConnection | None = None
        self._writing = Lock()
        super().__init__(
            db_name,
            single_row_tracking=single_row_tracking,
            originator_id_type=originator_id_type,
        )
        self.pool = Pool(db_name=db_name, lock_timeout=lock_timeout)

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[library.SQLiteConnection]:
        """Provide a connection; to `commit`, the one for writing, once it is free.

        Raises OperationalError, caused by LogGone, if the files were deleted or replaced: then
        nothing that was read or committed counts.
        """
        self._check_file_identity()  # a connection to what lies there now may make a new file of it
        with self._any_connection(commit=commit) as connection:
            yield connection
        self._check_file_identity()

    def _check_file_identity(self) -> None:
        try:
            self.file_identity.check()
        except LogGone as gone:
            raise OperationalError(str(gone)) from gone

    @contextmanager
    def _any_connection(self, *, commit: bool) -> Iterator[library.SQLiteConnection]:
        if not commit or self.pool.is_sqlite_memory_mode:
            # A database in memory allows no reads during a write: the pool ensures that.
            with super().get_connection(commit=commit) as connection:
                yield connection
            return
        with self._writing:
            if self.pool.closed:
                raise ConnectionPoolClosedError
            if self._for_writing is None:
                self._for_writing = self.pool.connect()
            yield self._for_writing

    def close(self) -> None:
        """Stop the subscriptions, whose threads use connections, then close these."""
        self.followers.close()
        with self._writing:
            super().close()
            if self._for_writing is not None:
                self._for_writing.close()
                self._for_writing = None


class LogRecorder(library.SQLiteApplicationRecorder):
    """A recorder that numbers events in commit order and supports subscriptions."""

    datastore: Datastore
    only_events = True
    """Whether transactions insert nothing besides events."""

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Record events in one transaction and return their notification ids in order.

        They are on disk when it returns. Raises the library's IntegrityError if another event of
        the aggregate has the same version.
        """
        if self.only_events and len(stored_events) <= ROWS_A_STATEMENT:
            ids = self._insert_at_once(stored_events)
        else:
            ids = super().insert_events(stored_events, **kwargs)
        self.datastore.followers.wake()
        return ids

    def _insert_at_once(self, stored_events: Sequence[StoredEvent]) -> Sequence[int] | None:
        with (
            self.datastore.get_connection(commit=True) as connection,
            SingleStatement(connection, commit=True) as cursor,
            cursor,
        ):
            return self._insert_events(cursor, stored_events)

    def _insert_events(
        self,
        c: library.SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        **_: Any,
    ) -> Sequence[int] | None:
        # Each statement releases the global interpreter lock and then waits for it, up to 5 ms if
        # the event loop is busy. With 64 rows in one statement and a busy loop, this writes five
        # times as many rows as with a statement for each.
        ids: list[int] = []
        for start in range(0, len(stored_events), ROWS_A_STATEMENT):
            rows = stored_events[start : start + ROWS_A_STATEMENT]
            c.execute(
                _insert_statement(self.insert_events_statement, len(rows)),
                list(chain.from_iterable(map(_row, rows))),
            )
            # Rows of one statement get successive ids: there is no other writer meanwhile.
            ids.extend(range(c.lastrowid - len(rows) + 1, c.lastrowid + 1))
        return ids

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Return the events of an aggregate in order of their versions."""
        found = super().select_events(originator_id, gt=gt, lte=lte, desc=desc, limit=limit)
        return [*map(_with_bytes, found)]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return events of the log in the order of their numbers."""
        found = super().select_notifications(
            start, limit, stop, topics, inclusive_of_start=inclusive_of_start
        )
        return [*map(_with_bytes, found)]

    def convert_originator_id(self, originator_id: str) -> UUID | str:
        """Return an aggregate's id from a row, cached, since parsing dominates reads."""
        if self.datastore.originator_id_type == "uuid":
            return _identity(originator_id)
        return originator_id

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        """Follow the log after notification `gt`, or from its start."""
        return LogSubscription(self, gt, topics, self.datastore.followers, POLL_SECONDS)


class ProcessRecorder(library.SQLiteProcessRecorder, LogRecorder):
    """A `LogRecorder` that stores, in the same transaction, the position in another log."""

    only_events = False


class Factory(library.SQLiteFactory):
    """The factory of one log's recorders. `SQLITE_DBNAME` is a path, or a `file:` URI."""

    datastore: Datastore
    application_recorder_class = LogRecorder
    process_recorder_class = ProcessRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        # The library reads the environment and makes its own datastore, not connected yet.
        read = self.datastore
        self.datastore = Datastore(
            read.pool.db_name,
            lock_timeout=read.pool.lock_timeout,
            single_row_tracking=read.single_row_tracking,
            originator_id_type=read.originator_id_type,
        )

    @contextmanager
    def raw(self) -> Iterator[sqlite3.Connection]:
        """Provide the connection for writing, for checks of the file. Raises LogUnavailable."""
        try:
            with self.datastore.get_connection(commit=True) as connection:
                assert isinstance(connection, LogConnection)
                yield connection.raw
        except (PersistenceError, sqlite3.Error) as error:
            raise diagnose(error) from error

    def check(self) -> None:
        """Open the log for writing, when a service starts.

        Raises LogNotDurable, LogTooNew, LogForeign, or LogUnavailable if it is not writable. A full
        disk shows only when something is written.
        """
        with self.raw() as connection:
            check_writable(connection)


def _with_bytes(event: E) -> E:
    # Rows that were edited by hand may contain text. Verification finds what was changed.
    if isinstance(event.state, bytes):
        return event
    return dataclasses.replace(event, state=str(event.state).encode())


_text: Final = partial(str, encoding="utf-8", errors="replace")
"""Decodes text columns. Damaged text is reported where it is used, and does not prevent other
reads."""


@lru_cache(maxsize=4096)
def _identity(text: str) -> UUID:
    try:
        return UUID(text)
    except (ValueError, TypeError, AttributeError):
        # A damaged id, replaced by one that no aggregate has.
        return UUID(bytes=sha256(repr(text).encode()).digest()[:16])


@lru_cache(maxsize=ROWS_A_STATEMENT)
def _insert_statement(single: str, rows: int) -> str:
    return single + ",(?,?,?,?)" * (rows - 1)


def _row(event: StoredEvent) -> tuple[str, int, str, bytes]:
    name = event.originator_id
    return (
        name.hex if isinstance(name, UUID) else name,
        event.originator_version,
        event.topic,
        event.state,
    )
