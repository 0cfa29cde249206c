"""The board seen from the side of who looks: turned half round or by a quarter, with all that is
written on it upright."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import AnyGame
from domain.kernel.scene import Place, Scene, Side, Space, Track, Zone

Owned = TypeVar("Owned", Zone, Track)
_SIDES: Final[tuple[Side, ...]] = get_args(Side)
"""By how many quarters clockwise the board is turned to be seen from each."""
HALF_TURN: Final = 2
"""In quarters."""
_OPPOSITE: Final[dict[Place, Place]] = {"left": "right", "right": "left"}
"""Zones beside the board stay at the hand of their player. What is above or below it is read before
or after it, from whichever side."""
_ARROWS: Final = "↑↗→↘↓↙←↖"
"""Arrows point across the board, so they turn with it."""


class Orientation(Struct, frozen=True):
    """From where a board is seen."""

    quarters: int = 0
    """By how many quarters it is turned, clockwise: 0 to 3."""
    nearest: str = ""
    """The seat that sits at the lower edge of what is seen; empty: none."""


def orientation_for(
    game: AnyGame, viewer: str, *, across: bool = False, near: bool = False
) -> Orientation:
    """From where a viewer sees the boards of a game: from the own side, from across that, or from
    the near side, where who sits nowhere looks from too."""
    side = "near" if near else game.sides.get(viewer, "near")
    quarters = (_SIDES.index(side) + (HALF_TURN if across else 0)) % len(_SIDES)
    seats = (seat for seat, each in game.sides.items() if each == _SIDES[quarters])
    return Orientation(quarters, next(seats, ""))


def rotate_scene(scene: Scene, seen: Orientation) -> Scene:
    """The scene as it is seen from there. Ids stay as they are; spaces and zones lie elsewhere, and
    of what belongs to the seats that of the nearest is listed first.

    What empty columns keep apart from the board, as grids beside it, stays beside it on the same
    side if that is turned half round: it is turned in its own columns. A quarter turn takes along
    all that lies on the plane.
    """
    if not scene.spaces:
        return scene
    return replace(
        scene,
        spaces=_rotate_spaces(scene.spaces, seen.quarters),
        zones=_nearest_first(_rotate_zones(scene.zones, seen.quarters), seen.nearest),
        tracks=_nearest_first(scene.tracks, seen.nearest),
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
    """What has an owner, in the places where such was listed, that of this seat first; what nobody
    owns stays in its place, and so does what is told of a piece."""
    owned = [each for each in listed if _has_owner(each)]
    turns = iter(sorted(owned, key=lambda each: each.owner != nearest))
    return tuple(next(turns) if _has_owner(each) else each for each in listed)


def _has_owner(listed: Zone | Track) -> bool:
    return bool(listed.owner) and (isinstance(listed, Zone) or not listed.piece)


def _mirrored_columns(used: set[int]) -> dict[int, int]:
    """Where each column goes: mirrored within those that no empty column parts from it."""
    return {x: min(run) + max(run) - x for run in _adjacent_columns(used) for x in run}


def _adjacent_columns(used: set[int]) -> Iterator[list[int]]:
    """Columns in groups of neighbours."""
    for _, group in groupby(enumerate(sorted(used)), lambda each: each[1] - each[0]):
        yield [x for _, x in group]
