"""A table as it stands."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.stylus.tap_machine import Selection
from domain.table.match_card import CardOrder

MAX_RECORDED_MESSAGES: Final = 256
"""Messages of a run that can be answered again as they were answered first: the latest ones."""
MAX_CLOSED_EPOCHS: Final = 8
"""Earlier runs of a gateway whose late messages are known as such."""
SELECTION_TIMEOUT: Final = timedelta(seconds=60)
"""How long what was selected outlives the loss of its stylus."""
MAX_WRONG_PINS: Final = 5
PIN_GUESS_WINDOW: Final = timedelta(days=1)
"""So many wrong PINs of a stylus at one gateway within so long lock it for that gateway."""
RATE_LIMIT_WINDOW: Final = timedelta(minutes=10)
"""How long other wrong PINs count, and pairings."""
MIN_LOCKOUT: Final = timedelta(seconds=60)
MAX_LOCKOUT: Final = timedelta(hours=1)
"""The first pause of who tried too many, and the longest: each is twice the one before."""
MAX_UNPAIRED_STYLUSES: Final = 256
"""Styluses of a table of which it knows only that somebody guessed at their PINs: the latest."""
MAX_REMEMBERED_REQUESTS: Final = 256
"""Requests of clients that are remembered."""
MAX_SKIPPED_ENTRIES: Final = 64
"""Taps of a stylus that were made offline and did nothing, of which it is told. Where there are
more, the oldest that are no Confirm go first, since each Confirm stands for an action."""
MAX_TAPS_PER_ACTION: Final = 64
"""Taps of one action that it names, at most: the last ones."""


class ClosedRun(Struct, frozen=True, array_like=True):
    """An earlier run of a gateway."""

    epoch: str
    highest: int
    """The number of its last message."""
    recorded: tuple[int, ...] = ()
    """As in `Gateway`."""


class Gateway(Struct, frozen=True):
    """A gateway of the table."""

    name: str
    key: str
    """The digest of its key."""
    epoch: str = ""
    highest: int = 0
    """The number of its last message that is recorded."""
    recorded: tuple[int, ...] = ()
    """The versions of its latest messages of this epoch, the last one last: what came of them can
    be told again."""
    closed: tuple[ClosedRun, ...] = ()
    """Its latest earlier runs, the last one last."""
    codes: dict[str, str] = {}
    """Its own tap map, in place of the table's."""
    map_version: int = 0
    """The version of the event that gave it; 0 if it has none."""
    revoked: bool = False
    """It may not connect any more."""
    pairings: tuple[datetime, ...] = ()
    """When it paired styluses lately that nobody had named."""
    wrong: tuple[datetime, ...] = ()
    """When it tried wrong PINs lately, of whatever styluses."""
    certificate: str = ""
    """The SHA-256 of the certificate that it may show in place of its key."""
    is_certificate_required: bool = False
    """Whether its key opens nothing without that certificate."""
    locale: str = ""
    """The language in which its users read, as it said last: BCP 47, or empty."""

    def run(self, epoch: str) -> "Gateway | ClosedRun | None":
        """The present run, or an earlier one that is remembered."""
        if epoch == self.epoch:
            return self
        return next((run for run in self.closed if run.epoch == epoch), None)


class SkippedEntry(Struct, frozen=True, omit_defaults=True):
    """A tap that was made offline, and did nothing."""

    seq: int
    device_ms: int
    target: str
    rule: str
    why: str


class WrongPin(Struct, frozen=True, array_like=True):
    """A wrong PIN of a stylus."""

    at: datetime
    gateway: str
    """Where it was tried."""


class Stylus(Struct, frozen=True):
    """A stylus that was paired with a gateway of the table, or with which that was tried."""

    gateway: str = ""
    """The gateway that it is paired with; empty for none."""
    lost: datetime | None = None
    """Since when it is not heard."""
    name: str = ""
    pin: str = ""
    """Keyed digest; empty for the factory's PIN."""
    battery: int | None = None
    """Percent, as it told last."""
    wrong: tuple[WrongPin, ...] = ()
    """The wrong PINs that were tried lately."""
    seats: dict[str, str] = {}
    """As in `StylusSeated`."""
    shared: bool = False
    grants: dict[str, str] = {}
    """As in `StylusSeated`."""
    ended: tuple[str, ...] = ()
    """The seats that it has lost since it was seated."""
    hand: Selection = Selection()
    order: CardOrder | None = None
    """What Confirm would ask of the match itself."""
    taps: tuple[int, ...] = ()
    """The versions of the taps since its last action."""
    era: int = 0
    """The prompt that it shows: the version of the match when others changed it last."""
    seen: int = 0
    """The version of the match after its own last tap."""
    left: tuple[SkippedEntry, ...] = ()
    """What was tapped offline and did nothing, since it tapped something online."""


class Request(Struct, frozen=True, array_like=True):
    """A request of a client that was done."""

    digest: str
    """Of what was asked for."""
    done: bool
    """False for a PIN that was wrong."""
    version: int
    """Of its last event: the requests that were done longest ago are forgotten first."""


class Table(Struct, frozen=True):
    """A table as it stands."""

    id: UUID
    name: str
    version: int
    digest: str
    owner: str = ""
    """The digest of its owner's key; empty if only the admin looks after it."""
    closed: bool = False
    gateways: dict[str, Gateway] = {}
    styluses: dict[str, Stylus] = {}
    match: UUID | None = None
    moving: int = 0
    moved: int = 0
    """From which version of the match to which its own styluses alone moved it, lately."""
    codes: dict[str, str] = {}
    """The table's own tap map."""
    map_version: int = 0
    """The version of the event that gave it; 0 for the default map alone."""
    requests: dict[str, Request] = {}
    """The latest requests, by their ids: repeating one records nothing."""

    def codes_of(self, gateway: str) -> dict[str, str]:
        """The tap map for what this gateway sends: its own, or the table's."""
        own = self.gateways.get(gateway)
        return own.codes if own is not None and own.map_version else self.codes

    def stylus(self, name: str) -> Stylus:
        """A stylus; one that nobody knows yet is as it left the factory."""
        return self.styluses.get(name, Stylus())
