"""The board: grounds with patterns, coordinates at the edge, what is on the spaces."""

import math
from typing import Final

from domain.kernel.scene import Piece, Space
from projections.drawing.canvas import Canvas
from projections.drawing.layout import Grid, written_on
from projections.drawing.markup import Block, clean, label, number, rect, told
from projections.drawing.patterns import TILES
from projections.drawing.svg_marks import on_space
from projections.drawing.svg_pieces import draw_piece, draw_unit, pill, pill_width
from projections.drawing.text_metrics import fitted

_CROWD: Final = 9
"""Pieces on a space that are drawn; of more, the last place says how many."""


def draw_board(canvas: Canvas, board: Grid, side: float) -> Block:
    """The board with spaces of this side, and its coordinates at the left and below."""
    margin = margin_of(board, side)
    size = min(max(side * 0.2, 11.0), 18.0)
    parts = []
    for space in canvas.scene.spaces:
        x = margin + (space.x - board.columns.start) * side
        y = (board.rows.start - space.y) * side
        parts.append(_space(canvas, space, x, y, side))
    for space in canvas.scene.spaces:
        x = margin + (space.x - board.columns.start) * side
        y = (board.rows.start - space.y) * side
        parts.append(_stand(canvas, space, x, y, side))
    high = side * len(board.rows)
    for y, name in board.ranks.items():
        middle = (board.rows.start - y + 0.5) * side + size * 0.36
        parts.append(label(margin - 6, middle, name, size, "q", anchor="end", bold=True))
    for x, name in board.files.items():
        left = margin + (x - board.columns.start + 0.5) * side
        parts.append(label(left, high + size * 1.25, name, size, "q", anchor="middle", bold=True))
    below = size * 1.5 if board.files else 0.0
    return Block(
        margin + side * len(board.columns), high + below, f'<g id="board">{"".join(parts)}</g>'
    )


def margin_of(board: Grid, side: float) -> float:
    """The room that the numbers of the rows take."""
    if not board.ranks:
        return 0.0
    return 12 + min(max(side * 0.2, 11.0), 18.0) * 0.62 * max(map(len, board.ranks.values()))


def _space(canvas: Canvas, space: Space, x: float, y: float, side: float) -> str:
    look = canvas.look
    worn, ground = look.ground(space.kind)
    parts = [rect(x, y, side, side, f"{worn} o")]
    if ground.pattern in TILES:
        canvas.used_kinds.add(space.kind)
        parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(side)}" height="{number(side)}"'
            f' fill="url(#{look.pattern(space.kind)})"/>'
        )
    if ground.icon and look.knows(ground.icon):
        half = side * 0.25
        icon = canvas.icon(ground.icon, x + half, y + half, 2 * half, f"{worn}i")
        parts.append(icon)
    parts.append(_writing(canvas, space, worn, x, y, side))
    parts.append(on_space(canvas, space.id, x, y, side))
    words = ", ".join(filter(None, (space.id, space.kind, written_on(space))))
    title = told(clean(space.description or words))
    return f"<g {canvas.id('space', space.id)}>{title}{''.join(parts)}</g>"


def _writing(canvas: Canvas, space: Space, worn: str, x: float, y: float, side: float) -> str:
    """Its label in the upper left corner, its icons in the upper right, its badges below."""
    size = min(max(side * 0.14, 8.0), 15.0)
    parts = []
    room = side - 6
    icons = [icon for icon in space.icons if canvas.look.knows(icon)]
    for place, icon in enumerate(icons[:3], 1):
        at = x + side - 2 - place * size * 1.5
        parts.append(rect(at, y + 2, size * 1.4, size * 1.4, "c o", corner=size * 0.35))
        paint = canvas.look.ink(icon, "k")
        parts.append(canvas.icon(icon, at + size * 0.15, y + 2 + size * 0.15, size * 1.1, paint))
        room -= size * 1.5
    if words := written_on(space):
        shown = fitted(clean(words), size, max(room, size))
        parts.append(label(x + 4, y + size + 2, shown, size, f"{worn}k", bold=True))
    at = x + 3
    for badge in space.badges[:3]:
        wide = pill_width(canvas, badge, size, side - 6)
        if at + wide > x + side:
            break
        parts.append(pill(canvas, badge, at, y + side - size * 1.2 - 3, size, side - 6))
        at += wide + 2
    return "".join(parts)


def _stand(canvas: Canvas, space: Space, x: float, y: float, side: float) -> str:
    """The pieces of a space: markers in the corner, the others sharing the rest."""
    pieces = canvas.lying.get(space.id, [])
    if not pieces:
        return ""
    shapes = [canvas.look.token(piece.kind).shape for piece in pieces]
    corners = [p for p, shape in zip(pieces, shapes, strict=True) if shape == "marker"]
    others = [p for p, shape in zip(pieces, shapes, strict=True) if shape != "marker"]
    parts = [_markers(canvas, corners, x, y, side)] if corners else []
    if others:
        parts.append(_crowd(canvas, space, others, x, y, side))
    return "".join(parts)


def _markers(canvas: Canvas, pieces: list[Piece], x: float, y: float, side: float) -> str:
    """Small things along the left edge, from below."""
    radius = min(max(side * 0.115, 5.0), 16.0)
    parts = []
    for place, piece in enumerate(pieces[:6]):
        column, row = divmod(place, 3)
        cx = x + side - 3 - radius - column * 2.1 * radius
        cy = y + side - 3 - radius - row * 2.1 * radius
        parts.append(draw_piece(canvas, piece, cx, cy, radius))
    return "".join(parts)


def _crowd(
    canvas: Canvas, space: Space, pieces: list[Piece], x: float, y: float, side: float
) -> str:
    above = side * 0.15 if written_on(space) or space.icons else 0.0
    below = side * 0.15 if space.badges and side > 50 else 0.0
    shown = pieces if len(pieces) <= _CROWD else pieces[: _CROWD - 1]
    places = min(len(pieces), _CROWD)
    columns = math.isqrt(places - 1) + 1
    rows = math.ceil(places / columns)
    if columns == 1 and not above:
        above = below = 0.0
    wide, high = side / columns, (side - above - below) / rows
    parts = []
    for place, piece in enumerate(shown):
        row, column = divmod(place, columns)
        parts.append(
            draw_unit(canvas, piece, x + column * wide, y + above + row * high, wide, high)
        )
    if len(shown) < len(pieces):
        row, column = divmod(places - 1, columns)
        more = f"+{len(pieces) - len(shown)}"
        parts.append(
            label(x + (column + 0.5) * wide, y + above + (row + 0.6) * high, more, high * 0.4, "k",
                  anchor="middle", bold=True)
        )  # fmt: skip
    return "".join(parts)
