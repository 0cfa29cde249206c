"""What there is in Tokar's Arcana: models on a board, two graveyards, questions, options."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

from domain.kernel.options import option

Seat = Literal["south", "north"]
SEATS: Final[tuple[Seat, Seat]] = ("south", "north")
OTHER: Final[dict[Seat, Seat]] = {"south": "north", "north": "south"}

Race = Literal["human", "undead"]
Rank = Literal["soldier", "sergeant", "lieutenant", "captain", "chief", "general"]
RANKS: Final[tuple[Rank, ...]] = (
    "soldier", "sergeant", "lieutenant", "captain", "chief", "general",
)  # fmt: skip
"""Lowest first."""

Unit = Literal["I", "K", "W", "P", "Q", "A", "D", "B", "S", "Z", "M", "T", "X", "N"]
UNITS: Final[tuple[Unit, ...]] = (
    "I", "K", "W", "P", "Q", "A", "D", "B", "S", "Z", "M", "T", "X", "N",
)  # fmt: skip
"""In the order in which a graveyard is written."""
GENERALS: Final[tuple[Unit, ...]] = ("B", "N")

Square = Annotated[str, Meta(pattern="^[a-h][1-9][0-9]?$")]
Grave = Annotated[str, Meta(pattern="^I*K*W*P*Q*A*D*B*S*Z*M*T*X*N*$")]
"""The units in a graveyard, in the order of `UNITS`."""

TOKENS: Final = 3
"""How many tokens a firebrew puts on a model."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What players may choose before a match."""

    rows: Annotated[
        int, option("Board depth", ge=8, le=12, description="How many rows deep the board is")
    ] = 10
    south: Annotated[
        Race,
        option(
            "South's army",
            choices={"human": "Humans", "undead": "Undead"},
            description="South's army",
        ),
    ] = "human"
    north: Annotated[
        Race,
        option(
            "North's army",
            choices={"human": "Humans", "undead": "Undead"},
            description="North's army",
        ),
    ] = "undead"
    formation: Annotated[
        Literal["rotated", "mirrored"],
        option(
            "Formation",
            choices={"rotated": "Rotated", "mirrored": "Mirrored"},
            description="North sets up from its own left as South does (rotated: the generals on e"
            " and d), or as South's mirror image (mirrored: both generals on e)",
        ),
    ] = "rotated"
    first: Annotated[
        Literal["south", "north", "random"],
        option(
            "First turn",
            choices={"south": "South", "north": "North", "random": "Drawn by lot"},
            description="Who takes the first turn",
        ),
    ] = "south"
    debriefing: Annotated[
        bool,
        option(
            "Study the armies first",
            description="Do both study the armies and say ready before the first turn?",
        ),
    ] = False
    check: Annotated[
        bool, option("Announce check", description="Is a threat to a general announced?")
    ] = True
    friendly_fire: Annotated[
        Literal["cards", "any", "explicit"],
        option(
            "Friendly fire",
            choices={
                "cards": "As the cards say",
                "any": "The Blue Knight too",
                "explicit": "Teleport and explosion only",
            },
            description="Which models may kill models of their own side: all whose card does not"
            " say enemy (cards), the Blue Knight too (any), or only the Wind Mage's teleport and"
            " the explosion (explicit)",
        ),
    ] = "cards"
    offboard: Annotated[
        Literal["kill", "forbid"],
        option(
            "Walking off the board",
            choices={"kill": "Kills the model", "forbid": "Forbidden"},
            description="May models walk off the board, and die by it?",
        ),
    ] = "kill"
    passing: Annotated[
        Literal["always", "stuck"],
        option(
            "Passing",
            choices={"always": "Always allowed", "stuck": "Only without a legal order"},
            description="May a player always pass, or only without any order to give?",
        ),
    ] = field(default="always", name="pass")
    warrior: Annotated[
        Literal["both", "either"],
        option(
            "Imperial Warrior",
            choices={"both": "Steps and strikes", "either": "Steps or strikes"},
            description="May an Imperial Warrior step and strike in one order, or only do one?",
        ),
    ] = "both"
    trade: Annotated[
        Literal["board", "graveyard"],
        option(
            "Necromancer gives in trade",
            choices={"board": "Two models on the board", "graveyard": "Two dead models"},
            description="Does a Necromancer give two models of the board in trade, or two dead?",
        ),
    ] = "board"
    trade_square: Annotated[
        Literal["freed", "empty"],
        option(
            "Square of a traded model",
            choices={"freed": "Freed squares too", "empty": "Empty squares only"},
            description="May what a Necromancer trades for stand on a square that the traded models"
            " leave (freed), or only where nobody stood before (empty)?",
        ),
    ] = "freed"
    raise_rank: Annotated[
        Literal["exact", "class"],
        option(
            "Zombie raises",
            choices={"exact": "The same rank", "class": "The same class"},
            description="Does a Zombie raise a unit of the victim's very rank, or of its class, in"
            " which sergeants and lieutenants are one?",
        ),
    ] = "exact"
    gestures: Annotated[
        Literal["refused", "allowed"],
        option(
            "Orders without effect",
            choices={"refused": "Refused", "allowed": "Allowed"},
            description="May a model strike or throw at nobody, vanquish nobody, slay nobody, or"
            " throw at a model that burns?",
        ),
    ] = "refused"
    both_generals: Annotated[
        Literal["actor", "draw"],
        option(
            "Both generals die",
            choices={"actor": "Player on turn wins", "draw": "Draw"},
            description="If both generals die at once: has the player on turn won, or nobody?",
        ),
    ] = "actor"
    draw_offers: Annotated[
        bool, option("Draw offers", description="May players agree to a draw?")
    ] = True
    quiet_limit: Annotated[
        int,
        option(
            "Quiet turns until a draw",
            ge=0,
            le=1000,
            description="After how many turns in a row without a death or a return from a"
            " graveyard the game is drawn; 0: never",
        ),
    ] = 0


# A state and its parts cannot form cycles, so the collector need not look at them (gc=False):
# trees of play hold many states.
class Model(Struct, frozen=True, gc=False, omit_defaults=True):
    """One figure on the board, or in the air."""

    seat: Seat
    unit: Unit
    tokens: Annotated[int, Meta(ge=0, le=TOKENS)] = 0
    """Firebrew tokens on it."""
    moved: bool = False
    """A Dark Priest that another model has moved: it takes no order in its owner's next turn."""


Board = dict[Square, Model]
"""The models by square."""


class Briefing(Struct, frozen=True, gc=False, tag="briefing"):
    """Before the first turn both seats study the armies."""

    waiting: tuple[Seat, ...]
    """Who has not yet said ready."""


class Toss(Struct, frozen=True, gc=False, tag="toss"):
    """Who begins is to be entered."""


class Ordering(Struct, frozen=True, gc=False, omit_defaults=True, tag="ordering"):
    """The seat on turn gives its order."""

    declined: bool = False
    """Its draw offer of this turn was declined."""


class DrawPending(Struct, frozen=True, gc=False, tag="draw-pending"):
    """The draw offer of the seat on turn waits for the opponent."""


class Placing(Struct, frozen=True, gc=False, tag="placing"):
    """Vanquished models are in the air; the first is placed next."""

    models: tuple[Model, ...]


class Raise(Struct, frozen=True, gc=False):
    """A zombie on this square may raise a unit of this rank."""

    square: Square
    rank: Rank


class Angels(Struct, frozen=True, gc=False, omit_defaults=True, tag="angels"):
    """Priests were killed, and their angels may answer; the first is asked."""

    seats: tuple[Seat, ...]
    """Whose priests."""
    raising: Raise | None = None
    """The question that comes after."""
    at_end: bool = False
    """They burned at the end of the turn."""


class Raising(Struct, frozen=True, gc=False, tag="raising"):
    """The seat on turn may raise a unit."""

    offer: Raise


Reason = Literal["general", "resign", "generals", "agreement", "quiet"]


class Over(Struct, frozen=True, gc=False, tag="over"):
    """The game has ended."""

    winner: Seat | None
    reason: Reason


Phase = Briefing | Toss | Ordering | DrawPending | Placing | Angels | Raising | Over


class State(Struct, frozen=True, gc=False):
    """All that matters for the future of a game."""

    options: Options
    board: Board
    graves: dict[Seat, Grave]
    turn: Seat | None
    """Whose turn it is, after the end whose it was; None until the toss is entered."""
    phase: Phase
    quiet: int = 0
    """Turns in a row without a death or a return, if option `quiet_limit` counts them."""


def units_in(grave: Grave) -> list[Unit]:
    """The units in a graveyard, in its order.

    >>> units_in("IIK")
    ['I', 'I', 'K']
    """
    return [unit for unit in UNITS for _ in range(grave.count(unit))]


def general_square(board: Board, seat: Seat) -> Square | None:
    """Where this seat's general stands; None if it is dead."""
    for square, model in board.items():
        if model.unit in GENERALS and model.seat == seat:
            return square
    return None
