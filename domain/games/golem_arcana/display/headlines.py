"""The first sentence of an event: who did what. It takes up the facts that it tells."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.battle.ancients import laid_in
from domain.games.golem_arcana.battle.attacks import attack_of
from domain.games.golem_arcana.battle.surprises import candidates_left, encounter_of
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import Attack, Blessing, Curse, Power
from domain.games.golem_arcana.display.attack_words import (
    Strike,
    chances,
    needed,
    strikes,
    target_told,
)
from domain.games.golem_arcana.display.effect_words import power_words, quest_words
from domain.games.golem_arcana.display.names import ability_name, listed, seat_name
from domain.games.golem_arcana.display.story import Story
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.notation.position import HIDDEN
from domain.games.golem_arcana.state import Choice, Hide, Roll, seat_named


class Headline(Struct, frozen=True):
    """What was done."""

    told: str
    facts: frozenset[int] = frozenset()
    """The facts that it has told."""
    strikes: tuple[Strike, ...] = ()
    """What the dice meant for each target."""
    complete: bool = True
    """Is it all, if nothing followed? Of what is done for its effects it is worth telling."""
    area: bool = False
    """Was it an area attack? Then it has not said who was hit."""


def headline(story: Story) -> Headline:
    """The first sentence, without its full stop."""
    if story.action is None:
        return _gave_up(story)
    return _HEADLINES[type(story.action)](story, story.action)


def _gave_up(story: Story) -> Headline:
    """A seat gave up; a verdict of the referee has facts only."""
    for number, fact in enumerate(story.facts):
        if isinstance(fact, f.SeatResigned):
            told = ENGLISH.format("resigned", seat=seat_name(fact.seat))
            return Headline(told, frozenset({number}))
    return Headline("")


# --- paying --------------------------------------------------------------------------------------


def _paid(story: Story) -> tuple[str, frozenset[int]]:
    """The price of an action, which its first facts tell, and these."""
    paid: list[str] = []
    taken: list[int] = []
    for number, fact in enumerate(story.facts):
        match fact:
            case f.ApChanged(seat=story.seat, by=by) if by < 0:
                paid.append(_with_breakaway(story, ENGLISH.format("price.ap", n=-by)))
            case f.ManaChanged(seat=story.seat, by=by) if by < 0:
                paid.append(ENGLISH.format("price.mana", n=-by))
            case f.DamageTaken(amount=amount) if story.cited(number, "ga.hp.short") is not None:
                paid.append(ENGLISH.format("price.hp", n=amount))
            case f.CooldownGained() | f.RelicUsed():
                pass
            case _:
                break
        taken.append(number)
    return (ENGLISH.join_and(paid) or ""), frozenset(taken)


def _with_breakaway(story: Story, price: str) -> str:
    for ruling in story.rulings:
        if "ga.move.breakaway" in ruling.rules and "breakaway" in ruling.figures:
            return ENGLISH.format("breakaway", price=price, n=ruling.figures["breakaway"])
    return price


def _for(told: str, price: str) -> str:
    return ENGLISH.format("for-price", what=told, price=price) if price else told


# --- moving and attacking ------------------------------------------------------------------------


def _move(story: Story, action: a.Move) -> Headline:
    price, taken = _paid(story)
    steps = [
        (number, fact)
        for number, fact in enumerate(story.facts)
        if isinstance(fact, f.GolemMoved) and fact.golem == action.golem
    ]
    path = [region for _, fact in steps for region in fact.path]
    *through, end = path or [""]
    values = {
        "golem": story.unit(action.golem),
        "ability": ability_name(story.battle, action.golem, action.ability),
        "region": end,
    }
    told = _for(ENGLISH.format("moved" if end else "not-moved", **values), price)
    if through:
        told = ENGLISH.format("moved-through", told=told, through=listed(through))
    return Headline(told, taken | {number for number, _ in steps})


def _attack(story: Story, action: a.Attack | a.Charge) -> Headline:
    price, taken = _paid(story)
    ability = action.attack if isinstance(action, a.Charge) else action.ability
    aims = [(story.unit(unit), chance) for unit, chance in chances(story.rulings)]
    attack = story.battle.abilities(action.golem)[ability]
    area = isinstance(attack, Attack) and attack.area
    told = ENGLISH.format(
        "charged" if isinstance(action, a.Charge) else "declared",
        golem=story.unit(action.golem),
        target=target_told(story, action.golem, ability, action.target),
        ability=ability_name(story.battle, action.golem, ability),
    )
    told = _for(told, price)
    if aims:
        told = ENGLISH.format("needs", told=told, needed=needed(aims, area=area))
    queued = {n for n, fact in enumerate(story.facts) if isinstance(fact, f.WorkQueued)}
    return Headline(told, taken | queued)


_ROLLED: Final = {
    (True, False): "rolled",
    (True, True): "rolled-charge",
    (False, False): "rolled-plain",
    (False, True): "rolled-plain-charge",
}
"""How dice are told: is it for one target whose verdict is known, is it a Charge?"""


def _dice(story: Story, action: a.RollDice) -> Headline:
    item = story.battle.state.todo[0]
    assert isinstance(item, Roll), "dice answer an attack"
    attack = attack_of(story.battle, item)
    found = tuple(strikes(story.rulings))
    single = found[0] if found and not attack.area else None
    told = ENGLISH.format(
        _ROLLED[single is not None, item.charge],
        golem=story.unit(item.attacker),
        target=target_told(story, item.attacker, item.ability, item.target),
        ability=attack.name,
        roll=action.roll,
        rolled=single.rolled if single else "",
        verdict=single.result if single else "",
    )
    return Headline(told, strikes=found, area=attack.area)


# --- powers --------------------------------------------------------------------------------------


def _use(story: Story, action: a.Use | a.UseRelic) -> Headline:
    price, taken = _paid(story)
    power = _power(story, action)
    told = ENGLISH.format("used", golem=story.unit(action.golem), power=power.name)
    region = power.target == "region"
    if action.target is not None:
        target = action.target if region else story.unit(action.target)
        golem = story.unit(action.golem)
        told = ENGLISH.format("used-on", golem=golem, power=power.name, target=target)
    return Headline(_for(told, price), taken, complete=False)


def _power(story: Story, action: a.Use | a.UseRelic) -> Power:
    if isinstance(action, a.UseRelic):
        card = story.battle.relic(action.golem)
        assert card is not None, "only Relics that are there are used"
        return card.ability
    power = story.battle.abilities(action.golem)[action.ability]
    assert isinstance(power, Power), "only powers are used"
    return power


def _invoke(story: Story, action: a.Invoke) -> Headline:
    price, taken = _paid(story)
    card = story.battle.pack.ancients[action.ancient]
    power = next(each for each in card.power if each.id == action.power)
    seat: Seat = seat_named(story.seat)
    values = {"seat": seat_name(seat), "power": power.name, "ancient": card.name}
    if not isinstance(power, Blessing | Curse):
        return Headline(_for(ENGLISH.format("invoked", **values), price), taken, complete=False)
    before = laid_in(story.battle, seat, action.ancient, power)
    key = "laid-again" if before else "laid"
    told = _for(ENGLISH.format(key, **values, region=action.region, before=before), price)
    placed = {n for n, fact in enumerate(story.facts) if isinstance(fact, f.PowerPlaced)}
    told = ENGLISH.format("laid-does", headline=told, does=power_words(power, seat))
    return Headline(told, taken | placed)


# --- entering, deploying, ending a Turn ----------------------------------------------------------


def _first(story: Story, *kinds: type) -> frozenset[int]:
    """The first fact of one of these kinds, if there is one."""
    found = (n for n, fact in enumerate(story.facts) if isinstance(fact, kinds))
    return frozenset(list(found)[:1])


def _enter(story: Story, action: a.Enter) -> Headline:
    price, taken = _paid(story)
    told = ENGLISH.format("entered", golem=story.unit(action.golem), region=action.region)
    return Headline(_for(told, price), taken | _first(story, f.GolemEntered))


def _end(story: Story, action: a.EndTurn) -> Headline:
    del action
    seat = seat_name(story.seat)
    match story.facts[:2]:
        case (f.ApChanged(by=by), f.ManaChanged()) if by < 0:
            told = ENGLISH.format("turn-over-left", seat=seat, n=-by)
            return Headline(told, frozenset({0, 1}))
        case _:
            return Headline(ENGLISH.format("turn-over", seat=seat))


def _deploy(story: Story, action: a.Deploy) -> Headline:
    told = ENGLISH.format("deployed", golem=story.unit(action.golem), region=action.region)
    return Headline(told, _first(story, f.GolemDeployed))


def _hold(story: Story, action: a.Hold) -> Headline:
    told = ENGLISH.format("held", golem=story.unit(action.golem))
    return Headline(told, _first(story, f.GolemHeld))


# --- answers and entries -------------------------------------------------------------------------


def _waiting(story: Story) -> str:
    """The Golem that an open question is about."""
    return str(getattr(story.battle.state.todo[0], "golem", ""))


def _displaced(story: Story, action: a.ChooseRegion | a.RollDie) -> Headline:
    golem = _waiting(story)
    taken = _first(story, f.GolemDisplaced)
    region = next((getattr(story.facts[n], "region", "") for n in taken), "")
    rolled = isinstance(action, a.RollDie)
    told = ENGLISH.format(
        "die" if rolled else "displaced",
        golem=story.unit(golem),
        region=region,
        roll=action.roll if isinstance(action, a.RollDie) else "",
    )
    return Headline(told, taken)


def _step(story: Story, action: a.TakeStep) -> Headline:
    golem = _waiting(story)
    told = ENGLISH.format("stepped", golem=story.unit(golem), region=action.region)
    return Headline(told, _first(story, f.GolemMoved))


def _stay(story: Story, action: a.Stay) -> Headline:
    del action
    return Headline(ENGLISH.format("stayed", golem=story.unit(_waiting(story))))


def _choose(story: Story, action: a.Choose) -> Headline:
    item = story.battle.state.todo[0]
    assert isinstance(item, Choice), "a choice answers an encounter"
    encounter = encounter_of(story.battle, item.encounter)
    label = encounter.choices[int(action.number) - 1].label
    golem = story.unit(item.golem)
    told = ENGLISH.format("chosen", golem=golem, encounter=encounter.name, label=label)
    return Headline(told, complete=False)


def _quest(story: Story, action: a.EnterQuest) -> Headline:
    seat = seat_name(story.seat)
    taken = _first(story, f.QuestDealt)
    if action.number == HIDDEN:
        return Headline(ENGLISH.format("quest-dealt", seat=seat), taken)
    quest = quest_words(story.battle.scenario.quests[int(action.number) - 1])
    return Headline(ENGLISH.format("quest-known", seat=seat, quest=quest), taken)


def _hide(story: Story, action: a.EnterHiding) -> Headline:
    if action.number == HIDDEN:
        return Headline(ENGLISH.format("hidden"))
    item = story.battle.state.todo[0]
    assert isinstance(item, Hide), "hiding answers who hides"
    region = candidates_left(story.battle, item.encounter)[int(action.number) - 1]
    name = encounter_of(story.battle, item.encounter).name
    told = ENGLISH.format("hidden-known", encounter=name, region=region)
    return Headline(told, _first(story, f.EncounterHidden))


_HEADLINES: Final[dict[type, Callable[[Story, Any], Headline]]] = {
    a.Move: _move,
    a.Attack: _attack,
    a.Charge: _attack,
    a.Use: _use,
    a.UseRelic: _use,
    a.Invoke: _invoke,
    a.Enter: _enter,
    a.EndTurn: _end,
    a.RollDice: _dice,
    a.ChooseRegion: _displaced,
    a.RollDie: _displaced,
    a.TakeStep: _step,
    a.Stay: _stay,
    a.Choose: _choose,
    a.Deploy: _deploy,
    a.Hold: _hold,
    a.EnterQuest: _quest,
    a.EnterHiding: _hide,
}
