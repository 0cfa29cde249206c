"""The board seen from a player's side: rotated by half or quarter turns, with upright labels."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import AnyGame
from domain.kernel.scene import Edge, Place, Scene, Space, Track, Zone
from projections.drawing.boards import on_one_plane

Owned = TypeVar("Owned", Zone, Track)
_SIDES: Final[tuple[Edge, ...]] = get_args(Edge)
"""Sides of the board; the index is the number of clockwise quarter turns to see the board from
there."""
HALF_TURN: Final = 2
"""Half a turn, in quarter turns."""
_OPPOSITE: Final[dict[Place, Place]] = {"left": "right", "right": "left"}
"""Zones at the left or right of the board stay at the same hand of their player. Zones above or
below it keep their place from every side."""
_ARROWS: Final = "↑↗→↘↓↙←↖"
"""Arrows point across the board, so they rotate with it."""


class Orientation(Struct, frozen=True):
    """The side from which a board is seen."""

    quarters: int = 0
    """Clockwise quarter turns of the board, from 0 to 3."""
    nearest: str = ""
    """The seat at the lower edge of the rotated board; empty for none."""


def orientation_for(
    game: AnyGame, viewer: str, *, across: bool = False, near: bool = False
) -> Orientation:
    """Return the orientation in which a viewer sees the boards of a game.

    Args:
        game: The game, which names the side of each seat.
        viewer: A seat, or a spectator with the view from the near side.
        across: Whether to look from the opposite side.
        near: Whether the near side replaces the side of the viewer.
    """
    side = "near" if near else game.sides.get(viewer, "near")
    quarters = (_SIDES.index(side) + (HALF_TURN if across else 0)) % len(_SIDES)
    seats = (seat for seat, each in game.sides.items() if each == _SIDES[quarters])
    return Orientation(quarters, next(seats, ""))


def rotate_scene(scene: Scene, orientation: Orientation) -> Scene:
    """Return the scene rotated to an orientation. Ids do not change.

    The zones and tracks of the nearest seat come before those of other seats. In a half turn,
    groups of columns that an empty column separates keep their places, and each group is mirrored
    within itself. A quarter turn rotates all spaces together.
    """
    if not scene.spaces:
        return scene
    scene = on_one_plane(scene)
    return replace(
        scene,
        spaces=_rotate_spaces(scene.spaces, orientation.quarters),
        zones=_nearest_first(_rotate_zones(scene.zones, orientation.quarters), orientation.nearest),
        tracks=_nearest_first(scene.tracks, orientation.nearest),
    )


def _rotate_spaces(spaces: tuple[Space, ...], quarters: int) -> tuple[Space, ...]:
    xs, ys = [space.x for space in spaces], [space.y for space in spaces]
    right, up = min(xs) + max(xs), min(ys) + max(ys)
    by = 2 * quarters
    arrows = str.maketrans(_ARROWS, _ARROWS[by:] + _ARROWS[:by])
    across = _mirrored_columns(set(xs))

    def turn(space: Space) -> Space:
        x, y = space.x, space.y
        match quarters:
            case 1:
                x, y = y, right - x
            case 2:
                x, y = across[x], up - y
            case 3:
                x, y = up - y, x
        return replace(space, x=x, y=y, label=space.label.translate(arrows))

    return tuple(map(turn, spaces))


def _rotate_zones(zones: tuple[Zone, ...], quarters: int) -> tuple[Zone, ...]:
    if quarters != HALF_TURN:
        return zones
    return tuple(replace(zone, place=_OPPOSITE.get(zone.place, zone.place)) for zone in zones)


def _nearest_first(listed: tuple[Owned, ...], nearest: str) -> tuple[Owned, ...]:
    """Return the items with those of the nearest seat before those of other seats.

    Items without an owner, and tracks of pieces, keep their places.
    """
    owned = [each for each in listed if _has_owner(each)]
    turns = iter(sorted(owned, key=lambda each: each.owner != nearest))
    return tuple(next(turns) if _has_owner(each) else each for each in listed)


def _has_owner(listed: Zone | Track) -> bool:
    return bool(listed.owner) and (isinstance(listed, Zone) or not listed.piece)


def _mirrored_columns(used: set[int]) -> dict[int, int]:
    """Return the new place of each column, mirrored within its group of adjacent columns."""
    return {x: min(run) + max(run) - x for run in _adjacent_columns(used) for x in run}


def _adjacent_columns(used: set[int]) -> Iterator[list[int]]:
    """Yield adjacent columns in groups."""
    for _, group in groupby(enumerate(sorted(used)), lambda each: each[1] - each[0]):
        yield [x for _, x in group]
