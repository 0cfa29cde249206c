"""Conditional moves: actions that a seat prepared in case others act in a certain way.

They are an aggregate of their own, since others would see new versions if they were in the match.
"""

from domain.conditional_moves.aggregate import (
    ConditionalMove,
    ConditionalMoves,
    ConditionalMovesCancelled,
    ConditionalMovesEnded,
    ConditionalMovesEnding,
    ConditionalMovesSet,
    EndReason,
    Event,
    cancel,
    conditional_moves_id,
    end,
    evolve,
    requested_command,
    set_conditional_moves,
)
from domain.conditional_moves.forecast import ConditionalMovesForecast, MoveForecast, forecast_moves
from domain.conditional_moves.progress import (
    ConditionalMovesProgress,
    advance,
    initial_progress,
    next_action,
)

__all__ = [
    "ConditionalMove",
    "ConditionalMoves",
    "ConditionalMovesCancelled",
    "ConditionalMovesEnded",
    "ConditionalMovesEnding",
    "ConditionalMovesForecast",
    "ConditionalMovesProgress",
    "ConditionalMovesSet",
    "EndReason",
    "Event",
    "MoveForecast",
    "advance",
    "cancel",
    "conditional_moves_id",
    "end",
    "evolve",
    "forecast_moves",
    "initial_progress",
    "next_action",
    "requested_command",
    "set_conditional_moves",
]
