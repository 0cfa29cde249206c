"""Empty gestures: orders that hit nobody, which option `gestures` allows (TA-R39)."""

from domain.games.tokars_arcana.actions import (
    AnyOrder,
    Brew,
    BrewAndSlide,
    MoveAndStrike,
    MoveAndVanquish,
    Slay,
    SlideAndBrew,
    Strike,
    Vanquish,
)
from domain.games.tokars_arcana.alchemist import before_slide
from domain.games.tokars_arcana.battle_mage import vanquished
from domain.games.tokars_arcana.dark_priest import slain
from domain.games.tokars_arcana.killing import is_vacated
from domain.games.tokars_arcana.state import Model, Seat, Square, State

Hitting = Strike | MoveAndStrike | Brew | SlideAndBrew | BrewAndSlide


def hit_square(order: Hitting) -> Square | None:
    """Where whoever will be hit stands before the order; None for where nobody will stand."""
    if isinstance(order, SlideAndBrew):
        return before_slide(order.start, order.end).get(order.target, order.target)
    if isinstance(order, MoveAndStrike) and is_vacated(order.start, order.end, order.target):
        return None
    return order.target


def target_of(state: State, order: Hitting) -> Model | None:
    """Who stands on the target when the strike or the potion gets there; None for nobody."""
    square = hit_square(order)
    return None if square is None else state.board.get(square)


def gesture_rule(state: State, seat: Seat, order: AnyOrder) -> str | None:
    """The rule that forbids an order because it has no effect, were that not allowed; None for an
    order that has one."""
    match order:
        case Strike() | MoveAndStrike():
            return None if target_of(state, order) else "ta.kill.target"
        case Brew() | SlideAndBrew() | BrewAndSlide():
            model = target_of(state, order)
            if model is None:
                return "ta.kill.target"
            return "ta.alchemist.brew.already" if model.tokens else None
        case Vanquish(start):
            return None if vanquished(state, start, seat) else "ta.battlemage.vanquish.nobody"
        case MoveAndVanquish(_, end):
            return None if vanquished(state, end, seat) else "ta.battlemage.vanquish.nobody"
        case Slay(start):
            return None if slain(state, start, seat) else "ta.darkpriest.slay.nobody"
        case _:
            return None
