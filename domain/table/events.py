"""Events of a table. They are stored, so their tags and fields are the storage format.

A field added later needs a default that says what earlier events meant. Any other change is a new
event; the old one stays.
"""

from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.kernel.rulings import Figures
from domain.stylus.tap_machine import Selection
from domain.table.match_card import CardOrder

MAX_CODE_LENGTH: Final = 100
"""The maximum length of a recorded code, in characters. Printed codes are shorter."""
MAX_STYLUS_ID_LENGTH: Final = 64
"""The maximum length of a stylus's hardware ID, in characters."""

TapOutcome = Literal[
    "done",
    "acted",
    "refused",
    "stale",
    "unknown-code",
    "unknown-stylus",
    "no-match",
]
"""The outcome of a tap.

`done`: it changed the selection or the view. `acted`: it completed an action. `refused`: it meant
nothing, or a rule refused it. `stale`: its prompt is outdated. `unknown-code`: no tap map has its
code. `unknown-stylus`: the stylus is not paired with the gateway. `no-match`: no match is on the
table.
"""
SeatEndReason = Literal["claimed", "withdrawn"]
"""The reason why a stylus lost a seat. `claimed`: the seat's token ended, for example because
another player claimed the seat. `withdrawn`: the seat's player withdrew the right to tap."""
StylusStatus = Literal["lost", "heard", "off", "on", "reset", "battery"]
"""A status of a stylus that its gateway reports."""


class TableEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """The fields shared by all events of a table."""

    table: UUID
    version: int
    """The event's number in the table's stream, counted from 1."""
    at: datetime
    request: str = ""
    """The client's request ID, a space, and a digest of the request's content; empty for messages
    of gateways."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits. They keep anybody from guessing the content of an
    event from its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """Return the table's ID, which is the originator ID in the event store."""
        return self.table


class TableOpened(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.TableOpened"
):
    """A table was created."""

    name: str
    owner: str = ""
    """The digest of the owner's key; empty for a table that only the administrator manages."""


class GatewayRegistered(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayRegistered"
):
    """A gateway was added to the table and may connect with its key."""

    gateway: str
    name: str
    key: str
    """The digest of the gateway's key."""


class GatewayKeyChanged(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayKeyChanged"
):
    """A gateway was given a new key. The previous key stopped working."""

    gateway: str
    key: str
    """The digest of the gateway's key."""


class GatewayRevoked(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayRevoked"
):
    """A gateway was deleted. Its styluses are unpaired and keep their names and PINs."""

    gateway: str


class GatewayCertified(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.GatewayCertified"
):
    """The client certificate of a gateway was set or removed. It replaces the key."""

    gateway: str
    certificate: str = ""
    """The SHA-256 of the certificate, in hexadecimal; empty if it was removed."""
    required: bool = False
    """Whether the key alone no longer suffices to connect."""


class EpochBegan(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.EpochBegan"):
    """A gateway started a new epoch, in which it numbers its messages from 1 again."""

    gateway: str
    epoch: str
    software: str = ""


class LocaleChanged(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.LocaleSaid"
):
    """The language of a gateway's users was changed."""

    gateway: str
    locale: str
    """A BCP 47 tag; empty if the gateway no longer reports one."""


class MessagesLost(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.MessagesLost"
):
    """A gateway reported that it lost these messages. It continues after them."""

    gateway: str
    epoch: str
    first: int
    last: int


class StylusPaired(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusPaired"
):
    """A stylus was paired with a gateway."""

    gateway: str
    stylus: str
    name: str = ""
    pin: str = ""
    """The keyed digest of the PIN, for a stylus that brings name and PIN from another table."""
    unseated: bool = False
    """Whether the stylus lost its seats. It does if it changed gateways with the factory PIN, which
    proves nothing."""


class StylusLeft(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusLeft"):
    """A stylus was paired at another table. It left, and its name and PIN moved along."""

    stylus: str


class StylusReleased(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusReleased"
):
    """A stylus was unpaired, and its name and PIN were reset to those of the factory."""

    stylus: str


class PinRefused(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.PinRefused"):
    """A wrong PIN was entered to pair or release a stylus."""

    gateway: str
    stylus: str


class StylusUnlocked(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusUnlocked"
):
    """The lockout of a stylus was removed.

    Its wrong PINs are forgotten, as are those of all gateways of the table.
    """

    stylus: str


class StylusNamed(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusNamed"
):
    """A stylus was given a name and a PIN of its own."""

    stylus: str
    name: str
    pin: str
    """The keyed digest of the PIN. The PIN itself is not stored."""


class MatchPlaced(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.MatchPlaced"
):
    """A match was placed on the table. No stylus has a seat in it yet."""

    match: UUID


class SeatsEnded(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.SeatsEnded"):
    """A stylus lost some of its seats."""

    stylus: str
    seats: tuple[str, ...]
    why: SeatEndReason


class StylusSeated(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.StylusSeated"
):
    """A stylus was given seats of the match. A stylus without seats is a spectator."""

    stylus: str
    seats: dict[str, str] = {}
    """The digest of the seat token that gave the right, by seat. The right ends with the token."""
    shared: bool = False
    """Whether players share the stylus: it acts for any seat that is to act, and enters dice
    results."""
    grants: dict[str, str] = {}
    """The tap grants by seat. With a grant, a stylus taps for a seat and sees only what is
    public."""
    shown: bool = False
    """True only in events of earlier versions, which seated a stylus by what a board sensed."""


class TapMapChanged(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.TapMapChanged"
):
    """The tap map of a table or gateway was replaced. The event's version is the map's version."""

    codes: dict[str, str]
    gateway: str = ""
    """The gateway that uses the map; empty for all gateways of the table without a map of their
    own."""


class TableClosed(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.TableClosed"
):
    """A table was closed. No gateway can connect, and all styluses are unpaired."""


class _Message(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table._Message"):
    """A message of a gateway."""

    gateway: str
    epoch: str
    seq: int
    device_ms: int = 0
    """Milliseconds since 1970 by the device's own clock, which nothing relies on."""
    stylus: str = ""


class TapTaken(_Message, frozen=True, kw_only=True, omit_defaults=True, tag="table.TapTaken"):
    """A stylus tapped a code, or a button was pressed."""

    code: str
    """The code as the stylus read it."""
    target: str = ""
    """The target that the tap map has for the code."""
    outcome: TapOutcome
    rule: str = ""
    """The ID of the rule that refused the tap."""
    why: str = ""
    """The explanation for the player."""
    figures: Figures = {}
    """The values that the refusal is based on."""
    match: UUID | None = None
    match_version: int = 0
    """The version of the match before the tap."""
    after: int = 0
    """The version of the match after the tap that the stylus was shown."""
    prompt: int = 0
    """The number of the prompt that the user saw."""
    era: int = 0
    """The number of the stylus's prompt after the tap."""
    hand: Selection = Selection()
    """The selection after the tap."""
    order: CardOrder | None = None
    """The order of the match card that is armed after the tap."""
    discreet: bool = False
    """Whether the stylus acts by a tap grant, so that it is shown only what is public."""
    offline: bool = False
    """Whether the tap was made while the connection was down."""
    astray: bool = False
    """True only in events of earlier versions: a Confirm of a board that sensed its pieces."""


class StylusStatusReported(
    _Message, frozen=True, kw_only=True, omit_defaults=True, tag="table.SignNoticed"
):
    """A gateway reported a status of a stylus, such as a lost connection or a low battery."""

    sign: StylusStatus
    percent: int = 0
    stray: bool = False
    """Whether the stylus is not paired with this gateway. The report then changes nothing."""


# --- events that only earlier versions wrote ------------------------------------------------------
#
# They supported boards that sense their pieces. These events still decode, keep their bytes and
# fold: a scan or a correction sets the selection like a tap.


class Offer(Struct, frozen=True, omit_defaults=True):
    """A match whose position a board showed, in a `ScanTaken`."""

    match: str
    game: str
    title: str = ""
    seats: tuple[str, ...] = ()


class ScanTaken(TapTaken, frozen=True, kw_only=True, omit_defaults=True, tag="table.ScanTaken"):
    """The pieces that a board sensed. Written by earlier versions only; it folds like a tap."""

    spaces: dict[str, tuple[str, ...]] = {}
    whole: bool = False
    agrees: bool = False
    offered: tuple[Offer, ...] = ()


class BoardCorrected(
    TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.BoardCorrected"
):
    """A correction of what a board sensed. Written by earlier versions only.

    It changes the selection of its stylus like a tap, but is no message of a gateway.
    """

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
    """A board waited for seats in a match. Written by earlier versions only; it changes nothing."""

    stylus: str
    match: UUID
    seats: dict[str, str] = {}
    shared: bool = False
    grants: dict[str, str] = {}


class WaitEnded(TableEvent, frozen=True, kw_only=True, omit_defaults=True, tag="table.WaitEnded"):
    """A `MatchAwaited` ended. Written by earlier versions only; it changes nothing."""

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
