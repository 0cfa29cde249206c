"""A scene as one SVG document that stands alone: no scripts, no fonts or files from elsewhere.

The board is on the left, zones and tracks are in a panel on the right, the caption is on top. Every
space, piece and track has a title, which screen readers speak and browsers show under the mouse.
"""

import math
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from domain.kernel.scene import Piece, Scene, Space
from domain.kernel.theme import PLAIN, Theme
from projections.drawing.layout import Grid, contents, grid, pieces_by_place, written_on
from projections.drawing.palette import FAINT, FRAME, GROUND, INK, PAPER, Coat, coats, grounds
from projections.drawing.svg_panel import PANEL, draw_panel
from projections.drawing.svg_piece import draw_piece

SPACE: Final = 64
"""The side of a space, in pixels."""
MARGIN: Final = 36
CAPTION: Final = 44
FONT: Final = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
_CONTROLS: Final = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0x7F, 0xFFFE, 0xFFFF])
"""Characters that XML cannot carry, not even escaped."""


def draw(scene: Scene, theme: Theme = PLAIN, *, scale: int = 1, narrow: bool = False) -> str:
    """The scene as SVG, with spaces so many times larger than usual."""
    del theme, narrow
    wearing = coats(
        owner
        for things in (scene.pieces, scene.zones, scene.tracks)
        for owner in (thing.owner for thing in things)
    )
    board = grid(scene.spaces) if scene.spaces else None
    side, margin = SPACE * scale, MARGIN * scale
    width = margin + (side * len(board.columns) + margin if board else 0)
    height = CAPTION + margin + (side * len(board.rows) if board else 0)

    root = Element("svg", xmlns="http://www.w3.org/2000/svg", role="img")
    SubElement(root, "title").text = scene.caption
    SubElement(root, "desc").text = _told(scene)
    sheet = SubElement(root, "rect", width="100%", height="100%", fill=PAPER)
    root.set("font-family", FONT)
    _caption(root, scene.caption)
    if board:
        _draw_board(root, scene, board, wearing, scale)
    special = {space.kind for space in scene.spaces} - GROUND.keys()
    if scene.zones or scene.tracks or special:
        colours = grounds(space.kind for space in scene.spaces)
        legend = {kind: colours[kind] for kind in sorted(special)}
        height = max(height, draw_panel(root, scene, wearing, legend, x=width, y=CAPTION))
        width += PANEL
    width = max(width, PANEL)
    sheet.set("rx", "10")
    root.set("viewBox", f"0 0 {width} {height}")
    root.set("width", str(width))
    root.set("height", str(height))
    return _document(root)


def _document(root: Element) -> str:
    for element in root.iter():
        if element.text:
            element.text = element.text.translate(_CONTROLS)
        for name, value in element.items():
            element.set(name, value.translate(_CONTROLS))
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _told(scene: Scene) -> str:
    """The pieces in words, place by place, for those who cannot see the drawing."""
    lying = pieces_by_place(scene)
    names = {place.id: place.id for place in scene.spaces} | {z.id: z.name for z in scene.zones}
    return "; ".join(
        f"{names.get(place, place)}: {', '.join(contents(pieces))}"
        for place, pieces in lying.items()
    )


def _caption(root: Element, caption: str) -> None:
    line = SubElement(root, "text", x=str(MARGIN), y="28", fill=INK)
    line.set("font-size", "18")
    line.set("font-weight", "600")
    line.text = caption


def _draw_board(
    root: Element, scene: Scene, board: Grid, wearing: dict[str, Coat], scale: int
) -> None:
    colours = grounds(space.kind for space in scene.spaces)
    side = SPACE * scale
    origin = (MARGIN * scale - side * board.columns.start, CAPTION + side * board.rows.start)
    move = f"translate({origin[0]} {origin[1]})"
    larger = f" scale({scale})" if scale != 1 else ""
    layer = SubElement(root, "g", id="board", transform=move + larger)
    for space in scene.spaces:
        _draw_space(layer, space, colours[space.kind])
    _draw_coordinates(layer, board)
    standing = pieces_by_place(scene)
    for space in scene.spaces:
        _draw_stand(layer, space, standing.get(space.id, []), wearing)


def _draw_space(layer: Element, space: Space, colour: str) -> None:
    group = SubElement(layer, "g")
    words = ", ".join(filter(None, (space.id, space.kind, written_on(space))))
    SubElement(group, "title").text = words
    x, y = SPACE * space.x, -SPACE * space.y
    side = str(SPACE)
    SubElement(group, "rect", x=str(x), y=str(y), width=side, height=side, fill=colour).set(
        "stroke", FRAME
    )
    if text := written_on(space):
        _label(group, x + 5, y + 14, text, anchor="start", size=11)


def _draw_coordinates(layer: Element, board: Grid) -> None:
    left, bottom = SPACE * board.columns.start, SPACE - SPACE * board.rows[-1]
    for y, name in board.ranks.items():
        _label(layer, left - 14, SPACE // 2 - SPACE * y + 5, name)
    for x, name in board.files.items():
        _label(layer, SPACE * x + SPACE // 2, bottom + 20, name)


def _label(
    layer: Element, x: int, y: int, words: str, *, anchor: str = "middle", size: int = 14
) -> None:
    label = SubElement(layer, "text", x=str(x), y=str(y), fill=FAINT)
    label.set("text-anchor", anchor)
    label.set("font-size", str(size))
    label.text = words


def _draw_stand(
    layer: Element, space: Space, pieces: list[Piece], wearing: dict[str, Coat]
) -> None:
    """The pieces of one space: one fills it, several share it in a square of smaller ones."""
    side = math.isqrt(max(len(pieces) - 1, 0)) + 1
    share = SPACE / side
    above = (SPACE - share * math.ceil(len(pieces) / side)) / 2
    for n, piece in enumerate(pieces):
        row, column = divmod(n, side)
        x = SPACE * space.x + share * (column + 0.5)
        y = -SPACE * space.y + above + share * (row + 0.5)
        group = draw_piece(layer, piece, wearing[piece.owner], x=x, y=y, radius=share * 0.4)
        group.set("data-space", space.id)
