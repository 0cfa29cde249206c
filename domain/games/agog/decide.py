"""Judging an action: it is refused by the first rule against it, or accepted with its facts."""

from typing import assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT
from domain.games.agog.captures import can_capture, example, judge_jump, refuse_length
from domain.games.agog.consequences import consequences
from domain.games.agog.corruption import refuse_corruption
from domain.games.agog.facts import Fact
from domain.games.agog.moves import refuse_move
from domain.games.agog.promotion import refuse_leave
from domain.games.agog.rulings import rulings
from domain.games.agog.state import FREE, JOURNEYMAN, OTHER, OWN, Outcome, Seat, State, name_of
from domain.kernel.rulings import Accepted, Refused


def decide(state: State, seat: str, action: Action) -> Accepted[Fact] | Refused:
    """What follows when this seat takes this action, or why it may not."""
    refusal = refuse(state, seat, action)
    if refusal is not None:
        return refusal
    facts = consequences(state, action)
    return Accepted(facts, rulings(state, action, facts))


def refuse(state: State, seat: str, action: Action) -> Refused | None:
    """The first rule against this action, in the order of the reference (3.7), or None."""
    if isinstance(state.turn, Outcome):
        return Refused(
            "agog.end.over",
            f"the game is over: {state.turn.winner.title()} has won, and nothing more can be done",
        )
    match action:
        case Resign():
            return _refuse_resignation(seat, action.seat)
        case Move() | Capture():
            return _refuse_turn(state, seat, state.turn, action)
        case unreachable:
            assert_never(unreachable)


def _refuse_resignation(seat: str, resigning: Seat) -> Refused | None:
    if seat == resigning:
        return None
    return Refused(
        "agog.resign.own",
        f"{seat.title()} cannot resign for {resigning.title()}: players resign only for"
        f" themselves, by resign {seat}",
    )


def _refuse_turn(state: State, seat: str, to_move: Seat, action: Move | Capture) -> Refused | None:
    if seat != to_move:
        return Refused(
            "agog.turn.order",
            f"it is {to_move.title()}'s turn: {seat.title()} acts after it, and can now only"
            " resign",
        )
    unit = state.board[AT[action.start]]
    if unit not in OWN[to_move]:
        there = "no unit" if unit == FREE else f"{OTHER[to_move].title()}'s {name_of(unit)}"
        return Refused(
            "agog.unit.own",
            f"{there} stands on {action.start}: {to_move.title()} acts only with units of that"
            " colour",
        )
    match action:
        case Move():
            return _refuse_move(state.board, to_move, action)
        case Capture():
            return _refuse_capture(state, to_move, action)
        case unreachable:
            assert_never(unreachable)


def _refuse_move(board: str, seat: Seat, move: Move) -> Refused | None:
    refusal = refuse_move(board, seat, move)
    if refusal is not None:
        return refusal
    if can_capture(board, seat):
        return Refused(
            "agog.capture.mandatory",
            f"{seat.title()} can capture and so must, as by {example(board, seat)}: no unit moves"
            " instead",
        )
    start, end = AT[move.start], AT[move.end]
    return refuse_leave(board, seat, start, end, won=False, leave=move.leave)


def _refuse_capture(state: State, seat: Seat, capture: Capture) -> Refused | None:
    board, start = state.board, AT[capture.start]
    here = start
    jumped: list[int] = []
    for jump in capture.jumps:
        over = judge_jump(board, seat, start, (here, AT[jump.to]), jumped)
        if isinstance(over, Refused):
            return over
        if jump.corrupt:
            signs = (made.corrupt for made in capture.jumps)
            earlier = [(board[place], sign) for place, sign in zip(jumped, signs, strict=False)]
            refusal = refuse_corruption(state, seat, board[start], over, earlier)
            if refusal is not None:
                return refusal
        jumped.append(over)
        here = AT[jump.to]
    won = any(board[place] == JOURNEYMAN[OTHER[seat]] for place in jumped)
    return refuse_length(board, seat, (start, here), jumped) or refuse_leave(
        board, seat, start, here, won, capture.leave
    )
