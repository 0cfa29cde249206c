"""Claiming monuments and places of power."""

from collections.abc import Iterator
from typing import Final, Literal

from domain.games.res_arcana.actions import Claim
from domain.games.res_arcana.bundles import Bundle, holds, in_words
from domain.games.res_arcana.effects import Used, take_effect
from domain.games.res_arcana.facts import (
    CardClaimed,
    EssencesPaid,
    MonumentRevealed,
    StepDone,
    StepsQueued,
)
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import ROW, Area, Revealing, Seat, State, pack_of
from domain.games.res_arcana.vocabulary import Monument, Place
from domain.kernel.rulings import Figures, Refused

TOP: Final = "top"
"""How an action names the monument on top of the deck, which nobody has seen."""


def claims(state: State, area: Area) -> Iterator[Claim]:
    """Everything this seat can claim."""
    named = (*state.row, *state.places, *((TOP,) if state.monuments else ()))
    return (Claim(card) for card in named if holds(area.pool, _cost(state, card)))


def _cost(state: State, card: str) -> Bundle:
    """What a card that can be claimed costs. All monuments cost the same."""
    place = pack_of(state).places.get(card)
    return place.cost if place else pack_of(state).monument_cost


def refuse_claim(state: State, area: Area, action: Claim) -> Refused | None:
    """Why this seat cannot claim that."""
    if action.card == TOP:
        if not state.monuments:
            return refused("ra.claim.deck", "claim.deck")
    elif action.card not in state.row and action.card not in state.places:
        return refused("ra.claim.open", "claim.open", card=named(state, action.card))
    cost = _cost(state, action.card)
    if holds(area.pool, cost):
        return None
    figures: Figures = {"cost": cost, "pool": area.pool}
    pool = in_words(area.pool)
    return refused("ra.claim.cost", "claim.cost", figures, cost=in_words(cost), pool=pool)


def claim(course: Resolution, seat: Seat, action: Claim) -> None:
    """Pay, lay the card down, have its effects, and refill the row after them."""
    state = course.state
    cost = _cost(state, action.card)
    course.record(EssencesPaid(seat, cost), "ra.claim.cost", cost=cost)
    where: Literal["row", "top", "places"] = "places"
    card = action.card
    if card == TOP:
        where, card = "top", state.monuments[0]
    elif card in state.row:
        where = "row"
    rule = "ra.claim.deck" if where == "top" else "ra.claim.open"
    course.record(CardClaimed(seat, card, where), rule, "ra.play.place", component=card)
    course.record(StepsQueued((Revealing(),)))
    claimed = pack_of(state).cards[card]
    assert isinstance(claimed, Monument | Place), "nothing else can be claimed"
    take_effect(course, Used(seat, card), claimed.on_claim)


def reveal(course: Resolution) -> None:
    """Refill the row of monuments, as far as there are any."""
    course.record(StepDone())
    while len(course.state.row) < ROW and course.state.monuments:
        revealed = MonumentRevealed(course.state.monuments[0])
        course.record(revealed, "ra.claim.refill", open=ROW)
