"""The board in characters: a grid with columns as wide as their content."""

from typing import Final

from domain.kernel.scene import Scene, Space
from projections.drawing.layout import Grid, Places, grid, pieces_by_place, space_text
from projections.drawing.markup import clean
from projections.drawing.text.lists import TextSymbols

EMPTY_SPACE: Final = "."
"""The character of an empty space."""


def board_lines(scene: Scene, symbols: TextSymbols, width: int) -> list[str]:
    """Return the rows from top to bottom with their names, then the names of the columns."""
    if not scene.spaces:
        return []
    board = grid(scene.spaces)
    margin = max(map(len, board.ranks.values()), default=0)
    # At least one character per space, and one between two spaces.
    limit = max((width - margin) // len(board.columns) - 1, 1)
    rows = _cell_rows(scene, board, symbols, limit)
    # The mark of a space uses the gap behind it.
    trailing = symbols.trailing
    shown = [line for cells in rows.values() for cell in cells for line in cell]
    wide = max(len(line) - (line[-1:] in trailing) for line in shown)
    wide = min(max(wide, *map(len, board.files.values()), 1), limit)
    lines = []
    for y, cells in rows.items():
        for number in range(max(map(len, cells))):
            name = board.ranks.get(y, "") if number == 0 else ""
            shown = [cell[number] if number < len(cell) else "" for cell in cells]
            lines.append(_join_cells(name, margin, shown, wide))
    if board.files:
        files = [board.files.get(x, "") for x in board.columns]
        lines.append(_join_cells("", margin, [name[:wide] for name in files], wide))
    return [line[:width] for line in lines]


def _join_cells(name: str, margin: int, cells: list[str], wide: int) -> str:
    return f"{name.rjust(margin)} {''.join(cell.ljust(wide + 1) for cell in cells)}".rstrip()


def _cell_rows(
    scene: Scene, board: Grid, symbols: TextSymbols, limit: int
) -> dict[int, list[list[str]]]:
    """Return the cells of each row as lines; wide content is split over several lines."""
    by_place = pieces_by_place(scene)
    found = {}
    for y in board.rows:
        cells = []
        for x in board.columns:
            space = board.at.get((x, y))
            cells.append([""] if space is None else _cell_lines(space, by_place, symbols, limit))
        found[y] = cells
    return found


def _cell_lines(space: Space, by_place: Places, symbols: TextSymbols, limit: int) -> list[str]:
    """Return the lines of a space: its pieces, or else its label, with marks."""
    pieces = by_place.get(space.id, ())
    shown = [symbols.piece_with_marks(piece) for piece in pieces]
    if not shown:
        shown = [clean(space_text(space)) or EMPTY_SPACE]
    before, after = symbols.marks_around_space(space.id, pieces)
    shown[0], shown[-1] = before + shown[0], shown[-1] + after
    lines = [""]
    for glyph in shown:
        if lines[-1] and len(lines[-1]) + len(glyph) > limit:
            lines.append("")
        lines[-1] += glyph
    return [line if len(line) <= limit else f"{line[: limit - 1]}…" for line in lines]
