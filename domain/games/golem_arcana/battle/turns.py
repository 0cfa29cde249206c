"""What a seat can do in its Turn: each kind of action judged, and carried out."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.ancients import find_power as find_ancient_power
from domain.games.golem_arcana.battle.ancients import invoke, refuse_invoke
from domain.games.golem_arcana.battle.attacks import declare, refuse_attack
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.charges import charge, refuse_charge, refuse_charging_attack
from domain.games.golem_arcana.battle.deployment import enter, refuse_enter
from domain.games.golem_arcana.battle.movement import refuse_move
from domain.games.golem_arcana.battle.naming import (
    find_attack,
    find_golem,
    find_golem_on_board,
    find_movement,
    find_power,
    find_relic,
)
from domain.games.golem_arcana.battle.powers import refuse_power, use
from domain.games.golem_arcana.battle.rounds import end_turn
from domain.games.golem_arcana.battle.travel import move
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.resolution import Resolution
from domain.kernel.rulings import Refused

Deed = Callable[[Resolution], None]
"""An action that is allowed, ready to be carried out."""


def judge(battle: Battle, seat: Seat, action: Action) -> Deed | Refused:
    """What this action of the seat whose Turn it is would do, or why it may not."""
    judging = _JUDGES.get(type(action))
    if judging is None:
        verb = str(type(action).__struct_config__.tag).rpartition(".")[2]
        return Refused("ga.prompt.none", f"there is no open question that {verb} would answer")
    return judging(battle, seat, action)


def _end(battle: Battle, seat: Seat, action: a.EndTurn) -> Deed:
    del battle, action
    return lambda course: end_turn(course, seat)


def _move(battle: Battle, seat: Seat, action: a.Move) -> Deed | Refused:
    refusal = find_golem_on_board(battle, seat, action.golem)
    if refusal is not None:
        return refusal
    ability = find_movement(battle, action.golem, action.ability)
    if isinstance(ability, Refused):
        return ability
    refusal = _unknown_region(battle, action.region) or refuse_move(
        battle, action.golem, ability, action.region
    )
    return refusal or (lambda course: move(course, action.golem, ability, action.region))


def _unknown_region(battle: Battle, region: str) -> Refused | None:
    if region in battle.board.number:
        return None
    return Refused("ga.region.unknown", f"{region} is not a Region of this board")


def _attack(battle: Battle, seat: Seat, action: a.Attack) -> Deed | Refused:
    refusal = find_golem_on_board(battle, seat, action.golem)
    if refusal is not None:
        return refusal
    attack = find_attack(battle, action.golem, action.ability)
    if isinstance(attack, Refused):
        return attack
    refusal = refuse_attack(battle, action.golem, attack, action.target)
    return refusal or (lambda course: declare(course, action.golem, attack, action.target))


def _charge(battle: Battle, seat: Seat, action: a.Charge) -> Deed | Refused:
    refusal = find_golem_on_board(battle, seat, action.golem)
    if refusal is not None:
        return refusal
    attack = find_attack(battle, action.golem, action.attack)
    if isinstance(attack, Refused):
        return attack
    refusal = refuse_charging_attack(battle, attack)
    if refusal is not None:
        return refusal
    movement = find_movement(battle, action.golem, action.movement)
    if isinstance(movement, Refused):
        return movement
    refusal = refuse_charge(battle, action.golem, attack, movement, action.target)
    return refusal or (lambda course: charge(course, action.golem, attack, movement, action.target))


def _use(battle: Battle, seat: Seat, action: a.Use) -> Deed | Refused:
    refusal = find_golem_on_board(battle, seat, action.golem)
    if refusal is not None:
        return refusal
    power = find_power(battle, action.golem, action.ability)
    if isinstance(power, Refused):
        return power
    refusal = refuse_power(battle, action.golem, power, action.target, relic=False)
    return refusal or (lambda course: use(course, action.golem, power, action.target, relic=False))


def _relic(battle: Battle, seat: Seat, action: a.UseRelic) -> Deed | Refused:
    refusal = find_golem_on_board(battle, seat, action.golem)
    if refusal is not None:
        return refusal
    power = find_relic(battle, action.golem, action.ability)
    if isinstance(power, Refused):
        return power
    refusal = refuse_power(battle, action.golem, power, action.target, relic=True)
    return refusal or (lambda course: use(course, action.golem, power, action.target, relic=True))


def _invoke(battle: Battle, seat: Seat, action: a.Invoke) -> Deed | Refused:
    power = find_ancient_power(battle, seat, action.ancient, action.power)
    if isinstance(power, Refused):
        return power
    refusal = refuse_invoke(battle, seat, action.ancient, power, action.region)
    return refusal or (lambda course: invoke(course, seat, action.ancient, power, action.region))


def _enter(battle: Battle, seat: Seat, action: a.Enter) -> Deed | Refused:
    refusal = find_golem(battle, seat, action.golem) or refuse_enter(
        battle, seat, action.golem, action.region
    )
    return refusal or (lambda course: enter(course, seat, action.golem, action.region))


_JUDGES: Final[dict[type, Callable[[Battle, Seat, Any], Deed | Refused]]] = {
    a.EndTurn: _end,
    a.Move: _move,
    a.Attack: _attack,
    a.Charge: _charge,
    a.Use: _use,
    a.UseRelic: _relic,
    a.Invoke: _invoke,
    a.Enter: _enter,
}
