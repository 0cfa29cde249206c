"""Checksums of a read file's pages, so that a bit which flips is found and never answered with.

SQLite believes what it reads. So beside `reads-000001.sqlite` lies `reads-000001.sums`, with a
checksum of each page. It is compared with the whole file when that is opened, and over and over
while it is in use. The file changes only when the one writer has its write-ahead log copied into
it, which happens here and nowhere else: the checksums of the copied pages are then made again. What
is in the write-ahead log is checked by SQLite, by checksums of its own, when it opens the file.

A file that anybody else writes to, while it is in use, is known by its size and time, which are
looked at after each question and before each write.
"""

import os
import sqlite3
import struct
import threading
from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from zlib import crc32

OWNER_ONLY: Final = 0o600
"""The mode of the files of the read models."""
PAGE: Final = 4096
"""Bytes of a page, here and in `schema.connect`."""
TOGETHER: Final = 256 * PAGE
"""Bytes that are read at once where all pages are, for which a service that starts waits: to read
each page by itself takes longer than to check it."""
FULL: Final = 16 << 20
"""Bytes of the write-ahead log at which it is copied into the file. A page that was written often
since is copied once, and the disk is waited for thrice: with a quarter of it the follower takes a
fifth more of a processor."""
_HEAD: Final = struct.Struct("<8sII")
"""The salt of the write-ahead log that was copied last, how many of its frames, and how many
checksums follow, of 4 bytes each."""
_WAL_HEAD: Final = 32
_FRAME_HEAD: Final = 24
_FRAME: Final = _FRAME_HEAD + PAGE
_UNKNOWN: Final = bytes(8)

_Look = tuple[tuple[int, int, int] | None, ...]


class FileDamaged(sqlite3.DatabaseError):
    """The read file is not as it was written. It is useless, and is rebuilt from the log."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        self.sqlite_errorname = "SQLITE_CORRUPT"


def is_damage(error: BaseException) -> bool:
    """Does this error of a read file say that it must be rebuilt?"""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )


class Pages:
    """The checksums of one read file. One thread at a time writes the file, and settles it."""

    def __init__(self, path: Path) -> None:
        """Of a new file, in which all is yet to be settled; `opened` is for one that was used."""
        self._path = path
        self._wal = path.with_name(f"{path.name}-wal")
        self._sums: array[int] = array("I")
        self._salt, self._frames = _UNKNOWN, 0
        self._settled = 0
        """How long the write-ahead log was when it was settled last."""
        self._lock = threading.Lock()
        self._seen: _Look | None = None
        """The files as this process left them; None while it writes, or before it has them open."""
        self._file: int | None = None
        self._place = 0

    @classmethod
    def opened(cls, path: Path) -> "Pages":
        """Of a file that nobody has open. FileDamaged unless it is as it was written."""
        pages = cls(path)
        try:
            pages._verify()
        except OSError as error:
            raise FileDamaged(f"{path.name} cannot be checked: {error}") from error
        except (struct.error, ValueError) as error:
            raise FileDamaged(f"the checksums of {path.name} cannot be read: {error}") from error
        return pages

    def arm(self) -> None:
        """The writer has the file open: from now on nobody else may write to it."""
        with self._lock:
            # Kept open until nobody uses the file: to close it would let go of SQLite's own locks.
            if self._file is None:
                self._file = os.open(self._path, os.O_RDONLY)
            self._seen = self._look()

    def check(self) -> None:
        """Raise FileDamaged if somebody else wrote to the file. Takes a few microseconds."""
        with self._lock:
            self._compare()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """While the writer writes. FileDamaged at the beginning, as `check`: what is written may
        rest on what was read."""
        with self._lock:
            self._compare()
            armed, self._seen = self._seen is not None, None
        try:
            yield
        finally:
            with self._lock:
                self._seen = self._look() if armed else None

    def settle(self, connection: sqlite3.Connection, *, now: bool = False) -> None:
        """Copy the write-ahead log into the file, if it has grown long or it is to be now, and make
        the checksums of what was copied. `connection` is the writer's.

        Raises sqlite3.Error or OSError; all is then as before, or comes right the next time.
        """
        with suppress(FileNotFoundError):
            if not now and self._fresh(self._wal.stat().st_size) < FULL:
                return
        with self.writing():
            _, _, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._take_over(copied)
            self._settled = self._wal.stat().st_size if self._wal.exists() else 0

    def _fresh(self, size: int) -> int:
        """How many bytes of the write-ahead log, of this size, were written since it was settled.
        Once all of it is in the file, and nobody reads it, SQLite begins it anew and cuts it off:
        see `schema.connect`."""
        return size if size < self._settled else size - self._settled

    def look(self, pages: int) -> None:
        """Compare the next so many pages with their checksums; the first follow the last. Not while
        the file is written. FileDamaged if one differs."""
        if self._file is None or not self._sums:
            return
        first = self._place if self._place < len(self._sums) else 0
        raw = os.pread(self._file, pages * PAGE, first * PAGE)
        last = min(first + pages, len(self._sums))
        for number in range(first, last):
            if (
                crc32(raw[(number - first) * PAGE : (number - first + 1) * PAGE])
                != (self._sums[number])
            ):
                raise _differs(self._path, number + 1)
        self._place = last

    @property
    def count(self) -> int:
        """How many pages have a checksum."""
        return len(self._sums)

    def retire(self) -> None:
        """The writer lets go of the file: from now on it may change, or go."""
        with self._lock:
            self._seen = None

    def close(self) -> None:
        """Let go of the file, when no connection to it is open."""
        with self._lock:
            self._seen = None
            file, self._file = self._file, None
        if file is not None:
            os.close(file)

    # --- what SQLite keeps -----------------------------------------------------------------------

    def _look(self) -> _Look:
        return tuple(map(_look, (self._path, self._wal)))

    def _compare(self) -> None:
        if self._seen is not None and self._look() != self._seen:
            raise FileDamaged(f"something else has written to {self._path.name}")

    def _take_over(self, copied: int) -> None:
        """Make the checksums of the pages in the first `copied` frames of the write-ahead log."""
        salt = self._read_salt()
        first = self._frames if salt == self._salt else 0
        changed = set(self._numbers(first, copied))
        assert self._file is not None, "it is armed first"
        known, size = len(self._sums), os.fstat(self._file).st_size // PAGE
        self._sums.extend([0] * (size - known))
        changed.update(range(known + 1, size + 1))
        # A page that a later frame has as well is not copied yet, if somebody still reads what was
        # before that: then it may not even be in the file.
        for number in filter(range(1, size + 1).__contains__, changed):
            self._sums[number - 1] = crc32(os.pread(self._file, PAGE, (number - 1) * PAGE))
        self._salt, self._frames = salt, copied
        self._keep()

    def _keep(self) -> None:
        """Write the checksums. In place: what a crash leaves half-written is of pages that are in
        the write-ahead log still, and is rebuilt."""
        path = sums_of(self._path)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, OWNER_ONLY), "wb") as file:
            file.write(_HEAD.pack(self._salt, self._frames, len(self._sums)))
            file.write(self._sums.tobytes())
            file.flush()
            os.fsync(file.fileno())

    def _read_salt(self) -> bytes:
        try:
            with self._wal.open("rb") as wal:
                return wal.read(_WAL_HEAD)[16:24] or _UNKNOWN
        except FileNotFoundError:
            return _UNKNOWN

    def _numbers(self, first: int, last: int) -> Iterator[int]:
        """The page in each of these frames of the write-ahead log."""
        if last > first:
            with self._wal.open("rb", buffering=0) as wal:
                for frame in range(first, last):
                    head = os.pread(wal.fileno(), 4, _WAL_HEAD + frame * _FRAME)
                    yield int.from_bytes(head, "big")

    def _verify(self) -> None:
        raw = sums_of(self._path).read_bytes()
        copied_salt, copied, count = _HEAD.unpack_from(raw)
        self._sums.frombytes(raw[_HEAD.size :])
        if len(self._sums) != count:
            raise ValueError(f"there are {len(self._sums)}, and {count} are due")
        salt = self._read_salt()
        with closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            # SQLite now goes through its write-ahead log, up to the first frame that is not whole.
            _, whole, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if salt == copied_salt != _UNKNOWN and whole < copied:
                # Its rest was copied already: what is left of it would go before what is newer.
                raise FileDamaged(f"frame {whole + 1} of {self._wal.name} is damaged")
            fresh = set(self._numbers(0, whole))
        self._compare_all(fresh)
        self._salt, self._frames = _UNKNOWN, 0
        self._keep()

    def _compare_all(self, fresh: set[int]) -> None:
        """Compare each page with its checksum; those that are `fresh` get a new one."""
        known, number = len(self._sums), 0
        for number, found in enumerate(self._checksums(), 1):
            if number > known:
                self._sums.append(found)
            if number in fresh:
                self._sums[number - 1] = found
            elif number > known or self._sums[number - 1] != found:
                raise _differs(self._path, number)
        if number < known:
            raise FileDamaged(f"{self._path.name} has {number} pages, and had {known}")

    def _checksums(self) -> Iterator[int]:
        """The checksum of each page of the file."""
        with self._path.open("rb") as file:
            while raw := file.read(TOGETHER):
                pages = memoryview(raw)
                for start in range(0, len(raw), PAGE):
                    yield crc32(pages[start : start + PAGE])


def sums_of(path: Path) -> Path:
    """Where the checksums of a read file are."""
    return path.with_suffix(".sums")


def _differs(path: Path, number: int) -> FileDamaged:
    return FileDamaged(f"page {number} of {path.name} is not as it was written")


def _look(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
