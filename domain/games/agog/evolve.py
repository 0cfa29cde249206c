"""State and fact to state. Nothing is judged here: old matches replay the same for ever."""

from typing import assert_never

from domain.games.agog.board import AT, put
from domain.games.agog.facts import (
    Fact,
    GameEnded,
    TurnPassed,
    UnitCaptured,
    UnitCorrupted,
    UnitMoved,
    UnitPromoted,
    UnitTakenOut,
)
from domain.games.agog.state import FREE, Outcome, Seat, State


def evolve(state: State, fact: Fact) -> State:
    """The state after this fact."""
    match fact:
        case UnitMoved():
            # A sequence may end where it began: the start is cleared before the end is set.
            board = put(put(state.board, AT[fact.start], FREE), AT[fact.end], fact.unit)
            return _with_board(state, board)
        case TurnPassed():
            return _with_turn(state, fact.seat)
        case UnitCaptured():
            board = put(state.board, AT[fact.square], FREE)
            return _with_supplies(state, board, fact.white, fact.black)
        case UnitCorrupted():
            board = put(state.board, AT[fact.square], fact.unit)
            return _with_supplies(state, board, fact.white, fact.black)
        case UnitPromoted():
            board = put(put(state.board, AT[fact.sanctum], FREE), AT[fact.square], fact.unit)
            return _with_supplies(state, board, fact.white, fact.black)
        case UnitTakenOut():
            board = put(state.board, AT[fact.sanctum], FREE)
            return _with_supplies(state, board, fact.white, fact.black)
        case GameEnded():
            return _with_turn(state, Outcome(fact.winner, fact.reason))
        case unreachable:
            assert_never(unreachable)


# States are built field by field: `structs.replace` takes four times as long.


def _with_board(state: State, board: str) -> State:
    return State(board, state.turn, state.white_supply, state.black_supply, state.fresh_supply)


def _with_turn(state: State, turn: Seat | Outcome) -> State:
    return State(state.board, turn, state.white_supply, state.black_supply, state.fresh_supply)


def _with_supplies(state: State, board: str, white: int, black: int) -> State:
    return State(
        board,
        state.turn,
        state.white_supply + white,
        state.black_supply + black,
        state.fresh_supply,
    )
