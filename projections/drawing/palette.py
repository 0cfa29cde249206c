"""Colours for any game: by seat, and by kind of space."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

INK: Final = "#2b2620"
FAINT: Final = "#7d7264"
PAPER: Final = "#fbf8f2"
FRAME: Final = "#5c4a36"


class Coat(Struct, frozen=True):
    """The colours of a seat's pieces."""

    fill: str
    edge: str
    ink: str
    """For what is written on the piece."""


NOBODY: Final = Coat("#b9b2a6", "#6f675b", INK)
NAMED: Final = {
    "white": Coat("#fffdf7", "#6b5f4d", INK),
    "black": Coat("#37322d", "#0f0d0b", "#fffdf7"),
}
"""Seats that are called by a colour wear it."""
OTHERS: Final = (
    Coat("#2f6db0", "#173a60", "#ffffff"),
    Coat("#c2452d", "#6d2013", "#ffffff"),
    Coat("#3f8a4d", "#1d4a26", "#ffffff"),
    Coat("#d9a420", "#7a5a08", INK),
    Coat("#7d52a8", "#43285f", "#ffffff"),
    Coat("#2d8f95", "#124c50", "#ffffff"),
)

GROUND: Final = {"": "#efe4cc", "light": "#efe4cc", "dark": "#cdb48c"}
"""Plain spaces, and the two colours of a chequered board."""
SPECIAL: Final = (
    "#e3b65b",
    "#9fb8a0",
    "#93b3cc",
    "#c79a8b",
    "#a99bc2",
    "#b5a76c",
    "#8f8a83",
    "#d6a8b8",
    "#cfe0a0",
    "#7fa3b0",
    "#f2cfb0",
    "#cbbfe6",
    "#8aa06f",
    "#d9c7c0",
)
"""Kinds of space that are neither, in the order of their names."""


def coats(owners: Iterable[str]) -> dict[str, Coat]:
    """A coat for each seat. Which one does not depend on who has pieces left, if all are given."""
    names = sorted({owner for owner in owners if owner})
    others = [name for name in names if name not in NAMED]
    chosen = {name: OTHERS[n % len(OTHERS)] for n, name in enumerate(others)}
    return {"": NOBODY} | NAMED | chosen


def grounds(kinds: Iterable[str]) -> dict[str, str]:
    """A colour for each kind of space."""
    others = sorted({kind for kind in kinds if kind not in GROUND})
    return GROUND | {kind: SPECIAL[n % len(SPECIAL)] for n, kind in enumerate(others)}
