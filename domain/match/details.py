"""What there is to a match beside its position: terms, holders, disputes, a proposal."""

from typing import TypeVar, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import REFEREE
from domain.log.runs import Run
from domain.match.clocks import TimeControl
from domain.match.events import (
    Chance,
    ForkPoint,
    HelpPolicy,
    InviteCreated,
    InviteRevoked,
    JoinPolicy,
    MatchStarted,
    RefereeInvited,
    RefereePolicy,
    RefereeSeated,
    SeatAssignment,
    SeatClaimed,
    SeatLeft,
    StartPolicy,
    SubstitutePolicy,
    UndoPolicy,
    Visibility,
)

T = TypeVar("T")


class SeatHolder(Struct, frozen=True):
    """Who holds a seat."""

    player: str
    """A name; empty for a player of a frontend, until it is looked up."""
    key: str
    """The digest of the player's token; empty for a player of a frontend."""
    id: UUID | None = None
    """The player of a frontend."""
    creator: bool = False
    """As in `SeatClaimed`."""
    bot: str = ""
    """As in `SeatClaimed`."""

    @property
    def claim(self) -> str:
        """What tells this holder from all others: stored where a stylus acts for the seat."""
        return self.key or str(self.id)


class Terms(Struct, frozen=True):
    """What was agreed when the match was created, beside the game's own options."""

    chance: Chance = "entered"
    undo: UndoPolicy = "consent"
    pause: bool = False
    origin: ForkPoint | None = None
    seat_chance: dict[str, Chance] = {}
    """As in `MatchCreated`."""
    visibility: Visibility = "private"
    stand_in: SubstitutePolicy = "nobody"
    begins: StartPolicy = "at-once"
    referee: RefereePolicy = "creator"
    admission: JoinPolicy = "invited"
    seat_order: SeatAssignment = "chosen"
    rematch: UUID | None = None
    """As in `MatchCreated`."""
    clock: TimeControl | None = None
    seat_clocks: dict[str, TimeControl] = {}
    frontend: UUID | None = None
    """As in `MatchCreated`."""
    players_only: bool = False
    help: HelpPolicy = "none"
    waiting_seconds: int = 0
    shared: bool = False
    """As in `MatchCreated`."""

    def rolled(self, seat: str) -> bool:
        """Does the service make the entries of chance of this seat?"""
        return self.seat_chance.get(seat, self.chance) == "rolled"

    @property
    def timed(self) -> bool:
        """Has anybody a clock?"""
        return self.clock is not None or bool(self.seat_clocks)

    def clocks(self, seats: tuple[str, ...]) -> dict[str, TimeControl]:
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


class RetiredSeed(Struct, frozen=True, array_like=True):
    """A seed that is used no more, and not revealed yet."""

    run: Run | None
    commitment: str


class MatchDetails(Struct, frozen=True):
    """What seldom changes."""

    holders: dict[str, SeatHolder] = {}
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
    referee: SeatHolder | None = None
    """Who took the referee's role, if anybody did."""
    creator: str = ""
    """As in `MatchCreated`."""
    codes: dict[str, str] = {}
    """Digests of the codes that were given out after the creation and are good now, by role."""
    run: Run | None = None
    """The run of the service that the present seed comes from."""
    renewed: tuple[RetiredSeed, ...] = ()
    """The seeds before the present one that are still to be revealed."""
    updated: int = 0
    """The event by which the title and who may see the match are as they are; 0 for as created."""
    cancelled: bool = False
    """The match waited for its seats to be taken, and is not to begin any more."""
    voided: tuple[str, ...] = ()
    """The roles whose first tokens and codes are void, since others were given out."""


SeatingEvent = (
    SeatClaimed
    | SeatLeft
    | MatchStarted
    | InviteCreated
    | InviteRevoked
    | RefereeInvited
    | RefereeSeated
)
"""Who sits where, and who referees."""


def apply_seating(details: MatchDetails, event: SeatingEvent) -> MatchDetails:
    """What there is after such an event."""
    match event:
        case SeatClaimed(seat=seat, player=player, key=key, entropy=entropy):
            holder = SeatHolder(player, key, event.holder, event.creator, event.bot)
            holders = {**details.holders, seat: holder}
            added = (*details.entropy, f"{seat}:{entropy}") if entropy else details.entropy
            codes = _without(details.codes, seat)
            return replace(details, holders=holders, entropy=added, codes=codes)
        case SeatLeft(seat=seat, key=key):
            codes = {**details.codes, seat: key} if key else details.codes
            return replace(details, holders=_without(details.holders, seat), codes=codes)
        case MatchStarted(seats=seats):
            drawn = {seat: details.holders[taken] for seat, taken in seats.items()}
            return replace(details, waiting=False, holders=drawn or details.holders)
        case InviteCreated(role=role, key=key):
            codes = {**details.codes, role: key}
            return replace(details, codes=codes, voided=_with(details.voided, role))
        case InviteRevoked(role=role):
            codes = _without(details.codes, role)
            return replace(details, codes=codes, voided=_with(details.voided, role))
        case RefereeInvited(key=key):
            return replace(details, codes={**details.codes, REFEREE: key})
        case RefereeSeated(player=player, key=key, holder=holder):
            codes = _without(details.codes, REFEREE)
            return replace(details, referee=SeatHolder(player, key, holder), codes=codes)
        case unreachable:
            assert_never(unreachable)


def _with(roles: tuple[str, ...], role: str) -> tuple[str, ...]:
    return roles if role in roles else (*roles, role)


def _without(named: dict[str, T], name: str) -> dict[str, T]:
    return {key: value for key, value in named.items() if key != name}


class Proposal(Struct, frozen=True):
    """An undo, a redo or a draw that waits for answers; it lapses when anyone acts."""

    seat: str
    awaiting: tuple[str, ...]
    to: int | None = None
    """Where the line is to go on; None for the offer of a draw."""
    rolled: tuple[int, ...] = ()
    """As in `UndoRequested`."""
    revealed: tuple[int, ...] = ()
    version: int = 0
    """The version of the event that recorded it: what names it among those of its match."""

    def withdraws(self, seat: str, yes: bool) -> bool:
        """Return whether this answer withdraws it: the seat that made it answers no."""
        return seat == self.seat and not yes
