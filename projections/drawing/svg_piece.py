"""One piece of a scene as SVG: a disc in its owner's colours with its glyph on it."""

from typing import Final
from xml.etree.ElementTree import Element, SubElement

from domain.kernel.scene import Piece
from projections.drawing.layout import described
from projections.drawing.palette import Coat

_WIDEST_GLYPH: Final = 1.5
"""How much of the diameter a glyph may take, in radii."""


def draw_piece(
    layer: Element, piece: Piece, coat: Coat, *, x: float, y: float, radius: float
) -> Element:
    """Draw the piece around a centre, in pixels. Gives its group, to add attributes to."""
    group = SubElement(layer, "g", id=f"piece-{piece.id}")
    group.set("data-kind", piece.kind)
    SubElement(group, "title").text = described(piece)
    _disc(group, x, y + radius * 0.1, radius, fill=coat.edge, edge=coat.edge)
    _disc(group, x, y, radius, fill=coat.fill, edge=coat.edge)
    _disc(group, x, y, radius * 0.82, fill="none", edge=coat.edge, opacity="0.35")
    _glyph(group, piece.glyph, coat.ink, x, y, radius)
    return group


def _disc(
    group: Element, x: float, y: float, radius: float, *, fill: str, edge: str, opacity: str = "1"
) -> None:
    disc = SubElement(group, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:.1f}", fill=fill)
    disc.set("stroke", edge)
    disc.set("stroke-opacity", opacity)
    disc.set("stroke-width", "1.5")


def _glyph(group: Element, glyph: str, ink: str, x: float, y: float, radius: float) -> None:
    size = min(radius, _WIDEST_GLYPH * radius / (0.72 * max(len(glyph), 1)))
    label = SubElement(group, "text", x=f"{x:.1f}", y=f"{y + size * 0.35:.1f}", fill=ink)
    label.set("text-anchor", "middle")
    label.set("font-size", f"{size:.1f}")
    label.set("font-weight", "700")
    label.text = glyph
