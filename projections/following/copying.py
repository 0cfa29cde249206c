"""Copies of the read models, for a service that starts beside others: it goes on from one instead
of reading the whole log.

Nobody need believe a copy: the follower compares its last event with the log, and rebuilds what is
of another log.
"""

import os
import sqlite3
import tempfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, Self

from projections import read_files
from projections.following import schema
from projections.pages import Pages, sums_of
from projections.read_files import DRAFTS, ReadModels

FIRST: Final = "reads-000001.sqlite"


class ReadsCopy(NamedTuple):
    """A copy, as it was at one instant."""

    position: int
    """The log's number of the last event that is in it."""
    size: int
    """In bytes."""
    file: BinaryIO
    """Has no name any more: it is gone when it is closed."""


class CopyUnusable(Exception):  # noqa: N818  an answer, not a fault
    """A copy that this version cannot go on from."""


def copied(models: ReadModels) -> ReadsCopy:
    """Copy the read models while they are written to and asked. Blocks for as long as the disk
    takes. sqlite3.Error or OSError if it cannot be made; nothing is left then.
    """
    draft = _draft(models.path.parent)
    try:
        with models.reading() as source, closing(sqlite3.connect(draft)) as target:
            target.execute("PRAGMA synchronous = OFF")  # it need not outlive the process
            source.backup(target)  # in one step, since each commit in between would begin it anew
            position = _position(target)
        file = draft.open("rb")
    finally:
        read_files.delete(draft)
    return ReadsCopy(position, os.fstat(file.fileno()).st_size, file)


class IncomingCopy:
    """A copy that comes piece by piece into a folder without read models.

    Use it as a context manager; unless it was finished, nothing is left at the end.
    """

    def __init__(self, folder: Path) -> None:
        """OSError if nothing can be written there."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._target = folder / FIRST
        self._draft = _draft(folder)
        self._file = self._draft.open("wb")
        self._digest = sha256()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        read_files.delete(self._draft)

    def write(self, piece: bytes) -> None:
        """The next piece. OSError."""
        self._file.write(piece)
        self._digest.update(piece)

    def finish(self, digest: bytes) -> int:
        """Make it the read models of the folder, if it has this SHA-256; the position it is at.

        CopyUnusable, OSError or sqlite3.Error if it cannot be.
        """
        if self._digest.digest() != digest:
            raise CopyUnusable("it did not come whole: try again")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if not schema.is_usable(self._draft):
            raise CopyUnusable("that service is of another version")
        pages = Pages(self._draft)
        with closing(schema.connect(self._draft)) as connection:
            pages.arm()
            pages.settle(connection, now=True)  # makes the checksums
            position = _position(connection)
            pages.retire()
        pages.close()
        sums_of(self._draft).replace(sums_of(self._target))
        self._draft.replace(self._target)
        return position


def _position(connection: sqlite3.Connection) -> int:
    (position,) = connection.execute("SELECT position FROM tracking").fetchone()
    return int(position)


def _draft(folder: Path) -> Path:
    handle, name = tempfile.mkstemp(".sqlite", DRAFTS, folder)
    os.close(handle)
    return Path(name)
