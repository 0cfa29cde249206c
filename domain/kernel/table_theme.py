"""Themes of the page's table: how a game looks there, from the files of its folder.

`theme.toml` has the appearance of spaces, pieces, seats, symbols and actions, and `symbols.svg` the
drawings that it names. `Game.faces` has the texts of cards.
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, Literal

import msgspec.toml
from msgspec import Struct

from domain.kernel.theme import Ground, Token


class SideStyle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The appearance of a seat."""

    name: str
    body: str
    """The color of its pieces as `#rrggbb`: `--body` in symbols."""
    ink: str
    """The color of the lines on its pieces: `--ink` in symbols."""
    accent: str
    """The color of its bar and its marks."""


class SymbolInfo(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a symbol stands for."""

    name: str
    letter: str = ""
    """The abbreviation in short texts."""
    color: str = ""
    """The color as `#rrggbb`; empty for the color of the surrounding text."""
    precious: bool = False
    """True if a proposed payment uses it last."""


class VerbStyle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A kind of action: its label and how it is shown and confirmed."""

    name: str
    symbol: str = ""
    tone: Literal["", "good", "bad", "plain"] = ""
    gait: Literal["", "walk", "slide", "hop", "fly", "throw", "place"] = ""
    """How a piece moves by such an action."""
    confirm: Literal["", "dice", "reveal", "sacrifice"] = ""
    """The reason for a confirmation, if the player is to confirm the action."""


class StateStyle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A state of a piece."""

    name: str
    symbol: str = ""


class CardLine(Struct, frozen=True, omit_defaults=True):
    """A printed line of a card: a power, an ability, an order."""

    id: str
    """Unique on the face."""
    text: str
    """The line in full, with symbols."""
    verb: str = ""
    """The key of its verb; empty for a passive line."""
    name: str = ""
    icons: str = ""
    """The line in symbols, for the compact face."""
    cost: str = ""
    pips: int = 0
    """The rounds of its cooldown."""


class FaceStat(Struct, frozen=True, omit_defaults=True):
    """A figure on a card."""

    symbol: str
    name: str
    value: str


class Face(Struct, frozen=True, omit_defaults=True):
    """The printed text of a card or a unit, alike for every viewer."""

    title: str
    kind: str = ""
    frame: str = ""
    """The kind of frame, from which the page takes its color."""
    art: str = ""
    """The name of the symbol that is its picture."""
    cost: str = ""
    points: int | None = None
    stats: tuple[FaceStat, ...] = ()
    lines: tuple[CardLine, ...] = ()


class TableTheme(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The appearance of a game on the page's table: the content of `theme.toml`."""

    move_list: Literal["columns", "lines"] = "lines"
    """Whether moves are listed in columns of score notation or as lines."""
    grounds: Mapping[str, Ground] = {}
    """Appearance of spaces, by kind of space."""
    tokens: Mapping[str, Token] = {}
    """Appearance of pieces, by kind of piece."""
    sides: Mapping[str, SideStyle] = {}
    """Appearance of seats."""
    symbols: Mapping[str, SymbolInfo] = {}
    """What the symbols of counters and texts stand for, by name."""
    verbs: Mapping[str, VerbStyle] = {}
    """Kinds of actions, by `Parts.verb`."""
    states: Mapping[str, StateStyle] = {}
    """States of pieces."""
    sprite: str = ""
    """SVG with a `<symbol>` for each drawing that the theme names. Not in `theme.toml`."""


NO_TABLE_THEME: Final = TableTheme()
"""The theme of a game without `theme.toml`."""

THEME_FILE: Final = "theme.toml"
SYMBOL_FILES: Final = ("symbols.svg", "symbols.icons.svg")
"""Files with drawings: those of the game, and the generated one with icons of `game-icons`."""

_SVG: Final = re.compile(r"\s*<svg\b[^>]*>(.*)</svg>\s*", re.DOTALL)


def read_theme(package: str) -> TableTheme:
    """Return the theme in the files of a game's package.

    Raises:
        msgspec.ValidationError: `theme.toml` has an unknown field or a value of a wrong type.
        ValueError: A file with drawings is not one `<svg>` element.
    """
    folder = files(package)
    theme = msgspec.toml.decode(folder.joinpath(THEME_FILE).read_bytes(), type=TableTheme)
    drawings = [
        file.read_text(encoding="utf-8")
        for name in SYMBOL_FILES
        if (file := folder.joinpath(name)).is_file()
    ]
    return msgspec.structs.replace(theme, sprite=_joined(drawings))


def spell_symbols(text: str, symbols: Mapping[str, SymbolInfo]) -> str:
    """Return a text with the names of its symbols, for output without drawings.

    >>> spell_symbols("2{death} 3{any}", {"any": SymbolInfo("of any type")})
    '2 death 3 of any type'
    """

    def spell(found: re.Match[str]) -> str:
        known = symbols.get(found[1])
        return f" {known.name if known else found[1]}"

    return _SYMBOL.sub(spell, text).strip()


_SYMBOL: Final = re.compile(r" ?\{([a-z-]+)\}")


def _joined(drawings: list[str]) -> str:
    """Return the content of several SVG documents as one."""
    content = []
    for text in drawings:
        found = _SVG.fullmatch(text)
        if found is None:
            raise ValueError("drawings of a theme are one <svg> element")
        content.append(found[1].strip())
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{chr(10).join(content)}\n</svg>\n'
