"""The parts of a match beside its position: terms, seat holders, disputes and a proposal."""

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
    """A person who holds a seat, or the referee role."""

    player: str
    """A name. It is empty for a frontend's player until the name is looked up."""
    key: str
    """The digest of the player's token; empty for a frontend's player."""
    id: UUID | None = None
    """The ID of the frontend's player."""
    creator: bool = False
    """Whether the creator claimed the seat at creation."""
    bot: str = ""
    """The level of the bot that holds the seat; empty for people."""

    @property
    def claim(self) -> str:
        """The text that identifies this holder, stored where a stylus acts for the seat."""
        return self.key or str(self.id)


class Terms(Struct, frozen=True):
    """The terms agreed at the creation of a match, apart from the game's own options."""

    chance: Chance = "entered"
    undo: UndoPolicy = "consent"
    pause: bool = False
    origin: ForkPoint | None = None
    seat_chance: dict[str, Chance] = {}
    """The seats whose chance policy differs from `chance`."""
    visibility: Visibility = "private"
    stand_in: SubstitutePolicy = "nobody"
    begins: StartPolicy = "at-once"
    referee: RefereePolicy = "creator"
    admission: JoinPolicy = "invited"
    seat_order: SeatAssignment = "chosen"
    rematch: UUID | None = None
    """The match of which this is a rematch."""
    clock: TimeControl | None = None
    seat_clocks: dict[str, TimeControl] = {}
    frontend: UUID | None = None
    """The frontend that created the match."""
    players_only: bool = False
    help: HelpPolicy = "none"
    waiting_seconds: int = 0
    shared: bool = False
    """Whether lists of other frontends show the match."""

    def is_rolled_for(self, seat: str) -> bool:
        """Return whether the service makes the chance entries of this seat."""
        return self.seat_chance.get(seat, self.chance) == "rolled"

    @property
    def has_clocks(self) -> bool:
        """Whether any seat has a clock."""
        return self.clock is not None or bool(self.seat_clocks)

    def clocks(self, seats: tuple[str, ...]) -> dict[str, TimeControl]:
        """Return the time control of each of the seats that has one."""
        found = {seat: self.seat_clocks.get(seat, self.clock) for seat in seats}
        return {seat: clock for seat, clock in found.items() if clock is not None}

    @property
    def has_rolled_chance(self) -> bool:
        """Whether the service makes the chance entries of any seat."""
        return "rolled" in (self.chance, *self.seat_chance.values())


class LineJump(Struct, frozen=True, array_like=True):
    """A change of the line: event `at` continues the match from version `to`."""

    at: int
    to: int


class Dispute(Struct, frozen=True):
    """A dispute without a verdict."""

    number: int
    """The version of the event that raised the dispute."""
    on: int
    seat: str


class RetiredSeed(Struct, frozen=True, array_like=True):
    """A seed that makes no more draws and is not revealed yet."""

    run: Run | None
    commitment: str


class MatchDetails(Struct, frozen=True):
    """Match details that change rarely, such as seat holders, line changes and disputes."""

    holders: dict[str, SeatHolder] = {}
    entropy: tuple[str, ...] = ()
    """The entropy that players added to the draws, in order."""
    epoch: int = 0
    """The number of seeds that were revealed."""
    commitment: str = ""
    """The commitment to the seed of the next draws; empty where the service draws nothing."""
    jumps: tuple[LineJump, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    waiting: bool = False
    """Whether the match waits for its seats to be claimed."""
    referee: SeatHolder | None = None
    """The person who claimed the referee role, if anybody did."""
    creator: str = ""
    """An opaque name of the creator, as in `MatchCreated`."""
    codes: dict[str, str] = {}
    """Digests of the valid codes issued after the creation, by role."""
    run: Run | None = None
    """The run of the service that the present seed comes from."""
    renewed: tuple[RetiredSeed, ...] = ()
    """Earlier seeds that are still to be revealed."""
    updated: int = 0
    """The version of the last `MatchUpdated`; 0 if there was none."""
    cancelled: bool = False
    """Whether the match was cancelled before it started."""
    voided: tuple[str, ...] = ()
    """The roles whose tokens and codes from the match's creation are void."""


SeatingEvent = (
    SeatClaimed
    | SeatLeft
    | MatchStarted
    | InviteCreated
    | InviteRevoked
    | RefereeInvited
    | RefereeSeated
)
"""An event that changes who holds a seat, the referee role or an invitation."""


def apply_seating(details: MatchDetails, event: SeatingEvent) -> MatchDetails:
    """Return the details after a seating event."""
    match event:
        case SeatClaimed(seat=seat, player=player, key=key, entropy=entropy):
            holder = SeatHolder(player, key, event.holder, event.creator, event.bot)
            holders = {**details.holders, seat: holder}
            added = (*details.entropy, f"{seat}:{entropy}") if entropy else details.entropy
            codes = _without_key(details.codes, seat)
            return replace(details, holders=holders, entropy=added, codes=codes)
        case SeatLeft(seat=seat, key=key):
            codes = {**details.codes, seat: key} if key else details.codes
            return replace(details, holders=_without_key(details.holders, seat), codes=codes)
        case MatchStarted(seats=seats):
            drawn = {seat: details.holders[taken] for seat, taken in seats.items()}
            return replace(details, waiting=False, holders=drawn or details.holders)
        case InviteCreated(role=role, key=key):
            codes = {**details.codes, role: key}
            return replace(details, codes=codes, voided=_with_role(details.voided, role))
        case InviteRevoked(role=role):
            codes = _without_key(details.codes, role)
            return replace(details, codes=codes, voided=_with_role(details.voided, role))
        case RefereeInvited(key=key):
            return replace(details, codes={**details.codes, REFEREE: key})
        case RefereeSeated(player=player, key=key, holder=holder):
            codes = _without_key(details.codes, REFEREE)
            return replace(details, referee=SeatHolder(player, key, holder), codes=codes)
        case unreachable:
            assert_never(unreachable)


def _with_role(roles: tuple[str, ...], role: str) -> tuple[str, ...]:
    return roles if role in roles else (*roles, role)


def _without_key(named: dict[str, T], name: str) -> dict[str, T]:
    return {key: value for key, value in named.items() if key != name}


class Proposal(Struct, frozen=True):
    """An undo, a redo or a draw that waits for responses. It lapses when anyone acts."""

    seat: str
    awaiting: tuple[str, ...]
    to: int | None = None
    """The version to continue from; None for a draw."""
    rolled: tuple[int, ...] = ()
    """The versions with chance entries that an undo moves, as in `UndoRequested`."""
    revealed: tuple[int, ...] = ()
    version: int = 0
    """The version of the event that recorded the proposal, which identifies it in its match."""

    def withdraws(self, seat: str, yes: bool) -> bool:
        """Return whether this answer withdraws the proposal: its own seat says no."""
        return seat == self.seat and not yes
