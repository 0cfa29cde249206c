"""Using a black die (PHASE 4: USE DICE - ATTACKING)."""

from domain.games.earthen_war.artillery import offer
from domain.games.earthen_war.battlefield import WAYS, compass, plan_of, ray
from domain.games.earthen_war.damage import hit
from domain.games.earthen_war.facts import DieExtinguished, DieReturned
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import (
    CELL_NAMES,
    OTHER,
    Cell,
    Seat,
    Square,
    State,
    golem_of,
)
from domain.kernel.rulings import Figures, Refused


def target(state: State, seat: Seat, cell: Cell, dots: int) -> Square | None:
    """Where the attack lands, which may be a trench; None off the battlefield."""
    return ray(plan_of(state.options), golem_of(state, seat).square, WAYS[seat][cell], dots)[-1]


def refuse_attack(state: State, seat: Seat, cell: Cell, dots: int) -> Refused | None:
    """Why this attack cannot be made, or None."""
    if state.options.offboard_attacks or target(state, seat, cell, dots) is not None:
        return None
    start, way = golem_of(state, seat).square, compass(seat, cell)
    return Refused(
        "ew.attack.board",
        f"the black {dots} on {CELL_NAMES[cell]} attacks exactly {dots} to the {way} of {start},"
        " which is off the battlefield: an attack must land on a square",
        {"from": start, "dots": dots, "direction": way},
    )


def attack(course: Resolution, seat: Seat, cell: Cell, dots: int) -> None:
    """The die is reduced or spent, whatever the attack hits; then the hit, or perhaps a shell."""
    state = course.state
    landing = target(state, seat, cell, dots)
    figures: Figures = {
        "grid_square": cell,
        "direction": compass(seat, cell),
        "from": golem_of(state, seat).square,
        "to": landing or "off the battlefield",
        "distance": dots,
    }
    exact = ("ew.grid.direction", "ew.attack.exact")
    if dots == 1:
        course.record(DieReturned(seat, cell), *exact, "ew.attack.spend", **figures)
    else:
        course.record(DieExtinguished(seat, cell, 1), *exact, "ew.attack.reduce", **figures)
    over = _between(state, seat, cell, dots)
    if over:
        course.explain("ew.attack.over", over=" ".join(over), to=figures["to"])
    if landing == golem_of(state, OTHER[seat]).square:
        hit(course, seat, cell, figures)
        return
    course.explain("ew.attack.empty", to=figures["to"])
    if state.options.artillery:
        offer(course, seat, landing)


def _between(state: State, seat: Seat, cell: Cell, dots: int) -> list[Square]:
    """The squares with a golem or a shell that the attack flies over."""
    own, enemy = golem_of(state, seat), golem_of(state, OTHER[seat])
    passed = ray(plan_of(state.options), own.square, WAYS[seat][cell], dots)[:-1]
    return [square for square in passed if square == enemy.square or square in state.shells]
