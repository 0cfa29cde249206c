"""What happens at a table. Stored for ever, so the names and fields are the storage format.

A field that is added later has a default, which stands for what was so before; any other change is
a new event beside the old one.
"""

from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.kernel.rulings import Figures
from domain.stylus.taps import Hand
from domain.table.match_card import CardOrder

LONGEST_CODE: Final = 100
"""Characters of a code that are recorded; no code on a table has more."""
LONGEST_STYLUS: Final = 64
"""Characters of a stylus's hardware id."""
MOST_SPACES: Final = 1024
MOST_SIGNS: Final = 16
LONGEST_SIGN: Final = 64
"""Spaces that a board watches, signs on one of them, and characters of a sign or a space's name."""

Outcome = Literal[
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
Ending = Literal["claimed", "withdrawn"]
"""Why a stylus lost a seat: its token ended, as when somebody else claimed the seat, or who sits
there has withdrawn the right to tap."""
WaitEnding = Literal["claimed", "withdrawn", "over", "dropped"]
"""Why a stylus waits no more: as for a seat, or since the match is over, or its gateway says so."""
Sign = Literal["lost", "heard", "off", "on", "reset", "battery"]
"""What a gateway notices of a stylus beside taps."""


class TableEvent(Struct, frozen=True, kw_only=True, tag_field="type", tag=lambda n: f"table.{n}"):
    """What every event of a table has."""

    table: UUID
    version: int
    """Counted from 1 at each table."""
    at: datetime
    request: str = ""
    """The client's id of the request, a space, and a digest of what was asked for; empty for what
    a gateway sent."""

    @property
    def aggregate(self) -> UUID:
        """The table: the name under which the event store knows it."""
        return self.table


class TableOpened(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """There is a table."""

    name: str
    owner: str = ""
    """The digest of its owner's key; empty for a table that only the admin looks after."""


class GatewayRegistered(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A gateway belongs to the table, and may connect with its key."""

    gateway: str
    name: str
    key: str
    """The digest of its key."""


class GatewayKeyChanged(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A gateway has another key: the one before it opens nothing any more."""

    gateway: str
    key: str
    """As in `GatewayRegistered`."""


class GatewayRevoked(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A gateway may not connect any more. Its styluses are free, and keep their names and PINs."""

    gateway: str


class GatewayCertified(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A gateway may show this certificate in place of its key."""

    gateway: str
    certificate: str = ""
    """Its SHA-256, in hexadecimal; empty if it has none any more."""


class EpochBegan(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A gateway runs anew: its messages are counted from 1 again. The run before it is closed."""

    gateway: str
    epoch: str
    software: str = ""


class LocaleSaid(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A gateway says in what language its users read, which it may change in a run."""

    gateway: str
    locale: str
    """As in BCP 47; empty if it does not say it any more."""


class MessagesLost(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A gateway does not have these messages any more: it goes on after them."""

    gateway: str
    epoch: str
    first: int
    last: int


class StylusPaired(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus knows its gateway, and the other way round."""

    gateway: str
    stylus: str
    name: str = ""
    pin: str = ""
    """As in `StylusNamed`, for a stylus that brings them from another table."""
    unseated: bool = False
    """It came from another gateway by the factory's PIN, which proves nothing: its seats stay
    behind."""


class StylusLeft(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus was paired at another table: it acts here no more, and took its name and PIN with
    it."""

    stylus: str


class StylusReleased(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus belongs to no gateway of the table any more, and is as it left the factory."""

    stylus: str


class PinRefused(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody tried to pair a stylus with a wrong PIN."""

    gateway: str
    stylus: str


class StylusNamed(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus has a name and a PIN of its own."""

    stylus: str
    name: str
    pin: str
    """Keyed digest; the PIN itself is nowhere."""


class MatchPlaced(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """This match is played on the table from now on. No stylus has a seat in it yet."""

    match: UUID


class MatchAwaited(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus is to be seated in this match when its board shows the position, while no match is
    under way on the table."""

    stylus: str
    match: UUID
    seats: dict[str, str] = {}
    shared: bool = False
    grants: dict[str, str] = {}
    """As in `StylusSeated`."""


class WaitEnded(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus waits no more to act for these seats of a match; without seats, for the match."""

    stylus: str
    match: UUID
    seats: tuple[str, ...] = ()
    why: WaitEnding


class SeatsEnded(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus acts for these seats no more."""

    stylus: str
    seats: tuple[str, ...]
    why: Ending


class StylusSeated(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus acts for these seats of the match; for none, it only looks."""

    stylus: str
    seats: dict[str, str] = {}
    """The digest of the token that gave the right, by seat: it ends when the token does."""
    shared: bool = False
    """It is handed around: it acts for whoever is asked, and enters what chance showed."""
    grants: dict[str, str] = {}
    """The seats for which it may tap, and see no more than anybody: the grant's id, by seat."""
    shown: bool = False
    """It waited for the match, and a board of the table showed the position."""


class TapMapChanged(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """Which printed code is which target, beside what every table knows. Its number is this
    event's version."""

    codes: dict[str, str]
    gateway: str = ""
    """Whose taps it is for; empty for all gateways of the table that have no map of their own."""


class TableClosed(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """The table is given up: no gateway may connect, and its styluses are free."""


class _Message(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a gateway sent."""

    gateway: str
    epoch: str
    seq: int
    device_ms: int = 0
    """Milliseconds since 1970 by the device's own clock, which is believed in nothing."""
    stylus: str = ""


class TapTaken(_Message, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus tapped something, or a button was pressed."""

    code: str
    """As it was read."""
    target: str = ""
    """What the tap map made of it."""
    outcome: Outcome
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
    hand: Hand = Hand()
    """What is selected after it."""
    order: CardOrder | None = None
    """What is armed after it of the match card."""
    discreet: bool = False
    """By a grant: its stylus is shown no more than anybody."""
    offline: bool = False
    """It was made while the line was down."""
    astray: bool = False
    """It was to take what its board showed, offline, and could not."""


class Offer(Struct, frozen=True, omit_defaults=True):
    """A match that waits for a board, and stands as the board does."""

    match: str
    game: str
    title: str = ""
    seats: tuple[str, ...] = ()
    """For which the board would act."""


class ScanTaken(TapTaken, frozen=True, kw_only=True, omit_defaults=True):
    """A board that senses its pieces told what it sees. It counts as a tap of its stylus: what an
    action leads to that stands there is selected by it."""

    spaces: dict[str, tuple[str, ...]] = {}
    """The signs that were read, by space."""
    whole: bool = False
    """These are all the spaces that it watches; else those that changed."""
    agrees: bool = False
    """It showed the position, and no more."""
    offered: tuple[Offer, ...] = ()
    """Several matches stand so that wait for this board: its player chooses among them."""


class BoardCorrected(TableEvent, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody said that a board reads something else than stands there. It counts as a scan."""

    gateway: str
    stylus: str
    by: str
    """`owner`, `gateway`, a seat of the match, or `referee`."""
    spaces: dict[str, tuple[str, ...]]
    """What stands there."""
    why: str = ""
    match: UUID | None = None
    match_version: int = 0
    era: int = 0
    hand: Hand = Hand()
    """As in `TapTaken`."""
    agrees: bool = False
    """As in `ScanTaken`."""


class SignNoticed(_Message, frozen=True, kw_only=True, omit_defaults=True):
    """A stylus was lost or heard again, switched, reset; or told how full its battery is."""

    sign: Sign
    percent: int = 0
    stray: bool = False
    """The stylus is not paired with this gateway: the sign changes nothing."""


Event = (
    TableOpened
    | GatewayRegistered
    | GatewayKeyChanged
    | GatewayRevoked
    | EpochBegan
    | LocaleSaid
    | MessagesLost
    | StylusPaired
    | StylusLeft
    | StylusReleased
    | PinRefused
    | StylusNamed
    | MatchPlaced
    | StylusSeated
    | SeatsEnded
    | MatchAwaited
    | WaitEnded
    | GatewayCertified
    | TapMapChanged
    | TableClosed
    | TapTaken
    | ScanTaken
    | BoardCorrected
    | SignNoticed
)
