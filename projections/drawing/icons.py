"""Built-in icons on a grid of 24 by 24: states of pieces, and faces of dice."""

from typing import Final

STATE_ICONS: Final = {
    "turned": "M12 3a9 9 0 1 0 9 9h-3a6 6 0 1 1-6-6v4l7-5.5L12 -1z",
    "spent": "M6 2h12v4l-4.5 6 4.5 6v4H6v-4l4.5-6L6 6zM9 5.5 12 9.5 15 5.5z",
    "hidden": "M12 5C6 5 2.5 9.5 1 12c1.5 2.5 5 7 11 7s9.5-4.5 11-7C21.5 9.5 18 5 12 5z"
    "m0 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM3 20 20 2l2 2L5 22z",
    "marked": "M12 1l3.2 7.2 7.8.8-5.9 5.2 1.8 7.8L12 18l-6.9 4 1.8-7.8L1 9l7.8-.8z",
    "damaged": "M13 1 4 13h6l-3 10 13-14h-7l4-8z",
    "moved": "M2 9h11V3l10 9-10 9v-6H2z",
    "out": "M5 2 12 9l7-7 3 3-7 7 7 7-3 3-7-7-7 7-3-3 7-7-7-7z",
}
"""Path data by state of a piece."""

PIPS: Final = {
    1: ((0.0, 0.0),),
    2: ((-1.0, -1.0), (1.0, 1.0)),
    3: ((-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)),
    4: ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)),
    5: ((-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)),
    6: ((-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)),
}
"""Offsets of a die's pips from its center, by number of pips."""


def pip_count(icon: str) -> int:
    """Return the number of pips on a die icon, or 0 for any other icon."""
    face = icon.removeprefix("die-")
    return int(face) if face != icon and face in "123456" and len(face) == 1 else 0


def die_path(dots: int) -> str:
    """Return a die as path data: a square with round holes."""
    holes = (
        f"M{12 + 5 * x - 2:g} {12 + 5 * y:g}a2 2 0 1 1 4 0a2 2 0 1 1-4 0z" for x, y in PIPS[dots]
    )
    return "M5 1h14a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4z" + "".join(
        holes
    )


BUILT_IN_ICONS: Final = {f"die-{dots}": die_path(dots) for dots in PIPS} | {
    f"state-{state}": path for state, path in STATE_ICONS.items()
}
"""Path data of all built-in icons by name, for the SVG fill rule `evenodd`."""
