"""A scene as one SVG document that stands alone: no scripts, no fonts or files from elsewhere.

It scales to the room that it is given, follows the reader's choice of a light or a dark page, and
tells nothing by colour alone. Spaces, pieces, zones and tracks are groups with ids and titles, so
that a page can make them clickable and a screen reader can speak them.
"""

from typing import Final

from domain.kernel.scene import Scene
from domain.kernel.theme import DEFAULT_THEME, Theme
from projections.drawing.canvas import Canvas
from projections.drawing.layout import owners, seat_name
from projections.drawing.markup import TEXT_SIZE, clean, escape_xml, format_length, rect
from projections.drawing.style import FONT, style_of
from projections.drawing.svg.page import lay_out_page

_MAX_DESCRIPTION: Final = 1500
"""Characters of the description of the whole drawing, at most."""


def draw(
    scene: Scene,
    theme: Theme = DEFAULT_THEME,
    scale: float = 1,
    night: bool | None = None,
    *,
    narrow: bool = False,
) -> str:
    """The scene as SVG.

    `scale`: spaces so many times larger than usual. `night`: for a dark page or a light one; None
    follows what the reader prefers. `narrow`: laid out for a phone, all below each other.
    """
    look = style_of(theme, owners(scene), (space.kind for space in scene.spaces), night)
    canvas = Canvas(scene, look)
    page = lay_out_page(canvas, scale, narrow=narrow)
    defined = look.definitions(canvas.used_icons, canvas.used_kinds)
    wide, high = format_length(page.width), format_length(page.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}"'
        f' height="{high}" role="img" class="{look.scope}"'
        f' font-family="{escape_xml(FONT)}" font-size="{TEXT_SIZE}">\n'
        f"<title>{escape_xml(clean(scene.caption))}</title>\n"
        f"<desc>{escape_xml(clean(_description(canvas)))}</desc>\n"
        f"<style>.{look.scope}{{width:100%;height:auto}}{look.css}</style>\n{defined}\n"
        f"{rect(0, 0, page.width, page.height, 'p')}\n{page.body}\n</svg>\n"
    )


def _description(canvas: Canvas) -> str:
    """The pieces in words, place by place, for those who cannot see the drawing."""
    scene = canvas.scene
    names = {space.id: space.id for space in scene.spaces} | {z.id: z.name for z in scene.zones}
    parts: list[str] = []
    used = 0
    for place, pieces in canvas.lying.items():
        words = ", ".join(piece.name or seat_name(piece.glyph) for piece in pieces)
        parts.append(f"{names.get(place, place)}: {words}")
        used += len(parts[-1])
        if used > _MAX_DESCRIPTION:
            return f"{'; '.join(parts)[:_MAX_DESCRIPTION]}…"
    return "; ".join(parts)
