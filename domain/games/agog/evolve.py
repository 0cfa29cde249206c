"""State and fact to state. Nothing is judged here: old matches replay the same for ever."""

from collections.abc import Callable
from typing import Any, Final

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
from domain.games.agog.state import FREE, OWNER, Outcome, State


def evolve(state: State, fact: Fact) -> State:
    """The state after this fact."""
    return _APPLY[type(fact)](state, fact)


# States are built field by field, for `structs.replace` takes four times as long.


_CODES: Final = {mark: ord(mark) for mark in (FREE, *OWNER)}


def _moved(state: State, fact: UnitMoved) -> State:
    # A sequence may end where it began: the start is cleared before the end is set.
    cells = bytearray(state.board, "ascii")
    cells[AT[fact.start]] = _CODES[FREE]
    cells[AT[fact.end]] = _CODES[fact.unit]
    board = cells.decode()
    return State(board, state.turn, state.white_supply, state.black_supply, state.fresh_supply)


def _captured(state: State, fact: UnitCaptured) -> State:
    board = put(state.board, AT[fact.square], FREE)
    return _with_supplies(state, board, fact.white, fact.black)


def _corrupted(state: State, fact: UnitCorrupted) -> State:
    board = put(state.board, AT[fact.square], fact.unit)
    return _with_supplies(state, board, fact.white, fact.black)


def _promoted(state: State, fact: UnitPromoted) -> State:
    board = put(put(state.board, AT[fact.sanctum], FREE), AT[fact.square], fact.unit)
    return _with_supplies(state, board, fact.white, fact.black)


def _taken_out(state: State, fact: UnitTakenOut) -> State:
    board = put(state.board, AT[fact.sanctum], FREE)
    return _with_supplies(state, board, fact.white, fact.black)


def _passed(state: State, fact: TurnPassed) -> State:
    return State(state.board, fact.seat, state.white_supply, state.black_supply, state.fresh_supply)


def _ended(state: State, fact: GameEnded) -> State:
    outcome = Outcome(fact.winner, fact.reason)
    return State(state.board, outcome, state.white_supply, state.black_supply, state.fresh_supply)


def _with_supplies(state: State, board: str, white: int, black: int) -> State:
    return State(
        board,
        state.turn,
        state.white_supply + white,
        state.black_supply + black,
        state.fresh_supply,
    )


_APPLY: Final[dict[type, Callable[[State, Any], State]]] = {
    UnitMoved: _moved,
    UnitCaptured: _captured,
    UnitCorrupted: _corrupted,
    UnitPromoted: _promoted,
    UnitTakenOut: _taken_out,
    TurnPassed: _passed,
    GameEnded: _ended,
}
