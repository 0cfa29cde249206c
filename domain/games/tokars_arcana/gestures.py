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
from domain.games.tokars_arcana.alchemist import after_slide
from domain.games.tokars_arcana.battle_mage import vanquished
from domain.games.tokars_arcana.dark_priest import slain
from domain.games.tokars_arcana.killing import standing
from domain.games.tokars_arcana.state import Board, Model, Seat, State


def target_of(
    state: State, order: Strike | MoveAndStrike | Brew | SlideAndBrew | BrewAndSlide
) -> Model | None:
    """Who stands on the target when the strike or the potion gets there; None for nobody."""
    match order:
        case Strike(start, target):
            return standing(state.board, start, start, target)
        case MoveAndStrike(start, end, target):
            return standing(state.board, start, end, target)
        case Brew() | SlideAndBrew() | BrewAndSlide():
            return board_of_throw(state, order).get(order.target)


def board_of_throw(state: State, order: Brew | SlideAndBrew | BrewAndSlide) -> Board:
    """The board over which the potion flies."""
    if isinstance(order, SlideAndBrew):
        return after_slide(state.board, order.start, order.end)
    return state.board


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
