"""Patterns over the colors of spaces, so that color alone never carries a meaning."""

from typing import Final

from domain.kernel.theme import Pattern

TILES: Final[dict[Pattern, tuple[int, str]]] = {
    "hatch": (10, "M-2 12 12-2M-2 2 2-2M8 12l4-4"),
    "dots": (10, "M2.5 2.5h.01M7.5 7.5h.01"),
    "waves": (16, "M0 5q4-5 8 0t8 0M-8 13q4-5 8 0t8 0 8 0"),
    "bricks": (16, "M0 .5h16M0 8.5h16M4 0v8M12 8v8"),
    "trees": (22, "M6 9l-4 0 4-7 4 7zM6 9v3M17 19h-4l4-7 4 7zM17 19v3"),
    "peaks": (22, "M1 10l5-8 5 8M12 21l5-8 5 8"),
    "grass": (18, "M3 8l-1-4M4.5 8V2M6 8l1-4M12 17l-1-4M13.5 17v-6M15 17l1-4"),
    "sand": (14, "M2 3h2M9 5h2M5 9h2M11 12h2M1 12.5h2"),
    "stars": (22, "M6 2v8M2 6h8M3.5 3.5l5 5M8.5 3.5l-5 5M17 14v6M14 17h6"),
}
"""The side of the tile and the strokes on it as path data, by pattern."""


def pattern_definition(pattern: Pattern, identity: str, stroke: str) -> str:
    """Return the SVG definition of a pattern; `stroke` is its class in the style sheet."""
    side, path = TILES[pattern]
    return (
        f'<pattern id="{identity}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
        f'<path d="{path}" class="{stroke}"/></pattern>'
    )
