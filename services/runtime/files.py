"""Files that are put in place whole, so that who reads one finds the old content or the new one."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

OWNER_ONLY = 0o600
"""The mode of a file that nobody but its owner may read."""
GROUP_AND_OTHERS: Final = 0o077
"""The rights of the group and of all other users, in a mode."""
DATA_FILE_PATTERNS: Final = (
    "log.sqlite*", "people.sqlite*", "player-keys.sqlite*", "webhooks.sqlite*", "*.key", "alive",
    "cosigned.txt", "vouchers", "vouchers/*", "packs", "packs/*",
)  # fmt: skip
READ_MODEL_FILE_PATTERN: Final = "reads-*"
"""What a service keeps in its folder, and in the one of its read models, as patterns."""


def set_private_umask() -> None:
    """Make all files and folders that this process creates from now on accessible to their owner
    only, whichever library creates them."""
    os.umask(GROUP_AND_OTHERS)


def make_private(path: Path) -> None:
    """Create a file that only its owner may read, or take the rights of others from the one that
    is there. SQLite gives `-wal` and `-shm` files the rights of their database, so call this before
    a database is opened. Raises OSError."""
    path.touch(OWNER_ONLY)
    restrict(path)


def restrict(path: Path) -> None:
    """Take all rights of others to a file or folder, unless it belongs to another user."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & GROUP_AND_OTHERS:
        with suppress(PermissionError):
            path.chmod(mode & ~GROUP_AND_OTHERS)


def files_open_to_others(folder: Path, reads: Path) -> list[Path]:
    """Return the files of a service that users other than their owner have rights to, and the
    folders in which it keeps them. `reads` is the folder of its read models."""
    found = [path for pattern in DATA_FILE_PATTERNS for path in sorted(folder.glob(pattern))]
    found += (reads, *sorted(reads.glob(READ_MODEL_FILE_PATTERN)))
    return [path for path in dict.fromkeys(found) if _is_open(path)]


def _is_open(path: Path) -> bool:
    try:
        return not path.is_symlink() and bool(path.stat().st_mode & GROUP_AND_OTHERS)
    except FileNotFoundError:  # SQLite removes files when it closes a database
        return False


def write_atomically(path: Path, content: bytes, mode: int = OWNER_ONLY) -> None:
    """Write a file aside, sync it, rename it into place, and sync the folder.

    A crash or a power cut at any instant leaves the old file or the new one. `mode` is lessened by
    the process's umask. Raises OSError, with the old file in place, if it cannot be written.
    """
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)  # left by a crash
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    fsync_path(path.parent)


def make_folder(path: Path) -> None:
    """Make a folder that nobody but its owner may use, unless it is there, and sync its name. Its
    parents are made too. Raises OSError."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in missing:
        with suppress(PermissionError):  # in a folder of others, which it may only pass through
            fsync_path(each.parent)


def fsync_path(path: Path) -> None:
    """Have a file on disk, or the names in a folder: without it a power cut may undo a rename."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
