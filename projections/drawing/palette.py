"""Colors for any game, by seat, kind of space and kind of piece, for light and dark pages."""

import colorsys
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.kernel.theme import DEFAULT_THEME, Theme

MIN_TEXT_CONTRAST: Final = 4.5
"""The least contrast of text by WCAG level AA."""
MIN_GRAPHIC_CONTRAST: Final = 3.0
"""The least contrast of graphics by WCAG level AA."""
_COLOR: Final = re.compile(r"#[0-9a-fA-F]{6}")


class ColorPair(Struct, frozen=True):
    """A color on a light page and its counterpart on a dark page."""

    day: str
    night: str


class PieceColors(Struct, frozen=True):
    """The colors of a seat's pieces."""

    fill: str
    edge: str
    ink: str
    """The color of text and icons on the piece."""


PAPER: Final = ColorPair("#fbf8f2", "#15171c")
MAT: Final = ColorPair("#f0eadd", "#20242b")
CARD: Final = ColorPair("#fffdf9", "#2b3039")
INK: Final = ColorPair("#201b15", "#f0ede6")
FAINT: Final = ColorPair("#5c5245", "#b9b4a9")
FRAME: Final = ColorPair("#7a6c57", "#868d9a")

MARK_COLORS: Final = {
    "last": ColorPair("#a84300", "#ffb26b"),
    "legal": ColorPair("#17692f", "#7fe09b"),
    "danger": ColorPair("#b00f1d", "#ff9a9a"),
    "selected": ColorPair("#1b46c8", "#9fc1ff"),
    "reachable": ColorPair("#66289c", "#d9b4ff"),
}

NAMED_SEAT_COLORS: Final = {"white": "#fffdf7", "black": "#37322d"}
"""Fill colors of seats that are named after a color."""
SEAT_COLORS: Final = (
    "#2f6db0", "#c2452d", "#3f8a4d", "#d9a420", "#7d52a8", "#2d8f95", "#a8556f", "#6d7a2c",
)  # fmt: skip
NO_OWNER_COLOR: Final = "#b9b2a6"

BASIC_GROUND_COLORS: Final = {"": "#efe4cc", "light": "#efe4cc", "dark": "#cdb48c"}
"""Colors of plain spaces, and the two colors of a checkered board."""
GROUND_COLORS: Final = (
    "#e3b65b", "#9fb8a0", "#93b3cc", "#c79a8b", "#a99bc2", "#b5a76c", "#8f8a83", "#d6a8b8",
    "#cfe0a0", "#7fa3b0", "#f2cfb0", "#cbbfe6", "#8aa06f", "#d9c7c0",
)  # fmt: skip
"""Colors of other kinds of space, assigned in the order of their names."""


@lru_cache(maxsize=1024)
def luminance(color: str) -> float:
    """Return the relative luminance of a color by WCAG, from 0 to 1."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(fill: str) -> str:
    """Return a readable text color on a fill: dark or light, or black if neither is enough."""
    dark, light = INK.day, "#ffffff"
    best = max((dark, light), key=lambda ink: contrast(ink, fill))
    return best if contrast(best, fill) >= MIN_TEXT_CONTRAST else "#000000"


def mix_colors(color: str, other: str, share: float) -> str:
    """Return a mixture of two colors; `share` is the part of the second, from 0 to 1."""
    pairs = [(int(color[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def night_ground(color: str) -> str:
    """Return a dark version of a ground color for a dark page, with the same hue."""
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, full = colorsys.rgb_to_hls(red, green, blue)
    dark = colorsys.hls_to_rgb(hue, 0.16 + 0.16 * light, full * 0.55)
    return "#" + "".join(f"{round(each * 255):02x}" for each in dark)


def ensure_contrast(color: str, page: str) -> str:
    """Return the color, made darker or lighter until it contrasts with the page."""
    towards = "#000000" if luminance(page) > 0.2 else "#ffffff"
    for step in range(10):
        if contrast(found := mix_colors(color, towards, step / 10), page) >= MIN_GRAPHIC_CONTRAST:
            return found
    return towards


def valid_color(color: str, otherwise: str) -> str:
    """Return the color, or `otherwise` if it is not a hexadecimal color."""
    return color if _COLOR.fullmatch(color) else otherwise


def piece_colors(fill: str) -> PieceColors:
    """Return the colors of a piece for its fill color."""
    towards, share = ("#ffffff", 0.6) if luminance(fill) < 0.1 else ("#000000", 0.6)
    return PieceColors(fill, mix_colors(fill, towards, share), ink_on(fill))


def seat_colors(owners: Iterable[str], theme: Theme = DEFAULT_THEME) -> dict[str, PieceColors]:
    """Return the colors of each seat.

    A seat keeps its color when other seats lose their pieces, provided that all seats are given.
    """
    names = sorted({owner for owner in owners if owner})
    found = {"": NO_OWNER_COLOR} | NAMED_SEAT_COLORS
    others = [name for name in names if name not in NAMED_SEAT_COLORS]
    found |= {name: SEAT_COLORS[n % len(SEAT_COLORS)] for n, name in enumerate(others)}
    found |= {
        name: valid_color(fill, found.get(name, NO_OWNER_COLOR))
        for name, fill in theme.seats.items()
    }
    return {name: piece_colors(fill) for name, fill in found.items()}


def ground_colors(kinds: Iterable[str], theme: Theme = DEFAULT_THEME) -> dict[str, str]:
    """Return the light-page color of each kind of space."""
    others = sorted({kind for kind in kinds if kind not in BASIC_GROUND_COLORS})
    found = BASIC_GROUND_COLORS | {
        kind: GROUND_COLORS[n % len(GROUND_COLORS)] for n, kind in enumerate(others)
    }
    for kind, ground in theme.grounds.items():
        found[kind] = valid_color(ground.fill, found.get(kind, BASIC_GROUND_COLORS[""]))
    return found
