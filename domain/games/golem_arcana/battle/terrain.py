"""What terrain does: movement costs, damage, cover (Terrain Effects Chart and what follows it)."""

from typing import Final, Literal

from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.content.cards import Tables
from domain.games.golem_arcana.content.vocabulary import Size
from domain.games.golem_arcana.state import Variants

PIT_DAMAGE: Final = 10
SWAMP_DAMAGE: Final = 5

CoverClass = Literal["ground", "shallow", "medium", "deep", "pit", "heavy"]

COVER_NAMES: Final[dict[CoverClass, str]] = {
    "ground": "ground cover",
    "shallow": "shallow water",
    "medium": "medium cover",
    "deep": "deep water",
    "pit": "pit",
    "heavy": "heavy cover",
}


def walk_cost(terrain: Terrain, tables: Tables) -> int | None:
    """Movement Points to walk in, for all but a Colossus; None where nobody walks.

    Where several kinds apply, the dearest counts (GA-R10).
    """
    if terrain.base == "blocking":
        return None
    costs = [tables.walk_cost[terrain.base]]
    if terrain.cover != "none":
        costs.append(tables.walk_cost[terrain.cover])
    if terrain.obstructions:
        costs.append(tables.walk_cost["obstructed"])
    return max(costs)


def entry_damage(terrain: Terrain) -> int:
    """Hit Points that entering costs."""
    if terrain.base == "pit":
        return PIT_DAMAGE
    return SWAMP_DAMAGE if terrain.base == "swamp" else 0


def capacity(terrain: Terrain, tables: Tables) -> int:
    """How many Base Sizes a Region holds: one less for each obstruction."""
    return tables.capacity["region"] - terrain.obstructions


def cover_class(terrain: Terrain, variants: Variants) -> CoverClass | None:
    """The line of the Terrain Cover Table that a Region belongs to."""
    if terrain.base in ("shallow", "deep", "pit"):
        return terrain.base
    if terrain.cover != "none":
        return terrain.cover
    if terrain.obstructions and variants.obstruction_cover == "heavy":
        return "heavy"
    return None


def cover_bonus(kind: CoverClass | None, size: Size, tables: Tables) -> int:
    """Percentage points off the chance to hit a target of this size (GA-R19)."""
    return 0 if kind is None else tables.cover[kind][size]


def is_water(terrain: Terrain) -> bool:
    """Shallow or deep?"""
    return terrain.base in ("shallow", "deep")
