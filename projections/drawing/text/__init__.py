"""A scene as text for a fixed-width terminal, without colors or control characters."""

from typing import Final

from domain.kernel.scene import Scene
from projections.drawing.boards import on_one_plane
from projections.drawing.markup import clean
from projections.drawing.text.board import board_lines
from projections.drawing.text.lists import TextSymbols, legend_lines, track_lines, wrap, zone_lines

WIDTH: Final = 100


def draw(scene: Scene, width: int = WIDTH, *, legend: bool = True) -> str:
    """Draw the board, tracks, zones, legend and caption as text.

    Lines have at most `width` characters and each ends with a newline.
    """
    scene = on_one_plane(scene)
    symbols = TextSymbols(scene)
    sections = (
        board_lines(scene, symbols, width),
        track_lines(scene, symbols, width),
        zone_lines(scene, symbols, width),
        legend_lines(scene, symbols, width) if legend else [],
        wrap(clean(scene.caption), width) or [""],
    )
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections if lines)
