"""Actions taken apart, for frontends that build them from taps, each with a sentence.

An action that names a unit of a graveyard names it as a choice: the dead of one unit are alike.
"""

from typing import assert_never

from domain.games.tokars_arcana.actions import (
    Action,
    AngelDecline,
    AngelRevive,
    Answer,
    AnyOrder,
    Brew,
    BrewAndSlide,
    DrawAccept,
    DrawDecline,
    DrawOffer,
    Enter,
    Explode,
    First,
    Move,
    MoveAndStrike,
    MoveAndVanquish,
    Off,
    Pass,
    Place,
    Promote,
    RaiseUnit,
    Ready,
    Recall,
    Resign,
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
from domain.games.tokars_arcana.alchemist import swaps
from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.gestures import target_of
from domain.games.tokars_arcana.scene import model_id
from domain.games.tokars_arcana.state import OTHER, Angels, Placing, Raising, Square, State
from domain.kernel.game import Parts


def parts(state: State, action: Action) -> Parts:
    """An action taken apart, in the state before it."""
    turn = "Nobody" if state.turn is None else state.turn.title()
    match action:
        case Pass():
            return Parts("pass", f"{turn} passes")
        case DrawOffer():
            return Parts("draw-offer", f"{turn} offers a draw")
        case Resign(seat):
            return Parts("resign", f"{seat.title()} resigns")
        case (
            Ready() | First() | Place() | AngelRevive() | AngelDecline() | RaiseUnit() | Skip()
            | DrawAccept() | DrawDecline()
        ):  # fmt: skip
            return _of_an_answer(state, action, turn)
        case order:
            return _of_an_order(state, order)


def _of_an_answer(state: State, answer: Answer, turn: str) -> Parts:
    match answer:
        case Ready(seat):
            return Parts("ready", f"{seat.title()} is ready")
        case First(seat):
            return Parts("first", f"{seat.title()} begins", choices=(seat,))
        case Place(to):
            return Parts("place", f"{turn} places {_in_the_air(state)} on {to}", ("air-1",), (to,))
        case AngelRevive(to):
            priest = _awaiting(state)
            return Parts("revive", f"The angel revives {priest} on {to}", ("angel-1",), (to,))
        case AngelDecline():
            return Parts("decline", f"{_awaiting(state)} stays dead", ("angel-1",))
        case RaiseUnit(unit, to):
            name = CARDS[unit].name
            zombie = _zombie(state)
            sentence = f"{turn}'s Zombie raises a {name} on {to}"
            return Parts("raise", sentence, zombie, (to,), choices=(name,))
        case Skip():
            return Parts("skip", f"{turn} raises nobody", _zombie(state))
        case DrawAccept():
            return Parts("draw-accept", f"{_other(state)} accepts the draw")
        case DrawDecline():
            return Parts("draw-decline", f"{_other(state)} declines the draw")
        case unreachable:
            assert_never(unreachable)


def _in_the_air(state: State) -> str:
    assert isinstance(state.phase, Placing)
    return named(state.phase.models[0].seat, state.phase.models[0].unit)


def _awaiting(state: State) -> str:
    assert isinstance(state.phase, Angels)
    return named(state.phase.seats[0], "P")


def _zombie(state: State) -> tuple[str, ...]:
    assert isinstance(state.phase, Raising)
    return (model_id(state.phase.offer.square),)


def _other(state: State) -> str:
    assert state.turn is not None, "only the seat on turn offers a draw"
    return OTHER[state.turn].title()


# --- orders --------------------------------------------------------------------------------------


def _of_an_order(state: State, order: AnyOrder) -> Parts:
    """The parts of an order: the commanded model first."""
    start = order.start
    match order:
        case Move(_, end) | MoveAndVanquish(_, end) | Return(_, end):
            others: tuple[Square, ...] = ()
            spaces: tuple[Square, ...] = (end,)
        case Enter(_, end) | Explode(_, end) | Wind(_, end):
            others = spaces = (end,)
        case Strike(_, target) | Brew(_, target):
            others, spaces = _hit(state, order), (target,)
        case MoveAndStrike(_, end, target) | SlideAndBrew(_, end, target):
            others, spaces = _hit(state, order), (end, target)
        case BrewAndSlide(_, target, end):
            others, spaces = _hit(state, order), (target, end)
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
        f"{_on(state, start)} {_doing(state, order)}",
        tuple(model_id(square) for square in (start, *others)),
        (start, *spaces),
        choices=_choices(order),
    )


def _verb(order: AnyOrder) -> str:
    return str(type(order).__struct_config__.tag).partition(".")[2]


def _choices(order: AnyOrder) -> tuple[str, ...]:
    """The units of the graveyard that the order names."""
    match order:
        case Promote(unit=unit) | Revive(unit=unit) | TradeModels(unit=unit):
            return (CARDS[unit].name,)
        case TradeDead(_, first, second, unit):
            return tuple(CARDS[each].name for each in (first, second, unit))
        case _:
            return ()


Hitting = Strike | MoveAndStrike | Brew | SlideAndBrew | BrewAndSlide


def _hit(state: State, order: Hitting) -> tuple[Square, ...]:
    """Where the model stands now that will be struck, or thrown at; nothing if there is none."""
    if target_of(state, order) is None:
        return ()
    shifts = swaps(state.board, order.start, order.end) if isinstance(order, SlideAndBrew) else ()
    return (next((shift.start for shift in shifts if shift.end == order.target), order.target),)


def _at(state: State, order: Hitting) -> str:
    """At whom a model strikes or throws, in words."""
    model = target_of(state, order)
    if model is None:
        return f"nobody on {order.target}"
    return f"{named(model.seat, model.unit)} on {order.target}"


def _on(state: State, square: Square) -> str:
    model = state.board[square]
    return f"{named(model.seat, model.unit)} on {square}"


def _doing(state: State, order: AnyOrder) -> str:
    """What the order does, in words that go on from the model's name."""
    match order:
        case Move(_, end):
            return f"{_goes(state, order)} to {end}"
        case Enter(_, end):
            return f"enters {end} and kills {_on(state, end)}"
        case Strike():
            return f"strikes {_at(state, order)}"
        case MoveAndStrike(_, end):
            return f"moves to {end} and strikes {_at(state, order)}"
        case Off():
            return "walks off the board and dies"
        case Brew():
            return f"throws firebrew at {_at(state, order)}"
        case SlideAndBrew(_, end):
            hit = _at(state, order).replace(" on ", ", then on ")
            return f"slides to {end} and throws firebrew at {hit}"
        case BrewAndSlide(_, _, end):
            return f"throws firebrew at {_at(state, order)} and slides to {end}"
        case Vanquish():
            return "vanquishes all lesser enemies around him"
        case MoveAndVanquish(_, end):
            return f"moves to {end} and vanquishes all lesser enemies there"
        case Return(_, to):
            return f"walks off the board and reappears on {to}"
        case _:
            return _performing(state, order)


def _goes(state: State, order: Move) -> str:
    return "slides" if state.board[order.start].unit == "A" else "moves"


def _performing(
    state: State,
    order: Promote | Recall | Revive | TradeModels | TradeDead | Wind | Explode | Slay,
) -> str:
    match order:
        case Promote(_, soldier, unit):
            return f"promotes {_on(state, soldier)} to {CARDS[unit].name}"
        case Recall(_, soldier, to):
            return f"calls {_on(state, soldier)} back to {to}"
        case Revive(_, unit, to):
            return f"revives a dead {CARDS[unit].name} on {to}"
        case TradeModels(_, first, second, unit, to):
            given = f"{_on(state, first)} and {_on(state, second)}"
            return f"trades {given} for a dead {CARDS[unit].name}, on {to}"
        case TradeDead(_, first, second, unit, to):
            given = f"a dead {CARDS[first].name} and a dead {CARDS[second].name}"
            return f"trades {given} for a dead {CARDS[unit].name}, on {to}"
        case Wind(_, soldier):
            return f"sacrifices {_on(state, soldier)} for the night wind"
        case Explode(_, target):
            return f"explodes {_on(state, target)} with everything around it"
        case Slay():
            return "slays all enemies around him"
        case unreachable:
            assert_never(unreachable)
