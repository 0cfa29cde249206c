"""Improving the grid by one die (PHASE 2: IMPROVE DICE)."""

from domain.games.earthen_war.facts import (
    DiePlaced,
    DieReturned,
    DieRolled,
    DieTaken,
    DieTurned,
    PhaseBegan,
)
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import (
    CELL_NAMES,
    CENTRE,
    DICE,
    EDGE,
    OTHER_COLOUR,
    TOP,
    Cell,
    Colour,
    Die,
    Placing,
    Seat,
    State,
    die_on,
    golem_of,
    supply,
)
from domain.kernel.rulings import Refused


def refuse_add(state: State, seat: Seat, colour: Colour) -> Refused | None:
    """Why no die of this colour can be added, or None."""
    if supply(state, colour) < 1:
        return Refused(
            "ew.improve.supply",
            f"all {DICE} {colour} dice are in use: choose {OTHER_COLOUR[colour]}, or no new die",
            {"supply": 0},
        )
    grid = golem_of(state, seat).grid
    if all(die_on(grid, cell) for cell in EDGE):
        return Refused(
            "ew.improve.full",
            f"every square of {seat.title()}'s grid but the centre holds a die: there is no room"
            " for another",
            {"dice": len(EDGE)},
        )
    return None


def refuse_place(state: State, seat: Seat, cell: Cell) -> Refused | None:
    """Why the new die cannot be placed here, or None."""
    if cell == CENTRE:
        return refuse_centre()
    if die_on(golem_of(state, seat).grid, cell) is not None:
        return Refused(
            "ew.grid.one",
            f"a die lies on {CELL_NAMES[cell]} already: place the new one on an empty square",
            {"grid_square": cell},
        )
    return None


def refuse_centre() -> Refused:
    """The centre is of no use for dice."""
    return Refused(
        "ew.grid.centre",
        "the centre holds no die: choose one of the eight squares around it",
        {"grid_square": CENTRE},
    )


def die_to_turn(state: State, seat: Seat, cell: Cell) -> Die | Refused:
    """The die on this square, or why there is none."""
    if cell == CENTRE:
        return refuse_centre()
    die = die_on(golem_of(state, seat).grid, cell)
    if die is not None:
        return die
    return Refused(
        "ew.grid.no-die",
        f"no die lies on {CELL_NAMES[cell]} of {seat.title()}'s grid: choose a square with a die",
        {"grid_square": cell},
    )


def refuse_upgrade(state: State, seat: Seat, cell: Cell) -> Refused | None:
    """Why the die on this square cannot show one dot more, or None."""
    die = die_to_turn(state, seat, cell)
    if isinstance(die, Refused):
        return die
    if die.dots < TOP:
        return None
    return Refused(
        "ew.improve.top",
        f"the die on {CELL_NAMES[cell]} shows {TOP} already, the most there is",
        {"grid_square": cell, "dots": die.dots},
    )


def refuse_downgrade(state: State, seat: Seat, cell: Cell) -> Refused | None:
    """Why the die on this square cannot show one dot less, or None."""
    die = die_to_turn(state, seat, cell)
    return die if isinstance(die, Refused) else None


def take(course: Resolution, seat: Seat, colour: Colour) -> None:
    """A new die, to be rolled."""
    left = supply(course.state, colour)
    course.record(
        DieTaken(seat, colour),
        "ew.improve.roll",
        colour=colour,
        supply_before=left,
        supply_after=left - 1,
    )


def roll(course: Resolution, seat: Seat, colour: Colour, dots: int) -> None:
    """The new die shows its number."""
    course.record(DieRolled(seat, colour, dots), "ew.improve.roll", colour=colour, dots=dots)


def place(course: Resolution, new: Placing, cell: Cell) -> None:
    """The new die is placed, on its moon."""
    course.record(
        DiePlaced(new.seat, cell, new.colour, new.dots),
        "ew.improve.roll",
        "ew.grid.one",
        colour=new.colour,
        dots=new.dots,
        grid_square=cell,
    )
    _improved(course, new.seat)


def upgrade(course: Resolution, seat: Seat, cell: Cell, die: Die) -> None:
    """One dot more."""
    course.record(
        DieTurned(seat, cell, die.dots + 1),
        "ew.improve.up",
        grid_square=cell,
        colour=die.colour,
        dots=die.dots + 1,
    )
    _improved(course, seat)


def downgrade(course: Resolution, seat: Seat, cell: Cell, die: Die) -> None:
    """One dot less; a 1 goes to the supply."""
    if die.dots == 1:
        course.record(
            DieReturned(seat, cell),
            "ew.improve.remove",
            grid_square=cell,
            colour=die.colour,
            dots=die.dots,
        )
    else:
        course.record(
            DieTurned(seat, cell, die.dots - 1),
            "ew.improve.down",
            grid_square=cell,
            colour=die.colour,
            dots=die.dots - 1,
        )
    _improved(course, seat)


def _improved(course: Resolution, seat: Seat) -> None:
    rules = ("ew.improve.one", "ew.turn.phases")
    course.record(PhaseBegan(seat, "swap"), *rules, improvements=1, phase="swap")


def leave_unimproved(course: Resolution, seat: Seat) -> None:
    """The seat improves nothing."""
    rules = ("ew.improve.one", "ew.turn.phases")
    course.record(PhaseBegan(seat, "swap"), *rules, improvements=0, phase="swap")
