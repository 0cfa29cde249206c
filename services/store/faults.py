"""From an error of the database to what it means for the log, in words."""

import sqlite3
from typing import Final

from eventsourcing.persistence import ConnectionPoolClosedError, PersistenceError

from services.store.errors import LogFailed, LogUnavailable, StoreError

FAULTS: Final = (PersistenceError, ConnectionPoolClosedError, sqlite3.Error, StoreError)
"""All that a recorder raises when the store, and not the events it was given, is at fault."""

WORDS: Final[dict[int, str]] = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the log is read-only",
    sqlite3.SQLITE_PERM: "this process may not write to the file",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_BUSY: "another process is writing to the file",
    sqlite3.SQLITE_LOCKED: "another connection is writing to the file",
    sqlite3.SQLITE_NOMEM: "this process is out of memory",
    sqlite3.SQLITE_IOERR: "the disk failed to write or to sync",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is not a database",
}
"""By SQLite's primary result codes; the extended ones only add detail."""

FATAL: Final = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""After these, nothing that this process writes can be trusted to be on disk."""


def diagnose(error: BaseException) -> LogUnavailable:
    """What one of `FAULTS` means: LogFailed if the log must not be written again, with its cause.

    The library wraps the database's own error, which is then the cause of what it raises.
    """
    found = _of_sqlite(error)
    fault: LogUnavailable
    if found is None:
        fault = LogUnavailable(str(error) or type(error).__name__)
    else:
        primary = found.sqlite_errorcode & 0xFF
        kind = LogFailed if primary in FATAL else LogUnavailable
        fault = kind(WORDS.get(primary, str(found)), found.sqlite_errorname)
    fault.__cause__ = error
    return fault


def _of_sqlite(error: BaseException | None) -> sqlite3.Error | None:
    while error is not None:
        # Errors that the sqlite3 module raises by itself have no code of SQLite's.
        if isinstance(error, sqlite3.Error) and hasattr(error, "sqlite_errorcode"):
            return error
        error = error.__cause__
    return None
