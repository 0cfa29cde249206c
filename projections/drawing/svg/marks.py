"""Marks on spaces and pieces: each kind has a shape of its own beside its colour."""

from domain.kernel.scene import MarkKind
from projections.drawing.canvas import Canvas
from projections.drawing.markup import circle, number, rect


def on_space(canvas: Canvas, space: str, x: float, y: float, side: float) -> str:
    """The marks of a space, under its pieces."""
    kinds = canvas.marks.get(space)
    if not kinds:
        return ""
    return "".join(mark(kind, x, y, side) for kind in kinds)


def mark(kind: MarkKind, x: float, y: float, side: float) -> str:
    """One mark of a square space: corners for the last action, a dot for what is legal, a ring for
    what can be reached, a triangle for what is threatened, a double frame for what is picked."""
    thick = max(side * 0.045, 2.0)
    inset = thick * 0.9
    near, far, arm = inset, side - inset, side * 0.24
    match kind:
        case "last":
            path = "".join(
                f"M{number(x + a)} {number(y + b + (arm if b < side / 2 else -arm))}"
                f"V{number(y + b)}H{number(x + a + (arm if a < side / 2 else -arm))}"
                for a in (near, far)
                for b in (near, far)
            )
            return _cased(f'<path d="{path}"', kind, thick)
        case "legal":
            radius = max(side * 0.085, 3.0)
            # In a corner, where it is seen beside whatever stands there.
            return circle(x + side - radius * 1.8, y + side - radius * 1.8, radius, f"a{kind} o")
        case "reachable":
            return _cased(
                f'<circle cx="{number(x + side / 2)}" cy="{number(y + side / 2)}"'
                f' r="{number(side * 0.3)}" stroke-dasharray="{number(side * 0.12)}'
                f' {number(side * 0.07)}"',
                kind,
                thick * 0.8,
            )
        case "threatened":
            return _warning(x + side - side * 0.04, y + side * 0.04, max(side * 0.26, 9.0))
        case "selected":
            inner = inset * 2.6
            return _cased(
                f'<path d="{_box(x, y, inset, side)}{_box(x, y, inner, side)}"', kind, thick * 0.6
            )


def around(canvas: Canvas, piece: str, x: float, y: float, radius: float) -> str:
    """The marks of a piece around its centre."""
    kinds = canvas.piece_marks.get(piece)
    if not kinds:
        return ""
    parts = []
    for kind in kinds:
        wide = radius * 1.12
        if kind == "threatened":
            parts.append(_warning(x + radius * 1.2, y - radius * 1.2, max(radius * 0.7, 9.0)))
        elif kind == "last":
            side = radius * 2.3
            parts.append(mark("last", x - side / 2, y - side / 2, side))
        else:
            dashes = {"legal": "1 4", "reachable": "6 4"}.get(kind, "")
            dash = f' stroke-dasharray="{dashes}" stroke-linecap="round"' if dashes else ""
            ring = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(wide)}"{dash}'
            parts.append(_cased(ring, kind, max(radius * 0.14, 2.2)))
    return "".join(parts)


def framed(canvas: Canvas, piece: str, width: float, height: float) -> str:
    """The marks of a card, around its edge."""
    kinds = canvas.piece_marks.get(piece)
    if not kinds:
        return ""
    parts = []
    for kind in kinds:
        if kind == "threatened":
            parts.append(_warning(width - 2, 2, 16))
            continue
        dashes = {"legal": "1 5", "reachable": "9 6", "last": "26 14"}.get(kind, "")
        dash = f' stroke-dasharray="{dashes}" stroke-linecap="round"' if dashes else ""
        box = (
            f'<rect x="-3" y="-3" width="{number(width + 6)}" height="{number(height + 6)}"'
            f' rx="9"{dash}'
        )
        parts.append(_cased(box, kind, 3.0))
    return "".join(parts)


def sample(kind: MarkKind, side: float) -> str:
    """The mark as the legend shows it."""
    return rect(0, 0, side, side, "m o", corner=2) + mark(kind, 0, 0, side)


def _box(x: float, y: float, inset: float, side: float) -> str:
    wide = number(side - 2 * inset)
    return f"M{number(x + inset)} {number(y + inset)}h{wide}v{wide}h-{wide}z"


def _cased(element: str, kind: MarkKind, thick: float) -> str:
    """Strokes with a rim in the colour of the page, so that they are seen on any ground."""
    return (
        f'{element} class="u" stroke-width="{number(thick + 2)}"/>'
        f'{element} class="b{kind}" stroke-width="{number(thick)}"/>'
    )


def _warning(right: float, top: float, size: float) -> str:
    """A triangle with an exclamation mark, its upper right corner here."""
    left, middle, bottom = right - size, right - size / 2, top + size * 0.92
    return (
        f'<polygon points="{number(middle)},{number(top)} {number(right)},{number(bottom)}'
        f' {number(left)},{number(bottom)}" class="athreatened u"'
        f' stroke-linejoin="round"/>'
        f'<path d="M{number(middle)} {number(top + size * 0.3)}v{number(size * 0.28)}'
        f'M{number(middle)} {number(top + size * 0.74)}v.1" class="u"'
        f' stroke-width="{number(size * 0.13)}" stroke-linecap="round"/>'
    )
