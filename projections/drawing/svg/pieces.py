"""Pieces as tokens in SVG: outline, icon, pips or letters, icons of states, badges and tracks."""

import math
from typing import Final

from domain.kernel.scene import Piece, Track
from domain.kernel.theme import Shape
from projections.drawing.canvas import Canvas
from projections.drawing.font_metrics import ems, truncate, width
from projections.drawing.icons import PIPS, pip_count
from projections.drawing.markup import circle, clean, format_length, label, rect
from projections.drawing.svg.marks import draw_piece_marks

_MAX_GLYPH_LENGTH: Final = 5
"""The greatest number of characters on a token."""
_MIN_RING_RADIUS: Final = 7.0
"""The least radius of a token that has room for a ring."""
_MAX_BADGES: Final = 3
"""The greatest number of badges on a token."""
_MIN_BADGE_RADIUS: Final = 12.0
"""The least radius of a token with full badges; smaller ones show how many there are."""
_MIN_FIGURE_WIDTH: Final = 27.0
"""The least width of a piece that has room for a figure."""
_OUTLINES: Final[dict[Shape, tuple[tuple[float, float], ...]]] = {
    "hexagon": tuple(
        (math.cos(math.radians(60 * n)), math.sin(math.radians(60 * n))) for n in range(6)
    ),
    "diamond": ((0, -1.1), (1, 0), (0, 1.1), (-1, 0)),
    "shield": (
        (-0.86, -0.9), (0.86, -0.9), (0.86, 0.1), (0.66, 0.52), (0.36, 0.8), (0, 1.02),
        (-0.36, 0.8), (-0.66, 0.52), (-0.86, 0.1),
    ),
}  # fmt: skip
"""Outlines of polygonal shapes around a center, with radius 1."""
_RING_DASHES: Final = ("", "", "4 2.5", "1.2 2.4", "7 2 1.2 2")
"""Dash patterns of the ring inside a token by the seat's rank. The first seat has no ring."""


def draw_piece(
    canvas: Canvas, piece: Piece, x: float, y: float, radius: float, *, small: bool = False
) -> str:
    """Draw a piece around a center, with its states, badges and marks, as a titled group.

    A `small` piece shows its glyph instead of the icon of its kind.
    """
    token = canvas.style.token(piece.kind)
    turned = "turned" in piece.states and token.shape not in ("disc", "marker")
    body = draw_token(canvas, piece, radius, small=small)
    turn = " rotate(-18)" if turned else ""
    fade = below = ""
    if "spent" in piece.states or "out" in piece.states:
        fade, below = ' opacity=".8"', outline(token.shape, radius, "c")
    inner = f"<g{fade}>{body}</g>" if fade else body
    return canvas.group(
        "piece",
        piece.id,
        canvas.piece_title(piece),
        draw_piece_marks(canvas, piece.id, x, y, radius),
        f'<g transform="translate({format_length(x)} {format_length(y)}){turn}">{below}{inner}</g>',
        _draw_state_icons(canvas, piece, x, y, radius),
        _draw_badges(canvas, piece, x, y, radius),
    )


def draw_token(canvas: Canvas, piece: Piece, radius: float, *, small: bool = False) -> str:
    """Draw the token alone around (0, 0)."""
    style, token = canvas.style, canvas.style.token(piece.kind)
    hidden = "hidden" in piece.states
    css_class = (
        style.backs
        if hidden and token.shape == "card"
        else style.css_class(piece.kind, piece.owner)
    )
    # A die has its own color, and lies on the board of its owner.
    ring_owner = "" if token.shape == "die" else piece.owner
    parts = [
        outline(token.shape, radius, css_class),
        _draw_ring(canvas, token.shape, ring_owner, radius, css_class),
    ]
    icon = piece.icon or ("" if small and piece.glyph and piece.id in canvas.tracks else token.icon)
    if hidden and not icon:
        parts.append(_draw_glyph(canvas, piece.glyph or "?", radius, css_class))
    elif dots := pip_count(icon):
        dot = radius * (0.17 if dots < 6 else 0.15)
        spread = radius * 0.46
        parts.extend(circle(spread * a, spread * b, dot, f"{css_class}k") for a, b in PIPS[dots])
    elif style.has_icon(icon):
        side = radius * 1.16
        parts.append(canvas.icon(icon, -side / 2, -side / 2, side, f"{css_class}k"))
    else:
        parts.append(_draw_glyph(canvas, piece.glyph, radius, css_class))
    return "".join(parts)


def outline(shape: Shape, radius: float, css_class: str, more: str = "") -> str:
    """Draw the outline of a token around (0, 0)."""
    more = more or f' stroke-width="{format_length(max(1.0, radius * 0.07))}"'
    match shape:
        case "square":
            r = radius * 0.88
            return rect(-r, -r, 2 * r, 2 * r, css_class, corner=r * 0.12, more=more)
        case "die":
            r = radius * 0.86
            return rect(-r, -r, 2 * r, 2 * r, css_class, corner=r * 0.34, more=more)
        case "card":
            wide, high = radius * 0.76, radius
            return rect(
                -wide, -high, 2 * wide, 2 * high, css_class, corner=radius * 0.14, more=more
            )
        case "hexagon" | "diamond" | "shield":
            points = " ".join(
                f"{format_length(x * radius)},{format_length(y * radius)}"
                for x, y in _OUTLINES[shape]
            )
            return f'<polygon points="{points}" class="{css_class}"{more} stroke-linejoin="round"/>'
        case _:
            return circle(0, 0, radius, css_class, more)


def _draw_ring(canvas: Canvas, shape: Shape, owner: str, radius: float, css_class: str) -> str:
    """Draw a line inside the outline that distinguishes seats without color."""
    rank = canvas.style.rank(owner)
    if rank < 1 or radius < _MIN_RING_RADIUS:
        return ""
    dashes = _RING_DASHES[rank % len(_RING_DASHES)]
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    more = f' stroke-width="{format_length(max(1.0, radius * 0.055))}" opacity=".75"{dash}'
    return outline(shape, radius * 0.83, f"{css_class}s", more)


def _draw_glyph(canvas: Canvas, glyph: str, radius: float, css_class: str) -> str:
    canvas.used_glyphs.add(glyph)
    shown = clean(glyph)[:_MAX_GLYPH_LENGTH]
    size = min(radius * 1.05, 1.45 * radius / max(ems(shown, bold=True), 0.3))
    return label(0, size * 0.36, shown, size, f"{css_class}k", anchor="middle", bold=True)


def _draw_state_icons(canvas: Canvas, piece: Piece, x: float, y: float, radius: float) -> str:
    """Draw icons of the states in small discs, from the lower right corner leftward."""
    side = max(radius * 0.4, 5.0)
    parts = []
    for place, state in enumerate(piece.states):
        cx, cy = x + radius * 0.78 - place * side * 2, y + radius * 0.72
        parts.append(circle(cx, cy, side, "c o", ' stroke-width="1"'))
        icon = canvas.state(state)
        parts.append(canvas.icon(icon, cx - side * 0.66, cy - side * 0.66, side * 1.32, "k"))
    return "".join(parts)


def _draw_badges(canvas: Canvas, piece: Piece, x: float, y: float, radius: float) -> str:
    """Draw badges at the upper right corner, one below the other.

    A small token shows only the number of its badges if they are too long.
    """
    if not piece.badges:
        return ""
    tiny = radius < _MIN_BADGE_RADIUS
    size = 7.0 if tiny else max(radius * 0.36, 8.5)
    room = max(radius * 2.3, 24.0)
    shown = piece.badges
    if tiny and pill_width(canvas, shown[0], size) > radius * 1.5:
        shown = (f"+{len(shown)}",)
    elif len(shown) > _MAX_BADGES:
        shown = (*shown[: _MAX_BADGES - 1], f"+{len(shown) - _MAX_BADGES + 1}")
    parts = []
    for place, badge in enumerate(shown):
        left = x + radius * 1.25 - pill_width(canvas, badge, size, room)
        parts.append(
            draw_pill(canvas, badge, left, y - radius * 1.15 + place * size * 1.25, size, room)
        )
    return "".join(parts)


def draw_pill(canvas: Canvas, text: str, x: float, y: float, size: float, room: float = 0) -> str:
    """Draw a short text on a plate with its upper left corner at (x, y)."""
    line = canvas.lines(text, room or 90, size, bold=True, limit=1)
    if not line:
        return ""
    wide = (line[0][-1].at + line[0][-1].width) * size
    plate = rect(x, y, wide + size * 0.5, size * 1.2, "c o", corner=size * 0.45)
    return plate + canvas.draw_line(
        line[0], x + size * 0.25, y + size * 0.94, size, bold=True, room=wide
    )


def pill_width(canvas: Canvas, text: str, size: float, room: float = 0) -> float:
    """Return the width of a plate that `draw_pill` draws."""
    line = canvas.lines(text, room or 90, size, bold=True, limit=1)
    return (line[0][-1].at + line[0][-1].width) * size + size * 0.5 if line else 0.0


def draw_bar(
    canvas: Canvas, track: Track, css_class: str, x: float, y: float, wide: float, high: float = 5
) -> str:
    """Draw a bar for the value of a track as a share of its maximum."""
    del canvas
    limit = max(track.most or 0, 1)
    share = min(max(track.value, 0), limit) / limit
    full = rect(x, y, wide, high, "c o", corner=high / 2)
    if not share:
        return full
    inner = max(share * (wide - 2), 1.0)
    return full + rect(x + 1, y + 1, inner, high - 2, css_class, corner=high / 2 - 1)


def draw_unit(canvas: Canvas, piece: Piece, x: float, y: float, wide: float, high: float) -> str:
    """Draw a piece in its part of a space: the token, and below it its figure and its bar."""
    token = canvas.style.token(piece.kind)
    tracks = canvas.tracks.get(piece.id, ())
    bars = [track for track in tracks if track.most]
    size = min(max(wide * 0.19, 8.5), 15.0)
    room = wide - 2
    caption = (
        _token_caption(canvas, piece, room, size) if tracks and wide >= _MIN_FIGURE_WIDTH else ""
    )
    bar = min(max(wide * 0.07, 3.5), 7.0) if bars else 0.0
    below = bar + (size * 1.12 if caption else 0.0) + (2.0 if tracks else 0.0)
    radius = min(wide * 0.41, (high - below) * 0.46) * min(max(token.size, 0.3), 1.2)
    middle = x + wide / 2
    body = draw_piece(
        canvas, piece, middle, y + (high - below) / 2, radius, small=wide < _MIN_FIGURE_WIDTH
    )
    if not below:
        return body
    parts = [body]
    at = y + high - below
    if caption:
        plate = min(width(caption, size, bold=True) + size * 0.5, wide)
        parts.append(rect(middle - plate / 2, at, plate, size * 1.12, "c", corner=3))
        parts.append(label(middle, at + size * 0.9, caption, size, "k", anchor="middle", bold=True))
        at += size * 1.12
    if bars:
        css_class = canvas.style.seat(piece.owner)
        parts.append(draw_bar(canvas, bars[0], css_class, x + wide * 0.08, at, wide * 0.84, bar))
    return "".join(parts)


def _token_caption(canvas: Canvas, piece: Piece, room: float, size: float) -> str:
    """Return the text below a token: its figure, and its glyph if the token shows an icon."""
    icon = piece.icon or canvas.style.token(piece.kind).icon
    glyph = clean(piece.glyph) if pip_count(icon) or canvas.style.has_icon(icon) else ""
    track = canvas.tracks[piece.id][0]
    full = f"{track.value}/{track.most}" if track.most else str(track.value)
    for words in (f"{glyph} {full}", f"{glyph} {track.value}", str(track.value)):
        if width(words.strip(), size, bold=True) <= room:
            if words.startswith(glyph):
                canvas.used_glyphs.add(piece.glyph)
            return words.strip()
    return truncate(str(track.value), size, room, bold=True)
