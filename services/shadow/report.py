"""What a shadow found, in a file of the service's folder: one JSON object a line, for people."""

import os
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from services.shadow.comparing import Divergence, Step

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

    def __init__(self, folder: Path, module: str) -> None:
        self._path = folder / FILE
        self._module = module

    def note(self, step: Step, differences: tuple[Divergence, ...]) -> None:
        """Add differences. OSError if the disk does not take them."""
        now = datetime.now(UTC)
        lines = [
            msgspec.json.encode(Reported(now, self._module, each, step)) + b"\n"
            for each in differences
        ]
        with open(self._path, "ab", opener=_for_its_owner) as file:
            if file.tell() < MOST_BYTES:
                file.write(b"".join(lines))


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def read_report(folder: Path) -> Iterator[Reported]:
    """All that is in the file, the oldest first; nothing where there is none."""
    path = folder / FILE
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):  # the last may be half a line, after a crash
                yield msgspec.json.decode(line, type=Reported)


def newest(folder: Path, most: int) -> list[Reported]:
    """The last of it, the newest first."""
    return [*reversed(deque(read_report(folder), maxlen=most))]
