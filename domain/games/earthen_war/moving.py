"""Using a white die (PHASE 4: USE DICE - MOVING)."""

from collections.abc import Iterable

from domain.games.earthen_war.artillery import explode
from domain.games.earthen_war.battlefield import WAYS, Plan, compass, is_trench, plan_of, ray
from domain.games.earthen_war.facts import DieExtinguished, GolemMoved
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import (
    CELL_NAMES,
    OTHER,
    Cell,
    Outcome,
    Seat,
    Square,
    State,
    golem_of,
)
from domain.kernel.rulings import Figures, Refused


def path(state: State, seat: Seat, cell: Cell, dots: int) -> tuple[Square | None, ...]:
    """The squares of a move one after the other; None for what is off the battlefield."""
    return ray(plan_of(state.options), golem_of(state, seat).square, WAYS[seat][cell], dots)


def obstacle(
    plan: Plan, squares: Iterable[Square | None], enemy: Square
) -> tuple[str, Square | None] | None:
    """The first rule against going over these squares, and the square that it is about."""
    for square in squares:
        if square is None:
            return "ew.move.board", None
        if is_trench(plan, square):
            return "ew.move.trench", square
        if square == enemy:
            return "ew.move.golem", square
    return None


def refuse_move(state: State, seat: Seat, cell: Cell, dots: int) -> Refused | None:
    """Why this seat's golem cannot go the whole way, or None. Shells stop nobody."""
    start, enemy = golem_of(state, seat).square, golem_of(state, OTHER[seat]).square
    found = obstacle(plan_of(state.options), path(state, seat, cell, dots), enemy)
    if found is None:
        return None
    rule, square = found
    figures: Figures = {"from": start, "dots": dots, "direction": compass(seat, cell)}
    going = (
        f"the white {dots} on {CELL_NAMES[cell]} takes the golem from {start} exactly {dots}"
        f" {'square' if dots == 1 else 'squares'} {compass(seat, cell)}"
    )
    whys = {
        "ew.move.board": "which is off the battlefield: it must stay on it",
        "ew.move.trench": f"into the trench {square}: no golem may enter a starting square",
        "ew.move.golem": f"but {OTHER[seat].title()}'s golem is on {square}: it can be neither"
        " entered nor passed",
    }
    return Refused(rule, f"{going}, {whys[rule]}", figures | ({"square": square} if square else {}))


def move(course: Resolution, seat: Seat, cell: Cell, dots: int) -> None:
    """The golem goes its way; shells explode before it enters their squares, and one that destroys
    a golem, of either side, ends the battle and the move with it (EW-R13)."""
    start = here = golem_of(course.state, seat).square
    squares = [square for square in path(course.state, seat, cell, dots) if square is not None]
    course.record(DieExtinguished(seat, cell, dots), "ew.move.keep", grid_square=cell, dots=dots)
    for square in squares:
        if square in course.state.shells:
            _advance(course, seat, cell, dots, (start, here))
            start = here
            explode(course, {square: "ew.shell.walk"})
            if isinstance(course.state.phase, Outcome):
                return
        here = square
    _advance(course, seat, cell, dots, (start, here))


def _advance(
    course: Resolution, seat: Seat, cell: Cell, dots: int, stretch: tuple[Square, Square]
) -> None:
    """The golem goes to the square before a shell, or to the end of its move."""
    start, end = stretch
    if start == end:
        return
    figures: Figures = {
        "grid_square": cell,
        "direction": compass(seat, cell),
        "dots": dots,
        "from": start,
        "to": end,
    }
    course.record(GolemMoved(seat, start, end), "ew.grid.direction", "ew.move.exact", **figures)
