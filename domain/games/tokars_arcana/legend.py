"""Models as they are shown, and what the signs on them mean."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.position import write_model
from domain.games.tokars_arcana.state import SEATS, UNITS, Model, Seat
from domain.games.tokars_arcana.theme import ICONS_OF
from domain.kernel.scene import LegendEntry
from domain.kernel.scene import State as Look

PARALYSED: Final = "~"
"""What follows a paralysed model's letter in drawings."""


class Figure(Struct, frozen=True, gc=False):
    """A model with what shows on it."""

    model: Model
    held: bool = False
    """It is paralysed by tomb gas."""
    threatens: bool = False
    """It puts the general in check."""

    @classmethod
    def of(cls, glyph: str) -> "Figure":
        """The figure of these characters.

        >>> Figure.of("m**").name
        "North's Mummy"
        """
        letter, signs = glyph[0], glyph[1:]
        seat: Seat = "south" if letter.isupper() else "north"
        (unit,) = (unit for unit in UNITS if unit == letter.upper())
        return cls(Model(seat, unit, signs.count("*"), "!" in signs), PARALYSED in signs)

    @property
    def name(self) -> str:
        """As "South's Mummy"."""
        return named(self.model.seat, self.model.unit)

    @property
    def glyph(self) -> str:
        """Its letter, with what lies on it."""
        return write_model(self.model) + PARALYSED * self.held

    def description(self, where: str) -> str:
        """For a screen reader: who it is, where, and what lies on it."""
        rank = ENGLISH.format(f"rank.{CARDS[self.model.unit].rank}")
        return ENGLISH.format("piece", model=self.name, where=where, rank=rank, state=self._state())

    def _state(self) -> str:
        parts = []
        if self.model.tokens:
            parts.append(ENGLISH.format("burning", tokens=self.model.tokens))
        if self.held:
            parts.append(ENGLISH.format("held"))
        if self.model.moved:
            parts.append(ENGLISH.format("moved"))
        return "".join(parts)

    @property
    def states(self) -> tuple[Look, ...]:
        """What it is in, for a drawing."""
        found: dict[Look, bool] = {
            "marked": self.threatens, "spent": self.held, "moved": self.model.moved,
        }  # fmt: skip
        return tuple(state for state, so in found.items() if so)

    @property
    def badges(self) -> tuple[str, ...]:
        """Its firebrew tokens."""
        return (f"{self.model.tokens} {{firebrew}}",) if self.model.tokens else ()

    def attributes(self) -> Iterator[tuple[str, str]]:
        """The same for frontends that know the game."""
        yield "rank", CARDS[self.model.unit].rank
        if self.model.tokens:
            yield "firebrew", str(self.model.tokens)
        if self.held:
            yield "paralysed", "by tomb gas"
        if self.model.moved:
            yield "moved", "no order next turn"

    def sign(self) -> LegendEntry:
        """What its characters mean."""
        meaning = ENGLISH.format("sign-unit", model=self.name, state=self._state())
        return LegendEntry("glyph", self.glyph, meaning)


@lru_cache(maxsize=1024)
def legend(glyphs: frozenset[str], check: bool) -> tuple[LegendEntry, ...]:
    """The meaning of all signs in a scene whose models have these characters."""
    order = [(seat, unit) for seat in SEATS for unit in UNITS]
    figures = sorted(
        map(Figure.of, glyphs),
        key=lambda each: (order.index((each.model.seat, each.model.unit)), each.glyph),
    )
    signs = (figure.sign() for figure in figures)
    return (*signs, *_icons(figures), *_states(figures, check), *_GROUNDS)


def _icons(figures: list[Figure]) -> Iterator[LegendEntry]:
    units = {figure.model.unit for figure in figures}
    for unit in UNITS:
        if unit in units:
            yield LegendEntry("icon", ICONS_OF[unit], CARDS[unit].name)
    if any(figure.model.tokens for figure in figures):
        yield LegendEntry("icon", "firebrew", ENGLISH.format("sign-firebrew"))


def _states(figures: list[Figure], check: bool) -> Iterator[LegendEntry]:
    shown = {state for figure in figures for state in figure.states}
    if check:
        shown.add("marked")
    for state in ("marked", "spent", "moved"):
        if state in shown:
            yield LegendEntry("state", state, ENGLISH.format(f"sign-{state}"))


_GROUNDS: Final = tuple(
    LegendEntry("space", kind, ENGLISH.format(kind)) for kind in ("light", "dark")
)
