"""The state of a table, its gateways and its styluses."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.stylus.tap_machine import Selection
from domain.table.match_card import CardOrder

MAX_RECORDED_MESSAGES: Final = 256
"""How many recent messages of an epoch can be answered again with their first response."""
MAX_CLOSED_EPOCHS: Final = 8
"""How many closed epochs of a gateway are remembered to recognize late messages."""
SELECTION_TIMEOUT: Final = timedelta(seconds=60)
"""How long the selection of a stylus is kept after its connection was lost."""
MAX_WRONG_PINS: Final = 5
PIN_GUESS_WINDOW: Final = timedelta(days=1)
"""The period within which `MAX_WRONG_PINS` wrong PINs of a stylus at one gateway lock it there."""
RATE_LIMIT_WINDOW: Final = timedelta(minutes=10)
"""The period within which pairings and other wrong PINs count for rate limits."""
MIN_LOCKOUT: Final = timedelta(seconds=60)
MAX_LOCKOUT: Final = timedelta(hours=1)
"""The first lockout after too many attempts, and the longest. Each lockout is twice the previous
one."""
MAX_UNPAIRED_STYLUSES: Final = 256
"""How many styluses that only had wrong PINs entered are remembered: the most recent ones."""
MAX_REMEMBERED_REQUESTS: Final = 256
"""How many requests of clients are remembered."""
MAX_SKIPPED_ENTRIES: Final = 64
"""How many skipped offline taps of a stylus are remembered. Beyond that, the oldest is dropped;
Confirms are dropped last, since each stands for an action."""
MAX_TAPS_PER_ACTION: Final = 64
"""How many taps an action names: the last ones."""


class ClosedRun(Struct, frozen=True, array_like=True):
    """A closed epoch of a gateway."""

    epoch: str
    highest: int
    """The number of the epoch's last message."""
    recorded: tuple[int, ...] = ()
    """Versions of the recent messages of this epoch, oldest first."""


class Gateway(Struct, frozen=True):
    """A gateway of the table."""

    name: str
    key: str
    """The digest of the gateway's key."""
    epoch: str = ""
    highest: int = 0
    """The number of the last recorded message."""
    recorded: tuple[int, ...] = ()
    """Versions of the recent messages of this epoch, oldest first. They allow to repeat a
    response."""
    closed: tuple[ClosedRun, ...] = ()
    """The latest closed epochs, oldest first."""
    codes: dict[str, str] = {}
    """The gateway's own tap map, which replaces the table's."""
    map_version: int = 0
    """The version of the event that set the map; 0 if the gateway has none."""
    revoked: bool = False
    """Whether the gateway was deleted. It can no longer connect."""
    pairings: tuple[datetime, ...] = ()
    """Times of recent pairings of styluses without a PIN of their own."""
    wrong: tuple[datetime, ...] = ()
    """Times of recent wrong PINs of any stylus."""
    certificate: str = ""
    """The SHA-256 of the client certificate that the gateway may use in place of its key."""
    is_certificate_required: bool = False
    """Whether the key alone does not suffice to connect."""
    locale: str = ""
    """The language of the gateway's users: a BCP 47 tag, or empty."""

    def run(self, epoch: str) -> "Gateway | ClosedRun | None":
        """Return the current epoch or a remembered closed one; None for any other."""
        if epoch == self.epoch:
            return self
        return next((run for run in self.closed if run.epoch == epoch), None)


class SkippedEntry(Struct, frozen=True, omit_defaults=True):
    """An offline tap that had no effect."""

    seq: int
    device_ms: int
    target: str
    rule: str
    why: str


class WrongPin(Struct, frozen=True, array_like=True):
    """A wrong PIN of a stylus."""

    at: datetime
    gateway: str
    """The gateway where the PIN was entered."""


class Stylus(Struct, frozen=True):
    """A stylus that is paired with a gateway of the table, or that somebody tried to pair."""

    gateway: str = ""
    """The gateway that the stylus is paired with; empty for none."""
    lost: datetime | None = None
    """When the gateway lost the connection to the stylus; None if it is connected."""
    name: str = ""
    pin: str = ""
    """The keyed digest of the PIN; empty for the factory PIN."""
    battery: int | None = None
    """The battery level in percent, as last reported."""
    wrong: tuple[WrongPin, ...] = ()
    """The recent wrong PINs of this stylus."""
    seats: dict[str, str] = {}
    """The digest of the seat token that gave the right to act, by seat."""
    shared: bool = False
    grants: dict[str, str] = {}
    """The tap grants of the stylus, by seat."""
    ended: tuple[str, ...] = ()
    """The seats that the stylus lost since it was seated."""
    hand: Selection = Selection()
    order: CardOrder | None = None
    """The order of the match card that Confirm would execute."""
    taps: tuple[int, ...] = ()
    """The versions of the taps since the stylus's last action."""
    era: int = 0
    """The number of the current prompt: the version of the match when others last changed it."""
    seen: int = 0
    """The version of the match after the stylus's own last tap."""
    left: tuple[SkippedEntry, ...] = ()
    """The offline taps without effect since the last online tap."""


class Request(Struct, frozen=True, array_like=True):
    """A processed request of a client."""

    digest: str
    """The digest of the request's content."""
    done: bool
    """False if the PIN was wrong."""
    version: int
    """The version of the request's last event. The request with the lowest version is forgotten
    first."""


class Table(Struct, frozen=True):
    """The current state of a table."""

    id: UUID
    name: str
    version: int
    digest: str
    owner: str = ""
    """The digest of the owner's key; empty if only the administrator manages the table."""
    closed: bool = False
    gateways: dict[str, Gateway] = {}
    styluses: dict[str, Stylus] = {}
    match: UUID | None = None
    moving: int = 0
    moved: int = 0
    """The versions of the match between which only styluses of this table moved it: from `moving`
    to `moved`."""
    codes: dict[str, str] = {}
    """The table's own tap map."""
    map_version: int = 0
    """The version of the event that set the map; 0 if there is only the default map."""
    requests: dict[str, Request] = {}
    """The recent requests by ID. A repeated request records nothing."""

    def codes_of(self, gateway: str) -> dict[str, str]:
        """Return the tap map for a gateway: its own, or the table's."""
        own = self.gateways.get(gateway)
        return own.codes if own is not None and own.map_version else self.codes

    def stylus(self, name: str) -> Stylus:
        """Return a stylus by its hardware ID. An unknown stylus has its factory settings."""
        return self.styluses.get(name, Stylus())
