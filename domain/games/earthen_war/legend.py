"""What the signs of a scene mean."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.state import COLOURS, FUSE, SEATS, TOP
from domain.kernel.scene import LegendEntry, State

SHELL_GLYPHS: Final = tuple(f"*{turns}" for turns in range(FUSE + 1))
"""How a shell is shown in text, by its turns left."""

Shown = tuple[str, str, tuple[State, ...]]
"""What a piece shows: its glyph, its icon, its states."""

_STATES: Final[tuple[State, ...]] = ("spent", "damaged", "out")
_ALWAYS: Final = ("white-die", "black-die", "damage")
"""Icons of the tracks."""


def _glyphs() -> Iterator[tuple[str, str]]:
    for glyph, seat in zip("Gg", SEATS, strict=True):
        yield glyph, ENGLISH.format("golem", seat=ENGLISH.format(seat))
    for colour in COLOURS:
        name = ENGLISH.format(f"colour {colour}")
        letter = colour[0].upper()
        yield f"{letter}?", ENGLISH.format("legend new", colour=name)
        for dots in range(1, TOP + 1):
            yield f"{letter}{dots}", ENGLISH.format("dots", colour=name, dots=dots)
            for sign, half in (("☾", "available"), ("☼", "used")):
                said = ENGLISH.format(half)
                meaning = ENGLISH.format("legend die", colour=name, dots=dots, half=said)
                yield f"{letter}{dots}{sign}", meaning
    for turns, glyph in enumerate(SHELL_GLYPHS):
        yield glyph, ENGLISH.format("legend shell", n=turns)
    yield "x", ENGLISH.format("damage")


_GLYPHS: Final = dict(_glyphs())


@lru_cache(maxsize=1024)
def legend(shown: frozenset[Shown]) -> tuple[LegendEntry, ...]:
    """The signs of a scene with pieces that show these."""
    glyphs = {glyph for glyph, _, _ in shown}
    states = {state for _, _, found in shown for state in found}
    icons = [name for name in _icons(shown) if name]
    return (
        *(LegendEntry("glyph", glyph, said) for glyph, said in _GLYPHS.items() if glyph in glyphs),
        *(
            LegendEntry("icon", name, ENGLISH.format(f"icon {name}"))
            for name in dict.fromkeys(icons)
        ),
        *(LegendEntry("space", kind, ENGLISH.format(f"space {kind}")) for kind in _kinds()),
        *(
            LegendEntry("state", each, ENGLISH.format(f"state {each}"))
            for each in _STATES
            if each in states
        ),
    )


def _kinds() -> tuple[str, ...]:
    return ("trench", *(f"{seat}-grid" for seat in SEATS))


def _icons(shown: frozenset[Shown]) -> Iterator[str]:
    """The icons of the pieces, of their badges and cards, and of the tracks."""
    yield from sorted({icon for _, icon, _ in shown})
    yield from _ALWAYS
    glyphs = {glyph for glyph, _, _ in shown}
    if any(glyph[-1] in "☾☼" for glyph in glyphs):
        yield from ("move", "attack")
    if any(glyph.endswith("☾") for glyph in glyphs):
        yield "moon"
    if any(glyph.endswith("☼") for glyph in glyphs):
        yield "sun"
    if any(glyph in SHELL_GLYPHS for glyph in glyphs):
        yield "shell"
