"""The Upkeep at the start of a Turn, in its exact order (BEGINNING A TURN)."""

from domain.games.golem_arcana.battle import Battle
from domain.games.golem_arcana.cards import Seat
from domain.games.golem_arcana.course import Course
from domain.games.golem_arcana.destruction import hurt
from domain.games.golem_arcana.facts import (
    CooldownsFell,
    ManaChanged,
    StatusesFaded,
    VpGained,
    WellHarvested,
)
from domain.games.golem_arcana.layout import expand
from domain.games.golem_arcana.modifiers import laid_powers, touches, traits
from domain.games.golem_arcana.state import INITIAL, on_board, seat_of
from domain.games.golem_arcana.surprises import check_hold_quest, check_mana_quest
from domain.games.golem_arcana.terrain import SWAMP_DAMAGE
from domain.games.golem_arcana.victory import check_end


def conduct_upkeep(course: Course, seat: Seat) -> None:
    """Carry the Upkeep of a seat out; it may end the game."""
    course.note({"seat": seat}, "ga.upkeep.order")
    _places(course, seat)
    if check_end(course):
        return
    _wells(course, seat)
    if check_mana_quest(course, seat) and check_end(course):
        return
    for name in course.battle.state.golems:
        if name[0] == seat[0] and on_board(course.battle.golem(name).where):
            _suffer(course, name)
    if check_end(course):
        return
    fade(course, seat)
    if any(golem.heat for name, golem in course.state.golems.items() if name[0] == seat[0]):
        course.happen(CooldownsFell(seat), "ga.upkeep.cooldown", "ga.cooldown.clear")


def fade(course: Course, seat: Seat) -> None:
    """Status effects that a seat caused count down."""
    golems = course.state.golems.values()
    if any(status.seat == seat for golem in golems for status in golem.statuses):
        course.happen(StatusesFaded(seat), "ga.upkeep.status")


def _places(course: Course, seat: Seat) -> None:
    for place in course.battle.scenario.locations:
        battle = course.battle
        if battle.holds(seat, tuple(expand(place.regions, battle.board))):
            course.happen(
                VpGained(seat, place.vp),
                "ga.upkeep.places",
                "ga.vp.place",
                place=place.name,
                points=place.vp,
            )
    check_hold_quest(course, seat)


def _wells(course: Course, seat: Seat) -> None:
    for well in course.battle.scenario.wells:
        battle = course.battle
        side = battle.state.wells.get(well.at)
        if side is None or not battle.holds(seat, (well.at,)):
            continue
        capacity = well.start if side == "L" else well.depleted
        largest = max(battle.base_size(name) for name in battle.own_at(seat, well.at))
        course.happen(
            WellHarvested(well.at),
            "ga.upkeep.wells",
            "ga.mana.well",
            side="large" if side == "L" else "small",
            capacity=capacity,
            largest_base_size=largest,
            mana=capacity * largest,
        )
        if capacity:
            course.happen(ManaChanged(seat, capacity * largest))


def _suffer(course: Course, name: str) -> None:
    """Ongoing damage to one Golem, until nothing is left of it."""
    for source, amount, by, rule in ongoing(course.battle, name):
        if name in course.state.golems:
            hurt(course, name, amount, by, "ga.upkeep.damage", rule, source=source, damage=amount)


def ongoing(battle: Battle, name: str) -> list[tuple[str, int, Seat | None, str]]:
    """What hurts a Golem in its seat's Upkeep: source, damage, whose deed, rule; in order."""
    seat, region = seat_of(name), battle.golem(name).where
    found: list[tuple[str, int, Seat | None, str]] = []
    if battle.terrain(region).base == "swamp":
        found.append(("swamp", SWAMP_DAMAGE, None, "ga.terrain.swamp"))
    for enemy in battle.enemies_at(seat, region):
        for passive in traits(battle, enemy, "aura"):
            label = f"{passive.name} of {enemy}"
            found.append((label, passive.amount, seat_of(enemy), "ga.effect.aura"))
    for unit in battle.constructs_at.get(region, ()):
        if unit[0] != name[0]:
            for aura in battle.construct_card(unit).aura:
                if aura.affects == "enemy" and aura.stat == "dot":
                    found.append((unit, aura.amount, seat_of(unit), "ga.effect.aura"))
    for owner, source, power in sorted(laid_powers(battle, region), key=_in_notation):
        if owner != seat and touches(seat, owner, power):
            for modifier in power.modifiers:
                if modifier.stat == "dot":
                    found.append((source, modifier.amount, INITIAL[owner[0]], "ga.ancient.curse"))
    for status in battle.golem(name).statuses:
        if status.stat == "dot":
            found.append((status.source, status.amount, status.seat, "ga.effect.dot"))
    return [each for each in found if each[1] > 0]


def _in_notation(laid: tuple[str, str, object]) -> tuple[str, str, str]:
    ancient, _, power = laid[1].partition(".")
    return laid[0], ancient, power
