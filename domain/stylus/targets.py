"""The interface of pointing: legal actions, narrowed by taps.

A stylus taps *things*: `piece white-golem-a1`, `space a6`, `card athanor`. Each tap leaves fewer
legal actions. When one is left, or one that no further tap could distinguish, Confirm takes it.
When several are left that no tap can distinguish, the rune symbols of the Control Card choose.

`Pointing` resolves taps in one position. `domain.stylus.narrowing` implements it for any game, from
the parts of its actions; a game whose reference defines taps has its own implementation.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from domain.kernel.armies import StatusRow
from domain.kernel.rulings import Figures, Refused
from domain.kernel.scene import Scene


class Option(Struct, frozen=True):
    """A choice: a legal action, or a group of actions that is opened first."""

    label: str
    """The action's notation, or the name of the group."""
    action: Any = None
    """The action; None for a group."""
    pick: str = ""
    """The pick that choosing a group adds."""
    sentence: str = ""
    """The sentence of a group."""
    write_sentence: Callable[[], str] | None = None
    """Returns the sentence of a group on demand, since few of many groups are shown."""


class RemainingOptions(Struct, frozen=True):
    """The options that are left after some taps."""

    is_possible: bool
    """True if some legal action agrees with the taps."""
    armed: Option | None = None
    """The option that Confirm takes."""
    runes: tuple[Option, ...] = ()
    """The options of the rune symbols."""
    digits: Mapping[str, Option] = {}
    """Options by the digits that choose them: results of dice, or numbers in the list of runes."""
    dice: bool = False
    """True if the digits are results of dice."""
    dice_count: int = 0
    """The number of dice that all options left enter; 0 if they enter none."""
    next: tuple[str, ...] = ()
    """The things that may be tapped next."""


class Forecast(Struct, frozen=True):
    """The information on an action that is shown before it is confirmed."""

    figures: Figures = {}
    """Figures by name, for example the chance to hit."""
    path: tuple[str, ...] = ()
    """The spaces of a movement in order, including the last."""


class IconView(Struct, frozen=True, kw_only=True):
    """The view of a Control Card icon: one of several entries, with arrows to the others."""

    icon: str
    """The icon, such as `army`; its taps are `cc army`, `cc army<` and `cc army>`."""
    entries: tuple[str, ...]
    lines: Callable[[Scene, str, int], tuple[str, ...]]
    """Returns the text lines for the viewer's scene, an entry and its page number."""
    first: Callable[[tuple[str, ...]], str] | None = None
    """Returns the entry to show first, given the picks; defaults to the first entry."""
    pages: Callable[[str], int] | None = None
    """Returns the number of pages of an entry. Without it the page button shows the next entry."""
    options: Callable[[str], tuple[Option, ...]] | None = None
    """Returns the options of an entry that the rune symbols choose."""
    picks: str = ""
    """The kind of thing that these options pick."""


class Pointing(Protocol):
    """The resolution of taps in one position, for the seat that is to act."""

    @property
    def second_tap_deselects(self) -> bool:
        """True if a second tap on a thing deselects it."""

    def narrow(self, picked: tuple[str, ...]) -> RemainingOptions:
        """Return the options that are left after these picks."""

    def has_many_actions(self, thing: str) -> bool:
        """Return whether narrowing by this thing is slow: it has many actions not yet computed."""

    def can_start_with(self, thing: str) -> bool:
        """Return whether a thing may be picked first."""

    def interpretations(self, thing: str) -> tuple[str, ...]:
        """Return the things that a tap can mean: the tapped thing first, then the likeliest."""

    def path(self, action: Any) -> tuple[str, ...]:
        """Return the things to tap for a legal action, in order."""

    def refusal(self, picked: tuple[str, ...], thing: str) -> Refused | None:
        """Return the refusal of the action that this thing would complete, or None."""

    def info(self, thing: str) -> tuple[str, ...]:
        """Return the lines of a thing's card; empty if it has none.

        In a game with its own `Display.pointing`, no other thing has a card.
        """

    def forecast(self, action: Any) -> Forecast:
        """Return the information on a legal action that is shown before it is confirmed."""

    def guide(self, picked: tuple[str, ...]) -> tuple[str, ...]:
        """Return lines that the play view adds to the prompt: help on it, or on the picks."""

    def abilities(self, things: Iterable[str]) -> tuple[tuple[str, StatusRow], ...]:
        """Return the given things that are abilities, each with its current cost."""

    def views(self) -> tuple[IconView, ...]:
        """Return the views of the Control Card's icons, besides the map."""
