"""Legal actions, narrowed by what was tapped: the words that all ways of pointing share.

A stylus taps *things*: `piece white-golem-a1`, `space a6`, `card athanor`. Each tap leaves fewer
legal actions. When one is left, or one that no further tap could tell from the rest, Confirm takes
it; when several are left that no tap can tell apart, the rune symbols of the Control Card choose.

`Pointing` is how things are pointed at in one position. `domain.stylus.narrowing` works for any
game, from the parts of its actions; a game whose own reference says how it is done brings its own.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from domain.kernel.armies import StatusRow
from domain.kernel.rulings import Figures, Refused
from domain.kernel.scene import Scene


class Option(Struct, frozen=True):
    """Something that can be chosen: a legal action, or a group of them that is opened first."""

    label: str
    """The action's notation, or what names the group."""
    action: Any = None
    """None for a group. Its parts say what it does and costs: few options are ever shown."""
    pick: str = ""
    """What choosing it adds to the picks, for a group."""
    sentence: str = ""
    """What a group is."""
    write_sentence: Callable[[], str] | None = None
    """Says that, where it takes long: of many groups few are shown."""


class RemainingOptions(Struct, frozen=True):
    """What is left after some taps."""

    is_possible: bool
    """Does some legal action agree with them?"""
    armed: Option | None = None
    """What Confirm would take."""
    runes: tuple[Option, ...] = ()
    """What the rune symbols choose among."""
    digits: Mapping[str, Option] = {}
    """What typing these digits would choose, dice above all."""
    dice: bool = False
    """Are they what dice show? Other digits choose among the runes, where these are listed."""
    dice_count: int = 0
    """How many dice everything that is left tells the outcome of; 0 if it tells of none."""
    next: tuple[str, ...] = ()
    """The things that may be tapped next."""


class Forecast(Struct, frozen=True):
    """What is worth knowing of an action before it is taken."""

    figures: Figures = {}
    """By name: its chances above all."""
    path: tuple[str, ...] = ()
    """The spaces that it leads through, in order, the last one with them."""


class IconView(Struct, frozen=True, kw_only=True):
    """What an icon of the Control Card shows: one of several entries, with arrows to the others."""

    icon: str
    """As `army`, which taps call `cc army`, `cc army<` and `cc army>`."""
    entries: tuple[str, ...]
    lines: Callable[[Scene, str, int], tuple[str, ...]]
    """A page of an entry, for whoever may see this scene."""
    first: Callable[[tuple[str, ...]], str] | None = None
    """The entry that the icon shows when so much is picked; where it is not given, the first."""
    pages: Callable[[str], int] | None = None
    """How many pages an entry has. Where it is not given, the page button shows the next entry."""
    options: Callable[[str], tuple[Option, ...]] | None = None
    """What of an entry can be chosen now, by the rune symbols."""
    picks: str = ""
    """The kind of thing that choosing one of these options picks."""


class Pointing(Protocol):
    """How things are pointed at in one position, for the seat that is to act."""

    @property
    def second_tap_deselects(self) -> bool:
        """Does a second tap on the same thing take it back?"""

    def narrow(self, picked: tuple[str, ...]) -> RemainingOptions:
        """What is left after these picks."""

    def has_many_actions(self, thing: str) -> bool:
        """Are there so many actions that point at this thing, and were not looked at before, that
        to narrow them down takes long?"""

    def can_start_with(self, thing: str) -> bool:
        """May this thing be picked first?"""

    def interpretations(self, thing: str) -> tuple[str, ...]:
        """What a tap on this thing can mean: the thing itself first, then what is likeliest."""

    def path(self, action: Any) -> tuple[str, ...]:
        """The things that would be tapped for a legal action, in order."""

    def refusal(self, picked: tuple[str, ...], thing: str) -> Refused | None:
        """Why the action is refused that this thing would have completed; None if there is none."""

    def info(self, thing: str) -> tuple[str, ...]:
        """Return the card of a thing on the table, in lines; empty if it has none. In a game that
        says how its things are tapped (`Display.point`), nothing else has a card."""

    def forecast(self, action: Any) -> Forecast:
        """What is worth knowing of a legal action."""

    def guide(self, picked: tuple[str, ...]) -> tuple[str, ...]:
        """What the play view tells beside the prompt, in lines: what is asked walked through, or
        where what is picked leads."""

    def abilities(self, things: Iterable[str]) -> tuple[tuple[str, StatusRow], ...]:
        """Those of these things that stand for abilities, and what these cost now."""

    def views(self) -> tuple[IconView, ...]:
        """What icons of the Control Card show here, beside the map."""
