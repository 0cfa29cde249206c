"""Taking back and doing again. Nothing is erased: the line goes on from another version.

The caller brings the events that would be undone, and the position to go back to.
"""

from collections.abc import Sequence
from typing import Any

from domain.kernel.game import REFEREE, open_book
from domain.match.commands import Decided, Denied, Ledger, Outcome, Stamp, listed
from domain.match.events import (
    ActionTaken,
    DisputeRaised,
    Event,
    LineContinued,
    Resigned,
    Sealed,
    UndoAnswered,
    UndoAsked,
)
from domain.match.state import AnyMatch, Recall, line


def undo(
    match: AnyMatch,
    seat: str,
    to: int,
    between: Sequence[Sealed[Event]],
    stamp: Stamp,
    recall: Recall,
) -> Outcome:
    """Ask that the line go on from version `to`, or take it there if nobody need consent.

    `between` are the events after `to` up to the present, in order; for a redo, those of the branch
    that lead to `to`.
    """
    if match.terms.undo == "none":
        return Denied("UNDO_FORBIDDEN", "in this match nothing is taken back")
    if match.pending is not None:
        return Denied("REQUEST_PENDING", f"a request of {match.pending.seat} waits for answers")
    if not 1 <= to < match.version:
        return Denied("VERSION_UNKNOWN", f"an undo goes to a version from 1 to {match.version - 1}")
    awaiting = _consenting(match, seat, between)
    ledger = Ledger(match, match.id, stamp, recall)
    if seat == REFEREE or not awaiting:
        ledger.record(LineContinued, to=to, seat=seat)
    else:
        rolled = tuple(each.event.version for each in between if _told_chance(each.event))
        ledger.record(UndoAsked, seat=seat, to=to, awaiting=awaiting, rolled=rolled)
    return ledger.decided()


def answer_undo(
    match: AnyMatch, seat: str, granted: bool, stamp: Stamp, recall: Recall
) -> Decided | Denied:
    """Grant or refuse the request that is pending. With the last consent, the line moves."""
    pending = match.pending
    if pending is None or pending.to is None:
        return Denied("NO_REQUEST", "no undo waits for an answer: it ended when somebody acted")
    if seat not in (*pending.awaiting, REFEREE):
        return Denied("NOT_ASKED", f"{seat} is not asked; {listed(pending.awaiting)} may answer")
    ledger = Ledger(match, match.id, stamp, recall)
    ledger.record(UndoAnswered, seat=seat, granted=granted)
    if granted and ledger.match.pending is None:
        ledger.record(LineContinued, to=pending.to, seat=pending.seat)
    return ledger.decided()


def on_line(match: AnyMatch, version: int) -> bool:
    """Does this version lead to the present one?"""
    return any(version in stretch for stretch in line(match))


def _consenting(match: AnyMatch, seat: str, between: Sequence[Sealed[Event]]) -> tuple[str, ...]:
    """Who must consent before `seat` may have these events undone."""
    others = tuple(other for other in match.seats if other != seat)
    if match.terms.undo == "referee":
        return (REFEREE,)
    free = match.terms.undo == "free" and all(_own(match, seat, each.event) for each in between)
    return () if free else others or (REFEREE,)


def _own(match: AnyMatch, seat: str, event: Any) -> bool:
    """Is this the seat's own doing, with nothing learnt from it?"""
    if isinstance(event, ActionTaken):
        hidden = match.rules.veil is not open_book
        return event.seat == seat and not hidden and not _told_chance(event)
    return not isinstance(event, Resigned | DisputeRaised)


def _told_chance(event: Any) -> bool:
    return isinstance(event, ActionTaken) and event.entry
