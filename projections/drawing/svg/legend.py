"""The legend in SVG: every sign that a drawing uses, with its meaning."""

from collections.abc import Iterator

from domain.kernel.scene import LegendEntry
from projections.drawing.canvas import Canvas
from projections.drawing.font_metrics import ems, truncate, width
from projections.drawing.layout import owners, seat_name
from projections.drawing.markup import (
    Block,
    clean,
    format_length,
    label,
    rect,
    title_elements,
    translate,
)
from projections.drawing.palette import BASIC_GROUND_COLORS
from projections.drawing.patterns import TILES
from projections.drawing.svg.marks import draw_mark_sample
from projections.drawing.svg.zones import flow, seat_token
from projections.drawing.words import LEGEND_TITLE, MARK_MEANINGS

_SWATCH_SIZE = 18.0
_LEGEND_TEXT_SIZE = 12.0


def draw_legend(canvas: Canvas, room: float) -> Block:
    """Draw all entries in rows of this width, or an empty block if there are none."""
    entries = [
        _draw_entry(canvas, swatch, meaning, room)
        for swatch, meaning in _swatches_with_meanings(canvas)
    ]
    if not entries:
        return Block(0, 0, "")
    inside = flow(entries, room, 6)
    body = title_elements(LEGEND_TITLE) + inside.body
    return Block(room, inside.height, f'<g id="legend">{body}</g>')


def _draw_entry(canvas: Canvas, swatch: str, meaning: str, room: float) -> Block:
    del canvas
    shown = truncate(meaning, _LEGEND_TEXT_SIZE, room - _SWATCH_SIZE - 10)
    body = swatch + label(_SWATCH_SIZE + 6, 13.5, shown, _LEGEND_TEXT_SIZE, "k")
    wide = _SWATCH_SIZE + 6 + width(shown, _LEGEND_TEXT_SIZE) + 10
    return Block(wide, _SWATCH_SIZE, f"<g>{body}</g>")


def _swatches_with_meanings(canvas: Canvas) -> Iterator[tuple[str, str]]:
    scene = canvas.scene
    for seat in sorted(owners(scene)):
        yield translate(9, 9, seat_token(canvas, seat, 8.5)), seat_name(clean(seat))
    spoken = set()
    used = set(canvas.used_icons)
    for sign in scene.legend:
        swatch = _draw_swatch(canvas, sign, used)
        spoken.add((sign.kind, sign.sign))
        if swatch:
            yield swatch, clean(sign.meaning)
    for kind in sorted({space.kind for space in scene.spaces} - BASIC_GROUND_COLORS.keys()):
        if ("space", kind) not in spoken:
            yield _draw_ground(canvas, kind), clean(kind)
    for state in sorted(canvas.used_states):
        if ("state", state) not in spoken:
            yield _draw_state(canvas, state), clean(canvas.state_words[state])
    for mark in MARK_MEANINGS:
        if any(each.kind == mark for each in scene.marks):
            yield draw_mark_sample(mark, _SWATCH_SIZE), MARK_MEANINGS[mark]


def _draw_swatch(canvas: Canvas, sign: LegendEntry, used: set[str]) -> str:
    """Draw the sign of a legend entry, or return nothing if the drawing does not use it."""
    match sign.kind:
        case "space":
            there = any(space.kind == sign.sign for space in canvas.scene.spaces)
            return _draw_ground(canvas, sign.sign) if there else ""
        case "state":
            return _draw_state(canvas, sign.sign) if sign.sign in canvas.used_states else ""
        case "icon":
            if sign.sign not in used:
                return ""
            return canvas.icon(sign.sign, 0, 0, _SWATCH_SIZE, canvas.style.ink(sign.sign, "k"))
        case _:
            if sign.sign not in canvas.used_glyphs:
                return ""
            shown = clean(sign.sign)[:4]
            size = min(13.0, (_SWATCH_SIZE - 3) / max(ems(shown, bold=True), 0.3))
            return rect(0, 0, _SWATCH_SIZE, _SWATCH_SIZE, "c o", corner=3) + label(
                _SWATCH_SIZE / 2, 13, shown, size, "k", anchor="middle", bold=True
            )


def _draw_ground(canvas: Canvas, kind: str) -> str:
    css_class, ground = canvas.style.ground(kind)
    body = rect(0, 0, _SWATCH_SIZE, _SWATCH_SIZE, f"{css_class} o", corner=2)
    if ground.pattern in TILES:
        canvas.used_kinds.add(kind)
        side = format_length(_SWATCH_SIZE)
        body += f'<rect width="{side}" height="{side}" fill="url(#{canvas.style.pattern(kind)})"/>'
    if ground.icon and canvas.style.has_icon(ground.icon):
        body += canvas.icon(ground.icon, 3, 3, 12, f"{css_class}i")
    return body


def _draw_state(canvas: Canvas, state: str) -> str:
    name = f"state-{state}"
    if not canvas.style.has_icon(name):
        return ""
    return rect(0, 0, _SWATCH_SIZE, _SWATCH_SIZE, "c o", corner=9) + canvas.icon(
        name, 3, 3, 12, "k"
    )
