"""Who may act, what they may do, and how the game ended."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.games.agog.actions import Action, Capture, Jump, Move, Resign
from domain.games.agog.board import GOAL, SQUARES
from domain.games.agog.captures import Hunt, can_capture, longest_hunts
from domain.games.agog.corruption import signings
from domain.games.agog.moves import can_move, moves
from domain.games.agog.promotion import leaves
from domain.games.agog.state import FREE, JOURNEYMAN, OTHER, SEATS, Outcome, Seat, State
from domain.kernel.game import Ask, Result

SCORES: Final[dict[Seat, str]] = {"white": "1-0", "black": "0-1"}
"""The result as the rulebook writes it, by who won."""

_ASKS: Final[dict[Seat, tuple[Ask, ...]]] = {seat: (Ask(seat, "turn"),) for seat in SEATS}


def turn(state: State) -> tuple[Ask, ...]:
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
        return
    if seat == state.turn:
        yield from turns(state, state.turn)
    for own in SEATS:
        if seat == own:
            yield Resign(own)


def turns(state: State, seat: Seat) -> Iterable[Move | Capture]:
    """Every turn of the player to move: the longest captures, or else the moves.

    Captures come lazily, for a crowded board can hold very many of them.
    """
    if can_capture(state.board, seat):
        _, hunts = longest_hunts(state.board, seat)
        return (capture for hunt in hunts for capture in _captures(state, seat, hunt))
    goal = GOAL[seat]
    found = [
        Move(SQUARES[start], SQUARES[end]) for start, end in moves(state.board, seat) if end != goal
    ]
    if state.board[goal] == FREE:
        found += _arrivals(state.board, seat, goal)
    return found


def _arrivals(board: str, seat: Seat, goal: int) -> Iterator[Move]:
    """The moves to the enemy sanctum, with each way to leave it."""
    for start, end in moves(board, seat):
        if end == goal:
            for leave in leaves(board, seat, start, end, won=False):
                yield Move(SQUARES[start], SQUARES[end], leave)


def first_steps(board: str, seat: Seat) -> Iterator[tuple[int, int]]:
    """Every start of a turn, with each square that it may first come to."""
    most, hunts = longest_hunts(board, seat)
    if not most:
        yield from moves(board, seat)
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
