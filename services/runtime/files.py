"""Atomic, private and durable files."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

OWNER_ONLY = 0o600
"""File mode: readable and writable by the owner only."""
GROUP_AND_OTHERS: Final = 0o077
"""Mode bits: the permissions of the group and of all other users."""
DATA_FILE_PATTERNS: Final = (
    "log.sqlite*", "people.sqlite*", "player-keys.sqlite*", "webhooks.sqlite*", "*.key", "alive",
    "cosigned.txt", "vouchers", "vouchers/*", "packs", "packs/*",
)  # fmt: skip
"""Patterns of the files that a service keeps in its data folder."""
READ_MODEL_FILE_PATTERN: Final = "reads-*"
"""Pattern of the files that a service keeps in the folder of its read models."""


def set_private_umask() -> None:
    """Set the umask so that files created by this process are private to their owner."""
    os.umask(GROUP_AND_OTHERS)


def make_private(path: Path) -> None:
    """Create a private file, or remove the permissions of others from an existing one.

    SQLite gives `-wal` and `-shm` files the mode of their database, so call this before a database
    is opened. Raises OSError.
    """
    path.touch(OWNER_ONLY)
    restrict(path)


def restrict(path: Path) -> None:
    """Remove all permissions of others from a path, unless another user owns it."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & GROUP_AND_OTHERS:
        with suppress(PermissionError):
            path.chmod(mode & ~GROUP_AND_OTHERS)


def files_open_to_others(folder: Path, reads: Path) -> list[Path]:
    """Return the files and folders of a service that other users may access.

    Args:
        folder: The data folder.
        reads: The folder of the read models.
    """
    found = [path for pattern in DATA_FILE_PATTERNS for path in sorted(folder.glob(pattern))]
    found += (reads, *sorted(reads.glob(READ_MODEL_FILE_PATTERN)))
    return [path for path in dict.fromkeys(found) if _is_open(path)]


def _is_open(path: Path) -> bool:
    try:
        return not path.is_symlink() and bool(path.stat().st_mode & GROUP_AND_OTHERS)
    except FileNotFoundError:  # SQLite removes files when it closes a database
        return False


def write_atomically(path: Path, content: bytes, mode: int = OWNER_ONLY) -> None:
    """Replace a file atomically: write a temporary file, sync, rename, sync the folder.

    After a crash or power cut the file has the old or the new content. `mode` is subject to the
    umask. Raises OSError, and leaves the old file in place, if the content cannot be written.
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
    """Create a private folder with its parents, unless it exists, and sync its name.

    Raises OSError.
    """
    missing = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in missing:
        with suppress(PermissionError):  # the parent belongs to another user
            fsync_path(each.parent)


def fsync_path(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk: otherwise a rename may be lost."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
