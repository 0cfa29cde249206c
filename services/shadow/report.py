"""What a shadow found, in a file of the service's folder: one JSON object a line, for people.

It may show what is hidden, and so a line is encrypted where the log is: its JSON as the log's
events are, in Base64.
"""

import os
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from services.shadow.comparing import Divergence, Step
from services.store.cipher_keys import NO_KEYS, CipherKeys

FILE: Final = "shadow.jsonl"
MOST_BYTES: Final = 16 << 20
"""The file grows no further: whoever has not looked by then has enough to look at."""


class Reported(Struct, frozen=True):
    """A difference, and where it was found."""

    at: datetime
    module: str
    difference: Divergence
    step: Step
    """All that is needed to look at it again. It may show what is hidden from players."""


class ShadowReport:
    """The file, as it is written."""

    def __init__(self, folder: Path, module: str, cipher: CipherKeys = NO_KEYS) -> None:
        self._path = folder / FILE
        self._module = module
        self._cipher = cipher

    def note(self, step: Step, differences: tuple[Divergence, ...]) -> None:
        """Add differences. OSError if the disk does not take them."""
        now = datetime.now(UTC)
        lines = [
            self._line(msgspec.json.encode(Reported(now, self._module, each, step)))
            for each in differences
        ]
        with open(self._path, "ab", opener=_for_its_owner) as file:
            if file.tell() < MOST_BYTES:
                file.write(b"".join(lines))

    def _line(self, said: bytes) -> bytes:
        return (b64encode(self._cipher.encrypt(said)) if self._cipher.encrypts else said) + b"\n"


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def read_report(folder: Path, cipher: CipherKeys = NO_KEYS) -> Iterator[Reported | None]:
    """All that is in the file, the oldest first; nothing where there is none. None for a line that
    was changed, or is encrypted under a key that is not at hand."""
    path = folder / FILE
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):  # the last may be half a line, after a crash
                yield _reported(line, cipher)


def _reported(line: bytes, cipher: CipherKeys) -> Reported | None:
    try:
        said = line if line.startswith(b"{") else cipher.decrypt(b64decode(line))
        return msgspec.json.decode(said, type=Reported)
    except (ValueError, msgspec.DecodeError):
        return None


def newest(folder: Path, most: int, cipher: CipherKeys = NO_KEYS) -> list[Reported]:
    """The last of it that can be read, the newest first."""
    readable = filter(None, read_report(folder, cipher))
    return [*reversed(deque(readable, maxlen=most))]
