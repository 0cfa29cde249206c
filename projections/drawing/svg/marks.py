"""Marks on spaces and pieces in SVG: each kind has a shape as well as a color."""

from domain.kernel.scene import MarkKind
from projections.drawing.canvas import Canvas
from projections.drawing.markup import circle, format_length, rect


def draw_space_marks(canvas: Canvas, space: str, x: float, y: float, side: float) -> str:
    """Draw the marks of a space, which lie under its pieces."""
    kinds = canvas.marks.get(space)
    if not kinds:
        return ""
    return "".join(draw_mark(kind, x, y, side) for kind in kinds)


def draw_mark(kind: MarkKind, x: float, y: float, side: float) -> str:
    """Draw one mark of a square space.

    Marks are corners for the last action, a dot for a legal choice, a ring for a reachable space.
    A space in danger has a triangle, a selected one a double frame.
    """
    thick = max(side * 0.045, 2.0)
    inset = thick * 0.9
    near, far, arm = inset, side - inset, side * 0.24
    match kind:
        case "last":
            path = "".join(
                f"M{format_length(x + a)} {format_length(y + b + (arm if b < side / 2 else -arm))}"
                f"V{format_length(y + b)}H{format_length(x + a + (arm if a < side / 2 else -arm))}"
                for a in (near, far)
                for b in (near, far)
            )
            return _stroke_with_rim(f'<path d="{path}"', kind, thick)
        case "legal":
            radius = max(side * 0.085, 3.0)
            # In a corner, where no piece hides it.
            return circle(x + side - radius * 1.8, y + side - radius * 1.8, radius, f"a{kind} o")
        case "reachable":
            return _stroke_with_rim(
                f'<circle cx="{format_length(x + side / 2)}" cy="{format_length(y + side / 2)}"'
                f' r="{format_length(side * 0.3)}" stroke-dasharray="{format_length(side * 0.12)}'
                f' {format_length(side * 0.07)}"',
                kind,
                thick * 0.8,
            )
        case "danger":
            return _draw_warning(x + side - side * 0.04, y + side * 0.04, max(side * 0.26, 9.0))
        case "selected":
            inner = inset * 2.6
            return _stroke_with_rim(
                f'<path d="{_square_path(x, y, inset, side)}{_square_path(x, y, inner, side)}"',
                kind,
                thick * 0.6,
            )
        case _:
            return ""


def draw_piece_marks(canvas: Canvas, piece: str, x: float, y: float, radius: float) -> str:
    """Draw the marks of a piece around its center."""
    kinds = canvas.piece_marks.get(piece)
    if not kinds:
        return ""
    parts = []
    for kind in kinds:
        wide = radius * 1.12
        if kind == "danger":
            parts.append(_draw_warning(x + radius * 1.2, y - radius * 1.2, max(radius * 0.7, 9.0)))
        elif kind == "last":
            side = radius * 2.3
            parts.append(draw_mark("last", x - side / 2, y - side / 2, side))
        else:
            dashes = {"legal": "1 4", "reachable": "6 4"}.get(kind, "")
            dash = f' stroke-dasharray="{dashes}" stroke-linecap="round"' if dashes else ""
            center = f'cx="{format_length(x)}" cy="{format_length(y)}"'
            ring = f'<circle {center} r="{format_length(wide)}"{dash}'
            parts.append(_stroke_with_rim(ring, kind, max(radius * 0.14, 2.2)))
    return "".join(parts)


def draw_card_marks(canvas: Canvas, piece: str, width: float, height: float) -> str:
    """Draw the marks of a card around its edge."""
    kinds = canvas.piece_marks.get(piece)
    if not kinds:
        return ""
    parts = []
    for kind in kinds:
        if kind == "danger":
            parts.append(_draw_warning(width - 2, 2, 16))
            continue
        dashes = {"legal": "1 5", "reachable": "9 6", "last": "26 14"}.get(kind, "")
        dash = f' stroke-dasharray="{dashes}" stroke-linecap="round"' if dashes else ""
        box = (
            f'<rect x="-3" y="-3" width="{format_length(width + 6)}"'
            f' height="{format_length(height + 6)}"'
            f' rx="9"{dash}'
        )
        parts.append(_stroke_with_rim(box, kind, 3.0))
    return "".join(parts)


def draw_mark_sample(kind: MarkKind, side: float) -> str:
    """Draw a mark as the legend shows it."""
    return rect(0, 0, side, side, "m o", corner=2) + draw_mark(kind, 0, 0, side)


def _square_path(x: float, y: float, inset: float, side: float) -> str:
    wide = format_length(side - 2 * inset)
    return f"M{format_length(x + inset)} {format_length(y + inset)}h{wide}v{wide}h-{wide}z"


def _stroke_with_rim(element: str, kind: MarkKind, thick: float) -> str:
    """Draw strokes with a rim in the color of the page, so that they are visible on any ground."""
    return (
        f'{element} class="u" stroke-width="{format_length(thick + 2)}"/>'
        f'{element} class="b{kind}" stroke-width="{format_length(thick)}"/>'
    )


def _draw_warning(right: float, top: float, size: float) -> str:
    """Draw a triangle with an exclamation mark; `right` and `top` are its upper right corner."""
    left, middle, bottom = right - size, right - size / 2, top + size * 0.92
    return (
        f'<polygon points="{format_length(middle)},{format_length(top)}'
        f" {format_length(right)},{format_length(bottom)}"
        f' {format_length(left)},{format_length(bottom)}" class="adanger u"'
        f' stroke-linejoin="round"/>'
        f'<path d="M{format_length(middle)} {format_length(top + size * 0.3)}'
        f"v{format_length(size * 0.28)}"
        f'M{format_length(middle)} {format_length(top + size * 0.74)}v.1" class="u"'
        f' stroke-width="{format_length(size * 0.13)}" stroke-linecap="round"/>'
    )
