"""What there is to a match beside its position: terms, holders, disputes, what is pending."""

from msgspec import Struct

from domain.match.events import (
    Begins,
    Chance,
    Origin,
    Refereeing,
    StandIn,
    UndoPolicy,
    Visibility,
)


class Holder(Struct, frozen=True):
    """Who holds a seat."""

    player: str
    key: str
    """The digest of the player's token."""
    creator: bool = False
    """As in `SeatClaimed`."""


class Terms(Struct, frozen=True):
    """What was agreed when the match was created, beside the game's own options."""

    chance: Chance = "entered"
    undo: UndoPolicy = "consent"
    pause: bool = False
    origin: Origin | None = None
    seat_chance: dict[str, Chance] = {}
    """As in `MatchCreated`."""
    visibility: Visibility = "private"
    stand_in: StandIn = "nobody"
    begins: Begins = "at-once"
    referee: Refereeing = "creator"

    def rolled(self, seat: str) -> bool:
        """Does the service make the entries of chance of this seat?"""
        return self.seat_chance.get(seat, self.chance) == "rolled"

    @property
    def rolls(self) -> bool:
        """Does the service make the entries of anybody?"""
        return "rolled" in (self.chance, *self.seat_chance.values())


class LineJump(Struct, frozen=True, array_like=True):
    """Event `at` had the line go on from version `to`."""

    at: int
    to: int


class Dispute(Struct, frozen=True):
    """A question that is not answered yet."""

    number: int
    """The version of the event that raised it."""
    on: int
    seat: str


class Affairs(Struct, frozen=True):
    """What seldom changes."""

    holders: dict[str, Holder] = {}
    entropy: tuple[str, ...] = ()
    """What players added to the draws, in order."""
    epoch: int = 0
    """How many seeds have been revealed."""
    commitment: str = ""
    """To the seed of the next draws; empty where the service draws nothing."""
    jumps: tuple[LineJump, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    waiting: bool = False
    """The match waits for its seats to be taken."""
    referee: Holder | None = None
    """Who took the referee's role, if anybody did."""
    creator: str = ""
    """As in `MatchCreated`."""
    codes: dict[str, str] = {}
    """Digests of the codes that were given out after the creation and are good now, by role."""


class Pending(Struct, frozen=True):
    """A request that waits for answers; it ends when anyone acts."""

    seat: str
    awaiting: tuple[str, ...]
    to: int | None = None
    """Where the line is to go on; None for the offer of a draw."""
    rolled: tuple[int, ...] = ()
    """As in `UndoAsked`."""
    revealed: tuple[int, ...] = ()
