"""A scene as one standalone SVG document, without scripts or external fonts and files.

The document scales to its container and follows the reader's preference for light or dark pages.
Color alone never carries a meaning. Spaces, pieces, zones and tracks are groups with ids and
titles, for links and screen readers.
"""

from typing import Final

from domain.kernel.scene import Scene
from domain.kernel.theme import DEFAULT_THEME, Theme
from projections.drawing.boards import on_one_plane
from projections.drawing.canvas import Canvas
from projections.drawing.layout import owners, seat_name
from projections.drawing.markup import TEXT_SIZE, clean, escape_xml, format_length, rect
from projections.drawing.style import FONT, style_of
from projections.drawing.svg.page import lay_out_page

_MAX_DESCRIPTION: Final = 1500
"""The greatest length of the description of a drawing, in characters."""


def draw(
    scene: Scene,
    theme: Theme = DEFAULT_THEME,
    scale: float = 1,
    night: bool | None = None,
    *,
    narrow: bool = False,
) -> str:
    """Return the scene as SVG.

    Args:
        scene: The scene to draw.
        theme: Colors, icons and shapes of the game.
        scale: Factor of the size of spaces.
        night: Whether the page is dark; None follows the reader's preference.
        narrow: Whether to draw all parts below each other, for phones.
    """
    scene = on_one_plane(scene)
    style = style_of(theme, owners(scene), (space.kind for space in scene.spaces), night)
    canvas = Canvas(scene, style)
    page = lay_out_page(canvas, scale, narrow=narrow)
    defined = style.definitions(canvas.used_icons, canvas.used_kinds)
    wide, high = format_length(page.width), format_length(page.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}"'
        f' height="{high}" role="img" class="{style.scope}"'
        f' font-family="{escape_xml(FONT)}" font-size="{TEXT_SIZE}">\n'
        f"<title>{escape_xml(clean(scene.caption))}</title>\n"
        f"<desc>{escape_xml(clean(_description(canvas)))}</desc>\n"
        f"<style>.{style.scope}{{width:100%;height:auto}}{style.css}</style>\n{defined}\n"
        f"{rect(0, 0, page.width, page.height, 'p')}\n{page.body}\n</svg>\n"
    )


def _description(canvas: Canvas) -> str:
    """Return the pieces of each place in words, for readers who cannot see the drawing."""
    scene = canvas.scene
    names = {space.id: space.id for space in scene.spaces} | {z.id: z.name for z in scene.zones}
    parts: list[str] = []
    used = 0
    for place, pieces in canvas.pieces_by_place.items():
        words = ", ".join(piece.name or seat_name(piece.glyph) for piece in pieces)
        parts.append(f"{names.get(place, place)}: {words}")
        used += len(parts[-1])
        if used > _MAX_DESCRIPTION:
            return f"{'; '.join(parts)[:_MAX_DESCRIPTION]}…"
    return "; ".join(parts)
