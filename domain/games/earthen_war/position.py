"""Positions as one line of text; reading them is in `position_reading`."""

from typing import Final, assert_never

from domain.games.earthen_war.battlefield import plan_of
from domain.games.earthen_war.state import (
    CELLS,
    Die,
    Grid,
    GridSquare,
    Initiative,
    Locating,
    Offering,
    Options,
    Outcome,
    Phase,
    Placing,
    Rolling,
    State,
    Turn,
    acting,
)

VERSION: Final = "ew1"


def write_position(state: State) -> str:
    """The state as one line of nine fields."""
    seat = acting(state.phase)
    shells = ",".join(f"{square}={turns}" for square, turns in sorted(state.shells.items()))
    fields = (
        VERSION,
        write_board(state.options),
        "-" if seat is None else seat[0],
        _write_phase(state.phase),
        f"{state.white.square},{state.black.square}",
        write_grid(state.white.grid),
        write_grid(state.black.grid),
        shells or "-",
        write_result(state.phase),
    )
    return " ".join(fields)


def write_board(options: Options) -> str:
    """The size of the battlefield and the variants, as `6ao`, `8rm`."""
    _, mirrored = plan_of(options)
    letters = {
        "a": options.artillery,
        "o": options.offboard_attacks,
        "r": options.dice_axes == "white-row",
        "m": mirrored,
    }
    return str(options.board) + "".join(letter for letter, on in letters.items() if on)


def _write_phase(phase: Phase) -> str:
    match phase:
        case Initiative(None):
            return "init"
        case Initiative(total):
            return f"init:{total}"
        case Turn(_, step):
            return step
        case Rolling(_, colour):
            return f"roll:{colour}"
        case Placing(_, colour, dots):
            return f"place:{write_die(Die(colour, dots))}"
        case Locating(_, cell):
            return f"hit:{cell}"
        case Offering(_, square):
            return f"shell:{square}"
        case Outcome():
            return "-"
        case unreachable:
            assert_never(unreachable)


def write_result(phase: Phase) -> str:
    """Who has won, `draw`, or `*` while the game goes on."""
    return (phase.winner or "draw") if isinstance(phase, Outcome) else "*"


def write_grid(grid: Grid) -> str:
    """A control grid as three rows, as `.,W1,./.,.,./.,.,.`."""
    rows = (grid[n : n + 3] for n in range(0, len(CELLS), 3))
    return "/".join(",".join(map(_write_square, row)) for row in rows)


def _write_square(square: GridSquare) -> str:
    return ("." if square.die is None else write_die(square.die)) + "x" * square.damaged


def write_die(die: Die) -> str:
    """A die as `W2`, or `W2u` if it has been used."""
    return f"{die.colour[0].upper()}{die.dots}" + "u" * die.used
