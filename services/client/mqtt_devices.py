"""What devices tell by MQTT, and how far each has been heard."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

MOST_ENTRIES: Final = 1000
"""Of a journal."""
LONGEST_SEAT: Final = 64
LONGEST_ARMED: Final = 1000

Number = Annotated[int, Meta(ge=1, lt=2**53)]
Moment = Annotated[int, Meta(ge=0, lt=2**53)]


class Birth(Struct, frozen=True):
    """DBIRTH: a device was switched on, or was asked who it is."""

    pin: Annotated[str, Meta(max_length=4)] = "0000"


class Entry(Struct, frozen=True):
    """What a device tells and counts: a tap, a scan or its battery."""

    seq: Number | None = None
    """Counts what it tells in a run, from 1."""
    code: Annotated[str, Meta(max_length=100)] = ""
    """What was tapped."""
    prompt: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    """That its user looked at; if it does not say, that which it was shown last."""
    side: Annotated[str, Meta(max_length=LONGEST_SEAT)] = ""
    """With Confirm: the seat whose button it was, as that of a chess clock."""
    armed: Annotated[str, Meta(max_length=LONGEST_ARMED)] = ""
    """With Confirm: the only action that it may take."""
    scan: dict[str, list[str]] | None = None
    """The signs on each space, for a board that senses its pieces."""
    whole: bool = True
    battery: Annotated[int, Meta(ge=0, le=100)] | None = None
    device_ms: Moment | None = None
    """When it was, by the device's own clock: milliseconds since 1970. Of a journal only."""

    @property
    def is_numbered(self) -> bool:
        """Does it count once?"""
        return bool(self.code) or self.scan is not None or self.battery is not None


class Told(Entry, frozen=True):
    """DDATA: what a device tells."""

    run: Annotated[str, Meta(max_length=40)] = ""
    """A random name for the time since it was switched on."""
    journal: Annotated[list[Entry], Meta(max_length=MOST_ENTRIES)] = []
    """What it kept while it had no line, the oldest first."""
    seat: list[str] = []
    """Codes of seats that it is to tap for."""
    waits: bool = False
    """With these codes: only once its board shows the position of their match."""
    report: int | None = None
    """The number of a command that it answers."""
    done: bool = False
    why: Annotated[str, Meta(max_length=160)] = ""

    @property
    def entries(self) -> Sequence[Entry]:
        """All in it that counts once, in order."""
        return (*self.journal, *((self,) if self.is_numbered else ()))

    @property
    def senseless(self) -> str:
        """Why it cannot be taken, for people; empty if it can."""
        if self.journal and self.is_numbered:
            return "what has a `journal` has all that counts in it"
        if any(not entry.is_numbered for entry in self.journal):
            return "each entry of a `journal` is tapped, scanned or charged"
        if any(entry.seq is None for entry in self.entries) or (self.entries and not self.run):
            return "what is tapped, scanned or charged has a `run` and a `seq`"
        if any(entry.code and entry.prompt is None for entry in self.journal):
            # The bridge knows what it said last, and not what a device without a line has heard.
            return "what was tapped without a line has the `prompt` that was shown"
        return ""


class Heard(Struct, frozen=True):
    """How far a device has been heard."""

    run: str = ""
    seq: int = 0
    epoch: str = ""
    number: int = 0
    """The number that its last message has in the journal, in this epoch."""


class Register:
    """What was heard of each device, in a file beside the journal, which is written first."""

    def __init__(self, path: Path | None, journal: tuple[str, int]) -> None:
        """`journal` is how far the journal has come: what it does not have was not heard."""
        self._path = path
        self._heard: dict[str, Heard] = {}
        if path is not None and path.exists():
            known = msgspec.json.decode(path.read_bytes(), type=dict[str, Heard])
            epoch, number = journal
            for device, heard in known.items():
                missed = heard.epoch == epoch and heard.number > number
                self._heard[device] = replace(heard, seq=heard.seq - 1) if missed else heard

    def due(self, device: str, run: str) -> int:
        """The number of the next message of a device in a run."""
        heard = self._heard.get(device, Heard())
        return heard.seq + 1 if heard.run == run else 1

    def note(self, device: str, heard: Heard) -> None:
        """This is about to be in the journal."""
        self._heard[device] = heard
        if self._path is not None:
            fresh = self._path.with_suffix(".new")
            fresh.write_bytes(msgspec.json.encode(self._heard))
            fresh.replace(self._path)
