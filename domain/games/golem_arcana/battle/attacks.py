"""Melee, ranged and area attacks: who may be attacked, and what the dice do ("Golems damage")."""

from typing import Literal

from msgspec import Struct

from domain.games.golem_arcana.battle.aim import Aim, take_aim
from domain.games.golem_arcana.battle.attack_rulings import explain_aim, explain_verdict
from domain.games.golem_arcana.battle.battle import Battle, bearer, units_in_order
from domain.games.golem_arcana.battle.cooldown import (
    cost,
    gain_cooldown,
    pay_ap,
    refuse_ap,
    use_coolly,
)
from domain.games.golem_arcana.battle.destruction import hurt
from domain.games.golem_arcana.battle.effects import Deed, apply_effects
from domain.games.golem_arcana.battle.sight import refuse_sight
from domain.games.golem_arcana.battle.victory import check_end
from domain.games.golem_arcana.content.vocabulary import Attack, Push
from domain.games.golem_arcana.facts import WorkDone, WorkQueued
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import Advance, Displace, Item, Roll, Step, on_board, seat_of
from domain.kernel.rulings import Refused

Verdict = Literal["super", "critical", "lucky", "hit", "miss", "fated"]
HITS: tuple[Verdict, ...] = ("super", "critical", "lucky", "hit")


class Blow(Struct, frozen=True):
    """What the dice mean for one target."""

    aim: Aim
    verdict: Verdict
    damage: int
    """The Hit Points it costs; 0 for a miss."""

    @property
    def hits(self) -> bool:
        """Did it hit? No damage is still a hit."""
        return self.verdict in HITS

    @property
    def severe(self) -> bool:
        """Was it a critical or super-critical hit?"""
        return self.verdict in ("critical", "super")


def refuse_attack(battle: Battle, name: str, attack: Attack, target: str) -> Refused | None:
    """Why this attack cannot be made, on a unit or for an area attack on a Region."""
    if attack.area:
        return _refuse_area(battle, name, attack, target)
    return (
        refuse_enemy(battle, name, target)
        or refuse_ap(battle, name, attack)
        or refuse_aim(battle, name, attack, battle.where(target))
    )


def _refuse_area(battle: Battle, name: str, attack: Attack, region: str) -> Refused | None:
    if region not in battle.board.number:
        return Refused("ga.region.unknown", f"{region} is not a Region of this board")
    refusal = refuse_ap(battle, name, attack) or refuse_aim(battle, name, attack, region)
    return refusal or refuse_deserted(battle, name, region)


def refuse_deserted(battle: Battle, name: str, region: str) -> Refused | None:
    """Why an area attack is not made on a Region: nobody is there to be attacked."""
    if area_has_enemy(battle, name, region):
        return None
    why = f"{region} holds no enemy Golem or Construct: an area attack needs one"
    return Refused("ga.area.no-enemy", why)


def area_has_enemy(battle: Battle, name: str, region: str) -> bool:
    """Does a Region hold an enemy Golem or Construct (GA-R24)?"""
    return any(battle.hostile(name, unit) for unit in units_in_order(battle, region))


def refuse_enemy(battle: Battle, name: str, target: str) -> Refused | None:
    """Why a unit cannot be the target of an attack by this Golem."""
    if target not in battle.state.golems and target not in battle.state.constructs:
        return Refused("ga.target.unknown", f"there is no Golem and no Construct {target}")
    if not battle.hostile(name, target):
        return Refused("ga.target.friend", f"{battle.named(target)} is not an enemy")
    if not on_board(battle.where(target)):
        return Refused("ga.target.off-board", f"{battle.named(target)} is not on the board")
    return None


def refuse_aim(battle: Battle, name: str, attack: Attack, region: str) -> Refused | None:
    """Why an attack does not reach a Region."""
    here = battle.golem(name).where
    if attack.mode == "melee":
        if region == here:
            return None
        why = f"{attack.name} is a melee attack: it reaches {here}, where the Golem stands, only"
        return Refused("ga.melee.same-region", why)
    if region == here:
        why = f"{attack.name} is a ranged attack: its target must be in another Region than {here}"
        return Refused("ga.ranged.same-region", why)
    distance = battle.board.distance(here, region, battle.state.variants.range)
    reach = attack.range or 0
    if distance > reach:
        why = f"{region} is {distance} Regions from {here}, but {attack.name} reaches {reach}"
        return Refused("ga.ranged.range", why, {"distance": distance, "range": reach})
    return refuse_sight(battle, here, region)


def region_of(battle: Battle, attack: Attack, target: str) -> str:
    """The Region at which an attack is aimed: an area attack names it, any other names a unit.

    Which of the two a text names is known from the attack. Its spelling would not tell: `e1` is a
    Golem of East and a Region too.
    """
    return target if attack.area else battle.where(target)


def targets_of(battle: Battle, name: str, attack: Attack, target: str) -> list[str]:
    """Every unit that an attack strikes: for an area attack all in the Region but the attacker."""
    if not attack.area:
        return [target]
    return [unit for unit in units_in_order(battle, target) if unit != name]


def aims(battle: Battle, item: Roll) -> list[Aim]:
    """The figures of an attack for each of its targets, in id order."""
    attack = attack_of(battle, item)
    return [
        take_aim(battle, item.attacker, attack, unit, charging=item.charge)
        for unit in targets_of(battle, item.attacker, attack, item.target)
    ]


def attack_of(battle: Battle, item: Roll) -> Attack:
    """The attack that is being rolled for."""
    attack = battle.abilities(item.attacker)[item.ability]
    assert isinstance(attack, Attack), "only attacks are rolled for"
    return attack


def declare(course: Resolution, name: str, attack: Attack, target: str) -> None:
    """Pay for an attack; its dice are awaited."""
    pay_ap(course, name, cost(course.battle, name, attack))
    item = Roll(name, attack.id, target)
    for aim in aims(course.battle, item):
        explain_aim(course.battle, item, aim, course.explain_next)
    course.record(WorkQueued((item,)))


def judge(aim: Aim, roll: int) -> Blow:
    """What a roll, 0 for `00`, means for one target (LUCKY AND CRITICAL HITS)."""
    doubles = roll % 11 == 0
    verdict: Verdict
    if doubles and aim.fated:
        verdict = "fated"
    elif roll == 0:
        verdict = "super"
    elif doubles:
        verdict = "critical" if roll <= aim.chance else "lucky"
    else:
        verdict = "hit" if roll <= aim.chance else "miss"
    if verdict in ("super", "critical"):
        return Blow(aim, verdict, aim.critical)
    return Blow(aim, verdict, aim.hit if verdict in HITS else 0)


def resolve(course: Resolution, item: Roll, roll: int) -> None:
    """Carry an attack out in the order of GA-R26; `roll` is 0 for `00`.

    All figures are those of the position before the roll: the attacker may fall by its own effects.
    """
    before = course.battle
    attack = attack_of(before, item)
    blows = [judge(aim, roll) for aim in aims(before, item)]
    deed = Deed(
        seat_of(item.attacker),
        f"{bearer(before, item.attacker, attack.id)}.{attack.id}",
        before.golem(item.attacker).where,
    )
    course.note("ga.attack.order", *(["ga.area.all"] * attack.area), targets=len(blows))
    course.record(WorkDone())
    cools = gain_cooldown if roll else use_coolly
    cools(course, item.attacker, attack)
    later: list[Item] = []
    for blow in blows:
        if not battle_has(course, blow.aim.target):
            continue  # an effect on an earlier target has destroyed it
        # Without damage there is no fact that the figures explain.
        say = course.explain_next if blow.damage else course.note
        explain_verdict(before, item, blow.aim, blow.verdict, roll, blow.damage, say)
        if blow.hits:
            later += _strike(course, before, item, blow, deed)
    if any(blow.hits for blow in blows):
        own = [effect for effect in attack.effects if effect.inward]
        later += apply_effects(course, deed, own, item.attacker)
    if not check_end(course):
        _queue(course, later)


def battle_has(course: Resolution, unit: str) -> bool:
    """Does this unit still stand?"""
    return unit in course.state.golems or unit in course.state.constructs


def _strike(course: Resolution, before: Battle, item: Roll, blow: Blow, deed: Deed) -> list[Item]:
    """One target is hit: damage, then the attack's effects on it, then a Charge's displacement."""
    attack, target = attack_of(before, item), blow.aim.target
    hurt(course, target, blow.damage, deed.seat)
    if target not in course.state.golems:
        return []
    later = apply_effects(course, deed, (e for e in attack.effects if not e.inward), target)
    pushed = any(isinstance(effect, Push) for effect in attack.effects)
    if item.charge and not pushed and target in course.state.golems:
        own, other = before.base_size(item.attacker), before.base_size(target)
        if other <= own or blow.severe:
            course.note("ga.charge.displace", attacker=own, target=other, hit=blow.verdict)
            later.append(Displace(target, "away", 1, deed.origin, deed.seat))
    return later


def _queue(course: Resolution, later: list[Item]) -> None:
    """What is decided after a blow: displacement, then the Charge's advance, then the step."""
    pushes = [item for item in later if not isinstance(item, Step)]
    steps = [item for item in later if isinstance(item, Step)]
    if steps and course.state.todo and isinstance(course.state.todo[0], Advance):
        pushes.append(course.state.todo[0])
        course.record(WorkDone())
    if pushes or steps:
        course.record(WorkQueued((*pushes, *steps)))
