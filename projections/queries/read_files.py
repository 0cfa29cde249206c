"""The read files: SQLite databases that hold the read models, and a pool of connections to them.

The folder usually holds one file, `reads-000001.sqlite`. A rebuild fills another file with the next
number. The current file is the newest one that has the current shape and the flag `ready`. The last
transaction of a rebuild sets the flag. So a crash leaves either the old file or the new file in
use, and never an incomplete one.
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
"""Maximum number of idle connections that stay open."""


class PooledConnection(NamedTuple):
    """A connection that only reads, with the path of its file."""

    path: Path
    connection: sqlite3.Connection


class ReadFileDamagedError(sqlite3.DatabaseError):
    """The error raised when a read file is damaged and must be rebuilt from the log."""


def is_damage(error: BaseException) -> bool:
    """Return whether an error of a read file means that the file must be rebuilt."""
    return isinstance(error, ReadFileDamagedError) or getattr(
        error, "sqlite_errorcode", 0
    ) & 0xFF in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )


class ReadModels:
    """The read models of one service, in a folder of its own.

    Methods are thread-safe. Queries are functions of the other modules in this package and in
    `projections.views`. They take a connection from `reading()`.
    """

    def __init__(
        self,
        folder: Path,
        library: Library = BUILT_IN_PACKS,
        names: NameLookup = schema.former_player_name,
    ) -> None:
        """Open the newest usable file in the folder or create one, and delete all other files.

        Two services must not share a folder, even if they share a log.

        Args:
            folder: The folder of the read files, which is created if it does not exist.
            library: The content packs that states refer to.
            names: Returns the names of frontends' players.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.rebuilding = threading.Lock()
        """The lock that the running rebuild holds."""
        self.on_damage: Callable[[str], object] = lambda why: None
        """Called in any thread with the reason why the current file must be rebuilt."""
        self.library = library
        self.names = names
        self._folder = folder
        self._lock = threading.Lock()
        self._idle: list[PooledConnection] = []
        self._closed = False
        self._path = self._choose()

    @property
    def path(self) -> Path:
        """The current read file."""
        return self._path

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to the current file that only reads.

        Raises:
            ReadFileDamagedError: The file is damaged. `on_damage` was called, and what was read
                may be wrong.
        """
        opened = self._acquire()
        try:
            yield opened.connection
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            if opened.path == self._path:
                self.on_damage(str(error))
            raise ReadFileDamagedError(str(error)) from error
        finally:
            self._release(opened)

    def next_path(self) -> Path:
        """Return the path for the next read file."""
        numbers = [int(path.stem.rpartition("-")[2]) for path in self._files()]
        return self._folder / f"reads-{max(numbers, default=0) + 1:06}.sqlite"

    def switch(self, path: Path) -> None:
        """Make a file the current one, and delete the old file.

        Queries that use the old file complete: a deleted file exists until it is closed.
        """
        with self._lock:
            old, self._path = self._path, path
            idle, self._idle = self._idle, []
        for opened in idle:
            opened.connection.close()
        delete_file(old)

    def close(self) -> None:
        """Close idle connections now, and each connection in use when it is returned."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for opened in idle:
            opened.connection.close()

    def _acquire(self) -> PooledConnection:
        # Connect under the lock. SQLite opens the write-ahead log by the file's name. If `switch`
        # deleted the file in between, the connection would miss the latest rows.
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

    def _release(self, opened: PooledConnection) -> None:
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
                why = "another release made it, or it is incomplete"
    except sqlite3.DatabaseError as error:
        why = str(error)
    if why:
        _LOG.warning("read_file_discarded", file=path.name, why=why)
    return not why


def delete_file(path: Path) -> None:
    """Delete a read file with its write-ahead log and other companion files."""
    for each in path.parent.glob(f"{path.stem}.*"):
        each.unlink(missing_ok=True)
