"""What a gateway and a service said to each other.

A recording is a file of JSON lines, in the order of time: what the gateway sent, and what reached
it. It has no key in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message
from msgspec import Struct
from msgspec.structs import replace

from services.wire.emeth.v1 import gateways_pb2 as pb

MESSAGES: Final[Mapping[str, type[Message]]] = {
    "sent": pb.ConnectRequest,
    "told": pb.ConnectResponse,
}
NUMBERED: Final = ("tap", "sign", "scan")
"""The messages that have numbers."""
LATER: Final = "later"
"""The kind of an answer that only a later version of the protocol knows."""

What = Literal["opened", "sent", "told", "cut", "ended"]


class Entry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that happened on a line between a gateway and the service."""

    at_ms: int
    """Since the recording began."""
    line: int
    """Connections, counted from 1."""
    what: What
    """The gateway `opened` the line, `sent` something, was `told` something or `ended` the line;
    or the line was `cut`, by the service or on the way."""
    kind: str = ""
    """As in `ConnectRequest` and `ConnectResponse`: `tap`, `prompt`."""
    message: dict[str, Any] = {}
    """The message, as JSON has it."""

    @property
    def seq(self) -> int:
        """The number of a message that has one."""
        return int(self.message.get("seq", 0)) if self.kind in NUMBERED else 0


def as_json(message: Message) -> dict[str, Any]:
    """A message of the API as a recording has it."""
    return MessageToDict(message, preserving_proto_field_name=True)


def read(path: Path) -> list[Entry]:
    """A recording from its file. ValueError tells which line is none."""
    entries = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            entries.append(_checked(msgspec.json.decode(line, type=Entry)))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ParseError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
    if not entries:
        raise ValueError(f"{path} is empty")
    return entries


def _checked(entry: Entry) -> Entry:
    """An entry whose message is one of the API: its numbers are numbers. ParseError if not."""
    if (kind := MESSAGES.get(entry.what)) is not None:
        ParseDict({entry.kind: entry.message}, kind(), ignore_unknown_fields=True)
    return entry


def write(path: Path, entries: Iterable[Entry]) -> None:
    """A recording to a file."""
    path.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in entries))


def unrolled(entry: Entry) -> Iterator[Entry]:
    """What happened, the entries of a journal as if each came alone."""
    if entry.kind != "journal":
        yield entry
        return
    for each in entry.message.get("entries", ()):
        for kind, message in each.items():
            yield replace(entry, kind=kind, message=message)


class Recording:
    """A recording, read as the rules ask for it."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.whole = entries
        """With journals as they were sent."""
        self.entries = entries = [each for entry in entries for each in unrolled(entry)]
        self.end = entries[-1].at_ms if entries else 0
        self.lines: dict[int, list[Entry]] = defaultdict(list)
        for each in entries:
            self.lines[each.line].append(each)

    @cached_property
    def epochs(self) -> Mapping[int, str]:
        """The epoch of each line that began with a hello."""
        return {
            line: str(each.message.get("epoch", ""))
            for line, entries in self.lines.items()
            for each in entries
            if each.kind == "hello"
        }

    @cached_property
    def sent(self) -> Mapping[str, list[Entry]]:
        """By epoch, the numbered messages in the order in which they were sent."""
        found: dict[str, list[Entry]] = defaultdict(list)
        for each in self.entries:
            if each.what == "sent" and each.kind in NUMBERED:
                found[self.epochs.get(each.line, "")].append(each)
        return found

    @cached_property
    def acknowledged(self) -> Mapping[str, list[tuple[int, int]]]:
        """By epoch, when the gateway was told up to which number all is done."""
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for each in self.entries:
            if each.what != "told" or each.message.get("closed", False):
                continue  # what is done of a closed epoch, nobody asks any more
            highest = each.message.get("acknowledged" if each.kind == "prompt" else "highest")
            if highest is not None:
                found[self.epochs.get(each.line, "")].append((each.at_ms, int(highest)))
        return found

    def done_by(self, epoch: str, at_ms: int) -> int:
        """Up to which number the gateway knew by then that all is done."""
        return max((n for at, n in self.acknowledged.get(epoch, ()) if at <= at_ms), default=0)

    def done_at(self, epoch: str, seq: int) -> int | None:
        """When the gateway was told that this message is done."""
        return next((at for at, n in self.acknowledged.get(epoch, ()) if n >= seq), None)

    def told(self, kind: str) -> list[Entry]:
        """What the gateway was told of a kind."""
        return [each for each in self.entries if each.what == "told" and each.kind == kind]

    def closing(self, line: int) -> Entry | None:
        """How a line ended, if it did."""
        return next((each for each in self.lines[line] if each.what in ("cut", "ended")), None)

    def open_until(self, line: int) -> int:
        """When a line ended, or the recording."""
        closing = self.closing(line)
        return closing.at_ms if closing else self.end

    def is_closed(self, line: int) -> bool:
        """Was the gateway told on this line that its epoch is closed?"""
        return any(
            each.kind == "welcome" and each.message.get("closed", False)
            for each in self.lines[line]
        )

    def kept(self, epoch: str, at_ms: int) -> list[Entry]:
        """What had been sent by then, each number once, and was not done as far as the gateway
        knew."""
        done = self.done_by(epoch, at_ms)
        found = {e.seq: e for e in self.sent.get(epoch, ()) if e.at_ms <= at_ms and e.seq > done}
        return [found[seq] for seq in sorted(found)]
