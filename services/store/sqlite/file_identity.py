"""Notices when the files of a log are deleted or replaced under those who have them open.

A process goes on writing to a file that has no name any more, or whose name now leads elsewhere,
and all of it is gone when the process ends. So whoever is told that something is on disk must be
told by a file that is still the one under its name.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from services.store.errors import LogFailed

FILE_SUFFIXES: Final = ("", "-wal", "-shm")
"""What SQLite puts behind the name of a database that it keeps in several files: the write-ahead
log has the latest commits, and its index says where."""


class LogGone(LogFailed):
    """A file of the log is no longer the one that was opened: what is written to it is lost."""


class FileIdentity:
    """The files of one log, as they were when `keep` was called."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, int]] = {}
        self.on_gone: Callable[[LogGone], object] = lambda gone: None
        """Called in the thread that notices, each time."""

    def keep(self, database: Path) -> None:
        """From now on these files have to stay."""
        # SQLite puts the others beside the file itself, and not beside a link to it.
        for path in (str(database), *(f"{database.resolve()}{part}" for part in FILE_SUFFIXES)):
            found = os.stat(path)
            self._kept[path] = (found.st_dev, found.st_ino)

    def check(self) -> None:
        """Raise LogGone if a file is not there any more, or is another. Takes microseconds."""
        for path, kept in self._kept.items():
            try:
                found = os.stat(path)
            except OSError as error:
                self._tell(f"{path} is gone ({error.strerror})")
            if (found.st_dev, found.st_ino) != kept or not found.st_nlink:
                self._tell(f"{path} is another file than the one that was opened")

    def _tell(self, what: str) -> NoReturn:
        gone = LogGone(
            f"{what}, so that what is written would be lost: put the log or a backup in its place, "
            "and start again"
        )
        self.on_gone(gone)
        raise gone
