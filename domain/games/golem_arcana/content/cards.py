"""What a content pack holds: tables, factions, cards, tiles, scenarios."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field

from domain.games.golem_arcana.content.vocabulary import (
    Ability,
    AncientPower,
    AnyEffect,
    Aura,
    Id,
    Name,
    Natural,
    Passive,
    Positive,
    Power,
    Size,
)

Arcanum = Id
Seat = Literal["south", "north", "east", "west"]
SEATS: Final[tuple[Seat, ...]] = ("south", "north", "east", "west")
Region = Annotated[str, Meta(pattern="^[a-z][1-9][0-9]?$")]
RegionList = Annotated[str, Meta(pattern="^[a-z][1-9][0-9]?(:[a-z][1-9][0-9]?)?$")]
"""A Region, or a rectangle of them as `a1:c2`."""


class _Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`source` says where an entry comes from; `rulebook` and `house` list what differs."""

    id: Id
    name: Name
    source: str
    rulebook: tuple[str, ...] = ()
    house: tuple[str, ...] = ()


class Faction(_Entry, frozen=True, kw_only=True):
    """A side in the war, and the arcana whose Golems serve it."""

    arcana: tuple[Arcanum, ...]


class GolemCard(_Entry, frozen=True, kw_only=True):
    """A type of Golem."""

    arcanum: Arcanum
    size: Size
    apv: Natural
    hp: Positive
    armor: Natural
    dodge: Natural
    ability: tuple[Ability, ...]
    passive: tuple[Passive, ...] = ()


class KnightCard(_Entry, frozen=True, kw_only=True):
    """A Knight; its abilities and passives are added to its Golem's."""

    apv: Natural
    factions: tuple[Id, ...]
    ability: tuple[Ability, ...] = ()
    passive: tuple[Passive, ...] = ()


class AncientCard(_Entry, frozen=True, kw_only=True):
    """An Ancient One with its powers."""

    apv: Natural
    factions: tuple[Id, ...]
    power: tuple[AncientPower, ...]


class ConstructCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a Relic places on the board."""

    name: Name
    hp: Positive
    armor: Natural
    dodge: Natural
    aura: tuple[Aura, ...] = ()


class RelicCard(_Entry, frozen=True, kw_only=True):
    """A Relic: its size in Base Sizes, and how often its ability can be used.

    Without `charges` only its price limits that.
    """

    size: Positive
    apv: Natural
    charges: Positive | None = None
    arcana: tuple[Arcanum, ...] = ()
    """Of which its carrier must be; none for any."""
    ability: Power
    construct: ConstructCard | None = None
    passive: tuple[Passive, ...] = ()


class Tables(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rulebook's tables."""

    base_size: dict[Size, Positive]
    capacity: dict[Literal["region"], Positive]
    ap_pool: dict[str, Positive]
    walk_cost: dict[
        Literal[
            "plain", "ground", "medium", "elevated", "obstructed", "shallow", "deep", "pit", "swamp"
        ],
        Positive,
    ]
    cover: dict[Literal["ground", "shallow", "medium", "deep", "pit", "heavy"], dict[Size, Natural]]
    kill_vp: dict[Literal[Size, "construct"], Natural]


class Tile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A face of a map tile: three rows of three Regions, the north row first."""

    id: Annotated[str, Meta(pattern="^[0-9]+[AB]$")]
    set: Positive
    rows: Annotated[tuple[str, ...], Meta(min_length=3, max_length=3)]
    source: str


class MusteredGolem(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A Golem of an army, with what it carries; `at` where a scenario fixes its place."""

    type: Annotated[str, Meta(max_length=40)]
    knight: Annotated[str, Meta(max_length=40)] | None = None
    relic: Annotated[str, Meta(max_length=40)] | None = None
    at: Region | None = None


class Army(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An army as it is built: not yet checked."""

    faction: Annotated[str, Meta(max_length=40)]
    golems: Annotated[tuple[MusteredGolem, ...], Meta(max_length=99)] = ()
    ancients: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=99)] = ()


class Well(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Mana Well: what it gives on its large and on its small side."""

    at: Region
    start: Natural
    depleted: Natural


class Location(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Regions that give Victory Points to who holds them."""

    name: Name
    regions: tuple[RegionList, ...]
    vp: Positive


class Reserve(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many Golems may be held back, from which Round they enter and for how many AP."""

    max: Natural = 0
    round: Natural = 2
    ap: Natural = 1


class EncounterChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to do in an encounter."""

    label: Name
    effects: tuple[AnyEffect, ...]


class Encounter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something hidden on the board."""

    id: Id
    name: Name
    candidates: Annotated[tuple[Region, ...], Meta(min_length=1)]
    effects: tuple[AnyEffect, ...] = ()
    choices: tuple[EncounterChoice, ...] = ()


class _Quest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    id: Id
    name: Name
    vp: Positive


class HoldQuest(_Quest, frozen=True, kw_only=True, tag="hold"):
    """Hold Regions, as a location is held."""

    regions: tuple[RegionList, ...]


class DestroyQuest(_Quest, frozen=True, kw_only=True, tag="destroy"):
    """Destroy a Golem of this size or larger."""

    size: Size


class ManaQuest(_Quest, frozen=True, kw_only=True, tag="mana"):
    """Have so much Mana in one's Upkeep."""

    amount: Positive


SecretQuest = HoldQuest | DestroyQuest | ManaQuest


class Lesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a tutorial. Those without `asked` are taken one after the other: the first that is
    not done is told; the last may have no end. One with `asked` is told whenever that is asked."""

    text: Annotated[str, Meta(min_length=1, max_length=240, pattern="^[ -~]+$")]
    until: Literal["moved", "attacked", "destroyed"] | None = None
    """It is done when a Golem of the seat that is to act is no more where it began, or an enemy
    has lost Hit Points or an attack cools, or an enemy Golem is destroyed."""
    round: Positive | None = None
    """It is done when this Round has begun."""
    asked: Literal["dice", "displace", "step", "choose", "deploy"] | None = None


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who fights, where, for how long, and for what."""

    id: Id
    name: Name
    about: str
    source: str
    seats: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=4)]
    apv: Positive
    rounds: Natural
    elimination: Literal["win", "vp", "continue"]
    build: bool = False
    board: tuple[tuple[str, ...], ...] | None = None
    grid: tuple[str, ...] | None = None
    vp_target: Positive | None = None
    ap: Positive | None = None
    kill_vp: dict[Literal[Size, "construct"], Natural] | None = None
    mana_percent: Annotated[int, Meta(ge=0, le=100)] = 20
    start_vp: dict[Seat, Natural] = {}
    zone: dict[Seat, tuple[RegionList, ...]] = {}
    wells: tuple[Well, ...] = ()
    locations: tuple[Location, ...] = field(name="location", default=())
    reserve: Reserve = Reserve()
    armies: dict[Seat, Army] = field(name="army", default={})
    encounters: tuple[Encounter, ...] = field(name="encounter", default=())
    quests: tuple[SecretQuest, ...] = field(name="quest", default=())
    lessons: tuple[Lesson, ...] = field(name="lesson", default=())
    """A tutorial walks a beginner through these."""


class PackHead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name of a pack."""

    id: Id
    version: Annotated[str, Meta(min_length=1, max_length=20)]


Raw = dict[str, Any]
"""A table as TOML gives it."""
