"""What there is in A.G.O.G.: two seats, units on a board, two supplies, and the options."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.kernel.options import option

Seat = Literal["white", "black"]
SEATS: Final[tuple[Seat, Seat]] = ("white", "black")
OTHER: Final[dict[Seat, Seat]] = {"white": "black", "black": "white"}

Unit = Annotated[str, Meta(pattern="^[GHCJghcj]$")]
"""Golem, hulk, corrupted hulk, journeyman, as positions write them: capitals are White's."""

OWN: Final[dict[Seat, str]] = {"white": "GHCJ", "black": "ghcj"}
GOLEM: Final[dict[Seat, Unit]] = {"white": "G", "black": "g"}
HULK: Final[dict[Seat, Unit]] = {"white": "H", "black": "h"}
OWNER: Final[dict[str, Seat]] = {unit: seat for seat, units in OWN.items() for unit in units}
"""The player whose colour is on top."""
CORRUPTED: Final[dict[Seat, Unit]] = {"white": "C", "black": "c"}
JOURNEYMAN: Final[dict[Seat, Unit]] = {"white": "J", "black": "j"}
FLIERS_OF: Final[dict[Seat, str]] = {"white": "HC", "black": "hc"}
FLIERS: Final = "".join(FLIERS_OF.values())
"""Units that move and capture at any distance; golems and journeymen act on what is adjacent."""

UNIT_NAMES: Final = {"g": "golem", "h": "hulk", "c": "corrupted hulk", "j": "journeyman"}
STACKS: Final[dict[str, tuple[int, int]]] = {
    "G": (1, 0), "H": (2, 0), "C": (1, 1), "J": (0, 0),
    "g": (0, 1), "h": (0, 2), "c": (1, 1), "j": (0, 0),
}  # fmt: skip
"""How many white and how many black golems lie in a unit. A journeyman has none."""
GOLEMS: Final = 20
"""The golems each player owns."""

FREE: Final = "."
"""How a board shows a square without a unit."""
BAR: Final = "/"
"""What stands between two rows of a board."""

Reason = Literal["capture", "sanctum", "immobile", "resign"]
Square = Annotated[str, Meta(pattern="^[a-h][1-8]$")]
Supply = Annotated[int, Meta(ge=0, le=GOLEMS)]
Board = Annotated[str, Meta(pattern="^([.GHCJghcj]{8}/){7}[.GHCJghcj]{8}$")]
"""Eight rows, rank 8 first, files a to h, `/` between rows, `.` for a free square.

The `/` bars every line at the edge, so that patterns over the text never run round a corner.
"""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What players may choose before a match."""

    handicap: Annotated[
        int,
        option(
            "Handicap",
            ge=0,
            le=GOLEMS,
            description="How many golems Black, the stronger player, leaves off",
        ),
    ] = 0
    handicap_tie: Annotated[
        Literal["front", "spine"],
        option(
            "Handicap ties",
            choices={
                "front": "Nearer to the enemy first",
                "spine": "Nearer to the long diagonal first",
            },
            description="Which of two pairs equally far from the centre is left off first: the one "
            "nearer to the enemy (front) or to the long diagonal (spine)",
        ),
    ] = "front"
    handicap_supply: Annotated[
        bool,
        option(
            "Handicap golems can corrupt",
            description="Do golems left off count as removed from play, so that Black can corrupt"
            " with them?",
        ),
    ] = False
    fresh_supply: Annotated[
        bool,
        option(
            "Freed golems can corrupt at once",
            description="May a golem that a capturing sequence has freed be used to corrupt a unit "
            "later in the same sequence?",
        ),
    ] = False


class Outcome(Struct, frozen=True, gc=False):
    """How a game ended."""

    winner: Seat
    reason: Reason


# A state and its parts cannot form cycles, so the collector need not look at them (gc=False):
# trees of play hold many states.
class State(Struct, frozen=True, gc=False):
    """All that matters for the future of a game."""

    board: Board
    turn: Seat | Outcome
    """Who is to move; when the game is over, how it ended."""
    white_supply: Supply = 0
    """White golems that have been removed from play."""
    black_supply: Supply = 0
    fresh_supply: bool = False
    """Option `fresh_supply`, the only one that matters after the start."""


def supply_of(state: State, seat: Seat) -> int:
    """This player's golems that have been removed from play."""
    return state.white_supply if seat == "white" else state.black_supply


def name_of(unit: str) -> str:
    """The rulebook's word for a unit.

    >>> name_of("C")
    'corrupted hulk'
    """
    return UNIT_NAMES[unit.lower()]
