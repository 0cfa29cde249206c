"""The optional variant: shells, their countdown and explosions (ARTILLERY)."""

from collections.abc import Collection, Mapping

from domain.games.earthen_war.battlefield import FIELDS, around, plan_of, towards
from domain.games.earthen_war.course import Account
from domain.games.earthen_war.damage import conclude
from domain.games.earthen_war.facts import (
    GridDamaged,
    PhaseBegan,
    ShellExploded,
    ShellOffered,
    ShellPlaced,
    ShellsCountedDown,
)
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
from domain.kernel.game import Figures


def offer(account: Account, seat: Seat, target: Square | None) -> None:
    """An attack that hit no golem has landed: a shell may follow, if there is room and a die."""
    state = account.state
    figures: Figures = {"square": target or "off the battlefield"}
    if target not in FIELDS[state.options.board] or target in state.shells:
        account.explain(("ew.shell.empty",), figures)
        return
    left = supply(state, "black")
    if left < 1:
        account.explain(("ew.shell.supply",), figures | {"supply": left})
        return
    account.add(ShellOffered(seat, target), ("ew.shell.place",), figures | {"supply": left})


def put(account: Account, seat: Seat, target: Square) -> None:
    """The seat places the shell."""
    account.add(ShellPlaced(target, FUSE), ("ew.shell.place",), {"square": target, "turns": FUSE})
    account.add(PhaseBegan(seat, "use"), ("ew.turn.phases",), {"phase": "use"})


def decline(account: Account, seat: Seat, target: Square) -> None:
    """The seat places no shell."""
    account.add(PhaseBegan(seat, "use"), ("ew.shell.decline",), {"square": target, "phase": "use"})


def count_down(account: Account) -> None:
    """A turn begins, of whichever seat (EW-R17): the shells that are due explode together."""
    shells = account.state.shells
    if not shells:
        return
    account.add(ShellsCountedDown(), ("ew.shell.countdown",), {"shells": len(shells)})
    due = sorted(square for square, turns in account.state.shells.items() if turns == 0)
    explode(account, dict.fromkeys(due, "ew.shell.explode"))


def explode(account: Account, causes: Mapping[Square, str]) -> None:
    """These shells explode, each by the rule it is given with, and set off those around them.

    All damage of the chain counts at the same time; then lines are looked for.
    """
    plan = plan_of(account.state.options)
    chain = dict.fromkeys(causes, "")
    for square in chained(account.state, causes):
        chain[square] = next(near for near in chain if near in around(plan, square))
    for square, set_off_by in chain.items():
        figures: Figures = {"square": square, "turns_left": account.state.shells[square]}
        if set_off_by:
            rule, figures["set_off_by"] = "ew.shell.chain", set_off_by
        else:
            rule = causes[square]
        account.add(ShellExploded(square), (rule,), figures)
    for square in chain:
        _damage(account, square)
    if chain:
        conclude(account)


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


def _damage(account: Account, shell: Square) -> None:
    for seat in SEATS:
        golem = golem_of(account.state, seat)
        if golem.square not in around(plan_of(account.state.options), shell):
            continue
        cell = towards(seat, golem.square, shell)
        figures: Figures = {"shell": shell, "golem": golem.square, "seat": seat, "damaged": cell}
        if on_grid(golem.grid, cell).damaged:
            account.explain(("ew.shell.damage", "ew.shell.repeat"), figures)
        else:
            account.add(GridDamaged(seat, cell), ("ew.shell.damage",), figures)
