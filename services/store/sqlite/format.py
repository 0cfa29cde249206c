"""The format version of a log file, in the SQLite header, where any tool can read it."""

import sqlite3
from typing import Final

from services.store.errors import LogForeign, LogTooNew

APPLICATION_ID: Final = int.from_bytes(b"EMTH", "big")
"""`PRAGMA application_id` of every log: `file` and `sqlite3` show it."""
FORMAT: Final = 1
"""`PRAGMA user_version` of logs. Raise it only when an older service could no longer read them
correctly: it would refuse them."""
ENCRYPTED: Final = 2
"""`PRAGMA user_version` of logs that may have encrypted events."""


def claim(connection: sqlite3.Connection, name: str) -> None:
    """Write the format to a new file; refuse a file that this service cannot read.

    The connection must be in autocommit mode. Raises LogTooNew or LogForeign; the file is then
    unchanged.
    """
    if _format_version(connection) == (0, 0):
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            # Another process may have been first, so check again inside the transaction.
            if _format_version(connection) == (0, 0) and not _has_tables(connection):
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
    application_id, version = _format_version(connection)
    if application_id != APPLICATION_ID:
        raise LogForeign(name, f"application id {application_id:#x}")
    if version > ENCRYPTED:
        raise LogTooNew(name, found=version, newest=ENCRYPTED)


def mark_encrypted(connection: sqlite3.Connection) -> None:
    """Mark a log as encrypted, so that services without encryption refuse it."""
    if _format_version(connection)[1] < ENCRYPTED:
        connection.execute(f"PRAGMA user_version = {ENCRYPTED}")


def check_writable(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.OperationalError if SQLite opened the file read-only.

    SQLite does so without an error. Nothing is written here. The connection must be in autocommit
    mode.
    """
    connection.execute("BEGIN")
    try:
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    finally:
        connection.rollback()


def write_again(connection: sqlite3.Connection) -> None:
    """Write the unchanged format of the file once more, and sync it to disk.

    The connection must be in autocommit mode. Raises sqlite3.Error if the disk is not writable.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version = {version}")


def _format_version(connection: sqlite3.Connection) -> tuple[int, int]:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application_id, version


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
