"""The parts of an action: what a frontend needs to build one from taps or to list many."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from msgspec import Struct

A = TypeVar("A")


class Parts(Struct, frozen=True, omit_defaults=True):
    """The pieces, spaces, cards and choices of one action."""

    verb: str
    sentence: str
    pieces: tuple[str, ...] = ()
    """Ids of the scene's pieces, the acting piece first."""
    spaces: tuple[str, ...] = ()
    """Ids of the scene's spaces, in the order in which a player points at them."""
    cards: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    """What pointing cannot express, such as `out` or `corrupt`."""
    cost: str = ""
    requires_explicit_choice: bool = False
    """True if pointing at all parts must not select the action, as one that costs an own piece.
    The player then has to choose it from the list."""


class Group(Struct, Generic[A], frozen=True):
    """Legal actions shown as one choice first, for example the thousands of ways to pay a cost."""

    parts: Parts
    """The parts that all actions of the group share, without a sentence."""
    write_sentence: Callable[[], str]
    """Returns the group's sentence."""
    first: A
    actions: Callable[[], Iterator[A]]
    """Yields all actions of the group, beginning with `first`; may be called repeatedly."""
