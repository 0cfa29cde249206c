"""The panel beside the board: tracks with their bars, zones with what lies in them, a legend."""

from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from domain.kernel.scene import Piece, Scene, Track
from projections.drawing.layout import contents, pieces_by_place, reading
from projections.drawing.palette import FAINT, FRAME, INK, Coat

PANEL: Final = 380
"""The panel's width, in pixels."""
_INNER: Final = PANEL - 36
_LINE: Final = 26
_LETTER: Final = 7
"""About the width of a letter at the size of the chips."""
_MORE: Final = 16
"""What each further line adds to the height of a chip."""
_STRONG_LETTER: Final = 9
"""And at that of the headings."""


def draw_panel(
    root: Element,
    scene: Scene,
    wearing: Mapping[str, Coat],
    legend: Mapping[str, str],
    *,
    x: int,
    y: int,
) -> int:
    """Draw it with its upper left corner here, in pixels. Gives the height the sheet needs."""
    panel = SubElement(root, "g", id="panel", transform=f"translate({x} {y})")
    down = 0
    for track in scene.tracks:
        down = _draw_track(panel, track, wearing[track.owner], down)
    lying = pieces_by_place(scene)
    for zone in scene.zones:
        pieces = lying.get(zone.id, [])
        down = _draw_zone(panel, zone.name, wearing[zone.owner], pieces, wearing, down + 8)
    for kind, colour in legend.items():
        down = _draw_legend(panel, kind, colour, down + 8)
    return y + down + _LINE


def _draw_track(panel: Element, track: Track, coat: Coat, down: int) -> int:
    group = SubElement(panel, "g")
    SubElement(group, "title").text = f"{track.name} {reading(track)}"
    _heading(group, track.name, coat, down, beside=len(reading(track)))
    _words(group, _INNER, down + 15, reading(track), anchor="end", weight="600")
    if track.most:
        share = min(max(track.value, 0), track.most) / track.most
        _bar(group, down + 23, _INNER, fill="#e7dfd0")
        _bar(group, down + 23, _INNER * share, fill=coat.fill).set("stroke", coat.edge)
        return down + 44
    return down + _LINE + 4


def _draw_zone(
    panel: Element,
    name: str,
    coat: Coat,
    pieces: Iterable[Piece],
    wearing: Mapping[str, Coat],
    down: int,
) -> int:
    group = SubElement(panel, "g")
    _heading(group, name, coat, down)
    down += _LINE
    left = 0
    by_owner: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_owner.setdefault(piece.owner, []).append(piece)
    if not by_owner:
        _words(group, 22, down + 14, "empty", fill=FAINT)
        return down + _LINE
    for owner, owned in by_owner.items():
        for words in contents(owned):
            width = min(_LETTER * len(words) + 18, _INNER)
            if left and left + width > _INNER:
                left, down = 0, down + _LINE
            lines = wrap(words, (_INNER - 18) // _LETTER)
            _draw_chip(group, lines, wearing[owner], left, down, width)
            left += width + 6
            # What takes several lines fills them, so that the next chip begins below.
            down += _MORE * (len(lines) - 1)
    return down + _LINE + 4


def _draw_chip(
    group: Element, lines: list[str], coat: Coat, left: int, down: int, width: int
) -> None:
    chip = SubElement(group, "g")
    SubElement(chip, "title").text = " ".join(lines)
    box = SubElement(chip, "rect", x=str(left), y=str(down), width=str(width), rx="6")
    box.set("height", str(22 + _MORE * (len(lines) - 1)))
    box.set("fill", coat.fill)
    box.set("stroke", coat.edge)
    for number, line in enumerate(lines):
        y = down + 15 + _MORE * number
        _words(chip, left + width // 2, y, line, anchor="middle", fill=coat.ink, size=12)


def _draw_legend(panel: Element, kind: str, colour: str, down: int) -> int:
    swatch = SubElement(panel, "rect", x="0", y=str(down), width="16", height="16", fill=colour)
    swatch.set("stroke", FRAME)
    _words(panel, 24, down + 13, kind, fill=FAINT)
    return down + 18


def _heading(group: Element, words: str, coat: Coat, down: int, beside: int = 0) -> None:
    """A name with its owner's colour, cut to leave room for the letters beside it."""
    dot = SubElement(group, "circle", cx="8", cy=str(down + 10), r="6.5", fill=coat.fill)
    dot.set("stroke", coat.edge)
    room = (_INNER - 22) // _STRONG_LETTER - beside
    shown = words if len(words) <= room else f"{words[: room - 1]}…"
    _words(group, 22, down + 15, shown, weight="600")


def _bar(group: Element, down: int, width: float, *, fill: str) -> Element:
    return SubElement(
        group, "rect", x="0", y=str(down), width=f"{width:.1f}", height="8", rx="4", fill=fill
    )


def _words(
    group: Element,
    x: int,
    y: int,
    words: str,
    *,
    anchor: str = "start",
    weight: str = "400",
    fill: str = INK,
    size: int = 14,
) -> None:
    label = SubElement(group, "text", x=str(x), y=str(y), fill=fill)
    label.set("text-anchor", anchor)
    label.set("font-size", str(size))
    label.set("font-weight", weight)
    label.text = words
