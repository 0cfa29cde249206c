"""Translation of SQLite's errors."""

import sqlite3
from typing import Final

from services.store.errors import LogFailed, LogUnavailable

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
"""Explanations by result code: the extended code if it is listed, else the primary one."""

FATAL: Final = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""Primary codes after which this process's writes can no longer be trusted to be on disk."""

HARMLESS: Final = {sqlite3.SQLITE_IOERR_SHMSIZE}
"""Extended codes that are not fatal although their primary code is. This one means that the index
of the write-ahead log could not grow; it is never synced, and rebuilt if needed."""


def meaning(error: BaseException) -> LogUnavailable | None:
    """Return the store's error for an error of SQLite; None for any other error.

    Errors that the sqlite3 module itself raises have no SQLite code.
    """
    if not isinstance(error, sqlite3.Error) or not hasattr(error, "sqlite_errorcode"):
        return None
    code = error.sqlite_errorcode
    primary = code & 0xFF
    kind = LogFailed if primary in FATAL and code not in HARMLESS else LogUnavailable
    words = WORDS.get(code) or WORDS.get(primary) or str(error)
    return kind(words, error.sqlite_errorname)
