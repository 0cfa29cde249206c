"""The side store of a log in PostgreSQL, in the same database, shared by all services."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import psycopg
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    PersistenceError,
)
from eventsourcing.utils import retry
from psycopg.rows import tuple_row

from services.store.faults import diagnose
from services.store.postgres.connections import Datastore
from services.store.side_store import Folder, Table, UniqueViolation

PLAYER_KEYS: Final = (
    'CREATE TABLE IF NOT EXISTS player_keys (player text COLLATE "C" PRIMARY KEY,'
    " wrapped text NOT NULL)"
)


class DatabaseSideStore:
    """The side store in a database.

    Statements are idempotent, and repeated after a broken connection.
    """

    sums = False
    """False: PostgreSQL's `data_checksums` reveal damage."""

    def __init__(self, datastore: Datastore) -> None:
        self._datastore = datastore
        self._has_keys = False

    def close(self) -> None:
        """Do nothing: the connections belong to the log."""

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Run one statement on a table, durably, and return its rows."""
        if table == "player_keys" and not self._has_keys:
            # Not part of the format: services without encryption do not need the table.
            self._ask(PLAYER_KEYS)
            self._has_keys = True
        return self._ask(text, *values)

    def scrub(self, table: Table) -> None:
        """Do nothing: PostgreSQL overwrites deleted data later (see `docs/frontends.md`)."""

    def add_listener(self, table: Table, listener: Callable[[str], object]) -> None:
        """Call the listener with the key of each row that another service changes."""
        if table == "people":
            self._datastore.on_profile_changed = listener

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """Write a file durably, replacing an older one of the same name."""
        text = (
            "INSERT INTO kept_files VALUES (?, ?, ?)"
            " ON CONFLICT (folder, name) DO UPDATE SET content = excluded.content"
        )
        self._ask(text, folder, name, content)

    def get(self, folder: Folder, name: str) -> bytes | None:
        """Return the content of a file; None if it does not exist."""
        text = "SELECT content FROM kept_files WHERE folder = ? AND name = ?"
        rows = self._ask(text, folder, name)
        return bytes(rows[0][0]) if rows else None

    def names(self, folder: Folder) -> Sequence[str]:
        """Return the sorted names of the files in a folder."""
        rows = self._ask("SELECT name FROM kept_files WHERE folder = ? ORDER BY name", folder)
        return [name for (name,) in rows]

    def _ask(self, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        try:
            found: Sequence[tuple[Any, ...]] = self._tried(text, values)
        except IntegrityError as error:
            raise UniqueViolation(str(error)) from error
        except (PersistenceError, ConnectionPoolClosedError, psycopg.Error) as error:
            raise diagnose(error) from error
        return found

    @retry((InterfaceError, OperationalError), max_attempts=10, wait=0.2)
    def _tried(self, text: str, values: Sequence[object]) -> Sequence[tuple[Any, ...]]:
        with (
            self._datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            cursor.execute(text.replace("?", "%b").encode(), values)
            return cursor.fetchall() if cursor.description else ()
