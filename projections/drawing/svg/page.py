"""The page layout in SVG: caption, board or table of cards, panel of the seats, and legend."""

import math
from collections.abc import Sequence
from typing import Final

from domain.kernel.scene import Track, Zone
from projections.drawing.canvas import Canvas
from projections.drawing.font_metrics import Line, wrap_text
from projections.drawing.layout import grid
from projections.drawing.markup import Block, clean, format_length, translate
from projections.drawing.svg.board import draw_board, draw_narrow_board
from projections.drawing.svg.cards import CARD_WIDTH, card_height
from projections.drawing.svg.legend import draw_legend
from projections.drawing.svg.zones import draw_mat, draw_tracks, draw_zone, flow, stack

PAGE_MARGIN: Final = 20.0
"""The margin around the page."""
PANEL_WIDTH: Final = 380.0
"""The usual width of the panel beside the board, and of columns below it."""
TOKEN_PANEL_WIDTH: Final = 270.0
"""The width of the panel in games without cards."""
LEFT_WIDTH: Final = 220.0
"""The width of the column at the left of the board."""
NARROW_WIDTH: Final = 400.0
MAX_BOARD_HEIGHT: Final = 860.0
"""The greatest height of a board."""
MAX_BOARD_WIDTH: Final = 960.0
MAX_SPACE_SIDE: Final = 124.0
"""The greatest side of a space."""
_CAPTION_SIZE: Final = 20.0
_MAX_CAPTION_LINES: Final = 5
_NARROW_CAPTION_SIZE: Final = 16.0
_CAPTION_REST_SIZE: Final = 13.0
_CAPTION_FILL: Final = 0.86
"""The share of its room that a caption fills by estimate; the reader's font may be wider."""
_MAX_HEADLINES: Final = 2
"""The greatest number of caption lines in large text on a phone."""
_PAGE_RATIO: Final = 0.66
"""The intended ratio of height to width of a page without a board."""
_TABLE_WIDTHS: Final = (1160.0, 1720.0)
"""The least and the greatest width of a page without a board, for two seats."""
_MANY_SEATS_WIDTH: Final = 1600.0
"""The width of a page without a board for more than two seats, whatever its height."""
_ON_MATS: Final = frozenset(("", "mat", "bar", "hand", "table", "prompt"))
"""Places of zones that are drawn on the mats of their owners."""
_MAX_ABILITIES: Final = 70
"""The greatest number of abilities drawn on the cards of pieces. With more, cards show only
figures, and the close-up shows abilities."""


def lay_out_page(canvas: Canvas, scale: float, *, narrow: bool) -> Block:
    """Lay out the whole page."""
    cards = {zone.id for zone in canvas.scene.zones if zone.place == "card"}
    canvas.hides_abilities = (
        sum(piece.where in cards for piece in canvas.scene.pieces) > _MAX_ABILITIES
    )
    if narrow:
        return _narrow_page(canvas, NARROW_WIDTH, scale)
    if canvas.scene.spaces:
        return _board_page(canvas, scale)
    return _table_page(canvas)


# --- what there is -------------------------------------------------------------------------------


class PageParts:
    """The zones and tracks of a scene, grouped by where they are drawn."""

    def __init__(self, canvas: Canvas) -> None:
        scene = canvas.scene
        self.common = [t for t in scene.tracks if not t.owner and not t.piece]
        self.cards = [zone for zone in scene.zones if zone.place == "card"]
        bars = [zone for zone in scene.zones if zone.place == "bar"] if scene.spaces else []
        nearest = bars[0].owner if bars else ""
        over = [zone for zone in scene.zones if zone.place == "prompt"] if scene.spaces else []
        self.above = [zone for zone in scene.zones if zone.place == "above" or zone in over]
        self.below = [zone for zone in scene.zones if zone.place == "below"]
        self.left = [zone for zone in scene.zones if zone.place == "left"]
        self.left += [zone for zone in bars if zone.owner == nearest]
        self.right = [zone for zone in scene.zones if zone.place == "right"]
        self.right += [zone for zone in bars if zone.owner != nearest]
        self.supply = [zone for zone in scene.zones if zone.place == "supply"]
        at_board = [*bars, *over]
        loose = [z for z in scene.zones if z.place in _ON_MATS and z not in at_board]
        owned = [z for z in loose if z.owner]
        self.loose = [z for z in loose if not z.owner]
        whose = [t.owner for t in scene.tracks if not t.piece] + [z.owner for z in owned]
        self.mats: list[tuple[str, list[Track], list[Zone]]] = [
            (
                owner,
                [t for t in scene.tracks if t.owner == owner and not t.piece],
                [z for z in owned if z.owner == owner],
            )
            for owner in dict.fromkeys(filter(None, whose))
        ]


def _draw_caption(canvas: Canvas, room: float) -> Block:
    text = clean(canvas.scene.caption)
    size = _CAPTION_SIZE if room > NARROW_WIDTH else _NARROW_CAPTION_SIZE
    text_width = room * _CAPTION_FILL
    lines = wrap_text(text, text_width / size, bold=True, limit=_MAX_CAPTION_LINES)
    head, _, rest = text.partition(". ")
    if room > NARROW_WIDTH or len(lines) <= _MAX_HEADLINES or not rest:
        return _draw_caption_lines(canvas, lines, room, size, bold=True)
    # On a phone a long caption would push the board off the screen: only the first sentence
    # is large.
    headline = wrap_text(f"{head}.", text_width / size, bold=True, limit=_MAX_HEADLINES)
    rest_lines = wrap_text(rest, text_width / _CAPTION_REST_SIZE, limit=_MAX_CAPTION_LINES)
    above = _draw_caption_lines(canvas, headline, room, size, bold=True)
    below = _draw_caption_lines(canvas, rest_lines, room, _CAPTION_REST_SIZE)
    body = above.body + translate(0, above.height - 4, below.body)
    return Block(room, above.height - 4 + below.height, body)


def _draw_caption_lines(
    canvas: Canvas, lines: Sequence[Line], room: float, size: float, *, bold: bool = False
) -> Block:
    body = "".join(
        canvas.draw_line(line, 0, size * (1 + 1.25 * n), size, bold=bold)
        for n, line in enumerate(lines)
    )
    return Block(room, size * 1.25 * len(lines) + 6, body)


def _draw_zones(canvas: Canvas, zones: Sequence[Zone], room: float) -> list[Block]:
    return [draw_zone(canvas, zone, room) for zone in zones]


def _panel_blocks(canvas: Canvas, parts: PageParts, room: float) -> list[Block]:
    """Return everything beside the board as blocks of one width, the most important first."""
    blocks = []
    if parts.common:
        blocks.append(draw_tracks(canvas, parts.common, room))
    blocks += _draw_zones(canvas, parts.right, room)
    blocks += [draw_mat(canvas, *mat, room) for mat in parts.mats]
    blocks += _draw_zones(canvas, [*parts.supply, *parts.loose], room)
    blocks += _draw_zones(canvas, parts.cards, room)
    return [block for block in blocks if block.height]


# --- the three pages -----------------------------------------------------------------------------


def _board_page(canvas: Canvas, scale: float) -> Block:
    parts = PageParts(canvas)
    board = grid(canvas.scene.spaces)
    side = (
        min(
            MAX_BOARD_HEIGHT / len(board.rows), MAX_BOARD_WIDTH / len(board.columns), MAX_SPACE_SIDE
        )
        * scale
    )
    side = min(side, 360.0)
    middle = stack(
        [
            *_draw_zones(canvas, parts.above, side * len(board.columns)),
            _board_group(draw_board(canvas, canvas.scene.spaces, side)),
            *_draw_zones(canvas, parts.below, side * len(board.columns)),
        ],
        14,
    )
    # A fixed width, so that the board keeps its place from event to event.
    left = stack(_draw_zones(canvas, parts.left, LEFT_WIDTH), 14)
    start = LEFT_WIDTH + 20 if parts.left else 0.0
    panel_width = (
        _panel_width(start + middle.width + 24) if _has_faces(canvas) else TOKEN_PANEL_WIDTH
    )
    blocks = _panel_blocks(canvas, parts, panel_width)
    panel_blocks, rest = _split_by_height(blocks, max(middle.height * 1.08, middle.width * 0.72))
    panel = stack(panel_blocks, 14)
    wide = start + middle.width + (24 + panel_width if panel_blocks else 0.0)
    wide = max(wide, 560.0)
    caption = _draw_caption(canvas, wide)
    top = caption.height + 8
    body = [
        caption.body,
        translate(0, top, left.body),
        translate(start, top, middle.body),
        translate(start + middle.width + 24, top, panel.body),
    ]
    y = top + max(left.height, middle.height, panel.height) + 18
    below = _flow_into_columns(rest, wide, panel_width)
    legend = draw_legend(canvas, wide)
    body += [translate(0, y, below.body)]
    y += below.height + (18 if below.height else 0)
    body += [translate(0, y, legend.body)]
    return _with_margin(Block(wide, y + legend.height, "".join(body)))


def _board_group(block: Block) -> Block:
    """Return the group of the board with its height, which pages use to size it."""
    high = format_length(block.height)
    return Block(block.width, block.height, f'<g id="board" data-height="{high}">{block.body}</g>')


def _has_faces(canvas: Canvas) -> bool:
    """Return whether any zone has a card with a face."""
    zones = {zone.id for zone in canvas.scene.zones}
    return any(piece.card and piece.where in zones for piece in canvas.scene.pieces)


def _panel_width(taken: float) -> float:
    """Return a panel width whose columns fill the page; `taken` is the width beside the panel."""
    widths = ((taken - 20 * number) / number for number in (1, 2, 3, 4))
    fitting = [width for width in widths if abs(width - PANEL_WIDTH) <= 70]
    return min(fitting, key=lambda width: abs(width - PANEL_WIDTH), default=PANEL_WIDTH)


def _split_by_height(blocks: list[Block], room: float) -> tuple[list[Block], list[Block]]:
    """Return the blocks that fit beside the board, at least the first, and the others."""
    panel_blocks: list[Block] = []
    rest: list[Block] = []
    used = 0.0
    for block in blocks:
        if not panel_blocks or used + block.height <= room:
            panel_blocks.append(block)
            used += block.height + 14
        else:
            rest.append(block)
    return panel_blocks, rest


def _flow_into_columns(blocks: list[Block], room: float, each: float) -> Block:
    """Return blocks of one width in columns; each goes into the shortest column so far."""
    if not blocks:
        return Block(0, 0, "")
    across = max(int((room + 20.5) // (each + 20)), 1)
    heights = [0.0] * across
    parts = []
    for block in blocks:
        column = heights.index(min(heights))
        parts.append(translate(column * (each + 20), heights[column], block.body))
        heights[column] += block.height + 16
    return Block(room, max(heights) - 16, "".join(parts))


def _narrow_page(canvas: Canvas, room: float, scale: float) -> Block:
    """Return the page as one column."""
    parts = PageParts(canvas)
    inner = room - 2 * PAGE_MARGIN * 0.6
    blocks = [_draw_caption(canvas, inner), *_draw_zones(canvas, parts.above, inner)]
    if canvas.scene.spaces:
        blocks.append(_board_group(draw_narrow_board(canvas, inner, 110.0 * scale)))
    blocks += _draw_zones(canvas, [*parts.below, *parts.left], inner)
    blocks += _panel_blocks(canvas, parts, inner)
    blocks.append(draw_legend(canvas, inner))
    return _with_margin(stack(blocks, 12), PAGE_MARGIN * 0.6)


def _table_width(canvas: Canvas, parts: PageParts) -> float:
    """Return the width with which a page without a board has landscape format."""
    if len(parts.mats) > 2:
        return _MANY_SEATS_WIDTH
    area = 3000.0 * sum(zone.hidden for zone in canvas.scene.zones)
    for piece in canvas.scene.pieces:
        if piece.card is not None:
            area += (CARD_WIDTH + 10) * (card_height(canvas, piece) + 22)
        else:
            area += 3000.0
    area = area * 1.5 + 220_000 * len(parts.mats)
    least, greatest = _TABLE_WIDTHS
    return min(max(round(math.sqrt(area / _PAGE_RATIO) / 20) * 20.0, least), greatest)


def _table_page(canvas: Canvas) -> Block:
    """Return a page without a board: the mats of the seats and the supply."""
    parts = PageParts(canvas)
    wide = _table_width(canvas, parts)
    across = 1 if len(parts.mats) <= 2 else 2
    room = (wide - 14 * (across - 1)) / across
    blocks = [_draw_caption(canvas, wide)]
    if parts.common:
        blocks.append(draw_tracks(canvas, parts.common, wide))
    others = [*parts.above, *parts.left, *parts.supply, *parts.loose, *parts.right, *parts.below]
    supply = flow(_draw_zones(canvas, [*others, *parts.cards], wide), wide, 18)
    mats = [draw_mat(canvas, *mat, room) for mat in parts.mats]
    if across == 1:
        blocks += [*mats[:1], supply, *mats[1:]]
    else:
        blocks.append(supply)
        for start in range(0, len(mats), 2):
            pair = mats[start : start + 2]
            blocks.append(flow(pair, wide, 14))
    blocks.append(draw_legend(canvas, wide))
    return _with_margin(stack([block for block in blocks if block.height], 14))


def _with_margin(page: Block, edge: float = PAGE_MARGIN) -> Block:
    """Return the page with a margin around it."""
    return Block(page.width + 2 * edge, page.height + 2 * edge, translate(edge, edge, page.body))
