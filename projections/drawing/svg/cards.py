"""Cards in SVG: titles, costs, figures, abilities and points; card backs; faces in lists."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.kernel.scene import CardFace, Piece
from projections.drawing.canvas import Canvas
from projections.drawing.font_metrics import Line, ems, truncate, width, wrap_text
from projections.drawing.markup import (
    TEXT_SIZE,
    Block,
    clean,
    escape_xml,
    format_length,
    label,
    rect,
    translate,
)
from projections.drawing.pen import Pen, spell_icons
from projections.drawing.style import Style
from projections.drawing.svg.marks import draw_card_marks
from projections.drawing.svg.pieces import draw_bar, draw_pill, draw_token, pill_width
from projections.drawing.words import FACE_DOWN, points

CARD_WIDTH: Final = 172.0
"""The usual width of a card."""
MIN_CARD_HEIGHT: Final = 84.0
"""The least height of a card."""
BACK_SIZE: Final = (54.0, 76.0)
"""Width and height of a card that lies face down."""
PILE_TOP_SIZE: Final = (86.0, 76.0)
"""Width and height of a card on top of a pile."""
TITLE_SIZE: Final = 13.0
SMALL_TEXT_SIZE: Final = 10.5
_MAX_TEXT_LINES: Final = 14
"""The greatest number of lines for one text of a card."""
_PADDING: Final = 7.0
_PLATE_ROW_HEIGHT: Final = 22.0
"""The height of a row of plates."""
_EMBLEM_SIZE: Final = 17.0
"""The side of the icon of a card's kind."""
_TURNED_DEGREES: Final = 7.0
"""Degrees by which a turned card is slanted."""
_FULL_SLANT_HEIGHT: Final = 160.0
"""The greatest height of a card for the full slant; higher cards slant less, so that they keep to
their place."""


class FaceRow(Struct, frozen=True):
    """One line of a card face."""

    line: Line
    y: float
    size: float
    paint: str = "k"
    bold: bool = False
    x: float = 0.0


class FaceLayout(Struct, frozen=True):
    """A card face laid out in lines for one width, from the top."""

    rows: tuple[FaceRow, ...]
    height: float
    title: float
    """The height of the part with the title."""
    cost: Line = ()
    """The cost, if there is room for it beside the title; else empty."""


@lru_cache(maxsize=4096)
def lay_out_face(face: CardFace, room: float, style: Style) -> FaceLayout:
    """Lay out a card face in lines.

    Results are cached, because the same cards are drawn again and again.
    """
    rows: list[FaceRow] = []
    y = 0.0

    def write(text: str, size: float, paint: str = "k", *, bold: bool = False) -> None:
        nonlocal y
        for line in wrap_text(
            spell_icons(clean(text), style, {}), room / size, bold=bold, limit=_MAX_TEXT_LINES
        ):
            y += size * 1.22
            rows.append(FaceRow(line, y - size * 0.2, size, paint, bold))

    cost = wrap_text(spell_icons(clean(face.cost), style, {}), room / TEXT_SIZE, bold=True)
    fits_title = len(cost) == 1 and _line_width(cost[0]) * TEXT_SIZE < room * 0.45
    left = room - (_line_width(cost[0]) * TEXT_SIZE + 10 if fits_title else 0)
    title = clean(face.title)
    longest = max((ems(word, bold=True) for word in title.split()), default=1.0)
    size = min(TITLE_SIZE, max(left / longest, 9.5))
    for line in wrap_text(title, left / size, bold=True, limit=3):
        y += size * 1.2
        rows.append(FaceRow(line, y - size * 0.2, size, "", bold=True))
    y = head = max(y, TITLE_SIZE * 1.2) + 4
    if cost and not fits_title:
        write(face.cost, TEXT_SIZE, bold=True)
    _write_kind(face, room, style, write, rows)
    for text in face.lines:
        y += 2.5
        write(text, TEXT_SIZE)
    return FaceLayout(tuple(rows), y + 3, head, cost[0] if fits_title else ())


def _write_kind(
    face: CardFace, room: float, style: Style, write: Callable[..., None], rows: list[FaceRow]
) -> None:
    """Write the kind of a card, with its figures on the same line if there is room."""
    stats = "  ".join(f"{stat.name}\u00a0{stat.value}" for stat in face.stats)
    kind = spell_icons(clean(face.kind), style, {})
    used = width(kind, SMALL_TEXT_SIZE) + SMALL_TEXT_SIZE
    if kind.strip():
        write(face.kind, SMALL_TEXT_SIZE, "q")
    if not stats.strip():
        return
    line = wrap_text(spell_icons(clean(stats), style, {}), room / SMALL_TEXT_SIZE, bold=True)
    if kind.strip() and len(line) == 1 and used + _line_width(line[0]) * SMALL_TEXT_SIZE <= room:
        rows.append(FaceRow(line[0], rows[-1].y, SMALL_TEXT_SIZE, bold=True, x=used))
    else:
        write(stats, SMALL_TEXT_SIZE, bold=True)


def _line_width(line: Line) -> float:
    return line[-1].at + line[-1].width if line else 0.0


def draw_face(
    canvas: Canvas,
    face: CardFace,
    x: float,
    y: float,
    room: float,
    ink: str,
    *,
    titled: bool = True,
) -> str:
    """Draw the lines of a face with their upper left corner at (x, y).

    Args:
        canvas: The drawing.
        face: The face of the card.
        x: Left edge.
        y: Upper edge.
        room: Width of the lines.
        ink: Class of the title.
        titled: Whether to draw the title and the cost.
    """
    body, icons = _draw_rows(face, x, y, room, ink, canvas.style, titled)
    canvas.used_icons |= icons
    return body


@lru_cache(maxsize=4096)
def _draw_rows(
    face: CardFace, x: float, y: float, room: float, ink: str, style: Style, titled: bool
) -> tuple[str, frozenset[str]]:
    rows = lay_out_face(face, room, style)
    pen = Pen(style, {})
    up = y if titled else y - rows.title
    parts = [
        pen.draw_line(
            row.line, x + row.x, up + row.y, row.size, row.paint or ink, bold=row.bold,
            room=room - row.x,
        )
        for row in rows.rows
        if titled or row.paint
    ]  # fmt: skip
    if rows.cost and titled:
        wide = _line_width(rows.cost) * TEXT_SIZE
        left = x + room - wide
        parts.append(rect(left - 3, y + 1.5, wide + 6, TEXT_SIZE * 1.35, "c", corner=5))
        parts.append(
            pen.draw_line(rows.cost, left, y + TEXT_SIZE * 1.1, TEXT_SIZE, bold=True, room=wide)
        )
    return "".join(parts), frozenset(pen.used_icons)


def card_height(canvas: Canvas, piece: Piece, wide: float = CARD_WIDTH) -> float:
    """Return the height that a card needs for all its content."""
    face = piece.card or CardFace(clean(piece.name or piece.glyph))
    rows = lay_out_face(face, wide - 2 * _PADDING, canvas.style)
    return max(rows.height + _PADDING + _foot_height(canvas, piece, wide), MIN_CARD_HEIGHT)


def _foot_height(canvas: Canvas, piece: Piece, wide: float) -> float:
    plates = _plate_texts(canvas, piece)
    if not plates and not canvas.tracks.get(piece.id):
        return 4.0
    return _PLATE_ROW_HEIGHT * len(_plate_rows(canvas, plates, wide - 2 * _PADDING)) + 16.0 * len(
        canvas.tracks.get(piece.id, ())
    )


def _plate_texts(canvas: Canvas, piece: Piece) -> list[tuple[str, str]]:
    """Return what is shown at the foot of a card: states with icons, badges and points."""
    plates = [(canvas.state_words[state], canvas.state(state)) for state in piece.states]
    plates += [(badge, "") for badge in piece.badges]
    if piece.card is not None and piece.card.points is not None:
        plates.append((points(piece.card.points), ""))
    return plates


def _plate_width(canvas: Canvas, words: str, icon: str) -> float:
    return pill_width(canvas, words, SMALL_TEXT_SIZE, CARD_WIDTH * 0.8) + (
        SMALL_TEXT_SIZE * 1.3 if icon else 0
    )


def _plate_rows(
    canvas: Canvas, plates: list[tuple[str, str]], room: float
) -> list[list[tuple[str, str]]]:
    shelves: list[list[tuple[str, str]]] = []
    left = 0.0
    for words, icon in plates:
        wide = _plate_width(canvas, words, icon) + 4
        if not shelves or left + wide > room:
            shelves.append([])
            left = 0.0
        shelves[-1].append((words, icon))
        left += wide
    return shelves


def draw_card(canvas: Canvas, piece: Piece, high: float, wide: float = CARD_WIDTH) -> Block:
    """Draw a card with its face up; `high` is the height of its row."""
    style = canvas.style
    face = piece.card or CardFace(clean(piece.name or piece.glyph))
    rows = lay_out_face(face, wide - 2 * _PADDING, style)
    css_class = style.css_class(piece.kind, "")
    parts = [
        rect(0, 0, wide, high, "c o", corner=7),
        # The band of the title: rounded above, straight below.
        f'<path d="M0 {format_length(rows.title + 3)}V7a7 7 0 0 1 7-7H{format_length(wide - 7)}'
        f'a7 7 0 0 1 7 7V{format_length(rows.title + 3)}z" class="{css_class}" stroke-width="1"/>',
        draw_face(canvas, face, _PADDING, 3, wide - 2 * _PADDING, f"{css_class}k"),
        _draw_foot(canvas, piece, wide, high),
        _draw_emblem(canvas, piece, rows.height, wide, high),
        draw_card_marks(canvas, piece.id, wide, high),
    ]
    return Block(wide, high, _card_group(canvas, piece, "".join(parts), wide, high))


def _draw_emblem(canvas: Canvas, piece: Piece, used: float, wide: float, high: float) -> str:
    """Draw the icon of a card's kind in the lower right corner, if there is room."""
    icon = piece.icon or canvas.style.token(piece.kind).icon
    shelves = _plate_rows(canvas, _plate_texts(canvas, piece), wide - 2 * _PADDING)
    last = sum(_plate_width(canvas, *plate) + 4 for plate in shelves[-1]) if shelves else 0.0
    # Figures use the corner, so the icon goes above them.
    bars = 0.0 if shelves else 16.0 * len(canvas.tracks.get(piece.id, ()))
    room = high - used - _PADDING - bars
    if not canvas.style.has_icon(icon) or last > wide - 40 or room < _EMBLEM_SIZE + 4:
        return ""
    at = (wide - _EMBLEM_SIZE - 5, high - bars - _EMBLEM_SIZE - 4)
    return canvas.icon(icon, *at, _EMBLEM_SIZE, "q")


def _card_group(canvas: Canvas, piece: Piece, body: str, wide: float, high: float) -> str:
    """Return the group of a card, slanted and smaller if the card is turned."""
    if "turned" in piece.states:
        x, y = format_length(wide / 2), format_length(high / 2)
        slant = _TURNED_DEGREES * min(1.0, _FULL_SLANT_HEIGHT / high)
        body = (
            f'<g transform="translate({x} {y}) rotate({format_length(slant)}) scale(.93)'
            f' translate(-{x} -{y})">{body}</g>'
        )
    return canvas.group("piece", piece.id, canvas.piece_title(piece), body)


def _draw_foot(canvas: Canvas, piece: Piece, wide: float, high: float) -> str:
    shelves = _plate_rows(canvas, _plate_texts(canvas, piece), wide - 2 * _PADDING)
    tracks = canvas.tracks.get(piece.id, ())
    y = high - _PLATE_ROW_HEIGHT * len(shelves) - 16.0 * len(tracks) + 3
    parts = []
    for track in tracks:
        parts.append(
            draw_bar(canvas, track, canvas.style.seat(piece.owner), _PADDING, y, wide - 60, 8)
        )
        figure = f"{track.value}/{track.most}" if track.most else str(track.value)
        parts.append(
            label(wide - _PADDING, y + 8, figure, SMALL_TEXT_SIZE, "k", anchor="end", bold=True)
        )
        y += 16.0
    return "".join(parts) + translate(
        _PADDING, y, draw_plates(canvas, piece, wide - 2 * _PADDING).body
    )


def draw_plates(canvas: Canvas, piece: Piece, room: float) -> Block:
    """Draw the states, badges and points of a piece, each on a plate."""
    shelves = _plate_rows(canvas, _plate_texts(canvas, piece), room)
    parts = []
    y = 0.0
    for shelf in shelves:
        x = 0.0
        for words, icon in shelf:
            full = _plate_width(canvas, words, icon)
            if icon:
                parts.append(
                    rect(x, y, full, SMALL_TEXT_SIZE * 1.4, "k", corner=SMALL_TEXT_SIZE * 0.5)
                )
                parts.append(
                    canvas.icon(icon, x + 4, y + SMALL_TEXT_SIZE * 0.18, SMALL_TEXT_SIZE, "c")
                )
                parts.append(
                    label(
                        x + SMALL_TEXT_SIZE * 1.6,
                        y + SMALL_TEXT_SIZE,
                        clean(words),
                        SMALL_TEXT_SIZE,
                        "c",
                        bold=True,
                    )
                )
            else:
                parts.append(draw_pill(canvas, words, x, y + 1, SMALL_TEXT_SIZE, CARD_WIDTH * 0.8))
            x += full + 4
        y += _PLATE_ROW_HEIGHT
    return Block(room, y, "".join(parts))


def draw_pile_top(canvas: Canvas, piece: Piece) -> Block:
    """Draw a card by its title alone, as on top of a pile."""
    wide, high = PILE_TOP_SIZE
    css_class = canvas.style.css_class(piece.kind, "")
    face = piece.card or CardFace(clean(piece.name or piece.glyph))
    lines = wrap_text(clean(face.title), (wide - 12) / SMALL_TEXT_SIZE, bold=True, limit=3)
    words = "".join(
        canvas.draw_line(
            line,
            6,
            14 + n * SMALL_TEXT_SIZE * 1.2,
            SMALL_TEXT_SIZE,
            f"{css_class}k",
            bold=True,
            room=wide - 12,
        )
        for n, line in enumerate(lines)
    )
    body = (
        rect(0, 0, wide, high, css_class, corner=6)
        + words
        + draw_card_marks(canvas, piece.id, wide, high)
    )
    return Block(wide, high, canvas.group("piece", piece.id, canvas.piece_title(piece), body))


def draw_back(canvas: Canvas, piece: Piece) -> Block:
    """Draw a card that lies face down."""
    wide, high = BACK_SIZE
    css_class = canvas.style.backs
    body = (
        rect(0, 0, wide, high, css_class, corner=5, more=' stroke-width="1.2"')
        + rect(5, 5, wide - 10, high - 10, f"{css_class}s", corner=3, more=' opacity=".6"')
        + f'<path d="M{wide / 2:g} 18l14 20-14 20-14-20z" class="{css_class}s" opacity=".6"/>'
        + draw_card_marks(canvas, piece.id, wide, high)
    )
    title = f"<title>{escape_xml(clean(piece.name or FACE_DOWN))}</title>"
    return Block(wide, high, canvas.group("piece", piece.id, title, body))


def draw_list_entry(canvas: Canvas, piece: Piece, wide: float) -> Block:
    """Draw a face in a list, without a card around it."""
    assert piece.card is not None
    rows = lay_out_face(piece.card, wide - 12, canvas.style)
    more = _plate_texts(canvas, piece) or canvas.tracks.get(piece.id)
    foot = _foot_height(canvas, piece, wide) if more else 3.0
    high = rows.height + foot
    body = (
        rect(0, 0, 3, high - 4, f"{canvas.style.css_class(piece.kind, piece.owner)}")
        + draw_face(canvas, piece.card, 9, 0, wide - 12, "k")
        + translate(2, 0, _draw_foot(canvas, piece, wide - 4, high))
        + draw_card_marks(canvas, piece.id, wide, high)
    )
    return Block(wide, high, canvas.group("piece", piece.id, canvas.piece_title(piece), body))


def draw_chip(canvas: Canvas, piece: Piece, room: float, times: int = 1) -> Block:
    """Draw a small token with its name, states, figures and badges beside it."""
    size, radius = 12.0, 11.0
    name = clean(piece.name or piece.glyph)
    extra = f" × {times}" if times > 1 else ""
    marked = [canvas.state_words[state] for state in piece.states if state != "hidden"]
    extra += f" ({', '.join(marked)})" if marked else ""
    badges = "  ".join(piece.badges)
    tracks = canvas.tracks.get(piece.id, ())
    figures = [f"{t.value}/{t.most}" if t.most else str(t.value) for t in tracks]
    if figures:
        extra += f" {', '.join(figures)}"
    plate = pill_width(canvas, badges, size) if badges else 0.0
    left = 2 * radius + 10
    shown = truncate(name, size, max(room - left - plate - width(extra, size) - 8, 20))
    wide = left + width(shown + extra, size) + plate + 8
    body = (
        rect(0, 0, wide, 26, "c o", corner=13)
        + translate(radius + 3, 13, draw_token(canvas, piece, radius * 0.9))
        + label(left, 17.2, shown + extra, size)
        + (draw_pill(canvas, badges, wide - plate - 5, 5, size) if badges else "")
        + draw_card_marks(canvas, piece.id, wide, 26)
    )
    return Block(wide, 26.0, canvas.group("piece", piece.id, canvas.piece_title(piece), body))


def is_card(canvas: Canvas, piece: Piece) -> bool:
    """Return whether a piece is drawn as a card instead of a token with its name."""
    return piece.card is not None or canvas.style.token(piece.kind).shape == "card"


def is_face_down(canvas: Canvas, piece: Piece) -> bool:
    """Return whether a piece is a card that shows only its back."""
    is_drawn_as_card = not piece.kind or canvas.style.token(piece.kind).shape == "card"
    return piece.card is None and is_drawn_as_card and "hidden" in piece.states
