"""The board seen from its far side: turned half round, with all that is written on it upright."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final, TypeVar

from msgspec.structs import replace

from domain.kernel.scene import Place, Scene, Space, Track, Zone

Owned = TypeVar("Owned", Zone, Track)
_OPPOSITE: Final[dict[Place, Place]] = {"left": "right", "right": "left"}
"""Zones beside the board stay at the hand of their player. What is above or below it is read before
or after it, from whichever side."""
_ARROWS: Final = str.maketrans("↑↗→↘↓↙←↖", "↓↙←↖↑↗→↘")
"""Arrows point across the board, so they turn with it."""


def turned(scene: Scene) -> Scene:
    """The scene as who sits on the far side of its board sees it. Ids stay as they are; spaces and
    zones lie elsewhere, and what belongs to the seats is listed from that side: the last one's
    first.

    What empty columns keep apart from the board, as grids beside it, stays beside it on the same
    side: it is turned in its own columns.
    """
    if not scene.spaces:
        return scene
    across = _columns({space.x for space in scene.spaces})
    rows = [space.y for space in scene.spaces]
    up = min(rows) + max(rows)
    of_seats: tuple[Track | Zone, ...] = (*scene.tracks, *scene.zones)
    owners = tuple(dict.fromkeys(each.owner for each in of_seats))
    return replace(
        scene,
        spaces=tuple(_space(space, across[space.x], up) for space in scene.spaces),
        zones=_from_the_last(tuple(map(_zone, scene.zones)), owners),
        tracks=_from_the_last(scene.tracks, owners),
    )


def _space(space: Space, x: int, up: int) -> Space:
    return replace(space, x=x, y=up - space.y, label=space.label.translate(_ARROWS))


def _zone(zone: Zone) -> Zone:
    return replace(zone, place=_OPPOSITE.get(zone.place, zone.place))


def _from_the_last(listed: tuple[Owned, ...], owners: tuple[str, ...]) -> tuple[Owned, ...]:
    """What has an owner, in the places where such was listed, the last owner's first; what nobody
    owns stays in its place, and so does what is told of a piece."""
    owned = [each for each in listed if _has_owner(each)]
    turns = iter(sorted(owned, key=lambda each: -owners.index(each.owner)))
    return tuple(next(turns) if _has_owner(each) else each for each in listed)


def _has_owner(listed: Zone | Track) -> bool:
    return bool(listed.owner) and (isinstance(listed, Zone) or not listed.piece)


def _columns(used: set[int]) -> dict[int, int]:
    """Where each column goes: mirrored within those that no empty column parts from it."""
    return {x: min(run) + max(run) - x for run in _runs(used) for x in run}


def _runs(used: set[int]) -> Iterator[list[int]]:
    """Columns in groups of neighbours."""
    for _, group in groupby(enumerate(sorted(used)), lambda each: each[1] - each[0]):
        yield [x for _, x in group]
