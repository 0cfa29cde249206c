"""How a scenario's board is laid from map tiles, and how lists of Regions are read."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from domain.games.golem_arcana.battle.board import (
    COLUMNS,
    MOST_ROWS,
    Board,
    Terrain,
    read_terrain,
    turned,
)
from domain.games.golem_arcana.content.cards import Scenario, Tile

_FACE: Final = re.compile(r"([0-9]+[AB])(?::([0-3]))?")
_REGIONS: Final = re.compile(r"([a-z])([1-9][0-9]?)(?::([a-z])([1-9][0-9]?))?")


class LayoutError(ValueError):
    """A board that cannot be laid; `key` names what is wrong."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(why)
        self.key = key


def lay_out(scenario: Scenario, tiles: Mapping[str, Tile]) -> Board:
    """The board of a scenario. Raises LayoutError where it cannot be laid."""
    if (scenario.board is None) == (scenario.grid is None):
        raise LayoutError("board", "a scenario has either board or grid")
    if scenario.grid is not None:
        rows = [_terrains(row, "grid") for row in scenario.grid]
        key = "grid"
    else:
        rows = [row for line in scenario.board or () for row in _across(line, tiles)]
        key = "board"
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise LayoutError(key, "the rows must be of one length, and not empty")
    if len(rows) > MOST_ROWS or len(rows[0]) > len(COLUMNS):
        raise LayoutError(key, f"at most {len(COLUMNS)} columns and {MOST_ROWS} rows")
    return Board(rows)


def _across(line: Iterable[str], tiles: Mapping[str, Tile]) -> Iterator[list[Terrain]]:
    """The three rows of Regions of a row of tiles."""
    faces = [_face(face, tiles) for face in line]
    for n in range(3):
        yield [terrain for face in faces for terrain in face[n]]


def _face(face: str, tiles: Mapping[str, Tile]) -> list[list[Terrain]]:
    found = _FACE.fullmatch(face)
    if found is None or found[1] not in tiles:
        raise LayoutError("board", f"{face!r} is no face of a tile, as 3A or 3A:1 are")
    rows = [_terrains(row, "board") for row in tiles[found[1]].rows]
    return turned(rows, int(found[2] or 0))


def _terrains(row: str, key: str) -> list[Terrain]:
    return [_terrain(letters, key) for letters in row.split()]


def _terrain(letters: str, key: str) -> Terrain:
    terrain = read_terrain(letters)
    if terrain is None:
        raise LayoutError(key, f"{letters!r} is no terrain, as P, Eg, O2, S, X are")
    return terrain


def expand(lists: Iterable[str], board: Board) -> Iterator[str]:
    """The Regions in lists that may hold rectangles, in order of columns, then rows.

    Raises LayoutError for a Region that is not on the board.
    """
    found: set[str] = set()
    for text in lists:
        corners = _REGIONS.fullmatch(text)
        if corners is None:
            raise LayoutError("regions", f"{text!r} is no Region and no rectangle, as a1:c2 is")
        x0, y0 = COLUMNS.index(corners[1]), int(corners[2])
        x1, y1 = (COLUMNS.index(corners[3]), int(corners[4])) if corners[3] else (x0, y0)
        covered = [f"{COLUMNS[x]}{y}" for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
        if not covered or any(region not in board.number for region in covered):
            raise LayoutError("regions", f"{text!r} is not on the board")
        found.update(covered)
    return iter(sorted(found, key=board.number.__getitem__))
