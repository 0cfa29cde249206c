"""The disk under a service of this process: what was written to it and synced, and faults at will.

SQLite's own way to the disk is a table of functions (its VFS), and so are the methods of each open
file. `Disk` puts itself between: it notes each call and hands it on, or lets it fail. It does the
same for the few functions of `os` by which the service puts files in place. The service and SQLite
are as they always are.
"""

import _sqlite3
import ctypes
import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final, Literal, NamedTuple
from unittest.mock import patch

Call = Literal["write", "truncate", "sync", "create", "delete", "rename", "sync-folder", "read"]


class Op(NamedTuple):
    """One call that changed what is on the disk, or promised that it is there."""

    call: Call
    path: str
    at: int = 0
    """Where it was written, or the size that was left."""
    data: bytes = b""
    to: str = ""
    """The new name."""


SQLITE_OK: Final = 0
CREATED: Final = 0x4
"""SQLITE_OPEN_CREATE."""
NAMED: Final = 0x80000 | 0x800 | 0x4000
"""Of a write-ahead log or a journal: SQLite syncs their folder with them when it made them."""
CODES: Final[dict[Call, int]] = {
    "read": 266,
    "write": 778,
    "sync": 1034,
    "truncate": 1546,
    "delete": 2570,
    "create": 14,
    "rename": 10,
    "sync-folder": 1290,
}
"""What SQLite calls an error of the disk in each call: SQLITE_IOERR_READ and so on. What is called
by Python fails with EIO."""
FULL: Final = 13
"""SQLite's code; to Python it is ENOSPC."""

Fault = Callable[[Call, str], int]
"""The code with which SQLite is to see a call fail; 0 lets it pass."""

_P = ctypes.c_void_p
_XOPEN = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, _P, ctypes.c_int, _P)
_XDELETE = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, ctypes.c_int)
_XCLOSE = ctypes.CFUNCTYPE(ctypes.c_int, _P)
_XRW = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, ctypes.c_int, ctypes.c_int64)
_XTRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_int64)
_XSYNC = ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.c_int)
_POINTER: Final = ctypes.sizeof(_P)
_METHODS: Final = 19
"""Pointers in `sqlite3_io_methods` of version 3, its version being the first."""


class _Vfs(ctypes.Structure):
    """As much of `sqlite3_vfs` as is changed here."""

    _fields_ = (
        ("iVersion", ctypes.c_int),
        ("szOsFile", ctypes.c_int),
        ("mxPathname", ctypes.c_int),
        ("pNext", _P),
        ("zName", ctypes.c_char_p),
        ("pAppData", _P),
        ("xOpen", _P),
        ("xDelete", _P),
    )


def _default_vfs() -> _Vfs:
    library = ctypes.CDLL(_sqlite3.__file__)  # whichever SQLite Python itself is linked with
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    library.sqlite3_vfs_find.argtypes = (ctypes.c_char_p,)
    found: _Vfs = library.sqlite3_vfs_find(None).contents
    return found


class Disk:
    """What happened to the files below a folder while it was `watched`."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder.resolve())
        self.ops: list[Op] = []
        self.fault: Fault = lambda call, path: 0
        self.strays: list[str] = []
        """Files that were opened for writing in another way."""
        self.by_others = ""
        """Below this, they may be: of what is written there, what was synced is noted."""
        self._lock = RLock()
        self._files: dict[int, tuple[str, int]] = {}
        """Open files of SQLite by their address: their path, and the methods they had."""
        self._fresh: set[str] = set()
        self._kept: dict[int, Any] = {}
        """Changed methods by the address of the true ones, and all that must not be freed."""
        self._handles: dict[int, str] = {}
        """Files that were opened by `os.open`."""
        self._active = False

    def note(self, op: Op) -> None:
        if op.path.startswith(self.folder) and not op.path.endswith((".lock", "-shm")):
            with self._lock:
                self.ops.append(op)

    def fail(self, call: Call, path: str) -> None:
        """Raise OSError if a call of Python is to fail."""
        if path.startswith(self.folder) and (code := self.fault(call, path)):
            number = errno.ENOSPC if code == FULL else errno.EIO
            raise OSError(number, os.strerror(number), path)

    @contextmanager
    def watched(self) -> Iterator["Disk"]:
        """Watch it for a while."""
        vfs = _default_vfs()
        opened, deleted = vfs.xOpen, vfs.xDelete
        assert opened is not None
        assert deleted is not None
        own = self._open(_XOPEN(opened)), self._delete(_XDELETE(deleted))
        self._kept[0] = own
        vfs.xOpen, vfs.xDelete = (ctypes.cast(each, _P).value for each in own)
        self._active = True
        sys.addaudithook(self._audit)
        try:
            with self._by_python():
                yield self
        finally:
            self._active = False
            vfs.xOpen, vfs.xDelete = opened, deleted

    # --- SQLite ----------------------------------------------------------------------------------

    def _open(self, true: Any) -> Any:
        def x_open(vfs: int, name: int, file: int, flags: int, out: int) -> int:
            path = ctypes.string_at(name).decode() if name else ""
            is_new = bool(path) and bool(flags & CREATED) and not os.path.exists(path)
            if is_new and path.startswith(self.folder) and (failed := self.fault("create", path)):
                return failed
            code: int = true(vfs, name, file, flags, out)
            if code == SQLITE_OK and path.startswith(self.folder):
                methods = ctypes.cast(file, ctypes.POINTER(_P))[0]
                assert methods is not None
                with self._lock:
                    self._files[file] = path, methods
                    if is_new:
                        self.note(Op("create", path))
                    if is_new and flags & NAMED:
                        self._fresh.add(path)
                changed = self._methods(methods)
                ctypes.cast(file, ctypes.POINTER(_P))[0] = ctypes.addressof(changed)
            return code

        return _XOPEN(x_open)

    def _delete(self, true: Any) -> Any:
        def x_delete(vfs: int, name: int, sync: int) -> int:
            path = ctypes.string_at(name).decode()
            if code := self.fault("delete", path):
                return code
            code = true(vfs, name, sync)
            if code == SQLITE_OK:
                self.note(Op("delete", path))
                if sync:
                    self.note(Op("sync-folder", os.path.dirname(path)))
            return code

        return _XDELETE(x_delete)

    def _methods(self, true: int) -> Any:
        """The methods of a file, those of them changed that write or sync."""
        with self._lock:
            if true in self._kept:
                return self._kept[true][0]
            table = (_P * _METHODS)()
            ctypes.memmove(table, true, _METHODS * _POINTER)
            own = (
                (1, self._close(_XCLOSE(table[1]))),
                (2, self._read(_XRW(table[2]))),
                (3, self._write(_XRW(table[3]))),
                (4, self._truncate(_XTRUNCATE(table[4]))),
                (5, self._sync(_XSYNC(table[5]))),
            )
            for place, function in own:
                table[place] = ctypes.cast(function, _P).value
            self._kept[true] = table, own
            return table

    def _path(self, file: int) -> str:
        return self._files[file][0]

    def _close(self, true: Any) -> Any:
        def x_close(file: int) -> int:
            with self._lock:
                self._files.pop(file, None)
            return int(true(file))

        return _XCLOSE(x_close)

    def _read(self, true: Any) -> Any:
        def x_read(file: int, into: int, size: int, at: int) -> int:
            return self.fault("read", self._path(file)) or int(true(file, into, size, at))

        return _XRW(x_read)

    def _write(self, true: Any) -> Any:
        def x_write(file: int, source: int, size: int, at: int) -> int:
            path, data = self._path(file), ctypes.string_at(source, size)
            if code := self.fault("write", path):
                return code
            code = true(file, source, size, at)
            self.note(Op("write", path, at, data))
            return code

        return _XRW(x_write)

    def _truncate(self, true: Any) -> Any:
        def x_truncate(file: int, size: int) -> int:
            path = self._path(file)
            if code := self.fault("truncate", path):
                return code
            self.note(Op("truncate", path, size))
            return int(true(file, size))

        return _XTRUNCATE(x_truncate)

    def _sync(self, true: Any) -> Any:
        def x_sync(file: int, flags: int) -> int:
            path = self._path(file)
            if code := self.fault("sync", path):
                return code
            code = true(file, flags)
            self.note(Op("sync", path))
            if path in self._fresh:
                self._fresh.discard(path)
                self.note(Op("sync-folder", os.path.dirname(path)))
            return code

        return _XSYNC(x_sync)

    # --- Python ----------------------------------------------------------------------------------

    def _audit(self, event: str, given: tuple[Any, ...]) -> None:
        if self._active and event == "open" and given[1] is not None and isinstance(given[0], str):
            path, mode = os.path.abspath(given[0]), given[1]
            if path.startswith(self.folder) and set("wax+") & set(str(mode)):
                if not (self.by_others and path.startswith(self.by_others)):
                    self.strays.append(path)
                elif not os.path.exists(path):
                    self.note(Op("create", path))

    @contextmanager
    def _by_python(self) -> Iterator[None]:
        true = {
            name: getattr(os, name)
            for name in ("open", "fdopen", "fsync", "replace", "rename", "unlink", "close", "mkdir")
        }

        def opened(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            name = os.path.abspath(path)
            is_new = bool(flags & os.O_CREAT) and not os.path.exists(name)
            if is_new:
                self.fail("create", name)
            handle: int = true["open"](path, flags, *rest, **more)
            self._handles[handle] = name
            if is_new:
                self.note(Op("create", name))
            return handle

        def fdopened(handle: int, mode: str = "r", *rest: Any, **more: Any) -> Any:
            if "w" not in mode or handle not in self._handles:
                return true["fdopen"](handle, mode, *rest, **more)
            return io.BufferedWriter(_RecordingFile(self, handle, self._handles[handle]))

        def synced(handle: int) -> None:
            path = self._handles.get(handle, "")
            self.fail("sync-folder" if os.path.isdir(path) else "sync", path)
            true["fsync"](handle)
            if os.path.isdir(path):
                self.note(Op("sync-folder", path))
                return
            if self.by_others and path.startswith(self.by_others):
                with true["fdopen"](true["open"](path, os.O_RDONLY), "rb") as file:
                    self.note(Op("truncate", path, 0))
                    self.note(Op("write", path, 0, file.read()))
            self.note(Op("sync", path))

        def renamed(source: Any, target: Any, **more: Any) -> None:
            self.fail("rename", os.path.abspath(source))
            true["replace"](source, target, **more)
            self.note(Op("rename", os.path.abspath(source), to=os.path.abspath(target)))

        def unlinked(path: Any, **more: Any) -> None:
            if os.path.exists(path):
                self.fail("delete", os.path.abspath(path))
            true["unlink"](path, **more)
            self.note(Op("delete", os.path.abspath(path)))

        def closed(handle: int) -> None:
            self._handles.pop(handle, None)
            true["close"](handle)

        def made(path: Any, *rest: Any, **more: Any) -> None:
            if not os.path.exists(path):
                self.fail("create", os.path.abspath(path))
            true["mkdir"](path, *rest, **more)
            self.note(Op("create", os.path.abspath(path) + "/"))

        changed = {
            "open": opened,
            "fdopen": fdopened,
            "fsync": synced,
            "replace": renamed,
            "rename": renamed,
            "unlink": unlinked,
            "close": closed,
            "mkdir": made,
        }
        with patch.multiple(os, **changed):
            yield


class _RecordingFile(io.FileIO):
    """A file for writing that says what is written."""

    def __init__(self, disk: Disk, handle: int, path: str) -> None:
        super().__init__(handle, "w")
        self._disk = disk
        self._path = path
        self._at = 0

    def write(self, data: Any) -> int:
        raw = bytes(data)
        self._disk.fail("write", self._path)
        done = super().write(raw)
        self._disk.note(Op("write", self._path, self._at, raw[:done]))
        self._at += done
        return done
