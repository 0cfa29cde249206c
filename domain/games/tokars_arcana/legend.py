"""Models as they are shown, and what the signs on them mean."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.position import write_model
from domain.games.tokars_arcana.state import SEATS, UNITS, Model
from domain.games.tokars_arcana.theme import ICONS_OF
from domain.kernel.scene import Sign
from domain.kernel.scene import State as Look

PARALYSED: Final = "~"
"""What follows a paralysed model's letter in drawings."""


class Figure(Struct, frozen=True, gc=False):
    """A model with what shows on it."""

    model: Model
    held: bool = False
    """It is paralysed by tomb gas."""

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
        rank = ENGLISH.say(f"rank.{CARDS[self.model.unit].rank}")
        return ENGLISH.say("piece", model=self.name, where=where, rank=rank, state=self._state())

    def _state(self) -> str:
        parts = []
        if self.model.tokens:
            parts.append(ENGLISH.say("burning", tokens=self.model.tokens))
        if self.held:
            parts.append(ENGLISH.say("held"))
        if self.model.moved:
            parts.append(ENGLISH.say("moved"))
        return "".join(parts)

    @property
    def states(self) -> tuple[Look, ...]:
        """What it is in, for a drawing."""
        found: dict[Look, bool] = {
            "damaged": self.model.tokens > 0, "spent": self.held, "moved": self.model.moved,
        }  # fmt: skip
        return tuple(state for state, so in found.items() if so)

    @property
    def badges(self) -> tuple[str, ...]:
        """Firebrew, tomb gas and the mark of a moved Dark Priest."""
        firebrew = (f"{self.model.tokens} {{firebrew}}",) if self.model.tokens else ()
        return (*firebrew, *("{gas}",) * self.held, *("{halt}",) * self.model.moved)

    def attributes(self) -> Iterator[tuple[str, str]]:
        """The same for frontends that know the game."""
        yield "rank", CARDS[self.model.unit].rank
        if self.model.tokens:
            yield "firebrew", str(self.model.tokens)
        if self.held:
            yield "paralysed", "by tomb gas"
        if self.model.moved:
            yield "moved", "no order next turn"

    def sign(self) -> Sign:
        """What its characters mean."""
        meaning = ENGLISH.say("sign-unit", model=self.name, state=self._state())
        return Sign("glyph", self.glyph, meaning)


@lru_cache(maxsize=256)
def legend(figures: frozenset[Figure]) -> tuple[Sign, ...]:
    """The meaning of all signs in a scene with these models."""
    return (*_glyphs(figures), *_icons(figures), *_states(figures), *_GROUNDS)


def _glyphs(figures: frozenset[Figure]) -> list[Sign]:
    order = {(seat, unit): n for n, (seat, unit) in enumerate((s, u) for s in SEATS for u in UNITS)}
    by_glyph = {figure.glyph: figure for figure in figures}
    ranked = sorted(
        by_glyph.values(), key=lambda each: (order[each.model.seat, each.model.unit], each.glyph)
    )
    return [figure.sign() for figure in ranked]


def _icons(figures: frozenset[Figure]) -> Iterator[Sign]:
    units = {figure.model.unit for figure in figures}
    for unit in UNITS:
        if unit in units:
            yield Sign("icon", ICONS_OF[unit], CARDS[unit].name)
    for icon, state in (("firebrew", "damaged"), ("gas", "spent"), ("halt", "moved")):
        if any(state in figure.states for figure in figures):
            yield Sign("icon", icon, ENGLISH.say(f"sign-{icon}"))


def _states(figures: frozenset[Figure]) -> Iterator[Sign]:
    for state in ("damaged", "spent", "moved"):
        if any(state in figure.states for figure in figures):
            yield Sign("state", state, ENGLISH.say(f"sign-{state}"))


_GROUNDS: Final = tuple(Sign("space", kind, ENGLISH.say(kind)) for kind in ("light", "dark"))
