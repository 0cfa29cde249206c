"""What effects do, in words: of abilities, powers, encounters, Blessings and Curses."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from domain.games.golem_arcana.content.cards import DestroyQuest, HoldQuest, ManaQuest, SecretQuest
from domain.games.golem_arcana.content.vocabulary import (
    SIZES,
    AncientPower,
    AnyEffect,
    Blessing,
    Cleanse,
    Cool,
    DrainMana,
    FreeStep,
    GainAp,
    GainMana,
    GainVp,
    Heal,
    Hurt,
    Miracle,
    Push,
    Raise,
    Status,
    Teleport,
)
from domain.games.golem_arcana.display.names import listed, regions_name, seat_name
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import seat_of


class Whom(Struct, frozen=True):
    """Who does something, to whom: by name."""

    seat: str
    """The acting seat."""
    actor: str
    """The acting Golem, where there is one."""
    target: str
    construct: str = ""
    """What the actor's Relic places."""


def stat_words(stat: str, amount: int) -> str:
    """What a modifier does.

    >>> stat_words("armor", -10)
    'armor -10'
    >>> stat_words("dot", 4)
    '4 damage in each Upkeep'
    """
    return ENGLISH.format(f"stat.{stat}", n=amount)


def status_words(who: str, stat: str, amount: int, rounds: int) -> str:
    """That somebody has a status effect for so long.

    >>> status_words("s1", "armor", -10, 2)
    's1 has armor -10 for 2 Rounds'
    >>> status_words("s1", "pinned", 1, 1)
    's1 is pinned for 1 Round'
    """
    key = f"status.{stat}" if f"status.{stat}" in ENGLISH.templates else "status"
    return ENGLISH.format(key, golem=who, stat=stat_words(stat, amount), n=amount, rounds=rounds)


def effects_words(effects: Iterable[AnyEffect], whom: Whom) -> str:
    """What some effects do; "nothing" if there are none."""
    told = [effect_words(effect, whom) for effect in effects]
    return ENGLISH.format("semicolon").join(told) or ENGLISH.format("nothing")


def effect_words(effect: AnyEffect, whom: Whom) -> str:
    """What an effect does."""
    unit = whom.actor if effect.inward else whom.target
    if effect.to in ("target-group", "own-group"):
        unit = ENGLISH.format("effect.group", unit=unit)
    told = _words(effect, unit, whom)
    if isinstance(effect, Push) and effect.spares:
        spared = listed([ENGLISH.format(f"sizes.{size}") for size in effect.spares])
        told = ENGLISH.format("effect.spares", effect=told, sizes=spared)
    return ENGLISH.format("effect.if-enemy", effect=told) if effect.only else told


def _words(effect: AnyEffect, unit: str, whom: Whom) -> str:
    match effect:
        case Status(stat=stat, amount=amount, rounds=rounds):
            return status_words(unit, stat, amount, rounds)
        case Push(kind=kind, distance=distance):
            return ENGLISH.format(f"effect.displace.{kind}", whom=unit, n=distance, seat=whom.seat)
        case Cool(ability_class=group, amount=amount):
            return ENGLISH.format(f"effect.cool.{group}", whom=unit, n=amount)
        case Raise():
            return ENGLISH.format("effect.construct", construct=whom.construct)
        case FreeStep() | Teleport() | Cleanse():
            return ENGLISH.format(f"effect.{_op(effect)}", whom=unit)
        case (
            Heal(amount=amount) | Hurt(amount=amount) | DrainMana(amount=amount)
            | GainMana(amount=amount) | GainAp(amount=amount) | GainVp(amount=amount)
        ):  # fmt: skip
            return ENGLISH.format(f"effect.{_op(effect)}", whom=unit, seat=whom.seat, n=amount)
        case unreachable:
            assert_never(unreachable)


def _op(effect: AnyEffect) -> str:
    return str(effect.__struct_config__.tag)


def encounter_words(effects: Iterable[AnyEffect], golem: str) -> str:
    """What an encounter, or a choice of it, does to a Golem that has just been named."""
    it = ENGLISH.format("it")
    return effects_words(effects, Whom(seat_name(seat_of(golem)), it, it))


def power_words(power: AncientPower, seat: str) -> str:
    """What a power of an Ancient One does for this seat."""
    if isinstance(power, Miracle):
        group = ENGLISH.format(f"group.{power.group}", seat=seat_name(seat))
        if power.sizes != SIZES:
            sizes = listed([ENGLISH.format(f"sizes.{size}") for size in power.sizes])
            group = ENGLISH.format("group.sized", group=group, sizes=sizes)
        return effects_words(power.effects, Whom(seat_name(seat), group, group))
    stats = listed([stat_words(each.stat, each.amount) for each in power.modifiers])
    kind = "blessing" if isinstance(power, Blessing) else "curse"
    return ENGLISH.format(f"laid.{kind}", seat=seat_name(seat), stats=stats)


def quest_goal(quest: SecretQuest) -> str:
    """What a secret quest asks for."""
    match quest:
        case HoldQuest(regions=regions):
            return ENGLISH.format("quest.hold", regions=regions_name(regions))
        case DestroyQuest(size=size):
            return ENGLISH.format("quest.destroy", size=ENGLISH.format(f"size.{size}"))
        case ManaQuest(amount=amount):
            return ENGLISH.format("quest.mana", n=amount)
        case unreachable:
            assert_never(unreachable)


def quest_words(quest: SecretQuest) -> str:
    """A secret quest with its goal and its points."""
    return ENGLISH.format("quest", name=quest.name, goal=quest_goal(quest), vp=quest.vp)
