"""What there is to a match beside its position: terms, holders, disputes, what is pending."""

from uuid import UUID

from msgspec import Struct

from domain.match.clocks import Clock
from domain.match.events import Chance, Origin, StandIn, UndoPolicy, Visibility


class Holder(Struct, frozen=True):
    """Who holds a seat."""

    player: str
    """A name; empty for a player of a frontend, until it is looked up."""
    key: str
    """The digest of the player's token; empty for a player of a frontend."""
    id: UUID | None = None
    """The player of a frontend."""

    @property
    def claim(self) -> str:
        """What tells this holder from all others: stored where a stylus acts for the seat."""
        return self.key or str(self.id)


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
    clock: Clock | None = None
    seat_clocks: dict[str, Clock] = {}
    frontend: UUID | None = None
    """As in `MatchCreated`."""

    def rolled(self, seat: str) -> bool:
        """Does the service make the entries of chance of this seat?"""
        return self.seat_chance.get(seat, self.chance) == "rolled"

    @property
    def timed(self) -> bool:
        """Has anybody a clock?"""
        return self.clock is not None or bool(self.seat_clocks)

    def clocks(self, seats: tuple[str, ...]) -> dict[str, Clock]:
        """The clock of each of the seats that has one."""
        found = {seat: self.seat_clocks.get(seat, self.clock) for seat in seats}
        return {seat: clock for seat, clock in found.items() if clock is not None}

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


class Pending(Struct, frozen=True):
    """A request that waits for answers; it ends when anyone acts."""

    seat: str
    awaiting: tuple[str, ...]
    to: int | None = None
    """Where the line is to go on; None for the offer of a draw."""
    rolled: tuple[int, ...] = ()
    """As in `UndoAsked`."""
    revealed: tuple[int, ...] = ()
