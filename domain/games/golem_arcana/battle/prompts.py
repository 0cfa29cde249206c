"""Open questions: which actions answer them, what may be answered, what an answer does."""

from collections.abc import Iterator
from typing import Final, assert_never

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.attacks import resolve
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.deployment import (
    deploy,
    hold,
    refuse_deploy,
    refuse_hold,
    unplaced,
)
from domain.games.golem_arcana.battle.displacement import (
    displace,
    places,
    refuse_displacement,
    refuse_step,
    step,
    step_places,
)
from domain.games.golem_arcana.battle.naming import find_golem
from domain.games.golem_arcana.battle.surprises import candidates_left, choose, encounter_of
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.facts import EncounterHidden, QuestDealt, WorkDone
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
)
from domain.kernel.rulings import Refused

ANSWERS: Final[dict[type, tuple[type, ...]]] = {
    Hide: (a.EnterHiding,),
    DealQuest: (a.EnterQuest,),
    DeployArmy: (a.Deploy, a.Hold),
    Roll: (a.RollDice,),
    Displace: (a.ChooseRegion, a.RollDie),
    Step: (a.TakeStep, a.Stay),
    Choice: (a.Choose,),
}
"""The actions that answer each question."""

WANTS: Final[dict[type, str]] = {
    Hide: "hide",
    DealQuest: "quest",
    DeployArmy: "deploy",
    Roll: "dice",
    Displace: "displace",
    Step: "step",
    Choice: "choose",
}
"""What is asked for, in a word."""

_DICE: Final = tuple(f"{n:02}" for n in range(100))


def is_entry(item: Item) -> bool:
    """Is the answer what chance has shown?"""
    match item:
        case Hide() | DealQuest() | Roll():
            return True
        case Displace():
            return item.way == "random"
        case _:
            return False


def entries(battle: Battle, item: Item) -> list[str]:
    """The numbers that may be entered for a question that is answered by one."""
    match item:
        case Roll():
            return list(_DICE)
        case Hide(encounter=name):
            return _numbers(len(candidates_left(battle, name)))
        case DealQuest():
            dealt = {str(quest.number) for quest in battle.state.quests.values()}
            return [n for n in _numbers(len(battle.scenario.quests)) if n not in dealt]
        case Displace():
            return _numbers(len(places(battle, item)))
        case Choice(encounter=name):
            return _numbers(len(encounter_of(battle, name).choices))
        case _:
            return []


def _numbers(most: int) -> list[str]:
    return [str(n) for n in range(1, most + 1)]


def answers(battle: Battle, item: Item) -> Iterator[Action]:
    """Every action that answers an open question."""
    match item:
        case Hide():
            yield from map(a.EnterHiding, entries(battle, item))
        case DealQuest():
            yield from map(a.EnterQuest, entries(battle, item))
        case DeployArmy(seat=seat):
            for name in unplaced(battle, seat):
                for region in battle.pack.zone(battle.scenario.id, seat):
                    if refuse_deploy(battle, seat, name, region) is None:
                        yield a.Deploy(name, region)
                if refuse_hold(battle, seat, name) is None:
                    yield a.Hold(name)
        case Roll():
            yield from map(a.RollDice, entries(battle, item))
        case Displace():
            if item.way == "random":
                yield from map(a.RollDie, entries(battle, item))
            else:
                yield from map(a.ChooseRegion, places(battle, item))
        case Step():
            yield from map(a.TakeStep, step_places(battle, item))
            yield a.Stay()
        case Choice():
            yield from map(a.Choose, entries(battle, item))
        case Begin() | Advance() | Meet():
            return
        case unreachable:
            assert_never(unreachable)


def refuse_answer(battle: Battle, item: Item, action: Action) -> Refused | None:
    """Why an action of the right kind does not answer the question."""
    match action, item:
        case (a.Deploy(), DeployArmy(seat=seat)):
            found = find_golem(battle, seat, action.golem)
            return found or refuse_deploy(battle, seat, action.golem, action.region)
        case (a.Hold(), DeployArmy(seat=seat)):
            found = find_golem(battle, seat, action.golem)
            return found or refuse_hold(battle, seat, action.golem)
        case (a.ChooseRegion(region=region), Displace()):
            if item.way == "random":
                return other_prompt(item)
            return _refuse_region(battle, region) or refuse_displacement(battle, item, region)
        case (a.RollDie(roll=number), Displace()):
            if item.way != "random":
                return other_prompt(item)
            return _refuse_entry(battle, item, number)
        case (a.TakeStep(region=region), Step()):
            return _refuse_region(battle, region) or refuse_step(battle, item, region)
        case (a.RollDice(roll=number), _):
            return _refuse_entry(battle, item, number)
        case ((a.EnterHiding() | a.EnterQuest() | a.Choose()), _):
            return _refuse_entry(battle, item, action.number)
        case _:
            return None


def other_prompt(item: Item) -> Refused:
    """That another question is open."""
    wanted = "die" if isinstance(item, Displace) and is_entry(item) else WANTS[type(item)]
    return Refused("ga.prompt.other", ENGLISH.format(f"first.{wanted}"))


def _refuse_entry(battle: Battle, item: Item, number: str) -> Refused | None:
    possible = entries(battle, item)
    if number in possible:
        return None
    if isinstance(item, Roll):
        why = f"two dice show 00 to 99, two digits: not {number}"
    else:
        why = f"possible are {', '.join(possible)}, not {number}"
    return Refused("ga.entry.range", why)


def _refuse_region(battle: Battle, region: str) -> Refused | None:
    if region in battle.board.number:
        return None
    return Refused("ga.region.unknown", f"{region} is not a Region of this board")


def answer(course: Resolution, item: Item, action: Action) -> None:
    """Carry out an answer that is not refused."""
    match action, item:
        case (a.EnterHiding(number=number), Hide(encounter=name)):
            region = candidates_left(course.battle, name)[int(number) - 1]
            course.record(WorkDone())
            course.record(EncounterHidden(name, region), "ga.setup.order")
        case (a.EnterQuest(number=number), DealQuest(seat=seat)):
            course.record(WorkDone())
            course.record(QuestDealt(seat, int(number)), "ga.setup.order")
        case (a.Deploy(golem=name, region=region), _):
            deploy(course, name, region)
        case (a.Hold(golem=name), _):
            hold(course, name)
        case (a.RollDice(roll=number), Roll()):
            resolve(course, item, int(number))
        case (a.ChooseRegion(region=region), Displace()):
            displace(course, item, region)
        case (a.RollDie(roll=number), Displace()):
            displace(course, item, places(course.battle, item)[int(number) - 1])
        case (a.TakeStep(region=region), Step()):
            step(course, item, region)
        case (a.Stay(), Step()):
            course.record(WorkDone(), "ga.step.place", stays=course.battle.where(item.golem))
        case (a.Choose(number=number), Choice()):
            choose(course, item, int(number))
        case _:
            raise AssertionError("refused as no answer to this question")
