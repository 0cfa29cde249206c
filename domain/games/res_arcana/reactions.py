"""Reactions: which component can react to what, and what it costs."""

from collections.abc import Iterator

from domain.games.res_arcana.actions import React
from domain.games.res_arcana.bundles import NOTHING, holds
from domain.games.res_arcana.card_words import reaction_cost_text, spoken
from domain.games.res_arcana.effects import Used, take_effect
from domain.games.res_arcana.facts import ComponentTurned, EssencesPaid, EssencesReturned
from domain.games.res_arcana.powers import destroy
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    Area,
    Checking,
    Component,
    Losing,
    Seat,
    State,
    component,
    pack_of,
)
from domain.games.res_arcana.vocabulary import Artifact, Reaction
from domain.kernel.rulings import Figures, Refused


def reaction_to(state: State, step: Losing | Checking, card: str) -> Reaction | None:
    """The reaction of this card, if it is one to what happens."""
    cards = pack_of(state).cards
    react = cards[card].react
    if react is None or react.to != ("loss" if isinstance(step, Losing) else "check"):
        return None
    if isinstance(step, Losing) and react.from_ is not None:
        attacking = cards[step.card]
        if not isinstance(attacking, Artifact) or react.from_ not in attacking.type:
            return None
    return react


def reactions(state: State, step: Losing | Checking, area: Area) -> Iterator[React]:
    """Every reaction this seat can pay for."""
    for own in area.table:
        react = reaction_to(state, step, own.id)
        if react is not None and _ready(own, react) and _payable(area, own, react):
            yield React(own.id)


def _ready(own: Component, react: Reaction) -> bool:
    return not (react.turn and own.turned)


def _payable(area: Area, own: Component, react: Reaction) -> bool:
    return holds(area.pool, react.pay) and holds(own.on, react.take)


def refuse_react(
    state: State, step: Losing | Checking, area: Area, action: React
) -> Refused | None:
    """The first rule against this reaction."""
    own = component(area, action.card)
    if own is None:
        return refused("ra.react.own", "own", card=named(state, action.card))
    card = pack_of(state).cards[own.id]
    react = reaction_to(state, step, own.id)
    if react is None:
        why = "reaction.loss" if isinstance(step, Losing) else "reaction.check"
        return refused("ra.react.trigger", why, card=card.name)
    if not _ready(own, react):
        return refused("ra.react.turned", "reaction.turned", card=card.name)
    if _payable(area, own, react):
        return None
    figures: Figures = {"cost": react.pay, "pool": area.pool}
    what = spoken(reaction_cost_text(react))
    return refused("ra.react.cost", "reaction.cost", figures, card=card.name, what=what)


def pay_reaction(course: Resolution, seat: Seat, card: str, react: Reaction) -> None:
    """Pay for a reaction and have what it does to its own component."""
    about: Figures = {"component": card}
    if react.pay != NOTHING:
        paid = EssencesPaid(seat, react.pay)
        course.record(paid, "ra.react.cost", **about, paid=react.pay)
    if react.take != NOTHING:
        course.record(EssencesReturned(seat, card, react.take), "ra.react.cost", **about)
    if react.turn:
        course.record(ComponentTurned(seat, card), "ra.react.turned", **about)
    if react.destroy is not None:
        destroy(course, seat, card, "ra.react.cost", **about)
    take_effect(course, Used(seat, card, payment=react.pay), react.do)
