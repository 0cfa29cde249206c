"""Proposals of undo, redo and draws: their state, and the seats that have not answered."""

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.rulings import Accepted
from domain.match import (
    ActionTaken,
    AnyMatch,
    DrawAnswered,
    Event,
    LineContinued,
    Proposal,
    UndoAnswered,
    is_in_mainline,
)
from projections.views.transitions import Transition

ProposalKind = Literal["undo", "redo", "draw"]
ProposalState = Literal["pending", "accepted", "rejected", "lapsed", "withdrawn"]
DRAW_OFFER_NAME: Final = "draw"
"""The name of a draw offer that is an action of its game. A match has at most one."""


class ProposalView(Struct, frozen=True):
    """A proposal with its state."""

    kind: ProposalKind
    made: Proposal
    state: ProposalState = "pending"

    @property
    def name(self) -> str:
        """The name of the proposal, unique within its match."""
        return str(self.made.version) if self.made.version else DRAW_OFFER_NAME


def open_proposal(match: AnyMatch) -> ProposalView | None:
    """Return the pending proposal: one of the match, or a draw offer by an action of the game."""
    made = match.proposal
    return _open_draw_offer(match) if made is None else ProposalView(_kind(match, made), made)


def changed_proposal(step: Transition) -> ProposalView | None:
    """Return the proposal that an event made, answered or ended, in its state after the event."""
    if step.before is None:
        return None
    event = step.sealed.event
    if isinstance(event, ActionTaken) and (found := _changed_draw_offer(step.before, event)):
        return found
    before, after = step.before.proposal, step.after.proposal
    if before == after:
        return None
    if after is not None:
        return ProposalView(_kind(step.before, after), after)
    assert before is not None
    state = _final_state(event, before)
    return ProposalView(_kind(step.before, before), replace(before, awaiting=()), state)


def _kind(match: AnyMatch, made: Proposal) -> ProposalKind:
    if made.to is None:
        return "draw"
    return "undo" if is_in_mainline(match, made.to) else "redo"


def _final_state(event: Event, made: Proposal) -> ProposalState:
    match event:
        case UndoAnswered(seat=seat, granted=yes) | DrawAnswered(seat=seat, accepted=yes):
            if made.withdraws(seat, yes):
                return "withdrawn"
            return "accepted" if yes else "rejected"
        case _:
            return "lapsed"


def immediate_line_change(step: Transition) -> ProposalView | None:
    """Return the undo or redo of an event that changed the line without anybody's consent."""
    event, before = step.sealed.event, step.before
    if not isinstance(event, LineContinued) or before is None:
        return None
    made = Proposal(event.seat, (), event.to, event.rolled, event.revealed, event.version)
    return ProposalView("redo" if event.redo else _kind(before, made), made, "accepted")


def _open_draw_offer(match: AnyMatch) -> ProposalView | None:
    """Return the draw offer that an action of the game made, if a seat may accept it."""
    game, draws = match.rules, match.rules.draws
    if draws is None or match.result is not None:
        return None
    awaiting = tuple(
        seat
        for seat in match.seats
        if isinstance(game.decide(match.position, seat, draws.answer(seat, True)), Accepted)
    )
    if not awaiting:
        return None
    others = [seat for seat in match.seats if seat not in awaiting]
    return ProposalView("draw", Proposal(others[0] if len(others) == 1 else "", awaiting))


def _changed_draw_offer(
    before: AnyMatch, event: ActionTaken[object, object]
) -> ProposalView | None:
    """Return the draw offer that an action of the game made or answered."""
    draws, seat = before.rules.draws, event.seat
    if draws is None:
        return None
    others = tuple(other for other in before.seats if other != seat)
    if event.action == draws.offer(seat):
        return ProposalView("draw", Proposal(seat, others))
    for yes in (True, False):
        if event.action == draws.answer(seat, yes):
            made = Proposal(others[0] if len(others) == 1 else "", ())
            return ProposalView("draw", made, "accepted" if yes else "rejected")
    return None
