"""Names for people: seats, units, terrain, abilities, what effects come from; ids of what a scene
shows."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, assert_never

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import Ability, Attack, Fly, Power, Walk
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import seat_of

MOST_LISTED: Final = 5
"""Longer lists end with "and 4 more"."""

_LETTERS = {
    "plain": "",
    "elevated": "E",
    "blocking": "B",
    "shallow": "S",
    "deep": "D",
    "pit": "X",
    "swamp": "W",
}


@lru_cache(maxsize=16)
def seat_name(seat: str) -> str:
    """A seat as a sentence begins with it.

    >>> seat_name("south")
    'South'
    """
    return ENGLISH.format(f"seat.{seat}")


@lru_cache(maxsize=256)
def terrain_name(terrain: Terrain) -> str:
    """Terrain in words.

    >>> terrain_name(Terrain("elevated", "ground"))
    'elevated ground with ground cover'
    >>> terrain_name(Terrain("plain", "medium"))
    'medium cover'
    """
    if terrain.obstructions:
        return ENGLISH.format("terrain.obstructions", n=terrain.obstructions)
    base = ENGLISH.format(f"terrain.{terrain.base}")
    if terrain.cover == "none":
        return base
    cover = ENGLISH.format(f"terrain.cover.{terrain.cover}")
    if terrain.base == "plain":
        return cover
    return ENGLISH.format("terrain.covered", base=base, cover=cover)


def terrain_letters(terrain: Terrain) -> str:
    """Terrain as tiles write it, open ground as nothing.

    >>> terrain_letters(Terrain("elevated", "ground"))
    'Eg'
    """
    if terrain.obstructions:
        return f"O{terrain.obstructions}"
    cover = {"none": "", "ground": "g", "medium": "m"}[terrain.cover]
    return f"{_LETTERS[terrain.base]}{cover}"


def unit_name(battle: Battle, unit: str) -> str:
    """A unit as a person would name it: `South's Sand Lion s1`."""
    if unit in battle.state.constructs or unit in battle.state.golems:
        return battle.named(unit)
    return ENGLISH.format("unit-gone", seat=seat_name(seat_of(unit)), id=unit)


def ability_name(battle: Battle, golem: str, ability: str) -> str:
    """An ability of a Golem or its Knight, by the name on the card."""
    if golem not in battle.state.golems:
        return ENGLISH.format("some-ability")
    found = battle.abilities(golem).get(ability)
    return found.name if found else ENGLISH.format("some-ability")


def power_name(pack: Pack, ancient: str, power: str) -> str:
    """A power of an Ancient One, by the name on the card."""
    return next(each.name for each in pack.ancients[ancient].power if each.id == power)


def source_name(battle: Battle, source: str) -> str:
    """What a status effect comes from, by the name on the card: an ability, a power, an encounter.

    Only a position that somebody made up names anything else.
    """
    pack = battle.pack
    bearer, _, ability = source.partition(".")
    if not ability:
        encounters = battle.scenario.encounters
        return next((e.name for e in encounters if e.id == bearer), ENGLISH.format("some-effect"))
    printed = [
        *(each for cards in (pack.golems, pack.knights) if bearer in cards
          for each in cards[bearer].ability),
        *((pack.relics[bearer].ability,) if bearer in pack.relics else ()),
        *(pack.ancients[bearer].power if bearer in pack.ancients else ()),
    ]  # fmt: skip
    return next((e.name for e in printed if e.id == ability), ENGLISH.format("some-effect"))


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """Names in a row, "nothing" for none; a long list is cut short.

    >>> listed(["a1", "a2", "a3", "a4"], most=2)
    'a1, a2 and 2 more'
    """
    if not names:
        return ENGLISH.format("nothing")
    if len(names) > most + 1:
        names = [*names[:most], ENGLISH.format("more", n=len(names) - most)]
    return ENGLISH.join_and(names)


def regions_name(regions: Sequence[str]) -> str:
    """Regions in words, in their order: those that fill a rectangle by its corners.

    Lists of the content are given as they are written there, as `a1:c2`.
    """
    found = []
    for each in regions:
        first, _, last = each.partition(":")
        found.append(ENGLISH.format("region-range", first=first, last=last) if last else first)
    return listed(found, most=len(found))


def ability_card(golem: str, ability: str) -> str:
    """The id of an ability of a Golem or its Knight, as parts of actions and scenes give it."""
    return f"{golem}.{ability}"


def ability_verb(ability: Ability) -> str:
    """Return the kind of action that an ability of a Golem or a Knight is."""
    match ability:
        case Walk():
            return "move"
        case Fly():
            return "fly"
        case Attack(mode=mode):
            return mode
        case Power():
            return "use"
        case unreachable:
            assert_never(unreachable)


def ability_line(pack: Pack, golem: str, knight: str | None, ability: str) -> str:
    """Return the line of a Golem's card that an ability is.

    Lines of its Knight's and its Relic's card begin with the key of that card's face.
    """
    if any(each.id == ability for each in pack.golems[golem].ability):
        return ability
    return f"knight.{knight}/{ability}"


def relic_line(relic: str | None, ability: str) -> str:
    """Return the same of the ability of its Relic."""
    return f"relic.{relic}/{ability}"


def unit_piece(battle: Battle, unit: str) -> str:
    """Return the id of a unit's piece in a scene, which differs from those of all Regions."""
    return f"unit-{unit}" if unit in battle.board.number else unit


def unit_of(piece: str) -> str:
    """Return the unit of such a piece.

    >>> unit_of("unit-e1")
    'e1'
    """
    return piece.removeprefix("unit-")


def relic_card(golem: str) -> str:
    """The id of the Relic that a Golem carries."""
    return f"{golem}*"


def power_card(seat: str, ancient: str, power: str) -> str:
    """The id of a power of an Ancient One, the same that positions use."""
    return f"{seat}.{ancient}.{power}"
