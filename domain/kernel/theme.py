"""Themes: the appearance of a game's drawings, by the scene's kinds, seats and icons.

One renderer draws every game; a game without a theme is drawn with `DEFAULT_THEME`. The page's
table is drawn with a `TableTheme`, from the files `theme.toml` and `symbols.svg` of the game's
folder.
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, Literal

import msgspec.toml
from msgspec import Struct

Pattern = Literal[
    "", "hatch", "dots", "waves", "bricks", "trees", "peaks", "grass", "sand", "stars"
]
"""The pattern over the color of a space, so that no kind is shown by color alone."""

Shape = Literal["disc", "square", "hexagon", "shield", "diamond", "die", "card", "marker"]
"""The outline of a piece. A `die` shows the pips of its icon, `die-1` to `die-6`; a `card` shows
its face; a `marker` is small and lies in a corner of its space."""


class Ground(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The appearance of spaces of one kind."""

    fill: str
    """The color on a light page, as `#rrggbb`."""
    night: str = ""
    """The color on a dark page; empty for a darker shade of `fill`."""
    pattern: Pattern = ""
    icon: str = ""
    """The icon drawn faintly in the middle of the space."""
    symbol: str = ""
    """The drawing in the sprite that covers the space, to its edges."""
    name: str = ""


class Token(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The appearance of pieces of one kind."""

    shape: Shape = "disc"
    fill: str = ""
    """The color as `#rrggbb`; empty for the color of the owner."""
    ink: str = ""
    """The color of the icon; empty for the one that contrasts best with `fill`."""
    icon: str = ""
    """The icon of a piece without an icon of its own; empty for its glyph."""
    symbol: str = ""
    """The drawing of the piece in the sprite, colored by `--body` and `--ink`."""
    name: str = ""
    plural: str = ""
    size: float = 1.0
    """The size relative to the usual size of a piece, from 0.3 to 1.2."""


class Icon(Struct, frozen=True, omit_defaults=True):
    """An icon as SVG shapes."""

    path: str
    """SVG path data in a viewport of 24 by 24, filled."""
    fill: str = ""
    """The color as `#rrggbb`; empty for the color of the surrounding text."""
    letter: str = ""
    """The abbreviation in short texts, as "D"; empty for the icon's word in the legend."""


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


class Theme(Struct, frozen=True, omit_defaults=True):
    """The appearance of a game. Kinds that are not listed are drawn plain."""

    grounds: Mapping[str, Ground] = {}
    """Appearance of spaces, by kind of space."""
    tokens: Mapping[str, Token] = {}
    """Appearance of pieces, by kind of piece."""
    icons: Mapping[str, Icon] = {}
    """Icons by name, in addition to the renderer's `die-1` to `die-6`."""
    seats: Mapping[str, str] = {}
    """Colors as `#rrggbb`, by seat; the renderer picks a color for any other seat."""
    backs: str = "#7a2f2f"
    """The color of card backs."""


DEFAULT_THEME: Final = Theme()


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
