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
from domain.games.tokars_arcana.state import Model, Seat, State


def target_of(
    state: State, order: Strike | MoveAndStrike | Brew | SlideAndBrew | BrewAndSlide
) -> Model | None:
    """Who stands on the target when the strike or the potion gets there; None for nobody."""
    if isinstance(order, Strike | Brew | BrewAndSlide):
        return state.board.get(order.target)
    if isinstance(order, MoveAndStrike):
        return standing(state.board, order.start, order.end, order.target)
    # A slide moves only who stands in its row.
    if order.target[1:] == order.start[1:]:
        return after_slide(state.board, order.start, order.end).get(order.target)
    return state.board.get(order.target)


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
