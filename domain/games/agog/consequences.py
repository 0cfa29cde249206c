"""The facts that follow from a legal action, in the order in which they become true."""

from typing import Final, assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT, GOAL, SQUARES
from domain.games.agog.captures import victims
from domain.games.agog.evolve import evolve
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
from domain.games.agog.legal import has_turn
from domain.games.agog.moves import has_two_exits
from domain.games.agog.state import (
    CORRUPTED,
    GOLEM,
    HULK,
    JOURNEYMAN,
    OTHER,
    OWNER,
    SEATS,
    STACKS,
    Reason,
    Seat,
    Square,
    State,
    Unit,
)

_PASSED: Final[dict[Seat, TurnPassed]] = {seat: TurnPassed(seat) for seat in SEATS}
_SIDES: Final[dict[Unit, tuple[Seat, Seat, Square, TurnPassed]]] = {
    unit: (seat, OTHER[seat], SQUARES[GOAL[seat]], _PASSED[OTHER[seat]])
    for unit, seat in OWNER.items()
}
"""Of each unit its player, the other one, the enemy sanctum, and what ends most turns."""


def consequences(state: State, action: Action) -> tuple[Fact, ...]:
    """What becomes true by an action that is legal in this state."""
    match action:
        case Move():
            board, end = state.board, action.end
            unit: Unit = board[AT[action.start]]
            seat, other, goal, passed = _SIDES[unit]
            moved = UnitMoved(unit, action.start, end)
            # Most moves can neither win nor immobilise; trees are counted through this short way.
            if end != goal and has_two_exits(board, other):
                return (moved, passed)
            return _concluding_move(state, seat, moved, action.leave)
        case Capture():
            return _capture(state, action)
        case Resign(seat):
            return (GameEnded(OTHER[seat], "resign"),)
        case unreachable:
            assert_never(unreachable)


def _concluding_move(
    state: State, seat: Seat, moved: UnitMoved, leave: str | None
) -> tuple[Fact, ...]:
    facts: list[Fact] = [moved]
    if leave is not None:
        facts.append(_leaving(moved.unit, seat, moved.end, leave))
    return _concluded(state, seat, facts, won=False)


def _capture(state: State, capture: Capture) -> tuple[Fact, ...]:
    board = state.board
    unit: Unit = board[AT[capture.start]]
    seat = OWNER[unit]
    end = capture.jumps[-1].to
    facts: list[Fact] = [UnitMoved(unit, capture.start, end)]
    won = False
    for jump, place in zip(capture.jumps, victims(board, capture), strict=True):
        victim: Unit = board[place]
        white, black = STACKS[victim]
        if jump.corrupt:
            white, black = white - 1, black - 1  # one golem of each player lies in the new hulk
            facts.append(UnitCorrupted(CORRUPTED[seat], SQUARES[place], white, black))
        else:
            won = won or victim == JOURNEYMAN[OTHER[seat]]
            facts.append(UnitCaptured(victim, SQUARES[place], white, black))
    if capture.leave is not None:
        facts.append(_leaving(unit, seat, end, capture.leave))
    return _concluded(state, seat, facts, won)


def _leaving(unit: Unit, seat: Seat, sanctum: str, leave: str) -> Fact:
    white, black = STACKS[unit]
    if leave == "out":
        return UnitTakenOut(unit, sanctum, white, black)
    # The new hulk holds two own golems, of which one stood there already.
    own_white, own_black = STACKS[GOLEM[seat]]
    return UnitPromoted(HULK[seat], sanctum, leave, white - own_white, black - own_black)


def _concluded(state: State, seat: Seat, facts: list[Fact], won: bool) -> tuple[Fact, ...]:
    """The facts with the last one: the turn passes, or the game ends."""
    for fact in facts:
        state = evolve(state, fact)
    ended = _ended(state.board, seat, won)
    return (*facts, GameEnded(seat, ended) if ended else _PASSED[OTHER[seat]])


def _ended(board: str, seat: Seat, won: bool) -> Reason | None:
    """The first reason that holds after a complete turn of this player (AGOG-R27)."""
    if won:
        return "capture"
    if board[GOAL[seat]] == JOURNEYMAN[seat]:
        return "sanctum"
    if not has_turn(board, OTHER[seat]):
        return "immobile"
    return None
