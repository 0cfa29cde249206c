"""Names for people: seats, terrain, work, entries; ids of what a scene shows."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.state import number_of, seat_of

_BASES = {
    "plain": "open ground",
    "elevated": "elevated ground",
    "blocking": "blocking terrain",
    "shallow": "shallow water",
    "deep": "deep water",
    "pit": "pit",
    "swamp": "swamp",
}
_LETTERS = {
    "plain": "",
    "elevated": "E",
    "blocking": "B",
    "shallow": "S",
    "deep": "D",
    "pit": "X",
    "swamp": "W",
}


def seat_name(seat: str) -> str:
    """A seat as a sentence begins with it.

    >>> seat_name("south")
    'South'
    """
    return seat.title()


def terrain_name(terrain: Terrain) -> str:
    """Terrain in words.

    >>> terrain_name(Terrain("elevated", "ground"))
    'elevated ground with ground cover'
    >>> terrain_name(Terrain("plain", "medium"))
    'medium cover'
    """
    if terrain.obstructions:
        return f"{terrain.obstructions} obstruction{'s' * (terrain.obstructions > 1)}"
    if terrain.cover == "none":
        return _BASES[terrain.base]
    cover = f"{terrain.cover} cover"
    return cover if terrain.base == "plain" else f"{_BASES[terrain.base]} with {cover}"


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
    if unit in battle.state.constructs:
        return f"{seat_name(seat_of(unit))}'s {battle.construct_card(unit).name} {unit}"
    return f"{seat_name(seat_of(unit))}'s {battle.card(unit).name} {unit}"


def fallen_name(unit: str) -> str:
    """A unit named without its card: for sentences about those that may be gone.

    >>> fallen_name("n2k")
    "the Construct of North's Golem 2"
    """
    golem = f"{seat_name(seat_of(unit))}'s Golem {number_of(unit)}"
    return f"the Construct of {golem}" if unit.endswith("k") else golem


def ability_card(golem: str, ability: str) -> str:
    """The id of an ability of a Golem or its Knight, as parts of actions and scenes give it."""
    return f"{golem}.{ability}"


def relic_card(golem: str) -> str:
    """The id of the Relic that a Golem carries."""
    return f"{golem}*"


def power_card(seat: str, ancient: str, power: str) -> str:
    """The id of a power of an Ancient One, the same that positions use."""
    return f"{seat}.{ancient}.{power}"
