"""A scene in a terminal: the board in colors, with the tracks and zones at its side."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from domain.kernel.scene import Piece, Scene, Space
from projections.drawing.layout import grid, owners, pieces_by_place, seat_name, space_text
from projections.drawing.palette import PieceColors, ground_colors, seat_colors
from projections.drawing.text import WIDTH
from projections.drawing.text.lists import TextSymbols, legend_lines, track_lines, wrap, zone_lines

_BETWEEN: Final = 4
"""Columns between the board and the panel at its side."""
_LEAST: Final = 44
"""The least width of the panel, in columns."""
_ENOUGH: Final = 56
"""The width from which the panel also has the zones, in columns."""
FAINT: Final = Style(color="#8d8172")
MARKED: Final = "#7d9a4e"
"""The background of the spaces that the last action named."""
GROUND: Final = {"": "#b89a72", "light": "#b89a72", "dark": "#96774f"}
"""Plain spaces: darker than on paper, so that white pieces stand out."""


def paint(scene: Scene, marked: Collection[str] = (), texts: Sequence[str] = ()) -> RenderableType:
    """Return a scene in colors, with `marked` spaces, and `texts` as lines in the panel."""
    wearing = seat_colors(owners(scene))
    if not scene.spaces:
        lists = (*_panel(scene, wearing, WIDTH), Text(), *_lists(scene, WIDTH))
        return Text("\n").join([*lists, *map(Text, texts)])
    board = _board(scene, wearing, marked)
    room = WIDTH - max(len(line) for line in board.plain.split("\n")) - _BETWEEN
    side_panel = [*_panel(scene, wearing, max(room, _LEAST))]
    below = [*_lists(scene, room if room >= _ENOUGH else WIDTH)]
    if room >= _ENOUGH:
        side_panel, below = [*side_panel, *below], []
    sheet = Table.grid(padding=(0, _BETWEEN))
    sheet.add_row(board, Text("\n").join([*side_panel, *map(Text, texts)]))
    return Group(sheet, *below)


def _panel(scene: Scene, wearing: Mapping[str, PieceColors], width: int) -> Iterator[Text]:
    """Yield the lines of the panel: caption, colors of the seats, tracks."""
    for line in wrap(scene.caption, width):
        yield Text(line, "bold")
    if seats := sorted(owners(scene)):
        named = (_dot(wearing[seat]).append(seat_name(seat)) for seat in seats)
        yield Text("  ").join(named)
    yield from map(Text, track_lines(scene, TextSymbols(scene), width))


def _lists(scene: Scene, width: int) -> Iterator[Text]:
    """Yield the lines of the zones and of the legend."""
    signs = TextSymbols(scene)
    for lines in (zone_lines(scene, signs, width), legend_lines(scene, signs, width)):
        yield from map(Text, lines)
        if lines:
            yield Text()


def _dot(color: PieceColors) -> Text:
    tile = Style(color=color.fill, bgcolor=GROUND["dark"])
    return Text.assemble(("▐▌", tile), " ")


def _board(scene: Scene, wearing: Mapping[str, PieceColors], marked: Collection[str]) -> Text:
    board = grid(scene.spaces)
    standing = pieces_by_place(scene)
    colours = ground_colors(space.kind for space in scene.spaces) | GROUND
    width = max(len(_marks(space, standing)) for space in scene.spaces)
    width = max(width, *map(len, board.files.values())) if board.files else width
    margin = max(map(len, board.ranks.values()), default=0)
    lines = []
    for y in board.rows:
        line = Text(f"{board.ranks.get(y, ''):>{margin}} ", FAINT)
        for x in board.columns:
            space = board.at.get((x, y))
            if space is None:
                line.append(" " * (width + 2))
                continue
            is_marked = space.id in marked
            ground = Style(bgcolor=MARKED if is_marked else colours[space.kind])
            cell = _cell(space, standing, wearing, ground, is_marked=is_marked)
            line.append_text(cell).append(" " * (width + 2 - len(cell)), ground)
        lines.append(line)
    if board.files:
        names = "".join(f" {board.files.get(x, ''):{width}} " for x in board.columns)
        lines.append(Text(f"{'':{margin}} {names}", FAINT))
    return Text("\n").join(lines)


def _marks(space: Space, standing: Mapping[str, Sequence[Piece]]) -> str:
    """Return the glyphs of the pieces on a space, or else the text of the space."""
    return "".join(piece.glyph for piece in standing.get(space.id, ())) or space_text(space)


def _cell(
    space: Space,
    standing: Mapping[str, Sequence[Piece]],
    wearing: Mapping[str, PieceColors],
    ground: Style,
    *,
    is_marked: bool,
) -> Text:
    pieces = standing.get(space.id, ())
    # Brackets mark a space for viewers who cannot distinguish colors.
    opening, closing = "[]" if is_marked else "  "
    if not pieces:
        return Text.assemble((f"{opening}{space_text(space)}{closing}", ground + FAINT))
    # Half blocks at both ends make a tile that leaves a little of the background visible.
    first, last = (wearing[piece.owner].fill for piece in (pieces[0], pieces[-1]))
    if not is_marked:
        opening, closing = "▐▌"
    cell = Text(opening, Style(color=first) + ground)
    for piece in pieces:
        color = wearing[piece.owner]
        cell.append(piece.glyph, Style(color=color.ink, bgcolor=color.fill, bold=True))
    return cell.append(closing, Style(color=last) + ground)
