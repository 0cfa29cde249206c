"""What there is in a battle: options, seats, Golems, what lies on the board, what is waited for."""

from functools import lru_cache
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.games.golem_arcana.battle.sides import LONE, SIDES_IN_WORDS, Teams
from domain.games.golem_arcana.content.cards import SEATS, Region, Seat
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.vocabulary import Id, Natural, Stat, Way
from domain.kernel.options import option

INITIAL: Final[dict[str, Seat]] = {seat[0]: seat for seat in SEATS}
"""The seat whose units' ids begin with this letter."""

OFF: Final = "off"
"""Where a Golem in reserve is."""
UNPLACED: Final = "?"
"""Where a Golem is before it is deployed."""

GolemId = Annotated[str, Meta(pattern="^[snew][1-9][0-9]?$")]
UnitId = Annotated[str, Meta(pattern="^[snew][1-9][0-9]?k?$")]
Where = Annotated[str, Meta(pattern="^([a-z][1-9][0-9]?|off|[?])$")]
Signed = Annotated[int, Meta(ge=-9999, le=9999)]

MOST: Final = 999_999_999
"""Of Action Points, Mana and Victory Points a seat has no more; what would go beyond is lost."""
Points = Annotated[int, Meta(ge=0, le=MOST)]


class Variants(Struct, frozen=True, omit_defaults=True, rename="kebab", forbid_unknown_fields=True):
    """How ambiguous rules are read. Each default is the reading of the reference."""

    charge_area: Annotated[
        Literal["no", "yes"],
        option(
            "Area attacks by Charge",
            choices={"no": "Not allowed", "yes": "Allowed"},
            description="May an area attack be made by a Charge, on the Region?",
        ),  # GA-R25
    ] = "no"
    cooldown: Annotated[
        Literal["example", "text"],
        option(
            "Cooldown of a first use",
            choices={
                "example": "As in the rulebook's example",
                "text": "As in the rulebook's text",
            },
            description="The 1 or 2 pips of a first use are for an ability that has none, as in "
            "the rulebook's example, or for the first use in each Turn, as in its text",  # GA-R4
        ),
    ] = "example"
    critical: Annotated[
        Literal["net", "gross"],
        option(
            "Critical hits multiply",
            choices={"net": "Damage after armor", "gross": "Damage before armor"},
            description="A critical hit multiplies the damage after armor or before it",
        ),  # GA-R54
    ] = "net"
    flyer_hazard: Annotated[
        Literal["enter", "land"],
        option(
            "Pits and swamps hurt flyers",
            choices={"enter": "On entering", "land": "Only on landing"},
            description="Pits and swamps hurt flyers on entering or only on landing",
        ),  # GA-R13
    ] = "enter"
    half_cover: Annotated[
        Literal["each", "sum"],
        option(
            "Half cover is rounded",
            choices={"each": "For each Region", "sum": "Once for the sum"},
            description="Half the cover between is rounded down for each Region or once",
        ),  # GA-R17
    ] = "each"
    intervening: Annotated[
        Literal["half", "full"],
        option(
            "Cover between",
            choices={"half": "Counts half", "full": "Counts full"},
            description="Cover between counts half, or full, which overrides half-cover",
        ),  # GA-R16
    ] = "half"
    melee_cover: Annotated[
        Literal["yes", "no"],
        option(
            "Cover in melee",
            choices={"yes": "Counts", "no": "Does not count"},
            description="Does the cover of the target's Region count in melee?",
        ),  # GA-R15
    ] = "yes"
    obstruction_cover: Annotated[
        Literal["none", "heavy"],
        option(
            "Obstructions give",
            choices={"none": "No cover", "heavy": "Heavy cover"},
            description="Obstructions give no cover, or heavy cover",
        ),  # GA-R22
    ] = "none"
    range: Annotated[
        Literal["square", "steps", "euclid"],
        option(
            "Distance",
            choices={
                "square": "Larger difference",
                "steps": "Sum of differences",
                "euclid": "Center to center",
            },
            description="Distance for ranges: the larger of the two differences, their sum, or "
            "centre to centre with fractions dropped",  # GA-R20
        ),
    ] = "square"
    teams: Annotated[
        Teams,
        option(
            "Teams",
            choices=SIDES_IN_WORDS,
            description="Which seats fight together as one side; the others are for themselves",
        ),
    ] = LONE


class Purse(Struct, frozen=True, omit_defaults=True):
    """What a seat has: Action Points, Mana, Victory Points; and its Ancient Ones."""

    ap: Points = 0
    mana: Points = 0
    vp: Points = 0
    ancients: tuple[Id, ...] = ()
    out: bool = False
    """It has given up, in a battle that goes on without it."""


class Heat(Struct, frozen=True, omit_defaults=True):
    """How hot an ability is: Cooldown pips, and how often its cost has doubled."""

    pips: Natural
    doublings: Annotated[int, Meta(ge=0, le=20)]
    used: bool = False
    """Used since its seat's last Upkeep; only kept with option `cooldown=text`."""


class StatusEffect(Struct, frozen=True):
    """A status effect on a Golem. `left` counts Upkeeps of `seat` until it ends."""

    source: str
    """`golem-or-knight-or-relic-or-ancient.ability`, or the id of an encounter."""
    stat: Stat
    amount: Signed
    left: Annotated[int, Meta(ge=1, le=9999)]
    seat: Seat


class Golem(Struct, frozen=True, omit_defaults=True):
    """A Golem with its Knight and Relic."""

    type: Id
    where: Where
    hp: Annotated[int, Meta(ge=1, le=9999)]
    knight: Id | None = None
    relic: Id | None = None
    charges: Natural | None = 0
    """What is left of its Relic's; None for a Relic without charges."""
    heat: dict[Id, Heat] = {}
    """By ability; an ability that is cool is absent."""
    statuses: tuple[StatusEffect, ...] = ()
    """Sorted by source, stat and seat."""


class Construct(Struct, frozen=True):
    """A Construct on the board."""

    relic: Id
    where: Region
    hp: Annotated[int, Meta(ge=1, le=9999)]


class DealtQuest(Struct, frozen=True, omit_defaults=True):
    """The secret quest of a seat, by its number in the scenario, from 1."""

    number: Annotated[int, Meta(ge=1, le=99)] | None
    """None where a viewer may not know it. Never in a log."""
    fulfilled: bool = False


class HiddenEncounter(Struct, frozen=True, omit_defaults=True):
    """Where an encounter lies."""

    where: Region
    triggered: bool = False


# --- work items: what is being resolved ----------------------------------------------------------


class Hide(Struct, frozen=True, tag="hide"):
    """Waits for the referee: where an encounter lies."""

    encounter: Id


class DealQuest(Struct, frozen=True, tag="quest"):
    """Waits for the number of a seat's secret quest."""

    seat: Seat


class DeployArmy(Struct, frozen=True, tag="deploy"):
    """Waits for a seat to place its Golems."""

    seat: Seat


class Begin(Struct, frozen=True, tag="begin"):
    """Starts Round 1."""


class Roll(Struct, frozen=True, tag="roll"):
    """Waits for the dice of an attack; `target` is a unit, or for an area attack a Region."""

    attacker: GolemId
    ability: Id
    target: str
    charge: bool = False


class Displace(Struct, frozen=True, tag="displace"):
    """Waits for the seat that says where a Golem goes, or for the die."""

    golem: GolemId
    way: Way
    steps: Annotated[int, Meta(ge=1, le=9999)]
    origin: Region
    """The Region of who displaces it: `away` and `toward` are seen from there."""
    seat: Seat


class Advance(Struct, frozen=True, tag="advance"):
    """The charging Golem moves along its path."""

    golem: GolemId
    way: Literal["walk", "fly"]
    path: tuple[Region, ...]


class Step(Struct, frozen=True, tag="step"):
    """Waits for a free step, or for `stay`."""

    golem: GolemId


class Meet(Struct, frozen=True, tag="meet"):
    """Looks whether the Golem's Region hides an encounter."""

    golem: GolemId


class Choice(Struct, frozen=True, tag="choice"):
    """Waits for a choice of an encounter."""

    encounter: Id
    golem: GolemId


Item = Hide | DealQuest | DeployArmy | Begin | Roll | Displace | Advance | Step | Meet | Choice


class Outcome(Struct, frozen=True):
    """How a battle ended: one winner, or several leaders in a draw."""

    leaders: tuple[Seat, ...]
    won: bool


class State(Struct, frozen=True):
    """All that matters for the future of a battle, and what lies hidden in it.

    Its mappings are for looking things up. The order of play, of units and of what lies on the
    board comes from the scenario and from ids, never from how a mapping was filled: see `Battle`.
    """

    pack: Annotated[Pack, Meta(extra_json_schema={"type": "string"})]
    scenario: Id
    variants: Variants
    round: Points
    turn: Seat | None
    """Whose Turn it is; nobody's before the first Turn and after the end."""
    seats: dict[Seat, Purse]
    golems: dict[GolemId, Golem]
    """Destroyed Golems are gone."""
    constructs: dict[str, Construct]
    """By unit id."""
    wells: dict[Region, Literal["L", "S"]]
    """Large or small side up; a dry well is gone."""
    powers: dict[str, Region]
    """Blessings and Curses on the board, by `seat.ancient.power`."""
    quests: dict[Seat, DealtQuest]
    encounters: dict[Id, HiddenEncounter]
    todo: tuple[Item, ...]
    outcome: Outcome | None = None


def seat_of(unit: str) -> Seat:
    """The seat of a unit.

    >>> seat_of("n3")
    'north'
    """
    return INITIAL[unit[0]]


def seat_named(name: str) -> Seat:
    """The seat of this name.

    >>> seat_named("south")
    'south'
    """
    return next(seat for seat in SEATS if seat == name)


def resigned_seats(state: State) -> tuple[Seat, ...]:
    """The seats that have given up, by name."""
    return tuple(sorted(seat for seat, purse in state.seats.items() if purse.out))


def number_of(unit: str) -> int:
    """The number of a unit in its army, from 1.

    >>> number_of("s12k")
    12
    """
    return int(unit[1:].removesuffix("k"))


@lru_cache(maxsize=8192)
def in_id_order(seats: tuple[Seat, ...], units: tuple[str, ...]) -> tuple[str, ...]:
    """Units in id order: by seat as these are in Turn order, then by number.

    >>> in_id_order(("south", "north"), ("n1", "s10", "s2"))
    ('s2', 's10', 'n1')
    """
    place = {seat: n for n, seat in enumerate(seats)}
    return tuple(sorted(units, key=lambda unit: (place[seat_of(unit)], number_of(unit))))


def status_key(status: StatusEffect) -> tuple[str, str, str]:
    """What makes two status effects the same, and their order (GA-R31)."""
    return status.source, status.stat, status.seat


def on_board(where: str) -> bool:
    """Is this a Region, and neither the reserve nor the table's edge?"""
    return where not in (OFF, UNPLACED)
