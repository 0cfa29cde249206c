"""What devices tell by MQTT, and how far each has been heard."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

MOST_ENTRIES: Final = 1000
"""Of a journal."""
LONGEST_SEAT: Final = 64
LONGEST_ARMED: Final = 1000
MOST_DEVICES: Final = 1000
"""That are remembered: a table has 64 at once, but whoever may publish can make up names."""
MOST_STRETCHES: Final = 256

K = TypeVar("K")
V = TypeVar("V")

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


class Stretch(Struct, frozen=True, array_like=True):
    """Messages of a device that lie one after the other in the journal."""

    first: int
    """The number of the first of them in the journal."""
    seq: int
    """The number that the device gave it."""
    count: int = 1


class Heard(Struct, frozen=True):
    """How far a device has been heard."""

    run: str = ""
    seq: int = 0
    epoch: str = ""
    number: int = 0
    """The number that its last message has in the journal, in this epoch."""
    kept: tuple[Stretch, ...] = ()
    """What it told since it last had a line, and the last of what it told then: of these the
    service may say yet that they did nothing."""

    def then(self, run: str, seq: int, epoch: str, last: int, *, anew: bool) -> "Heard":
        """It told one thing more, after the `last` message in the journal. `anew`: over a line, and
        so that nothing before it is told of any more."""
        number = last + 1
        if anew or epoch != self.epoch:
            return Heard(run, seq, epoch, number, (Stretch(number, seq),))
        end = self.kept[-1] if self.kept else Stretch(0, 0)
        if (end.first + end.count, end.seq + end.count) == (number, seq):
            kept = (*self.kept[:-1], Stretch(end.first, end.seq, end.count + 1))
        else:
            kept = (*self.kept, Stretch(number, seq))[-MOST_STRETCHES:]
        return Heard(run, seq, epoch, number, kept)

    def until(self, last: int) -> "Heard":
        """Without what is after this number in the journal: it is not there."""
        if self.number <= last:
            return self
        end = self.kept[-1] if self.kept else Stretch(0, 0, 0)
        kept = (*self.kept[:-1], replace(end, count=end.count - 1)) if end.count > 1 else ()
        return replace(self, seq=self.seq - 1, kept=kept or self.kept[:-1])


class Latest(dict[K, V]):
    """So many of what came last."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def put(self, key: K, value: V) -> None:
        """Add this, as the last; what came first goes if there are too many."""
        self.pop(key, None)
        self[key] = value
        if len(self) > self._most:
            del self[next(iter(self))]


class Register:
    """What was heard of each device, in a file beside the journal, which is written first."""

    def __init__(self, path: Path | None, journal: tuple[str, int]) -> None:
        """`journal` is how far the journal has come: what it does not have was not heard."""
        self._path = path
        self._heard = Latest[str, Heard](MOST_DEVICES)
        self._epoch, last = journal
        if path is not None and path.exists():
            known = msgspec.json.decode(path.read_bytes(), type=dict[str, Heard])
            for device, heard in known.items():
                self._heard.put(device, heard.until(last) if heard.epoch == self._epoch else heard)

    def heard(self, device: str) -> Heard:
        """How far a device has been heard."""
        return self._heard.get(device, Heard())

    def due(self, device: str, run: str) -> int:
        """The number of the next message of a device in a run."""
        heard = self.heard(device)
        return heard.seq + 1 if heard.run == run else 1

    def numbered(self) -> Iterator[tuple[int, str, int]]:
        """What was kept in the journal's present epoch, in its order: its number there, its device,
        and the number that this gave it."""
        heard = [(device, each) for device, each in self._heard.items()]
        yield from sorted(
            (each.first + at, device, each.seq + at)
            for device, known in heard
            if known.epoch == self._epoch
            for each in known.kept
            for at in range(each.count)
        )

    def note(self, device: str, heard: Heard) -> None:
        """This is about to be in the journal."""
        self._heard.put(device, heard)
        if self._path is not None:
            fresh = self._path.with_suffix(".new")
            fresh.write_bytes(msgspec.json.encode(self._heard))
            fresh.replace(self._path)
