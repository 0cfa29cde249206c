"""Opens the read file for questions, and knows which file is the present one.

The folder holds one file at most times: `reads-000001.sqlite`. A rebuild fills another with the
next number beside it. Which one counts is decided by a flag inside: the newest file that says it is
ready, in the present shape, is the present one. The flag is set by the last transaction of a
rebuild, so a crash at any instant leaves either the old file or the new one, never half of one.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from domain.kernel.packs import BUILT_IN_PACKS, Library
from projections.projector import schema
from projections.projector.schema import NameLookup

_LOG: Final = structlog.get_logger("emeth.projections")
_MAX_IDLE: Final = 16
"""Connections kept open when nobody asks anything, at most."""


class PooledConnection(NamedTuple):
    """A connection that only reads, and the file that it is to."""

    path: Path
    connection: sqlite3.Connection


class ReadFileDamagedError(sqlite3.DatabaseError):
    """The read file is damaged. It is useless, and is rebuilt from the log."""


def is_damage(error: BaseException) -> bool:
    """Does this error of a read file say that it must be rebuilt?"""
    return isinstance(error, ReadFileDamagedError) or getattr(
        error, "sqlite_errorcode", 0
    ) & 0xFF in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )


class ReadModels:
    """The read models of one service, in a folder of its own.

    Every method may be called from any thread. Queries are functions of the modules beside this
    one, as of `match_list` and `board_views`; they take a connection from `reading()`.
    """

    def __init__(
        self,
        folder: Path,
        library: Library = BUILT_IN_PACKS,
        names: NameLookup = schema.former_player_name,
    ) -> None:
        """Open the newest usable file in the folder, or a new empty one; delete all others. The
        states in it name packs of the library, and players whose names `names` tells.

        Two services must not share a folder: each has its own, even on one log.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.rebuilding = threading.Lock()
        """Held by the one rebuild that may be under way."""
        self.on_damage: Callable[[str], object] = lambda why: None
        """Told, in any thread, why the present file must be rebuilt."""
        self.library = library
        self.names = names
        self._folder = folder
        self._lock = threading.Lock()
        self._idle: list[PooledConnection] = []
        self._closed = False
        self._path = self._choose()

    @property
    def path(self) -> Path:
        """The present read file."""
        return self._path

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to the present file, that only reads. It is the caller's until the end.

        Raises FileDamaged if SQLite finds that the file is damaged: then what was read means
        nothing, and `on_damage` has been called.
        """
        opened = self._take()
        try:
            yield opened.connection
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            if opened.path == self._path:
                self.on_damage(str(error))
            raise ReadFileDamagedError(str(error)) from error
        finally:
            self._give_back(opened)

    def next_path(self) -> Path:
        """A path beside the present file, for the next generation."""
        numbers = [int(path.stem.rpartition("-")[2]) for path in self._files()]
        return self._folder / f"reads-{max(numbers, default=0) + 1:06}.sqlite"

    def switch(self, path: Path) -> None:
        """From now on questions go to this file. The old one is deleted.

        Who is still reading the old file reads on: an open file lives until it is closed.
        """
        with self._lock:
            old, self._path = self._path, path
            idle, self._idle = self._idle, []
        for opened in idle:
            opened.connection.close()
        delete_file(old)

    def close(self) -> None:
        """Close what is idle now, and what is in use when it is given back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for opened in idle:
            opened.connection.close()

    def _take(self) -> PooledConnection:
        # Opened under the lock: a switch between opening the file and the log file beside it,
        # which SQLite finds by name, would leave a connection that misses the latest rows.
        with self._lock:
            if self._idle:
                return self._idle.pop()
            return PooledConnection(self._path, self._connect())

    def _connect(self) -> sqlite3.Connection:
        try:
            return schema.connect_reader(self._path, self.library, self.names)
        except sqlite3.Error as error:
            self.on_damage(f"{self._path.name} cannot be opened: {error}")
            raise ReadFileDamagedError(str(error)) from error

    def _give_back(self, opened: PooledConnection) -> None:
        with self._lock:
            present = opened.path == self._path
            keep = present and len(self._idle) < _MAX_IDLE and not self._closed
            if keep:
                self._idle.append(opened)
        if not keep:
            opened.connection.close()

    def _files(self) -> list[Path]:
        named = self._folder.glob("reads-*.sqlite")
        ours = (path for path in named if path.stem.removeprefix("reads-").isdecimal())
        return sorted(ours, reverse=True)

    def _choose(self) -> Path:
        files = self._files()
        present = next(filter(_is_usable, files), None)
        if present is None:
            present = self.next_path()
            connection = schema.connect_writer(present)
            schema.create_tables(connection, ready=True)
            connection.close()
            _LOG.info("read_file_created", file=present.name, discarded=len(files))
        for path in files:
            if path != present:
                delete_file(path)
        return present


def _is_usable(path: Path) -> bool:
    try:
        with closing(schema.connect_reader(path)) as connection:
            why = schema.find_damage(connection)
            if not (why or schema.is_current(connection)):
                why = "another release made it, or it was not finished"
    except sqlite3.DatabaseError as error:
        why = str(error)
    if why:
        _LOG.warning("read_file_discarded", file=path.name, why=why)
    return not why


def delete_file(path: Path) -> None:
    """Remove a read file and all that lies beside it under its name."""
    for each in path.parent.glob(f"{path.stem}.*"):
        each.unlink(missing_ok=True)
