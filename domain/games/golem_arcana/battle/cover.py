"""Terrain Cover Bonus: of the target's own Region, and half of what a shot passes through."""

from msgspec import Struct

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.modifiers import Fight, is_on, shares
from domain.games.golem_arcana.battle.terrain import (
    COVER_NAMES,
    CoverClass,
    cover_bonus,
    cover_class,
)
from domain.games.golem_arcana.content.vocabulary import Mode


class CoverShare(Struct, frozen=True):
    """What one Region gives: percentage points off the chance, and the reason."""

    region: str
    points: int
    """Before halving."""
    why: str


NO_COVER: tuple[int, tuple[CoverShare, ...]] = (0, ())


def own_cover(battle: Battle, target: str, mode: Mode) -> tuple[int, tuple[CoverShare, ...]]:
    """The bonus of the Region in which a Golem stands, with its own modifiers; never below 0."""
    where, size = battle.golem(target).where, battle.size(target)
    kind = cover_class(battle.terrain(where), battle.state.variants)
    bonus = cover_bonus(kind, size, battle.pack.tables)
    found = [CoverShare(where, bonus, f"{COVER_NAMES[kind]}, {size}")] if kind else []
    found += (
        CoverShare(where, n, source) for source, n in shares(battle, target, "cover", Fight(mode))
    )
    return max(sum(share.points for share in found), 0), tuple(found)


def cover_between(battle: Battle, start: str, target: str) -> tuple[int, tuple[CoverShare, ...]]:
    """What the Regions between give a Golem against a shot from a Region (GA-R16, GA-R17)."""
    variants, size = battle.state.variants, battle.size(target)
    found: list[CoverShare] = []
    for region in battle.board.between(start, battle.golem(target).where):
        kind = _passed(cover_class(battle.terrain(region), variants))
        bonus = cover_bonus(kind, size, battle.pack.tables)
        if kind and bonus:
            found.append(CoverShare(region, bonus, f"{COVER_NAMES[kind]}, {size}"))
    if variants.intervening == "full":
        points = sum(share.points for share in found)
    elif variants.half_cover == "sum":
        points = sum(share.points for share in found) // 2
    else:
        points = sum(share.points // 2 for share in found)
    return points, tuple(found)


def _passed(kind: CoverClass | None) -> CoverClass | None:
    """Water and pits give nothing to who is behind them."""
    return kind if kind in ("ground", "medium", "heavy") else None


def is_bare(battle: Battle, target: str) -> bool:
    """Has this unit no cover of any sort? A Construct never has; a Golem may be `uncovered`."""
    return target not in battle.state.golems or is_on(battle, target, "uncovered")
