"""How a battle ends, and who has won (GAME SETUP: Game Length, Victory Points).

It is sides that win, a seat without a partner being one of its own: their Victory Points are those
of all their seats together. Seats that are out never win, but their points stay with their side.
"""

from collections.abc import Iterable

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.sides import Side
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.facts import GameEnded
from domain.games.golem_arcana.resolution import Resolution
from domain.kernel.rulings import Figures


def check_end(course: Resolution) -> bool:
    """End the game if Victory Points or the loss of Golems end it now. Is it over?"""
    if course.state.outcome is not None:
        return True
    battle = course.battle
    if _target_reached(battle):
        _end(course, _ahead(battle), "ga.end.target", {"target": battle.scenario.vp_target or 0})
    elif _all_but_one_fallen(battle):
        figures: Figures = {"left": ", ".join(battle.fighting()) or "nobody"}
        _end(course, _survivors(battle), "ga.end.elimination", figures)
    return course.state.outcome is not None


def end_rounds(course: Resolution) -> None:
    """End the game after the last Turn of its last Round."""
    rounds = course.battle.scenario.rounds
    _end(course, _ahead(course.battle), "ga.end.rounds", {"rounds": rounds})


def end_with_the_last(course: Resolution) -> bool:
    """End the game if all seats but those of one side are out. Is it over?"""
    last = course.battle.sides_in
    if len(last) == 1:
        _end(course, last, "ga.end.last", {"left": ", ".join(leaders(course.battle, last))})
    return course.state.outcome is not None


def reason(battle: Battle) -> str:
    """Why a battle that is over has ended: `resign`, `target`, `elimination` or `rounds`."""
    if len(battle.sides_in) < 2:
        return "resign"
    if _target_reached(battle):
        return "target"
    return "elimination" if _all_but_one_fallen(battle) else "rounds"


def leaders(battle: Battle, sides: Iterable[Side]) -> tuple[Seat, ...]:
    """The seats of these sides that are not out, in Turn order."""
    among = {seat for side in sides for seat in side}
    return tuple(seat for seat in battle.seats if seat in among and not battle.is_out(seat))


def _points(battle: Battle, side: Side) -> int:
    return sum(battle.state.seats[seat].vp for seat in side)


def _target_reached(battle: Battle) -> bool:
    target = battle.scenario.vp_target
    return target is not None and any(_points(battle, side) >= target for side in battle.sides_in)


def _standing(battle: Battle) -> list[Side]:
    """The sides that have Golems left."""
    fighting = battle.fighting()
    return [side for side in battle.sides if any(seat in fighting for seat in side)]


def _all_but_one_fallen(battle: Battle) -> bool:
    return battle.scenario.elimination != "continue" and len(_standing(battle)) <= 1


def _ahead(battle: Battle) -> list[Side]:
    """The sides with the most Victory Points, in Turn order."""
    most = max(_points(battle, side) for side in battle.sides_in)
    return [side for side in battle.sides_in if _points(battle, side) == most]


def _survivors(battle: Battle) -> list[Side]:
    """Who leads when at most one side has Golems: that side, or who has most points (GA-R38)."""
    ahead, left = _ahead(battle), _standing(battle)
    if left and (battle.scenario.elimination == "win" or left[0] in ahead):
        return left
    return ahead


def _end(course: Resolution, sides: Iterable[Side], rule: str, figures: Figures) -> None:
    ahead = tuple(sides)
    points = {f"vp_{seat}": purse.vp for seat, purse in course.state.seats.items()}
    course.explain_next(rule, "ga.end.winner", **figures, **points)
    won = leaders(course.battle, ahead)
    course.record(GameEnded(won, len(ahead) == 1, reason(course.battle)))
