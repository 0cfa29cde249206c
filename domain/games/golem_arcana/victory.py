"""How a battle ends, and who has won (GAME SETUP: Game Length, Victory Points)."""

from domain.games.golem_arcana.battle import Battle
from domain.games.golem_arcana.cards import Seat
from domain.games.golem_arcana.course import Course
from domain.games.golem_arcana.facts import GameEnded
from domain.kernel.game import Figures


def check_end(course: Course) -> bool:
    """End the game if Victory Points or the loss of Golems end it now. Is it over?"""
    if course.state.outcome is not None:
        return True
    battle = course.battle
    if _target_reached(battle):
        _end(course, _ahead(battle), "ga.end.target", {"target": battle.scenario.vp_target or 0})
    elif _all_but_one_fallen(battle):
        left = battle.fighting()
        figures: Figures = {"left": ", ".join(left) or "nobody"}
        _end(course, _survivors(battle, left), "ga.end.elimination", figures)
    return course.state.outcome is not None


def end_rounds(course: Course) -> None:
    """End the game after the last Turn of its last Round."""
    rounds = course.battle.scenario.rounds
    _end(course, _ahead(course.battle), "ga.end.rounds", {"rounds": rounds})


def reason(battle: Battle) -> str:
    """Why a battle that is over has ended: `target`, `elimination` or `rounds`."""
    if _target_reached(battle):
        return "target"
    return "elimination" if _all_but_one_fallen(battle) else "rounds"


def _target_reached(battle: Battle) -> bool:
    target = battle.scenario.vp_target
    return target is not None and any(seat.vp >= target for seat in battle.state.seats.values())


def _all_but_one_fallen(battle: Battle) -> bool:
    return battle.scenario.elimination != "continue" and len(battle.fighting()) <= 1


def _ahead(battle: Battle) -> list[Seat]:
    """The seats with the most Victory Points, in Turn order."""
    seats = battle.state.seats
    most = max(purse.vp for purse in seats.values())
    return [seat for seat in battle.seats if seats[seat].vp == most]


def _survivors(battle: Battle, left: list[Seat]) -> list[Seat]:
    """Who leads when at most one seat has Golems: that seat, or who has most points (GA-R38)."""
    ahead = _ahead(battle)
    if not left:
        return ahead
    if battle.scenario.elimination == "win" or left[0] in ahead:
        return left
    return ahead


def _end(course: Course, leaders: list[Seat], rule: str, figures: Figures) -> None:
    points = {f"vp_{seat}": purse.vp for seat, purse in course.state.seats.items()}
    course.explain({**figures, **points}, rule, "ga.end.winner")
    course.happen(GameEnded(tuple(leaders), len(leaders) == 1, reason(course.battle)))
