"""The format version of a log file, kept in the SQLite header where any tool can read it."""

import sqlite3
from typing import Final

from services.store.errors import LogForeign, LogTooNew

APPLICATION_ID: Final = int.from_bytes(b"EMTH", "big")
"""`PRAGMA application_id` of every log: `file` and `sqlite3` show it."""
FORMAT: Final = 1
"""`PRAGMA user_version` of the logs written now. Raise it when an older service could no longer
read them right, and then only: it would refuse them."""
ENCRYPTED: Final = 2
"""The same of a log that has, or may have, events that are encrypted."""


def claim(connection: sqlite3.Connection, name: str) -> None:
    """Stamp a fresh file with the format; refuse one that this service cannot read.

    The connection must be in autocommit mode. Raises LogTooNew or LogForeign; the file is then as
    it was before.
    """
    if _format_version(connection) == (0, 0):
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            # Another process may have come first, so what counts is what is seen in here.
            if _format_version(connection) == (0, 0) and not _has_tables(connection):
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
    application_id, version = _format_version(connection)
    if application_id != APPLICATION_ID:
        raise LogForeign(name, f"application id {application_id:#x}")
    if version > ENCRYPTED:
        raise LogTooNew(name, found=version, newest=ENCRYPTED)


def mark_encrypted(connection: sqlite3.Connection) -> None:
    """Have services refuse the log that know nothing of encryption."""
    if _format_version(connection)[1] < ENCRYPTED:
        connection.execute(f"PRAGMA user_version = {ENCRYPTED}")


def check_writable(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.OperationalError if SQLite could only open the file for reading.

    It says nothing when that happens, and then reads. Nothing is written here. The connection must
    be in autocommit mode.
    """
    connection.execute("BEGIN")
    try:
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    finally:
        connection.rollback()


def write_again(connection: sqlite3.Connection) -> None:
    """Write the format of the file once more, which changes nothing, and sync it to the disk.

    The connection must be in autocommit mode. Raises sqlite3.Error if the disk takes nothing.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version = {version}")


def _format_version(connection: sqlite3.Connection) -> tuple[int, int]:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application_id, version


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
