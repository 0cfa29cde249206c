"""Detection of log files that are deleted or replaced while they are open.

A process can write to a file that has no name any more, or whose name belongs to another file. All
of that is lost when the process ends. Events are therefore acknowledged only while each name still
refers to the open file.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from services.store.errors import LogFailed

FILE_SUFFIXES: Final = ("", "-wal", "-shm")
"""Suffixes of a database's files: the write-ahead log has the latest commits, and its index locates
them."""


class LogGone(LogFailed):
    """A file of the log was deleted or replaced: what is written to it is lost."""


class FileIdentity:
    """The files of one log, as they were when `keep` was called."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[int, int]] = {}
        self.on_gone: Callable[[LogGone], object] = lambda gone: None
        """Called each time in the thread that notices."""

    def keep(self, database: Path) -> None:
        """Record the identity of a database's files."""
        # SQLite creates the other files next to the file itself, not next to a link to it.
        for path in (str(database), *(f"{database.resolve()}{part}" for part in FILE_SUFFIXES)):
            found = os.stat(path)
            self._files[path] = (found.st_dev, found.st_ino)

    def check(self) -> None:
        """Raise LogGone if a file was deleted or replaced. Takes microseconds."""
        for path, kept in self._files.items():
            try:
                found = os.stat(path)
            except OSError as error:
                self._raise_gone(f"{path} is gone ({error.strerror})")
            if (found.st_dev, found.st_ino) != kept or not found.st_nlink:
                self._raise_gone(f"{path} is another file than the one that was opened")

    def _raise_gone(self, what: str) -> NoReturn:
        gone = LogGone(
            f"{what}, so that what is written would be lost: put the log or a backup in its place, "
            "and start again"
        )
        self.on_gone(gone)
        raise gone
