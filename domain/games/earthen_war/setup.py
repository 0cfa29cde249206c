"""The starting position (SETTING UP)."""

from domain.games.earthen_war.battlefield import TRENCHES, plan_of
from domain.games.earthen_war.state import (
    CELLS,
    SEATS,
    Cell,
    Die,
    Golem,
    GridSquare,
    Initiative,
    Options,
    Seat,
    State,
)
from domain.kernel.rulings import Ruling

_FIRST_DIE = Die("white", 1)
_FIRST_CELL: Cell = "f"


def seats(options: Options) -> tuple[Seat, ...]:
    """White and Black, whatever the options."""
    del options
    return SEATS


def start(options: Options) -> State:
    """The position in which White rolls for the initiative."""
    grid = tuple(GridSquare(_FIRST_DIE if cell == _FIRST_CELL else None) for cell in CELLS)
    trenches = TRENCHES[plan_of(options)]
    return State(
        options, Initiative(), Golem(trenches["white"], grid), Golem(trenches["black"], grid)
    )


def opening(options: Options) -> tuple[Ruling, ...]:
    """Why the starting position is what it is."""
    trenches = TRENCHES[plan_of(options)]
    return (
        Ruling(
            ("ew.setup.board",),
            {
                "squares": f"{options.board} x {options.board}",
                "white_trench": trenches["white"],
                "black_trench": trenches["black"],
            },
        ),
        Ruling(
            ("ew.setup.die",),
            {"colour": _FIRST_DIE.colour, "dots": _FIRST_DIE.dots, "grid_square": _FIRST_CELL},
        ),
    )
