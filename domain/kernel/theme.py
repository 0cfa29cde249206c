"""How a game's drawings look: data that says it in terms of the scene's kinds, states and icons.

One renderer draws every game; a game that states nothing here is drawn `PLAIN`.
"""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

Pattern = Literal[
    "", "hatch", "dots", "waves", "bricks", "trees", "peaks", "grass", "sand", "stars"
]
"""What lies over the colour of a space, so that nothing is told by colour alone."""

Shape = Literal["disc", "square", "hexagon", "shield", "diamond", "die", "card", "marker"]
"""The outline of a piece. A `die` shows the pips of its icon, `die-1` to `die-6`; a `card` its
face; a `marker` is small and lies in a corner of its space."""


class Ground(Struct, frozen=True, omit_defaults=True):
    """How spaces of one kind look."""

    fill: str
    """`#rrggbb`, by day."""
    night: str = ""
    """The same on a dark page; empty: a darker shade of `fill`."""
    pattern: Pattern = ""
    icon: str = ""
    """An icon drawn faintly in its middle."""


class Token(Struct, frozen=True, omit_defaults=True):
    """How pieces of one kind look."""

    shape: Shape = "disc"
    fill: str = ""
    """`#rrggbb`; empty: the colour of its owner."""
    ink: str = ""
    """Of what is drawn on it; empty: the one that reads best on `fill`."""
    icon: str = ""
    """The icon on it, where the piece has none of its own; empty: its glyph."""
    size: float = 1.0
    """Of 1, the usual size on a space; from 0.3 to 1.2."""


class Icon(Struct, frozen=True, omit_defaults=True):
    """A small picture."""

    path: str
    """SVG path data on a plane of 24 by 24, filled."""
    fill: str = ""
    """`#rrggbb`; empty: as the text around it."""
    letter: str = ""
    """What stands for it in text where space is short: "D"; empty: its word in the legend."""


class Theme(Struct, frozen=True, omit_defaults=True):
    """The look of a game. What is not listed looks plain, and still says what it is."""

    grounds: Mapping[str, Ground] = {}
    """By kind of space."""
    tokens: Mapping[str, Token] = {}
    """By kind of piece."""
    icons: Mapping[str, Icon] = {}
    """By name; beside the renderer's own, which are `die-1` to `die-6`."""
    seats: Mapping[str, str] = {}
    """`#rrggbb` by seat; a seat without one is given a colour."""
    backs: str = "#7a2f2f"
    """Of the backs of cards."""


DEFAULT_THEME: Final = Theme()
