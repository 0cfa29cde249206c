"""What cards say, in words for people: made from the vocabulary, so that new cards speak too."""

from collections.abc import Iterator
from functools import cache
from typing import Final, assert_never

from domain.games.res_arcana.bundles import NAMES, NOTHING, in_words, spell, types_in_words
from domain.games.res_arcana.packs import Pack, name_of
from domain.games.res_arcana.payments import price_of
from domain.games.res_arcana.state import HIDDEN
from domain.games.res_arcana.vocabulary import (
    AddPoints,
    Artifact,
    Card,
    CheckNow,
    Collect,
    DrawCards,
    Effect,
    GainFixed,
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
    Price,
    PutFixed,
    PutMix,
    PutPaid,
    Reaction,
    RivalsGain,
    SameX,
    Stored,
    Straighten,
)

_ANY: Final = "elcdg"


def the(card: str) -> str:
    """A card in a sentence: its name, or that it is a card one may not know."""
    return "a card" if card == HIDDEN else name_of(card)


def kind_of(card: Card) -> str:
    """The rulebook's word for what sort of card it is."""
    match card:
        case Item():
            return "magic item"
        case Mage():
            return "mage"
        case Monument():
            return "monument"
        case Place():
            return "place of power"
        case Artifact():
            return " ".join(card.type) or "artifact"
        case _:
            raise AssertionError(f"{card.id} is of no kind")


@cache
def described(pack: Pack, card: str) -> dict[str, str]:
    """What a card of a pack is and says: cost, points, abilities, each under its own word."""
    return dict(_abilities(pack.cards[card]))


def _abilities(card: Card) -> Iterator[tuple[str, str]]:
    yield kind_of(card), ""
    if isinstance(card, Artifact | Monument | Place):
        yield "cost", cost_in_words(card.cost)
    if card.points:
        yield "points", str(card.points)
    if isinstance(card, Place):
        if card.points_stored:
            yield "point", f"for each {NAMES[card.points_stored]} on it"
        for kind, points in card.points_per.items():
            yield f"for each {kind}", f"{points} more"
    if card.discount is not None:
        sort = card.discount.on
        yield "discount", f"{sort}s cost {card.discount.less} less"
    if card.collect.gain != NOTHING or card.collect.any:
        yield "collect", _collected(card.collect)
    if card.stored != Stored():
        yield "left in the collect phase", _left(card.stored)
    if card.upkeep is not None:
        yield "upkeep", f"{in_words(card.upkeep.pay)}, or it is turned"
    if isinstance(card, Monument | Place) and card.on_claim:
        yield "when claimed", _all(card.on_claim)
    for number, power in enumerate(card.power, 1):
        yield f"power {number}:", power_in_words(power)
    if card.react is not None:
        yield "reaction", _reaction(card.react)


def cost_in_words(cost: str) -> str:
    """A cost for people: `1 gold and 2 of any type`.

    >>> cost_in_words("1g2*"), cost_in_words("0")
    ('1 gold and 2 of any type', 'nothing')
    """
    price = price_of(cost)
    parts = [in_words(spell(price.fixed))] if sum(price.fixed) or not price.stars else []
    parts += [f"{price.stars} of any type"] if price.stars else []
    return " and ".join(parts)


def _mix(n: int, of: str) -> str:
    one = n == 1 or len(of) == 1
    return f"{n} {types_in_words(of)}" if one else f"a mix of {n} from {types_in_words(of)}"


def _collected(collect: Collect) -> str:
    given = [] if collect.gain == NOTHING else [in_words(collect.gain)]
    given += [_mix(collect.any, collect.of)] if collect.any else []
    return " and ".join(given)


def _left(stored: Stored) -> str:
    given = [f"{stored.add} more of each type on it"] if stored.add else []
    if stored.has and stored.any:
        given.append(f"{_mix(stored.any, stored.of)}, if {NAMES[stored.has]} is among it")
    return " and ".join(given)


def power_in_words(power: Power) -> str:
    """A power: what it costs, and what it does."""
    cost = ", ".join(_costs(power))
    free = " (even when turned)" if power.while_turned else ""
    return f"{cost or 'free'}{free}: {_all(power.do)}"


def _costs(power: Power) -> Iterator[str]:
    if power.pay != NOTHING:
        of = "" if power.pay_of == _ANY else f" ({types_in_words(power.pay_of)})"
        yield f"pay {cost_in_words(power.pay)}{of}"
    if power.same:
        yield "pay X essences of one type"
    if power.take != NOTHING:
        yield f"take {in_words(power.take)} from it"
    if power.turn:
        yield "turn it"
    if power.turn_other:
        yield f"turn a straight {power.turn_other} of yours"
    if power.destroy == "self":
        yield "destroy it"
    elif power.destroy is not None:
        sort = power.destroy.replace("other-artifact", "another artifact").replace("-", " ")
        yield f"destroy {sort if sort.startswith('another') else 'one ' + sort}"
    if power.discard:
        yield "discard a card"


def _reaction(react: Reaction) -> str:
    moment = "a victory check"
    if react.to == "loss":
        moment = f"a loss from a {react.from_}" if react.from_ else "a loss of life"
    cost = [] if react.pay == NOTHING else [f"pay {in_words(react.pay)}"]
    cost += [] if react.take == NOTHING else [f"take {in_words(react.take)} from it"]
    cost += ["turn it"] if react.turn else []
    cost += ["destroy it"] if react.destroy else []
    return f"to {moment}: {', '.join(cost) or 'free'}: {_all(react.do)}"


def _all(effects: tuple[Effect, ...]) -> str:
    return ", ".join(effect_in_words(effect) for effect in effects)


def effect_in_words(effect: Effect) -> str:
    """What an effect does."""
    match effect:
        case GainFixed(gain=essences):
            return f"gain {in_words(essences)}"
        case GainMix(any=n, of=of):
            return f"gain {_mix(n, of)}"
        case GainX(gain_x=letter):
            return f"gain X {NAMES[letter]}"
        case SameX(of=of):
            return f"gain X of one type, {types_in_words(of)}"
        case GainValue(value=more, of=of):
            plus = f" and {more}" if more else ""
            return f"gain as many {types_in_words(of)} as that card cost{plus}"
        case RivalsGain(rivals=essences):
            return f"each rival gains {in_words(essences)}"
        case Mirror(mirror=letter, as_=gained):
            return f"gain as many {NAMES[gained]} as a rival has {NAMES[letter]}"
        case PutFixed(put=essences):
            return f"put {in_words(essences)} on it"
        case PutMix(put_any=n, of=of):
            return f"put {_mix(n, of)} on it"
        case PutPaid(put_paid=where):
            return f"put what was paid on {'it' if where == 'self' else 'a component of yours'}"
        case Straighten(straighten=sort):
            what = {"any": "a component", "self": "it"}.get(sort, f"a {sort}")
            return f"straighten {what}"
        case _:
            return _more_effects(effect)


def _more_effects(
    effect: DrawCards | LookAt | PlaceArtifact | InflictLoss | CheckNow | IgnoreLoss | AddPoints,
) -> str:
    match effect:
        case DrawCards(draw=n, drop=drop):
            cards = "a card" if n == 1 else f"{n} cards"
            return f"draw {cards}{', then discard as many' if drop else ''}"
        case LookAt(look=n):
            return f"look at the top {n} of your or the monument deck and put them back"
        case PlaceArtifact():
            return _placing(effect)
        case InflictLoss(loss=n, ignore=price):
            return f"rivals lose {n} life{_price(price)}"
        case CheckNow():
            return "check for victory now"
        case IgnoreLoss():
            return "ignore the loss"
        case AddPoints(points=n):
            return f"{n} points more in this check"
        case _:
            assert_never(effect)


def _placing(effect: PlaceArtifact) -> str:
    sort = f"a {effect.type}" if effect.type else "an artifact"
    pile = {
        "hand": "your hand",
        "discard": "your discard pile",
        "any-discard": "any discard pile",
    }[effect.place]
    how = "free" if effect.free else f"for {effect.less} less" if effect.less else "at its cost"
    return f"place {sort} from {pile} {how}"


def _price(price: Price) -> str:
    if price.pay is not None:
        return f", ignored for {in_words(price.pay)}"
    if price.discard is not None:
        return ", ignored by discarding a card"
    if price.destroy is not None:
        return ", ignored by destroying an artifact"
    return ""
