"""Themes: the appearance of a game's drawings, by the scene's kinds, seats and icons.

One renderer draws every game; a game without a theme is drawn with `DEFAULT_THEME`. The page's
table has a theme of its own, `domain.kernel.table_theme`.
"""

from collections.abc import Mapping
from typing import Final, Literal

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
