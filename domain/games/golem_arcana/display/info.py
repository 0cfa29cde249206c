"""The cards of things on the table, in lines: what a tap on them tells, and the Ancient Ones view.

Source: the reference, section 11.4. All of it is open to everybody, so nobody is asked for.
"""

from collections.abc import Iterator

from domain.games.golem_arcana.battle.ancients import laid_in
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.battle.cooldown import cost, heat_of
from domain.games.golem_arcana.battle.modifiers import laid_powers
from domain.games.golem_arcana.battle.stacking import room
from domain.games.golem_arcana.battle.terrain import capacity, entry_damage, walk_cost
from domain.games.golem_arcana.content.card_words import (
    ability_words,
    construct_words,
    golem_words,
    knight_words,
    power_words,
    relic_words,
)
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import Ability, Miracle
from domain.games.golem_arcana.display.names import seat_name, terrain_name, unit_name
from domain.games.golem_arcana.state import OFF, UNPLACED


def info(battle: Battle, thing: str) -> tuple[str, ...]:
    """What a thing is, by the target that a tap names; nothing for what is not on the table."""
    golems = battle.state.golems
    match thing.split(" "):
        case ["base" | "card", golem] if golem in golems:
            return tuple(_golem(battle, golem))
        case ["base", unit] if unit in battle.state.constructs:
            return tuple(_construct(battle, unit))
        case ["card", golem, ability] if golem in golems and ability in battle.abilities(golem):
            return tuple(_ability(battle, golem, battle.abilities(golem)[ability]))
        case ["relic", golem] if golem in golems and golems[golem].relic is not None:
            return (f"{unit_name(battle, golem)}:", *_relic(battle, golem))
        case ["region", region] if region in battle.board.number:
            return tuple(_region(battle, region))
        case _:
            return ()


def ancient_info(battle: Battle, seat: Seat, ancient: str) -> tuple[str, ...]:
    """An Ancient One: whose it is, and all its powers, with where those lie that are placed."""
    card = battle.pack.ancients[ancient]
    lines = [f"{card.name}, of {seat_name(seat)}"]
    for power in card.power:
        lies = None if isinstance(power, Miracle) else laid_in(battle, seat, ancient, power)
        lines.append(power_words(power) + (f"; lies in {lies}" if lies else ""))
    return tuple(lines)


def _golem(battle: Battle, name: str) -> Iterator[str]:
    """All that is open about a Golem: how it stands, then what is printed on its cards."""
    golem, card = battle.golem(name), battle.card(name)
    where = {OFF: "in reserve", UNPLACED: "not deployed"}.get(golem.where, f"in {golem.where}")
    base = battle.base_size(name)
    yield f"{unit_name(battle, name)}, {where}: {golem.hp} of {card.hp} Hit Points"
    yield f"{card.size}, Base Size {base}; {golem_words(card)}"
    for ability in battle.abilities(name).values():
        yield f"{ability.name} now: {_now(battle, name, ability)}"
    knight = battle.knight(name)
    if knight is not None:
        yield f"Knight {knight.name}: {knight_words(knight) or 'no abilities'}"
    yield from _relic(battle, name)
    for each in golem.statuses:
        left = f"{each.left} Upkeep{'s' * (each.left != 1)} left"
        yield f"{each.stat} {each.amount:+d} by {each.source} of {seat_name(each.seat)}, {left}"


def _now(battle: Battle, name: str, ability: Ability) -> str:
    pips = heat_of(battle, name, ability.id).pips
    return f"{cost(battle, name, ability)} AP, {pips} pip{'s' * (pips != 1)}"


def _ability(battle: Battle, name: str, ability: Ability) -> Iterator[str]:
    yield f"{unit_name(battle, name)}:"
    yield ability_words(ability)
    yield f"now {_now(battle, name, ability)}"


def _relic(battle: Battle, name: str) -> Iterator[str]:
    relic = battle.relic(name)
    if relic is not None:
        left = battle.golem(name).charges
        yield f"Relic {relic.name}, {left} of {relic.charges} left: {relic_words(relic)}"


def _construct(battle: Battle, unit: str) -> Iterator[str]:
    construct, card = battle.state.constructs[unit], battle.construct_card(unit)
    where = f"in {construct.where}"
    yield f"{unit_name(battle, unit)}, {where}: {construct.hp} of {card.hp} Hit Points"
    yield construct_words(card)


def _region(battle: Battle, region: str) -> Iterator[str]:
    terrain = battle.terrain(region)
    yield f"{region}: {terrain_name(terrain)}"
    yield f"to enter: {_entering(battle, terrain)}"
    holds = capacity(terrain, battle.pack.tables)
    yield f"room for Base Size {max(room(battle, region), 0)} of {holds}"
    for place in battle.scenario.locations:
        if region in battle.pack.regions(battle.scenario.id, place.regions):
            yield f"{place.name}: {place.vp} Victory Points"
    for well in battle.scenario.wells:
        side = battle.state.wells.get(region)
        if well.at == region and side is not None:
            yield f"Mana Well: {well.start if side == 'L' else well.depleted} x Base Size"
    for name in battle.standing.get(region, ()):
        golem = battle.golem(name)
        yield f"{unit_name(battle, name)}: {golem.hp} of {battle.card(name).hp} Hit Points"
    for unit in battle.constructs_at.get(region, ()):
        hp = battle.state.constructs[unit].hp
        yield f"{unit_name(battle, unit)}: {hp} of {battle.construct_card(unit).hp} Hit Points"
    for seat, _, power in laid_powers(battle, region):
        yield f"{seat_name(seat)}'s {power_words(power)}"
    for encounter in battle.scenario.encounters:
        hidden = battle.state.encounters.get(encounter.id)
        if hidden is not None and hidden.triggered and hidden.where == region:
            yield f"{encounter.name}, met"


def _entering(battle: Battle, terrain: Terrain) -> str:
    """What entering costs: Movement Points, then Hit Points."""
    walk = walk_cost(terrain, battle.pack.tables)
    if walk is None:
        return "nobody walks in; flying 1 MP, but nobody stops there"
    dear = f"walking {walk} MP (a Colossus 1)" if walk != 1 else "walking 1 MP"
    harm = entry_damage(terrain)
    return f"{dear}, flying 1 MP{f'; {harm} damage' if harm else ''}"
