"""Events of a match. They are stored forever, so their names and fields are the storage format.

A field that is added later has a default, which stands for the behavior before. Any other change
needs a new event.
"""

from datetime import datetime
from typing import Any, Final, Generic, Literal, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import A, F
from domain.kernel.rulings import Ruling
from domain.log.origin import UNKNOWN_ORIGIN, Origin
from domain.log.runs import Run
from domain.log.sealed_events import SealedEvent
from domain.match.clocks import TimeControl

MAX_NAME_LENGTH: Final = 80
"""The most characters that a player's name or a match's title may have."""

Chance = Literal["entered", "rolled"]
"""Who makes chance entries: the players, from real dice and cards, or the service."""
UndoPolicy = Literal["free", "consent", "referee", "none"]
"""Who must agree to an undo. `free`: nobody, as long as no other seat has acted since; `consent`:
every opponent; `referee`: the referee; `none`: undo is not possible."""
Visibility = Literal["private", "public", "unlisted"]
"""Who may spectate. `private`: bearers of a token of the match; `public`: anybody; `unlisted`:
every client with its ID, which no list shows."""
SubstitutePolicy = Literal["nobody", "referee"]
"""Who may act for a seat whose player has left for good."""
StartPolicy = Literal["at-once", "when-full"]
"""When a match starts: at its creation, or when its last seat is claimed."""
RefereePolicy = Literal["creator", "nobody", "invited", "operator"]
"""Who referees: the creator, nobody, the bearer of a code for the role, or a person whom the
operator of the service names."""
JoinPolicy = Literal["invited", "linked", "anybody"]
"""Who may claim a seat while a match waits: the bearer of the seat's code, the bearer of one code
for all seats, or anybody."""
SeatAssignment = Literal["chosen", "in-order", "drawn"]
"""Which seat a player gets: the one chosen, the first open one, or one drawn at the start."""
HelpPolicy = Literal["none", "hints"]
"""What help a seat may get from the service: none, or hints, which all players are informed of."""
VerdictKind = Literal["upheld", "reverted", "corrected"]


class ForkPoint(Struct, frozen=True):
    """The version of another match from which a fork starts."""

    match: UUID
    version: int


class MatchEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """A base of all events of a match."""

    match: UUID
    version: int
    """The number of the event in its match, from 1."""
    at: datetime
    request: str
    """The client's ID of the request, so that a repeated request records nothing. If the response
    held a token, it is a digest of the ID, since the ID alone is enough to get the token again."""
    salt: str = ""
    """Secret random bits, as 32 hexadecimal digits. They keep anyone from guessing the content of
    an event by its digest. Events of earlier releases may have none, or 64 digits."""

    @property
    def aggregate(self) -> UUID:
        """The ID under which the event store keeps the match."""
        return self.match


class MatchCreated(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.MatchCreated"
):
    """A match was created."""

    game: str
    options: dict[str, Any]
    """All options of the game, defaults included, since defaults may change."""
    start: str
    """The starting position as notation, since the game's starting position may change."""
    seats: tuple[str, ...]
    invitations: dict[str, str]
    """Digests of the tokens issued at creation, by role: each seat, referee, spectator. In a match
    that starts when it is full, the secrets of seats are codes: they claim a seat and show
    nothing hidden."""
    title: str = ""
    rulings: tuple[Ruling, ...] = ()
    chance: Chance = "entered"
    seat_chance: dict[str, Chance] = {}
    """The seats whose chance policy differs from `chance`. Entries that belong to no seat follow
    `chance`."""
    commitment: str = ""
    """The commitment to the seed of all draws, where the service rolls or deals face down."""
    undo: UndoPolicy = "consent"
    pause: bool = False
    """Whether an open dispute pauses the match."""
    origin: ForkPoint | None = None
    visibility: Visibility = "private"
    stand_in: SubstitutePolicy = "nobody"
    clock: TimeControl | None = None
    """The time control of the seats."""
    seat_clocks: dict[str, TimeControl] = {}
    """The time controls of seats that differ from `clock`."""
    frontend: UUID | None = None
    """The frontend that created the match, whose quotas it counts towards."""
    begins: StartPolicy = "at-once"
    referee: RefereePolicy = "creator"
    admission: JoinPolicy = "invited"
    seat_order: SeatAssignment = "chosen"
    rematch: UUID | None = None
    """The match of which this is a rematch. Each player has the seat after the one before."""
    creator: str = ""
    """An opaque name of the creator, the same for all matches of one creator."""
    run: Run | None = None
    """The run of the service that the committed seed comes from, or None."""
    players_only: bool = False
    """Whether only players of frontends may claim seats."""
    help: HelpPolicy = "none"
    waiting_seconds: int = 0
    """Seconds to wait for the seats to be claimed before the match is cancelled; 0 for no limit."""
    shared: bool = False
    """Whether lists of other frontends show the match."""


class MatchUpdated(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.MatchUpdated"
):
    """The title or visibility of a match changed. Fields that are None did not change."""

    title: str | None = None
    visibility: Visibility | None = None
    shared: bool | None = None


class MatchCancelled(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.MatchCancelled"
):
    """A match was cancelled while it waited for its seats."""

    expired: bool = False
    """Whether its waiting time was over; otherwise somebody cancelled it."""
    by: str = ""
    """Who cancelled it: a seat, `referee`, `creator`, `frontend` or `operator`. Earlier releases
    did not record it."""
    by_player: UUID | None = None
    """The frontend's player who cancelled it."""


class SeatClaimed(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeatClaimed"
):
    """A player claimed a seat. The token issued with the claim replaces all earlier ones."""

    seat: str
    player: str
    """A name; empty for a frontend's player, whose name is no part of the log."""
    key: str
    """The digest of the player's token; empty for a frontend's player, who uses their own."""
    entropy: str = ""
    """The entropy that the player adds to all later draws."""
    creator: bool = False
    """Whether the creator claimed the seat at creation."""
    holder: UUID | None = None
    """The ID of the frontend's player who claimed it."""
    bot: str = ""
    """The level of the bot that claimed it; empty for people."""


class SeatLeft(MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeatLeft"):
    """A player left a seat. Its invitation is valid again, unless there is a new one."""

    seat: str
    key: str = ""
    """The digest of the code for the next player, where the code of the creation is void."""


class MatchStarted(MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.Began"):
    """A match started, since its last open seat was claimed."""

    seats: dict[str, str] = {}
    """If the seats were drawn: for each seat, the seat that its player had claimed before."""
    draw: int | None = None
    """The number of the draw that assigned the seats."""


class InviteCreated(MatchEvent, frozen=True, kw_only=True, tag="match.InviteCreated"):
    """A code was issued for a seat, for any open seat (`link`), or for spectators.

    Earlier codes and tokens for that role are void.
    """

    role: str
    key: str
    """The digest of the code."""


class InviteRevoked(MatchEvent, frozen=True, kw_only=True, tag="match.InviteRevoked"):
    """All codes and tokens issued for a role became void, except the token of its holder."""

    role: str


class RefereeInvited(MatchEvent, frozen=True, kw_only=True, tag="match.RefereeInvited"):
    """A code for the referee role was issued. The present referee stays until it is used."""

    key: str
    """The digest of the code."""


class RefereeSeated(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.RefereeSeated"
):
    """Somebody claimed the referee role by a code. Their token replaces all earlier ones."""

    player: str
    key: str
    """The digest of that token; empty for a frontend's player, who uses their own."""
    holder: UUID | None = None
    """The ID of the frontend's player who claimed it."""


class SeatEvent(MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeatEvent"):
    """An event caused by one seat, or by the referee."""

    seat: str
    """The seat that caused the event, or `referee`."""
    source: Origin = UNKNOWN_ORIGIN


class ActionTaken(
    SeatEvent, Generic[A, F], frozen=True, kw_only=True, omit_defaults=True, tag="match.ActionTaken"
):
    """A seat acted, with these consequences."""

    action: A
    facts: tuple[F, ...]
    rulings: tuple[Ruling, ...] = ()
    entry: bool = False
    """Whether the action entered a chance result."""
    draw: int | None = None
    """The number of the draw by which the service made this entry; None for a player's action."""


class ActionEffects(Struct, Generic[F], frozen=True, tag_field="type", tag="match.ActionTaken"):
    """The part of an `ActionTaken` that folding needs, without the action. It is never stored."""

    version: int
    at: datetime
    request: str
    seat: str
    facts: tuple[F, ...]
    draw: int | None = None


class PlayerResigned(
    SeatEvent, Generic[F], frozen=True, kw_only=True, omit_defaults=True, tag="match.Resigned"
):
    """A seat resigned, in a game whose own notation has no resignation.

    With facts, the game continues without the seat. Without facts, the match is over, and all
    others have won.
    """

    facts: tuple[F, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class FlagFell(
    MatchEvent, Generic[F], frozen=True, kw_only=True, omit_defaults=True, tag="match.TimeRanOut"
):
    """A seat's flag fell.

    With facts, the game continues without the seat. Without facts, the match is over, and all
    others have won.
    """

    seat: str
    facts: tuple[F, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class DowntimeCredited(MatchEvent, frozen=True, kw_only=True, tag="match.ClocksHeld"):
    """Downtime of the service was credited to all clocks except correspondence clocks."""

    since: datetime


class HintGiven(MatchEvent, frozen=True, kw_only=True, tag="match.HintGiven"):
    """A seat received a hint. The hint may show what the seat holds, so the log omits it."""

    seat: str


class DrawOffered(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.DrawOffered"
):
    """A seat offered a draw. The offer lapses when anyone acts."""


class DrawAnswered(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.DrawAnswered"
):
    """A seat responded to a draw offer. The match is over once all others have accepted."""

    accepted: bool


class SeedRotated(MatchEvent, frozen=True, kw_only=True, tag="match.ChanceRenewed"):
    """The seed was replaced, since the service has started another run.

    So nobody can know later draws, even if the log was restored from a backup. The seed before
    is revealed with the others.
    """

    run: Run
    commitment: str
    """The commitment to the new seed."""


class SeedRevealed(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeedRevealed"
):
    """The seed was revealed at the end of the match, so that everybody can check its draws."""

    seed: str
    """The revealed seed, in hexadecimal digits."""
    following: str
    """The commitment to the seed of later draws, in case the match continues after an undo."""
    earlier: tuple[str, ...] = ()
    """The seeds that were replaced since the last reveal, in order."""


class UndoRequested(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.UndoAsked"
):
    """A seat requested an undo or a redo. The request lapses when anyone acts."""

    to: int
    awaiting: tuple[str, ...]
    """The seats that must consent; the referee may always decide alone."""
    rolled: tuple[int, ...] = ()
    """The versions with chance entries that would be undone or redone."""
    revealed: tuple[int, ...] = ()
    """The versions among them that showed or settled hidden information."""
    redo: bool = False
    """Whether an undone version is to be redone. Earlier releases did not record it."""


class UndoAnswered(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.UndoAnswered"
):
    """A seat or the referee responded to an undo request."""

    granted: bool


class LineContinued(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.LineContinued"
):
    """The line continues from an earlier version, or from one of an undone branch.

    The seat is the one that requested it.
    """

    to: int
    redo: bool = False
    """Whether an undone version is redone. Earlier releases did not record it."""
    rolled: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    """The versions that showed or settled hidden information, where nobody had to consent. Players
    still know it, for example the order of an unchanged deck. Earlier releases did not
    record it."""


class DisputeRaised(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.DisputeRaised"
):
    """A seat disputed an event. The version of this event is the dispute's number."""

    on: int
    reason: str


class VerdictGiven(
    MatchEvent, Generic[F], frozen=True, kw_only=True, omit_defaults=True, tag="match.VerdictGiven"
):
    """The referee resolved a dispute."""

    dispute: int
    verdict: VerdictKind
    reason: str
    rules: tuple[str, ...] = ()
    """The IDs of the rules that the verdict rests on."""
    to: int | None = None
    """The version from which the line continues, for a reverting verdict."""
    facts: tuple[F, ...] = ()
    """The facts that were applied, for a correcting verdict."""
    rolled: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    """The versions as in `LineContinued`, for a reverting verdict."""

    @property
    def precedent(self) -> str:
        """The name by which the verdict is cited."""
        return precedent(self.match, self.version)


def precedent(match: UUID, version: int) -> str:
    """Return the name by which a verdict is cited: 8 digits of its match, and its version.

    >>> precedent(UUID("1c0ffee5-0000-4000-8000-000000000000"), 41)
    '1c0ffee5-41'
    """
    return f"{match.hex[:8]}-{version}"


AdministrativeEvent = (
    MatchCreated
    | MatchUpdated
    | MatchCancelled
    | SeatClaimed
    | SeatLeft
    | MatchStarted
    | InviteCreated
    | InviteRevoked
    | RefereeInvited
    | RefereeSeated
    | PlayerResigned[Any]
    | FlagFell[Any]
    | DowntimeCredited
    | HintGiven
    | DrawOffered
    | DrawAnswered
    | SeedRotated
    | SeedRevealed
    | UndoRequested
    | UndoAnswered
    | LineContinued
    | DisputeRaised
    | VerdictGiven[Any]
)
"""An event of a match other than an action in its game."""
Event = AdministrativeEvent | ActionTaken[Any, Any]


Change_co = TypeVar("Change_co", covariant=True)


class FoldStep(Struct, Generic[Change_co], frozen=True):
    """An event as it is folded: its digest, and its changes."""

    event: Change_co
    digest: str


FoldInput = SealedEvent[Event] | FoldStep[AdministrativeEvent | ActionEffects[Any]]
"""An event that `evolve` accepts: whole, or only the part that folding needs."""
