"""The Plan: what a seat left to be done if others do this or that, a decider beside the Match.

It is nobody's but the seat's, so it is an aggregate of its own and not in the chain of its match,
where others would see versions move.
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
