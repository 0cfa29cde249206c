"""The lesson that a tutorial tells now."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.prompts import WANTS
from domain.games.golem_arcana.content.cards import Lesson
from domain.games.golem_arcana.content.lessons import lessons
from domain.games.golem_arcana.content.vocabulary import Attack
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.state import seat_of


def lesson(battle: Battle) -> Lesson | None:
    """The lesson for the seat that is to act; None if there is none, or the battle is over."""
    course = lessons(battle.pack, battle.state.scenario)
    seat = acting(battle.state)
    if not course or seat is None:
        return None
    asked = WANTS[type(battle.state.todo[0])] if battle.state.todo else None
    if asked is not None:
        return next((each for each in course if each.asked == asked), None)
    in_a_row = (each for each in course if each.asked is None)
    return next((each for each in in_a_row if not _done(battle, seat, each)), None)


def _done(battle: Battle, seat: str, step: Lesson) -> bool:
    if step.round is not None:
        return battle.state.round >= step.round
    return step.until is not None and _ENDS[step.until](battle, seat)


def _moved(battle: Battle, seat: str) -> bool:
    """Is a Golem of the seat gone from where it began?"""
    army = battle.scenario.armies.get(seat_of(seat))
    starts = army.golems if army else ()
    return any(
        (golem := battle.state.golems.get(f"{seat[0]}{number}")) is not None
        and golem.where != start.at
        for number, start in enumerate(starts, 1)
    )


def _attacked(battle: Battle, seat: str) -> bool:
    """Has an enemy lost Hit Points, or does an attack of the seat cool?"""
    if _destroyed(battle, seat):
        return True
    for name, golem in battle.state.golems.items():
        if battle.hostile(seat, name):
            if golem.hp < battle.card(name).hp:
                return True
        elif any(isinstance(battle.abilities(name).get(each), Attack) for each in golem.heat):
            return True
    return False


def _destroyed(battle: Battle, seat: str) -> bool:
    """Is an enemy Golem gone?"""
    enemies = sum(
        len(army.golems)
        for owner, army in battle.scenario.armies.items()
        if battle.hostile(seat, owner)
    )
    return sum(battle.hostile(seat, name) for name in battle.state.golems) < enemies


_ENDS: Final[Mapping[str, Callable[[Battle, str], bool]]] = {
    "moved": _moved,
    "attacked": _attacked,
    "destroyed": _destroyed,
}
"""How it is known that a lesson is done, by the word of its `until`."""
