"""Actions taken apart, for frontends that build them from taps, each with a sentence.

An action that names a unit of a graveyard names it as a choice: the dead of one unit are alike.
"""

from functools import lru_cache
from typing import Final, TypeGuard, assert_never, get_args

from msgspec.structs import replace

from domain.games.tokars_arcana.action_sentences import action_sentence
from domain.games.tokars_arcana.actions import (
    Action,
    AngelDecline,
    AngelRevive,
    AnyOrder,
    Brew,
    BrewAndSlide,
    Enter,
    Explode,
    First,
    Move,
    MoveAndStrike,
    MoveAndVanquish,
    Off,
    Place,
    Promote,
    RaiseUnit,
    Recall,
    Return,
    Revive,
    Skip,
    Slay,
    SlideAndBrew,
    Strike,
    TradeDead,
    TradeModels,
    Vanquish,
    Wind,
)
from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.gestures import Hitting, hit_square
from domain.games.tokars_arcana.orders import KIND
from domain.games.tokars_arcana.piece_ids import AIR, ANGEL, model_id, waiting_id
from domain.games.tokars_arcana.state import Raising, Square, State
from domain.kernel.parts import Parts


def parts(state: State, action: Action) -> Parts:
    """An action taken apart, in the state before it."""
    return replace(outline(state, action), sentence=action_sentence(state, action))


def outline(state: State, action: Action) -> Parts:
    """The same without its sentence."""
    # By type, since a `match` tries all that comes before, and lists of orders are long.
    if _hits(action):
        return _of_an_order(action, _hit(state, action))
    if type(action) in KIND:
        return _of_an_order(action, ())
    match action:
        case RaiseUnit(unit, to):
            return Parts("raise", "", _zombie(state), (to,), choices=(CARDS[unit].name,))
        case Skip():
            return Parts(_verb(action), "", _zombie(state))
        case answer:
            return _of_an_answer(answer)


def _of_an_answer(answer: Action) -> Parts:
    match answer:
        case First(seat):
            return Parts(_verb(answer), "", choices=(seat,))
        case Place(to):
            return Parts(_verb(answer), "", (waiting_id(AIR),), (to,))
        case AngelRevive(to):
            return Parts("revive", "", (waiting_id(ANGEL),), (to,))
        case AngelDecline():
            return Parts("decline", "", (waiting_id(ANGEL),))
        case _:
            return Parts(_verb(answer), "")


def _verb(action: Action) -> str:
    return str(type(action).__struct_config__.tag).partition(".")[2]


def _zombie(state: State) -> tuple[str, ...]:
    assert isinstance(state.phase, Raising)
    return (model_id(state.phase.offer.square),)


# --- orders --------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def _of_an_order(order: AnyOrder, hit: tuple[Square, ...]) -> Parts:
    """The parts of an order: the commanded model first. `hit` is where who will be hit stands.

    They are the same in every position, and lists of orders are long.
    """
    start = order.start
    match order:
        case Move(_, end) | MoveAndVanquish(_, end) | Return(_, end):
            others: tuple[Square, ...] = ()
            spaces: tuple[Square, ...] = (end,)
        case Enter(_, end) | Explode(_, end) | Wind(_, end):
            others = spaces = (end,)
        case Strike(_, target) | Brew(_, target):
            others, spaces = hit, (target,)
        case MoveAndStrike(_, end, target) | SlideAndBrew(_, end, target):
            others, spaces = hit, (end, target)
        case BrewAndSlide(_, target, end):
            others, spaces = hit, (target, end)
        case Off() | Vanquish() | Slay():
            others = spaces = ()
        case Promote(_, soldier):
            others = spaces = (soldier,)
        case Recall(_, soldier, to):
            others, spaces = (soldier,), (soldier, to)
        case Revive(_, _, to) | TradeDead(_, _, _, _, to):
            others, spaces = (), (to,)
        case TradeModels(_, first, second, _, to):
            others, spaces = (first, second), (first, second, to)
        case unreachable:
            assert_never(unreachable)
    return Parts(
        _verb(order),
        "",
        tuple(model_id(square) for square in (start, *others)),
        (start, *spaces),
        choices=_choices(order),
        # Who taps a model on the edge wants to command it, not to lose it.
        requires_explicit_choice=isinstance(order, Off),
    )


def _choices(order: AnyOrder) -> tuple[str, ...]:
    """The units of the graveyard that the order names."""
    match order:
        case Promote(unit=unit) | Revive(unit=unit) | TradeModels(unit=unit):
            return (CARDS[unit].name,)
        case TradeDead(_, first, second, unit):
            return tuple(CARDS[each].name for each in (first, second, unit))
        case _:
            return ()


_HITTING: Final = frozenset(get_args(Hitting))


def _hits(action: Action) -> TypeGuard[Hitting]:
    return type(action) in _HITTING


def _hit(state: State, order: Hitting) -> tuple[Square, ...]:
    """Where the model stands now that will be struck, or thrown at; nothing if there is none."""
    square = hit_square(order)
    return (square,) if square in state.board else ()
