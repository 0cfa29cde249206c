"""Actions taken apart: what is pointed at, and the action as a sentence that says what it does."""

from typing import assert_never

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.ancients import laid_in, mana_cost
from domain.games.golem_arcana.battle.attacks import aims, judge
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost
from domain.games.golem_arcana.battle.displacement import places
from domain.games.golem_arcana.battle.movement import breakaway
from domain.games.golem_arcana.battle.naming import power_of
from domain.games.golem_arcana.battle.surprises import candidates_left, encounter_of
from domain.games.golem_arcana.battle.terrain import entry_damage
from domain.games.golem_arcana.content.vocabulary import Ability, Attack, Fly, Miracle, Power, Walk
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.display.attack_words import aims_told, effects_told, target_name
from domain.games.golem_arcana.display.effect_words import (
    Whom,
    effects_words,
    encounter_words,
    power_words,
    quest_words,
)
from domain.games.golem_arcana.display.names import (
    ability_card,
    power_card,
    relic_card,
    seat_name,
    unit_name,
)
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.notation.actions import verb_of
from domain.games.golem_arcana.notation.position import HIDDEN
from domain.games.golem_arcana.state import (
    Choice,
    DealQuest,
    Displace,
    Hide,
    Roll,
    State,
    seat_named,
    seat_of,
)
from domain.kernel.language import capitalized
from domain.kernel.parts import Parts


def parts(state: State, action: Action) -> Parts:
    """An action that is legal in this state, taken apart."""
    return parts_in(Battle(state), action)


def parts_in(battle: Battle, action: Action) -> Parts:
    """The same, of a state that is read already."""
    state = battle.state
    seat = acting(state) or ""
    match action:
        case a.Move():
            return _move(battle, action)
        case a.Attack():
            return _attack(battle, action)
        case a.Charge():
            return _charge(battle, action)
        case a.Use(golem, ability):
            return _power(battle, action, ability_card(golem, ability), relic=False)
        case a.UseRelic(golem):
            return _power(battle, action, relic_card(golem), relic=True)
        case a.Invoke():
            return _invoke(battle, seat, action)
        case a.Enter(golem, region):
            price = ENGLISH.format("price.ap", n=battle.scenario.reserve.ap)
            return _to_region(battle, action, golem, region, price)
        case a.Deploy(golem, region):
            sentence = ENGLISH.format("deployed", golem=unit_name(battle, golem), region=region)
            return Parts("deploy", sentence, (golem,), (region,))
        case a.Hold(golem):
            sentence = ENGLISH.format("held", golem=unit_name(battle, golem))
            return Parts("hold", sentence, (golem,), choices=("hold",))
        case a.ChooseRegion(region) | a.TakeStep(region):
            return _to_region(battle, action, getattr(state.todo[0], "golem", ""), region)
        case a.EndTurn():
            return Parts("end", _ending(state, seat), choices=("end",))
        case a.Stay():
            golem = getattr(state.todo[0], "golem", "")
            sentence = ENGLISH.format("stayed", golem=unit_name(battle, golem))
            return Parts("stay", sentence, choices=("stay",))
        case a.RollDice() | a.RollDie() | a.Choose() | a.EnterQuest() | a.EnterHiding():
            return _entry(battle, action, seat)
        case unreachable:
            assert_never(unreachable)


def _ending(state: State, seat: str) -> str:
    left = state.seats[state.turn].ap if state.turn else 0
    return ENGLISH.format("turn-over-left" if left else "turn-over", seat=seat_name(seat), n=left)


def _ap(battle: Battle, golem: str, ability: str, beside: int = 0) -> str:
    """What an ability costs now, Breakaway included."""
    found: Ability = battle.abilities(golem)[ability]
    price = cost(battle, golem, found) + beside
    if isinstance(found, Walk | Fly):
        price += breakaway(battle, golem, found)
    return ENGLISH.format("price.ap", n=price)


def _hazardous(battle: Battle, sentence: str, region: str) -> str:
    """The sentence with the damage of entering a Region."""
    damage = entry_damage(battle.terrain(region))
    return ENGLISH.format("parts.hazard", what=sentence, n=damage) if damage else sentence


def _to_region(
    battle: Battle,
    action: a.Enter | a.ChooseRegion | a.TakeStep,
    golem: str,
    region: str,
    price: str = "",
) -> Parts:
    key = {a.Enter: "entered", a.ChooseRegion: "displaced", a.TakeStep: "stepped"}[type(action)]
    sentence = ENGLISH.format(key, golem=unit_name(battle, golem), region=region)
    sentence = _hazardous(battle, sentence, region)
    return Parts(verb_of(action), sentence, (golem,), (region,), cost=price)


def _move(battle: Battle, action: a.Move) -> Parts:
    golem, region = action.golem, action.region
    ability = battle.abilities(golem)[action.ability].name
    sentence = ENGLISH.format(
        "moved", golem=unit_name(battle, golem), ability=ability, region=region
    )
    return Parts(
        "move",
        _hazardous(battle, sentence, region),
        (golem,),
        (region,),
        (ability_card(golem, action.ability),),
        cost=_ap(battle, golem, action.ability),
    )


# --- attacks -------------------------------------------------------------------------------------


def _attack(battle: Battle, action: a.Attack) -> Parts:
    golem, ability, target = action.golem, action.ability, action.target
    attack = _attack_card(battle, golem, ability)
    sentence = ENGLISH.format(
        "parts.attack",
        golem=unit_name(battle, golem),
        target=target_name(battle, golem, ability, target),
        ability=attack.name,
        needed=_aimed(battle, Roll(golem, ability, target), attack),
    )
    pieces, spaces = _pointed(attack, target)
    card = (ability_card(golem, ability),)
    price = _ap(battle, golem, ability)
    return Parts("attack", sentence, (golem, *pieces), spaces, card, cost=price)


def _attack_card(battle: Battle, golem: str, ability: str) -> Attack:
    attack = battle.abilities(golem)[ability]
    assert isinstance(attack, Attack), "only attacks are made"
    return attack


def _aimed(battle: Battle, item: Roll, attack: Attack) -> str:
    """What hits, and what a hit does."""
    found = aims(battle, item)
    told = aims_told(battle, attack, found)
    effects = effects_told(battle, item.attacker, attack, found)
    return ENGLISH.format("parts.effects", told=told, effects=effects) if effects else told


def _pointed(attack: Attack, target: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What an attack is aimed at, as pieces and as spaces."""
    return ((), (target,)) if attack.area else ((target,), ())


def _charge(battle: Battle, action: a.Charge) -> Parts:
    golem, target = action.golem, action.target
    attack = _attack_card(battle, golem, action.attack)
    sentence = ENGLISH.format(
        "parts.charge",
        golem=unit_name(battle, golem),
        target=target_name(battle, golem, attack.id, target),
        movement=battle.abilities(golem)[action.movement].name,
        ability=attack.name,
        needed=_aimed(battle, Roll(golem, attack.id, target, charge=True), attack),
    )
    pieces, spaces = _pointed(attack, target)
    price = _ap(battle, golem, action.movement, cost(battle, golem, attack))
    cards = (ability_card(golem, action.attack), ability_card(golem, action.movement))
    return Parts("charge", sentence, (golem, *pieces), spaces, cards, cost=price)


# --- powers --------------------------------------------------------------------------------------


def _power(battle: Battle, action: a.Use | a.UseRelic, card: str, *, relic: bool) -> Parts:
    golem, target = action.golem, action.target
    power = power_of(battle, action)
    name, region, it = unit_name(battle, golem), power.target == "region", ENGLISH.format("it")
    far = target is not None and not region
    carried = battle.relic(golem)
    construct = carried.construct.name if relic and carried and carried.construct else ""
    does = effects_words(
        power.effects, Whom(seat_name(seat_of(golem)), name if far else it, it, construct)
    )
    sentence = ENGLISH.format(
        "parts.use" if target is None else "parts.use-on",
        golem=name,
        power=power.name,
        target=unit_name(battle, target) if target and far else target,
        does=does,
    )
    pieces = (golem,) if target is None or region else (golem, target)
    spaces = (target,) if target is not None and region else ()
    price = _price(power, power.ap if relic else cost(battle, golem, power))
    return Parts(verb_of(action), sentence, pieces, spaces, (card,), cost=price)


def _price(power: Power, ap: int) -> str:
    prices = {"price.ap": ap, "price.mana": power.mana, "price.hp": power.hp}
    return ENGLISH.format("comma").join(ENGLISH.format(key, n=n) for key, n in prices.items() if n)


def _invoke(battle: Battle, seat: str, action: a.Invoke) -> Parts:
    own = seat_named(seat)
    card = battle.pack.ancients[action.ancient]
    power = next(each for each in card.power if each.id == action.power)
    before = None if isinstance(power, Miracle) else laid_in(battle, own, card.id, power)
    sentence = ENGLISH.format(
        "parts.invoke" if action.region is None else "parts.lay-again" if before else "parts.lay",
        seat=seat_name(seat),
        power=power.name,
        ancient=card.name,
        region=action.region,
        before=before,
        does=power_words(power, seat),
    )
    return Parts(
        "invoke",
        sentence,
        spaces=(action.region,) if action.region else (),
        cards=(power_card(seat, action.ancient, action.power),),
        cost=ENGLISH.format("price.mana", n=mana_cost(battle, own, action.ancient, power)),
    )


# --- entries -------------------------------------------------------------------------------------


def _entry(battle: Battle, action: Action, seat: str) -> Parts:
    item = battle.state.todo[0] if battle.state.todo else None
    match action, item:
        case a.RollDice(roll=number), Roll():
            what = _dice(battle, item, number)
        case a.Choose(number=number), Choice():
            choice = encounter_of(battle, item.encounter).choices[int(number) - 1]
            does = encounter_words(choice.effects, item.golem)
            golem = unit_name(battle, item.golem)
            what = ENGLISH.format("parts.choose", golem=golem, label=choice.label, does=does)
        case a.EnterQuest(number=number), DealQuest():
            known = number != HIDDEN
            quest = quest_words(battle.scenario.quests[int(number) - 1]) if known else ""
            key = "parts.quest-known" if known else "quest-dealt"
            what = ENGLISH.format(key, seat=seat_name(seat), number=number, quest=quest)
        case a.EnterHiding(number=number), Hide():
            what = _hiding(battle, item, number)
        case a.RollDie(roll=number), Displace():
            region = places(battle, item)[int(number) - 1]
            golem = unit_name(battle, item.golem)
            what = ENGLISH.format("die", roll=number, golem=golem, region=region)
        case _:
            raise AssertionError("an entry answers an open question")
    return Parts(verb_of(action), capitalized(what), choices=(number,))


def _dice(battle: Battle, item: Roll, number: str) -> str:
    """What the dice show; and for a single target, whether that hits it."""
    golem = unit_name(battle, item.attacker)
    ability = battle.abilities(item.attacker)[item.ability].name
    found = aims(battle, item)
    verdict = judge(found[0], int(number)).verdict if len(found) == 1 and number != HIDDEN else ""
    return ENGLISH.format(
        "parts.dice-means" if verdict else "parts.dice",
        golem=golem,
        ability=ability,
        roll=number,
        verdict=ENGLISH.format(f"verdict.{verdict}") if verdict else "",
    )


def _hiding(battle: Battle, item: Hide, number: str) -> str:
    if number == HIDDEN:
        return ENGLISH.format("hidden")
    where = candidates_left(battle, item.encounter)[int(number) - 1]
    name = encounter_of(battle, item.encounter).name
    return ENGLISH.format("hidden-known", encounter=name, region=where)
