"""Actions taken apart, for frontends that build them from what players point at.

An action that names a unit of a graveyard names it as an option: the dead of one unit are alike.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, assert_never, get_args

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
from domain.games.tokars_arcana.battle_mage import vanquished
from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.dark_priest import exploded, slain
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.gestures import Hitting, hit_square
from domain.games.tokars_arcana.names import seat_name
from domain.games.tokars_arcana.piece_ids import AIR, ANGEL, model_id, waiting_id
from domain.games.tokars_arcana.state import Raising, Square, State, Unit
from domain.kernel.parts import Parts, Pick


def parts(state: State, action: Action) -> Parts:
    """Return the parts of an action, in the state before it."""
    return replace(outline(state, action), sentence=action_sentence(state, action))


def outline(state: State, action: Action) -> Parts:
    """Return the parts of an action without its sentence."""
    # By type, since a `match` tries all that comes before, and lists of orders are long.
    kind = type(action)
    if kind in _PLAIN:
        return _of_an_order(action, ())
    if kind in _HIT:
        return _of_an_order(action, _HIT[kind](state, action))
    match action:
        case RaiseUnit(unit, to):
            return Parts(
                "raise", "", (_zombie(state),), (to,), choices=(CARDS[unit].name,),
                actor=_zombie(state), line="raise", picks=(Pick(to, "to"), _option(unit)),
            )  # fmt: skip
        case Skip():
            return Parts("skip", "", (_zombie(state),), picks=())
        case answer:
            return _of_an_answer(answer)


def _of_an_answer(answer: Action) -> Parts:
    match answer:
        case First(seat):
            picks = (Pick(seat, "option", seat_name(seat)),)
            return Parts(_verb(answer), "", choices=(seat,), picks=picks)
        case Place(to):
            return _waiting("place", AIR, to)
        case AngelRevive(to):
            return _waiting("revive", ANGEL, to)
        case AngelDecline():
            return Parts("decline", "", (waiting_id(ANGEL),), picks=())
        case _:
            return Parts(_verb(answer), "", picks=())


def _waiting(verb: str, queue: str, to: Square) -> Parts:
    """Return the parts of setting down the first model of a queue."""
    piece = waiting_id(queue)
    return Parts(verb, "", (piece,), (to,), actor=piece, picks=(Pick(to, "to"),))


def _verb(action: Action) -> str:
    return str(type(action).__struct_config__.tag).partition(".")[2]


def _zombie(state: State) -> str:
    assert isinstance(state.phase, Raising)
    return model_id(state.phase.offer.square)


# --- orders --------------------------------------------------------------------------------------

_SAME_ORDER: Final = {
    Enter: "move", MoveAndStrike: "strike", TradeModels: "trade", TradeDead: "trade",
}  # fmt: skip
"""Verbs of actions that are one order of a card with others."""


@lru_cache(maxsize=1 << 14)
def _of_an_order(order: AnyOrder, hit: tuple[Square, ...]) -> Parts:
    """Return the parts of an order, the commanded model first.

    They are the same in every position, and lists of orders are long.

    Args:
        order: The order.
        hit: Where those who will be hit stand before the order.
    """
    start = order.start
    others: tuple[Square, ...] = ()
    match order:
        case Move(_, end) | MoveAndVanquish(_, end) | Return(_, end):
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
            spaces = ()
        case Promote(_, soldier):
            others = spaces = (soldier,)
        case Recall(_, soldier, to):
            others, spaces = (soldier,), (soldier, to)
        case Revive(_, _, to) | TradeDead(_, _, _, _, to):
            spaces = (to,)
        case TradeModels(_, first, second, _, to):
            others, spaces = (first, second), (first, second, to)
        case unreachable:
            assert_never(unreachable)
    verb = _SAME_ORDER.get(type(order)) or _verb(order)
    return Parts(
        verb,
        "",
        tuple(model_id(square) for square in (start, *others)),
        (start, *spaces),
        choices=tuple(CARDS[unit].name for unit in _units(order)),
        # Who taps a model on the edge wants to command it, not to lose it.
        requires_explicit_choice=isinstance(order, Off),
        actor=model_id(start),
        line="" if isinstance(order, Off) else verb,
        picks=_picks(order, hit),
    )


def _units(order: AnyOrder) -> tuple[Unit, ...]:
    """Return the units of the graveyard that the order names."""
    match order:
        case Promote(unit=unit) | Revive(unit=unit) | TradeModels(unit=unit):
            return (unit,)
        case TradeDead(_, first, second, unit):
            return first, second, unit
        case _:
            return ()


def _picks(order: AnyOrder, hit: tuple[Square, ...]) -> tuple[Pick, ...]:
    """Return what is pointed at after the commanded model, in order; see `_of_an_order`."""
    victims = tuple(Pick(model_id(square), "hit") for square in hit)
    match order:
        case Move(_, to) | Return(_, to):
            return (Pick(to, "to"),)
        case Enter(_, to):
            return Pick(model_id(to), "hit"), Pick(to, "to")
        case Strike(_, target) | Brew(_, target):
            return (_target(target, hit),)
        case MoveAndStrike(_, end, target) | SlideAndBrew(_, end, target):
            return Pick(end, "to"), _target(target, hit)
        case BrewAndSlide(_, target, end):
            return _target(target, hit), Pick(end, "to")
        case MoveAndVanquish(_, end):
            return Pick(end, "to"), *victims
        case Off() | Vanquish() | Slay():
            return victims
        case Wind(_, target) | Explode(_, target):
            return _target(target, (target,)), *victims
        case Promote(_, soldier, unit):
            return _target(soldier, (soldier,)), _option(unit)
        case Recall(_, soldier, to):
            return _target(soldier, (soldier,)), Pick(to, "to")
        case Revive(_, unit, to):
            return Pick(to, "to"), _option(unit)
        case TradeModels(_, first, second, unit, to):
            given = (_target(square, (square,)) for square in (first, second))
            return *given, Pick(to, "to"), _option(unit)
        case TradeDead(_, first, second, unit, to):
            names = {"first": CARDS[first].name, "second": CARDS[second].name}
            pair = Pick(f"{first}{second}", "option", ENGLISH.format("option pair", **names))
            return Pick(to, "to"), pair, _option(unit)
        case unreachable:
            assert_never(unreachable)


def _target(square: Square, hit: tuple[Square, ...]) -> Pick:
    """Return the pick of who is hit, or of the square where nobody is."""
    return Pick(model_id(hit[0]) if hit else square, "target")


def _option(unit: Unit) -> Pick:
    return Pick(unit, "option", CARDS[unit].name)


_PLAIN: Final = frozenset(
    (Move, Enter, Off, Promote, Recall, Return, Revive, TradeModels, TradeDead, Wind)
)
"""Orders that hit nobody beside whom they name."""


def _struck(state: State, order: Hitting) -> tuple[Square, ...]:
    square = hit_square(order)
    return (square,) if square in state.board else ()


def _vanquished(state: State, order: Vanquish | MoveAndVanquish) -> tuple[Square, ...]:
    stands = order.start if isinstance(order, Vanquish) else order.end
    return vanquished(state, stands, state.board[order.start].seat)


def _slain(state: State, order: Slay) -> tuple[Square, ...]:
    return slain(state, order.start, state.board[order.start].seat)


def _blown_up(state: State, order: Explode) -> tuple[Square, ...]:
    return tuple(square for square in exploded(state, order.target) if square != order.target)


_HIT: Final[dict[type[Action], Callable[[State, Any], tuple[Square, ...]]]] = {
    **dict.fromkeys(get_args(Hitting), _struck),
    Vanquish: _vanquished, MoveAndVanquish: _vanquished, Slay: _slain, Explode: _blown_up,
}  # fmt: skip
"""Where those whom an order hits stand before it."""
