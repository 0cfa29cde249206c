"""Encounters and secret quests ("During play, you might encounter a few surprises")."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.destruction import fulfil, open_quest
from domain.games.golem_arcana.battle.effects import Deed, apply_effects
from domain.games.golem_arcana.battle.victory import check_end
from domain.games.golem_arcana.content.cards import Encounter, HoldQuest, ManaQuest, Seat
from domain.games.golem_arcana.content.vocabulary import AnyEffect
from domain.games.golem_arcana.facts import EncounterTriggered, WorkDone, WorkQueued
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import Choice, seat_of


def come_to_rest(course: Resolution, name: str) -> None:
    """A movement or displacement is over: has it ended the game, and what does it meet (GA-R46)?"""
    if not check_end(course):
        meet(course, name)


def meet(course: Resolution, name: str) -> None:
    """Trigger what lies hidden in a Golem's Region, one after the other in scenario order.

    A choice interrupts it: what else lies there is met when the choice is made (GA-R46).
    """
    for encounter in course.battle.scenario.encounters:
        golem = course.state.golems.get(name)
        if golem is None or course.state.outcome is not None:
            return
        hidden = course.state.encounters.get(encounter.id)
        if hidden is None or hidden.triggered or hidden.where != golem.where:
            continue
        course.record(
            EncounterTriggered(encounter.id, name, golem.where),
            "ga.encounter.meet",
            encounter=encounter.name,
        )
        if encounter.choices:
            # What else lies here is met when this is chosen: `choose` looks again.
            course.record(WorkQueued((Choice(encounter.id, name),)))
            return
        _befall(course, name, encounter, encounter.effects)


def choose(course: Resolution, item: Choice, number: int) -> None:
    """The seat of a Golem has chosen, by number from 1; then the Golem meets what else is there."""
    encounter = encounter_of(course.battle, item.encounter)
    choice = encounter.choices[number - 1]
    course.note("ga.encounter.meet", choice=choice.label)
    course.record(WorkDone())
    _befall(course, item.golem, encounter, choice.effects)
    meet(course, item.golem)


def candidates_left(battle: Battle, name: str) -> list[str]:
    """Where an encounter may lie: the Regions of its list that no other encounter has taken."""
    taken = {hidden.where for hidden in battle.state.encounters.values()}
    return [each for each in encounter_of(battle, name).candidates if each not in taken]


def encounter_of(battle: Battle, name: str) -> Encounter:
    """The content of an encounter."""
    return next(each for each in battle.scenario.encounters if each.id == name)


def _befall(
    course: Resolution, name: str, encounter: Encounter, effects: tuple[AnyEffect, ...]
) -> None:
    # Its status effects count down with the Golem's own seat, but its damage is nobody's (GA-R48).
    apply_effects(course, Deed(seat_of(name), encounter.id, blameless=True), effects, name)
    check_end(course)


def check_hold_quest(course: Resolution, seat: Seat) -> None:
    """In its Upkeep a seat may fulfil a quest to hold Regions."""
    battle = course.battle
    quest = open_quest(battle, seat)
    if isinstance(quest, HoldQuest) and battle.holds(
        seat, battle.pack.regions(battle.scenario.id, quest.regions)
    ):
        fulfil(course, seat, quest)


def check_mana_quest(course: Resolution, seat: Seat) -> bool:
    """In its Upkeep a seat may fulfil a quest to have Mana. Does it?"""
    quest = open_quest(course.battle, seat)
    if not isinstance(quest, ManaQuest) or course.state.seats[seat].mana < quest.amount:
        return False
    fulfil(course, seat, quest)
    return True
