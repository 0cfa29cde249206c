"""Using a power: what it wants to be told, its cost, and its effects."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, assert_never

from domain.games.res_arcana.actions import Use
from domain.games.res_arcana.artifacts import not_afforded
from domain.games.res_arcana.bundles import NOTHING, Bundle, holds, in_words, is_bundle
from domain.games.res_arcana.card_words import paying_text, spoken
from domain.games.res_arcana.effects import NOBODY, Used, take_effect, wants_target
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    CardDiscarded,
    ComponentTurned,
    EssencesPaid,
    EssencesReturned,
)
from domain.games.res_arcana.payments import (
    identical,
    is_open,
    pays_power,
    power_payments,
    value_of,
)
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    Area,
    Component,
    Seat,
    State,
    area_of,
    component,
    pack_of,
    rivals,
)
from domain.games.res_arcana.vocabulary import (
    Artifact,
    Card,
    Destroys,
    Effect,
    Kind,
    LookAt,
    Mirror,
    Power,
    PutPaid,
    Straighten,
)
from domain.kernel.rulings import Figures, Refused

Sort = Literal["payment", "turn-other", "destroy", "discard", "target"]


class Slot(NamedTuple):
    """One argument that a power wants."""

    sort: Sort
    effect: Effect | None = None
    """The effect that a target is for."""


@lru_cache(maxsize=4096)
def slots(power: Power) -> tuple[Slot, ...]:
    """What this power wants to be told, in order."""
    wanted: list[Slot] = []
    if is_open(power):
        wanted.append(Slot("payment"))
    if power.turn_other is not None:
        wanted.append(Slot("turn-other"))
    if power.destroy not in (None, "self"):
        wanted.append(Slot("destroy"))
    if power.discard is not None:
        wanted.append(Slot("discard"))
    wanted += [Slot("target", effect) for effect in power.do if wants_target(effect)]
    return tuple(wanted)


class Told(NamedTuple):
    """The arguments of a use, by what they are for."""

    payment: Bundle
    turn_other: str | None
    destroy: str | None
    discard: str | None
    targets: tuple[str, ...]


def told(action: Use, power: Power) -> Told:
    """The arguments sorted; their number and the spelling of a payment have been checked."""
    named = list(zip(slots(power), action.arguments, strict=True))
    by_sort = {slot.sort: word for slot, word in named}
    destroy = action.card if power.destroy == "self" else by_sort.get("destroy")
    return Told(
        by_sort.get("payment", power.pay),
        by_sort.get("turn-other"),
        destroy,
        by_sort.get("discard"),
        tuple(word for slot, word in named if slot.sort == "target"),
    )


# --- what is legal -------------------------------------------------------------------------------


def uses(state: State, area: Area) -> Iterator[Iterator[Use]]:
    """For each power that could be used, every way to use it."""
    cards = pack_of(state).cards
    for own in area.table:
        for number, power in enumerate(cards[own.id].power, 1):
            if _ready(own, power) and holds(own.on, power.take):
                yield _uses_of(state, area, own, number)


def _ready(own: Component, power: Power) -> bool:
    return not own.turned or power.while_turned


def _uses_of(state: State, area: Area, own: Component, number: int) -> Iterator[Use]:
    power = pack_of(state).cards[own.id].power[number - 1]
    if not is_open(power) and not holds(area.pool, power.pay):
        return
    wanted = slots(power)
    if not wanted:
        yield Use(own.id, number)
        return
    # Payments are many and targets few: they vary fastest last, so the list starts at once.
    for words in _fill(state, area, (own, power), wanted, ()):
        yield Use(own.id, number, words)


def _fill(
    state: State,
    area: Area,
    used: tuple[Component, Power],
    wanted: tuple[Slot, ...],
    before: tuple[str, ...],
) -> Iterator[tuple[str, ...]]:
    """Every list of arguments that begins with those before."""
    if len(before) == len(wanted):
        yield before
        return
    slot = wanted[len(before)]
    given = {each.sort: word for each, word in zip(wanted, before, strict=False)}
    for word in _words(state, area, used, slot, given):
        yield from _fill(state, area, used, wanted, (*before, word))


def _words(
    state: State,
    area: Area,
    used: tuple[Component, Power],
    slot: Slot,
    given: dict[Sort, str],
) -> Iterator[str]:
    own, power = used
    match slot.sort:
        case "payment":
            yield from power_payments(area.pool, power)
        case "turn-other":
            yield from (
                each.id for each in area.table if _turnable(state, used, power.turn_other, each)
            )
        case "destroy":
            yield from (each.id for each in area.table if _destroyable(state, own.id, power, each))
        case "discard":
            yield from area.hand
        case "target":
            assert slot.effect is not None, "a target is for an effect"
            yield from _targets(state, area, _after_cost(own, power, given), slot.effect)
        case _:
            assert_never(slot.sort)


class Cost(NamedTuple):
    """What the cost of a use does to the table: which components it turns, and which it takes."""

    turned: tuple[str, ...]
    gone: tuple[str, ...]


def _after_cost(own: Component, power: Power, given: dict[Sort, str]) -> Cost:
    turned = [own.id] if power.turn else []
    gone = [own.id] if power.destroy == "self" else []
    turned += [given["turn-other"]] if "turn-other" in given else []
    gone += [given["destroy"]] if "destroy" in given else []
    return Cost(tuple(turned), tuple(gone))


def _targets(state: State, area: Area, cost: Cost, effect: Effect) -> Iterator[str]:
    """Everything that can be named for an effect, after the cost is paid."""
    here = [each for each in area.table if each.id not in cost.gone]
    match effect:
        case Straighten(straighten=sort):
            turned = [each for each in here if each.turned or each.id in cost.turned]
            yield from (each.id for each in turned if _is_of(state, each.id, sort))
            yield NOBODY
        case PutPaid():
            yield from (each.id for each in here)
        case Mirror():
            yield from (rival.seat for rival in rivals(state, area.seat))
        case LookAt():
            yield from ("deck", "monuments")
        case _:
            raise AssertionError(f"{effect} wants no target")


def _is_of(state: State, card: str, sort: str) -> bool:
    """Is this card of a sort: `any`, or a type of artifact?"""
    known = pack_of(state).artifacts.get(card)
    return sort == "any" or (known is not None and sort in known.type)


def _turnable(
    state: State, used: tuple[Component, Power], kind: Kind | None, each: Component
) -> bool:
    own, power = used
    turned = each.turned or (power.turn and each.id == own.id)
    return kind is not None and not turned and _is_of(state, each.id, kind)


def _destroyable(state: State, own: str, power: Power, each: Component) -> bool:
    artifact = pack_of(state).artifacts.get(each.id)
    return artifact is not None and _fits(power.destroy, each.id == own, artifact)


def _fits(destroys: Destroys | None, itself: bool, artifact: Artifact) -> bool:
    match destroys:
        case "artifact":
            return True
        case "other-artifact":
            return not itself
        case "creature-or-dragon":
            return bool(artifact.type)
        case "self" | None:
            return False
        case _:
            assert_never(destroys)


# --- why not -------------------------------------------------------------------------------------


def refuse_use(state: State, area: Area, action: Use) -> Refused | None:
    """The first rule against this use, in the order of the reference."""
    own = component(area, action.card)
    if own is None:
        return refused("ra.use.own", "own", card=named(state, action.card))
    card = pack_of(state).cards[own.id]
    if action.power > len(card.power):
        why, n = "power" if card.power else "power.none", len(card.power)
        return refused("ra.use.power", why, card=card.name, n=n, number=action.power)
    power = card.power[action.power - 1]
    if not _ready(own, power):
        return refused("ra.use.turned", "turned", card=card.name)
    refusal = _refuse_spelling(action, power)
    if refusal is not None:
        return refusal
    refusal = _refuse_take(card, own, power)
    if refusal is not None:
        return refusal
    given = told(action, power)
    for judge in (_refuse_payment, _refuse_cards, _refuse_targets):
        refusal = judge(state, area, (own, power), given)
        if refusal is not None:
            return refusal
    return None


def refuse_power(state: State, area: Area, own: Component, number: int) -> Refused | None:
    """Return the first rule against every use of a power, or None if there is a legal one."""
    card = pack_of(state).cards[own.id]
    power = card.power[number - 1]
    if not _ready(own, power):
        return refused("ra.use.turned", "turned", card=card.name)
    refusal = _refuse_take(card, own, power)
    if refusal is not None:
        return refusal
    if is_open(power):
        if next(power_payments(area.pool, power), None) is None:
            figures: Figures = {"cost": power.pay, "pool": area.pool}
            cost, pool = spoken(paying_text(power)), in_words(area.pool)
            return refused("ra.use.cost", "power.pay", figures, cost=cost, pool=pool)
    elif not holds(area.pool, power.pay):
        return not_afforded(area, power.pay)
    for slot in slots(power):
        missing = next(_words(state, area, (own, power), slot, {}), None) is None
        if missing and slot.sort != "payment":
            kind = {"turn-other": power.turn_other, "destroy": power.destroy}.get(slot.sort)
            why = f"none.{slot.sort}.{kind}" if kind else f"none.{slot.sort}"
            return refused(f"ra.use.{slot.sort}", why)
    return None


def _refuse_take(card: Card, own: Component, power: Power) -> Refused | None:
    if holds(own.on, power.take):
        return None
    figures: Figures = {"on": own.on, "take": power.take}
    what, on = in_words(power.take), in_words(own.on)
    return refused("ra.use.take", "take", figures, card=card.name, what=what, on=on)


def _refuse_spelling(action: Use, power: Power) -> Refused | None:
    wanted = slots(power)
    if len(action.arguments) != len(wanted):
        words = [ENGLISH.format(f"wanted.{slot.sort}") for slot in wanted]
        told_of = ENGLISH.join_and(words) or ENGLISH.format("nothing")
        return refused("ra.notation", "spelling", wanted=told_of)
    if is_open(power) and not is_bundle(action.arguments[0]):
        return refused("ra.notation", "bundle", word=action.arguments[0])
    return None


def _refuse_payment(
    state: State, area: Area, used: tuple[Component, Power], given: Told
) -> Refused | None:
    del state
    power = used[1]
    if not holds(area.pool, given.payment):
        return not_afforded(area, given.payment)
    if not is_open(power) or pays_power(given.payment, power):
        return None
    figures: Figures = {"cost": power.pay, "payment": given.payment}
    cost, what = spoken(paying_text(power)), in_words(given.payment)
    return refused("ra.use.cost", "power.cost", figures, cost=cost, what=what)


def _refuse_cards(
    state: State, area: Area, used: tuple[Component, Power], given: Told
) -> Refused | None:
    own, power = used
    if given.turn_other is not None:
        other = component(area, given.turn_other)
        if other is None or not _turnable(state, used, power.turn_other, other):
            card = named(state, given.turn_other)
            return refused("ra.use.turn-other", f"turn.{power.turn_other}", card=card)
    if given.destroy is not None and power.destroy != "self":
        doomed = component(area, given.destroy)
        if doomed is None or not _destroyable(state, own.id, power, doomed):
            card = named(state, given.destroy)
            return refused("ra.use.destroy", f"destroy.{power.destroy}", card=card)
    if given.discard is not None and given.discard not in area.hand:
        return refused("ra.use.discard", "hand", card=named(state, given.discard))
    return None


def _refuse_targets(
    state: State, area: Area, used: tuple[Component, Power], given: Told
) -> Refused | None:
    own, power = used
    paid: dict[Sort, str] = {}
    if given.turn_other is not None:
        paid["turn-other"] = given.turn_other
    if given.destroy is not None and power.destroy != "self":
        paid["destroy"] = given.destroy
    cost = _after_cost(own, power, paid)
    effects = [effect for effect in power.do if wants_target(effect)]
    for effect, target in zip(effects, given.targets, strict=True):
        if target not in _targets(state, area, cost, effect):
            why = f"target.{effect.__struct_config__.tag}"
            return refused("ra.use.target", why, card=named(state, target))
    return None


# --- and what follows ----------------------------------------------------------------------------


def use(course: Resolution, seat: Seat, action: Use) -> None:
    """Pay the cost, in its order, and have the effects."""
    power = pack_of(course.state).cards[action.card].power[action.power - 1]
    given = told(action, power)
    about: Figures = {"component": action.card, "power": action.power}
    if given.payment != NOTHING:
        rules = ("ra.use.cost",) if is_open(power) else ("ra.pay.afford",)
        course.record(EssencesPaid(seat, given.payment), *rules, **about, paid=given.payment)
    if power.take != NOTHING:
        returned = EssencesReturned(seat, action.card, power.take)
        course.record(returned, "ra.use.take", **about, taken=power.take)
    if power.turn:
        course.record(ComponentTurned(seat, action.card), "ra.use.turned", **about)
    if given.turn_other is not None:
        turned = ComponentTurned(seat, given.turn_other)
        course.record(turned, "ra.use.turn-other", **about, other=given.turn_other)
    value = _give_up(course, seat, given, about)
    used = Used(
        seat,
        action.card,
        action.power,
        given.payment,
        identical(power, given.payment) if power.same else 0,
        value,
        given.targets,
    )
    take_effect(course, used, power.do)


def _give_up(course: Resolution, seat: Seat, given: Told, about: Figures) -> int:
    """Destroy and discard what the cost wants; the value of the card given up."""
    artifacts = pack_of(course.state).artifacts
    value = 0
    if given.destroy is not None:
        value = destroy(course, seat, given.destroy, "ra.use.destroy", **about)
    if given.discard is not None:
        value = value_of(artifacts[given.discard])
        discarded = CardDiscarded(seat, given.discard)
        course.record(discarded, "ra.use.discard", **about, card=given.discard, value=value)
    return value


def destroy(course: Resolution, seat: Seat, card: str, *rules: str, **figures: int | str) -> int:
    """Destroy an artifact, and give its value. What is on it goes to the supply."""
    own = component(area_of(course.state, seat), card)
    on = own.on if own else NOTHING
    artifact = pack_of(course.state).artifacts.get(card)
    value = value_of(artifact) if artifact else 0
    gone = ArtifactDestroyed(seat, card)
    course.record(gone, *rules, "ra.destroy", **figures, card=card, value=value, lost=on)
    return value
