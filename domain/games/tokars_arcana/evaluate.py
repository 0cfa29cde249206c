"""Who stands better, by rules of thumb: the models, the dead, generals under threat."""

from typing import Final

from domain.games.tokars_arcana.actions import (
    Action,
    Enter,
    Explode,
    MoveAndStrike,
    Off,
    Slay,
    Strike,
    Vanquish,
)
from domain.games.tokars_arcana.board import AHEAD, row_of
from domain.games.tokars_arcana.check import threats
from domain.games.tokars_arcana.state import (
    GENERALS,
    OTHER,
    SEATS,
    Ordering,
    Over,
    Seat,
    State,
    Unit,
)
from domain.kernel.win_probabilities import win_probabilities

WORTH: Final[dict[Unit, float]] = {
    "I": 0.25, "K": 0.9, "W": 0.9, "P": 0.8, "Q": 0.6, "A": 0.8, "D": 2.2, "B": 0.0,
    "S": 0.3, "Z": 0.9, "M": 0.8, "T": 1.1, "X": 1.6, "N": 0.0,
}  # fmt: skip
"""Points for a model on the board."""
DEAD: Final = 0.15
"""What a unit is worth in the graveyard, from where it may return: a share of its points."""
BURNING: Final = 0.5
"""What a model is worth that firebrew will burn: a share of its points."""
DOOMED: Final = (0.0, -6.0, -4.5, -3.0)
"""For a general on whom there are so many tokens of firebrew."""
ADVANCE: Final = 0.02
"""Points for each row that a soldier has come ahead."""
TEMPO: Final = 0.15
"""Points for being on turn."""
STRUCK: Final = 4.0
"""Points for who is on turn and can kill the enemy general."""
CHECK: Final = 0.2
"""Points for who threatens the enemy general."""

GENERAL: Final = 20.0
"""What it promises to strike a general."""
KILL: Final = 2.0
"""What it promises to strike any enemy, beside its worth."""
PROMISE: Final[dict[type[Action], float]] = {Slay: 3.0, Explode: 1.5, Vanquish: 1.0, Off: -1.0}
"""What other orders promise, where it is more or less than a move."""


def evaluate(state: State) -> dict[str, float]:
    """How likely each seat wins."""
    points: dict[str, float] = {
        seat: DEAD * sum(WORTH[unit] * count for unit, count in _dead(state, seat))
        for seat in SEATS
    }
    for square, model in state.board.items():
        worth = WORTH[model.unit] * (BURNING if model.tokens else 1.0)
        if model.unit in "IS":
            ahead = (
                row_of(square) if AHEAD[model.seat] > 0 else state.options.rows + 1 - row_of(square)
            )
            worth += ADVANCE * ahead
        elif model.unit in GENERALS:
            worth += DOOMED[model.tokens]
        points[model.seat] += worth
    seat = state.turn
    if seat is not None and not isinstance(state.phase, Over):
        points[seat] += TEMPO
        if isinstance(state.phase, Ordering) and threats(state, OTHER[seat]):
            points[seat] += STRUCK
        elif threats(state, seat):
            points[OTHER[seat]] += CHECK
    return win_probabilities(points)


def move_ordering(state: State, action: Action) -> float:
    """How much an action promises: what it kills at once comes first, then powers, then moves."""
    at = getattr(action, "target", None) or (action.end if isinstance(action, Enter) else None)
    victim = state.board.get(at) if at else None
    if victim is not None and not isinstance(action, Explode):
        worth = GENERAL if victim.unit in GENERALS else WORTH[victim.unit]
        if not isinstance(action, Enter | Strike | MoveAndStrike):
            worth *= BURNING
        return KILL + worth if victim.seat != state.turn else -worth
    return PROMISE.get(type(action), 0.0)


def _dead(state: State, seat: Seat) -> list[tuple[Unit, int]]:
    grave = state.graves[seat]
    return [(unit, grave.count(unit)) for unit in WORTH if unit in grave]
