"""What is found by planes is what one finds by looking at one unit after the other."""

from random import Random
from typing import get_args

import pytest

from domain.games.agog.board import AT, FORWARD_RAYS, PLACES, SQUARES, STEPS
from domain.games.agog.captures import can_capture, leaps
from domain.games.agog.evolve import _APPLY
from domain.games.agog.facts import Fact
from domain.games.agog.moves import can_move, has_two_exits, moves
from domain.games.agog.state import BAR, FLIERS, FLIERS_OF, FREE, OWN, SEATS, Seat

CHANCE = Random(1)
CROWDS = ("." * 20, "." * 6, ".." + "GH" * 2, "..gc", "")
"""What stands among the units: the more there is of it, the more of it is on the board."""


def any_board() -> str:
    """A board with units anywhere, few or many."""
    marks = "GHCJghcj" + CHANCE.choice(CROWDS)
    return "".join(CHANCE.choice(marks) if square else BAR for square in SQUARES)


BOARDS = [any_board() for _ in range(400)]


def seen(board: str, seat: Seat) -> list[tuple[str, str]]:
    """The moves of all golems and journeymen in order, then of hulks, then of corrupted hulks."""
    found = [
        (place, to)
        for place in PLACES
        if board[place] in OWN[seat] and board[place] not in FLIERS
        for to in STEPS[seat][place]
        if board[to] == FREE
    ]
    for flier in FLIERS_OF[seat]:
        for place in PLACES:
            for ray in FORWARD_RAYS[seat][place] if board[place] == flier else ():
                free = [board[to] == FREE for to in ray]
                found += [(place, to) for n, to in enumerate(ray) if all(free[: n + 1])]
    return [(SQUARES[start], SQUARES[end]) for start, end in found]


@pytest.mark.parametrize("seat", SEATS)
def test_moves_are_those_that_one_sees(seat: Seat) -> None:
    for board in BOARDS:
        found = seen(board, seat)
        assert [(move.start, move.end) for move in moves(board, seat)] == found
        near = {end for start, end in found if AT[end] in STEPS[seat][AT[start]]}
        assert can_move(board, seat) == bool(near)
        assert has_two_exits(board, seat) == (len(near) > 1)


@pytest.mark.parametrize("seat", SEATS)
def test_a_capture_is_found_where_one_sees_a_jump(seat: Seat) -> None:
    jumps = [
        any(leaps(board, board[place], place) for place in PLACES if board[place] in OWN[seat])
        for board in BOARDS
    ]
    assert [can_capture(board, seat) for board in BOARDS] == jumps
    assert 40 < sum(jumps) < 360


def test_every_fact_is_applied() -> None:
    assert set(_APPLY) == set(get_args(Fact))
