"""Armies: what players build before a match, and how each side stands in one.

Only some games have them. What is here names no game's ideas, so that frontends need to know none:
an army is whatever the game's own type says, and everything about it is told in texts and numbers.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.kernel.scene import Track

M = TypeVar("M")  # an army, as the game writes it down
C = TypeVar("C")  # the constraints for which it is built


class ArmyFault(Struct, frozen=True, order=True):
    """Why an army may not serve."""

    rule: str
    path: str
    """Which part of the army, as `golems[1].type`; for a sum, what it comes to: `total=530`."""
    why: str
    """This case, in a player's words."""

    def __str__(self) -> str:
        return f"{self.rule} {self.path}"


class ArmyReport(Struct, frozen=True):
    """What is to be said of an army: it may serve if there are no faults."""

    faults: tuple[ArmyFault, ...]
    """All of them at once, sorted."""
    points: int
    """What it is worth; what does not exist is worth nothing."""
    limit: int | None = None
    """What it may be worth, where the constraints says so."""


class CatalogEntry(Struct, frozen=True, omit_defaults=True):
    """A thing that an army can have, or that there is to know when one is built."""

    kind: str
    """The game's word for it, as `golem`."""
    id: str
    """By which an army names it; unique among those of its kind."""
    name: str
    description: str
    """What the entry does, in one line."""
    factions: tuple[str, ...] = ()
    """Who may field it; empty if that is not restricted."""
    size: str = ""
    points: int = 0
    attributes: dict[str, str] = {}
    lines: tuple[str, ...] = ()
    """What it does, line by line as it is printed on a card; empty if `description` says all."""


class Armies(Struct, Generic[M, C], frozen=True, kw_only=True):
    """The part of a game that is about building armies."""

    army: type[M]
    """A frozen Struct; decoding it does not check the army yet."""
    constraints: type[C]
    """A frozen Struct with a default for every field: what an army is built for. Its fields are
    options of a match, of the same names."""
    check: Callable[[M, C], ArmyReport]
    catalog: Callable[[C], tuple[CatalogEntry, ...]]
    """Everything there is, in the order in which people should read it."""
    set_army: Callable[[Mapping[str, Any], str, Any], dict[str, Any]]
    """The options of a match (as they were given, not decoded) with this army for a seat."""
    army_of: Callable[[Mapping[str, Any], str], Any]
    """The army that such options have for a seat; None if they have none for it."""


AnyArmies = Armies[Any, Any]


class StatusRow(Struct, frozen=True, omit_defaults=True):
    """Something that a unit or a side has: an ability, an effect, a rider."""

    kind: str
    """The game's word for it, as `ability`."""
    id: str
    name: str
    attributes: dict[str, str] = {}
    """As `cost` and `left`: figures, and what they count."""


class UnitStatus(Struct, frozen=True, omit_defaults=True):
    """A unit as it stands, or stood before it was lost."""

    id: str
    """Of its piece in the scene, while it has one."""
    kind: str
    name: str
    where: str = ""
    """The id of its space; another word where it is on none."""
    tracks: tuple[Track, ...] = ()
    rows: tuple[StatusRow, ...] = ()
    attributes: dict[str, str] = {}


class SideStatus(Struct, frozen=True, omit_defaults=True):
    """One side, as a viewer may see it."""

    seat: str
    tracks: tuple[Track, ...] = ()
    units: tuple[UnitStatus, ...] = ()
    losses: tuple[UnitStatus, ...] = ()
    rows: tuple[StatusRow, ...] = ()
    """What belongs to the side, and to none of its units."""
