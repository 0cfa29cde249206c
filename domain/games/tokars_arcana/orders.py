"""Orders: who may be commanded, and all that a model may be ordered to do (Playing the Game)."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, assert_never

from domain.games.tokars_arcana.actions import (
    AnyOrder,
    Brew,
    BrewAndSlide,
    Enter,
    Explode,
    Move,
    MoveAndStrike,
    MoveAndVanquish,
    Off,
    Promote,
    Recall,
    Return,
    Revive,
    Slay,
    SlideAndBrew,
    Strike,
    TradeDead,
    TradeModels,
    Vanquish,
    Wind,
)
from domain.games.tokars_arcana.alchemist import brews, refuse_brew
from domain.games.tokars_arcana.battle_mage import (
    promotions,
    refuse_promotion,
    refuse_vanquishing,
    vanquishings,
)
from domain.games.tokars_arcana.board import plane
from domain.games.tokars_arcana.cards import CARDS, Order, named
from domain.games.tokars_arcana.dark_priest import refuse_rite, rites
from domain.games.tokars_arcana.graveyard import refuse_revival, refuse_trade, revivals, trades
from domain.games.tokars_arcana.killing import refuse_strike, targets, targets_after_moving
from domain.games.tokars_arcana.movement import (
    free_ends,
    moves,
    offs,
    refuse_move,
    refuse_off,
)
from domain.games.tokars_arcana.state import Model, Seat, Square, State
from domain.games.tokars_arcana.undead import gassed, paralysing, refuse_return, returns
from domain.kernel.rulings import Refused

KIND: Final[dict[type[AnyOrder], Order]] = {
    Move: "move",
    Enter: "enter",
    Strike: "strike",
    MoveAndStrike: "move-and-strike",
    Off: "off",
    Brew: "brew",
    SlideAndBrew: "slide-and-brew",
    BrewAndSlide: "brew-and-slide",
    Vanquish: "vanquish",
    MoveAndVanquish: "move-and-vanquish",
    Promote: "promote",
    Recall: "recall",
    Return: "return",
    Revive: "revive",
    TradeModels: "trade",
    TradeDead: "trade",
    Wind: "wind",
    Explode: "explode",
    Slay: "slay",
}
"""What a card calls each order."""

_MOVING: Final[frozenset[Order]] = frozenset({"move", "enter", "move-and-strike", "off"})


# --- listing -------------------------------------------------------------------------------------


def orders(state: State, seat: Seat) -> Iterator[AnyOrder]:
    """Every order that this seat may give."""
    return chain.from_iterable(
        orders_of(state, start, model) for start, model in _commanded(state, seat)
    )


def _commanded(state: State, seat: Seat) -> Iterator[tuple[Square, Model]]:
    """The models that may be commanded, in the order of their squares."""
    board = state.board
    paralysed = gassed(state, seat)
    for start in plane(state.options.rows).squares:
        model = board.get(start)
        if model is not None and model.seat == seat and not model.moved and start not in paralysed:
            yield start, model


def orders_of(state: State, start: Square, model: Model) -> Iterator[AnyOrder]:
    """Every order on the model's card that is possible here, if it may be commanded at all."""
    # Lists and chains rather than generators of generators: an order would pass through each.
    found: list[AnyOrder] = [*moves(state, start, model)]
    if CARDS[model.unit].reach:
        found += _strikes(state, start, model)
    found += offs(state, start, model)
    return chain(found, _by_unit(state, start, model))


def _by_unit(state: State, start: Square, model: Model) -> Iterable[AnyOrder]:
    """The orders that only this unit has."""
    match model.unit:
        case "I" | "K" | "W" | "D" | "Z" | "M" | "T":
            return ()
        case "S":
            return returns(state, start, model.seat)
        case "A":
            return brews(state, start, model.seat)
        case "P" | "Q":
            return revivals(state, start, model)
        case "X":
            return rites(state, start, model.seat)
        case "B":
            return chain(vanquishings(state, start, model), promotions(state, start, model))
        case "N":
            return chain(revivals(state, start, model), trades(state, start, model.seat))
        case unreachable:
            assert_never(unreachable)


def _strikes(state: State, start: Square, model: Model) -> Iterator[Strike | MoveAndStrike]:
    for target in targets(state, start, start, model):
        yield Strike(start, target)
    if strikes_after_moving(state, model):
        for end, target in targets_after_moving(
            state, start, free_ends(state, start, model), model
        ):
            yield MoveAndStrike(start, end, target)


def strikes_after_moving(state: State, model: Model) -> bool:
    """Has the model a move and a strike in one order, under these options?"""
    if "move-and-strike" not in CARDS[model.unit].orders:
        return False
    return model.unit != "I" or state.options.warrior == "both"


def has_order(state: State, seat: Seat) -> bool:
    """Is there any order that this seat may give?"""
    return next(orders(state, seat), None) is not None


# --- judging -------------------------------------------------------------------------------------


def refuse_order(state: State, seat: Seat, order: AnyOrder) -> Refused | None:
    """The first rule against this order, in the order of the reference (3.5), or None."""
    model = state.board.get(order.start)
    if model is None or model.seat != seat:
        there = "nobody" if model is None else named(model.seat, model.unit)
        return Refused(
            "ta.order.own",
            f"{there} stands on {order.start}: {seat.title()} commands {seat.title()}'s models",
        )
    return (
        _refuse_command(state, order.start, model)
        or _refuse_kind(state, KIND[type(order)], order.start, model)
        or _refuse_parts(state, order, model)
    )


def _refuse_command(state: State, start: Square, model: Model) -> Refused | None:
    """Why the model takes no order at all."""
    name = CARDS[model.unit].name
    mummy = paralysing(state, start, model.seat)
    if mummy is not None:
        return Refused(
            "ta.mummy.gas",
            f"the {name} on {start} is paralysed by the tomb gas of the enemy Mummy on {mummy}:"
            " command a model that is not next to one",
            {"mummy": mummy},
        )
    if model.moved:
        return Refused(
            "ta.darkpriest.moved",
            f"the Dark Priest on {start} was moved by another model, and takes no order in the"
            " next turn",
        )
    return None


def _refuse_kind(state: State, kind: Order, start: Square, model: Model) -> Refused | None:
    """Why the model's card has no such order."""
    card = CARDS[model.unit]
    if card.movement == "never" and kind in _MOVING:
        return Refused(card.move_rule, f"the {card.name} on {start} never moves by himself")
    if kind not in card.orders and not (kind == "off" and card.kept):
        may = ", ".join(sorted(order.replace("-", " ") for order in card.orders))
        return Refused(
            "ta.order.ability",
            f"the {card.name} on {start} cannot {kind.replace('-', ' ')}: the card says {may}",
            {"order": kind},
        )
    if kind == "move-and-strike" and not strikes_after_moving(state, model):
        return Refused(
            "ta.warrior.either",
            "in this match an Imperial Warrior steps or strikes, not both in one order",
            {"warrior": state.options.warrior},
        )
    return None


def _refuse_parts(state: State, order: AnyOrder, model: Model) -> Refused | None:
    """Why a part of the order is not possible; the parts from left to right."""
    start, seat = order.start, model.seat
    match order:
        case Move() | Enter():
            return refuse_move(state, order, model)
        case Strike():
            return refuse_strike(state, order, start, model)
        case MoveAndStrike(end=end):
            first = refuse_move(state, Move(start, end), model)
            return first or refuse_strike(state, order, end, model)
        case Off():
            return refuse_off(state, start, model)
        case Brew() | SlideAndBrew() | BrewAndSlide():
            return refuse_brew(state, order, seat)
        case Vanquish():
            return refuse_vanquishing(state, start, seat)
        case MoveAndVanquish(end=end):
            first = refuse_move(state, Move(start, end), model)
            return first or refuse_vanquishing(state, end, seat)
        case Promote() | Recall():
            return refuse_promotion(state, order, seat)
        case Return():
            return refuse_return(state, order, seat)
        case Revive():
            return refuse_revival(state, order, model)
        case TradeModels() | TradeDead():
            return refuse_trade(state, order, seat)
        case Wind() | Explode() | Slay():
            return refuse_rite(state, order, seat)
        case unreachable:
            assert_never(unreachable)
