"""The board of a scene: Regions with their terrain and what is to be had there, and what lies on
them for everybody: Blessings and Curses."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.battle.modifiers import laid_power
from domain.games.golem_arcana.battle.terrain import (
    capacity,
    cover_bonus,
    cover_class,
    entry_damage,
    walk_cost,
)
from domain.games.golem_arcana.content.card_faces import power_face, power_kind
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import SIZES
from domain.games.golem_arcana.display.names import seat_name, terrain_letters, terrain_name
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import OFF, UNPLACED, Variants, seat_named, seat_of
from domain.kernel.game import REFEREE
from domain.kernel.language import capitalized
from domain.kernel.scene import Counter, Piece, Space

WELL: Final = "*"
"""The sign of a Mana Well, after the letters of its Region."""
BLESSING: Final = "+"
CURSE: Final = "-"

_say: Final = ENGLISH.format


_Now = tuple[int, tuple[str, ...], int, tuple[str, ...]]
"""How a Region is now: the room that is left; the seats with Golems that have still to come from
outside; the capacity of the well there; the encounters that are known to be there."""


class _Regions:
    """The Regions of a scenario as they are drawn. They hardly ever change, so each look of one is
    made once."""

    def __init__(self, pack: Pack, scenario: str, variants: Variants) -> None:
        self.board: Final = pack.board(scenario)
        self._pack: Final = pack
        self._id: Final = scenario
        self._scenario: Final = pack.scenarios[scenario]
        self.holds: Final = {
            region: capacity(terrain, pack.tables) for region, terrain in self.board.terrain.items()
        }
        self._zones: Final = {
            seat: frozenset(pack.zone(scenario, seat)) for seat in self._scenario.seats
        }
        self._variants: Final = variants
        self._looks: Final[dict[tuple[str, _Now], Space]] = {}

    def space(self, region: str, now: "_Now") -> Space:
        """A Region as it is now."""
        known = self._looks.get((region, now))
        if known is None:
            known = self._looks[region, now] = self._space(region, now)
        return known

    def _space(self, region: str, now: "_Now") -> Space:
        left, entered, mana, found = now
        terrain = self.board.terrain[region]
        x, y = self.board.place(region)
        attributes = {"room": str(left)}
        if terrain.cover != "none":
            attributes["cover"] = terrain.cover
        if terrain.obstructions:
            attributes["obstructions"] = str(terrain.obstructions)
        if damage := entry_damage(terrain):
            attributes["damage_on_entering"] = str(damage)
        words = [_say("scene.region", region=region, terrain=terrain_name(terrain), room=left)]
        icons, badges = ["encounter"] * bool(found), []
        notes = [*_terrain_notes(self._pack, terrain, self._variants)]
        counters = [_found(found)] if found else []
        if mana:
            icons.append("well")
            badges.append(_say("scene.badge.mana", n=mana))
            words.append(_say("scene.well", n=mana))
            counters.append(Counter("mana", mana, note=_say("scene.well", n=mana)))
        points: list[int] = []
        for place in self._scenario.locations:
            if region in self._pack.regions(self._id, place.regions):
                attributes["location"] = f"{place.name}: {place.vp} VP"
                told = _say("scene.place", place=place.name, n=place.vp)
                words.append(told)
                notes.append(told)
                badges.append(_say("scene.badge.vp", n=place.vp))
                icons.append("place")
                points.append(place.vp)
        for seat, zone in self._zones.items():
            if region in zone:
                attributes["zone"] = seat
                words.append(_say("scene.zone", seat=seat_name(seat)))
                notes.append(words[-1])
                if seat in entered:
                    badges.append(_say("scene.badge.zone", initial=seat_name(seat)[0]))
        if points:
            counters.append(Counter("vp", sum(points), note=_say("scene.upkeep-vp")))
        description = _say("semicolon").join((*words, *found))
        label = terrain_letters(terrain) + WELL * bool(mana) or region
        return Space(
            region, x, y, terrain_name(terrain), label, attributes, description,
            tuple(icons), tuple(badges), counters=tuple(counters),
            note=capitalized(_say("semicolon").join(notes)),
        )  # fmt: skip


def _terrain_notes(pack: Pack, terrain: Terrain, variants: Variants) -> Iterator[str]:
    """Return what a kind of Region does, where it is not like open ground."""
    points = walk_cost(terrain, pack.tables)
    if points is None:
        yield _say("note.blocking")
    elif points > 1:
        yield _say("note.walk", n=points)
    kind = cover_class(terrain, variants)
    bonus = {size: cover_bonus(kind, size, pack.tables) for size in SIZES}
    covers = [_say("note.size", sizes=_say(f"sizes.{size}"), n=n) for size, n in bonus.items() if n]
    if covers:
        yield _say("note.cover", list=ENGLISH.join_and(covers))
    if damage := entry_damage(terrain):
        yield _say("note.damage", n=damage)
    if terrain.obstructions:
        yield _say("note.room", n=capacity(terrain, pack.tables))


def _found(encounters: tuple[str, ...]) -> Counter:
    note = _say("semicolon").join(encounters)
    return Counter("encounter", len(encounters), style="badge", note=note)


@lru_cache(maxsize=64)
def _regions(pack: Pack, scenario: str, variants: Variants) -> _Regions:
    return _Regions(pack, scenario, variants)


def spaces(battle: Battle, viewer: str) -> tuple[Space, ...]:
    """The Regions of the board, in order of columns, then rows."""
    regions = _regions(battle.pack, battle.state.scenario, battle.state.variants)
    waiting = {seat_of(n) for n, g in battle.state.golems.items() if g.where in (OFF, UNPLACED)}
    entered = tuple(seat for seat in battle.seats if seat in waiting)
    met = _encounters(battle, viewer)
    taken, space, mana = battle.taken, regions.space, _capacities(battle)
    return tuple(
        [
            space(
                region,
                (max(holds - taken.get(region, 0), 0), entered, mana.get(region, 0),
                 met.get(region, ())),
            )
            for region, holds in regions.holds.items()
        ]
    )  # fmt: skip


def _capacities(battle: Battle) -> dict[str, int]:
    """What the wells that are not dry give now, by Region."""
    sides = battle.state.wells
    return {
        well.at: well.start if sides[well.at] == "L" else well.depleted
        for well in battle.scenario.wells
        if well.at in sides
    }


def _encounters(battle: Battle, viewer: str) -> dict[str, tuple[str, ...]]:
    """What the viewer knows of encounters, by Region."""
    found: dict[str, tuple[str, ...]] = {}
    for encounter in battle.scenario.encounters:
        lies = battle.state.encounters.get(encounter.id)
        if lies is not None and (lies.triggered or viewer == REFEREE):
            key = "scene.met" if lies.triggered else "scene.hidden"
            told = _say(key, encounter=encounter.name)
            found[lies.where] = (*found.get(lies.where, ()), told)
    return found


# --- what lies on the board ----------------------------------------------------------------------


def markers(battle: Battle) -> Iterator[Piece]:
    """Blessings and Curses."""
    for name, region in battle.laid:
        seat, ancient, power = name.split(".")
        yield _laid(battle.pack, seat, ancient, power, region)


@lru_cache(maxsize=1024)
def _laid(pack: Pack, seat: str, ancient: str, power: str, region: str) -> Piece:
    """A Blessing or Curse where it lies."""
    card = laid_power(pack.ancients[ancient], power)
    kind, face, whose = power_kind(card), power_face(card), seat_name(seat)
    name = _say("scene.laid", seat=whose, power=card.name)
    told = _say(
        "scene.laid-in", seat=whose, power=card.name, region=region, words=", ".join(face.lines)
    )
    return Piece(
        f"laid-{seat}.{ancient}.{power}", kind, BLESSING if kind == "blessing" else CURSE, region,
        seat_named(seat), name, {each.stat: f"{each.amount:+d}" for each in card.modifiers}, told,
        card=face, face=f"power.{ancient}.{power}",
    )  # fmt: skip
