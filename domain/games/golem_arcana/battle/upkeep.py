"""The Upkeep at the start of a Turn, in its exact order (BEGINNING A TURN)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.destruction import hurt
from domain.games.golem_arcana.battle.modifiers import laid_powers, traits
from domain.games.golem_arcana.battle.surprises import check_hold_quest, check_mana_quest
from domain.games.golem_arcana.battle.terrain import SWAMP_DAMAGE
from domain.games.golem_arcana.battle.victory import check_end
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import Curse
from domain.games.golem_arcana.facts import (
    CooldownsFell,
    ManaChanged,
    StatusesFaded,
    VpGained,
    WellHarvested,
)
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import INITIAL, on_board, seat_of
from domain.kernel.rulings import Figures


class Harm(Struct, frozen=True):
    """Something that hurts a Golem in its Upkeep."""

    source: str
    amount: int
    by: Seat | None
    """Whose deed it is."""
    rule: str


def conduct_upkeep(course: Resolution, seat: Seat) -> None:
    """Carry the Upkeep of a seat out; it may end the game."""
    course.note("ga.upkeep.order", seat=seat)
    _places(course, seat)
    if check_end(course):
        return
    _wells(course, seat)
    if check_mana_quest(course, seat) and check_end(course):
        return
    for name in course.battle.golems:
        if name[0] == seat[0] and on_board(course.battle.golem(name).where):
            _suffer(course, name)
    if check_end(course):
        return
    fade(course, seat)
    if any(golem.heat for name, golem in course.state.golems.items() if name[0] == seat[0]):
        course.record(CooldownsFell(seat), "ga.upkeep.cooldown", "ga.cooldown.clear")


def fade(course: Resolution, seat: Seat) -> None:
    """Status effects that a seat caused count down."""
    golems = course.state.golems.values()
    if any(status.seat == seat for golem in golems for status in golem.statuses):
        course.record(StatusesFaded(seat), "ga.upkeep.status")


def _places(course: Resolution, seat: Seat) -> None:
    for place in course.battle.scenario.locations:
        battle = course.battle
        if battle.holds(seat, battle.pack.regions(battle.scenario.id, place.regions)):
            course.record(
                VpGained(seat, place.vp),
                "ga.upkeep.places",
                "ga.vp.place",
                place=place.name,
                points=place.vp,
            )
    check_hold_quest(course, seat)


def _wells(course: Resolution, seat: Seat) -> None:
    for well in course.battle.scenario.wells:
        battle = course.battle
        side = battle.state.wells.get(well.at)
        if side is None or not battle.holds(seat, (well.at,)):
            continue
        capacity = well.start if side == "L" else well.depleted
        largest = max(battle.base_size(name) for name in battle.own_at(seat, well.at))
        course.record(
            WellHarvested(well.at),
            "ga.upkeep.wells",
            "ga.mana.well",
            side="large" if side == "L" else "small",
            capacity=capacity,
            largest_base_size=largest,
            mana=capacity * largest,
        )
        if capacity:
            course.record(ManaChanged(seat, capacity * largest))


def _suffer(course: Resolution, name: str) -> None:
    """Ongoing damage to one Golem, until nothing is left of it."""
    for harm in ongoing(course.battle, name):
        if name in course.state.golems:
            figures: Figures = {"source": harm.source, "damage": harm.amount}
            hurt(course, name, harm.amount, harm.by, "ga.upkeep.damage", harm.rule, **figures)


def ongoing(battle: Battle, name: str) -> list[Harm]:
    """What hurts a Golem in its seat's Upkeep, in order."""
    harms = [
        *_from_terrain(battle, name),
        *_from_golems(battle, name),
        *_from_constructs(battle, name),
        *_from_curses(battle, name),
        *_from_statuses(battle, name),
    ]
    return [harm for harm in harms if harm.amount > 0]


def _from_terrain(battle: Battle, name: str) -> Iterator[Harm]:
    if battle.terrain(battle.golem(name).where).base == "swamp":
        yield Harm("swamp", SWAMP_DAMAGE, None, "ga.terrain.swamp")


def _from_golems(battle: Battle, name: str) -> Iterator[Harm]:
    for enemy in battle.enemies_at(seat_of(name), battle.golem(name).where):
        for passive in traits(battle, enemy, "aura"):
            source = f"{passive.name} of {enemy}"
            yield Harm(source, passive.amount, seat_of(enemy), "ga.effect.aura")


def _from_constructs(battle: Battle, name: str) -> Iterator[Harm]:
    for unit in battle.constructs_at.get(battle.golem(name).where, ()):
        for aura in battle.construct_card(unit).aura:
            if battle.hostile(name, unit) and aura.affects == "enemy" and aura.stat == "dot":
                yield Harm(unit, aura.amount, seat_of(unit), "ga.effect.aura")


def _from_curses(battle: Battle, name: str) -> Iterator[Harm]:
    for owner, source, power in laid_powers(battle, battle.golem(name).where):
        harms = isinstance(power, Curse) and battle.hostile(name, owner)
        for modifier in power.modifiers:
            if harms and modifier.stat == "dot":
                yield Harm(source, modifier.amount, INITIAL[owner[0]], "ga.ancient.curse")


def _from_statuses(battle: Battle, name: str) -> Iterator[Harm]:
    for status in battle.golem(name).statuses:
        if status.stat == "dot":
            yield Harm(status.source, status.amount, status.seat, "ga.effect.dot")
