"""What happens at a table. Stored for ever, so the names and fields are the storage format.

A field that is added later has a default, which stands for what was so before; any other change is
a new event beside the old one.
"""

from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.kernel.rulings import Figures
from domain.stylus.tap_machine import Selection
from domain.table.match_card import CardOrder

MAX_CODE_LENGTH: Final = 100
"""Characters of a code that are recorded; no code on a table has more."""
MAX_STYLUS_ID_LENGTH: Final = 64
"""Characters of a stylus's hardware id."""

TapOutcome = Literal[
    "done",
    "acted",
    "refused",
    "stale",
    "unknown-code",
    "unknown-stylus",
    "no-match",
]
"""What came of a tap: it moved the hand or the view, it completed an action, it meant nothing or
was refused, it belonged to a prompt that is gone, its code is on no tap map, its stylus is not
paired here, or no match is played."""
SeatEndReason = Literal["claimed", "withdrawn"]
"""Why a stylus lost a seat: its token ended, as when somebody else claimed the seat, or who sits
there has withdrawn the right to tap."""
StylusStatus = Literal["lost", "heard", "off", "on", "reset", "battery"]
"""What a gateway notices of a stylus beside taps."""


class TableEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """What every event of a table has."""

    table: UUID
    version: int
    """Counted from 1 at each table."""
    at: datetime
    request: str = ""
    """The client's id of the request, a space, and a digest of what was asked for; empty for what
    a gateway sent."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits, so that nobody finds out what the event says by trying
    which content has its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """The table: the name under which the event store knows it."""
        return self.table


class TableOpened(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.TableOpened"
):
    """There is a table."""

    name: str
    owner: str = ""
    """The digest of its owner's key; empty for a table that only the admin looks after."""


class GatewayRegistered(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayRegistered"
):
    """A gateway belongs to the table, and may connect with its key."""

    gateway: str
    name: str
    key: str
    """The digest of its key."""


class GatewayKeyChanged(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayKeyChanged"
):
    """A gateway has another key: the one before it opens nothing any more."""

    gateway: str
    key: str
    """As in `GatewayRegistered`."""


class GatewayRevoked(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayRevoked"
):
    """A gateway may not connect any more. Its styluses are free, and keep their names and PINs."""

    gateway: str


class GatewayCertified(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayCertified"
):
    """A gateway may show this certificate in place of its key."""

    gateway: str
    certificate: str = ""
    """Its SHA-256, in hexadecimal; empty if it has none any more."""
    required: bool = False
    """Its key alone opens nothing any more."""


class EpochBegan(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.EpochBegan"):
    """A gateway runs anew: its messages are counted from 1 again. The run before it is closed."""

    gateway: str
    epoch: str
    software: str = ""


class LocaleChanged(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.LocaleSaid"
):
    """A gateway says in what language its users read, which it may change in a run."""

    gateway: str
    locale: str
    """As in BCP 47; empty if it does not say it any more."""


class MessagesLost(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.MessagesLost"
):
    """A gateway does not have these messages any more: it goes on after them."""

    gateway: str
    epoch: str
    first: int
    last: int


class StylusPaired(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusPaired"
):
    """A stylus knows its gateway, and the other way round."""

    gateway: str
    stylus: str
    name: str = ""
    pin: str = ""
    """As in `StylusNamed`, for a stylus that brings them from another table."""
    unseated: bool = False
    """It came from another gateway by the factory's PIN, which proves nothing: its seats stay
    behind."""


class StylusLeft(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusLeft"):
    """A stylus was paired at another table: it acts here no more, and took its name and PIN with
    it."""

    stylus: str


class StylusReleased(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusReleased"
):
    """A stylus belongs to no gateway of the table any more, and is as it left the factory."""

    stylus: str


class PinRefused(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.PinRefused"):
    """Somebody tried to pair a stylus with a wrong PIN."""

    gateway: str
    stylus: str


class StylusUnlocked(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusUnlocked"
):
    """The owner of the table lets a stylus be paired at once, however many wrong PINs were tried:
    those of this stylus are forgotten, and those of the table's gateways."""

    stylus: str


class StylusNamed(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusNamed"
):
    """A stylus has a name and a PIN of its own."""

    stylus: str
    name: str
    pin: str
    """Keyed digest; the PIN itself is nowhere."""


class MatchPlaced(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.MatchPlaced"
):
    """This match is played on the table from now on. No stylus has a seat in it yet."""

    match: UUID


class SeatsEnded(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.SeatsEnded"):
    """A stylus acts for these seats no more."""

    stylus: str
    seats: tuple[str, ...]
    why: SeatEndReason


class StylusSeated(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusSeated"
):
    """A stylus acts for these seats of the match; for none, it only looks."""

    stylus: str
    seats: dict[str, str] = {}
    """The digest of the token that gave the right, by seat: it ends when the token does."""
    shared: bool = False
    """It is handed around: it acts for whoever is asked, and enters what chance showed."""
    grants: dict[str, str] = {}
    """The seats for which it may tap, and see no more than anybody: the grant's id, by seat."""
    shown: bool = False
    """True only in events of earlier versions, which seated a stylus by what a board sensed."""


class TapMapChanged(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.TapMapChanged"
):
    """Which printed code is which target, beside what every table knows. Its number is this
    event's version."""

    codes: dict[str, str]
    gateway: str = ""
    """Whose taps it is for; empty for all gateways of the table that have no map of their own."""


class TableClosed(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.TableClosed"
):
    """The table is given up: no gateway may connect, and its styluses are free."""


class _Message(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table._Message"):
    """Something that a gateway sent."""

    gateway: str
    epoch: str
    seq: int
    device_ms: int = 0
    """Milliseconds since 1970 by the device's own clock, which is believed in nothing."""
    stylus: str = ""


class TapTaken(_Message, frozen=True, kw_only=True, omit_defaults=True, tag="table.TapTaken"):
    """A stylus tapped something, or a button was pressed."""

    code: str
    """As it was read."""
    target: str = ""
    """What the tap map made of it."""
    outcome: TapOutcome
    rule: str = ""
    """The rule that refused it."""
    why: str = ""
    """In a player's words."""
    figures: Figures = {}
    """What went into that."""
    match: UUID | None = None
    match_version: int = 0
    """The match's version before the tap."""
    after: int = 0
    """The match's version after it, as far as the stylus knows it."""
    prompt: int = 0
    """The prompt that its user looked at."""
    era: int = 0
    """The stylus's prompt from now on."""
    hand: Selection = Selection()
    """What is selected after it."""
    order: CardOrder | None = None
    """What is armed after it of the match card."""
    discreet: bool = False
    """By a grant: its stylus is shown no more than anybody."""
    offline: bool = False
    """It was made while the line was down."""
    astray: bool = False
    """True only in events of earlier versions: a Confirm of a board that sensed its pieces."""


class StylusStatusReported(
    _Message, frozen=True, kw_only=True, omit_defaults=True, tag="table.SignNoticed"
):
    """A stylus was lost or heard again, switched, reset; or told how full its battery is."""

    sign: StylusStatus
    percent: int = 0
    stray: bool = False
    """The stylus is not paired with this gateway: the sign changes nothing."""


# --- events that only earlier versions wrote ------------------------------------------------------
#
# They supported boards that sense their pieces. Nothing writes these events now. They still decode,
# keep their bytes and fold: a scan and a correction leave a selection as a tap does.


class Offer(Struct, frozen=True, omit_defaults=True):
    """A match whose position a board showed, in a `ScanTaken`."""

    match: str
    game: str
    title: str = ""
    seats: tuple[str, ...] = ()


class ScanTaken(TapTaken, frozen=True, kw_only=True, omit_defaults=True, tag="table.ScanTaken"):
    """What a board sensed on its spaces. Written by earlier versions only; it folds as a tap."""

    spaces: dict[str, tuple[str, ...]] = {}
    whole: bool = False
    agrees: bool = False
    offered: tuple[Offer, ...] = ()


class BoardCorrected(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.BoardCorrected"
):
    """What a person said stands on a board. Written by earlier versions only; it leaves the `hand`
    of its stylus as a tap does, and is no message of a gateway."""

    gateway: str
    stylus: str
    by: str
    spaces: dict[str, tuple[str, ...]]
    why: str = ""
    match: UUID | None = None
    match_version: int = 0
    era: int = 0
    hand: Selection = Selection()
    agrees: bool = False


class MatchAwaited(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.MatchAwaited"
):
    """A match for which a board was to be seated later. Written by earlier versions only; it
    changes nothing."""

    stylus: str
    match: UUID
    seats: dict[str, str] = {}
    shared: bool = False
    grants: dict[str, str] = {}


class WaitEnded(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.WaitEnded"):
    """The end of a `MatchAwaited`. Written by earlier versions only; it changes nothing."""

    stylus: str
    match: UUID
    seats: tuple[str, ...] = ()
    why: Literal["claimed", "withdrawn", "over", "dropped"]


Event = (
    TableOpened
    | GatewayRegistered
    | GatewayKeyChanged
    | GatewayRevoked
    | EpochBegan
    | LocaleChanged
    | MessagesLost
    | StylusPaired
    | StylusLeft
    | StylusReleased
    | PinRefused
    | StylusUnlocked
    | StylusNamed
    | MatchPlaced
    | StylusSeated
    | SeatsEnded
    | GatewayCertified
    | TapMapChanged
    | TableClosed
    | TapTaken
    | StylusStatusReported
    | ScanTaken
    | BoardCorrected
    | MatchAwaited
    | WaitEnded
)
