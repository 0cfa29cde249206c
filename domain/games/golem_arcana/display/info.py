"""The cards of things on the table, in lines: what a tap on them tells, and the Ancient Ones view.

Source: the reference, section 11.4. All of it is open to everybody, so nobody is asked for.
"""

from collections.abc import Iterator

from domain.games.golem_arcana.battle.ancients import laid_in, mana_cost
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
from domain.games.golem_arcana.display.effect_words import stat_words
from domain.games.golem_arcana.display.names import (
    seat_name,
    source_name,
    terrain_name,
    unit_name,
)
from domain.games.golem_arcana.english import ENGLISH
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
            name = unit_name(battle, golem)
            return (ENGLISH.format("info.of", unit=name), *_relic(battle, golem))
        case ["region", region] if region in battle.board.number:
            return tuple(region_info(battle, region))
        case _:
            return ()


def ancient_info(battle: Battle, seat: Seat, ancient: str) -> tuple[str, ...]:
    """An Ancient One: whose it is, and all its powers, with where those lie that are placed, and
    whether that side has the Mana for them now."""
    card, mana = battle.pack.ancients[ancient], battle.state.seats[seat].mana
    lines = [ENGLISH.format("info.ancient", ancient=card.name, seat=seat_name(seat), mana=mana)]
    for power in card.power:
        lies = None if isinstance(power, Miracle) else laid_in(battle, seat, ancient, power)
        words = power_words(power)
        words = ENGLISH.format("info.lies", power=words, region=lies) if lies else words
        enough = mana_cost(battle, seat, ancient, power) <= mana
        lines.append(ENGLISH.format("info.enough" if enough else "info.too-little", power=words))
    return tuple(lines)


def _golem(battle: Battle, name: str) -> Iterator[str]:
    """All that is open about a Golem: how it stands, then what is printed on its cards."""
    golem, card = battle.golem(name), battle.card(name)
    key = {OFF: "info.reserve", UNPLACED: "info.undeployed"}.get(golem.where, "info.in")
    where = ENGLISH.format(key, region=golem.where)
    values = {"unit": unit_name(battle, name), "left": golem.hp, "most": card.hp}
    yield ENGLISH.format("info.stands", **values, where=where)
    yield ENGLISH.format(
        "info.printed",
        size=ENGLISH.format(f"size.{card.size}"),
        base=battle.base_size(name),
        words=golem_words(card),
    )
    for ability in battle.abilities(name).values():
        now = _now(battle, name, ability)
        yield ENGLISH.format("info.ability-now", ability=ability.name, now=now)
    knight = battle.knight(name)
    if knight is not None:
        words = knight_words(knight) or ENGLISH.format("info.no-abilities")
        yield ENGLISH.format("info.knight", knight=knight.name, words=words)
    yield from _relic(battle, name)
    yield from effects_on(battle, name)


def effects_on(battle: Battle, name: str) -> Iterator[str]:
    """The status effects on a Golem: what each does, whose it is, and how long it lasts."""
    for each in battle.golem(name).statuses:
        yield ENGLISH.format(
            "info.status",
            stat=stat_words(each.stat, each.amount),
            seat=seat_name(each.seat),
            source=source_name(battle, each.source),
            n=each.left,
        )


def _now(battle: Battle, name: str, ability: Ability) -> str:
    pips = heat_of(battle, name, ability.id).pips
    return ENGLISH.format("info.now", ap=cost(battle, name, ability), n=pips)


def _ability(battle: Battle, name: str, ability: Ability) -> Iterator[str]:
    yield ENGLISH.format("info.of", unit=unit_name(battle, name))
    yield ability_words(ability)
    yield ENGLISH.format("info.costs-now", now=_now(battle, name, ability))


def _relic(battle: Battle, name: str) -> Iterator[str]:
    relic = battle.relic(name)
    if relic is not None:
        left, words = battle.golem(name).charges, relic_words(relic)
        key = "info.relic" if left is None else "info.relic-charges"
        yield ENGLISH.format(key, relic=relic.name, left=left, most=relic.charges, words=words)


def _construct(battle: Battle, unit: str) -> Iterator[str]:
    construct, card = battle.state.constructs[unit], battle.construct_card(unit)
    where = ENGLISH.format("info.in", region=construct.where)
    values = {"unit": unit_name(battle, unit), "left": construct.hp, "most": card.hp}
    yield ENGLISH.format("info.stands", **values, where=where)
    yield construct_words(card)


def region_info(battle: Battle, region: str) -> Iterator[str]:
    """A Region: its ground, what entering costs, what gives points or Mana there, who stands and
    what lies there."""
    terrain = battle.terrain(region)
    yield ENGLISH.format("info.region", region=region, terrain=terrain_name(terrain))
    yield ENGLISH.format("info.enter", cost=_entering(battle, terrain))
    left, most = max(room(battle, region), 0), capacity(terrain, battle.pack.tables)
    yield ENGLISH.format("info.room", left=left, most=most)
    yield from there(battle, region)


def there(battle: Battle, region: str) -> Iterator[str]:
    """What there is in a Region beside its ground."""
    for place in battle.scenario.locations:
        if region in battle.pack.regions(battle.scenario.id, place.regions):
            yield ENGLISH.format("info.place", place=place.name, n=place.vp)
    for well in battle.scenario.wells:
        side = battle.state.wells.get(region)
        if well.at == region and side is not None:
            yield ENGLISH.format("info.well", n=well.start if side == "L" else well.depleted)
    for name in battle.standing.get(region, ()):
        hp = battle.golem(name).hp
        yield ENGLISH.format(
            "info.unit", unit=unit_name(battle, name), left=hp, most=battle.card(name).hp
        )
        for effect in effects_on(battle, name):
            yield ENGLISH.format("info.on-it", effect=effect)
    for unit in battle.constructs_at.get(region, ()):
        hp, most = battle.state.constructs[unit].hp, battle.construct_card(unit).hp
        yield ENGLISH.format("info.unit", unit=unit_name(battle, unit), left=hp, most=most)
    for seat, _, power in laid_powers(battle, region):
        yield ENGLISH.format("info.laid", seat=seat_name(seat), power=power_words(power))
    for encounter in battle.scenario.encounters:
        hidden = battle.state.encounters.get(encounter.id)
        if hidden is not None and hidden.triggered and hidden.where == region:
            yield ENGLISH.format("info.met", encounter=encounter.name)


def _entering(battle: Battle, terrain: Terrain) -> str:
    """What entering costs: Movement Points, then Hit Points."""
    walk = walk_cost(terrain, battle.pack.tables)
    if walk is None:
        return ENGLISH.format("info.enter-blocking")
    key = "info.enter-dear" if walk != 1 else "info.enter-cheap"
    told, harm = ENGLISH.format(key, walk=walk), entry_damage(terrain)
    return ENGLISH.format("info.enter-hurt", cost=told, n=harm) if harm else told
