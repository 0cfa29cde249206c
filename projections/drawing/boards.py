"""Scenes with several boards on the plane of the main one, for drawings that have only one plane.

Drawings know fewer words than scenes: marks by space or by piece, and zones beside the board.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.kernel.scene import Mark, MarkKind, Place, Scene, Space

_DRAWN_MARKS: Final[dict[MarkKind, MarkKind]] = {"asked": "selected"}
_DRAWN_PLACES: Final[dict[Place, Place]] = {"prompt": "mat"}


def on_one_plane(scene: Scene) -> Scene:
    """Return the scene in the words of drawings.

    Boards beside the main one are at its right: that of the first side level with its lower edge,
    those of others turned by half and level with its upper edge. Their spaces have their board as
    kind.
    """
    spaces = scene.spaces
    if any(space.zone for space in spaces):
        spaces = tuple(_placed(scene))
    zones = scene.zones
    if any(zone.place in _DRAWN_PLACES for zone in zones):
        zones = tuple(
            replace(zone, place=_DRAWN_PLACES.get(zone.place, zone.place)) for zone in zones
        )
    marks = scene.marks
    if any(mark.at for mark in marks):
        pieces = {piece.id for piece in scene.pieces}
        marks = tuple(each for mark in marks for each in _drawn_marks(mark, pieces))
    return replace(scene, spaces=spaces, zones=zones, marks=marks)


def _placed(scene: Scene) -> Iterator[Space]:
    side_boards = {zone.id: zone for zone in scene.zones if zone.place == "side"}
    main = [space for space in scene.spaces if space.zone not in side_boards]
    yield from main
    left = max(space.x for space in main) + 2
    bottom, top = min(space.y for space in main), max(space.y for space in main)
    first = scene.sides[0].seat if scene.sides else ""
    for zone in side_boards.values():
        own = [space for space in scene.spaces if space.zone == zone.id]
        x, y = min(space.x for space in own), min(space.y for space in own)
        right = max(space.x for space in own)
        for space in own:
            across, up = space.x - x, space.y - y
            at = (left + across, bottom + up)
            if zone.owner not in ("", first):
                at = (left + right - x - across, top - up)
            yield replace(space, x=at[0], y=at[1], kind=zone.id, zone="")


def _drawn_marks(mark: Mark, pieces: set[str]) -> Iterator[Mark]:
    """Yield a mark for each piece or space."""
    if not mark.at:
        yield mark
        return
    kind = _DRAWN_MARKS.get(mark.kind, mark.kind)
    for each in mark.at:
        yield Mark(kind, piece=each) if each in pieces else Mark(kind, each)
