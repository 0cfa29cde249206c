"""State and fact to state. Nothing is judged here: old matches replay the same for ever."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from domain.games.tokars_arcana.facts import (
    AngelsCalled,
    DeadRemoved,
    DrawDeclined,
    DrawOffered,
    Fact,
    FirebrewBurned,
    FirebrewStruck,
    GameEnded,
    MarkLifted,
    ModelKilled,
    ModelMoved,
    ModelPlaced,
    ModelReturned,
    ModelsVanquished,
    ModelWithdrawn,
    PriestLost,
    PriestRevived,
    QuietCounted,
    RaiseAsked,
    ReadySaid,
    RowSlid,
    Shift,
    TossAsked,
    TurnBegan,
    WindBlew,
)
from domain.games.tokars_arcana.state import (
    UNITS,
    Angels,
    Board,
    Briefing,
    DrawPending,
    Grave,
    Model,
    Ordering,
    Over,
    Phase,
    Placing,
    Raise,
    Raising,
    Seat,
    Square,
    State,
    Toss,
    Unit,
)


def evolve(state: State, fact: Fact) -> State:
    """The state after this fact."""
    match fact:
        case ModelMoved(start, end):
            return _with_board(state, moved(state.board, (Shift(start, end),)))
        case TurnBegan(seat):
            # Written out, since nearly every action ends so: `replace` takes four times as long.
            return State(state.options, state.board, state.graves, seat, Ordering(), state.quiet)
        case ModelKilled(seat, unit, square) | ModelWithdrawn(seat, unit, square):
            board = {at: model for at, model in state.board.items() if at != square}
            return replace(state, board=board, graves=buried(state.graves, seat, unit))
        case ModelReturned(seat, unit, square):
            board = {**state.board, square: Model(seat, unit)}
            return replace(state, board=board, graves=_exhumed(state.graves, seat, unit))
        case DeadRemoved(seat, unit):
            return replace(state, graves=_exhumed(state.graves, seat, unit))
        case RowSlid(start, end, swapped):
            return _with_board(state, moved(state.board, (Shift(start, end), *swapped)))
        case WindBlew(pushed):
            return _with_board(state, moved(state.board, pushed))
        case FirebrewStruck(square, tokens) | FirebrewBurned(square, tokens):
            return _with_model(state, square, replace(state.board[square], tokens=tokens))
        case MarkLifted(square):
            return _with_model(state, square, replace(state.board[square], moved=False))
        case QuietCounted(turns):
            return replace(state, quiet=turns)
        case ModelsVanquished(squares):
            board = {at: model for at, model in state.board.items() if at not in squares}
            air = Placing(tuple(state.board[square] for square in squares))
            return replace(state, board=board, phase=air)
        case ModelPlaced(square):
            return _placed(state, square)
        case AngelsCalled() | PriestRevived() | PriestLost():
            return _angels(state, fact)
        case GameEnded(winner, reason):
            return replace(state, graves=_all_buried(state), phase=Over(winner, reason))
        case ReadySaid() | TossAsked() | RaiseAsked() | DrawOffered() | DrawDeclined():
            return replace(state, phase=_asked(state.phase, fact))
        case unreachable:
            assert_never(unreachable)


def moved(board: Board, shifts: Iterable[Shift]) -> Board:
    """The board after all these models were moved at one moment, with what lies on them."""
    after = dict(board)
    taken = [(shift, after.pop(shift.start)) for shift in shifts]
    for shift, model in taken:
        after[shift.end] = replace(model, moved=True) if shift.marked else model
    return after


def buried(graves: dict[Seat, Grave], seat: Seat, *units: Unit) -> dict[Seat, Grave]:
    """The graveyards with these units of a seat added."""
    return {**graves, seat: "".join(sorted((*graves[seat], *units), key=_PLACES.__getitem__))}


_PLACES: dict[str, int] = {unit: place for place, unit in enumerate(UNITS)}


def _exhumed(graves: dict[Seat, Grave], seat: Seat, unit: Unit) -> dict[Seat, Grave]:
    return {**graves, seat: graves[seat].replace(unit, "", 1)}


def _with_board(state: State, board: Board) -> State:
    return State(state.options, board, state.graves, state.turn, state.phase, state.quiet)


def _with_model(state: State, square: Square, model: Model) -> State:
    return _with_board(state, {**state.board, square: model})


def _placed(state: State, square: Square) -> State:
    assert isinstance(state.phase, Placing)
    first, *others = state.phase.models
    return replace(state, board={**state.board, square: first}, phase=Placing(tuple(others)))


def _angels(state: State, fact: AngelsCalled | PriestRevived | PriestLost) -> State:
    if isinstance(fact, AngelsCalled):
        graves = state.graves
        for seat in fact.seats:
            graves = _exhumed(graves, seat, "P")
        return replace(state, graves=graves, phase=Angels(fact.seats, fact.raising, fact.at_end))
    phase = state.phase
    assert isinstance(phase, Angels)
    answered = replace(phase, seats=phase.seats[1:])
    if isinstance(fact, PriestRevived):
        board = {**state.board, fact.square: Model(fact.seat, "Q")}
        return replace(state, board=board, phase=answered)
    return replace(state, graves=buried(state.graves, fact.seat, "P"), phase=answered)


def _all_buried(state: State) -> dict[Seat, Grave]:
    """The graveyards with all who were in the air or awaited their angel."""
    graves = state.graves
    match state.phase:
        case Placing(models):
            for model in models:
                graves = buried(graves, model.seat, model.unit)
        case Angels(seats):
            for seat in seats:
                graves = buried(graves, seat, "P")
        case _:
            pass
    return graves


def _asked(
    phase: Phase, fact: ReadySaid | TossAsked | RaiseAsked | DrawOffered | DrawDeclined
) -> Phase:
    match fact:
        case ReadySaid(seat):
            assert isinstance(phase, Briefing)
            return Briefing(tuple(other for other in phase.waiting if other != seat))
        case TossAsked():
            return Toss()
        case RaiseAsked(square, rank):
            return Raising(Raise(square, rank))
        case DrawOffered():
            return DrawPending()
        case DrawDeclined():
            return Ordering(declined=True)
        case unreachable:
            assert_never(unreachable)
