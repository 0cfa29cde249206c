"""Zones, mats and tracks in SVG, as blocks that the page arranges."""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from domain.kernel.scene import Piece, Track, Zone
from projections.drawing.canvas import Canvas
from projections.drawing.font_metrics import truncate, width
from projections.drawing.layout import format_track, seat_name, track_label, zone_pieces
from projections.drawing.markup import (
    Block,
    clean,
    format_length,
    label,
    rect,
    title_elements,
    translate,
)
from projections.drawing.svg.cards import (
    BACK_SIZE,
    CARD_WIDTH,
    SMALL_TEXT_SIZE,
    TITLE_SIZE,
    card_height,
    draw_back,
    draw_card,
    draw_chip,
    draw_face,
    draw_list_entry,
    draw_pile_top,
    draw_plates,
    is_card,
    is_face_down,
    lay_out_face,
)
from projections.drawing.svg.marks import draw_mark_sample
from projections.drawing.svg.pieces import draw_bar, draw_token
from projections.drawing.words import EMPTY

GAP: Final = 8.0
_HEADING_SIZE: Final = 12.5
_MARK_WIDTH: Final = 18.0
"""The width of a mark beside a zone's name."""
_MAX_SINGLE_CHIPS: Final = 24
"""The greatest number of pieces in a zone that are drawn singly; beyond it, equal pieces share one
token."""
_MIN_CARD_WIDTH: Final = 152.0
"""The least width of a card, if there is room."""
_MAX_CARD_WIDTH: Final = 194.0
"""The greatest width of a card in several rows."""
_FAN_STEP: Final = 14.0
"""The visible width of each face-down card in a fan."""


def flow(blocks: Sequence[Block], room: float, gap: float = GAP) -> Block:
    """Arrange blocks side by side, in as many rows as needed."""
    parts = []
    x = y = row = widest = 0.0
    for block in blocks:
        if x and x + block.width > room + 0.5:
            x, y, row = 0.0, y + row + gap, 0.0
        parts.append(translate(x, y, block.body))
        x += block.width + gap
        row = max(row, block.height)
        widest = max(widest, x - gap)
    return Block(widest, y + row, "".join(parts))


def stack(blocks: Iterable[Block], gap: float = GAP) -> Block:
    """Arrange blocks one below the other."""
    parts = []
    y = widest = 0.0
    for block in blocks:
        parts.append(translate(0, y, block.body))
        y += block.height + gap
        widest = max(widest, block.width)
    return Block(widest, max(y - gap, 0.0), "".join(parts))


def draw_zone(canvas: Canvas, zone: Zone, room: float) -> Block:
    """Draw a zone under its name; `room` is its greatest width."""
    pieces = zone_pieces(zone, canvas.pieces_by_place)
    if zone.place == "card" and zone.piece in canvas.pieces:
        return draw_unit_card(canvas, zone, canvas.pieces[zone.piece], room)
    inside = _draw_contents(canvas, zone, pieces, room)
    name = clean(zone.name)
    marks = canvas.marks.get(zone.id, [])
    left = _MARK_WIDTH * len(marks)
    room_for_name = (
        max(inside.width, min(room, width(name, _HEADING_SIZE, bold=True) + left)) - left
    )
    head = truncate(name, _HEADING_SIZE, room_for_name, bold=True)
    wide = max(inside.width, min(width(head, _HEADING_SIZE, bold=True) + left, room))
    body = (
        title_elements(name, clean(zone.description))
        + "".join(
            translate(n * _MARK_WIDTH, 0, draw_mark_sample(mark, _HEADING_SIZE + 1))
            for n, mark in enumerate(marks)
        )
        + label(left, _HEADING_SIZE, head, _HEADING_SIZE, "k", bold=True)
        + translate(0, _HEADING_SIZE + 7, inside.body)
    )
    return Block(wide, _HEADING_SIZE + 7 + inside.height, canvas.group("zone", zone.id, body))


def draw_unit_card(canvas: Canvas, zone: Zone, piece: Piece, room: float) -> Block:
    """Draw the card of a piece that stands elsewhere: owner, figures and content."""
    css_class = canvas.style.css_class(piece.kind, piece.owner)
    inner = room - 16
    tracks = canvas.tracks.get(piece.id, ())
    figures = (f"{clean(track_label(t))} {t.value}{f'/{t.most}' if t.most else ''}" for t in tracks)
    figures_text = truncate("  ".join(figures), SMALL_TEXT_SIZE, room * 0.5, bold=True)
    left = room - 46 - width(figures_text, SMALL_TEXT_SIZE, bold=True)
    parts = [
        title_elements(clean(zone.name), clean(zone.description or piece.description)),
        label(
            34,
            19,
            truncate(clean(zone.name), TITLE_SIZE, left, bold=True),
            TITLE_SIZE,
            f"{css_class}k",
            bold=True,
        ),
        label(
            room - 8, 19, figures_text, SMALL_TEXT_SIZE, f"{css_class}k", anchor="end", bold=True
        ),
    ]
    blocks = []
    for track in tracks:
        if track.most:
            bar = draw_bar(canvas, track, canvas.style.seat(piece.owner), 0, 0, inner, 7)
            blocks.append(Block(inner, 7, bar))
    if piece.card is not None and (piece.card.stats or piece.card.lines or piece.card.kind):
        rows = lay_out_face(piece.card, inner, canvas.style)
        # The card already shows the title.
        body = draw_face(canvas, piece.card, 0, 0, inner, "k", titled=False)
        blocks.append(Block(inner, rows.height - rows.title, body))
    blocks.append(draw_plates(canvas, piece, inner))
    contents = zone_pieces(zone, canvas.pieces_by_place)
    if contents and not canvas.hides_abilities:
        blocks.append(_draw_contents(canvas, zone, contents, inner))
    inside = stack([block for block in blocks if block.height], 6)
    high = 28 + 8 + inside.height + 8
    right = format_length(room - 8)
    band = f'<path d="M0 28V8a8 8 0 0 1 8-8H{right}a8 8 0 0 1 8 8V28z" class="{css_class}"/>'
    token = translate(18, 14, draw_token(canvas, piece, 11))
    body = rect(0, 0, room, high, "c o", corner=8) + band + token + "".join(parts)
    body += translate(8, 36, inside.body)
    return Block(room, high, canvas.group("zone", zone.id, body))


def _draw_contents(canvas: Canvas, zone: Zone, pieces: list[Piece], room: float) -> Block:
    if not pieces:
        return Block(width(EMPTY, 12), 16, label(0, 12, EMPTY, 12, "q"))
    if zone.arrangement == "pile":
        return _draw_pile(canvas, pieces, room)
    face_down = [piece for piece in pieces if is_face_down(canvas, piece)]
    if len(face_down) == len(pieces):
        return _draw_backs(canvas, face_down, room)
    listed = zone.arrangement == "list" and (zone.place == "card" or room < 2 * CARD_WIDTH)
    if listed and all(piece.card for piece in pieces):
        return stack([draw_list_entry(canvas, piece, room) for piece in pieces], 4)
    cards = [piece for piece in pieces if is_card(canvas, piece) and piece not in face_down]
    blocks = _draw_cards(canvas, cards, room) if cards else []
    chips = [piece for piece in pieces if piece not in cards and piece not in face_down]
    rows = [flow(blocks, room)] if blocks else []
    if face_down:
        rows.append(_draw_backs(canvas, face_down, room))
    if chips:
        rows.append(_draw_chips(canvas, chips, room))
    return stack(rows)


def _draw_cards(canvas: Canvas, cards: list[Piece], room: float) -> list[Block]:
    """Draw cards in rows; each card is as high as the highest in its row."""
    # As few rows as possible, with about as many cards in each.
    limit = max(int((room + GAP) // (_MIN_CARD_WIDTH + GAP)), 1)
    across = math.ceil(len(cards) / math.ceil(len(cards) / limit))
    wide = min(
        (room - GAP * (across - 1)) / across, _MAX_CARD_WIDTH if len(cards) > across else CARD_WIDTH
    )
    blocks: list[Block] = []
    for start in range(0, len(cards), across):
        row = cards[start : start + across]
        high = max(card_height(canvas, piece, wide) for piece in row)
        blocks.extend(draw_card(canvas, piece, high, wide) for piece in row)
    return blocks


def _draw_chips(canvas: Canvas, pieces: list[Piece], room: float) -> Block:
    if len(pieces) <= _MAX_SINGLE_CHIPS:
        return flow([draw_chip(canvas, piece, room) for piece in pieces], room, 5)
    alike: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        key = (piece.kind, piece.owner, piece.name, piece.states, piece.badges)
        alike.setdefault(key, []).append(piece)
    found = [draw_chip(canvas, group[0], room, len(group)) for group in alike.values()]
    return flow(found, room, 5)


def _draw_backs(canvas: Canvas, pieces: list[Piece], room: float) -> Block:
    """Draw face-down cards as a fan with their number."""
    wide, high = BACK_SIZE
    step = _FAN_STEP
    if len(pieces) > 1:
        step = min(_FAN_STEP, max((room - wide - 26) / (len(pieces) - 1), 1.0))
    parts = []
    for place, piece in enumerate(pieces):
        parts.append(translate(place * step, 0, draw_back(canvas, piece).body))
    across = wide + step * (len(pieces) - 1)
    count = f"× {len(pieces)}"
    parts.append(label(across + 5, high / 2 + 4, count, 12, "k", bold=True))
    return Block(across + 5 + width(count, 12, bold=True), high, "".join(parts))


def _draw_pile(canvas: Canvas, pieces: list[Piece], room: float) -> Block:
    """Draw the first piece on top of the pile, and the number of pieces."""
    top = pieces[0]
    if is_face_down(canvas, top) or (top.card is None and is_card(canvas, top)):
        block = draw_back(canvas, top)
    elif top.card is not None:
        block = draw_pile_top(canvas, top)
    else:
        return _draw_chips(canvas, pieces, room)
    below = "".join(
        rect(3 * n, 3 * n, block.width, block.height, "m o", corner=6)
        for n in range(min(len(pieces) - 1, 2), 0, -1)
    )
    count = f"× {len(pieces)}"
    words = title_elements(", ".join(clean(piece.name or piece.glyph) for piece in pieces))
    caption = label(0, block.height + 20, count, 12, "k", bold=True)
    body = f"<g>{words}{below}</g>{block.body}{caption}"
    return Block(block.width + 6, block.height + 24, body)


# --- tracks and mats -----------------------------------------------------------------------------


def draw_track(canvas: Canvas, track: Track, room: float) -> Block:
    """Draw the value, icon and name of a track, and a bar if the track has a maximum."""
    size = 13.0
    icon = track.icon if canvas.style.has_icon(track.icon) else ""
    figure, name = format_track(track), clean(track_label(track))
    left = 6.0 + (size * 1.35 if icon else 0.0)
    wide = width(figure, size, bold=True)
    name = truncate(name, 12, max(room - left - wide - 16, 20))
    full = left + wide + 5 + width(name, 12) + 7
    high = 30.0 if track.most else 23.0
    parts = [
        title_elements(f"{clean(track.name)}: {figure}"),
        rect(0, 0, full, high, "c o", corner=6),
    ]
    if icon:
        ink = canvas.style.ink(icon, "k")
        parts.append(canvas.icon(icon, 5, 3.5, size * 1.25, ink))
    parts.append(label(left, 16.5, figure, size, "k", bold=True))
    parts.append(label(left + wide + 5, 16.5, name, 12, "k"))
    if track.most:
        css_class = canvas.style.seat(track.owner)
        parts.append(draw_bar(canvas, track, css_class, 6, 21, full - 12))
    return Block(full, high, canvas.group("track", track.id, *parts))


def draw_tracks(canvas: Canvas, tracks: Sequence[Track], room: float) -> Block:
    """Draw tracks side by side."""
    return flow([draw_track(canvas, track, room) for track in tracks], room, 5)


def draw_mat(
    canvas: Canvas, owner: str, tracks: Sequence[Track], zones: Sequence[Zone], room: float
) -> Block:
    """Draw the mat of a seat: its name, tracks and zones."""
    inner = room - 20
    blocks = []
    if tracks:
        blocks.append(draw_tracks(canvas, tracks, inner))
    if zones:
        blocks.append(flow([draw_zone(canvas, zone, inner) for zone in zones], inner, 16))
    inside = stack(blocks, 10)
    high = 30 + inside.height + 18
    css_class = canvas.style.seat(owner)
    body = (
        rect(0, 0, room, high, "m o", corner=10)
        + translate(18, 16, seat_token(canvas, owner, 9))
        + label(34, 21, truncate(seat_name(clean(owner)), 15, room - 50, bold=True), 15, bold=True)
        + rect(0, 28, room, 2.5, css_class, more=' stroke="none"')
        + translate(10, 40, inside.body)
    )
    return Block(room, high, f"<g>{title_elements(seat_name(clean(owner)))}{body}</g>")


def seat_token(canvas: Canvas, owner: str, radius: float) -> str:
    """Draw a token in a seat's colors, with its ring."""
    return draw_token(canvas, Piece("", "", "", "", owner), radius)
