"""What changes a Golem's figures: passives, status effects, Blessings, Curses, Constructs."""

from collections.abc import Iterator

from msgspec import Struct

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.terrain import cover_class, is_water
from domain.games.golem_arcana.content.cards import AncientCard
from domain.games.golem_arcana.content.vocabulary import (
    SIZES,
    Blessing,
    Curse,
    Mode,
    Passive,
    Stat,
    When,
)
from domain.games.golem_arcana.state import seat_of

Share = tuple[str, int]
"""Where a modifier comes from, and how much it is."""


class Fight(Struct, frozen=True):
    """What a passive may know of the attack at hand."""

    mode: Mode
    charging: bool = False
    target: str | None = None
    """The Golem that is attacked; None for a Construct."""


def holds(
    battle: Battle, name: str, when: When, fight: Fight | None, fighter: str | None = None
) -> bool:
    """Is this condition of a passive met by this Golem, in this attack if there is one?

    The attack is that of `fighter`, another Golem that the passive helps, or its own.
    """
    golem = battle.golem(name)
    terrain = battle.board.terrain.get(golem.where)
    if terrain is None:
        return when == "always"
    match when:
        case "always":
            return True
        case "no-cover":
            return cover_class(terrain, battle.state.variants) is None
        case "open":
            return terrain.base == "plain" and terrain.cover == "none" and not terrain.obstructions
        case "in-ground" | "in-medium":
            return terrain.cover == when.removeprefix("in-")
        case "elevated":
            return terrain.base == "elevated"
        case "water":
            return is_water(terrain)
        case "engaged":
            return bool(battle.enemies_at(seat_of(name), golem.where))
        case "wounded":
            return golem.hp * 2 <= battle.card(name).hp
        case _:
            return fight is not None and _holds_in(battle, fighter or name, when, fight)


def _holds_in(battle: Battle, name: str, when: When, fight: Fight) -> bool:
    if when in ("vs-melee", "vs-ranged"):
        return when == f"vs-{fight.mode}"
    if when == "charging":
        return fight.charging
    if fight.target is None:
        return False
    own, other = SIZES.index(battle.size(name)), SIZES.index(battle.size(fight.target))
    return other > own if when == "target-larger" else other < own


def shares(battle: Battle, name: str, stat: Stat, fight: Fight | None = None) -> list[Share]:
    """Everything that changes this figure of a Golem now, each with its source."""
    found = [
        (passive.name, passive.amount)
        for passive in battle.passives(name)
        if passive.stat == stat
        and passive.affects == "self"
        and holds(battle, name, passive.when, fight)
    ]
    if battle.pack.gives:
        found += (
            (f"{passive.name} of {ally}", passive.amount)
            for ally, passive in battle.gifts(name)
            if passive.stat == stat and holds(battle, ally, passive.when, fight, name)
        )
    golem = battle.golem(name)
    found += ((each.source, each.amount) for each in golem.statuses if each.stat == stat)
    if golem.where in battle.board.number:
        found += _laid(battle, name, golem.where, stat)
        found += _from_constructs(battle, name, golem.where, stat)
    return found


def total(battle: Battle, name: str, stat: Stat, fight: Fight | None = None) -> int:
    """The sum of all that changes this figure of a Golem now."""
    return sum(amount for _, amount in shares(battle, name, stat, fight))


def is_on(battle: Battle, name: str, stat: Stat) -> bool:
    """Is the Golem `pinned`, `uncovered` or `disarmed` now?"""
    return total(battle, name, stat) > 0


def laid_powers(battle: Battle, region: str) -> Iterator[tuple[str, str, Blessing | Curse]]:
    """Blessings and Curses in a Region: seat, `ancient.power`, and the power."""
    for placed, where in battle.laid:
        if where == region:
            seat, _, source = placed.partition(".")
            ancient, _, power = source.partition(".")
            yield seat, source, laid_power(battle.pack.ancients[ancient], power)


def laid_power(card: AncientCard, power: str) -> Blessing | Curse:
    """A Blessing or Curse of an Ancient One."""
    found = next(each for each in card.power if each.id == power)
    assert isinstance(found, Blessing | Curse), "a miracle is not placed"
    return found


def touches(battle: Battle, seat: str, owner: str, power: Blessing | Curse) -> bool:
    """Does a Blessing or Curse of `owner` concern Golems of `seat`?"""
    return battle.hostile(seat, owner) == isinstance(power, Curse)


def _laid(battle: Battle, name: str, region: str, stat: Stat) -> Iterator[Share]:
    if not battle.state.powers:
        return
    seat = seat_of(name)
    for owner, source, power in laid_powers(battle, region):
        if touches(battle, seat, owner, power):
            for modifier in power.modifiers:
                if modifier.stat == stat:
                    yield source, modifier.amount


def _from_constructs(battle: Battle, name: str, region: str, stat: Stat) -> Iterator[Share]:
    for unit in battle.constructs_at.get(region, ()):
        own = not battle.hostile(name, unit)
        for aura in battle.construct_card(unit).aura:
            if aura.stat == stat and (aura.affects == "own") == own:
                yield f"{battle.construct_card(unit).name} {unit}", aura.amount


def traits(battle: Battle, name: str, kind: str) -> list[Passive]:
    """The passives of this kind, `aura`, `landing` or `fated`, that are in effect now."""
    return [
        passive
        for passive in battle.passives(name)
        if passive.kind == kind and holds(battle, name, passive.when, None)
    ]
