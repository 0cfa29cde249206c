"""A scene as text, for a terminal with a fixed-width font. No colours, no control characters, and
nothing wider than it may be."""

from typing import Final

from domain.kernel.scene import Scene
from projections.drawing.markup import clean
from projections.drawing.text.board import board_lines
from projections.drawing.text.lists import TextSymbols, legend_lines, track_lines, wrap, zone_lines

WIDTH: Final = 100


def draw(scene: Scene, width: int = WIDTH, *, legend: bool = True) -> str:
    r"""The board, then the tracks, the zones, the legend if it is wanted, and the caption; lines
    end in \n."""
    signs = TextSymbols(scene)
    sections = (
        board_lines(scene, signs, width),
        track_lines(scene, signs, width),
        zone_lines(scene, signs, width),
        legend_lines(scene, signs, width) if legend else [],
        wrap(clean(scene.caption), width) or [""],
    )
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections if lines)
