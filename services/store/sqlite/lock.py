"""The lock of a log file: one writing process, released when that process ends."""

import fcntl
import os
from contextlib import suppress
from errno import errorcode
from pathlib import Path
from types import TracebackType
from typing import Self

from services.runtime.files import OWNER_ONLY
from services.store.errors import LogLocked, LogUnavailable


class LogLock:
    """The exclusive right to write to a log, held from construction to `release`.

    It is an advisory lock (flock) on `<database>.lock`, which the kernel releases however the
    process ends. The file is never deleted, since then two processes could lock two files of the
    same name. Processes started with `os.fork` alone share the lock; those started with
    `subprocess` do not.
    """

    def __init__(self, database: Path) -> None:
        """Acquire the lock at once.

        Raises:
            LogLocked: Another process holds it.
            LogUnavailable: The lock file cannot be created.
        """
        database = database.resolve()  # one lock per log, whatever links lead to it
        self.path = database.with_name(database.name + ".lock")
        self._is_held = False
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
            try:
                self._take()
            finally:
                if not self._is_held:
                    os.close(self._file)
        except OSError as error:
            why = f"no lock can be made of {self.path}: {error.strerror}"
            raise LogUnavailable(why, errorcode.get(error.errno or 0, "")) from error

    def _take(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LogLocked(self.path, self._holder()) from None
        self._is_held = True
        with suppress(OSError):  # on a full disk the lock is valid without a process id
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, b"%d\n" % os.getpid(), 0)

    def _holder(self) -> int | None:
        """Return the process id in the file; None until its holder has written it."""
        text = os.pread(self._file, 32, 0).strip()
        return int(text) if text.isdigit() else None

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        if self._is_held:
            self._is_held = False
            os.ftruncate(self._file, 0)
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
