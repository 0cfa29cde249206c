"""Building an army: what may serve together, and at what value (BUILDING AN ARMY)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.games.golem_arcana.content.cards import Army, MusteredGolem
from domain.games.golem_arcana.content.pack import Pack
from domain.kernel.armies import ArmyFault

MOST_GOLEMS: Final = 16
"""In a ready army: more would not fit into the smaller zones."""


def check_army(pack: Pack, army: Army, limit: int | None) -> tuple[ArmyFault, ...]:
    """Every fault of an army, sorted; none if it may serve.

    `limit` is the scenario's Army Point Value, None for an army that is saved without a scenario.
    """
    if army.faction not in pack.factions:
        known = ", ".join(pack.factions)
        why = f"there is no faction {army.faction!r}; there are {known}"
        return (ArmyFault("ga.army.faction", "faction", why),)
    errors = [
        *_check_golems(pack, army),
        *_check_knights(pack, army),
        *_check_relics(pack, army),
        *_check_ancients(pack, army),
    ]
    total = army_value(pack, army)
    if limit is not None and total > limit:
        why = f"the army is worth {total} points, {total - limit} more than the {limit} allowed"
        errors.append(ArmyFault("ga.army.apv", f"total={total}", why))
    return tuple(sorted(errors))


def army_value(pack: Pack, army: Army) -> int:
    """The total Army Point Value; what does not exist is worth nothing."""
    value = sum(pack.ancients[name].apv for name in army.ancients if name in pack.ancients)
    for golem in army.golems:
        if golem.type in pack.golems:
            value += pack.golems[golem.type].apv
        if golem.knight in pack.knights:
            value += pack.knights[golem.knight].apv
        if golem.relic in pack.relics:
            value += pack.relics[golem.relic].apv
    return value


def _check_golems(pack: Pack, army: Army) -> Iterator[ArmyFault]:
    if not army.golems:
        yield ArmyFault("ga.army.empty", "golems", "an army has at least one Golem")
    faction = pack.factions[army.faction]
    for n, golem in enumerate(army.golems):
        path = f"golems[{n}].type"
        card = pack.golems.get(golem.type)
        if card is None:
            yield ArmyFault("ga.army.unknown", path, f"there is no Golem {golem.type!r}")
        elif card.arcanum not in faction.arcana:
            why = (
                f"{card.name} is of {card.arcanum}, but the {faction.name} fields only "
                f"{', '.join(faction.arcana)}"
            )
            yield ArmyFault("ga.army.arcanum", path, why)


def _check_knights(pack: Pack, army: Army) -> Iterator[ArmyFault]:
    seen: set[str] = set()
    for n, golem in enumerate(army.golems):
        if golem.knight is None:
            continue
        path = f"golems[{n}].knight"
        card = pack.knights.get(golem.knight)
        if card is None:
            yield ArmyFault("ga.army.unknown", path, f"there is no Knight {golem.knight!r}")
            continue
        if army.faction not in card.factions:
            why = f"{card.name} serves only {', '.join(card.factions)}"
            yield ArmyFault("ga.army.knight-faction", path, why)
        if golem.knight in seen:
            why = f"{card.name} drives another Golem of this army already"
            yield ArmyFault("ga.army.knight-twice", path, why)
        seen.add(golem.knight)


def _check_relics(pack: Pack, army: Army) -> Iterator[ArmyFault]:
    seen: set[str] = set()
    for n, golem in enumerate(army.golems):
        if golem.relic is None:
            continue
        path = f"golems[{n}].relic"
        card = pack.relics.get(golem.relic)
        if card is None:
            yield ArmyFault("ga.army.unknown", path, f"there is no Relic {golem.relic!r}")
            continue
        if golem.relic in seen:
            why = f"another Golem of this army carries {card.name} already"
            yield ArmyFault("ga.army.relic-twice", path, why)
        seen.add(golem.relic)
        carrier = pack.golems.get(golem.type)
        if carrier is None:
            continue
        if card.arcana and carrier.arcanum not in card.arcana:
            why = f"{card.name} is carried by {', '.join(card.arcana)}, and {carrier.name} is not"
            yield ArmyFault("ga.army.relic-arcanum", path, why)
        base = pack.tables.base_size[carrier.size]
        if card.size > base:
            why = (
                f"{card.name} is of size {card.size}, too large for the Base Size {base} of "
                f"{carrier.name}"
            )
            yield ArmyFault("ga.army.relic-size", path, why)


def _check_ancients(pack: Pack, army: Army) -> Iterator[ArmyFault]:
    seen: set[str] = set()
    for n, name in enumerate(army.ancients):
        path = f"ancients[{n}]"
        card = pack.ancients.get(name)
        if card is None:
            yield ArmyFault("ga.army.unknown", path, f"there is no Ancient One {name!r}")
            continue
        if army.faction not in card.factions:
            why = f"{card.name} serves only {', '.join(card.factions)}"
            yield ArmyFault("ga.army.ancient-faction", path, why)
        if name in seen:
            why = f"{card.name} is in this army already"
            yield ArmyFault("ga.army.ancient-twice", path, why)
        seen.add(name)


def ready_army(pack: Pack, limit: int, place: int) -> Army:
    """An army within the limit for who has built none: the `place`-th seat, from 0.

    Factions that field anything for it go round by place. Golems are taken in the pack's order,
    again and again, each time those that still fit, for three quarters of the value; then come an
    Ancient One, and for each Golem a Knight and a Relic, as far as the value lasts.
    """
    factions = pack.fielding(limit)
    faction = factions[place % len(factions)]
    army = Army(faction=faction, golems=_ready_golems(pack, faction, limit * 3 // 4))
    for ancient in pack.ancients:
        better = replace(army, ancients=(ancient,))
        if not army.ancients and not check_army(pack, better, limit):
            army = better
    for n, golem in enumerate(army.golems):
        for knight in pack.knights:
            army = _armed(pack, limit, army, n, replace(golem, knight=knight))
        for relic in pack.relics:
            army = _armed(pack, limit, army, n, replace(army.golems[n], relic=relic))
    return army


def _ready_golems(pack: Pack, faction: str, limit: int) -> tuple[MusteredGolem, ...]:
    arcana = pack.factions[faction].arcana
    cards = [card for card in pack.golems.values() if card.arcanum in arcana]
    golems: list[MusteredGolem] = []
    left = limit
    while any(card.apv <= left for card in cards) and len(golems) < MOST_GOLEMS:
        for card in cards:
            if card.apv <= left and len(golems) < MOST_GOLEMS:
                golems.append(MusteredGolem(type=card.id))
                left -= card.apv
    return tuple(golems or [MusteredGolem(type=min(cards, key=lambda card: card.apv).id)])


def _armed(pack: Pack, limit: int, army: Army, n: int, golem: MusteredGolem) -> Army:
    """The army with this Golem in the n-th place, if that one has room for it and it may serve."""
    before = army.golems[n]
    if (before.knight and before.knight != golem.knight) or before.relic:
        return army
    better = replace(army, golems=(*army.golems[:n], golem, *army.golems[n + 1 :]))
    return army if check_army(pack, better, limit) else better
