"""Why a tap is refused: by the rule against the action that it would have completed.

Source: the reference, section 11.3, rule 4.
"""

from typing import Final

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle import Battle
from domain.games.golem_arcana.cooldown import refuse_ap, refuse_price
from domain.games.golem_arcana.decide import acting, decide
from domain.games.golem_arcana.movement import refuse_motion
from domain.games.golem_arcana.state import (
    OFF,
    DeployArmy,
    Displace,
    State,
    Step,
)
from domain.games.golem_arcana.vocabulary import Attack, Fly, Power, Walk
from domain.kernel.game import Refused
from domain.kernel.stylus import nothing

STYLUS: Final = {
    "stylus.pin": "ga.stylus.pin",
    "stylus.locked": "ga.stylus.locked",
    "stylus.name": "ga.stylus.name",
    "stylus.busy": "ga.stylus.busy",
    "stylus.unpaired": "ga.stylus.unpaired",
    "stylus.seat": "ga.stylus.seat",
    "stylus.stale": "ga.stylus.stale",
    "stylus.gap": "ga.stylus.gap",
    "stylus.nothing": "ga.stylus.nothing",
    "stylus.unready": "ga.stylus.unready",
}
"""This game's own ids for what every table refuses."""


def refuse_tap(state: State, seat: str, picked: tuple[str, ...], thing: str) -> Refused:
    """The refusal of a tap on a thing that fits no legal action."""
    if not seat or seat != acting(state):
        return nothing(thing)
    battle = Battle(state)
    if not state.todo and (refusal := _refuse_card(battle, seat, thing)) is not None:
        return refusal
    for action in _meant(battle, picked, thing):
        outcome = decide(state, seat, action)
        if isinstance(outcome, Refused):
            return outcome
    return nothing(thing)


def _refuse_card(battle: Battle, seat: str, thing: str) -> Refused | None:
    """Why an ability of one's own Golem cannot be paid for."""
    match thing.split(" "):
        case ["card", golem, ability] if golem in battle.state.golems and golem[0] == seat[0]:
            found = battle.abilities(golem).get(ability)
            match found:
                case Walk() | Fly():
                    return refuse_motion(battle, golem, found)
                case Attack():
                    return refuse_ap(battle, golem, found)
                case Power():
                    return refuse_price(battle, golem, found, relic=False)
                case _:
                    return None
        case _:
            return None


def _meant(battle: Battle, picked: tuple[str, ...], thing: str) -> list[Action]:
    """The action that the tap would have completed; none if there is no such action."""
    kind, _, name = thing.partition(" ")
    if battle.state.todo:
        return _answer(battle.state, picked, name) if kind == "region" else []
    words = [pick.split(" ") for pick in picked]
    for powers in (each for each in words if each[0] == "power"):
        return [a.Invoke(powers[1], powers[2], name)] if kind == "region" else []
    if kind not in ("base", "region"):
        return []
    for relics in (each for each in words if each[0] == "relic"):
        relic = battle.relic(relics[1])
        return [a.UseRelic(relics[1], relic.ability.id, name)] if relic is not None else []
    abilities = [(each[1], each[2]) for each in words if each[0] == "card" and len(each) == 3]
    if len(abilities) == 1:
        return _by_ability(battle, *abilities[0], kind, name)
    golems = {each[1] for each in words if each[0] in ("base", "card")}
    if kind == "region" and not abilities and len(golems) == 1:
        return _by_golem(battle, golems.pop(), name)
    return []


def _answer(state: State, picked: tuple[str, ...], region: str) -> list[Action]:
    match state.todo[0]:
        case Displace():
            return [a.ChooseRegion(region)]
        case Step():
            return [a.TakeStep(region)]
        case DeployArmy() if len(picked) == 1:
            return [a.Deploy(picked[0].split(" ")[1], region)]
        case _:
            return []


def _by_ability(battle: Battle, golem: str, ability: str, kind: str, name: str) -> list[Action]:
    if golem not in battle.state.golems:
        return []
    match battle.abilities(golem).get(ability):
        case Walk() | Fly():
            return [a.Move(golem, ability, name)] if kind == "region" else []
        case Attack(area=True):
            where = name if kind == "region" else battle.where(name)
            return [a.Attack(golem, ability, where)]
        case Attack():
            targets = [name] if kind == "base" else _foes(battle, golem, name)
            return [a.Attack(golem, ability, targets[0])] if len(targets) == 1 else []
        case Power():
            return [a.Use(golem, ability, name)]
        case _:
            return []


def _foes(battle: Battle, golem: str, region: str) -> list[str]:
    here = (*battle.standing.get(region, ()), *battle.constructs_at.get(region, ()))
    return [unit for unit in here if unit[0] != golem[0]]


def _by_golem(battle: Battle, golem: str, region: str) -> list[Action]:
    if golem not in battle.state.golems:
        return []
    if battle.golem(golem).where == OFF:
        return [a.Enter(golem, region)]
    abilities = battle.abilities(golem).values()
    ways = [each.id for each in abilities if isinstance(each, Walk | Fly)]
    return [a.Move(golem, ways[0], region)] if len(ways) == 1 else []
