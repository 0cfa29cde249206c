"""Progress of conditional moves, computed from the events of their match alone.

No progress is stored, so that none can be lost or applied twice.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.conditional_moves.aggregate import ConditionalMoves, ConditionalMovesEnding
from domain.kernel.game import AnyGame, ResolvedAction
from domain.match import (
    ActionTaken,
    AnyMatch,
    FlagFell,
    LineContinued,
    PlayerResigned,
    SeatClaimed,
    SeatLeft,
    VerdictGiven,
)
from domain.match import Event as MatchEvent


class ConditionalMovesProgress(Struct, frozen=True):
    """The progress of conditional moves in their match."""

    awaiting: tuple[int, ...]
    """The numbers of the moves whose triggers may come next."""
    replies: tuple[str, ...] = ()
    """The responses that the seat gives at its next prompts."""
    answers: int = 0
    """The version of the event that triggered the responses."""
    ending: ConditionalMovesEnding | None = None


def initial_progress(plan: ConditionalMoves) -> ConditionalMovesProgress:
    """Return the progress before any event."""
    return ConditionalMovesProgress(_following_moves(plan, 0))


def advance(
    plan: ConditionalMoves, progress: ConditionalMovesProgress, rules: AnyGame, event: MatchEvent
) -> ConditionalMovesProgress:
    """Return the progress after the next event of the match."""
    if progress.ending is not None:
        return progress
    match event:
        case ActionTaken(draw=None):
            own = event.seat == plan.seat
            progress = (_advance_by_own if own else _advance_by_others)(
                plan, progress, rules, event
            )
        case LineContinued() | PlayerResigned() | FlagFell() | VerdictGiven(verdict="reverted"):
            return _end(progress, event, "moved", "the match went on otherwise than by actions")
        case VerdictGiven(verdict="corrected"):
            return _end(progress, event, "moved", "a verdict corrected the position")
        case SeatClaimed(seat=seat) | SeatLeft(seat=seat) if seat == plan.seat:
            return _end(progress, event, "seat", "the seat has changed hands")
        case _:
            return progress
    if progress.ending is None and not (progress.replies or progress.awaiting):
        return _end(progress, event, "done", "all of it has been done")
    return progress


def next_action(
    plan: ConditionalMoves, progress: ConditionalMovesProgress, match: AnyMatch
) -> str | None:
    """Return the action that the seat takes now, in notation; None if no response is due."""
    asked = any(prompt.seat == plan.seat and not prompt.is_chance for prompt in match.prompts)
    return progress.replies[0] if asked and progress.replies and not progress.ending else None


def _advance_by_own(
    plan: ConditionalMoves,
    progress: ConditionalMovesProgress,
    rules: AnyGame,
    event: ActionTaken[Any, Any],
) -> ConditionalMovesProgress:
    if not progress.replies or event.entry:
        return progress
    if rules.write_action(event.action) == progress.replies[0]:
        return replace(progress, replies=progress.replies[1:])
    if rules.is_administrative(event.action):
        return progress  # such as a draw offer, which no response depends on
    return _end(progress, event, "own-action", "the seat did something else by itself")


def _advance_by_others(
    plan: ConditionalMoves,
    progress: ConditionalMovesProgress,
    rules: AnyGame,
    event: ActionTaken[Any, Any],
) -> ConditionalMovesProgress:
    seen = rules.redact(
        ResolvedAction(event.seat, event.action, event.facts, event.rulings), plan.seat
    ).action
    text = rules.write_action(seen)
    for number in progress.awaiting if not progress.replies else ():
        node = plan.nodes[number - 1]
        if node.by in ("", event.seat) and node.on in ("", text):
            return ConditionalMovesProgress(
                _following_moves(plan, number), node.replies, event.version
            )
    if event.entry or rules.is_administrative(event.action):
        return progress  # no move has to cover dice or a draw offer
    return _end(progress, event, "unforeseen", f"{event.seat} did what it does not foresee: {text}")


def _following_moves(plan: ConditionalMoves, parent: int) -> tuple[int, ...]:
    return tuple(number for number, node in enumerate(plan.nodes, 1) if node.parent == parent)


def _end(
    progress: ConditionalMovesProgress, event: MatchEvent, reason: str, why: str
) -> ConditionalMovesProgress:
    ending = ConditionalMovesEnding(reason, why, event.version)  # type: ignore[arg-type]  # a literal of EndReason
    return replace(progress, ending=ending)
