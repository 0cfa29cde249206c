"""What is kept beside a log in a file: files of SQLite, and folders, in the same folder."""

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
    # What was erased is overwritten, and is not left in the write-ahead log either.
    "people": ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"),
    # A power cut may lose what was noted last: then it is posted again.
    "deliveries": ("journal_mode=WAL", "synchronous=NORMAL"),
    "player_keys": ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"),
}


class FileSideStore:
    """A folder that has a log in a file, or had one. Files are made when they are needed."""

    sums = True
    """SQLite believes what it reads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._open: dict[Table, sqlite3.Connection] = {}

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """See `Beside`."""
        with self._lock:
            try:
                return self._connection(table).execute(text, values).fetchall()
            except sqlite3.IntegrityError as error:
                raise UniqueViolation(str(error)) from error

    def scrub(self, table: Table) -> None:
        """See `Beside`."""
        self.ask(table, "PRAGMA wal_checkpoint(TRUNCATE)")

    def add_listener(self, table: Table, listener: Callable[[str], object]) -> None:
        """Nobody else has the folder."""

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """See `Beside`."""
        place = self._folder / folder
        make_folder(place)
        write_atomically(place / name, content)

    def get(self, folder: Folder, name: str) -> bytes | None:
        """See `Beside`."""
        with suppress(FileNotFoundError):
            return (self._folder / folder / name).read_bytes()
        return None

    def names(self, folder: Folder) -> Sequence[str]:
        """See `Beside`."""
        place = self._folder / folder
        return sorted(path.name for path in place.glob("*") if path.suffix != ".new")

    def has(self, table: Table) -> bool:
        """Is there a file of this table?"""
        return (self._folder / FILES[table]).is_file()

    def remove_table(self, table: Table) -> None:
        """Delete a table's file."""
        with self._lock:
            if (opened := self._open.pop(table, None)) is not None:
                opened.close()
            for suffix in ("", "-wal", "-shm"):
                (self._folder / f"{FILES[table]}{suffix}").unlink(missing_ok=True)

    def remove_files(self, folder: Folder) -> None:
        """Delete a folder with its files, if it is there."""
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
    """The tables in a folder that a service may have, to look at them and no more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[Table, sqlite3.Connection] = {}

    def close(self) -> None:
        """Let go of the files."""
        while self._open:
            self._open.popitem()[1].close()

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """See `Beside`; nothing of a table that has no file."""
        path = self._folder / FILES[table]
        if table not in self._open:
            if not path.is_file():
                return ()
            self._open[table] = open_read_only(path)
            self._open[table].text_factory = _text
        return self._open[table].execute(text, values).fetchall()


def _text(raw: bytes) -> str:
    """A text of a row. What is none any more is damaged, and known by that: it keeps nobody from
    other rows."""
    return raw.decode(errors="backslashreplace")


def _check(connection: sqlite3.Connection, table: Table) -> None:
    """DatabaseError if a file is not whole: its indexes tell of damage that no row shows. Nothing
    is mended, since nobody knows which of the two is right."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        why = str(found).splitlines()[-1]
        remedy = f"put back {FILES[table]} of a backup, or move it away"
        raise sqlite3.DatabaseError(f"{FILES[table]} is damaged: {why}; {remedy}")
