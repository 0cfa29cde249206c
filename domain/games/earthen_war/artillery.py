"""The optional variant: shells, their countdown and explosions (ARTILLERY)."""

from collections.abc import Collection, Mapping

from domain.games.earthen_war.battlefield import FIELDS, around, plan_of, towards
from domain.games.earthen_war.damage import conclude
from domain.games.earthen_war.facts import (
    GridDamaged,
    PhaseBegan,
    ShellExploded,
    ShellOffered,
    ShellPlaced,
    ShellsCountedDown,
)
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import (
    FUSE,
    SEATS,
    Seat,
    Square,
    State,
    golem_of,
    on_grid,
    supply,
)
from domain.kernel.rulings import Figures


def offer(course: Resolution, seat: Seat, target: Square | None) -> None:
    """An attack that hit no golem has landed: a shell may follow, if there is room and a die."""
    state = course.state
    figures: Figures = {"square": target or "off the battlefield"}
    if target not in FIELDS[state.options.board] or target in state.shells:
        course.explain("ew.shell.empty", **figures)
        return
    left = supply(state, "black")
    if left < 1:
        course.explain("ew.shell.supply", **figures, supply=left)
        return
    course.record(ShellOffered(seat, target), "ew.shell.place", **figures, supply=left)


def put(course: Resolution, seat: Seat, target: Square) -> None:
    """The seat places the shell."""
    course.record(ShellPlaced(target, FUSE), "ew.shell.place", square=target, turns=FUSE)
    course.record(PhaseBegan(seat, "use"), "ew.turn.phases", phase="use")


def decline(course: Resolution, seat: Seat, target: Square) -> None:
    """The seat places no shell."""
    course.record(PhaseBegan(seat, "use"), "ew.shell.decline", square=target, phase="use")


def count_down(course: Resolution) -> None:
    """A turn begins, of whichever seat (EW-R17): the shells that are due explode together."""
    shells = course.state.shells
    if not shells:
        return
    course.record(ShellsCountedDown(), "ew.shell.countdown", shells=len(shells))
    due = sorted(square for square, turns in course.state.shells.items() if turns == 0)
    explode(course, dict.fromkeys(due, "ew.shell.explode"))


def explode(course: Resolution, causes: Mapping[Square, str]) -> None:
    """These shells explode, each by the rule it is given with, and set off those around them.

    All damage of the chain counts at the same time; then lines are looked for.
    """
    plan = plan_of(course.state.options)
    chain = dict.fromkeys(causes, "")
    for square in chained(course.state, causes):
        chain[square] = next(near for near in chain if near in around(plan, square))
    for square, set_off_by in chain.items():
        figures: Figures = {"square": square, "turns_left": course.state.shells[square]}
        if set_off_by:
            rule, figures["set_off_by"] = "ew.shell.chain", set_off_by
        else:
            rule = causes[square]
        course.record(ShellExploded(square), rule, **figures)
    for square in chain:
        _damage(course, square)
    if chain:
        conclude(course)


def chained(state: State, first: Collection[Square]) -> list[Square]:
    """The shells that exploding ones set off, one after another, without the first ones."""
    found: list[Square] = []
    reached, waiting = set(first), list(first)
    while waiting:
        near = around(plan_of(state.options), waiting.pop(0))
        new = sorted(square for square in state.shells if square in near and square not in reached)
        reached.update(new)
        waiting += new
        found += new
    return found


def _damage(course: Resolution, shell: Square) -> None:
    for seat in SEATS:
        golem = golem_of(course.state, seat)
        if golem.square not in around(plan_of(course.state.options), shell):
            continue
        cell = towards(seat, golem.square, shell)
        figures: Figures = {"shell": shell, "golem": golem.square, "seat": seat, "damaged": cell}
        if on_grid(golem.grid, cell).damaged:
            course.explain("ew.shell.damage", "ew.shell.repeat", **figures)
        else:
            course.record(GridDamaged(seat, cell), "ew.shell.damage", **figures)
