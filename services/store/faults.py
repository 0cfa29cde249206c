"""From an error of the database to what it means for the log, in words."""

import sqlite3
from typing import Final

from eventsourcing.persistence import ConnectionPoolClosedError, PersistenceError

from services.store.errors import LogFailed, LogUnavailable, StoreError

FAULTS: Final = (PersistenceError, ConnectionPoolClosedError, sqlite3.Error, StoreError)
"""All that a recorder raises when the store, and not the events it was given, is at fault."""

WORDS: Final[dict[int, str]] = {
    sqlite3.SQLITE_FULL: "the disk is full: make room on it",
    sqlite3.SQLITE_READONLY: "the file is read-only: let this user write to it and its folder",
    sqlite3.SQLITE_PERM: "this user may not write to the file: allow it",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: let this user read and write it and its folder",
    sqlite3.SQLITE_BUSY: "another process is writing to the file",
    sqlite3.SQLITE_LOCKED: "another connection is writing to the file",
    sqlite3.SQLITE_IOERR: "the disk failed to write or to sync",
    sqlite3.SQLITE_CORRUPT: "the file is damaged: put a backup in its place",
    sqlite3.SQLITE_NOTADB: "the file is not a database: put the log, or a backup, in its place",
    sqlite3.SQLITE_IOERR_SHMSIZE: "the disk is full: make room on it",
}
"""By SQLite's result codes: the extended one if it is here, else the primary one."""

FATAL: Final = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""Primary codes after which nothing that this process writes can be trusted to be on disk."""

HARMLESS: Final = {sqlite3.SQLITE_IOERR_SHMSIZE}
"""Extended codes that are not fatal although their primary code is. This one says that the index
of the write-ahead log, which is never synced and made anew at need, found no room to grow."""


def diagnose(error: BaseException) -> LogUnavailable:
    """What one of `FAULTS` means: LogFailed if the log must not be written again, with its cause.

    The library wraps the database's own error, which is then the cause of what it raises.
    """
    if isinstance(error.__cause__, LogFailed):
        return error.__cause__
    found = _of_sqlite(error)
    fault: LogUnavailable
    if found is None:
        fault = LogUnavailable(str(error) or type(error).__name__)
    else:
        code = found.sqlite_errorcode
        primary = code & 0xFF
        kind = LogFailed if primary in FATAL and code not in HARMLESS else LogUnavailable
        words = WORDS.get(code) or WORDS.get(primary) or str(found)
        fault = kind(words, found.sqlite_errorname)
    fault.__cause__ = error
    return fault


def _of_sqlite(error: BaseException | None) -> sqlite3.Error | None:
    while error is not None:
        # Errors that the sqlite3 module raises by itself have no code of SQLite's.
        if isinstance(error, sqlite3.Error) and hasattr(error, "sqlite_errorcode"):
            return error
        error = error.__cause__
    return None
