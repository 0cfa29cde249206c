"""What there is in Res Arcana: options, a seat's area, the steps that wait, the whole state."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import force_setattr

from domain.games.res_arcana.bundles import NOTHING, Bundle, Types
from domain.games.res_arcana.packs import BASE, Pack
from domain.kernel.game import REFEREE
from domain.kernel.options import option

Seat = Literal["north", "east", "south", "west"]
SEATS: Final[tuple[Seat, ...]] = ("north", "east", "south", "west")
"""In clockwise order; a game of n seats has the first n."""
TABLE: Final = "table"
"""Who makes the entries of chance. It is not a player."""
OMNISCIENT: Final = (TABLE, REFEREE)
"""The viewers who see everything."""

HIDDEN: Final = "?"
"""Stands for a card where a viewer may not know which it is. Never in a log."""
CardId = Annotated[str, Meta(pattern=r"^(\?|[a-z0-9-]+)$")]
Power = Annotated[int, Meta(ge=1, le=9)]
Amount = Annotated[int, Meta(ge=1)]

HAND_SIZE: Final = 3
DEALT: Final = 8
"""Artifacts a seat starts with."""
TILES: Final = 5
"""Places of power, two sides each."""
DRAFT_PACK: Final = 4
MAGES_DEALT: Final = 2
ROW: Final = 2
"""Monuments that lie face up."""
YES: Final = "1"
"""How the option of the token says that it counts."""
TO_WIN: Final = 10
"""Points at a victory check that end the game."""


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What players may choose before a match."""

    players: Annotated[
        Literal[2, 3, 4],
        option(
            "Players",
            choices={2: "2 players", 3: "3 players", 4: "4 players"},
            description="How many seats play",
        ),
    ] = 2
    first: Annotated[
        Literal["north", "east", "south", "west", "random"],
        option(
            "Starting player",
            choices={
                "north": "North",
                "east": "East",
                "south": "South",
                "west": "West",
                "random": "Drawn by lot",
            },
            description="Who has the starting player token at the start",
        ),
    ] = "north"
    sides: Annotated[
        Literal["random", "a", "b"],
        option(
            "Places of power",
            choices={"random": "Drawn by lot", "a": "Side A", "b": "Side B"},
            description="Which side of each place of power is up: drawn, or all of one side",
        ),
    ] = "random"
    draft: Annotated[
        Literal["no", "yes"],
        option(
            "Artifacts",
            choices={"no": "Dealt", "yes": "Drafted"},
            description="Are artifacts drafted, in two rounds of four, and not dealt?",
        ),
    ] = "no"
    hand: Annotated[
        Literal["draw", "choose"] | None,
        option(
            "First hand",
            choices={None: "As is usual", "draw": "Drawn", "choose": "Chosen"},
            description="The first hand of three: drawn from the shuffled eight, or chosen. If left"
            " out, chosen after a draft and drawn otherwise",
        ),
    ] = None
    token: Annotated[
        Literal["1", "0"],
        option(
            "Starting player token",
            choices={"1": "Counts a point", "0": "Counts nothing"},
            description="Does the starting player token count a point?",
        ),
    ] = YES
    chance: Annotated[
        Literal["rolled", "entered"],
        option(
            "Shuffles",
            choices={"rolled": "By the service", "entered": "With real cards"},
            description="Who shuffles: the service, or the table with real cards",
        ),
    ] = "rolled"
    pack: Annotated[
        Pack,
        option(
            "Content pack",
            description="The content pack, by its SHA-256",
            extra_json_schema={
                "type": "string",
                "pattern": "^[0-9a-f]{64}$",
                "default": BASE.digest,
            },
        ),
    ] = field(default_factory=lambda: BASE)

    def __post_init__(self) -> None:
        if self.hand is None:
            force_setattr(self, "hand", "choose" if self.draft == "yes" else "draw")
        if self.first != "random" and self.first not in SEATS[: self.players]:
            raise ValueError(
                f"first is {self.first}, but a match of {self.players} has the seats"
                f" {', '.join(SEATS[: self.players])}"
            )


# --- steps: what waits to be done or answered ----------------------------------------------------


class Step(Struct, frozen=True, gc=False, tag_field="step"):
    """Something that waits. The first in the queue is what happens now."""


class Entering(Step, frozen=True, tag="entering"):
    """The table tells how the set-up fell out."""

    what: Literal["first", "sides", "monuments", "mages", "artifacts", "deal"]


class Choosing(Step, frozen=True, tag="choosing"):
    """All seats choose at once, in secret."""

    what: Literal["draft", "keep", "mage"]


class ChoosingItem(Step, frozen=True, tag="choosing-item"):
    """One seat takes a magic item."""


class Shuffling(Step, frozen=True, tag="shuffling"):
    """A pile goes card by card to the bottom of a seat's deck."""

    seat: Seat
    pile: Literal["pack", "discard"]


class Collecting(Step, frozen=True, tag="collecting"):
    """Phase 1: seats answer their questions."""


class Acting(Step, frozen=True, tag="acting"):
    """The seat whose turn it is acts."""


class Gaining(Step, frozen=True, tag="gaining"):
    """A seat chooses a mix of n essences."""

    seat: Seat
    n: Amount
    of: Types


class GainingSame(Step, frozen=True, tag="gaining-same"):
    """A seat chooses one type, n of it."""

    seat: Seat
    n: Amount
    of: Types


class Putting(Step, frozen=True, tag="putting"):
    """A seat chooses a mix of n essences to go onto a component."""

    seat: Seat
    card: CardId
    n: Amount
    of: Types


class Placing(Step, frozen=True, tag="placing"):
    """A seat may place an artifact by a power."""

    seat: Seat
    card: CardId
    power: Power


class Drawing(Step, frozen=True, tag="drawing"):
    """A seat draws n cards; `drop`: and then discards as many."""

    seat: Seat
    n: Amount
    then: Literal["keep", "drop"]


class Dropping(Step, frozen=True, tag="dropping"):
    """A seat discards n cards of its hand."""

    seat: Seat
    n: Amount


class Looking(Step, frozen=True, tag="looking"):
    """A seat is to look at the top n cards of its own or the monument deck."""

    seat: Seat
    pile: Literal["deck", "monuments"]
    n: Amount


class Ordering(Step, frozen=True, tag="ordering"):
    """A seat puts the top n cards back in any order."""

    seat: Seat
    pile: Literal["deck", "monuments"]
    n: Amount


class Losing(Step, frozen=True, tag="losing"):
    """A seat loses n life by a power of a card, or ignores it."""

    seat: Seat
    n: Amount
    card: CardId
    power: Power


class Revealing(Step, frozen=True, tag="revealing"):
    """The row of monuments is refilled."""


class Checking(Step, frozen=True, tag="checking"):
    """A victory check: who is asked, counted clockwise from the first player, and points added."""

    kind: Literal["end", "now"]
    asked: Annotated[int, Meta(ge=0)]
    added: tuple[int, ...]
    """By seat, in the order of areas."""


class Over(Step, frozen=True, tag="over"):
    """The end: who won, and each seat's points and essences, gold counted twice."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    essences: tuple[int, ...]


Waiting = (
    Entering
    | Choosing
    | ChoosingItem
    | Shuffling
    | Collecting
    | Acting
    | Gaining
    | GainingSame
    | Putting
    | Placing
    | Drawing
    | Dropping
    | Looking
    | Ordering
    | Losing
    | Revealing
    | Checking
    | Over
)

# --- what lies on the table ----------------------------------------------------------------------


class Component(Struct, frozen=True, gc=False):
    """A card on a seat's table."""

    id: CardId
    turned: bool = False
    on: Bundle = NOTHING
    """Essences on it, which are not in the pool."""


class Question(Struct, frozen=True, gc=False):
    """A question of the collect phase: `+` which mix, `?` take or leave, `!` upkeep."""

    sign: Literal["+", "?", "!"]
    card: CardId


class Area(Struct, frozen=True, gc=False):
    """All that is a seat's."""

    seat: Seat
    out: bool = False
    """Has it passed this round? A seat that is gone has, in every round."""
    pool: Bundle = NOTHING
    table: tuple[Component, ...] = ()
    """By id."""
    hand: tuple[CardId, ...] = ()
    """Sorted, as are discard, mages and pack."""
    deck: tuple[CardId, ...] = ()
    """Top first."""
    discard: tuple[CardId, ...] = ()
    mages: tuple[CardId, ...] = ()
    """The two that were dealt, until one lies on the table."""
    chosen: CardId | None = None
    """The mage chosen in secret."""
    pack: tuple[CardId, ...] = ()
    """In the set-up: the draft pack, or cards about to be shuffled."""
    todo: tuple[Question, ...] = ()
    gone: bool = False
    """Has it resigned, and the others play on?"""


# Parts of a state cannot form cycles, so the collector need not look at them (gc=False).
class State(Struct, frozen=True, kw_only=True, gc=False):
    """All that matters for the future of a game."""

    cards: Annotated[Pack, Meta(extra_json_schema={"type": "string"})]
    token: bool
    """Does the starting player token count?"""
    draft: bool = False
    """Is there a draft, still to end?"""
    hand: Literal["draw", "choose"] | None = None
    """How hands come about, as long as they have not."""
    round: Annotated[int, Meta(ge=0)] = 0
    first: Seat | None = None
    """Who has the starting player token."""
    turn: Seat | None = None
    """Whose action it is, in phase 2."""
    queue: tuple[Waiting, ...]
    items: tuple[CardId, ...] = ()
    """The supply. Sorted, as are places and row."""
    places: tuple[CardId, ...] = ()
    row: tuple[CardId, ...] = ()
    monuments: tuple[CardId, ...] = ()
    """The monument deck, top first."""
    areas: tuple[Area, ...]


def pack_of(state: State) -> Pack:
    """The cards this state is played with."""
    return state.cards


def area_of(state: State, seat: str) -> Area:
    """A seat's area."""
    return next(area for area in state.areas if area.seat == seat)


def component(area: Area, card: str) -> Component | None:
    """The component of this id, or None."""
    return next((each for each in area.table if each.id == card), None)


def clockwise_from(state: State, seat: Seat) -> tuple[Area, ...]:
    """All areas, clockwise, beginning with this seat's."""
    at = SEATS.index(seat)
    return state.areas[at:] + state.areas[:at]


def rivals(state: State, seat: Seat) -> tuple[Area, ...]:
    """The areas of a seat's rivals, clockwise from it. Who has resigned is nobody's rival."""
    return tuple(area for area in clockwise_from(state, seat)[1:] if not area.gone)


def playing(state: State) -> tuple[Area, ...]:
    """The areas of the seats that have not resigned."""
    return tuple(area for area in state.areas if not area.gone)
