"""Work that is to be resolved: what waits for somebody, and what goes on by itself."""

from typing import assert_never

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.charges import advance
from domain.games.golem_arcana.battle.deployment import unplaced
from domain.games.golem_arcana.battle.displacement import displace, places, step_places
from domain.games.golem_arcana.battle.rounds import begin, end_turn
from domain.games.golem_arcana.battle.surprises import candidates_left, meet
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.facts import EncounterHidden, GolemHeld, WorkDone, WorkQueued
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import (
    Advance,
    Begin,
    Choice,
    DealQuest,
    DeployArmy,
    Displace,
    Hide,
    Item,
    Meet,
    Roll,
    Step,
    resigned_seats,
    seat_of,
)
from domain.kernel.game import REFEREE


def settle(course: Resolution) -> None:
    """Carry work out until some of it waits for somebody, or the game is over.

    Work of the destroyed is nobody's: it does not stay behind what waits. What would wait for a
    seat that is out lapses, and so does the rest of its Turn.
    """
    while course.state.outcome is None:
        todo, turn = course.state.todo, course.state.turn
        if todo and lapses(course.battle, todo[0]):
            _lapse(course, todo[0])
        elif todo and waits(course.battle, todo[0]):
            _forget_the_fallen(course)
            return
        elif todo:
            _carry_out(course, todo[0])
        elif turn is not None and course.battle.is_out(turn):
            end_turn(course, turn)
        else:
            return


def _forget_the_fallen(course: Resolution) -> None:
    todo = course.state.todo
    left = tuple(item for item in todo if worker(item) in (None, *course.state.golems))
    if left != todo:
        for _ in todo:
            course.record(WorkDone())
        course.record(WorkQueued(left))


def worker(item: Item) -> str | None:
    """The Golem whose work this is; None for the work of a seat or of the referee."""
    match item:
        case Roll(attacker=golem) | Displace(golem=golem) | Advance(golem=golem):
            return golem
        case Step(golem=golem) | Meet(golem=golem) | Choice(golem=golem):
            return golem
        case Hide() | DealQuest() | DeployArmy() | Begin():
            return None
        case unreachable:
            assert_never(unreachable)


def waits(battle: Battle, item: Item) -> bool:
    """Does this item, at the front, need a decision or an entry?"""
    match item:
        case Begin() | Advance() | Meet():
            return False
        case DeployArmy(seat=seat):
            return bool(unplaced(battle, seat))
        case Displace():
            return len(places(battle, item)) > 1
        case Step(golem=golem):
            return golem in battle.state.golems and bool(step_places(battle, item))
        case Choice(golem=golem):
            return golem in battle.state.golems
        case Hide(encounter=name):
            return len(candidates_left(battle, name)) > 1
        case DealQuest() | Roll():
            return True
        case unreachable:
            assert_never(unreachable)


def lapses(battle: Battle, item: Item) -> bool:
    """Is this item, at the front, the affair of a seat that is out?"""
    if isinstance(item, Advance):
        return battle.is_out(seat_of(item.golem))
    return waits(battle, item) and asked(item) in resigned_seats(battle.state)


def _lapse(course: Resolution, item: Item) -> None:
    """Answer for a seat that is out with the least: no blow, no step, no choice; who would be
    displaced stays; who is not deployed is held in reserve."""
    if isinstance(item, DeployArmy):
        for name in unplaced(course.battle, item.seat):
            course.record(GolemHeld(name), "ga.resign.least")
    course.record(WorkDone(), "ga.resign.least")


def asked(item: Item) -> str:
    """The seat, or the referee, that an item at the front waits for."""
    match item:
        case Hide():
            return REFEREE
        case DealQuest(seat=seat) | DeployArmy(seat=seat) | Displace(seat=seat):
            return seat
        case Roll(attacker=golem) | Step(golem=golem) | Choice(golem=golem):
            return _seat(golem)
        case Begin() | Advance() | Meet():
            raise AssertionError("waits for nobody")
        case unreachable:
            assert_never(unreachable)


def _seat(golem: str) -> Seat:
    return seat_of(golem)


def _hide(course: Resolution, name: str) -> None:
    """Hide an encounter in the one Region that is left; where none is, it is left out."""
    left = candidates_left(course.battle, name)
    course.record(WorkDone())
    for region in left:
        course.record(EncounterHidden(name, region), "ga.setup.order")


def _carry_out(course: Resolution, item: Item) -> None:
    match item:
        case Begin():
            course.record(WorkDone())
            begin(course)
        case Advance():
            advance(course, item)
        case Meet(golem=golem):
            course.record(WorkDone())
            meet(course, golem)
        case Displace():
            possible = places(course.battle, item)
            if possible:
                displace(course, item, possible[0])
            else:
                course.record(WorkDone(), "ga.displace.place", possible="nowhere")
        case Hide(encounter=name):
            _hide(course, name)
        case Step(golem=golem) if golem in course.state.golems:
            course.record(WorkDone(), "ga.step.place", possible="nowhere")
        case DeployArmy() | Step() | Choice():
            course.record(WorkDone())
        case DealQuest() | Roll():
            raise AssertionError("waits for somebody")
        case unreachable:
            assert_never(unreachable)
