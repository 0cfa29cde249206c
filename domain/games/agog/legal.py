"""Who may act, what they may do, and how the game ended."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from domain.games.agog.actions import Action, Capture, Jump, Move, Resign
from domain.games.agog.board import AT, GOAL, SQUARES
from domain.games.agog.captures import Hunt, can_capture, longest_hunts
from domain.games.agog.corruption import signings
from domain.games.agog.moves import can_move, moves
from domain.games.agog.promotion import leaves
from domain.games.agog.state import FREE, JOURNEYMAN, OTHER, SEATS, Outcome, Seat, State
from domain.kernel.game import Prompt, Result

SCORES: Final[dict[Seat, str]] = {"white": "1-0", "black": "0-1"}
"""The result as the rulebook writes it, by who won."""

_ASKS: Final[dict[Seat, tuple[Prompt, ...]]] = {seat: (Prompt(seat, "turn"),) for seat in SEATS}


_RESIGNING: Final[dict[str, tuple[Resign, ...]]] = {seat: (Resign(seat),) for seat in SEATS}


def turn(state: State) -> tuple[Prompt, ...]:
    """Who is asked for a turn: one player, nobody once the game is over."""
    return () if isinstance(state.turn, Outcome) else _ASKS[state.turn]


def result(state: State) -> Result | None:
    """How the game ended, or None."""
    if not isinstance(state.turn, Outcome):
        return None
    return Result((state.turn.winner,), state.turn.reason, SCORES[state.turn.winner])


def legal(state: State, seat: str) -> Iterator[Action]:
    """This seat's turns, if it is to move, and its resignation; nothing once the game is over."""
    if isinstance(state.turn, Outcome):
        return iter(())
    resigning = _RESIGNING.get(seat, ())
    return chain(turns(state, state.turn), resigning) if seat == state.turn else iter(resigning)


def turns(state: State, seat: Seat) -> Iterable[Move | Capture]:
    """Every turn of the player to move: the longest captures, or else the moves.

    Captures come lazily, for a crowded board can hold very many of them.
    """
    if can_capture(state.board, seat):
        _, hunts = longest_hunts(state.board, seat)
        return (capture for hunt in hunts for capture in _captures(state, seat, hunt))
    found = moves(state.board, seat)
    if state.board[GOAL[seat]] != FREE:
        return found
    goal = SQUARES[GOAL[seat]]
    turns: list[Move | Capture] = [move for move in found if move.end != goal]
    turns += _arrivals(state.board, seat, [move for move in found if move.end == goal])
    return turns


def _arrivals(board: str, seat: Seat, found: Iterable[Move]) -> Iterator[Move]:
    """The moves to the enemy sanctum, with each way to leave it."""
    for move in found:
        for leave in leaves(board, seat, AT[move.start], GOAL[seat], won=False):
            yield Move(move.start, move.end, leave)


def first_steps(board: str, seat: Seat) -> Iterator[tuple[int, int]]:
    """Every start of a turn, with each square that it may first come to."""
    most, hunts = longest_hunts(board, seat)
    if not most:
        yield from ((AT[move.start], AT[move.end]) for move in moves(board, seat))
    for hunt in hunts:
        for over, to in hunt.leaps(hunt.start, 0):
            if hunt.longest(to, 1 << over) == most - 1:
                yield hunt.start, to


def _captures(state: State, seat: Seat, hunt: Hunt) -> Iterator[Capture]:
    for leaps in hunt.sequences(hunt.start):
        units = [state.board[over] for over, _ in leaps]
        won = JOURNEYMAN[OTHER[seat]] in units
        ends = leaves(state.board, seat, hunt.start, leaps[-1][1], won)
        for signs in signings(state, seat, hunt.unit, units):
            jumps = tuple(
                Jump(SQUARES[to], corrupt) for (_, to), corrupt in zip(leaps, signs, strict=True)
            )
            for leave in ends:
                yield Capture(SQUARES[hunt.start], jumps, leave)


def has_turn(board: str, seat: Seat) -> bool:
    """Has this player a move or a capture?"""
    return can_move(board, seat) or can_capture(board, seat)
