"""Files that are put in place whole, so that who reads one finds the old content or the new one."""

import os
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600
"""The mode of a file that nobody but its owner may read."""


def put(path: Path, content: bytes, mode: int = 0o666) -> None:
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
    sync(path.parent)


def make_folder(path: Path) -> None:
    """Make a folder that nobody but its owner may use, unless it is there, and sync its name. Its
    parents are made too. Raises OSError."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in missing:
        with suppress(PermissionError):  # in a folder of others, which it may only pass through
            sync(each.parent)


def sync(path: Path) -> None:
    """Have a file on disk, or the names in a folder: without it a power cut may undo a rename."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
