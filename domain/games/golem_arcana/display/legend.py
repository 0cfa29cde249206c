"""The legend: the meaning of every sign that a scene uses."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.battle.board import Terrain
from domain.games.golem_arcana.battle.terrain import entry_damage
from domain.games.golem_arcana.display.names import terrain_name
from domain.games.golem_arcana.display.scene_board import BLESSING, CURSE
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.theme import GROUNDS, THEME
from domain.kernel.scene import LegendEntry, Piece, Space, Track

_ICON: Final = re.compile(r"\{([a-z-]+)\}")
_GLYPHS: Final = {BLESSING: "blessing", CURSE: "curse", "?": "hidden"}


def _meaning(terrain: Terrain) -> str:
    """A kind of Region, with what is dangerous or narrow about it."""
    name = terrain_name(terrain)
    if damage := entry_damage(terrain):
        return ENGLISH.format("ground.hurts", terrain=name, n=damage)
    if terrain.obstructions:
        return ENGLISH.format("ground.narrow", terrain=name, n=terrain.obstructions)
    return name


_MEANINGS: Final = {terrain_name(terrain): _meaning(terrain) for terrain in GROUNDS}
_TOKEN_ICONS: Final = {kind: token.icon for kind, token in THEME.tokens.items() if token.icon}


def legend_of(
    spaces: Sequence[Space], pieces: Sequence[Piece], tracks: Sequence[Track]
) -> tuple[LegendEntry, ...]:
    """The signs of a scene with these parts."""
    icons = {track.icon for track in tracks}
    states: set[str] = set()
    for piece in pieces:
        icons.add(piece.icon or _TOKEN_ICONS.get(piece.kind, ""))
        if piece.states:
            states.update(piece.states)
        if piece.badges:
            icons.update(*map(_in_text, piece.badges))
        face = piece.card
        if face is not None:
            icons |= _in_texts((face.kind, face.cost, *face.lines))
    for space in spaces:
        if space.badges:
            icons.update(*map(_in_text, space.badges))
        if space.icons:
            icons.update(space.icons)
    glyphs = _GLYPHS.keys() & {piece.glyph for piece in pieces}
    kinds = {space.kind for space in spaces}
    return _legend(frozenset(glyphs), frozenset(icons), frozenset(kinds), frozenset(states))


@lru_cache(maxsize=1024)
def _in_text(text: str) -> frozenset[str]:
    return frozenset(_ICON.findall(text))


@lru_cache(maxsize=4096)
def _in_texts(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(_in_text, texts))


@lru_cache(maxsize=256)
def _legend(
    glyphs: frozenset[str], icons: frozenset[str], kinds: frozenset[str], states: frozenset[str]
) -> tuple[LegendEntry, ...]:
    return tuple(_signs(glyphs, icons, kinds, states))


def _signs(
    glyphs: frozenset[str], icons: frozenset[str], kinds: frozenset[str], states: frozenset[str]
) -> Iterator[LegendEntry]:
    for glyph, key in _GLYPHS.items():
        if glyph in glyphs:
            yield LegendEntry("glyph", glyph, ENGLISH.format(f"glyph.{key}"))
    for icon in THEME.icons:
        if icon in icons:
            yield LegendEntry("icon", icon, ENGLISH.format(f"icon.{icon}"))
    for kind, meaning in _MEANINGS.items():
        if kind in kinds:
            yield LegendEntry("space", kind, meaning)
    for state in ("marked", "spent", "hidden"):
        if state in states:
            yield LegendEntry("state", state, ENGLISH.format(f"state.{state}"))
