"""The journal of a gateway: a file with the messages that the service has not acknowledged."""

import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf.json_format import MessageToDict, ParseDict

from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_MESSAGES: Final = 10_000
"""The number of messages that may wait for an acknowledgement."""


class JournalFullError(Exception):
    """Raised when too many messages wait to be sent: the service must acknowledge some first."""


class Journal:
    """The messages without an acknowledgement, in a file if a path is given.

    Each line of the file is JSON: the start of an epoch, a message, or an acknowledgement.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Read the file, if it exists, and rewrite it with only the pending messages."""
        self.pending: dict[int, pb.ConnectRequest] = {}
        """The messages by their numbers, in order."""
        self.epoch = secrets.token_hex(8)
        self.last = 0
        """The number of the newest message of the epoch."""
        self._file = None
        if path is None:
            return
        if path.exists():
            for line in path.read_text().splitlines():
                self._read(line)
        fresh = path.with_suffix(".new")
        fresh.write_text("".join(f"{json.dumps(line)}\n" for line in self._lines()))
        fresh.replace(path)
        self._file = path.open("a")

    def add(self, message: pb.Tap | pb.StylusStatus) -> int:
        """Write a message to disk under the next number. Return that sequence number.

        Raises:
            JournalFullError: `MAX_MESSAGES` messages have no acknowledgement yet.
        """
        if len(self.pending) >= MAX_MESSAGES:
            raise JournalFullError(f"{len(self.pending)} messages wait to be sent")
        self.last += 1
        message.seq = self.last
        if isinstance(message, pb.Tap):
            self.pending[self.last] = pb.ConnectRequest(tap=message)
        else:
            self.pending[self.last] = pb.ConnectRequest(status=message)
        self._write({"message": MessageToDict(self.pending[self.last])})
        if self._file is not None:
            os.fsync(self._file.fileno())
        return self.last

    def acknowledge(self, highest: int) -> None:
        """Delete all messages up to this number. Later messages get higher numbers."""
        if highest > self.last or self.first_kept <= highest:
            self._forget(highest)
            self._write({"acknowledged": highest})

    def start_epoch(self) -> dict[int, int]:
        """Start a new epoch, in which the pending messages are numbered from 1.

        Returns:
            The new number of each pending message by its old number.
        """
        numbers = {seq: number for number, seq in enumerate(self.pending, 1)}
        for seq, kept in self.pending.items():
            message_of(kept).seq = numbers[seq]
        self.pending = dict(enumerate(self.pending.values(), 1))
        self.epoch, self.last = secrets.token_hex(8), len(self.pending)
        for line in self._lines():
            self._write(line)
        return numbers

    @property
    def first_kept(self) -> int:
        """Return the number of the oldest pending message; without one, of the next message."""
        return min(self.pending, default=self.last + 1)

    def close(self) -> None:
        """Close the file of the journal."""
        if self._file is not None:
            self._file.close()

    def _forget(self, highest: int) -> None:
        self.pending = {seq: kept for seq, kept in self.pending.items() if seq > highest}
        self.last = max(self.last, highest)

    def _lines(self) -> Iterator[dict[str, Any]]:
        yield {"epoch": self.epoch, "last": self.last}
        for kept in self.pending.values():
            yield {"message": MessageToDict(kept)}

    def _read(self, text: str) -> None:
        try:
            line = json.loads(text)
        except ValueError:
            return  # The power went while this line was written.
        if "epoch" in line:
            self.pending, self.epoch, self.last = {}, line["epoch"], line["last"]
        elif "acknowledged" in line:
            self._forget(line["acknowledged"])
        else:
            kept = ParseDict(line["message"], pb.ConnectRequest())
            seq = message_of(kept).seq
            self.pending[seq], self.last = kept, max(self.last, seq)

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(f"{json.dumps(line)}\n")
            self._file.flush()


def message_of(request: pb.ConnectRequest | pb.JournalEntry) -> Any:
    """Return the tap, the status or the other message of a request or a journal entry."""
    return getattr(request, request.WhichOneof("message") or "")
