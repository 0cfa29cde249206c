"""Why a tap is refused: by the rule against the action that it would have completed.

Source: the reference, section 11.3, rule 4.
"""

from typing import Final

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.battle import Battle, units_in_order
from domain.games.golem_arcana.battle.cooldown import refuse_ap, refuse_price
from domain.games.golem_arcana.battle.movement import refuse_motion
from domain.games.golem_arcana.content.vocabulary import Attack, Fly, Miracle, Power, Walk
from domain.games.golem_arcana.decide import acting, decide
from domain.games.golem_arcana.state import (
    OFF,
    DeployArmy,
    Displace,
    State,
    Step,
    on_board,
    seat_of,
)
from domain.kernel.rulings import Refused

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


def refuse_tap(state: State, seat: str, picked: tuple[str, ...], thing: str) -> Refused | None:
    """The refusal of the action that a tap would have completed; None if there is no such action,
    or it is not for this seat to act."""
    if not seat or seat != acting(state):
        return None
    battle = Battle(state)
    if not state.todo and (refusal := _refuse_card(battle, seat, thing)) is not None:
        return refusal
    for action in _meant(battle, picked, thing):
        outcome = decide(state, seat, action)
        if isinstance(outcome, Refused):
            return outcome
    return None


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
    if kind not in ("base", "region"):
        return []
    words = [pick.split(" ") for pick in picked]
    golems = {each[1] for each in words if each[0] in ("base", "card")}
    if battle.state.todo:
        return _answer(battle.state, golems, name) if kind == "region" else []
    for powers in (each for each in words if each[0] == "power"):
        return _by_power(battle, powers[1], powers[2], kind, name)
    for relics in (each for each in words if each[0] == "relic"):
        return _by_relic(battle, relics[1], kind, name)
    abilities = [(each[1], each[2]) for each in words if each[0] == "card" and len(each) == 3]
    if len(abilities) == 1:
        return _by_ability(battle, *abilities[0], kind, name)
    if kind == "region" and not abilities and len(golems) == 1:
        return _by_golem(battle, golems.pop(), name)
    return []


def _answer(state: State, golems: set[str], region: str) -> list[Action]:
    match state.todo[0]:
        case Displace():
            return [a.ChooseRegion(region)]
        case Step():
            return [a.TakeStep(region)]
        case DeployArmy() if len(golems) == 1:
            return [a.Deploy(golem, region) for golem in golems]
        case _:
            return []


def _by_power(battle: Battle, ancient: str, name: str, kind: str, region: str) -> list[Action]:
    powers = battle.pack.ancients[ancient].power
    placed = any(power.id == name and not isinstance(power, Miracle) for power in powers)
    return [a.Invoke(ancient, name, region)] if placed and kind == "region" else []


def _by_relic(battle: Battle, golem: str, kind: str, name: str) -> list[Action]:
    relic = battle.relic(golem) if golem in battle.state.golems else None
    if relic is None:
        return []
    targets = _targets(battle, golem, relic.ability, kind, name)
    return [a.UseRelic(golem, relic.ability.id, target) for target in targets]


def _by_ability(battle: Battle, golem: str, ability: str, kind: str, name: str) -> list[Action]:
    if golem not in battle.state.golems:
        return []
    match battle.abilities(golem).get(ability):
        case Walk() | Fly():
            return [a.Move(golem, ability, name)] if kind == "region" else []
        case Attack(area=True):
            regions = [name] if kind == "region" else _region_of(battle, name)
            return [a.Attack(golem, ability, region) for region in regions]
        case Attack():
            targets = [name] if kind == "base" else _only(_foes(battle, golem, name))
            return [a.Attack(golem, ability, target) for target in targets]
        case Power() as power:
            targets = _targets(battle, golem, power, kind, name)
            return [a.Use(golem, ability, target) for target in targets]
        case _:
            return []


def _targets(battle: Battle, golem: str, power: Power, kind: str, name: str) -> list[str]:
    """What a tap names as the target of a power: a Region for one on Regions, else the unit of a
    base, or the only one in a Region that the power could be meant for."""
    match power.target, kind:
        case "self", _:
            return []
        case "region", _:
            return [name] if kind == "region" else []
        case _, "base":
            return [name]
        case "ally", _:
            return _only(battle.friends_at(golem, name))
        case _:
            return _only(battle.enemies_at(seat_of(golem), name))


def _only(units: list[str]) -> list[str]:
    return units if len(units) == 1 else []


def _region_of(battle: Battle, unit: str) -> list[str]:
    units = (*battle.state.golems, *battle.state.constructs)
    return [battle.where(unit)] if unit in units and on_board(battle.where(unit)) else []


def _foes(battle: Battle, golem: str, region: str) -> list[str]:
    return [unit for unit in units_in_order(battle, region) if battle.hostile(golem, unit)]


def _by_golem(battle: Battle, golem: str, region: str) -> list[Action]:
    if golem not in battle.state.golems:
        return []
    if battle.golem(golem).where == OFF:
        return [a.Enter(golem, region)]
    abilities = battle.abilities(golem).values()
    ways = [each.id for each in abilities if isinstance(each, Walk | Fly)]
    return [a.Move(golem, ways[0], region)] if len(ways) == 1 else []
