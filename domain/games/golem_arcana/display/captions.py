"""What is going on, in a sentence: whose Turn it is, or what is asked of whom, and the choices."""

from typing import assert_never

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.deployment import unplaced
from domain.games.golem_arcana.battle.displacement import places, step_places
from domain.games.golem_arcana.battle.surprises import candidates_left, encounter_of
from domain.games.golem_arcana.battle.victory import reason
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.display.attack_words import aimed, target_name
from domain.games.golem_arcana.display.clauses import ended
from domain.games.golem_arcana.display.effect_words import encounter_words
from domain.games.golem_arcana.display.names import (
    ability_name,
    listed,
    regions_name,
    seat_name,
    unit_name,
)
from domain.games.golem_arcana.display.tutoring import lesson
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.facts import GameEnded
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
    Outcome,
    Roll,
    State,
    Step,
)
from domain.kernel.game import REFEREE

MOST_CHOICES = 12
"""Regions that are listed, at most."""


def caption(state: State, viewer: str) -> str:
    """What is going on, as far as the viewer may know."""
    return caption_of(Battle(state), viewer)


def caption_of(battle: Battle, viewer: str) -> str:
    """The same, of a state that has been read; in a tutorial with the lesson that is told now."""
    told, step = _caption(battle, viewer), lesson(battle)
    return (
        told if step is None else ENGLISH.format("caption.lesson", caption=told, lesson=step.text)
    )


def _caption(battle: Battle, viewer: str) -> str:
    state = battle.state
    if state.outcome is not None:
        return _ended(battle, state.outcome)
    seat = seat_name(acting(state) or "")
    if not state.todo:
        ap = state.seats[state.turn].ap if state.turn else 0
        return ENGLISH.format("turn", round=state.round, seat=seat, n=ap)
    return _asked(battle, state.todo[0], seat, viewer)


def _ended(battle: Battle, outcome: Outcome) -> str:
    return ended(battle.state, GameEnded(outcome.leaders, outcome.won, reason(battle)))


def _asked(battle: Battle, item: Item, seat: str, viewer: str) -> str:
    match item:
        case Hide():
            return _hiding(battle, item, viewer)
        case DealQuest():
            return ENGLISH.format("caption.quest", seat=seat)
        case DeployArmy():
            return _deploying(battle, item, seat)
        case Roll(attacker=golem, ability=ability, target=target):
            return ENGLISH.format(
                "caption.dice",
                seat=seat,
                ability=ability_name(battle, golem, ability),
                golem=unit_name(battle, golem),
                target=target_name(battle, golem, ability, target),
                needed=aimed(battle, item),
            )
        case Displace(golem=golem):
            return _displacing(battle, item, seat)
        case Step(golem=golem):
            regions = _few(step_places(battle, item))
            golem = unit_name(battle, golem)
            return ENGLISH.format("caption.step", seat=seat, golem=golem, regions=regions)
        case Choice():
            return _choosing(battle, item, seat)
        case Begin() | Advance() | Meet():
            raise AssertionError("waits for nobody")
        case unreachable:
            assert_never(unreachable)


def _numbered(choices: list[str]) -> str:
    """Choices by their numbers."""
    told = [
        ENGLISH.format("caption.option", number=number, label=label)
        for number, label in enumerate(choices, 1)
    ]
    return _few(told)


def _few(choices: list[str]) -> str:
    """Choices to read, cut short where they are too many."""
    return (
        ENGLISH.join_or(choices) if len(choices) <= MOST_CHOICES else listed(choices, MOST_CHOICES)
    )


def _hiding(battle: Battle, item: Hide, viewer: str) -> str:
    """Who is no referee may not even know which encounter it is."""
    if viewer != REFEREE:
        return ENGLISH.format("caption.hide")
    name = encounter_of(battle, item.encounter).name
    regions = _numbered(candidates_left(battle, item.encounter))
    return ENGLISH.format("caption.hide-where", encounter=name, choices=regions)


def _deploying(battle: Battle, item: DeployArmy, seat: str) -> str:
    names = [unit_name(battle, golem) for golem in unplaced(battle, item.seat)]
    most = battle.scenario.reserve.max
    zone = regions_name(battle.scenario.zone.get(item.seat, ()))
    key = "caption.deploy-reserve" if most else "caption.deploy"
    return ENGLISH.format(key, seat=seat, zone=zone, left=listed(names, most=4), n=most)


def _displacing(battle: Battle, item: Displace, seat: str) -> str:
    golem, regions = unit_name(battle, item.golem), places(battle, item)
    if item.way == "random":
        return ENGLISH.format("caption.die", seat=seat, golem=golem, choices=_numbered(regions))
    return ENGLISH.format("caption.displace", seat=seat, golem=golem, regions=_few(regions))


def _choosing(battle: Battle, item: Choice, seat: str) -> str:
    encounter = encounter_of(battle, item.encounter)
    options = [
        ENGLISH.format(
            "caption.option-does",
            number=number,
            label=choice.label,
            does=encounter_words(choice.effects, item.golem),
        )
        for number, choice in enumerate(encounter.choices, 1)
    ]
    return ENGLISH.format(
        "caption.choose",
        seat=seat,
        golem=unit_name(battle, item.golem),
        encounter=encounter.name,
        choices=ENGLISH.join_or(options),
    )
