"""What the signs in a scene mean."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.res_arcana.english import ENGLISH
from domain.kernel.scene import LegendEntry

_SAY: Final = ENGLISH.format

_KINDS: Final = {
    "artifact": "artifact",
    "creature": "creature",
    "dragon": "dragon",
    "creature dragon": "dragon",
    "mage": "mage",
    "magic item": "item",
    "monument": "monument",
    "place of power": "place",
    "token": "token",
    "card-back": "",
}
"""Kinds of pieces with their icons, in the order of the legend."""
_ICONS: Final = (
    "elan",
    "life",
    "calm",
    "death",
    "gold",
    "any",
    "points",
    "turn",
    "straighten",
    *dict.fromkeys(filter(None, _KINDS.values())),
)
_ALWAYS: Final = frozenset(("elan", "life", "calm", "death", "gold", "points"))
"""The icons of the tracks, which every seat has."""
_STATES: Final = ("turned", "hidden", "marked")


def icon_of(kind: str) -> str:
    """The icon that shows a kind of piece best."""
    return _KINDS[kind]


@lru_cache(maxsize=512)
def legend(
    kinds: frozenset[str], states: frozenset[str], icons: frozenset[str]
) -> tuple[LegendEntry, ...]:
    """A line for each sign that a scene with such pieces uses."""
    shown = _ALWAYS | icons | {_KINDS[kind] for kind in kinds}
    return tuple(_signs(kinds, states, shown))


def _signs(
    kinds: frozenset[str], states: frozenset[str], icons: frozenset[str]
) -> Iterator[LegendEntry]:
    for icon in _ICONS:
        if icon in icons:
            yield LegendEntry("icon", icon, _SAY(f"icon.{icon}"))
    for kind in _KINDS:
        if kind in kinds:
            yield LegendEntry("glyph", _SAY(f"glyph.{kind}"), _SAY(f"kind.{kind}"))
    for state in _STATES:
        if state in states:
            yield LegendEntry("state", state, _SAY(f"state.{state}"))
