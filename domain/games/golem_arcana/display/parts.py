"""Actions taken apart: what is pointed at, and the action as a sentence that says what it does."""

from collections.abc import Iterator
from typing import assert_never

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.ancients import laid_in, mana_cost
from domain.games.golem_arcana.battle.attacks import aims, judge
from domain.games.golem_arcana.battle.battle import Battle, read_battle
from domain.games.golem_arcana.battle.charges import refuse_charge, refuse_charging_attack
from domain.games.golem_arcana.battle.cooldown import cost
from domain.games.golem_arcana.battle.displacement import places
from domain.games.golem_arcana.battle.movement import breakaway, path_of, ways
from domain.games.golem_arcana.battle.naming import power_of
from domain.games.golem_arcana.battle.surprises import candidates_left, encounter_of
from domain.games.golem_arcana.battle.terrain import entry_damage
from domain.games.golem_arcana.content.card_faces import price as price_words
from domain.games.golem_arcana.content.vocabulary import (
    Ability,
    Attack,
    Fly,
    Miracle,
    Teleport,
    Walk,
)
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
    ability_line,
    ability_verb,
    power_card,
    relic_card,
    relic_line,
    seat_name,
    unit_name,
    unit_piece,
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
from domain.kernel.parts import Parts, Pick


def parts(state: State, action: Action) -> Parts:
    """An action that is legal in this state, taken apart."""
    return parts_in(read_battle(state), action)


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
            price = price_words(battle.scenario.reserve.ap)
            return _to_region(battle, action, golem, region, price)
        case a.Deploy(golem, region):
            sentence = ENGLISH.format("deployed", golem=unit_name(battle, golem), region=region)
            return _standing("deploy", sentence, unit_piece(battle, golem), region)
        case a.Hold(golem):
            sentence = ENGLISH.format("held", golem=unit_name(battle, golem))
            piece = unit_piece(battle, golem)
            return Parts("hold", sentence, (piece,), choices=("hold",), actor=piece, picks=())
        case a.ChooseRegion(region) | a.TakeStep(region):
            return _to_region(battle, action, getattr(state.todo[0], "golem", ""), region)
        case a.EndTurn():
            return Parts("end", _ending(state, seat), choices=("end",), picks=())
        case a.Stay():
            golem = getattr(state.todo[0], "golem", "")
            sentence = ENGLISH.format("stayed", golem=unit_name(battle, golem))
            return Parts("stay", sentence, choices=("stay",), picks=())
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
    ap = cost(battle, golem, found) + beside
    if isinstance(found, Walk | Fly):
        ap += breakaway(battle, golem, found)
    return price_words(ap)


def _line(battle: Battle, golem: str, ability: str) -> str:
    card = battle.golem(golem)
    return ability_line(battle.pack, card.type, card.knight, ability)


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
    return _standing(verb_of(action), sentence, unit_piece(battle, golem), region, price)


def _standing(verb: str, sentence: str, piece: str, region: str, price: str = "") -> Parts:
    """A Golem that comes to stand in a Region."""
    picks = (Pick(region, "to"),)
    return Parts(verb, sentence, (piece,), (region,), cost=price, actor=piece, picks=picks)


def _move(battle: Battle, action: a.Move) -> Parts:
    golem, region = action.golem, action.region
    ability = battle.abilities(golem)[action.ability]
    assert isinstance(ability, Walk | Fly), "only movement abilities move"
    sentence = ENGLISH.format(
        "moved", golem=unit_name(battle, golem), ability=ability.name, region=region
    )
    piece = unit_piece(battle, golem)
    path = path_of(battle, ways(battle, golem, ability)[region])
    return Parts(
        ability_verb(ability),
        _hazardous(battle, sentence, region),
        (piece,),
        (region,),
        (ability_card(golem, action.ability),),
        cost=_ap(battle, golem, action.ability),
        actor=piece,
        line=_line(battle, golem, action.ability),
        picks=(*(Pick(each, "via") for each in path[:-1]), Pick(region, "to")),
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
    piece = unit_piece(battle, golem)
    pieces, spaces = _pointed(battle, attack, target)
    card = (ability_card(golem, ability),)
    price = _ap(battle, golem, ability)
    return Parts(
        attack.mode, sentence, (piece, *pieces), spaces, card, cost=price, actor=piece,
        line=_line(battle, golem, ability),
        picks=_targeted(pieces, spaces),
    )  # fmt: skip


def _targeted(pieces: tuple[str, ...], spaces: tuple[str, ...]) -> tuple[Pick, ...]:
    return tuple(Pick(each, "target") for each in (*pieces, *spaces))


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


def _pointed(
    battle: Battle, attack: Attack, target: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What an attack is aimed at, as pieces and as spaces."""
    return ((), (target,)) if attack.area else ((unit_piece(battle, target),), ())


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
    piece = unit_piece(battle, golem)
    pieces, spaces = _pointed(battle, attack, target)
    price = _ap(battle, golem, action.movement, cost(battle, golem, attack))
    cards = (ability_card(golem, action.attack), ability_card(golem, action.movement))
    picks = (*_targeted(pieces, spaces), *_charge_options(battle, action, attack))
    return Parts(
        "charge", sentence, (piece, *pieces), spaces, cards, cost=price, actor=piece, picks=picks
    )


def _charge_options(battle: Battle, action: a.Charge, attack: Attack) -> Iterator[Pick]:
    """Yield the pick of attack and movement, where there is a choice for this target."""
    golem, abilities = action.golem, battle.abilities(action.golem)
    alike = [
        (other.id, movement.id)
        for other in abilities.values()
        if isinstance(other, Attack) and other.area == attack.area
        for movement in abilities.values()
        if isinstance(movement, Walk | Fly)
        and refuse_charging_attack(battle, other) is None
        and refuse_charge(battle, golem, other, movement, action.target) is None
    ]
    if len(alike) > 1:
        names = {"ability": attack.name, "movement": abilities[action.movement].name}
        label = ENGLISH.format("option.charge", **names)
        yield Pick(f"{action.attack}-{action.movement}", "option", label)


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
    piece = unit_piece(battle, golem)
    pieces = () if target is None or region else (unit_piece(battle, target),)
    spaces = (target,) if target is not None and region else ()
    ap = power.ap if relic else cost(battle, golem, power)
    price = price_words(ap, power.mana, power.hp)
    line = (
        relic_line(battle.golem(golem).relic, power.id) if relic else _line(battle, golem, power.id)
    )
    teleports = any(isinstance(effect, Teleport) for effect in power.effects)
    picks = tuple(Pick(each, "to") for each in spaces) if teleports else _targeted(pieces, spaces)
    return Parts(
        verb_of(action), sentence, (piece, *pieces), spaces, (card,), cost=price, actor=piece,
        line=line, picks=picks,
    )  # fmt: skip


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
    spaces, piece = (action.region,) if action.region else (), power_card(seat, card.id, power.id)
    return Parts(
        "invoke",
        sentence,
        spaces=spaces,
        cards=(piece,),
        actor=piece,
        line=power.id,
        picks=_targeted((), spaces),
        cost=price_words(mana=mana_cost(battle, own, action.ancient, power)),
    )


# --- entries -------------------------------------------------------------------------------------


def _entry(battle: Battle, action: Action, seat: str) -> Parts:
    item = battle.state.todo[0] if battle.state.todo else None
    picks: tuple[Pick, ...]
    match action, item:
        case a.RollDice(roll=number), Roll():
            what = _dice(battle, item, number)
            # The second pick tells both dice, whatever the first was.
            picks = (Pick(f"{number[:1]}_", "die"), Pick(number, "die"))
        case a.Choose(number=number), Choice():
            choice = encounter_of(battle, item.encounter).choices[int(number) - 1]
            does = encounter_words(choice.effects, item.golem)
            golem = unit_name(battle, item.golem)
            what = ENGLISH.format("parts.choose", golem=golem, label=choice.label, does=does)
            picks = (Pick(number, "option", choice.label),)
        case a.EnterQuest(number=number), DealQuest():
            known = number != HIDDEN
            picks = (Pick(number, "option"),)
            quest = quest_words(battle.scenario.quests[int(number) - 1]) if known else ""
            key = "parts.quest-known" if known else "quest-dealt"
            what = ENGLISH.format(key, seat=seat_name(seat), number=number, quest=quest)
        case a.EnterHiding(number=number), Hide():
            what = _hiding(battle, item, number)
            picks = (Pick(number, "option"),)
        case a.RollDie(roll=number), Displace():
            region = places(battle, item)[int(number) - 1]
            golem = unit_name(battle, item.golem)
            what = ENGLISH.format("die", roll=number, golem=golem, region=region)
            picks = (Pick(number, "die", ENGLISH.format("option.die", n=number, region=region)),)
        case _:
            raise AssertionError("an entry answers an open question")
    return Parts(verb_of(action), capitalized(what), choices=(number,), picks=picks)


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
