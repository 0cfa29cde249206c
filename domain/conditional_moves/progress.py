"""How far a plan has come: told from the events of its match, and from nothing that is kept beside.

So it cannot be forgotten or done twice: whoever reads the match again comes to the same.
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
    """How far a plan has come."""

    awaiting: tuple[int, ...]
    """The numbers of the nodes that may come next."""
    replies: tuple[str, ...] = ()
    """What the seat does as soon as it is asked."""
    answers: int = 0
    """The version of the event that was the condition for that."""
    ending: ConditionalMovesEnding | None = None


def initial_progress(plan: ConditionalMoves) -> ConditionalMovesProgress:
    """A plan that nothing has happened to yet."""
    return ConditionalMovesProgress(_children(plan, 0))


def advance(
    plan: ConditionalMoves, standing: ConditionalMovesProgress, rules: AnyGame, event: MatchEvent
) -> ConditionalMovesProgress:
    """The plan after the next event of its match."""
    if standing.ending is not None:
        return standing
    match event:
        case ActionTaken(draw=None):
            own = event.seat == plan.seat
            standing = (_own if own else _others)(plan, standing, rules, event)
        case LineContinued() | PlayerResigned() | FlagFell() | VerdictGiven(verdict="reverted"):
            return _ended(standing, event, "moved", "the match went on otherwise than by actions")
        case VerdictGiven(verdict="corrected"):
            return _ended(standing, event, "moved", "a verdict corrected the position")
        case SeatClaimed(seat=seat) | SeatLeft(seat=seat) if seat == plan.seat:
            return _ended(standing, event, "seat", "the seat has changed hands")
        case _:
            return standing
    if standing.ending is None and not (standing.replies or standing.awaiting):
        return _ended(standing, event, "done", "all of it has been done")
    return standing


def next_action(
    plan: ConditionalMoves, standing: ConditionalMovesProgress, match: AnyMatch
) -> str | None:
    """What the seat does now by its plan, in notation; None if it waits."""
    asked = any(prompt.seat == plan.seat and not prompt.is_chance for prompt in match.prompts)
    return standing.replies[0] if asked and standing.replies and not standing.ending else None


def _own(
    plan: ConditionalMoves,
    standing: ConditionalMovesProgress,
    rules: AnyGame,
    event: ActionTaken[Any, Any],
) -> ConditionalMovesProgress:
    if not standing.replies or event.entry:
        return standing
    if rules.write_action(event.action) == standing.replies[0]:
        return replace(standing, replies=standing.replies[1:])
    if rules.is_administrative(event.action):
        return standing  # the offer of a draw, beside what it is to do
    return _ended(standing, event, "own-action", "the seat did something else by itself")


def _others(
    plan: ConditionalMoves,
    standing: ConditionalMovesProgress,
    rules: AnyGame,
    event: ActionTaken[Any, Any],
) -> ConditionalMovesProgress:
    seen = rules.redact(
        ResolvedAction(event.seat, event.action, event.facts, event.rulings), plan.seat
    ).action
    text = rules.write_action(seen)
    for number in standing.awaiting if not standing.replies else ():
        node = plan.nodes[number - 1]
        if node.by in ("", event.seat) and node.on in ("", text):
            return ConditionalMovesProgress(_children(plan, number), node.replies, event.version)
    if event.entry or rules.is_administrative(event.action):
        return standing  # dice, or the offer of a draw: a plan may but need not say anything of it
    return _ended(
        standing, event, "unforeseen", f"{event.seat} did what it does not foresee: {text}"
    )


def _children(plan: ConditionalMoves, parent: int) -> tuple[int, ...]:
    return tuple(number for number, node in enumerate(plan.nodes, 1) if node.parent == parent)


def _ended(
    standing: ConditionalMovesProgress, event: MatchEvent, reason: str, why: str
) -> ConditionalMovesProgress:
    ending = ConditionalMovesEnding(reason, why, event.version)  # type: ignore[arg-type]  # one of its words
    return replace(standing, ending=ending)
