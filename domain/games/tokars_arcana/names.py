"""What things are called in sentences: seats, models, lists of them."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.state import RANKS, Model, Seat, Square, State, Unit, units_in

LONGEST: Final = 2
"""How many models an outcome names before it only counts the rest."""


@cache
def seat_name(seat: Seat) -> str:
    """A seat as people say it.

    >>> seat_name("south")
    'South'
    """
    return ENGLISH.format(seat)


@cache
def standing(seat: Seat, unit: Unit, square: Square) -> str:
    """A model with its square.

    >>> standing("south", "D", "d1")
    "South's Duelist on d1"
    """
    return ENGLISH.format("model-on", model=named(seat, unit), square=square)


def on(state: State, square: Square) -> str:
    """The model that stands there, with its square."""
    model = state.board[square]
    return standing(model.seat, model.unit, square)


@cache
def one(unit: Unit) -> str:
    """Some model of a unit.

    >>> one("A"), one("Z")
    ('an Alchemist', 'a Zombie')
    """
    return ENGLISH.format(for_unit("one", unit), unit=CARDS[unit].name)


def for_unit(key: str, unit: Unit) -> str:
    """The key of what is said of this unit, which is the plain one unless it has its own."""
    own = f"{key}.{unit}"
    return own if own in ENGLISH.templates else key


def the_dead(grave: str) -> str:
    """Who lies in a graveyard.

    >>> the_dead("IIK")
    'Imperial Warrior x 2 and Blue Knight'
    """
    dead = [
        ENGLISH.format("several", unit=CARDS[unit].name, n=n) if n > 1 else CARDS[unit].name
        for unit, n in Counter(units_in(grave)).items()
    ]
    return ENGLISH.join_and(dead)


def enumerated(names: Sequence[str], most: int = LONGEST) -> str:
    """Names in a row, cut short after so many.

    >>> enumerated(["a", "b", "c", "d", "e"])
    'a, b and 3 more'
    """
    return ENGLISH.join_and(_cut(names, most))


def either(names: Sequence[str], most: int = LONGEST) -> str:
    """Names to choose from, cut short after so many.

    >>> either(["a Zombie", "a Mummy"])
    'a Zombie or a Mummy'
    """
    *others, last = _cut(names, most)
    return ENGLISH.format("or", most=", ".join(others), last=last) if others else last


def _cut(names: Sequence[str], most: int) -> Sequence[str]:
    # Naming one more is as short as counting it.
    if len(names) <= most + 1:
        return names
    return [*names[:most], ENGLISH.format("more", n=len(names) - most)]


def highest_first(models: Sequence[tuple[Square, Model]]) -> list[str]:
    """Models with their squares, the highest ranks first: these are named where a list is cut."""
    ranked = sorted(models, key=lambda each: -RANKS.index(CARDS[each[1].unit].rank))
    return [standing(model.seat, model.unit, square) for square, model in ranked]
