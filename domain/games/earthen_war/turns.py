"""Who begins, and how a turn begins (INTRODUCTION, PHASE 1: REFRESH DICE)."""

from domain.games.earthen_war.artillery import count_down
from domain.games.earthen_war.facts import (
    DiceRefreshed,
    InitiativeRolled,
    InitiativeTied,
    TurnBegan,
)
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import OTHER, Initiative, Seat, golem_of
from domain.kernel.rulings import Figures


def roll_initiative(course: Resolution, waiting: Initiative, first: int, second: int) -> None:
    """White's two dice, or Black's, by which it is settled who begins, or both roll again."""
    total = first + second
    seat: Seat = "white" if waiting.white_total is None else "black"
    dice: Figures = {"seat": seat, "dice": f"{first} {second}", "total": total}
    course.record(InitiativeRolled(seat, total), "ew.setup.initiative", **dice)
    if waiting.white_total is None:
        return
    totals: Figures = {"white_total": waiting.white_total, "black_total": total}
    if total == waiting.white_total:
        course.record(InitiativeTied(), "ew.setup.tie", **totals)
    else:
        begins: Seat = "white" if waiting.white_total > total else "black"
        _begin(course, begins, ("ew.setup.initiative",), totals | {"first": begins})


def end_turn(course: Resolution, seat: Seat) -> None:
    """The seat has done what it wanted with its dice, and the other's turn begins."""
    grid = golem_of(course.state, seat).grid
    unused = sum(square.die is not None and not square.die.used for square in grid)
    figures: Figures = {"dice_not_used": unused, "next": OTHER[seat]}
    _begin(course, OTHER[seat], ("ew.turn.end", "ew.turn.order"), figures)


def _begin(course: Resolution, seat: Seat, rules: tuple[str, ...], figures: Figures) -> None:
    course.record(TurnBegan(seat), *rules, **figures)
    grid = golem_of(course.state, seat).grid
    used = sum(square.die is not None and square.die.used for square in grid)
    if used:
        course.record(DiceRefreshed(seat), "ew.refresh.all", seat=seat, dice=used)
    count_down(course)
