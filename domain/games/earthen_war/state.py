"""What there is in Earthen-War: two golems with their control grids, dice, shells, and options."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.kernel.options import option

Seat = Literal["white", "black"]
SEATS: Final[tuple[Seat, Seat]] = ("white", "black")
OTHER: Final[dict[Seat, Seat]] = {"white": "black", "black": "white"}

Square = Annotated[str, Meta(pattern="^[a-h][0-9]$")]
"""A square of the battlefield or a trench: `c4`, `c0`."""

Colour = Literal["white", "black"]
"""Of a die: white moves, black attacks. It has nothing to do with the seats of these names."""
COLOURS: Final[tuple[Colour, Colour]] = ("white", "black")
OTHER_COLOUR: Final[dict[Colour, Colour]] = {"white": "black", "black": "white"}
DICE: Final = 10
"""The dice of each colour."""
Dots = Annotated[int, Meta(ge=1, le=3)]
TOP: Final = 3
"""The most dots on a die."""

Cell = Literal["fl", "f", "fr", "l", "c", "r", "bl", "b", "br"]
"""A square of a control grid, as its owner sees it: front, back, left, right, centre."""
CELLS: Final[tuple[Cell, ...]] = ("fl", "f", "fr", "l", "c", "r", "bl", "b", "br")
"""In reading order."""
CENTRE: Final[Cell] = "c"
EDGE: Final[tuple[Cell, ...]] = tuple(cell for cell in CELLS if cell != CENTRE)
"""The squares that can hold a die."""
CELL_NAMES: Final[dict[Cell, str]] = {
    "fl": "front-left", "f": "front", "fr": "front-right",
    "l": "left", "c": "centre", "r": "right",
    "bl": "back-left", "b": "back", "br": "back-right",
}  # fmt: skip

FUSE: Final = 3
"""The turns after which a shell explodes."""


Axes = Literal["white-column", "white-row"]
"""What the white one of the dice that locate a hit counts; the black one counts the other."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What players may choose before a match."""

    board: Annotated[
        int,
        option(
            "Battlefield size",
            ge=5,
            le=8,
            description="How many squares the battlefield is wide and deep",
        ),
    ] = 6
    artillery: Annotated[
        bool,
        option(
            "Artillery variant",
            description="Play the experimental variant, in which attacks can leave shells behind",
        ),
    ] = False
    offboard_attacks: Annotated[
        bool,
        option(
            "Attacks off the battlefield",
            description="May an attack land off the battlefield, just to downgrade its die?",
        ),
    ] = False
    dice_axes: Annotated[
        Axes,
        option(
            "White hit die",
            choices={"white-column": "Counts the columns", "white-row": "Counts the rows"},
            description="Of the two dice that locate a hit, does the white one count the columns,"
            " or the rows?",
        ),
    ] = "white-column"
    start: Annotated[
        Literal["c0-d7", "d0-c7"],
        option(
            "Trenches",
            choices={"c0-d7": "White left, Black right", "d0-c7": "White right, Black left"},
            description="Where the trenches lie, named as on 6 x 6: White's left of the middle and"
            " Black's right of it, or the other way round",
        ),
    ] = "c0-d7"


class Die(Struct, frozen=True, gc=False):
    """A die on a control grid."""

    colour: Colour
    dots: Dots
    used: bool = False
    """On its sun, used in this turn; else on its moon, available."""


class GridSquare(Struct, frozen=True):
    """A square of a control grid, with what lies on it."""

    die: Die | None = None
    damaged: bool = False


Grid = Annotated[tuple[GridSquare, ...], Meta(min_length=9, max_length=9)]
"""A control grid, its squares in the order of `CELLS`."""


class Golem(Struct, frozen=True):
    """A golem: where it stands, or where it fell, and the grid that controls it."""

    square: Square
    grid: Grid


class Initiative(Struct, frozen=True, tag="initiative"):
    """Each seat rolls two dice, White first, for who begins."""

    white_total: Annotated[int, Meta(ge=2, le=6)] | None = None
    """What White has rolled; None as long as White is to roll."""


Step = Literal["improve", "swap", "use"]
"""The phases of a turn in which its seat chooses; dice are refreshed before them."""


class Turn(Struct, frozen=True, tag="turn"):
    """A seat is in one of the phases of its turn."""

    seat: Seat
    step: Step


class Rolling(Struct, frozen=True, tag="rolling"):
    """A seat rolls a new die."""

    seat: Seat
    colour: Colour


class Placing(Struct, frozen=True, tag="placing"):
    """A seat places the new die that it has rolled."""

    seat: Seat
    colour: Colour
    dots: Dots


class Locating(Struct, frozen=True, tag="locating"):
    """A seat has hit what was damaged already, and rolls for another square of the enemy grid."""

    seat: Seat
    cell: Cell
    """The square that the attack came from."""


class Offering(Struct, frozen=True, tag="offering"):
    """A seat has attacked an empty square, and may place a shell there."""

    seat: Seat
    square: Square


class Outcome(Struct, frozen=True, tag="outcome"):
    """The game is over."""

    winner: Seat | None
    """None if both golems were destroyed at once."""


Phase = Initiative | Turn | Rolling | Placing | Locating | Offering | Outcome


class State(Struct, frozen=True):
    """All that matters for the future of a game."""

    options: Options
    phase: Phase
    white: Golem
    black: Golem
    shells: dict[Square, Annotated[int, Meta(ge=0, le=FUSE)]] = {}
    """The turns left to each; 0 only between the countdown and the explosion."""


def golem_of(state: State, seat: Seat) -> Golem:
    """This seat's golem."""
    return state.white if seat == "white" else state.black


def on_grid(grid: Grid, cell: Cell) -> GridSquare:
    """What lies on a square of a grid."""
    return grid[CELLS.index(cell)]


def die_on(grid: Grid, cell: Cell) -> Die | None:
    """The die on a square of a grid."""
    return on_grid(grid, cell).die


def supply(state: State, colour: Colour) -> int:
    """The dice of a colour that are on no grid, in no player's hand, and are no shells (EW-R3)."""
    taken = sum(
        square.die is not None and square.die.colour == colour
        for golem in (state.white, state.black)
        for square in golem.grid
    )
    if isinstance(state.phase, Rolling | Placing) and state.phase.colour == colour:
        taken += 1
    if colour == "black":
        taken += len(state.shells)
    return DICE - taken


def acting(phase: Phase) -> Seat | None:
    """The seat that is to act; nobody once the game is over."""
    match phase:
        case Initiative(white_total):
            return "white" if white_total is None else "black"
        case Outcome():
            return None
        case _:
            return phase.seat
