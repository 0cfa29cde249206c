"""The legend: every sign that a drawing uses, with its meaning."""

from collections.abc import Iterator

from domain.kernel.scene import Sign
from projections.drawing.canvas import Canvas
from projections.drawing.layout import owners, seat_name
from projections.drawing.markup import Block, clean, label, moved, number, rect, told
from projections.drawing.palette import GROUND
from projections.drawing.patterns import TILES
from projections.drawing.svg.marks import sample
from projections.drawing.svg.zones import flow, seat_token
from projections.drawing.text.metrics import ems, fitted, width
from projections.drawing.words import LEGEND, MARKS

_SIDE = 18.0
_SIZE = 12.0


def draw_legend(canvas: Canvas, room: float) -> Block:
    """All of it, in a flow as wide as there is room; nothing if there is nothing to explain."""
    entries = [_entry(canvas, swatch, meaning, room) for swatch, meaning in _entries(canvas)]
    if not entries:
        return Block(0, 0, "")
    inside = flow(entries, room, 6)
    body = told(LEGEND) + inside.body
    return Block(room, inside.height, f'<g id="legend">{body}</g>')


def _entry(canvas: Canvas, swatch: str, meaning: str, room: float) -> Block:
    del canvas
    shown = fitted(meaning, _SIZE, room - _SIDE - 10)
    body = swatch + label(_SIDE + 6, 13.5, shown, _SIZE, "k")
    # In columns, so that it can be looked through.
    wide = _SIDE + 6 + width(shown, _SIZE) + 10
    return Block(wide, _SIDE, f"<g>{body}</g>")


def _entries(canvas: Canvas) -> Iterator[tuple[str, str]]:
    scene = canvas.scene
    for seat in sorted(owners(scene)):
        yield moved(9, 9, seat_token(canvas, seat, 8.5)), seat_name(clean(seat))
    spoken = set()
    used = set(canvas.used_icons)
    for sign in scene.legend:
        swatch = _swatch(canvas, sign, used)
        spoken.add((sign.kind, sign.sign))
        if swatch:
            yield swatch, clean(sign.meaning)
    for kind in sorted({space.kind for space in scene.spaces} - GROUND.keys()):
        if ("space", kind) not in spoken:
            yield _ground(canvas, kind), clean(kind)
    for state in sorted(canvas.used_states):
        if ("state", state) not in spoken:
            yield _state(canvas, state), clean(canvas.state_words[state])
    for mark in MARKS:
        if any(each.kind == mark for each in scene.marks):
            yield sample(mark, _SIDE), MARKS[mark]


def _swatch(canvas: Canvas, sign: Sign, used: set[str]) -> str:
    """What stands before a meaning; empty for what this drawing does not show."""
    match sign.kind:
        case "space":
            there = any(space.kind == sign.sign for space in canvas.scene.spaces)
            return _ground(canvas, sign.sign) if there else ""
        case "state":
            return _state(canvas, sign.sign) if sign.sign in canvas.used_states else ""
        case "icon":
            if sign.sign not in used:
                return ""
            return canvas.icon(sign.sign, 0, 0, _SIDE, canvas.look.ink(sign.sign, "k"))
        case _:
            if sign.sign not in canvas.used_glyphs:
                return ""
            shown = clean(sign.sign)[:4]
            size = min(13.0, (_SIDE - 3) / max(ems(shown, bold=True), 0.3))
            return rect(0, 0, _SIDE, _SIDE, "c o", corner=3) + label(
                _SIDE / 2, 13, shown, size, "k", anchor="middle", bold=True
            )


def _ground(canvas: Canvas, kind: str) -> str:
    worn, ground = canvas.look.ground(kind)
    body = rect(0, 0, _SIDE, _SIDE, f"{worn} o", corner=2)
    if ground.pattern in TILES:
        canvas.used_kinds.add(kind)
        side = number(_SIDE)
        body += f'<rect width="{side}" height="{side}" fill="url(#{canvas.look.pattern(kind)})"/>'
    if ground.icon and canvas.look.knows(ground.icon):
        body += canvas.icon(ground.icon, 3, 3, 12, f"{worn}i")
    return body


def _state(canvas: Canvas, state: str) -> str:
    name = f"state-{state}"
    if not canvas.look.knows(name):
        return ""
    return rect(0, 0, _SIDE, _SIDE, "c o", corner=9) + canvas.icon(name, 3, 3, 12, "k")
