"""What pays a cost: fixed essences, `*` for any, discounts, identical essences."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from domain.games.res_arcana.bundles import (
    GOLD,
    LETTERS,
    NONE,
    Bundle,
    Counts,
    choices_from,
    counts,
    covers,
    limited,
    minus,
    only,
    plus,
    spans,
    spell,
)
from domain.games.res_arcana.state import Area, State, pack_of
from domain.games.res_arcana.vocabulary import Artifact, Cost, Power


class Price(NamedTuple):
    """A cost in numbers."""

    fixed: Counts
    stars: int
    """Essences of any type besides."""


@cache
def price_of(cost: Cost) -> Price:
    """A cost in numbers.

    >>> price_of("2d3*")
    Price(fixed=(0, 0, 0, 2, 0), stars=3)
    """
    if not cost.endswith("*"):
        return Price(counts(cost), 0)
    # The stars' digits end where the last letter stands.
    cut = max((cost.rfind(letter) for letter in LETTERS), default=-1) + 1
    fixed = counts(cost[:cut]) if cut else NONE
    return Price(fixed, int(cost[cut:-1]))


def value_of(card: Artifact) -> int:
    """The number of essences in the printed cost, `*` counted, discounts not."""
    price = price_of(card.cost)
    return sum(price.fixed) + price.stars


# --- placing artifacts ---------------------------------------------------------------------------


def discount_for(state: State, area: Area, card: Artifact) -> int:
    """How much less this artifact costs the owner of this area, by all its components.

    Turned ones too: a discount is an ability, not a power.
    """
    cards = pack_of(state).cards
    offers = (cards[own.id].discount for own in area.table)
    return sum(
        offer.less
        for offer in offers
        if offer and (offer.on == "artifact" or offer.on in card.type)
    )


def struck(cost: Cost, less: int) -> int:
    """How many essences a discount takes off a cost: never gold, never more than there are."""
    price = price_of(cost)
    return min(less, sum(price.fixed) - price.fixed[GOLD] + price.stars)


def pays(payment: Bundle, cost: Cost, less: int) -> bool:
    """Does this bundle pay the cost, `less` essences other than gold struck off it?

    Which are struck is the payer's choice. So what counts is the size of the payment, that it has
    the gold, and that what it lacks of the other fixed types can be struck.

    >>> pays("1g", "1g1*", 1), pays("1e1g", "1g1*", 1), pays("1g", "2g", 1)
    (True, False, False)
    """
    fixed, stars = price_of(cost)
    strikes = struck(cost, less)
    paid = counts(payment)
    if sum(paid) != sum(fixed) + stars - strikes or paid[GOLD] < fixed[GOLD]:
        return False
    return sum(max(0, f - p) for f, p in zip(fixed, paid, strict=True)) <= strikes


def payments(pool: Bundle, cost: Cost, less: int) -> Iterator[Bundle]:
    """Every bundle out of the pool that pays, each once, lazily."""
    fixed, stars = price_of(cost)
    strikes = struck(cost, less)
    yield from map(spell, _paying(counts(pool), fixed, sum(fixed) + stars - strikes, strikes))


def _paying(pool: Counts, fixed: Counts, wanted: int, strikes: int) -> Iterator[Counts]:
    """Choices of `wanted` essences that lack at most `strikes` of the fixed ones, and no gold.

    Each step leaves enough in the types that follow, and takes enough for what may not be struck.
    """
    later = (sum(pool[1:]), sum(pool[2:]), pool[3] + pool[4], pool[4])
    for e in spans(wanted, pool[0], later[0], fixed[0] - strikes):
        strikes_1, left_1 = strikes - max(0, fixed[0] - e), wanted - e
        for life in spans(left_1, pool[1], later[1], fixed[1] - strikes_1):
            strikes_2, left_2 = strikes_1 - max(0, fixed[1] - life), left_1 - life
            for c in spans(left_2, pool[2], later[2], fixed[2] - strikes_2):
                strikes_3, left_3 = strikes_2 - max(0, fixed[2] - c), left_2 - c
                # What is left for gold has to be what the cost wants of it.
                dead = min(pool[3], left_3 - fixed[4])
                for d in spans(left_3, dead, later[3], fixed[3] - strikes_3):
                    yield e, life, c, d, left_3 - d


# --- powers --------------------------------------------------------------------------------------


def is_open(power: Power) -> bool:
    """Is the payment for the payer to choose, so that it must be written?"""
    return power.same or power.pay.endswith("*")


def identical(power: Power, payment: Bundle) -> int:
    """X: how many identical essences a payment has besides the cost."""
    price = price_of(power.pay)
    return sum(counts(payment)) - sum(price.fixed) - price.stars


def pays_power(payment: Bundle, power: Power) -> bool:
    """Does this bundle pay for the power?"""
    fixed, stars = price_of(power.pay)
    paid = counts(payment)
    if not covers(paid, fixed):
        return False
    rest = minus(paid, fixed)
    if power.same:
        alike = sum(rest) - stars
        return alike >= 0 and max(rest) >= alike
    return sum(rest) == stars and only(spell(rest), power.pay_of)


def power_payments(pool: Bundle, power: Power) -> Iterator[Bundle]:
    """Every bundle out of the pool that pays for the power, each once, lazily."""
    fixed, stars = price_of(power.pay)
    stock = counts(pool)
    if not covers(stock, fixed):
        return
    rest = limited(minus(stock, fixed), power.pay_of)
    found = _with_identical(rest, stars) if power.same else choices_from(rest, stars)
    for free in found:
        yield spell(plus(fixed, free))


def _with_identical(stock: Counts, stars: int) -> Iterator[Counts]:
    """Choices of `stars` essences and X of one type besides, for every X."""
    for x in range(max(stock) + 1):
        for at in range(len(LETTERS)):
            alike = [x if n == at else 0 for n in range(len(LETTERS))]
            same = (alike[0], alike[1], alike[2], alike[3], alike[4])
            if not covers(stock, same):
                continue
            for free in choices_from(minus(stock, same), stars):
                chosen = plus(free, same)
                # With X or more of an earlier type it has been given already.
                if all(n < x for n in chosen[:at]):
                    yield chosen
