"""What makes a pack sound beyond the types of its fields: checked once, when it is loaded."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from domain.games.res_arcana.vocabulary import (
    AddPoints,
    Artifact,
    Card,
    CheckNow,
    DrawCards,
    Effect,
    GainMix,
    GainValue,
    GainX,
    IgnoreLoss,
    InflictLoss,
    Item,
    LookAt,
    Mage,
    Mirror,
    Monument,
    Place,
    PlaceArtifact,
    Power,
    PutFixed,
    PutMix,
    PutPaid,
    Reaction,
    SameX,
    Straighten,
)

FEWEST: Final[dict[type[Card], int]] = {Item: 5, Mage: 8, Artifact: 32, Monument: 3}
"""What four players need: an item each and one to swap for, two mages, eight artifacts; and a
monument below the two that lie open."""
TILES: Final = 5
MOST_ESSENCES: Final = 20
"""In one bundle or cost: the ways to pay and to take more could not be listed."""
_ESSENCES: Final = ("cost", "gain", "pay", "put", "rivals", "take")
Fault = tuple[str, str]
"""A field, and what is wrong with it."""

_OF_POWERS: Final = (
    InflictLoss,
    PlaceArtifact,
    IgnoreLoss,
    AddPoints,
    GainX,
    SameX,
    GainValue,
    Mirror,
    LookAt,
)
"""What needs a power, a payment or a target, so that it cannot follow a claim."""
_STEPS: Final = (
    GainMix,
    GainValue,
    SameX,
    PutMix,
    DrawCards,
    LookAt,
    PlaceArtifact,
    InflictLoss,
    CheckNow,
)


class PackError(ValueError):
    """A pack that cannot be used: which card, which field, and why."""

    def __init__(self, card: str, field: str, why: str) -> None:
        super().__init__(": ".join(part for part in (card, field, why) if part))
        self.card = card
        self.field = field
        self.why = why


def check(cards: Mapping[str, Card]) -> None:
    """Raises PackError for the first fault."""
    for card in cards.values():
        for field, why in _faults(card):
            raise PackError(card.id, field, why)
    for kind, fewest in FEWEST.items():
        number = sum(isinstance(card, kind) for card in cards.values())
        if number < fewest:
            raise PackError(kind.__name__.lower(), "", f"{number} are too few: {fewest} at least")
    _check_monuments([card for card in cards.values() if isinstance(card, Monument)])
    _check_tiles([card for card in cards.values() if isinstance(card, Place)])


def _check_monuments(monuments: list[Monument]) -> None:
    for monument in monuments[1:]:
        if monument.cost != monuments[0].cost:
            # Whether the top of the deck can be claimed must not tell which monument it is.
            why = f"all monuments cost the same, {monuments[0].cost} as {monuments[0].id}"
            raise PackError(monument.id, "cost", why)


def _check_tiles(places: list[Place]) -> None:
    sides: dict[tuple[int, str], str] = {}
    for place in places:
        twin = sides.setdefault((place.tile, place.side), place.id)
        if twin != place.id:
            raise PackError(place.id, "side", f"{twin} is side {place.side} of that tile")
    for tile in range(1, TILES + 1):
        for side in "ab":
            if (tile, side) not in sides:
                raise PackError("place", "tile", f"tile {tile} has no side {side}")


def _faults(card: Card) -> Iterator[Fault]:
    if card.id == "top":
        yield "id", "`top` is the word for the top of the monument deck"
    for field, essences in _bundles("", msgspec.to_builtins(card)):
        number = sum(map(int, re.findall("[1-9][0-9]*", essences)))
        if number > MOST_ESSENCES:
            yield field, f"{number} essences are too many: {MOST_ESSENCES} at most"
    if not isinstance(card, Artifact):
        for n, power in enumerate(card.power):
            if power.destroy == "self":
                yield f"power[{n}].destroy", "only artifacts are destroyed"
        if card.react is not None and card.react.destroy is not None:
            yield "react.destroy", "only artifacts are destroyed"
    for n, power in enumerate(card.power):
        yield from ((f"power[{n}].{field}", why) for field, why in _of_power(power))
    if card.react is not None:
        yield from ((f"react.{field}", why) for field, why in _of_reaction(card.react))
    if isinstance(card, Monument | Place):
        yield from (
            (f"on_claim[{n}]", "only effects without a choice of power or target follow a claim")
            for n, effect in enumerate(card.on_claim)
            if isinstance(effect, _OF_POWERS)
            or (isinstance(effect, PutPaid | Straighten) and _choice(effect))
        )
        yield from ((f"on_claim{field}", why) for field, why in _order(card.on_claim))
    if isinstance(card, Artifact) and len(set(card.type)) != len(card.type):
        yield "type", "a type is named twice"
    if card.stored.has is not None and card.stored.any is None:
        yield "stored.any", "`has` wants the number of the mix"
    if card.stored.any is not None and card.stored.has is None:
        yield "stored.has", "a mix wants the type that must be among what is left"


def _bundles(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every bundle and cost on a card, with the field that has it."""
    if isinstance(value, dict):
        for key, each in value.items():
            field = f"{path}.{key}".lstrip(".")
            if isinstance(each, str) and key in _ESSENCES:
                yield field, each
            yield from _bundles(field, each)
    elif isinstance(value, list | tuple):
        for n, each in enumerate(value):
            yield from _bundles(f"{path}[{n}]", each)


def _choice(effect: PutPaid | Straighten) -> bool:
    """Does this effect name a component?"""
    match effect:
        case PutPaid():
            return True
        case Straighten(straighten=sort):
            return sort != "self"


def _of_power(power: Power) -> Iterator[Fault]:
    if power.same and power.pay_of != "elcdg":
        yield "pay_of", "cannot stand beside `same`"
    if power.while_turned and power.turn:
        yield "while_turned", "a turned component cannot be turned as cost"
    yield from ((f"do{field}", why) for field, why in _order(power.do))
    for kind, word in ((InflictLoss, "loss"), (PlaceArtifact, "place")):
        if sum(isinstance(effect, kind) for effect in power.do) > 1:
            yield (
                "do",
                f"a power has one `{word}` at most, for steps name the power",
            )
    for n, effect in enumerate(power.do):
        yield from ((f"do[{n}]", why) for why in _misfits(power, effect))


def _misfits(power: Power, effect: Effect) -> Iterator[str]:
    """What an effect needs of the cost of its power."""
    match effect:
        case GainX() | SameX():
            if not power.same:
                yield "X is the number of identical essences paid: it wants `same = true`"
        case GainValue():
            if power.discard is None and power.destroy in (None, "self"):
                yield "the value is that of a card destroyed or discarded as cost"
            if power.discard is not None and power.destroy not in (None, "self"):
                yield "of the card destroyed or the card discarded: which one?"
        case PutPaid():
            if power.pay == "0" and not power.same:
                yield "nothing is paid"
        case PlaceArtifact():
            if effect.free and effect.less:
                yield "`free` leaves nothing for `less`"
        case IgnoreLoss() | AddPoints():
            yield "belongs into a reaction"
        case InflictLoss(ignore=price):
            if sum(each is not None for each in (price.pay, price.discard, price.destroy)) > 1:
                yield "a loss is ignored at one price: `pay`, `discard` or `destroy`"
        case _:
            pass


def _of_reaction(react: Reaction) -> Iterator[Fault]:
    for n, effect in enumerate(react.do):
        if not isinstance(effect, PutFixed | IgnoreLoss | AddPoints):
            yield f"do[{n}]", "a reaction puts essences on its component, ignores, or adds points"
    wanted, word = (IgnoreLoss, "ignore") if react.to == "loss" else (AddPoints, "points")
    for kind in (IgnoreLoss, AddPoints):
        number = sum(isinstance(effect, kind) for effect in react.do)
        if number != (kind is wanted):
            yield "do", f"a reaction to `{react.to}` has `{word}`, once, and not the other"
    if react.from_ is not None and react.to != "loss":
        yield "from", "only a loss has an attacking card"
    if react.to == "check" and not (react.turn or react.pay != "0" or react.take != "0"):
        # It could be used again and again in one check.
        yield "turn", "a reaction to a check must cost something"


def _order(effects: Iterable[Effect]) -> Iterator[Fault]:
    """Effects that become steps come last: nothing but a step can wait behind a step."""
    waiting = False
    for n, effect in enumerate(effects):
        if isinstance(effect, _STEPS):
            waiting = True
        elif waiting:
            yield f"[{n}]", "effects done at once come before those that take steps"
