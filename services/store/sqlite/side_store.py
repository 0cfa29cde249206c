"""The side store of a log in a file: SQLite databases and folders in the log's folder."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

from services.runtime.files import make_folder, make_private, write_atomically
from services.store.side_store import Folder, Table, UniqueViolation
from services.store.sqlite.read_only import open_read_only

FILES: Final[dict[Table, str]] = {
    "people": "people.sqlite",
    "deliveries": "webhooks.sqlite",
    "player_keys": "player-keys.sqlite",
}

_TABLES: Final[dict[Table, str]] = {
    "people": """
CREATE TABLE IF NOT EXISTS people (
    player TEXT PRIMARY KEY,
    frontend TEXT NOT NULL,
    external TEXT NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    UNIQUE (frontend, external),
    UNIQUE (frontend, folded_name)
) STRICT, WITHOUT ROWID
""",
    "deliveries": (
        "CREATE TABLE IF NOT EXISTS deliveries (frontend TEXT PRIMARY KEY, taken INTEGER NOT NULL)"
        " STRICT, WITHOUT ROWID"
    ),
    "player_keys": (
        "CREATE TABLE IF NOT EXISTS player_keys (player TEXT PRIMARY KEY, wrapped TEXT NOT NULL)"
        " STRICT, WITHOUT ROWID"
    ),
}
_PRAGMAS: Final[dict[Table, tuple[str, ...]]] = {
    # Erased data is overwritten, also in the write-ahead log.
    "people": ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"),
    # A power cut may lose the latest progress: then notices are posted again.
    "deliveries": ("journal_mode=WAL", "synchronous=NORMAL"),
    "player_keys": ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"),
}


class FileSideStore:
    """The side store in a folder. Files are created on demand."""

    sums = True
    """True: SQLite does not detect damaged rows."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._open: dict[Table, sqlite3.Connection] = {}

    def close(self) -> None:
        """Close the database files."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Run one statement on a table, durably, and return its rows."""
        with self._lock:
            try:
                return self._connection(table).execute(text, values).fetchall()
            except sqlite3.IntegrityError as error:
                raise UniqueViolation(str(error)) from error

    def scrub(self, table: Table) -> None:
        """Overwrite deleted data, including the write-ahead log."""
        self.ask(table, "PRAGMA wal_checkpoint(TRUNCATE)")

    def add_listener(self, table: Table, listener: Callable[[str], object]) -> None:
        """Do nothing: no other service uses the folder."""

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """Write a file durably, replacing an older one of the same name."""
        place = self._folder / folder
        make_folder(place)
        write_atomically(place / name, content)

    def get(self, folder: Folder, name: str) -> bytes | None:
        """Return the content of a file; None if it does not exist."""
        with suppress(FileNotFoundError):
            return (self._folder / folder / name).read_bytes()
        return None

    def names(self, folder: Folder) -> Sequence[str]:
        """Return the sorted names of the files in a folder."""
        place = self._folder / folder
        return sorted(path.name for path in place.glob("*") if path.suffix != ".new")

    def has(self, table: Table) -> bool:
        """Return whether the file of a table exists."""
        return (self._folder / FILES[table]).is_file()

    def remove_table(self, table: Table) -> None:
        """Delete the file of a table."""
        with self._lock:
            if (opened := self._open.pop(table, None)) is not None:
                opened.close()
            for suffix in ("", "-wal", "-shm"):
                (self._folder / f"{FILES[table]}{suffix}").unlink(missing_ok=True)

    def remove_files(self, folder: Folder) -> None:
        """Delete a folder with its files, if it exists."""
        place = self._folder / folder
        for path in place.glob("*"):
            path.unlink()
        with suppress(FileNotFoundError):
            place.rmdir()

    def _connection(self, table: Table) -> sqlite3.Connection:
        if (found := self._open.get(table)) is not None:
            return found
        path = self._folder / FILES[table]
        make_private(path)
        made = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        made.text_factory = _text
        try:
            for pragma in _PRAGMAS[table]:
                made.execute(f"PRAGMA {pragma}")
            made.execute(_TABLES[table])
            _check(made, table)
        except (sqlite3.Error, OSError):
            made.close()
            raise
        self._open[table] = made
        return made


class ReadOnlySideStore:
    """Read-only access to the tables in a folder, which a running service may use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[Table, sqlite3.Connection] = {}

    def close(self) -> None:
        """Close the database files."""
        while self._open:
            self._open.popitem()[1].close()

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Run a query on a table; a missing table has no rows."""
        path = self._folder / FILES[table]
        if table not in self._open:
            if not path.is_file():
                return ()
            self._open[table] = open_read_only(path)
            self._open[table].text_factory = _text
        return self._open[table].execute(text, values).fetchall()


def _text(raw: bytes) -> str:
    """Return a text column; damaged bytes are escaped, so that other rows stay readable."""
    return raw.decode(errors="backslashreplace")


def _check(connection: sqlite3.Connection, table: Table) -> None:
    """Raise sqlite3.DatabaseError if a file is damaged; indexes reveal what no row shows.

    Nothing is repaired, since it is unknown which of two versions is right.
    """
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        why = str(found).splitlines()[-1]
        remedy = f"put back {FILES[table]} of a backup, or move it away"
        raise sqlite3.DatabaseError(f"{FILES[table]} is damaged: {why}; {remedy}")
