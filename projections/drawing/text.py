"""A scene as text, for a terminal with a fixed-width font. No colours, no control characters."""

from typing import Final

from domain.kernel.scene import Scene
from projections.drawing.layout import (
    contents,
    grid,
    pieces_by_place,
    reading,
    written_on,
)

FREE: Final = "."
"""A space with nothing on it."""


def draw(scene: Scene) -> str:
    r"""The board, then the zones, the tracks and the caption; lines end in \n."""
    sections = (_board(scene), _zones(scene), _tracks(scene), [scene.caption])
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections if lines)


def _board(scene: Scene) -> list[str]:
    if not scene.spaces:
        return []
    board = grid(scene.spaces)
    standing = pieces_by_place(scene)

    def cell(x: int, y: int) -> str:
        space = board.at.get((x, y))
        if space is None:
            return ""
        return "".join(p.glyph for p in standing.get(space.id, ())) or written_on(space) or FREE

    rows = [[board.ranks.get(y, ""), *(cell(x, y) for x in board.columns)] for y in board.rows]
    if board.files:
        rows.append(["", *(board.files.get(x, "") for x in board.columns)])
    margin = max(len(row[0]) for row in rows)
    width = max(len(text) for row in rows for text in row[1:])
    return [
        " ".join([row[0].rjust(margin), *(text.ljust(width) for text in row[1:])]).rstrip()
        for row in rows
    ]


def _zones(scene: Scene) -> list[str]:
    lying = pieces_by_place(scene)
    return [
        f"{zone.name}: {', '.join(contents(lying.get(zone.id, ()))) or 'empty'}"
        for zone in scene.zones
    ]


def _tracks(scene: Scene) -> list[str]:
    width = max((len(track.name) for track in scene.tracks), default=0)
    return [f"{track.name.ljust(width)}  {reading(track)}" for track in scene.tracks]
