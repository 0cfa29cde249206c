"""Faces of dice: what each die shows and does, for themes."""

from collections.abc import Iterator, Mapping
from typing import Final

from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.state import COLOURS, TOP, Colour
from domain.games.earthen_war.uses import as_title
from domain.kernel.table_theme import CardLine, Face

USE_VERBS: Final[dict[Colour, str]] = {"white": "move", "black": "attack"}
"""What using a die of each colour is."""


def faces(pack: None) -> Mapping[str, Face]:
    """Return the faces of all dice."""
    del pack
    return _FACES


def face_key(colour: Colour, dots: int = 0) -> str:
    """Return the key of a die's face; without dots for a die that was not rolled yet."""
    return f"{colour}-die-{dots}" if dots else f"{colour}-die"


def _face(colour: Colour, dots: int) -> Face:
    name = ENGLISH.format(f"colour {colour}")
    key = face_key(colour, dots)
    if not dots:
        return Face(as_title(ENGLISH.format("die", colour=name)), art=key)
    title = as_title(ENGLISH.format("dots", colour=name, dots=dots))
    return Face(title, art=key, lines=tuple(_lines(colour, dots)))


def _lines(colour: Colour, dots: int) -> Iterator[CardLine]:
    verb = USE_VERBS[colour]
    spent = ENGLISH.format("returns" if dots == 1 else "becomes")
    text = ENGLISH.format(f"line {verb}", n=dots, spent=spent)
    yield CardLine("use", text, verb, icons=f"{{{verb}}} {dots}")
    yield CardLine("up", ENGLISH.format("line up"), "up")
    yield CardLine("down", ENGLISH.format("line down 1" if dots == 1 else "line down"), "down")
    yield CardLine("swap", ENGLISH.format("line swap"), "swap")


_FACES: Final = {
    face_key(colour, dots): _face(colour, dots) for colour in COLOURS for dots in range(TOP + 1)
}
