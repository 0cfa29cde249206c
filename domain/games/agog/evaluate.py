"""Who stands better, by rules of thumb: units, their way, and how safe a journeyman is.

The points are near a fit to how 940 matches between bots ended (logistic regression); of several
sets near it these won most matches.
"""

from typing import Final

from domain.games.agog.board import PLACES, RAYS, SANCTUM, SQUARES
from domain.games.agog.state import (
    FLIERS,
    FREE,
    JOURNEYMAN,
    OTHER,
    OWN,
    OWNER,
    SEATS,
    Board,
    Seat,
    State,
)
from domain.kernel.win_probabilities import win_probabilities

WORTH: Final = {"g": 0.6, "h": 1.0, "c": 0.75, "j": 0.0}
"""Points for a unit, by its small letter."""
ON_THE_WAY: Final = {"g": -0.06, "h": 0.0, "c": 0.0, "j": 0.05}
"""Points for each file and rank that a unit has come nearer to the enemy sanctum: golems that have
gone far have few moves left, and who cannot move has lost."""
BEYOND: Final = 0.12
"""Points for a journeyman, for the square of what it has come beyond half way."""
BESET: Final = -0.5
"""For a journeyman, for each enemy unit that is at most two steps away."""
HANGING: Final = -6.0
"""For a journeyman that the player to move can jump."""
ATTACKED: Final = -0.4
"""For one that could be jumped, were it the other player's turn."""
_HALF: Final = 7


def _rays(place: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The lines on which an enemy can come to jump what stands here, each with where it lands."""
    return tuple((ray, 2 * place - ray[0]) for ray in RAYS[place] if 2 * place - ray[0] in RAYS)


_LINES: Final = {place: _rays(place) for place in PLACES}


def _steps(one: int, other: int) -> int:
    """Files and ranks between two places."""
    return abs(one % 9 - other % 9) + abs(one // 9 - other // 9)


_AROUND: Final = {
    place: tuple(other for other in PLACES if 0 < _steps(place, other) <= 2) for place in PLACES
}


def _come(seat: Seat, place: int) -> int:
    """The files and ranks that a unit has come from its own sanctum."""
    return _steps(SANCTUM[seat], place)


_POINTS: Final[dict[str, tuple[float, ...]]] = {
    unit: tuple(
        WORTH[unit.lower()]
        + ON_THE_WAY[unit.lower()] * _come(seat, place)
        + BEYOND * max(0, _come(seat, place) - _HALF) ** 2 * (unit == JOURNEYMAN[seat])
        for place in range(len(SQUARES))
    )
    for unit, seat in OWNER.items()
}
"""Points for each unit on each place."""


def evaluate(state: State) -> dict[str, float]:
    """How likely each player wins."""
    board = state.board
    standing: dict[str, float] = {seat: _safety(state, seat) for seat in SEATS}
    for place in PLACES:
        if (unit := board[place]) != FREE:
            standing[OWNER[unit]] += _POINTS[unit][place]
    return win_probabilities(standing)


def _safety(state: State, seat: Seat) -> float:
    """Points for what may happen to a player's journeyman."""
    board, enemy = state.board, OWN[OTHER[seat]]
    place = board.find(JOURNEYMAN[seat])
    if place < 0:
        return 0.0
    points = BESET * sum([board[other] in enemy for other in _AROUND[place]])
    if not _jumped(board, seat, place):
        return points
    return points + (HANGING if state.turn == OTHER[seat] else ATTACKED)


def _jumped(board: Board, seat: Seat, place: int) -> bool:
    """Can an enemy unit jump what stands here, longer captures elsewhere left aside?"""
    for ray, landing in _LINES[place]:
        if board[landing] != FREE:
            continue
        at = next((each for each in ray if board[each] != FREE), None)
        if at is None or OWNER[board[at]] == seat:
            continue
        if at == ray[0] or board[at] in FLIERS:
            return True
    return False
