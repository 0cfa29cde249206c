"""Armies that players build before a match, and the status of each side during one.

Some games have armies. These types describe them in texts and numbers, so that a frontend needs no
knowledge of the game; the army itself is of the game's own type.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.kernel.scene import Track

M = TypeVar("M")  # the game's type of an army
C = TypeVar("C")  # the game's type of the constraints on an army


class ArmyFault(Struct, frozen=True, order=True):
    """One reason why an army is not allowed."""

    rule: str
    path: str
    """The part of the army, such as `golems[1].type`; for a sum, its value: `total=530`."""
    why: str
    """The reason in a player's words."""

    def __str__(self) -> str:
        return f"{self.rule} {self.path}"


class ArmyReport(Struct, frozen=True):
    """The result of checking an army: it is allowed if there are no faults."""

    faults: tuple[ArmyFault, ...]
    """All faults in sorted order."""
    points: int
    """The army's points; unknown units count 0."""
    limit: int | None = None
    """The most points that the constraints allow; None without a limit."""


class CatalogEntry(Struct, frozen=True, omit_defaults=True):
    """A unit, upgrade or rule in the catalog from which armies are built."""

    kind: str
    """The game's word for the kind of entry, such as `golem`."""
    id: str
    """The id that an army uses; unique among entries of its kind."""
    name: str
    description: str
    """What the entry does, in one line."""
    factions: tuple[str, ...] = ()
    """Factions that may use the entry; empty if all may."""
    size: str = ""
    points: int = 0
    attributes: dict[str, str] = {}
    lines: tuple[str, ...] = ()
    """The lines printed on its card; empty if `description` says all."""


class Armies(Struct, Generic[M, C], frozen=True, kw_only=True):
    """A game's functions for building armies."""

    army: type[M]
    """A frozen Struct. Decoding does not check the army; `check` does."""
    constraints: type[C]
    """A frozen Struct with a default for every field. Its fields are match options of the same
    names, against which an army is checked."""
    check: Callable[[M, C], ArmyReport]
    catalog: Callable[[C], tuple[CatalogEntry, ...]]
    """Returns all entries, in reading order."""
    set_army: Callable[[Mapping[str, Any], str, Any], dict[str, Any]]
    """Returns the undecoded match options with this army for a seat."""
    army_of: Callable[[Mapping[str, Any], str], Any]
    """Returns the army of a seat in undecoded match options, or None."""


AnyArmies = Armies[Any, Any]


class StatusRow(Struct, frozen=True, omit_defaults=True):
    """Something that a unit or a side has: an ability, an effect, a rider."""

    kind: str
    """The game's word for the kind of row, such as `ability`."""
    id: str
    name: str
    attributes: dict[str, str] = {}
    """Figures by name, such as `cost` and `left`."""


class UnitStatus(Struct, frozen=True, omit_defaults=True):
    """The state of a unit, or its last state if it was lost."""

    id: str
    """The ID of the unit's piece in the scene, while it has one."""
    kind: str
    name: str
    where: str = ""
    """The id of its space, or the game's word for a place off the board."""
    tracks: tuple[Track, ...] = ()
    rows: tuple[StatusRow, ...] = ()
    attributes: dict[str, str] = {}


class SideStatus(Struct, frozen=True, omit_defaults=True):
    """The status of one side, as a viewer may see it."""

    seat: str
    tracks: tuple[Track, ...] = ()
    units: tuple[UnitStatus, ...] = ()
    losses: tuple[UnitStatus, ...] = ()
    rows: tuple[StatusRow, ...] = ()
    """Rows of the side that belong to no unit."""
