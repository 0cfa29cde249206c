"""A Charge: a melee attack on an enemy in another Region, and the way there (CHARGING)."""

from domain.games.golem_arcana.battle.attack_rulings import explain_aim
from domain.games.golem_arcana.battle.attacks import aims, refuse_deserted, refuse_enemy, region_of
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost, refuse_ap
from domain.games.golem_arcana.battle.movement import path_of, refuse_motion, ways
from domain.games.golem_arcana.battle.stacking import fits
from domain.games.golem_arcana.battle.surprises import come_to_rest
from domain.games.golem_arcana.battle.travel import activate, travel
from domain.games.golem_arcana.content.vocabulary import Attack, Fly, Movement
from domain.games.golem_arcana.facts import WorkDone, WorkQueued
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import Advance, Roll
from domain.kernel.rulings import Refused


def refuse_charging_attack(battle: Battle, attack: Attack) -> Refused | None:
    """Why an attack cannot be made by charging at all."""
    if attack.mode != "melee":
        why = f"{attack.name} is a ranged attack: a Charge is made with a melee attack"
        return Refused("ga.charge.melee-only", why)
    if attack.area and battle.state.variants.charge_area == "no":
        why = f"{attack.name} is an area attack: a Charge has one target"
        return Refused("ga.charge.area", why)
    return None


def refuse_charge(
    battle: Battle, name: str, attack: Attack, movement: Movement, target: str
) -> Refused | None:
    """Why this Golem cannot charge this unit, or with an area attack this Region, with these two
    abilities."""
    refusal = (_refuse_region if attack.area else _refuse_unit)(battle, name, target)
    if refusal is not None:
        return refusal
    there = region_of(battle, attack, target)
    refusal = refuse_ap(battle, name, attack) or refuse_motion(
        battle, name, movement, cost(battle, name, attack)
    )
    if refusal is None and there not in ways(battle, name, movement):
        why = f"{battle.named(name)} cannot enter {there} by {movement.name} now"
        return Refused("ga.charge.reach", why)
    return refusal


def _refuse_unit(battle: Battle, name: str, target: str) -> Refused | None:
    refusal = refuse_enemy(battle, name, target)
    if refusal is None and battle.where(target) == battle.golem(name).where:
        why = f"{battle.named(target)} is in the same Region: attack it without a Charge"
        return Refused("ga.charge.same-region", why)
    return refusal


def _refuse_region(battle: Battle, name: str, region: str) -> Refused | None:
    if region not in battle.board.number:
        return Refused("ga.region.unknown", f"{region} is not a Region of this board")
    if region == battle.golem(name).where:
        why = f"{battle.named(name)} stands in {region}: attack there without a Charge"
        return Refused("ga.charge.same-region", why)
    return refuse_deserted(battle, name, region)


def charge(course: Resolution, name: str, attack: Attack, movement: Movement, target: str) -> None:
    """Pay for both abilities; the path is fixed and the dice are awaited."""
    battle = course.battle
    there = region_of(battle, attack, target)
    way = ways(battle, name, movement)[there]
    item = Roll(name, attack.id, target, charge=True)
    price = cost(battle, name, attack)
    course.note("ga.charge.cost", attack=price, movement=cost(battle, name, movement))
    if attack.area:
        course.note("ga.charge.area", region=there)
    activate(course, name, movement, price)
    for aim in aims(course.battle, item):
        explain_aim(course.battle, item, aim, course.explain_next)
    advance = Advance(name, "fly" if isinstance(movement, Fly) else "walk", path_of(battle, way))
    course.record(WorkQueued((item, advance)))


def advance(course: Resolution, item: Advance) -> None:
    """The attacker moves along its path to the last Region where it fits, or stays (GA-R29)."""
    course.record(WorkDone())
    if item.golem not in course.state.golems:
        return
    battle = course.battle
    goes = [n for n, region in enumerate(item.path) if fits(battle, item.golem, region)]
    if not goes:
        course.note("ga.charge.advance", stays=battle.golem(item.golem).where)
        return
    path = item.path[: goes[-1] + 1]
    course.explain_next("ga.charge.advance", path=", ".join(path), wanted=item.path[-1])
    travel(course, item.golem, item.way, path)
    come_to_rest(course, item.golem)
