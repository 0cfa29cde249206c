"""Life loss: what a victim loses, and how it may ignore the loss."""

from collections.abc import Iterator
from typing import assert_never

from domain.games.res_arcana.actions import Ignore, Lose, React
from domain.games.res_arcana.artifacts import not_afforded
from domain.games.res_arcana.bundles import (
    LIFE,
    Bundle,
    Counts,
    choices_from,
    counts,
    holds,
    in_words,
    minus,
    spell,
)
from domain.games.res_arcana.facts import CardDiscarded, EssencesLost, EssencesPaid, StepDone
from domain.games.res_arcana.powers import destroy
from domain.games.res_arcana.reactions import pay_reaction, reaction_to, reactions, refuse_react
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import Area, Losing, Seat, State, area_of, component, pack_of
from domain.games.res_arcana.vocabulary import InflictLoss, Price
from domain.kernel.rulings import Figures, Refused

OTHERS_FOR_LIFE = 2
"""Other essences lost for each life that is missing."""


def price_of(state: State, step: Losing) -> Price:
    """What the attack lets a victim pay to ignore it."""
    power = pack_of(state).cards[step.card].power[step.power - 1]
    return next(effect.ignore for effect in power.do if isinstance(effect, InflictLoss))


def must_lose(area: Area, n: int) -> tuple[int, int]:
    """How much life, and how many other essences, a loss of n takes from this seat."""
    pool = counts(area.pool)
    life = min(n, pool[LIFE])
    return life, min(OTHERS_FOR_LIFE * (n - life), sum(pool) - pool[LIFE])


# --- what can be answered ------------------------------------------------------------------------


def losses(area: Area, n: int) -> Iterator[Lose]:
    """Every way to suffer it."""
    life, others = must_lose(area, n)
    for chosen in choices_from(_without_life(counts(area.pool)), others):
        e, _, c, d, g = chosen
        yield Lose(spell((e, life, c, d, g)))


def _without_life(pool: Counts) -> Counts:
    return minus(pool, (0, pool[LIFE], 0, 0, 0))


def ignores(state: State, step: Losing) -> Iterator[Ignore]:
    """Every way to pay the attack's price."""
    area = area_of(state, step.seat)
    price = price_of(state, step)
    if price.pay is not None and holds(area.pool, price.pay):
        yield Ignore()
    if price.discard is not None:
        yield from (Ignore(card) for card in area.hand)
    if price.destroy is not None:
        artifacts = pack_of(state).artifacts
        yield from (Ignore(own.id) for own in area.table if own.id in artifacts)


def answers(state: State, step: Losing) -> Iterator[Iterator[Lose | React | Ignore]]:
    """To lose, to react, to pay the price."""
    area = area_of(state, step.seat)
    yield losses(area, step.n)
    for reaction in reactions(state, step, area):
        yield iter((reaction,))
    yield ignores(state, step)


# --- why not -------------------------------------------------------------------------------------


def refuse(state: State, step: Losing, action: Lose | React | Ignore) -> Refused | None:
    """Why the victim cannot answer so."""
    area = area_of(state, step.seat)
    match action:
        case Lose(essences):
            return _refuse_lose(area, step.n, essences)
        case React():
            return refuse_react(state, step, area, action)
        case Ignore(card):
            return _refuse_ignore(state, step, area, card)
        case _:
            assert_never(action)


def _refuse_lose(area: Area, n: int, essences: Bundle) -> Refused | None:
    if not holds(area.pool, essences):
        return not_afforded(area, essences)
    lost = counts(essences)
    life, others = must_lose(area, n)
    figures: Figures = {"loss": n, "life": life, "others": others, "named": essences}
    if lost[LIFE] != life:
        return refused("ra.loss.life", "life", figures, n=n, life=life)
    if sum(lost) - life != others:
        return refused("ra.loss.other", "others", figures, n=n - life, others=others)
    return None


def _refuse_ignore(state: State, step: Losing, area: Area, card: str | None) -> Refused | None:
    price = price_of(state, step)
    attack = pack_of(state).cards[step.card].name
    if price == Price():
        return refused("ra.loss.price", "no price", card=attack)
    if price.pay is not None:
        if card is not None:
            return refused("ra.notation", "price no card", card=attack)
        if holds(area.pool, price.pay):
            return None
        figures: Figures = {"price": price.pay, "pool": area.pool}
        what, pool = in_words(price.pay), in_words(area.pool)
        return refused("ra.loss.price", "price", figures, card=attack, what=what, pool=pool)
    if card is None:
        return refused("ra.notation", "price a card", card=attack)
    if price.discard is not None:
        if card in area.hand:
            return None
        return refused("ra.loss.price-card", "hand", card=named(state, card))
    if component(area, card) is not None and card in pack_of(state).artifacts:
        return None
    return refused("ra.loss.price-card", "destroy.artifact", card=named(state, card))


# --- and what follows ----------------------------------------------------------------------------


def answer(course: Resolution, step: Losing, action: Lose | React | Ignore) -> None:
    """Let the victim's answer become true. Any reaction and any price ignores the whole loss."""
    seat = step.seat
    state = course.state
    course.record(StepDone(), "ra.loss.who", victim=seat, attack=step.card)
    match action:
        case Lose(essences):
            life, others = must_lose(area_of(state, seat), step.n)
            rules = ("ra.loss.life", "ra.loss.other") if others else ("ra.loss.life",)
            figures: Figures = {"loss": step.n, "life": life, "others": others}
            if essences == "0":
                course.explain(*rules, **figures)
            else:
                course.record(EssencesLost(seat, essences), *rules, **figures)
        case React(card):
            react = reaction_to(state, step, card)
            assert react is not None, "judged before"
            pay_reaction(course, seat, card, react)
            course.explain("ra.react.ignore", component=card, loss=step.n)
        case Ignore(card):
            _pay_price(course, step, seat, card)
        case _:
            assert_never(action)


def _pay_price(course: Resolution, step: Losing, seat: Seat, card: str | None) -> None:
    price = price_of(course.state, step)
    figures: Figures = {"attack": step.card, "loss": step.n}
    if price.pay is not None:
        paid = EssencesPaid(seat, price.pay)
        course.record(paid, "ra.loss.price", **figures, price=price.pay)
        return
    assert card is not None, "judged before"
    if price.discard is not None:
        course.record(CardDiscarded(seat, card), "ra.loss.price-card", **figures, card=card)
    else:
        destroy(course, seat, card, "ra.loss.price-card", **figures)
