"""The parts of an action: what a frontend needs to build one from taps or to list many."""

from collections.abc import Callable, Iterator
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from domain.kernel.amounts import Purpose

Role = Literal["to", "target", "with", "option", "die", "hit", "via"]
"""The role of a pick. The player picks a space or zone to go to, a target, something to use, an
option or a die; `hit` and `via` are only shown: what is hit or passed on the way."""

A = TypeVar("A")


class Pick(Struct, frozen=True, omit_defaults=True):
    """One step of pointing at an action."""

    id: str
    """The id of a space, piece or zone of the scene, or a word for an option."""
    role: Role
    label: str = ""
    """The label of an option, with symbols."""


class Amounts(Struct, frozen=True, omit_defaults=True):
    """What one action pays, gains or puts: actions that differ only in this are listed as one."""

    purpose: Purpose
    counts: dict[str, int]
    """The amounts by symbol."""


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
    actor: str = ""
    """The id of the piece that acts; empty for an action that is a button."""
    line: str = ""
    """The id of the line on the actor's face that the action is; empty for none."""
    picks: tuple[Pick, ...] | None = None
    """What is pointed at after the actor, in order; None to derive `actor` and `picks` from the
    lists above (`domain.kernel.orders.with_picks`)."""
    amounts: Amounts | None = None
    """What is paid, gained or put, where the player chooses it."""


class Group(Struct, Generic[A], frozen=True):
    """Legal actions shown as one choice first, for example the thousands of ways to pay a cost."""

    parts: Parts
    """The parts that all actions of the group share, without a sentence."""
    write_sentence: Callable[[], str]
    """Returns the group's sentence."""
    first: A
    actions: Callable[[], Iterator[A]]
    """Yields all actions of the group, beginning with `first`; may be called repeatedly."""
