"""What effects do: the vocabulary of the content, carried out."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from domain.games.golem_arcana.battle.cooldown import is_movement
from domain.games.golem_arcana.battle.destruction import hurt
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import (
    AnyEffect,
    Cleanse,
    Cool,
    DrainMana,
    FreeStep,
    GainAp,
    GainMana,
    GainVp,
    Heal,
    Hurt,
    Push,
    Raise,
    Status,
    Teleport,
)
from domain.games.golem_arcana.facts import (
    ApChanged,
    CooldownLost,
    HitPointsRestored,
    ManaChanged,
    StatusesCleansed,
    StatusGained,
    VpGained,
)
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import Displace, Item, StatusEffect, Step, seat_of


class Deed(Struct, frozen=True):
    """Who does something, and by what."""

    seat: Seat
    """The acting seat; for an encounter the Golem's own."""
    source: str
    """As status effects name it."""
    origin: str = ""
    """The Region of the acting Golem."""
    blameless: bool = False
    """Damage is nobody's deed."""


def apply_effects(
    course: Resolution, deed: Deed, effects: Iterable[AnyEffect], target: str
) -> list[Item]:
    """Carry out effects on a Golem as long as it stands; gives what is then to be decided."""
    later: list[Item] = []
    for effect in effects:
        for name in _reached(course, deed, effect, target):
            if name in course.state.golems:
                later += _apply(course, deed, effect, name)
    return later


def _reached(course: Resolution, deed: Deed, effect: AnyEffect, target: str) -> list[str]:
    """The Golems that an effect on this target reaches."""
    if target not in course.state.golems:
        return []
    if effect.only == "enemy" and not course.battle.hostile(deed.seat, target):
        return []
    if effect.to not in ("target-group", "own-group"):
        return [target]
    battle = course.battle
    return battle.friends_at(target, battle.golem(target).where)


def _apply(course: Resolution, deed: Deed, effect: AnyEffect, name: str) -> list[Item]:
    match effect:
        case Status():
            status = StatusEffect(deed.source, effect.stat, effect.amount, effect.rounds, deed.seat)
            rule = "ga.effect.dot" if effect.stat == "dot" else "ga.effect.status"
            course.record(
                StatusGained(name, status),
                "ga.attack.effects",
                rule,
                stat=effect.stat,
                amount=effect.amount,
                rounds=effect.rounds,
            )
        case Heal():
            _heal(course, name, effect.amount)
        case Hurt():
            by = None if deed.blameless else deed.seat
            hurt(course, name, effect.amount, by, "ga.attack.effects", damage=effect.amount)
        case Push():
            return _push(course, deed, effect, name)
        case FreeStep():
            return [Step(name)]
        case Cool():
            _cool(course, name, effect)
        case Cleanse():
            statuses = course.state.golems[name].statuses
            if any(course.battle.hostile(name, status.seat) for status in statuses):
                course.record(StatusesCleansed(name), "ga.effect.status")
        case DrainMana():
            _drain(course, deed, name, effect.amount)
        case GainMana(amount=amount):
            course.record(ManaChanged(deed.seat, amount), "ga.attack.effects", gained=amount)
        case GainAp(amount=amount):
            course.record(ApChanged(deed.seat, amount), "ga.attack.effects", gained=amount)
        case GainVp(amount=amount):
            course.record(VpGained(deed.seat, amount), "ga.attack.effects", gained=amount)
        case Teleport() | Raise():
            raise AssertionError("carried out by the power that names the Region")
        case unreachable:
            assert_never(unreachable)
    return []


def _heal(course: Resolution, name: str, amount: int) -> None:
    printed, hp = course.battle.card(name).hp, course.state.golems[name].hp
    gained = min(amount, printed - hp)
    if gained > 0:
        course.record(
            HitPointsRestored(name, gained), "ga.effect.heal", amount=amount, printed=printed
        )


def _push(course: Resolution, deed: Deed, effect: Push, name: str) -> list[Item]:
    if course.battle.size(name) in effect.spares:
        course.note("ga.displace.kind", golem=name, size=course.battle.size(name))
        return []
    chooser = seat_of(name) if effect.kind == "defender" else deed.seat
    return [Displace(name, effect.kind, effect.distance, deed.origin, chooser)]


def _cool(course: Resolution, name: str, effect: Cool) -> None:
    abilities = course.battle.abilities(name)
    heats = course.state.golems[name].heat
    for ability in sorted(heats):
        group = "movement" if is_movement(abilities[ability]) else "attack"
        pips = min(effect.amount, heats[ability].pips)
        if pips and effect.ability_class in (group, "all"):
            course.record(CooldownLost(name, ability, pips), "ga.effect.cool", pips=pips)


def _drain(course: Resolution, deed: Deed, name: str, amount: int) -> None:
    victim = seat_of(name)
    taken = min(amount, course.state.seats[victim].mana)
    if course.battle.hostile(deed.seat, victim) and taken:
        course.record(ManaChanged(victim, -taken), "ga.effect.drain", amount=amount, taken=taken)
        course.record(ManaChanged(deed.seat, taken))
