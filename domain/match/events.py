"""What happens to a match. Stored for ever, so the names and fields are the storage format.

A field that is added later has a default, which stands for what was so before; any other change is
a new event beside the old one.
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
"""Characters in a player's name or a match's title, at most."""

Chance = Literal["entered", "rolled"]
"""Who tells what chance shows: the players, from real dice and cards, or the service."""
UndoPolicy = Literal["free", "consent", "referee", "none"]
"""Who must agree to an undo: nobody while no other seat has acted since, every opponent, the
referee; or it is not possible at all."""
Visibility = Literal["private", "public", "unlisted"]
"""Who may look on as a spectator: whoever has a token of the match, or anybody; an unlisted one is
for anybody who knows its id, and no list has it."""
SubstitutePolicy = Literal["nobody", "referee"]
"""Who may act for a seat whose player is gone for good."""
StartPolicy = Literal["at-once", "when-full"]
"""When a match begins: as it is created, or when its last seat is taken."""
RefereePolicy = Literal["creator", "nobody", "invited", "operator"]
"""Who referees: whoever created the match, nobody, whoever takes the role by a code, or whom the
operator of the service names."""
JoinPolicy = Literal["invited", "linked", "anybody"]
"""Who may take a seat while a match waits: whoever has its code, or one code for all seats, or
anybody."""
SeatAssignment = Literal["chosen", "in-order", "drawn"]
"""Which seat a player has: the one that was taken, the first that is open, or one that is drawn
when the match begins."""
HelpPolicy = Literal["none", "hints"]
"""What the service tells a seat that asks for help: nothing, or what a bot would do; and then tells
everybody that it was asked."""
VerdictKind = Literal["upheld", "reverted", "corrected"]


class ForkPoint(Struct, frozen=True):
    """Where a fork starts from."""

    match: UUID
    version: int


class MatchEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """What every event of a match has."""

    match: UUID
    version: int
    """Counted from 1 in each match."""
    at: datetime
    request: str
    """The client's id of the request, so that a repetition records nothing. Where the answer gave
    out a token it is a digest of the id: whoever knows the id itself is given the token again."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits, so that nobody finds out what the event says by trying
    which content has its digest. Events of earlier versions may have none, or 64 digits."""

    @property
    def aggregate(self) -> UUID:
        """The name under which the event store knows the match."""
        return self.match


class MatchCreated(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.MatchCreated"
):
    """A match began."""

    game: str
    options: dict[str, Any]
    """All of them, defaults written out: what a default is may change."""
    start: str
    """The first position, as notation: what `start` gives may change too."""
    seats: tuple[str, ...]
    invitations: dict[str, str]
    """Digests of the tokens given out at creation, by role: each seat, referee, spectator. Where
    the match begins when it is full, those of the seats are codes: they are good for taking a seat,
    and show nothing."""
    title: str = ""
    rulings: tuple[Ruling, ...] = ()
    chance: Chance = "entered"
    seat_chance: dict[str, Chance] = {}
    """The seats for which it is not as `chance` says. Entries that are no seat's follow that."""
    commitment: str = ""
    """Of the seed that all draws come from, where the service rolls, or deals face down."""
    undo: UndoPolicy = "consent"
    pause: bool = False
    """Nobody acts while a dispute is open."""
    origin: ForkPoint | None = None
    visibility: Visibility = "private"
    stand_in: SubstitutePolicy = "nobody"
    clock: TimeControl | None = None
    """What time each seat has."""
    seat_clocks: dict[str, TimeControl] = {}
    """The seats that have another clock than the others."""
    frontend: UUID | None = None
    """Who created it, if a frontend did: what it uses counts towards that one's quotas."""
    begins: StartPolicy = "at-once"
    referee: RefereePolicy = "creator"
    admission: JoinPolicy = "invited"
    seat_order: SeatAssignment = "chosen"
    rematch: UUID | None = None
    """The match whose players play again here, each in the seat after their own."""
    creator: str = ""
    """Who made it, as an opaque name that is the same for all matches of one maker."""
    run: Run | None = None
    """The run of the service that the committed seed comes from; None if it comes from none."""
    players_only: bool = False
    """Seats are taken by players of frontends alone."""
    help: HelpPolicy = "none"
    waiting_seconds: int = 0
    """How long it waits for its seats to be taken, before it is cancelled; 0 for ever."""
    shared: bool = False
    """Lists of other frontends show it as well."""


class MatchUpdated(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.MatchUpdated"
):
    """Who looks after the match changed what is said of it. What is None stays as it was."""

    title: str | None = None
    visibility: Visibility | None = None
    shared: bool | None = None


class MatchCancelled(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.MatchCancelled"
):
    """A match that waited for its seats will never begin."""

    expired: bool = False
    """Its time to wait was over; else somebody cancelled it."""
    by: str = ""
    """Who cancelled it: a seat, `referee`, `creator`, `frontend` or `operator`. Earlier releases
    did not record it."""
    by_player: UUID | None = None
    """The player of a frontend who cancelled it."""


class SeatClaimed(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeatClaimed"
):
    """A player took a seat, and from now on holds its only valid token."""

    seat: str
    player: str
    """A name; empty for a player of a frontend, whose name is no part of the log."""
    key: str
    """The digest of the player's token; empty for a player of a frontend, whose own is good."""
    entropy: str = ""
    """The player's own share in all later draws."""
    creator: bool = False
    """It is the seat that whoever created the match took with that."""
    holder: UUID | None = None
    """The player of a frontend who took it."""
    bot: str = ""
    """The level of the bot that took it, in a word; empty for people."""


class SeatLeft(MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeatLeft"):
    """A player gave a seat back. Its invitation is valid again, unless there is a new one."""

    seat: str
    key: str = ""
    """The digest of the code for the next player, where the first one has died."""


class MatchStarted(MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.Began"):
    """The last seat was taken, in a match that waited for that: now it is played."""

    seats: dict[str, str] = {}
    """Where the seats were drawn: each, with the one that its player had taken."""
    draw: int | None = None
    """The number of that draw."""


class InviteCreated(MatchEvent, frozen=True, kw_only=True, tag="match.InviteCreated"):
    """A code was given out: for a seat, for any open seat (`link`), or to look on (`spectator`).
    Every code or token for that role before it is void."""

    role: str
    key: str
    """The digest of the code."""


class InviteRevoked(MatchEvent, frozen=True, kw_only=True, tag="match.InviteRevoked"):
    """Every code and token that was given out for a role is void, but for that of who has taken
    it."""

    role: str


class RefereeInvited(MatchEvent, frozen=True, kw_only=True, tag="match.RefereeInvited"):
    """A code was given out for the referee's role. Whoever has the role keeps it until then."""

    key: str
    """The digest of the code."""


class RefereeSeated(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.RefereeSeated"
):
    """Somebody took the referee's role by a code, and from now on holds its only valid token."""

    player: str
    key: str
    """The digest of that token; empty for a player of a frontend, whose own is good."""
    holder: UUID | None = None
    """The player of a frontend who took it."""


class SeatEvent(MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeatEvent"):
    """What somebody brought about."""

    seat: str
    """Whose doing it was: a seat's, or the referee's."""
    source: Origin = UNKNOWN_ORIGIN


class ActionTaken(
    SeatEvent, Generic[A, F], frozen=True, kw_only=True, omit_defaults=True, tag="match.ActionTaken"
):
    """A seat acted, and this is what followed."""

    action: A
    facts: tuple[F, ...]
    rulings: tuple[Ruling, ...] = ()
    entry: bool = False
    """It told what chance showed."""
    draw: int | None = None
    """The service made this entry, with the match's draw of this number."""


class ActionEffects(Struct, Generic[F], frozen=True, tag_field="type", tag="match.ActionTaken"):
    """An `ActionTaken` without who, what and why: as much of it as folding needs. Never stored."""

    version: int
    at: datetime
    request: str
    seat: str
    facts: tuple[F, ...]
    draw: int | None = None


class PlayerResigned(
    SeatEvent, Generic[F], frozen=True, kw_only=True, omit_defaults=True, tag="match.Resigned"
):
    """A seat gave up, in a game whose own notation has no way to say so.

    With facts the game goes on by them, and the seat is out of it. Without, the match is over, and
    all others have won.
    """

    facts: tuple[F, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class FlagFell(
    MatchEvent, Generic[F], frozen=True, kw_only=True, omit_defaults=True, tag="match.TimeRanOut"
):
    """A seat's clock ran out. As for `PlayerResigned`: with facts the game continues without the
    seat, and without the match is over, and all others have won."""

    seat: str
    facts: tuple[F, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class DowntimeCredited(MatchEvent, frozen=True, kw_only=True, tag="match.ClocksHeld"):
    """The service was away, and took it off nobody's clock but those of correspondence."""

    since: datetime


class HintGiven(MatchEvent, frozen=True, kw_only=True, tag="match.HintGiven"):
    """A seat asked what to do, and was told. What it was told may show what it holds, and is no
    part of the log: it follows from the match and the rules of that release."""

    seat: str


class DrawOffered(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.DrawOffered"
):
    """A seat offered to end the match without a winner. The offer ends when anyone acts."""


class DrawAnswered(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.DrawAnswered"
):
    """A seat answered the offer; when all others have accepted it, the match is over."""

    accepted: bool


class SeedRotated(MatchEvent, frozen=True, kw_only=True, tag="match.ChanceRenewed"):
    """The service has begun another run: later draws come from another seed, which nobody can know
    even if the log was put back to what it was. The seed before is revealed with the others."""

    run: Run
    commitment: str
    """To that seed."""


class SeedRevealed(
    MatchEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.SeedRevealed"
):
    """The match is over, and everybody can check its draws."""

    seed: str
    """Hexadecimal."""
    following: str
    """The commitment to the seed of later draws, should the match be taken back and go on."""
    earlier: tuple[str, ...] = ()
    """The seeds that were renewed since one was revealed, in order."""


class UndoRequested(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.UndoAsked"
):
    """A seat asked that the line go on from another version. The request ends when anyone acts."""

    to: int
    awaiting: tuple[str, ...]
    """The seats that must consent; the referee alone always may."""
    rolled: tuple[int, ...] = ()
    """The versions that would be left or taken up again, and told what chance showed."""
    revealed: tuple[int, ...] = ()
    """Those of them that showed, or settled, what had been hidden from somebody."""
    redo: bool = False
    """It is asked that an undone version be taken up again. Earlier releases did not record it."""


class UndoAnswered(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.UndoAnswered"
):
    """A seat, or the referee, granted or refused the request."""

    granted: bool


class LineContinued(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.LineContinued"
):
    """From here on the match goes on from an earlier version, or from one of an undone branch. The
    seat is who asked for it."""

    to: int
    redo: bool = False
    """An undone version is taken up again. Earlier releases did not record it."""
    rolled: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    """As in `UndoRequested`, where nobody had to consent: what these versions showed stays
    known to the players, as the order of a deck that is as it was. Earlier releases did not
    record it."""


class DisputeRaised(
    SeatEvent, frozen=True, kw_only=True, omit_defaults=True, tag="match.DisputeRaised"
):
    """A seat questions an event. The dispute is known by this event's version."""

    on: int
    reason: str


class VerdictGiven(
    MatchEvent, Generic[F], frozen=True, kw_only=True, omit_defaults=True, tag="match.VerdictGiven"
):
    """The referee's answer to a dispute."""

    dispute: int
    verdict: VerdictKind
    reason: str
    rules: tuple[str, ...] = ()
    """The rule ids that it rests on."""
    to: int | None = None
    """The version from which the line goes on, if it was reverted."""
    facts: tuple[F, ...] = ()
    """What became true, if the position was corrected."""
    rolled: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    """As in `LineContinued`, if it was reverted."""

    @property
    def precedent(self) -> str:
        """The name by which the verdict is cited."""
        return precedent(self.match, self.version)


def precedent(match: UUID, version: int) -> str:
    """The name of the verdict that is this event: the first 8 digits of its match, its version.

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
"""What happens to the match beside the game."""
Event = AdministrativeEvent | ActionTaken[Any, Any]


Change_co = TypeVar("Change_co", covariant=True)


class FoldStep(Struct, Generic[Change_co], frozen=True):
    """An event as it is folded: its digest, and what it changed."""

    event: Change_co
    digest: str


FoldInput = SealedEvent[Event] | FoldStep[AdministrativeEvent | ActionEffects[Any]]
"""What `evolve` takes: an event whole, or as much of it as it needs."""
