"""The words in which cards say what they do. Nothing in the rules knows a card by its name.

A card file spells these as TOML tables; the names of fields are the file's keys. `packs` reads
and checks a file, `domain.games.res_arcana` elsewhere only interprets what stands here.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

from domain.games.res_arcana.bundles import NOTHING, Bundle, Letter, Types

Id = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
Number = Annotated[int, Meta(ge=1, le=20)]
Cost = Annotated[
    str,
    Meta(
        pattern="^(0|(?=.)([1-9][0-9]?e)?([1-9][0-9]?l)?([1-9][0-9]?c)?([1-9][0-9]?d)?"
        r"([1-9][0-9]?g)?([1-9][0-9]?\*)?)$"
    ),
]
"""A bundle that may end in `n*`: n more essences of any types."""

Kind = Literal["creature", "dragon"]
Sort = Literal["any", "creature", "dragon"]
Destroys = Literal["self", "artifact", "other-artifact", "creature-or-dragon"]

# --- effects -------------------------------------------------------------------------------------


class _Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="effect"):
    """What a power does. Its tag is the key by which a card file names it."""


class GainFixed(_Effect, frozen=True, tag="gain"):
    """Essences to the pool."""

    gain: Bundle


class GainMix(_Effect, frozen=True, tag="any"):
    """A mix to the pool."""

    any: Number
    of: Types


class GainX(_Effect, frozen=True, tag="gain_x"):
    """As many of one type as identical essences were paid."""

    gain_x: Letter


class SameX(_Effect, frozen=True, tag="same_x"):
    """As many of one type, chosen, as identical essences were paid."""

    same_x: Literal[True]
    of: Types


class GainValue(_Effect, frozen=True, tag="value"):
    """A mix of as many essences as the card destroyed or discarded cost, and `value` more."""

    value: Annotated[int, Meta(ge=0, le=20)]
    of: Types


class RivalsGain(_Effect, frozen=True, tag="rivals"):
    """Each rival gains these."""

    rivals: Bundle


class Mirror(_Effect, frozen=True, tag="mirror"):
    """As many `as_` as a rival has of `mirror`."""

    mirror: Letter
    as_: Letter = field(name="as")


class PutFixed(_Effect, frozen=True, tag="put"):
    """Essences onto this component."""

    put: Bundle


class PutMix(_Effect, frozen=True, tag="put_any"):
    """A mix onto this component."""

    put_any: Number
    of: Types


class PutPaid(_Effect, frozen=True, tag="put_paid"):
    """What was paid goes onto this component, or onto one of one's own."""

    put_paid: Literal["self", "any"]


class Straighten(_Effect, frozen=True, tag="straighten"):
    """Straighten a component."""

    straighten: Literal["any", "self", "creature", "dragon"]


class DrawCards(_Effect, frozen=True, tag="draw"):
    """Draw cards; then, with `drop`, discard as many."""

    draw: Number
    drop: bool = False


class LookAt(_Effect, frozen=True, tag="look"):
    """Look at the top cards of a deck and put them back in any order."""

    look: Annotated[int, Meta(ge=1, le=3)]


class PlaceArtifact(_Effect, frozen=True, tag="place"):
    """Place an artifact at its cost, at less, or free."""

    place: Literal["hand", "discard", "any-discard"]
    type: Kind | None = None
    less: Annotated[int, Meta(ge=0, le=20)] = 0
    free: bool = False


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """What a victim may pay to ignore a loss; nothing if nothing is set."""

    pay: Bundle | None = None
    discard: Literal[1] | None = None
    destroy: Literal["artifact"] | None = None


class InflictLoss(_Effect, frozen=True, tag="loss"):
    """Every rival that has not passed loses life."""

    loss: Number
    ignore: Price = Price()


class CheckNow(_Effect, frozen=True, tag="check"):
    """A victory check at once."""

    check: Literal[True]


class IgnoreLoss(_Effect, frozen=True, tag="ignore"):
    """The loss that is reacted to is ignored."""

    ignore: Literal[True]


class AddPoints(_Effect, frozen=True, tag="points"):
    """Points more in the check that is reacted to."""

    points: Number


Effect = (
    GainFixed
    | GainMix
    | GainX
    | SameX
    | GainValue
    | RivalsGain
    | Mirror
    | PutFixed
    | PutMix
    | PutPaid
    | Straighten
    | DrawCards
    | LookAt
    | PlaceArtifact
    | InflictLoss
    | CheckNow
    | IgnoreLoss
    | AddPoints
)
EFFECTS: Final = (
    "gain",
    "any",
    "gain_x",
    "same_x",
    "value",
    "rivals",
    "mirror",
    "put",
    "put_any",
    "put_paid",
    "straighten",
    "draw",
    "look",
    "place",
    "loss",
    "check",
    "points",
    "ignore",
)
"""The keys that name an effect; `loss` before `ignore`, which it has as a field of its own."""

# --- what a card can do --------------------------------------------------------------------------


class Collect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In each collect phase: `gain` to the pool, or a mix."""

    gain: Bundle = NOTHING
    any: Number | None = None
    of: Types = "elcdg"


class Stored(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What essences left on it in the collect phase bring."""

    add: Annotated[int, Meta(ge=0, le=20)] = 0
    has: Letter | None = None
    any: Number | None = None
    of: Types = "elcdg"


class Upkeep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Paid in the collect phase after everything else; or the component is turned."""

    pay: Bundle
    or_: Literal["turn"] = field(name="or")


class Discount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Artifacts of a sort cost their owner less."""

    on: Literal["artifact", "creature", "dragon"]
    less: Number


class Power(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One power: what it costs, paid in the order of the fields, and what it does."""

    pay: Cost = NOTHING
    pay_of: Types = "elcdg"
    same: bool = False
    take: Bundle = NOTHING
    turn: bool = False
    turn_other: Kind | None = None
    destroy: Destroys | None = None
    discard: Literal[1] | None = None
    while_turned: bool = False
    do: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class Reaction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be done out of turn when its moment comes."""

    to: Literal["loss", "check"]
    from_: Kind | None = field(name="from", default=None)
    pay: Bundle = NOTHING
    take: Bundle = NOTHING
    turn: bool = False
    destroy: Literal["self"] | None = None
    do: Annotated[tuple[Effect, ...], Meta(min_length=1)]


# --- cards ---------------------------------------------------------------------------------------


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every component has."""

    id: Id
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    points: Annotated[int, Meta(ge=0, le=20)] = 0
    collect: Collect = Collect()
    stored: Stored = Stored()
    upkeep: Upkeep | None = None
    discount: Discount | None = None
    power: Annotated[tuple[Power, ...], Meta(max_length=9)] = ()
    react: Reaction | None = None
    # Where the facts of the card come from: for people.
    source: str = ""
    seen: tuple[str, ...] = ()
    confidence: str = ""
    note: str = ""


class Item(Card, frozen=True, kw_only=True):
    """A magic item."""


class Mage(Card, frozen=True, kw_only=True):
    """A mage."""


class Artifact(Card, frozen=True, kw_only=True):
    """An artifact. It can be a creature, a dragon, or both."""

    cost: Cost
    type: tuple[Kind, ...] = ()


class Monument(Card, frozen=True, kw_only=True):
    """A monument. All cost the same, so that the top of the deck keeps its secret."""

    cost: Bundle
    on_claim: tuple[Effect, ...] = ()


class Place(Card, frozen=True, kw_only=True):
    """One side of a place of power."""

    cost: Bundle
    tile: Annotated[int, Meta(ge=1, le=5)]
    side: Literal["a", "b"]
    points_stored: Letter | None = None
    points_per: dict[Kind, Number] = {}
    on_claim: tuple[Effect, ...] = ()
