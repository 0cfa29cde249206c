"""Cards: title, cost, kind, figures, lines with icons, points; backs; and faces without a card
around them, for lists."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from domain.kernel.scene import Face, Piece
from projections.drawing.canvas import Canvas
from projections.drawing.markup import TEXT, Block, clean, escaped, label, moved, number, rect
from projections.drawing.pen import Pen, spelt
from projections.drawing.style import Look
from projections.drawing.svg.marks import framed
from projections.drawing.svg.pieces import draw_bar, draw_token, pill, pill_width
from projections.drawing.text.metrics import Line, ems, fitted, width, wrapped
from projections.drawing.words import FACE_DOWN, points

CARD: Final = 172.0
"""The width of a card."""
LEAST: Final = 84.0
"""The height of one that says little."""
BACK: Final = (54.0, 76.0)
"""A card that lies face down."""
TOP: Final = (86.0, 76.0)
"""A card that lies on top of a pile."""
TITLE: Final = 13.0
SMALL: Final = 10.5
_MOST: Final = 14
"""Lines that one text of a card takes, at most."""
_PAD: Final = 7.0
_SHELF: Final = 22.0
"""The height of a row of plates."""
_EMBLEM: Final = 17.0
"""The side of the icon of a card's kind."""
_SLANT: Final = 7.0
"""Degrees by which a turned card is slanted, if it is no higher than"""
_UPRIGHT: Final = 160.0
"""this; higher ones less, so that they keep to their place."""


class Row(Struct, frozen=True):
    """A line of a face."""

    line: Line
    y: float
    size: float
    paint: str = "k"
    bold: bool = False
    x: float = 0.0


class FaceRows(Struct, frozen=True):
    """A face set in lines for a width, from the top."""

    rows: tuple[Row, ...]
    height: float
    title: float
    """The height of the part that has the title."""
    cost: Line = ()
    """The cost, where there is room for it beside the title."""


@lru_cache(maxsize=4096)
def set_face(face: Face, room: float, look: Look) -> FaceRows:
    """The face in lines. Kept, since the same cards are drawn again and again."""
    rows: list[Row] = []
    y = 0.0

    def write(text: str, size: float, paint: str = "k", *, bold: bool = False) -> None:
        nonlocal y
        for line in wrapped(spelt(clean(text), look, {}), room / size, bold=bold, most=_MOST):
            y += size * 1.22
            rows.append(Row(line, y - size * 0.2, size, paint, bold))

    cost = wrapped(spelt(clean(face.cost), look, {}), room / TEXT, bold=True)
    beside = len(cost) == 1 and _width(cost[0]) * TEXT < room * 0.45
    left = room - (_width(cost[0]) * TEXT + 10 if beside else 0)
    title = clean(face.title)
    longest = max((ems(word, bold=True) for word in title.split()), default=1.0)
    size = min(TITLE, max(left / longest, 9.5))
    for line in wrapped(title, left / size, bold=True, most=3):
        y += size * 1.2
        rows.append(Row(line, y - size * 0.2, size, "", bold=True))
    y = head = max(y, TITLE * 1.2) + 4
    if cost and not beside:
        write(face.cost, TEXT, bold=True)
    _write_kind(face, room, look, write, rows)
    for text in face.lines:
        y += 2.5
        write(text, TEXT)
    return FaceRows(tuple(rows), y + 3, head, cost[0] if beside else ())


def _write_kind(
    face: Face, room: float, look: Look, write: Callable[..., None], rows: list[Row]
) -> None:
    """The line of the kind, with the figures behind it if there is room for all."""
    stats = "  ".join(f"{stat.name}\u00a0{stat.value}" for stat in face.stats)
    kind = spelt(clean(face.kind), look, {})
    used = width(kind, SMALL) + SMALL
    if kind.strip():
        write(face.kind, SMALL, "q")
    if not stats.strip():
        return
    line = wrapped(spelt(clean(stats), look, {}), room / SMALL, bold=True)
    if kind.strip() and len(line) == 1 and used + _width(line[0]) * SMALL <= room:
        rows.append(Row(line[0], rows[-1].y, SMALL, bold=True, x=used))
    else:
        write(stats, SMALL, bold=True)


def _width(line: Line) -> float:
    return line[-1].at + line[-1].width if line else 0.0


def draw_face(
    canvas: Canvas, face: Face, x: float, y: float, room: float, ink: str, *, titled: bool = True
) -> str:
    """The lines of a face with their upper left corner here; the title in the class `ink`, the
    cost on a plate of its own; without both if it is not to be `titled`."""
    body, icons = _drawn(face, x, y, room, ink, canvas.look, titled)
    canvas.used_icons |= icons
    return body


@lru_cache(maxsize=4096)
def _drawn(
    face: Face, x: float, y: float, room: float, ink: str, look: Look, titled: bool
) -> tuple[str, frozenset[str]]:
    rows = set_face(face, room, look)
    pen = Pen(look, {})
    up = y if titled else y - rows.title
    parts = [
        pen.rich(
            row.line, x + row.x, up + row.y, row.size, row.paint or ink, bold=row.bold,
            room=room - row.x,
        )
        for row in rows.rows
        if titled or row.paint
    ]  # fmt: skip
    if rows.cost and titled:
        wide = _width(rows.cost) * TEXT
        left = x + room - wide
        parts.append(rect(left - 3, y + 1.5, wide + 6, TEXT * 1.35, "c", corner=5))
        parts.append(pen.rich(rows.cost, left, y + TEXT * 1.1, TEXT, bold=True, room=wide))
    return "".join(parts), frozenset(pen.used_icons)


def height_of(canvas: Canvas, piece: Piece, wide: float = CARD) -> float:
    """How high a card has to be, to hold all that is on it."""
    face = piece.face or Face(clean(piece.name or piece.glyph))
    rows = set_face(face, wide - 2 * _PAD, canvas.look)
    return max(rows.height + _PAD + _foot(canvas, piece, wide), LEAST)


def _foot(canvas: Canvas, piece: Piece, wide: float) -> float:
    plates = _plates(canvas, piece)
    if not plates and not canvas.tracks.get(piece.id):
        return 4.0
    return _SHELF * len(_shelves(canvas, plates, wide - 2 * _PAD)) + 16.0 * len(
        canvas.tracks.get(piece.id, ())
    )


def _plates(canvas: Canvas, piece: Piece) -> list[tuple[str, str]]:
    """What stands at the foot of a card: states with their signs, badges, points."""
    plates = [(canvas.state_words[state], canvas.state(state)) for state in piece.states]
    plates += [(badge, "") for badge in piece.badges]
    if piece.face is not None and piece.face.points is not None:
        plates.append((points(piece.face.points), ""))
    return plates


def _plate_width(canvas: Canvas, words: str, icon: str) -> float:
    return pill_width(canvas, words, SMALL, CARD * 0.8) + (SMALL * 1.3 if icon else 0)


def _shelves(
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


def draw_card(canvas: Canvas, piece: Piece, high: float, wide: float = CARD) -> Block:
    """A card with its face up, as high as its row."""
    look = canvas.look
    face = piece.face or Face(clean(piece.name or piece.glyph))
    rows = set_face(face, wide - 2 * _PAD, look)
    worn = look.worn(piece.kind, "")
    parts = [
        rect(0, 0, wide, high, "c o", corner=7),
        # The band of the title: rounded above, straight below.
        f'<path d="M0 {number(rows.title + 3)}V7a7 7 0 0 1 7-7H{number(wide - 7)}'
        f'a7 7 0 0 1 7 7V{number(rows.title + 3)}z" class="{worn}" stroke-width="1"/>',
        draw_face(canvas, face, _PAD, 3, wide - 2 * _PAD, f"{worn}k"),
        _feet(canvas, piece, wide, high),
        _emblem(canvas, piece, rows.height, wide, high),
        framed(canvas, piece.id, wide, high),
    ]
    return Block(wide, high, _card_group(canvas, piece, "".join(parts), wide, high))


def _emblem(canvas: Canvas, piece: Piece, used: float, wide: float, high: float) -> str:
    """The icon of its kind in the lower right corner, if nothing else is there."""
    icon = piece.icon or canvas.look.token(piece.kind).icon
    shelves = _shelves(canvas, _plates(canvas, piece), wide - 2 * _PAD)
    last = sum(_plate_width(canvas, *plate) + 4 for plate in shelves[-1]) if shelves else 0.0
    # Figures stand in the corner, if there are some: the icon is above them.
    bars = 0.0 if shelves else 16.0 * len(canvas.tracks.get(piece.id, ()))
    room = high - used - _PAD - bars
    if not canvas.look.knows(icon) or last > wide - 40 or room < _EMBLEM + 4:
        return ""
    at = (wide - _EMBLEM - 5, high - bars - _EMBLEM - 4)
    return canvas.icon(icon, *at, _EMBLEM, "q")


def _card_group(canvas: Canvas, piece: Piece, body: str, wide: float, high: float) -> str:
    """The group of a card: slanted and smaller if it is turned."""
    if "turned" in piece.states:
        x, y = number(wide / 2), number(high / 2)
        slant = _SLANT * min(1.0, _UPRIGHT / high)
        body = (
            f'<g transform="translate({x} {y}) rotate({number(slant)}) scale(.93)'
            f' translate(-{x} -{y})">{body}</g>'
        )
    return canvas.group("piece", piece.id, canvas.told(piece), body)


def _feet(canvas: Canvas, piece: Piece, wide: float, high: float) -> str:
    shelves = _shelves(canvas, _plates(canvas, piece), wide - 2 * _PAD)
    tracks = canvas.tracks.get(piece.id, ())
    y = high - _SHELF * len(shelves) - 16.0 * len(tracks) + 3
    parts = []
    for track in tracks:
        parts.append(draw_bar(canvas, track, canvas.look.seat(piece.owner), _PAD, y, wide - 60, 8))
        figure = f"{track.value}/{track.most}" if track.most else str(track.value)
        parts.append(label(wide - _PAD, y + 8, figure, SMALL, "k", anchor="end", bold=True))
        y += 16.0
    return "".join(parts) + moved(_PAD, y, draw_plates(canvas, piece, wide - 2 * _PAD).body)


def draw_plates(canvas: Canvas, piece: Piece, room: float) -> Block:
    """The states, badges and points of a piece, each on a plate."""
    shelves = _shelves(canvas, _plates(canvas, piece), room)
    parts = []
    y = 0.0
    for shelf in shelves:
        x = 0.0
        for words, icon in shelf:
            full = _plate_width(canvas, words, icon)
            if icon:
                parts.append(rect(x, y, full, SMALL * 1.4, "k", corner=SMALL * 0.5))
                parts.append(canvas.icon(icon, x + 4, y + SMALL * 0.18, SMALL, "c"))
                parts.append(label(x + SMALL * 1.6, y + SMALL, clean(words), SMALL, "c", bold=True))
            else:
                parts.append(pill(canvas, words, x, y + 1, SMALL, CARD * 0.8))
            x += full + 4
        y += _SHELF
    return Block(room, y, "".join(parts))


def draw_top(canvas: Canvas, piece: Piece) -> Block:
    """A card of which the title is enough, as on top of a pile."""
    wide, high = TOP
    worn = canvas.look.worn(piece.kind, "")
    face = piece.face or Face(clean(piece.name or piece.glyph))
    lines = wrapped(clean(face.title), (wide - 12) / SMALL, bold=True, most=3)
    words = "".join(
        canvas.rich(line, 6, 14 + n * SMALL * 1.2, SMALL, f"{worn}k", bold=True, room=wide - 12)
        for n, line in enumerate(lines)
    )
    body = rect(0, 0, wide, high, worn, corner=6) + words + framed(canvas, piece.id, wide, high)
    return Block(wide, high, canvas.group("piece", piece.id, canvas.told(piece), body))


def draw_back(canvas: Canvas, piece: Piece) -> Block:
    """A card that lies face down."""
    wide, high = BACK
    worn = canvas.look.backs
    body = (
        rect(0, 0, wide, high, worn, corner=5, more=' stroke-width="1.2"')
        + rect(5, 5, wide - 10, high - 10, f"{worn}s", corner=3, more=' opacity=".6"')
        + f'<path d="M{wide / 2:g} 18l14 20-14 20-14-20z" class="{worn}s" opacity=".6"/>'
        + framed(canvas, piece.id, wide, high)
    )
    title = f"<title>{escaped(clean(piece.name or FACE_DOWN))}</title>"
    return Block(wide, high, canvas.group("piece", piece.id, title, body))


def draw_entry(canvas: Canvas, piece: Piece, wide: float) -> Block:
    """A face in a list: no card around it."""
    assert piece.face is not None
    rows = set_face(piece.face, wide - 12, canvas.look)
    more = _plates(canvas, piece) or canvas.tracks.get(piece.id)
    foot = _foot(canvas, piece, wide) if more else 3.0
    high = rows.height + foot
    body = (
        rect(0, 0, 3, high - 4, f"{canvas.look.worn(piece.kind, piece.owner)}")
        + draw_face(canvas, piece.face, 9, 0, wide - 12, "k")
        + moved(2, 0, _feet(canvas, piece, wide - 4, high))
        + framed(canvas, piece.id, wide, high)
    )
    return Block(wide, high, canvas.group("piece", piece.id, canvas.told(piece), body))


def draw_chip(canvas: Canvas, piece: Piece, room: float, times: int = 1) -> Block:
    """A small token with its name beside it, and what is particular to it."""
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
    shown = fitted(name, size, max(room - left - plate - width(extra, size) - 8, 20))
    wide = left + width(shown + extra, size) + plate + 8
    body = (
        rect(0, 0, wide, 26, "c o", corner=13)
        + moved(radius + 3, 13, draw_token(canvas, piece, radius * 0.9))
        + label(left, 17.2, shown + extra, size)
        + (pill(canvas, badges, wide - plate - 5, 5, size) if badges else "")
        + framed(canvas, piece.id, wide, 26)
    )
    return Block(wide, 26.0, canvas.group("piece", piece.id, canvas.told(piece), body))


def is_card(canvas: Canvas, piece: Piece) -> bool:
    """Is it drawn as a card, rather than as a token with its name?"""
    return piece.face is not None or canvas.look.token(piece.kind).shape == "card"


def lies_face_down(canvas: Canvas, piece: Piece) -> bool:
    """Is it a card of which only the back is seen?"""
    return piece.face is None and (
        canvas.look.token(piece.kind).shape == "card" and "hidden" in piece.states
    )
