"""Opens the read file for questions, and knows which file is the present one.

The folder holds one file at most times: `reads-000001.sqlite`. A rebuild fills another with the
next number beside it. Which one counts is decided by a flag inside: the newest file that says it is
ready, in the present shape, is the present one. The flag is set by the last transaction of a
rebuild, so a crash at any instant leaves either the old file or the new one, never half of one.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import structlog

from projections import schema

_LOG: Final = structlog.get_logger("emeth.projections")
_IDLE: Final = 16
"""Connections kept open when nobody asks anything, at most."""


class ReadModels:
    """The read models of one service, in a folder of its own.

    Every method may be called from any thread. Queries are functions of `lobby`, `boards`,
    `history`, `keys` and `troubles`; they take a connection from `reading()`.
    """

    def __init__(self, folder: Path) -> None:
        """Open the newest usable file in the folder, or a new empty one; delete all others.

        Two services must not share a folder: each has its own, even on one log.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.rebuilding = threading.Lock()
        """Held by the one rebuild that may be under way."""
        self._folder = folder
        self._lock = threading.Lock()
        self._idle: list[tuple[Path, sqlite3.Connection]] = []
        self._closed = False
        self._path = self._choose()

    @property
    def path(self) -> Path:
        """The present read file."""
        return self._path

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to the present file, that only reads. It is the caller's until the end."""
        path, connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(path, connection)

    def new_file(self) -> Path:
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
        for _, connection in idle:
            connection.close()
        delete(old)

    def close(self) -> None:
        """Close what is idle now, and what is in use when it is given back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _take(self) -> tuple[Path, sqlite3.Connection]:
        # Opened under the lock: a switch between opening the file and the log file beside it,
        # which SQLite finds by name, would leave a connection that misses the latest rows.
        with self._lock:
            if self._idle:
                return self._idle.pop()
            return self._path, schema.connect_reader(self._path)

    def _give_back(self, path: Path, connection: sqlite3.Connection) -> None:
        with self._lock:
            keep = path == self._path and len(self._idle) < _IDLE and not self._closed
            if keep:
                self._idle.append((path, connection))
        if not keep:
            connection.close()

    def _files(self) -> list[Path]:
        named = self._folder.glob("reads-*.sqlite")
        ours = (path for path in named if path.stem.removeprefix("reads-").isdecimal())
        return sorted(ours, reverse=True)

    def _choose(self) -> Path:
        files = self._files()
        present = next((path for path in files if schema.is_usable(path)), None)
        if present is None:
            present = self.new_file()
            connection = schema.connect(present)
            schema.create(connection, ready=True)
            connection.close()
            _LOG.info("read_file_created", file=present.name, discarded=len(files))
        for path in files:
            if path != present:
                delete(path)
        return present


def delete(path: Path) -> None:
    """Remove a read file and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
