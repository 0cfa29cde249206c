"""A gateway's journal: what its devices told and the service has not acknowledged, in a file."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

MOST_KEPT: Final = 10_000
"""Messages that wait for an acknowledgement, at most."""


class JournalFullError(Exception):
    """Too many taps wait to be sent: no more can be taken until the line is back."""


class Journal:
    """The messages that are not acknowledged yet, in a file if there is one."""

    def __init__(self, path: Path | None = None) -> None:
        self.kept: dict[int, dict[str, Any]] = {}
        self.epoch = secrets.token_hex(8)
        self.last = 0
        """The number of the newest message."""
        self._file = None
        if path is None:
            return
        if path.exists():
            self._load(path)
        # Rewritten on opening, so that it does not grow for ever.
        fresh = path.with_suffix(".new")
        fresh.write_text("".join(f"{json.dumps(line)}\n" for line in self._lines()))
        fresh.replace(path)
        self._file = path.open("a")

    def add(self, **message: Any) -> int:
        """Keep a message; its number. JournalFullError if there are too many."""
        if len(self.kept) >= MOST_KEPT:
            raise JournalFullError(f"{len(self.kept)} taps wait to be sent")
        self.last += 1
        self.kept[self.last] = {"seq": self.last, **message}
        self._write(self.kept[self.last])
        return self.last

    def acknowledge(self, highest: int) -> None:
        """Forget all messages up to this one."""
        done = [seq for seq in self.kept if seq <= highest]
        for seq in done:
            del self.kept[seq]
        if done:
            self.last = max(self.last, highest)
            self._write({"acknowledged": highest})

    def renew(self) -> dict[int, int]:
        """Begin a new epoch with what is kept; the new number of each message by its old one."""
        numbers = {seq: number for number, seq in enumerate(self.kept, 1)}
        self.kept = {
            numbers[seq]: {**message, "seq": numbers[seq]} for seq, message in self.kept.items()
        }
        self.epoch, self.last = secrets.token_hex(8), len(self.kept)
        for line in self._lines():
            self._write(line)
        return numbers

    @property
    def first_kept(self) -> int:
        """The number of the oldest message that is kept, or of the next one."""
        return min(self.kept, default=self.last + 1)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()

    def _lines(self) -> Iterator[dict[str, Any]]:
        yield {"epoch": self.epoch, "last": self.last}
        yield from self.kept.values()

    def _load(self, path: Path) -> None:
        for text in path.read_text().splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue  # the end of a line that was cut off when the power went
            if "epoch" in line:
                self.kept, self.epoch, self.last = {}, line["epoch"], line["last"]
            elif "acknowledged" in line:
                self.last = max(self.last, line["acknowledged"])
                self.kept = {seq: m for seq, m in self.kept.items() if seq > line["acknowledged"]}
            else:
                self.kept[line["seq"]] = line
                self.last = max(self.last, line["seq"])

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(f"{json.dumps(line)}\n")
            self._file.flush()
