"""Colours for any game: by seat, by kind of space and of piece, by day and by night, and how well
one can be read on another."""

import colorsys
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.kernel.theme import DEFAULT_THEME, Theme

MIN_TEXT_CONTRAST: Final = 4.5
"""The contrast that WCAG AA wants of text."""
MIN_GRAPHIC_CONTRAST: Final = 3.0
"""And of what else has to be seen."""
_COLOR: Final = re.compile(r"#[0-9a-fA-F]{6}")


class ColorPair(Struct, frozen=True):
    """A colour on a light page and on a dark one."""

    day: str
    night: str


class PieceColors(Struct, frozen=True):
    """The colours of a seat's pieces."""

    fill: str
    edge: str
    ink: str
    """For what is written on the piece."""


PAPER: Final = ColorPair("#fbf8f2", "#15171c")
MAT: Final = ColorPair("#f0eadd", "#20242b")
CARD: Final = ColorPair("#fffdf9", "#2b3039")
INK: Final = ColorPair("#201b15", "#f0ede6")
FAINT: Final = ColorPair("#5c5245", "#b9b4a9")
FRAME: Final = ColorPair("#7a6c57", "#868d9a")

MARK_COLORS: Final = {
    "last": ColorPair("#a84300", "#ffb26b"),
    "legal": ColorPair("#17692f", "#7fe09b"),
    "threatened": ColorPair("#b00f1d", "#ff9a9a"),
    "selected": ColorPair("#1b46c8", "#9fc1ff"),
    "reachable": ColorPair("#66289c", "#d9b4ff"),
}

NAMED_SEAT_COLORS: Final = {"white": "#fffdf7", "black": "#37322d"}
"""Seats that are called by a colour wear it."""
SEAT_COLORS: Final = (
    "#2f6db0", "#c2452d", "#3f8a4d", "#d9a420", "#7d52a8", "#2d8f95", "#a8556f", "#6d7a2c",
)  # fmt: skip
NO_OWNER_COLOR: Final = "#b9b2a6"

BASIC_GROUND_COLORS: Final = {"": "#efe4cc", "light": "#efe4cc", "dark": "#cdb48c"}
"""Plain spaces, and the two colours of a chequered board."""
GROUND_COLORS: Final = (
    "#e3b65b", "#9fb8a0", "#93b3cc", "#c79a8b", "#a99bc2", "#b5a76c", "#8f8a83", "#d6a8b8",
    "#cfe0a0", "#7fa3b0", "#f2cfb0", "#cbbfe6", "#8aa06f", "#d9c7c0",
)  # fmt: skip
"""Kinds of space that are neither, in the order of their names."""


@lru_cache(maxsize=1024)
def luminance(colour: str) -> float:
    """How bright a colour is, as WCAG has it: from 0 to 1."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(fill: str) -> str:
    """What can be read on a colour: dark or light, and black where neither would do."""
    dark, light = INK.day, "#ffffff"
    best = max((dark, light), key=lambda ink: contrast(ink, fill))
    return best if contrast(best, fill) >= MIN_TEXT_CONTRAST else "#000000"


def mix_colors(colour: str, other: str, share: float) -> str:
    """A colour with a share of another."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def night_ground(colour: str) -> str:
    """A ground for a dark page: the same hue, as dark as the page is."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, full = colorsys.rgb_to_hls(red, green, blue)
    dark = colorsys.hls_to_rgb(hue, 0.16 + 0.16 * light, full * 0.55)
    return "#" + "".join(f"{round(each * 255):02x}" for each in dark)


def ensure_contrast(colour: str, page: str) -> str:
    """The colour, made darker or lighter until it stands out from the page."""
    towards = "#000000" if luminance(page) > 0.2 else "#ffffff"
    for step in range(10):
        if contrast(found := mix_colors(colour, towards, step / 10), page) >= MIN_GRAPHIC_CONTRAST:
            return found
    return towards


def valid_color(colour: str, otherwise: str) -> str:
    """The colour, if it is one."""
    return colour if _COLOR.fullmatch(colour) else otherwise


def piece_colors(fill: str) -> PieceColors:
    """A piece's colours from the one that fills it."""
    towards, share = ("#ffffff", 0.6) if luminance(fill) < 0.1 else ("#000000", 0.6)
    return PieceColors(fill, mix_colors(fill, towards, share), ink_on(fill))


def seat_colors(owners: Iterable[str], theme: Theme = DEFAULT_THEME) -> dict[str, PieceColors]:
    """A coat for each seat. Which one does not depend on who has pieces left, if all are given."""
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
    """A colour for each kind of space, by day."""
    others = sorted({kind for kind in kinds if kind not in BASIC_GROUND_COLORS})
    found = BASIC_GROUND_COLORS | {
        kind: GROUND_COLORS[n % len(GROUND_COLORS)] for n, kind in enumerate(others)
    }
    for kind, ground in theme.grounds.items():
        found[kind] = valid_color(ground.fill, found.get(kind, BASIC_GROUND_COLORS[""]))
    return found
