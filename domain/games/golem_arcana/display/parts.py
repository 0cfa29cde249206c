"""Actions taken apart: what is pointed at, and the action as a sentence."""

from typing import assert_never

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.ancients import mana_cost
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost
from domain.games.golem_arcana.battle.movement import breakaway
from domain.games.golem_arcana.battle.naming import power_of
from domain.games.golem_arcana.battle.surprises import candidates_left, encounter_of
from domain.games.golem_arcana.content.vocabulary import Ability, Attack, Fly, Power, Walk
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.display.names import (
    ability_card,
    power_card,
    relic_card,
    seat_name,
    unit_name,
)
from domain.games.golem_arcana.notation.actions import verb_of
from domain.games.golem_arcana.notation.position import HIDDEN
from domain.games.golem_arcana.state import Choice, DealQuest, Hide, Roll, State
from domain.kernel.game import Parts


def parts(state: State, action: Action) -> Parts:
    """An action that is legal in this state, taken apart."""
    battle = Battle(state)
    seat = acting(state) or ""
    match action:
        case a.Move(golem, ability, region):
            name = _ability(battle, golem, ability)
            return _piece(battle, action, golem, f"goes to {region} by {name}", (region,),
                          (ability_card(golem, ability),), _ap(battle, golem, ability))  # fmt: skip
        case a.Attack(golem, ability, target):
            return _attack(battle, action, golem, ability, target)
        case a.Charge():
            return _charge(battle, action)
        case a.Use(golem, ability, target):
            return _power(battle, action, golem, target, ability_card(golem, ability), relic=False)
        case a.UseRelic(golem, _, target):
            return _power(battle, action, golem, target, relic_card(golem), relic=True)
        case a.Invoke():
            return _invoke(battle, seat, action)
        case a.Enter(golem, region):
            price = f"{battle.scenario.reserve.ap} AP"
            return _piece(battle, action, golem, f"enters in {region}", (region,), (), price)
        case a.Deploy(golem, region):
            return _piece(battle, action, golem, f"begins in {region}", (region,))
        case a.Hold(golem):
            return Parts(
                "hold", f"{unit_name(battle, golem)} stays in reserve", (golem,), choices=("hold",)
            )
        case a.ChooseRegion(region) | a.TakeStep(region):
            return _to_region(battle, action, region)
        case a.EndTurn():
            left = state.seats[state.turn].ap if state.turn else 0
            more = f": {left} AP become Mana" if left else ""
            return Parts("end", f"{seat_name(seat)} ends the Turn{more}", choices=("end",))
        case a.Stay():
            return Parts("stay", "no free step is taken", choices=("stay",))
        case a.RollDice() | a.RollDie() | a.Choose() | a.EnterQuest() | a.EnterHiding():
            return _entry(battle, action, seat)
        case unreachable:
            assert_never(unreachable)


def _piece(
    battle: Battle,
    action: Action,
    golem: str,
    doing: str,
    spaces: tuple[str, ...] = (),
    cards: tuple[str, ...] = (),
    price: str = "",
) -> Parts:
    sentence = f"{unit_name(battle, golem)} {doing}"
    return Parts(verb_of(action), sentence, (golem,), spaces, cards, cost=price)


def _ability(battle: Battle, golem: str, ability: str) -> str:
    return battle.abilities(golem)[ability].name


def _ap(battle: Battle, golem: str, ability: str, beside: int = 0) -> str:
    """What an ability costs now, Breakaway included."""
    found: Ability = battle.abilities(golem)[ability]
    price = cost(battle, golem, found) + beside
    if isinstance(found, Walk | Fly):
        price += breakaway(battle, golem, found)
    return f"{price} AP"


def _attack(battle: Battle, action: a.Attack, golem: str, ability: str, target: str) -> Parts:
    attack, price = _attack_card(battle, golem, ability), _ap(battle, golem, ability)
    whom, pieces, spaces = _aimed(battle, attack, target)
    sentence = f"{unit_name(battle, golem)} attacks {whom} with {attack.name}"
    card = (ability_card(golem, ability),)
    return Parts(verb_of(action), sentence, (golem, *pieces), spaces, card, cost=price)


def _attack_card(battle: Battle, golem: str, ability: str) -> Attack:
    attack = battle.abilities(golem)[ability]
    assert isinstance(attack, Attack), "only attacks are made"
    return attack


def _aimed(
    battle: Battle, attack: Attack, target: str
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What an attack is aimed at: in words, then the piece or the space."""
    if attack.area:
        return f"all in {target}", (), (target,)
    return unit_name(battle, target), (target,), ()


def _charge(battle: Battle, action: a.Charge) -> Parts:
    golem = action.golem
    attack = _attack_card(battle, golem, action.attack)
    movement = _ability(battle, golem, action.movement)
    whom, pieces, spaces = _aimed(battle, attack, action.target)
    sentence = f"{unit_name(battle, golem)} charges {whom} by {movement} with {attack.name}"
    price = _ap(battle, golem, action.movement, cost(battle, golem, attack))
    cards = (ability_card(golem, action.attack), ability_card(golem, action.movement))
    return Parts("charge", sentence, (golem, *pieces), spaces, cards, cost=price)


def _power(
    battle: Battle,
    action: a.Use | a.UseRelic,
    golem: str,
    target: str | None,
    card: str,
    *,
    relic: bool,
) -> Parts:
    power = power_of(battle, action)
    price = _price(power, power.ap if relic else cost(battle, golem, power))
    with_what = f"uses {power.name}"
    if target is None:
        return _piece(battle, action, golem, with_what, (), (card,), price)
    if power.target == "region":
        return _piece(battle, action, golem, f"{with_what} on {target}", (target,), (card,), price)
    sentence = f"{unit_name(battle, golem)} {with_what} on {unit_name(battle, target)}"
    return Parts(verb_of(action), sentence, (golem, target), (), (card,), cost=price)


def _price(power: Power, ap: int) -> str:
    prices = ((ap, "AP"), (power.mana, "Mana"), (power.hp, "HP"))
    return ", ".join(f"{amount} {what}" for amount, what in prices if amount)


def _invoke(battle: Battle, seat: str, action: a.Invoke) -> Parts:
    own = next(each for each in battle.seats if each == seat)
    card = battle.pack.ancients[action.ancient]
    power = next(each for each in card.power if each.id == action.power)
    where = f" on {action.region}" if action.region else ""
    return Parts(
        "invoke",
        f"{card.name} works {power.name}{where} for {seat_name(seat)}",
        spaces=(action.region,) if action.region else (),
        cards=(power_card(seat, action.ancient, action.power),),
        cost=f"{mana_cost(battle, own, action.ancient, power)} Mana",
    )


def _to_region(battle: Battle, action: a.ChooseRegion | a.TakeStep, region: str) -> Parts:
    item = battle.state.todo[0]
    golem: str = getattr(item, "golem", "")
    how = "is displaced to" if isinstance(action, a.ChooseRegion) else "steps to"
    return Parts(verb_of(action), f"{unit_name(battle, golem)} {how} {region}", (golem,), (region,))


def _entry(battle: Battle, action: Action, seat: str) -> Parts:
    item = battle.state.todo[0] if battle.state.todo else None
    match action, item:
        case a.RollDice(roll=number), Roll():
            what = f"the dice for {unit_name(battle, item.attacker)} show {number}"
        case a.Choose(number=number), Choice():
            choices = encounter_of(battle, item.encounter).choices
            label = choices[int(number) - 1].label
            what = f"{unit_name(battle, item.golem)} chooses to {label}"
        case a.EnterQuest(number=number), DealQuest():
            what = f"{seat_name(seat)} is dealt secret quest {number}"
            if number != HIDDEN:
                what += f", {battle.scenario.quests[int(number) - 1].name}"
        case a.EnterHiding(number=number), Hide():
            what = "an encounter is hidden"
            if number != HIDDEN:
                encounter = encounter_of(battle, item.encounter)
                where = candidates_left(battle, item.encounter)[int(number) - 1]
                what = f"{encounter.name} is hidden in {where}"
        case a.RollDie(roll=number), _:
            what = f"the die shows {number}"
        case _:
            raise AssertionError("an entry answers an open question")
    return Parts(verb_of(action), what, choices=(number,))
