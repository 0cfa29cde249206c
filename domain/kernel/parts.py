"""Actions taken apart, for whoever builds one from taps, or chooses between many."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from msgspec import Struct

A = TypeVar("A")


class Parts(Struct, frozen=True, omit_defaults=True):
    """An action taken apart, for frontends that build one from taps on pieces and spaces."""

    verb: str
    sentence: str
    pieces: tuple[str, ...] = ()
    """Ids of the scene's pieces, the acting one first."""
    spaces: tuple[str, ...] = ()
    """Ids of the scene's spaces in the order in which a player would point at them."""
    cards: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    """What is left to say in words: `out`, `corrupt`."""
    cost: str = ""
    requires_explicit_choice: bool = False
    """To point at all this is not enough to mean it, as for what costs one's own piece: it has to
    be chosen by what it is called."""


class Group(Struct, Generic[A], frozen=True):
    """Legal actions that a person would first choose between as one: the same thing done with the
    same card, paid for in ways that can be thousands."""

    parts: Parts
    """What they have in common, without its sentence."""
    write_sentence: Callable[[], str]
    """The sentence."""
    first: A
    actions: Callable[[], Iterator[A]]
    """All of them, lazily, from the first, as often as it is called."""
