"""Each fact as a sentence, with the figures after it."""

from collections.abc import Callable
from typing import Any, Final

from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.battle.surprises import encounter_of
from domain.games.golem_arcana.display.attack_words import target_told
from domain.games.golem_arcana.display.clauses import cause, ended, gained, worn_off
from domain.games.golem_arcana.display.effect_words import quest_words
from domain.games.golem_arcana.display.names import (
    ability_name,
    listed,
    power_name,
    seat_name,
)
from domain.games.golem_arcana.display.story import Story
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import Choice, Displace, Item, Roll, Step, seat_of
from domain.kernel.language import as_sentence


def fact_sentence(story: Story, number: int) -> str:
    """One of the facts as a sentence; empty for a fact that tells people nothing."""
    fact = story.facts[number]
    return as_sentence(story.in_full(_TOLD[type(fact)](story, number, fact)))


# --- before the battle, Rounds and Turns ---------------------------------------------------------


def _hidden(story: Story, _: int, fact: f.EncounterHidden) -> str:
    name = encounter_of(story.battle, fact.encounter).name
    return ENGLISH.format("hidden-known", encounter=name, region=fact.region)


def _dealt(story: Story, _: int, fact: f.QuestDealt) -> str:
    if fact.number is None:
        return ENGLISH.format("quest-dealt", seat=seat_name(fact.seat))
    quest = quest_words(story.battle.scenario.quests[fact.number - 1])
    return ENGLISH.format("quest-known", seat=seat_name(fact.seat), quest=quest)


def _of_golem(key: str) -> Callable[[Story, int, Any], str]:
    """Facts that name a Golem, and perhaps a Region."""

    def told(story: Story, _: int, fact: Any) -> str:
        region = getattr(fact, "region", "")
        return ENGLISH.format(key, golem=story.unit(fact.golem), region=region)

    return told


def _of_seat(key: str) -> Callable[[Story, int, Any], str]:
    """Facts that name a seat only."""

    def told(_: Story, __: int, fact: Any) -> str:
        return ENGLISH.format(key, seat=seat_name(fact.seat))

    return told


def _round(_: Story, __: int, fact: f.RoundBegan) -> str:
    return ENGLISH.format("fact.round", round=fact.round)


def _faded(story: Story, number: int, fact: f.StatusesFaded | f.TurnSkipped) -> str:
    skipped = isinstance(fact, f.TurnSkipped)
    told = ENGLISH.format("skipped" if skipped else "fact.faded", seat=seat_name(fact.seat))
    over = [worn_off(story, name, status.source) for name, status in story.worn_off(number)]
    return ENGLISH.format("semicolon").join([told, *over])


# --- points --------------------------------------------------------------------------------------


def _ap(story: Story, number: int, fact: f.ApChanged) -> str:
    seat = seat_name(fact.seat)
    if fact.by > 0:
        return ENGLISH.format("fact.ap-gained", seat=seat, n=fact.by)
    left = story.cited(number + 1, "ga.ap.leftover") is not None
    return ENGLISH.format("fact.ap-left" if left else "fact.ap-spent", seat=seat, n=-fact.by)


def _mana(story: Story, number: int, fact: f.ManaChanged) -> str:
    seat = seat_name(fact.seat)
    if fact.by < 0:
        drained = story.cited(number, "ga.effect.drain") is not None
        return ENGLISH.format("lost-mana" if drained else "fact.mana-spent", seat=seat, n=-fact.by)
    before = story.facts[number - 1] if number else None
    released = story.cited(number, "ga.mana.destroyed") is not None
    if released and isinstance(before, f.UnitDestroyed):
        unit = story.unit(before.unit)
        return ENGLISH.format("fact.mana-for", seat=seat, n=fact.by, unit=unit)
    return ENGLISH.format("fact.mana-gained", seat=seat, n=fact.by)


def _vp(story: Story, number: int, fact: f.VpGained) -> str:
    seat, what = seat_name(fact.seat), ""
    place, kill = story.cited(number, "ga.vp.place"), story.cited(number, "ga.vp.kill")
    if place is not None:
        what = ENGLISH.format("fact.vp-place", place=place["place"])
    elif kill is not None:
        what = story.unit(str(kill["unit"]))
    key = "fact.vp-for" if what else "fact.vp"
    return ENGLISH.format(key, seat=seat, n=fact.amount, what=what)


def _well(story: Story, number: int, fact: f.WellHarvested) -> str:
    dry = fact.region not in story.states[number + 1].wells
    return ENGLISH.format("fact.well-dry" if dry else "fact.well-small", region=fact.region)


# --- Golems --------------------------------------------------------------------------------------


def _hurt(story: Story, number: int, fact: f.DamageTaken) -> str:
    left, most = story.hit_points(number, fact.unit)
    source = cause(story, number)
    values = {"unit": story.unit(fact.unit), "n": fact.amount, "left": left, "most": most}
    return ENGLISH.format("loses-to" if source else "loses", **values, source=source)


def _healed(story: Story, number: int, fact: f.HitPointsRestored) -> str:
    left, most = story.hit_points(number, fact.golem)
    golem = story.unit(fact.golem)
    return ENGLISH.format("healed", golem=golem, n=fact.amount, left=left, most=most)


def _destroyed(story: Story, _: int, fact: f.UnitDestroyed) -> str:
    return ENGLISH.format("destroyed", unit=story.unit(fact.unit))


def _heated(story: Story, number: int, fact: f.CooldownGained) -> str:
    abilities = story.battle.abilities(fact.golem)
    heat = story.states[number + 1].golems[fact.golem].heat[fact.ability]
    return ENGLISH.format(
        "fact.heated",
        ability=abilities[fact.ability].name,
        golem=story.unit(fact.golem),
        n=fact.pips,
        cost=abilities[fact.ability].ap << heat.doublings,
    )


def _of_ability(key: str) -> Callable[[Story, int, Any], str]:
    """Facts about an ability of a Golem."""

    def told(story: Story, _: int, fact: Any) -> str:
        ability = ability_name(story.battle, fact.golem, fact.ability)
        n = getattr(fact, "pips", 0)
        return ENGLISH.format(key, ability=ability, golem=story.unit(fact.golem), n=n)

    return told


def _status(story: Story, _: int, fact: f.StatusGained) -> str:
    return gained(story, fact.status, story.unit(fact.golem))


def _moved(story: Story, _: int, fact: f.GolemMoved) -> str:
    path = listed(fact.path, most=len(fact.path))
    return ENGLISH.format("fact.moved", golem=story.unit(fact.golem), path=path)


# --- Relics, Ancient Ones, surprises, what is to come --------------------------------------------


def _relic(story: Story, number: int, fact: f.RelicUsed) -> str:
    card = story.battle.relic(fact.golem)
    assert card is not None, "only Relics that are there are used"
    golem = story.unit(fact.golem)
    left = story.states[number + 1].golems[fact.golem].charges
    if left is None:
        return ENGLISH.format("fact.relic", golem=golem, relic=card.name)
    return ENGLISH.format("fact.relic-charges", golem=golem, relic=card.name, n=left)


def _raised(story: Story, _: int, fact: f.ConstructPlaced) -> str:
    unit = story.unit(fact.construct)
    return ENGLISH.format("raised", construct=unit, region=fact.region, n=fact.hp)


def _laid(story: Story, _: int, fact: f.PowerPlaced) -> str:
    pack = story.battle.pack
    return ENGLISH.format(
        "fact.laid",
        power=power_name(pack, fact.ancient, fact.power),
        ancient=pack.ancients[fact.ancient].name,
        region=fact.region,
    )


def _met(story: Story, _: int, fact: f.EncounterTriggered) -> str:
    name = encounter_of(story.battle, fact.encounter).name
    golem = story.unit(fact.golem)
    return ENGLISH.format("met", golem=golem, encounter=name, region=fact.region)


def _fulfilled(story: Story, _: int, fact: f.QuestFulfilled) -> str:
    quest = story.battle.scenario.quests[fact.number - 1].name
    return ENGLISH.format("fulfilled-plain", seat=seat_name(fact.seat), quest=quest)


def _queued(story: Story, _: int, fact: f.WorkQueued) -> str:
    told = (_awaited(story, item) for item in fact.items)
    return ENGLISH.format("semicolon").join(filter(None, told))


def _awaited(story: Story, item: Item) -> str:
    match item:
        case Roll(attacker=golem, ability=ability, target=target):
            return ENGLISH.format(
                "fact.awaits-dice",
                ability=ability_name(story.battle, golem, ability),
                golem=story.unit(golem),
                target=target_told(story, golem, ability, target),
            )
        case Displace(golem=golem):
            return ENGLISH.format("fact.to-displace", golem=story.unit(golem))
        case Step(golem=golem):
            return ENGLISH.format("fact.may-step", golem=story.unit(golem))
        case Choice(golem=golem):
            return ENGLISH.format("fact.may-choose", seat=seat_name(seat_of(golem)))
        case _:
            return ""


def _ended(story: Story, number: int, fact: f.GameEnded) -> str:
    return ended(story.states[number + 1], fact)


def _nothing(_: Story, __: int, fact: f.WorkDone) -> str:
    del fact
    return ""


_TOLD: Final[dict[type, Callable[[Story, int, Any], str]]] = {
    f.EncounterHidden: _hidden,
    f.QuestDealt: _dealt,
    f.GolemDeployed: _of_golem("deployed"),
    f.GolemHeld: _of_golem("held"),
    f.RoundBegan: _round,
    f.TurnBegan: _of_seat("fact.turn"),
    f.TurnSkipped: _faded,
    f.ApChanged: _ap,
    f.ManaChanged: _mana,
    f.VpGained: _vp,
    f.WellHarvested: _well,
    f.DamageTaken: _hurt,
    f.HitPointsRestored: _healed,
    f.UnitDestroyed: _destroyed,
    f.CooldownGained: _heated,
    f.AbilityUsed: _of_ability("fact.used"),
    f.CooldownLost: _of_ability("cooled"),
    f.CooldownsFell: _of_seat("fact.cooldowns"),
    f.StatusGained: _status,
    f.StatusesFaded: _faded,
    f.StatusesCleansed: _of_golem("cleansed"),
    f.GolemMoved: _moved,
    f.GolemDisplaced: _of_golem("displaced"),
    f.GolemTeleported: _of_golem("teleported"),
    f.GolemEntered: _of_golem("entered"),
    f.RelicUsed: _relic,
    f.ConstructPlaced: _raised,
    f.PowerPlaced: _laid,
    f.EncounterTriggered: _met,
    f.QuestFulfilled: _fulfilled,
    f.WorkQueued: _queued,
    f.WorkDone: _nothing,
    f.SeatResigned: _of_seat("resigned"),
    f.GameEnded: _ended,
}
