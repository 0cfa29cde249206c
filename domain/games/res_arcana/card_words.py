"""What cards say, made from the vocabulary, so that new cards speak too.

Texts name icons in braces, as a drawing wants them; `spoken` gives the same in words.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from domain.games.res_arcana.bundles import ICONS, LETTERS, NOTHING, in_icons, types_in_words
from domain.games.res_arcana.effects import wants_target
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.payments import is_open, price_of
from domain.games.res_arcana.vocabulary import (
    AddPoints,
    Artifact,
    Card,
    CheckNow,
    Collect,
    Cost,
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
    PutFixed,
    PutMix,
    PutPaid,
    Reaction,
    RivalsGain,
    SameX,
    Stored,
    Straighten,
)

_SAY: Final = ENGLISH.format
_ICON: Final = re.compile(r"\{([a-z]+)\}")


class Aim(NamedTuple):
    """What somebody who uses a power says about it, in words; empty where the card alone speaks."""

    payment: str = ""
    """What is paid, where the payer chooses."""
    alike: int | None = None
    """X, the identical essences in it."""
    turn_other: str = ""
    destroy: str = ""
    discard: str = ""
    value: int | None = None
    """Of the card that is given up."""
    targets: tuple[str, ...] = ()
    """What the effects are for, in order: cards, seats, `deck` or `monuments`, `-` for nothing."""


NO_AIM: Final = Aim()


def spoken(text: str) -> str:
    """A text with the words for its icons.

    >>> spoken("pay 1 {death}, {turn} it")
    'pay 1 death, turn it'
    """
    return _ICON.sub(lambda found: ENGLISH.templates[f"icon.{found[1]}"], text)


def icons_in(text: str) -> tuple[str, ...]:
    """The icons that a text names."""
    return tuple(_ICON.findall(text))


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
            return " ".join(sorted(set(card.type))) or "artifact"
        case _:
            raise AssertionError(f"{card.id} is of no kind")


# --- costs and mixes -----------------------------------------------------------------------------


def cost_text(cost: Cost) -> str:
    """A cost: what it has fixed, and how many of any type.

    >>> cost_text("1g2*"), cost_text("0")
    ('1 {gold} and 2 {any}', 'nothing')
    """
    return ENGLISH.join_and(cost_parts(cost)) or _SAY("nothing")


def is_cost(text: str) -> bool:
    """Is this a cost with essences of any type, as `2d3*`?"""
    return text.endswith("*")


def cost_parts(cost: Cost) -> list[str]:
    """The same, part by part."""
    price = price_of(cost)
    fixed = zip(price.fixed, LETTERS, strict=True)
    parts = [_SAY("count", n=n, what=ICONS[letter]) for n, letter in fixed if n]
    return parts + ([_SAY("count", n=price.stars, what="{any}")] if price.stars else [])


def mix_text(n: int, of: str) -> str:
    """A mix of n essences of these types."""
    key = "mix.one" if n == 1 or len(of) == 1 else "mix"
    return _SAY(key, n=n, types=types_in_words(of, ICONS))


def collect_text(collect: Collect) -> str:
    """What a card brings in each collect phase; empty for nothing."""
    given = [in_icons(collect.gain)] if collect.gain != NOTHING else []
    given += [mix_text(collect.any, collect.of)] if collect.any else []
    return ENGLISH.join_and(given)


def left_text(stored: Stored) -> str:
    """What leaving essences on a card brings; empty for nothing."""
    given = [_SAY("text.left.add", n=stored.add)] if stored.add else []
    if stored.has and stored.any:
        mix = mix_text(stored.any, stored.of)
        given.append(_SAY("text.left.mix", mix=mix, has=ICONS[stored.has]))
    return ENGLISH.join_and(given)


# --- powers and reactions ------------------------------------------------------------------------


def power_text(power: Power, aim: Aim = NO_AIM) -> str:
    """A power: what it costs, and what it does."""
    effects = _all(power.do, aim)
    costs = _in_a_row(_costs(power, aim))
    if power.while_turned:
        return _SAY("ability.turned", costs=costs or _SAY("cost.nothing"), effects=effects)
    return _SAY("ability", costs=costs, effects=effects) if costs else effects


def reaction_text(react: Reaction) -> str:
    """A reaction: what it costs, and what it does."""
    costs, effects = reaction_cost_text(react), _all(react.do, NO_AIM)
    return _SAY("ability", costs=costs, effects=effects) if costs else effects


def reaction_cost_text(react: Reaction) -> str:
    """What a reaction costs; empty for nothing."""
    return _in_a_row(_reaction_costs(react))


def moment_text(react: Reaction) -> str:
    """What a reaction answers."""
    return _SAY(".".join(filter(None, ("moment", react.to, react.from_))))


def _in_a_row(texts: Iterator[str]) -> str:
    return _SAY("comma").join(texts)


def _costs(power: Power, aim: Aim) -> Iterator[str]:
    if aim.payment and is_open(power):
        yield _SAY("cost.pay", what=aim.payment)
    elif not aim.payment:
        yield from _open_costs(power)
    if power.take != NOTHING:
        yield _SAY("cost.take", what=in_icons(power.take))
    if power.turn:
        yield _SAY("cost.turn")
    if aim.turn_other:
        yield _SAY("cost.turn.card", card=aim.turn_other)
    elif power.turn_other:
        yield _SAY(f"cost.turn.{power.turn_other}")
    if aim.destroy:
        yield _SAY("cost.destroy.card", card=aim.destroy)
    elif power.destroy:
        yield _SAY(f"cost.destroy.{power.destroy}")
    if aim.discard:
        yield _SAY("cost.discard.card", card=aim.discard)
    elif power.discard:
        yield _SAY("cost.discard")


def _open_costs(power: Power) -> Iterator[str]:
    if power.pay != NOTHING:
        what, types = cost_text(power.pay), types_in_words(power.pay_of, ICONS)
        anything = power.pay_of == "elcdg"
        yield _SAY("cost.pay" if anything else "cost.pay.of", what=what, types=types)
    if power.same:
        yield _SAY("cost.same")


def paying_text(power: Power) -> str:
    """What a power costs in essences of the payer's choice."""
    return _in_a_row(_open_costs(power))


def _reaction_costs(react: Reaction) -> Iterator[str]:
    if react.pay != NOTHING:
        yield _SAY("cost.pay", what=in_icons(react.pay))
    if react.take != NOTHING:
        yield _SAY("cost.take", what=in_icons(react.take))
    if react.turn:
        yield _SAY("cost.turn")
    if react.destroy:
        yield _SAY("cost.destroy.self")


def effects_text(effects: tuple[Effect, ...]) -> str:
    """What effects do, as of a card that is claimed."""
    return _all(effects, NO_AIM)


def _all(effects: tuple[Effect, ...], aim: Aim) -> str:
    targets = iter(aim.targets)
    return _in_a_row(
        _effect(effect, aim, next(targets, "") if wants_target(effect) else "")
        for effect in effects
    )


def _effect(effect: Effect, aim: Aim, target: str) -> str:
    """What an effect does, to its target if it has been given one."""
    match effect:
        case GainFixed(gain=essences):
            return _SAY("do.gain", what=in_icons(essences))
        case GainMix(any=n, of=of):
            return _SAY("do.gain", what=mix_text(n, of))
        case GainX(gain_x=letter):
            return _gain_x(letter, aim.alike)
        case SameX(of=of):
            key = "do.same_x" if aim.alike is None else "do.same_x.n"
            return _SAY(key, n=aim.alike, types=types_in_words(of, ICONS))
        case GainValue(value=more, of=of):
            return _gain_value(more, of, aim.value)
        case RivalsGain(rivals=essences):
            return _SAY("do.rivals", what=in_icons(essences))
        case Mirror(mirror=letter, as_=gained):
            key = "do.mirror.rival" if target else "do.mirror"
            return _SAY(key, gained=ICONS[gained], what=ICONS[letter], who=target)
        case PutFixed(put=essences):
            return _SAY("do.put", what=in_icons(essences))
        case PutMix(put_any=n, of=of):
            return _SAY("do.put", what=mix_text(n, of))
        case PutPaid(put_paid=where):
            return _SAY(f"do.put_paid.{'card' if target else where}", card=target)
        case Straighten(straighten=sort):
            key = "card" if target not in ("", "-") else target or sort
            return _SAY(f"do.straighten.{key}", card=target)
        case _:
            return _more_effects(effect, target)


def _gain_x(letter: str, x: int | None) -> str:
    if x is None:
        return _SAY("do.gain_x", what=ICONS[letter])
    return _SAY("do.gain", what=in_icons(f"{x}{letter}") if x else _SAY("nothing"))


def _gain_value(more: int, of: str, value: int | None) -> str:
    if value is None:
        key = "do.value.more" if more else "do.value"
        return _SAY(key, types=types_in_words(of, ICONS), n=more)
    n = value + more
    return _SAY("do.gain", what=mix_text(n, of) if n else _SAY("nothing"))


def _more_effects(
    effect: DrawCards | LookAt | PlaceArtifact | InflictLoss | CheckNow | IgnoreLoss | AddPoints,
    target: str,
) -> str:
    match effect:
        case DrawCards(draw=n, drop=drop):
            return _SAY("do.draw.drop" if drop else "do.draw", cards=cards_text(n))
        case LookAt(look=n):
            return _SAY(f"do.look.{target}" if target else "do.look", n=n)
        case PlaceArtifact():
            return placing_text(effect)
        case InflictLoss(loss=n, ignore=price):
            by = "discard" if price.discard else "destroy" if price.destroy else ""
            key = "pay" if price.pay is not None else by
            what = in_icons(price.pay) if price.pay is not None else ""
            return _SAY(f"do.loss.{key}" if key else "do.loss", n=n, what=what)
        case CheckNow():
            return _SAY("do.check")
        case IgnoreLoss():
            return _SAY("do.ignore")
        case AddPoints(points=n):
            return _SAY("do.points", n=n)
        case _:
            assert_never(effect)


def placing_text(effect: PlaceArtifact) -> str:
    """What may be placed, from where, at what cost."""
    how = "free" if effect.free else "less" if effect.less else "cost"
    told = _SAY(f"how.{how}", n=effect.less)
    return _SAY("do.place", sort=sort_text(effect), pile=pile_text(effect), how=told)


def sort_text(effect: PlaceArtifact) -> str:
    """The sort of artifact that is placed."""
    return _SAY(f"sort.{effect.type or 'any'}")


def pile_text(effect: PlaceArtifact) -> str:
    """Where it is placed from."""
    return _SAY(f"pile.{effect.place}")


def cards_text(n: int) -> str:
    """So many cards."""
    return _SAY("card") if n == 1 else _SAY("cards", n=n)
