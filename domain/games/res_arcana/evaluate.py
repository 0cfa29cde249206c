"""Who stands better, by rules of thumb: points, essences, what brings some, what is in reach.

The points began as a fit to how matches between bots ended (logistic regression).
"""

from functools import lru_cache
from typing import Final

from domain.games.res_arcana.bundles import GOLD, NOTHING, Counts, counts
from domain.games.res_arcana.packs import Pack
from domain.games.res_arcana.state import TO_WIN, Area, State, pack_of
from domain.games.res_arcana.victory import points_of
from domain.kernel.win_probabilities import win_probabilities

POINT: Final = 0.4
LATE: Final = 0.3
"""For each point beyond those of `EARLY`, besides."""
EARLY: Final = 6
ENOUGH: Final = 2.2
"""For points enough to end the game."""
ESSENCE: Final = 0.04
GOLD_MORE: Final = 0.14
"""For an essence that is gold, beside what any essence is worth."""
INCOME: Final = 0.4
"""For an essence that a component brings in each round."""
POWER: Final = 0.08
"""For a power or a discount of a component."""
COMPONENT: Final = 0.14
TURNED: Final = -0.06
"""For a component that is turned."""
IN_HAND: Final = 0.15
OUT: Final = -0.55
"""For having passed while others act."""
IN_REACH: Final = 0.36
"""For a point that could be claimed, when all of its price is there."""
MOST: Final = 15
"""Essences of a pool that count: nobody can use more of them."""


def evaluate(state: State) -> dict[str, float]:
    """How likely each seat wins; who has resigned does not."""
    if len(state.areas) < 2:
        return {area.seat: 1.0 for area in state.areas}
    standing: dict[str, float] = {
        area.seat: _standing(state, area) for area in state.areas if not area.gone
    }
    chances = win_probabilities(standing)
    return {area.seat: chances.get(area.seat, 0.0) for area in state.areas}


def _standing(state: State, area: Area) -> float:
    pack, pool = pack_of(state), counts(area.pool)
    points = points_of(state, area)
    worth = POINT * points + LATE * max(0, points - EARLY) + ENOUGH * (points >= TO_WIN)
    worth += ESSENCE * min(sum(pool), MOST) + GOLD_MORE * pool[GOLD]
    worth += IN_HAND * len(area.hand) + OUT * area.out + IN_REACH * _claimable(state, pool)
    return worth + sum(_use(pack, own.id) + TURNED * own.turned for own in area.table)


def _claimable(state: State, pool: Counts) -> float:
    """The points of what is nearest to be claimed, as far as its price is there."""
    cards = pack_of(state).cards
    return max(
        (
            _paid(getattr(cards[card], "cost", NOTHING), pool) * max(1, cards[card].points)
            for card in (*state.places, *state.row)
        ),
        default=0.0,
    )


@lru_cache(maxsize=65536)
def _paid(cost: str, pool: Counts) -> float:
    """What share of a price a pool has, squared: it is worth most when nothing is missing."""
    price = counts(cost)
    whole = sum(price)
    return (sum(map(min, price, pool)) / whole) ** 2 if whole else 1.0


@lru_cache(maxsize=4096)
def _use(pack: Pack, name: str) -> float:
    """What a card on the table is good for, beside its points."""
    card = pack.cards[name]
    brings = sum(counts(card.collect.gain)) + (card.collect.any or 0) + card.stored.add
    brings += card.stored.any or 0
    if card.upkeep is not None:
        brings -= sum(counts(card.upkeep.pay))
    abilities = len(card.power) + (card.discount is not None)
    return COMPONENT + INCOME * brings + POWER * abilities
