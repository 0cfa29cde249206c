"""The board in SVG: grounds with patterns, coordinates at the edge, and pieces on the spaces."""

import math
from collections.abc import Sequence
from typing import Final

from domain.kernel.scene import Piece, Space
from projections.drawing.canvas import Canvas
from projections.drawing.font_metrics import truncate, width
from projections.drawing.layout import Grid, board_groups, grid, space_text
from projections.drawing.markup import Block, clean, format_length, label, rect, title_elements
from projections.drawing.patterns import TILES
from projections.drawing.svg.marks import draw_space_marks
from projections.drawing.svg.pieces import draw_piece, draw_pill, draw_unit, pill_width
from projections.drawing.svg.zones import GAP, flow, stack

_MAX_PIECES: Final = 9
"""The greatest number of pieces drawn on a space; if there are more, the last place shows how
many."""


def draw_board(canvas: Canvas, spaces: Sequence[Space], side: float) -> Block:
    """Draw spaces of this side, with coordinates at the left and below."""
    board = grid(spaces)
    margin = margin_width(board, side)
    size = min(max(side * 0.2, 11.0), 18.0)
    parts = []
    for space in spaces:
        x = margin + (space.x - board.columns.start) * side
        y = (board.rows.start - space.y) * side
        parts.append(_draw_space(canvas, space, x, y, side))
    for space in spaces:
        x = margin + (space.x - board.columns.start) * side
        y = (board.rows.start - space.y) * side
        parts.append(_draw_pieces(canvas, space, x, y, side))
    high = side * len(board.rows)
    for y, name in board.ranks.items():
        middle = (board.rows.start - y + 0.5) * side + size * 0.36
        parts.append(label(margin - 6, middle, name, size, "q", anchor="end", bold=True))
    for x, name in board.files.items():
        left = margin + (x - board.columns.start + 0.5) * side
        parts.append(label(left, high + size * 1.25, name, size, "q", anchor="middle", bold=True))
    below = size * 1.5 if board.files else 0.0
    return Block(margin + side * len(board.columns), high + below, "".join(parts))


def draw_narrow_board(canvas: Canvas, room: float, limit: float) -> Block:
    """Draw the board in a narrow room.

    Groups of spaces that lie apart from the largest group are drawn below it. `limit` is the
    greatest side of a space.
    """
    parts = board_groups(canvas.scene.spaces)
    greatest = max(parts, key=len)
    board = grid(greatest)
    side = min((room - margin_width(board, room / len(board.columns))) / len(board.columns), limit)
    blocks = [draw_board(canvas, greatest, side)]
    others = [part for part in parts if part is not greatest]
    if others:
        widest = max(len(grid(part).columns) for part in others)
        each = min(side, (room - GAP * 2) / max(2 * widest, 1))
        blocks.append(flow([draw_board(canvas, part, each) for part in others], room, GAP * 2))
    return stack(blocks, 12)


def margin_width(board: Grid, side: float) -> float:
    """Return the width that the names of rows need."""
    if not board.ranks:
        return 0.0
    return 12 + min(max(side * 0.2, 11.0), 18.0) * 0.62 * max(map(len, board.ranks.values()))


def _draw_space(canvas: Canvas, space: Space, x: float, y: float, side: float) -> str:
    style = canvas.style
    css_class, ground = style.ground(space.kind)
    parts = [rect(x, y, side, side, f"{css_class} o")]
    if ground.pattern in TILES:
        canvas.used_kinds.add(space.kind)
        parts.append(
            f'<rect x="{format_length(x)}" y="{format_length(y)}"'
            f' width="{format_length(side)}" height="{format_length(side)}"'
            f' fill="url(#{style.pattern(space.kind)})"/>'
        )
    if ground.icon and style.has_icon(ground.icon):
        half = side * 0.25
        icon = canvas.icon(ground.icon, x + half, y + half, 2 * half, f"{css_class}i")
        parts.append(icon)
    parts.append(_draw_space_text(canvas, space, css_class, x, y, side))
    parts.append(draw_space_marks(canvas, space.id, x, y, side))
    words = ", ".join(filter(None, (space.id, space.kind, space_text(space))))
    title = title_elements(clean(space.description or words))
    return canvas.group("space", space.id, title, *parts)


def _draw_space_text(
    canvas: Canvas, space: Space, css_class: str, x: float, y: float, side: float
) -> str:
    """Draw label and badges of a space at the left of its upper edge, and icons at the right."""
    words = clean(space_text(space))
    if not (words or space.badges or space.icons):
        return ""
    size = space_text_size(side)
    parts = []
    right = x + side - 2
    for icon in [icon for icon in space.icons if canvas.style.has_icon(icon)][:3]:
        right -= size * 1.45
        parts.append(rect(right, y + 2, size * 1.35, size * 1.35, "c o", corner=size * 0.35))
        paint = canvas.style.ink(icon, "k")
        parts.append(canvas.icon(icon, right + size * 0.13, y + 2 + size * 0.13, size * 1.1, paint))
    left = x + 4
    if words:
        shown = truncate(words, size, max(right - left, size), bold=True)
        parts.append(label(left, y + size + 2, shown, size, f"{css_class}k", bold=True))
        left += width(shown, size, bold=True) + 3
    for badge in space.badges[:3]:
        wide = pill_width(canvas, badge, size * 0.9, side - 6)
        if left + wide > right + 2:
            break
        parts.append(draw_pill(canvas, badge, left, y + 2.5, size * 0.9, side - 6))
        left += wide + 2
    return "".join(parts)


def space_text_size(side: float) -> float:
    """Return the font size of text on a space of this side."""
    return min(max(side * 0.14, 7.5), 16.0)


def _draw_pieces(canvas: Canvas, space: Space, x: float, y: float, side: float) -> str:
    """Draw the pieces of a space: markers at the right edge, the others in the remaining room."""
    pieces = canvas.pieces_by_place.get(space.id, [])
    if not pieces:
        return ""
    shapes = [canvas.style.token(piece.kind).shape for piece in pieces]
    corners = [p for p, shape in zip(pieces, shapes, strict=True) if shape == "marker"]
    others = [p for p, shape in zip(pieces, shapes, strict=True) if shape != "marker"]
    parts = [_draw_markers(canvas, corners, x, y, side)] if corners else []
    if others:
        right = 0.0 if not corners or len(pieces) == len(corners) else 2.1 * _marker_radius(side)
        parts.append(_draw_sharing_pieces(canvas, space, others, x, y, side, right))
    return "".join(parts)


def _draw_markers(canvas: Canvas, pieces: list[Piece], x: float, y: float, side: float) -> str:
    """Draw small pieces along the right edge, below the text of the space."""
    radius = _marker_radius(side)
    parts = []
    for place, piece in enumerate(pieces[:6]):
        column, row = divmod(place, 3)
        cx = x + side - 3 - radius - column * 2.1 * radius
        cy = y + space_text_size(side) * 1.7 + radius + row * 2.2 * radius
        parts.append(draw_piece(canvas, piece, cx, cy, radius))
    return "".join(parts)


def _marker_radius(side: float) -> float:
    """Return the radius of a marker on a space of this side."""
    return min(max(side * 0.11, 4.5), 18.0)


def _draw_sharing_pieces(
    canvas: Canvas, space: Space, pieces: list[Piece], x: float, y: float, side: float, right: float
) -> str:
    """Draw pieces that share a space; `right` is the width to leave free at the right."""
    written = space_text(space) or space.icons or space.badges
    above = space_text_size(side) * 1.35 if written else 0.0
    shown = pieces if len(pieces) <= _MAX_PIECES else pieces[: _MAX_PIECES - 1]
    places = min(len(pieces), _MAX_PIECES)
    columns = math.isqrt(places - 1) + 1
    rows = math.ceil(places / columns)
    wide, high = (side - right - 2) / columns, (side - above - 3) / rows
    parts = []
    for place, piece in enumerate(shown):
        row, column = divmod(place, columns)
        left, top = x + 1 + column * wide, y + 1 + above + row * high
        parts.append(draw_unit(canvas, piece, left, top, wide, high))
    if len(shown) < len(pieces):
        row, column = divmod(places - 1, columns)
        more = f"+{len(pieces) - len(shown)}"
        at = (x + (column + 0.5) * wide, y + above + (row + 0.6) * high)
        css_class, _ = canvas.style.ground(space.kind)
        parts.append(label(*at, more, high * 0.4, f"{css_class}k", anchor="middle", bold=True))
    return "".join(parts)
