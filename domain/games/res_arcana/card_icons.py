"""What cards do, in symbols: the lines of the compact face."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.games.res_arcana.bundles import ICONS, LETTERS, NOTHING, Bundle
from domain.games.res_arcana.payments import price_of
from domain.games.res_arcana.vocabulary import (
    AddPoints,
    CheckNow,
    Collect,
    Cost,
    Discount,
    DrawCards,
    Effect,
    GainFixed,
    GainMix,
    GainValue,
    GainX,
    InflictLoss,
    LookAt,
    Mirror,
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

_ANY: Final = {"elcd": "{mix}", "elcdg": "{any}"}
"""The symbols of all types together, without gold and with it."""


def cost_icons(cost: Cost, of: str = "elcdg") -> str:
    """Return a cost in symbols, with the types that pay its open part.

    >>> cost_icons("2d3*"), cost_icons("2*", "lc"), cost_icons("0")
    ('2{death} 3{any}', '2{life}/{calm}', '')
    """
    fixed, stars = price_of(cost)
    parts = [f"{n}{ICONS[letter]}" for n, letter in zip(fixed, LETTERS, strict=True) if n]
    return " ".join([*parts, *([mix_icons(stars, of)] if stars else [])])


def mix_icons(n: int | str, of: str) -> str:
    """Return a mix of n essences of these types in symbols."""
    return f"{n}{_ANY.get(of) or '/'.join(ICONS[letter] for letter in of)}"


def power_icons(power: Power) -> str:
    """Return a power in symbols: its costs, an arrow, and its effects."""
    return _line(_costs(power), _effects(power.do))


def reaction_icons(react: Reaction) -> str:
    """Return a reaction in symbols; that a loss is ignored is not said again."""
    costs = [
        cost_icons(react.pay),
        _taken(react.take),
        "{turn}" if react.turn else "",
        "{destroy}" if react.destroy else "",
    ]
    kind = f"{{{react.from_}}}" if react.from_ else ""
    return f"{{react}}{kind} {_line(costs, _effects(react.do))}".rstrip()


def effects_icons(effects: tuple[Effect, ...]) -> str:
    """Return what effects do in symbols."""
    return " ".join(_effects(effects))


def collect_icons(collect: Collect) -> str:
    """Return what a card brings in each collect phase in symbols."""
    mix = mix_icons(collect.any, collect.of) if collect.any else ""
    return " ".join(filter(None, ("{collect}", cost_icons(collect.gain), mix)))


def stored_icons(stored: Stored) -> str:
    """Return what leaving essences on a card brings in symbols."""
    more = [f"+{stored.add}"] if stored.add else []
    if stored.has and stored.any:
        more.append(f"{ICONS[stored.has]} {{to}} {mix_icons(stored.any, stored.of)}")
    return " ".join(("{collect}{on}", *more))


def discount_icons(discount: Discount) -> str:
    """Return a discount in symbols."""
    return f"{{{discount.on}}} \N{MINUS SIGN}{discount.less}{{mix}}"


def _line(costs: Iterable[str], effects: Iterable[str]) -> str:
    return " {to} ".join(filter(None, (" ".join(filter(None, costs)), " ".join(effects))))


def _taken(bundle: Bundle) -> str:
    return f"\N{MINUS SIGN}{cost_icons(bundle)}{{on}}" if bundle != NOTHING else ""


def _costs(power: Power) -> Iterator[str]:
    if power.turn:
        yield "{turn}"
    if power.turn_other:
        yield f"{{turn}}{{{power.turn_other}}}"
    yield cost_icons(power.pay, power.pay_of)
    if power.same:
        yield mix_icons("X", power.pay_of)
    yield _taken(power.take)
    if power.destroy:
        kinds = {"self": "", "creature-or-dragon": "{creature}/{dragon}"}
        yield "{destroy}" + kinds.get(power.destroy, "{artifact}")
    if power.discard:
        yield "{discard}"


def _effects(effects: tuple[Effect, ...]) -> Iterator[str]:
    return filter(None, map(_effect, effects))


def _effect(effect: Effect) -> str:
    match effect:
        case GainFixed(gain=essences):
            return cost_icons(essences)
        case GainMix(any=n, of=of):
            return mix_icons(n, of)
        case GainX(gain_x=letter):
            return f"X{ICONS[letter]}"
        case SameX(of=of):
            return mix_icons("X", of)
        case GainValue(value=more, of=of):
            return mix_icons(f"+{more}" if more else "=", of)
        case RivalsGain(rivals=essences):
            return "{rival}+" + cost_icons(essences)
        case Mirror(mirror=letter, as_=gained):
            return f"={ICONS[gained]} {{rival}}{ICONS[letter]}"
        case PutFixed(put=essences):
            return cost_icons(essences) + "{on}"
        case PutMix(put_any=n, of=of):
            return mix_icons(n, of) + "{on}"
        case PutPaid():
            return "={on}"
        case Straighten(straighten=sort):
            return "{straighten}" + ("" if sort in ("any", "self") else f"{{{sort}}}")
        case _:
            return _other_effect(effect)


def _other_effect(effect: Effect) -> str:
    match effect:
        case DrawCards(draw=n, drop=drop):
            return f"{n}{{draw}}" + (f" {n}{{discard}}" if drop else "")
        case LookAt(look=n):
            return f"{n}{{look}}"
        case PlaceArtifact(place=pile, type=kind, less=less, free=free):
            price = "0" if free else f"\N{MINUS SIGN}{less}{{mix}}" if less else ""
            whence = "" if pile == "hand" else "{discard}"
            return f"{whence}{{place-card}}{f'{{{kind}}}' if kind else ''} {price}".rstrip()
        case InflictLoss(loss=n):
            return f"{{rival}} \N{MINUS SIGN}{n}{{life}}"
        case CheckNow():
            return "{check}"
        case AddPoints(points=n):
            return f"+{n}{{points}}"
        case _:
            return ""
