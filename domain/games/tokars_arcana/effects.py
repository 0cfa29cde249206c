"""What an order does by itself, before anybody is asked and before the turn ends."""

from typing import assert_never

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
from domain.games.tokars_arcana.alchemist import swaps
from domain.games.tokars_arcana.battle_mage import vanquished
from domain.games.tokars_arcana.dark_priest import exploded, pushes, slain
from domain.games.tokars_arcana.facts import (
    DeadRemoved,
    Fact,
    FirebrewStruck,
    ModelKilled,
    ModelMoved,
    ModelReturned,
    ModelsVanquished,
    ModelWithdrawn,
    RowSlid,
    WindBlew,
)
from domain.games.tokars_arcana.gestures import gesture_rule
from domain.games.tokars_arcana.state import TOKENS, Model, Seat, Square, State


def effects(state: State, seat: Seat, order: AnyOrder) -> tuple[Fact, ...]:
    """What becomes true by an order that is legal in this state."""
    if gesture_rule(state, seat, order) is not None:
        return _gesture(state, order)
    start = order.start
    model = state.board[start]
    match order:
        case Move(end=end):
            return (_move(state, model, start, end),)
        case Enter(end=end):
            return (_kill(state, end), ModelMoved(start, end))
        case Strike(target=target):
            return (_kill(state, target),)
        case MoveAndStrike(end=end, target=target):
            return (ModelMoved(start, end), _kill(state, target))
        case Off():
            return (_kill(state, start),)
        case Brew(target=target):
            return (FirebrewStruck(target, TOKENS),)
        case SlideAndBrew(end=end, target=target):
            return (_slide(state, start, end), FirebrewStruck(target, TOKENS))
        case BrewAndSlide(target=target, end=end):
            return (FirebrewStruck(target, TOKENS), _slide(state, start, end))
        case Vanquish():
            return (ModelsVanquished(vanquished(state, start, seat)),)
        case MoveAndVanquish(end=end):
            return (ModelMoved(start, end), ModelsVanquished(vanquished(state, end, seat)))
        case Wind(soldier=soldier):
            return (_withdraw(state, soldier), WindBlew(pushes(state, soldier, seat)))
        case Explode(target=target):
            return tuple(_kill(state, square) for square in exploded(state, target))
        case Slay():
            return tuple(_kill(state, square) for square in slain(state, start, seat))
        case Promote() | Recall() | Return() | Revive() | TradeModels() | TradeDead():
            return _exchange(state, seat, order)
        case unreachable:
            assert_never(unreachable)


def _gesture(state: State, order: AnyOrder) -> tuple[Fact, ...]:
    """Nothing comes of it but the move that belongs to it (TA-R39)."""
    match order:
        case MoveAndStrike(start, end) | MoveAndVanquish(start, end):
            return (ModelMoved(start, end),)
        case SlideAndBrew(start, end) | BrewAndSlide(start, _, end):
            return (_slide(state, start, end),)
        case _:
            return ()


def _exchange(
    state: State,
    seat: Seat,
    order: Promote | Recall | Return | Revive | TradeModels | TradeDead,
) -> tuple[Fact, ...]:
    """Orders that bring a model back to the board, or from one of its ends to another."""
    match order:
        case Promote(soldier=soldier, unit=unit):
            return (_withdraw(state, soldier), ModelReturned(seat, unit, soldier))
        case Recall(soldier=soldier, to=to):
            return (ModelMoved(soldier, to),)
        case Return(start, to):
            return (ModelMoved(start, to),)
        case Revive(unit=unit, to=to):
            return (ModelReturned(seat, unit, to),)
        case TradeModels(first=first, second=second, unit=unit, to=to):
            given = (_withdraw(state, first), _withdraw(state, second))
            return (*given, ModelReturned(seat, unit, to))
        case TradeDead(first=dead, second=other, unit=unit, to=to):
            removed = (DeadRemoved(seat, dead), DeadRemoved(seat, other))
            return (*removed, ModelReturned(seat, unit, to))
        case unreachable:
            assert_never(unreachable)


def _move(state: State, model: Model, start: Square, end: Square) -> Fact:
    return _slide(state, start, end) if model.unit == "A" else ModelMoved(start, end)


def _slide(state: State, start: Square, end: Square) -> RowSlid:
    return RowSlid(start, end, swaps(state.board, start, end))


def _kill(state: State, square: Square) -> ModelKilled:
    victim = state.board[square]
    return ModelKilled(victim.seat, victim.unit, square)


def _withdraw(state: State, square: Square) -> ModelWithdrawn:
    given = state.board[square]
    return ModelWithdrawn(given.seat, given.unit, square)
