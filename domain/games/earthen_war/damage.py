"""Damage tokens and the end of the game (PHASE 4: DAMAGE)."""

from typing import Final

from domain.games.earthen_war.battlefield import compass
from domain.games.earthen_war.facts import GameEnded, GridDamaged, LocationAwaited, PhaseBegan
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import (
    CELLS,
    OTHER,
    SEATS,
    Axes,
    Cell,
    Grid,
    Outcome,
    Seat,
    golem_of,
    on_grid,
)
from domain.kernel.rulings import Figures

Line = tuple[Cell, Cell, Cell]

LINES: Final[tuple[Line, ...]] = (
    ("fl", "f", "fr"), ("l", "c", "r"), ("bl", "b", "br"),
    ("fl", "l", "bl"), ("f", "c", "b"), ("fr", "r", "br"),
    ("fl", "c", "br"), ("fr", "c", "bl"),
)  # fmt: skip
"""Rows, columns, diagonals."""


def line_of(grid: Grid) -> Line | None:
    """Three damaged squares in a row, a column or a diagonal, or None."""
    damaged = {cell for cell, square in zip(CELLS, grid, strict=True) if square.damaged}
    return next((line for line in LINES if damaged.issuperset(line)), None)


def located(axes: Axes, white: int, black: int) -> Cell:
    """The square that two dice give: one is the column, the other one the row (EW-R8).

    Both show 1 to 3, counted from the left and from the front by the victim's view.

    >>> located("white-column", white=1, black=3)
    'bl'
    >>> located("white-row", white=1, black=3)
    'fr'
    """
    column, row = (white, black) if axes == "white-column" else (black, white)
    return CELLS[(row - 1) * 3 + column - 1]


def hit(course: Resolution, attacker: Seat, cell: Cell, figures: Figures) -> None:
    """An attack from this square of the attacker's grid has hit the enemy golem.

    `figures` tell the attack.
    """
    victim = OTHER[attacker]
    side = figures | {"victim": victim, "damaged": cell}
    if on_grid(golem_of(course.state, victim).grid, cell).damaged:
        course.record(LocationAwaited(attacker, cell), "ew.damage.side", "ew.damage.again", **side)
        return
    course.record(
        GridDamaged(victim, cell), "ew.damage.side", **side, attack_from=compass(victim, cell)
    )
    conclude(course)


def locate(course: Resolution, attacker: Seat, white: int, black: int) -> None:
    """The location dice have been rolled."""
    victim, axes = OTHER[attacker], course.state.options.dice_axes
    cell = located(axes, white, black)
    figures: Figures = {
        "white_die": white,
        "black_die": black,
        "victim": victim,
        "grid_square": cell,
    }
    if axes == "white-row":
        figures["dice_axes"] = axes
    if on_grid(golem_of(course.state, victim).grid, cell).damaged:
        course.record(
            PhaseBegan(attacker, "use"), "ew.damage.coordinate", "ew.damage.none", **figures
        )
        return
    course.record(GridDamaged(victim, cell), "ew.damage.coordinate", **figures)
    if white == black == 2:
        course.explain("ew.damage.centre", white_die=white, black_die=black)
    conclude(course)
    if not isinstance(course.state.phase, Outcome):
        course.record(PhaseBegan(attacker, "use"), "ew.turn.phases", phase="use")


def conclude(course: Resolution) -> None:
    """Look for lines, once all damage of one hit or one chain of explosions is done (EW-R18)."""
    lines = {seat: line for seat in SEATS if (line := line_of(golem_of(course.state, seat).grid))}
    figures: Figures = {f"{seat}_line": " ".join(line) for seat, line in lines.items()}
    match list(lines):
        case []:
            return
        case [loser]:
            course.record(GameEnded(OTHER[loser]), "ew.end.line", **figures)
        case _:
            course.record(GameEnded(None), "ew.end.line", "ew.end.draw", **figures)
