"""Who stands better, by rules of thumb: units, their way, and whether a journeyman can be jumped.

The points began as a fit to how matches between bots ended (logistic regression).
"""

from typing import Final

from domain.games.agog.board import PLACES, RAYS, SANCTUM, SQUARES
from domain.games.agog.state import (
    FLIERS,
    FREE,
    JOURNEYMAN,
    OTHER,
    OWNER,
    SEATS,
    Board,
    Seat,
    State,
)
from domain.kernel.odds import odds

WORTH: Final = {"g": 0.14, "h": 0.3, "c": 0.45, "j": 0.0}
"""Points for a unit, by its small letter."""
ON_THE_WAY: Final = {"g": -0.025, "h": 0.0, "c": 0.0, "j": 0.1}
"""Points for each file and rank that a unit has come nearer to the enemy sanctum: golems that have
gone far have few moves left, and who cannot move has lost."""
BEYOND: Final = 0.07
"""Points for a journeyman, for the square of what it has come beyond half way."""
HANGING: Final = -4.5
"""For a journeyman that the player to move can jump."""
ATTACKED: Final = -0.4
"""For one that could be jumped, were it the other player's turn."""
TEMPO: Final = 0.15
"""For being to move."""
_HALF: Final = 7


def _rays(place: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The lines on which an enemy can come to jump what stands here, each with where it lands."""
    return tuple((ray, 2 * place - ray[0]) for ray in RAYS[place] if 2 * place - ray[0] in RAYS)


_LINES: Final = {place: _rays(place) for place in PLACES}


def _come(seat: Seat, place: int) -> int:
    """The files and ranks that a unit has come from its own sanctum."""
    own = SANCTUM[seat]
    return abs(place % 9 - own % 9) + abs(place // 9 - own // 9)


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


def prospects(state: State) -> dict[str, float]:
    """How likely each player wins."""
    board = state.board
    standing: dict[str, float] = {
        seat: _exposure(state, seat) + TEMPO * (state.turn == seat) for seat in SEATS
    }
    for place in PLACES:
        if (unit := board[place]) != FREE:
            standing[OWNER[unit]] += _POINTS[unit][place]
    return odds(standing)


def _exposure(state: State, seat: Seat) -> float:
    place = state.board.find(JOURNEYMAN[seat])
    if place < 0 or not _jumped(state.board, seat, place):
        return 0.0
    return HANGING if state.turn == OTHER[seat] else ATTACKED


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
