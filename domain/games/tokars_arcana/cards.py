"""The units' cards: who moves how, who kills whom, ranks and immunities, as data.

What is a procedure (a slide, a vanquishing, a trade) has a module of its own; the card only says
which unit may do it.
"""

from functools import cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.games.tokars_arcana.board import ADJACENT, DIAGONAL, ORTHOGONAL, Offset
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.state import RANKS, Race, Rank, Unit

Movement = Literal["leap", "walk", "line", "slide", "never"]
"""leap: to one of its offsets, whatever lies between; walk: up to two orthogonal steps over free
squares; line: as a chess queen; slide: along the row, changing places; never: not by itself."""

Order = Literal[
    "move", "enter", "strike", "move-and-strike", "off",
    "brew", "slide-and-brew", "brew-and-slide",
    "vanquish", "move-and-vanquish", "promote", "recall",
    "return", "revive", "trade", "wind", "explode", "slay",
]  # fmt: skip
"""The kinds of orders."""


class Card(Struct, frozen=True):
    """What is printed on a unit's card."""

    name: str
    race: Race
    rank: Rank
    movement: Movement
    orders: frozenset[Order]
    move_rule: str
    """The rule that tells how it moves, or that it never does."""
    leaps: tuple[Offset, ...] = ()
    """Where a leap may lead."""
    reach: tuple[Offset, ...] = ()
    """Where it may strike, from the square on which it then stands."""
    reach_rule: str = ""
    strikes: frozenset[Rank] = frozenset(RANKS)
    """The ranks that its strike kills; see `strikes_ahead` for the exception."""
    strikes_ahead: frozenset[Rank] | None = None
    """The ranks that it kills straight ahead, if these are others."""
    immune: bool = False
    """Soldiers cannot kill it."""
    kept: str = ""
    """The rule that keeps it from walking off the board, if there is one."""


_AHEAD: Final[tuple[Offset, ...]] = ((0, 1),)
_AHEAD_DIAGONALLY: Final[tuple[Offset, ...]] = ((-1, 1), (1, 1))
_AN_L: Final[tuple[Offset, ...]] = (
    (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2),
)  # fmt: skip
_ONE_OR_TWO_DIAGONALLY: Final = DIAGONAL + tuple((2 * dx, 2 * dy) for dx, dy in DIAGONAL)
_THREE_AHEAD: Final[tuple[Offset, ...]] = ((0, 3),)

_SOLDIERS: Final[frozenset[Rank]] = frozenset({"soldier"})
_HIGHER: Final[frozenset[Rank]] = frozenset(RANKS) - _SOLDIERS


def _orders(*orders: Order) -> frozenset[Order]:
    return frozenset(orders)


_PRIEST: Final = Card(
    "Priest of the Winds", "human", "captain", "leap",
    _orders("move", "strike", "move-and-strike", "revive", "off"),
    "ta.priest.move", leaps=ADJACENT,
    reach=ADJACENT, reach_rule="ta.priest.kill.reach", strikes=_SOLDIERS,
)  # fmt: skip

CARDS: Final[dict[Unit, Card]] = {
    "I": Card(
        "Imperial Warrior", "human", "soldier", "leap",
        _orders("move", "strike", "move-and-strike", "off"),
        "ta.warrior.move", leaps=_AHEAD,
        reach=_AHEAD + _AHEAD_DIAGONALLY, reach_rule="ta.warrior.kill.reach",
        strikes=_HIGHER, strikes_ahead=_SOLDIERS,
    ),
    "K": Card(
        "Blue Knight", "human", "sergeant", "leap", _orders("move", "enter", "off"),
        "ta.knight.move", leaps=_AN_L,
    ),
    "W": Card(
        "Wind Mage", "human", "lieutenant", "leap", _orders("move", "enter", "strike", "off"),
        "ta.windmage.move", leaps=_ONE_OR_TWO_DIAGONALLY,
        reach=_THREE_AHEAD, reach_rule="ta.windmage.bolt",
    ),
    "P": _PRIEST,
    "Q": replace(_PRIEST, name="Priest of the Winds without angel"),
    "A": Card(
        "Alchemist", "human", "captain", "slide",
        _orders("move", "brew", "slide-and-brew", "brew-and-slide"),
        "ta.alchemist.slide", kept="ta.alchemist.row",
    ),
    "D": Card(
        "Duelist", "human", "chief", "line",
        _orders("move", "strike", "move-and-strike", "off"),
        "ta.duelist.move", reach=ADJACENT, reach_rule="ta.duelist.pistol",
    ),
    "B": Card(
        "Battle Mage", "human", "general", "leap",
        _orders(
            "move", "strike", "move-and-strike", "vanquish", "move-and-vanquish",
            "promote", "recall", "off",
        ),
        "ta.battlemage.move", leaps=ADJACENT, reach=ADJACENT, reach_rule="ta.battlemage.kill",
    ),
    "S": Card(
        "Skeleton", "undead", "soldier", "leap", _orders("move", "enter", "return"),
        "ta.skeleton.move", leaps=_AHEAD, immune=True, kept="ta.skeleton.edge",
    ),
    "Z": Card(
        "Zombie", "undead", "sergeant", "walk", _orders("move", "enter", "off"),
        "ta.zombie.move",
    ),
    "M": Card(
        "Mummy", "undead", "lieutenant", "leap", _orders("move", "enter", "off"),
        "ta.mummy.move", leaps=ORTHOGONAL,
    ),
    "T": Card(
        "Tomb Keeper", "undead", "captain", "leap",
        _orders("move", "strike", "move-and-strike", "off"),
        "ta.tombkeeper.move", leaps=ADJACENT,
        reach=ADJACENT, reach_rule="ta.tombkeeper.kill", immune=True,
    ),
    "X": Card(
        "Dark Priest", "undead", "chief", "never", _orders("wind", "explode", "slay"),
        "ta.darkpriest.immobile",
    ),
    "N": Card(
        "Necromancer", "undead", "general", "leap",
        _orders("move", "strike", "move-and-strike", "revive", "trade", "off"),
        "ta.necromancer.move", leaps=ADJACENT, reach=ADJACENT, reach_rule="ta.necromancer.kill",
    ),
}  # fmt: skip


def rank_of(unit: Unit) -> Rank:
    """The rank on the unit's card."""
    return CARDS[unit].rank


Class = int
"""Soldiers, then sergeants and lieutenants together (TA-R27), captains, chiefs."""
CLASSES: Final[dict[Rank, Class]] = {
    "soldier": 0, "sergeant": 1, "lieutenant": 1, "captain": 2, "chief": 3,
}  # fmt: skip


def class_of(unit: Unit) -> Class | None:
    """The class in which a unit is traded or raised; None for generals."""
    return CLASSES.get(rank_of(unit))


@cache
def named(seat: str, unit: Unit) -> str:
    """A model as a person would name it.

    >>> named("north", "T")
    "North's Tomb Keeper"
    """
    return ENGLISH.format("model", seat=ENGLISH.format(seat), unit=CARDS[unit].name)
