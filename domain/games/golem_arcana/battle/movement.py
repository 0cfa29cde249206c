"""Where a Golem can go, and by which path ("During play, you move your Golems")."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost, refuse_ap
from domain.games.golem_arcana.battle.modifiers import is_on, total
from domain.games.golem_arcana.battle.stacking import refuse_blocking, refuse_full, room
from domain.games.golem_arcana.battle.terrain import entry_damage, walk_cost
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import Fly, Movement
from domain.games.golem_arcana.state import seat_of
from domain.kernel.rulings import Refused


class Way(NamedTuple):
    """A path to a Region. Smaller is better: kinder, shorter, fewer Regions, first (GA-R12)."""

    damage: int
    """Terrain damage on the way."""
    points: int
    """Movement Points."""
    length: int
    """Regions entered."""
    path: tuple[int, ...]
    """The Regions entered, by number."""


Leg = tuple[int, int, int]
"""A neighbour by number, the Movement Points it costs, the damage of entering it."""


class Gait(NamedTuple):
    """All of a movement that does not depend on where anybody stands."""

    pack: Pack
    scenario: str
    """Whose board it is on."""
    fly: bool
    giant: bool
    """Is it a Colossus's?"""
    nimble: bool
    lands_only: bool
    """Is a flyer harmed only where it lands?"""


def _gait(battle: Battle, name: str, ability: Movement) -> Gait:
    fly = isinstance(ability, Fly)
    giant = battle.size(name) == "colossus"
    lands_only = fly and battle.state.variants.flyer_hazard == "land"
    return Gait(battle.pack, battle.state.scenario, fly, giant, ability.nimble, lands_only)


@lru_cache(maxsize=256)
def _legs(gait: Gait) -> list[tuple[Leg, ...]]:
    """For each Region by number the neighbours that this movement can enter."""
    board, tables = gait.pack.board(gait.scenario), gait.pack.tables
    around = board.touching if gait.nimble else board.adjacent
    into: dict[str, Leg] = {}
    for region, terrain in board.terrain.items():
        walk = walk_cost(terrain, tables)
        if walk is not None or gait.fly:
            points = 1 if gait.fly or gait.giant or walk is None else walk
            damage = 0 if gait.lands_only else entry_damage(terrain)
            into[region] = (board.number[region], points, damage)
    return [
        tuple(into[each] for each in around[region] if each in into) for region in board.regions
    ]


def movement_points(battle: Battle, name: str, ability: Movement) -> int:
    """The Movement Points that an ability gives now."""
    return max(ability.mp + total(battle, name, "mp"), 0)


def ways(battle: Battle, name: str, ability: Movement) -> Mapping[str, Way]:
    """The best way into each Region that can be entered, whether or not the Golem fits there.

    Full Regions and those with an enemy end a way: entered, if at all, by a Charge. Ways with less
    damage are better than shorter ones, so a Region may be reached again with more points.
    """
    key = (name, ability.id)
    if key not in battle.ways:
        battle.ways[key] = _found(battle, name, ability)
    found: Mapping[str, Way] = battle.ways[key]
    return found


def _found(battle: Battle, name: str, ability: Movement) -> Mapping[str, Way]:
    start = battle.board.number[battle.golem(name).where]
    points = movement_points(battle, name, ability)
    return _from(_gait(battle, name, ability), start, points, _ends(battle, name))


# An action moves one unit, and few of the others are in its way: what the last state found holds
# for nearly all of them in the next.
@lru_cache(maxsize=256)
def _from(gait: Gait, start: int, points: int, ends: frozenset[int]) -> Mapping[str, Way]:
    legs = _legs(gait)
    best: dict[int, Way] = {}
    layers: list[dict[int, Way]] = [{start: Way(0, 0, 0, ())}]
    layers += ({} for _ in range(points))
    for layer in layers:
        for here, way in layer.items():
            known = best.get(here)
            if known is not None and known.damage <= way.damage:
                continue
            best[here] = way
            if here in ends and here != start:
                continue
            _spread(way, legs[here], layers, start)
    del best[start]
    regions = gait.pack.board(gait.scenario).regions
    return {regions[n]: way for n, way in best.items()}


def _spread(way: Way, legs: tuple[Leg, ...], layers: list[dict[int, Way]], start: int) -> None:
    """Enter each neighbour that the Movement Points reach."""
    damage, points, length, path = way
    for there, price, harm in legs:
        spent = points + price
        if spent >= len(layers) or there == start:
            continue
        layer = layers[spent]
        known = layer.get(there)
        hurt = damage + harm
        if known is not None and (hurt, length + 1) > (known.damage, known.length):
            continue
        new = Way(hurt, spent, length + 1, (*path, there))
        if known is None or new < known:
            layer[there] = new


def _ends(battle: Battle, name: str) -> frozenset[int]:
    """The Regions that a way cannot pass: enemies stop it, full ones block it."""
    seat = name[0]
    if seat not in battle.ends:
        number = battle.board.number
        battle.ends[seat] = frozenset(
            number[region]
            for region, names in battle.standing.items()
            if room(battle, region) <= 0 or any(battle.hostile(seat, other) for other in names)
        )
    return battle.ends[seat]


def path_of(battle: Battle, way: Way) -> tuple[str, ...]:
    """The Regions of a way by name."""
    regions = battle.board.regions
    return tuple(regions[n] for n in way.path)


def stops(battle: Battle, name: str, ability: Movement) -> list[str]:
    """Every Region in which this movement may end."""
    need = battle.base_size(name)
    terrain = battle.board.terrain
    return [
        region
        for region in ways(battle, name, ability)
        if terrain[region].base != "blocking" and room(battle, region) >= need
    ]


def breakaway(battle: Battle, name: str, ability: Movement) -> int:
    """The AP that it costs to get away from enemies in the same Region (GA-R9)."""
    where = battle.golem(name).where
    enemies = battle.enemies_at(seat_of(name), where)
    if isinstance(ability, Fly):
        enemies = [enemy for enemy in enemies if battle.flies(enemy)]
    if not enemies:
        return 0
    return 2 if battle.terrain(where).base == "pit" else 1


def refuse_motion(battle: Battle, name: str, ability: Movement, beside: int = 0) -> Refused | None:
    """Why a movement ability cannot be activated, with `beside` AP to be paid for an attack."""
    if is_on(battle, name, "pinned"):
        why = f"{battle.named(name)} is pinned: it cannot use {ability.name}"
        return Refused("ga.status.pinned", why)
    refusal = refuse_ap(battle, name, ability, beside)
    if refusal is not None:
        return refusal
    pool = battle.state.seats[seat_of(name)].ap
    extra = breakaway(battle, name, ability)
    now = cost(battle, name, ability) + beside
    if now + extra > pool:
        why = (
            f"breaking away from an enemy in {battle.golem(name).where} costs {extra} AP more: "
            f"{now + extra} in all, but only {pool} are left"
        )
        figures: dict[str, int | str] = {"cost": now, "breakaway": extra, "pool": pool}
        return Refused("ga.move.breakaway", why, figures)
    return None


def refuse_move(battle: Battle, name: str, ability: Movement, region: str) -> Refused | None:
    """Why this Golem cannot move to this Region of the board."""
    refusal = refuse_motion(battle, name, ability)
    if refusal is not None:
        return refusal
    if region == battle.golem(name).where:
        return Refused("ga.move.same", f"{battle.named(name)} is in {region} already")
    refusal = refuse_blocking(battle, region) or refuse_full(battle, name, region)
    if refusal is not None:
        return refusal
    if region not in ways(battle, name, ability):
        points = movement_points(battle, name, ability)
        why = f"{battle.named(name)} cannot reach {region} with {points} Movement Points"
        return Refused("ga.move.reach", why, {"movement_points": points})
    return None
