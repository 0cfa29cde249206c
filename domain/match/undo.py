"""Taking back and doing again. Nothing is erased: the line goes on from another version.

The caller brings the match as it stood at that version, and the events that are moved by it: those
that are left, and those of a branch that are taken up again.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.kernel.any_game import previewable_fact_count
from domain.kernel.game import REFEREE
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import UNKNOWN_ORIGIN, CommandContext, Origin
from domain.log.sealed_events import SealedEvent
from domain.match.access import has_codes
from domain.match.details import Proposal
from domain.match.events import (
    ActionTaken,
    DrawOffered,
    Event,
    FlagFell,
    LineContinued,
    PlayerResigned,
    SeatClaimed,
    SeatLeft,
    UndoAnswered,
    UndoRequested,
)
from domain.match.fold import VersionLookup
from domain.match.ledger import MatchLedger, Outcome, SeedSource, join_and, pause_refusal
from domain.match.lines import is_in_mainline, is_play
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch, opponents

DisclosureTest = Callable[[AnyMatch, Event], bool]
"""Whether somebody learned from an event of a match what was hidden."""


def undo(
    match: AnyMatch,
    seat: str,
    stood: AnyMatch,
    moved: Sequence[SealedEvent[Event]],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
    *,
    learned: DisclosureTest | None = None,
) -> Outcome:
    """Ask that the line go on from where the match `stood`, which is on it; or take it there, if
    nobody need consent. `moved` are the events of `lines.moved`; `learned` says from which of them
    somebody learned what was hidden, where not all is to count that counts today."""
    if (denied := undo_refusal(match, seat, stood.version)) is not None:
        return denied
    if not any(is_play(each.event) for each in moved):
        return Rejection("NOTHING_TO_UNDO", f"nothing was played since version {stood.version}")
    return _go_on(match, seat, stood, moved, command_context, seeds, learned or has_disclosed)


def redo(
    match: AnyMatch,
    seat: str,
    stood: AnyMatch,
    moved: Sequence[SealedEvent[Event]],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
    *,
    learned: DisclosureTest | None = None,
) -> Outcome:
    """The same for a version that was undone."""
    if (denied := redo_refusal(match, seat, stood.version)) is not None:
        return denied
    return _go_on(match, seat, stood, moved, command_context, seeds, learned or has_disclosed)


def undo_refusal(match: AnyMatch, seat: str, to: int) -> Rejection | None:
    """Why the line cannot go back to this version, as far as that can be told without looking."""
    if (denied := _cannot(match, seat, to)) is not None:
        return denied
    if not is_in_mainline(match, to):
        return Rejection("NOT_IN_MAINLINE", f"version {to} was undone: a redo takes it up again")
    return None


def redo_refusal(match: AnyMatch, seat: str, to: int) -> Rejection | None:
    """Why this version cannot be taken up again, as far as that can be told without looking."""
    if (denied := _cannot(match, seat, to)) is not None:
        return denied
    if is_in_mainline(match, to):
        return Rejection(
            "ALREADY_IN_MAINLINE", f"version {to} is on the line: an undo goes back to it"
        )
    return None


def continuation_refusal(stood: AnyMatch) -> Rejection | None:
    """Return why a match cannot be continued from this version of it, by an undo, a redo or a
    verdict: an end that the players made is no position that play can go on from."""
    if not stood.is_ended_by_players:
        return None
    return Rejection(
        "NOT_PLAYABLE",
        f"at version {stood.version} the players had ended the match: name one before it",
    )


def respond_to_undo(
    match: AnyMatch,
    seat: str,
    granted: bool,
    command_context: CommandContext,
    version_lookup: VersionLookup,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch] | Rejection:
    """Grant or refuse the proposal that is pending; whoever made it may withdraw it by a refusal.

    With the last consent, the line moves.
    """
    proposal = match.proposal
    if proposal is None or proposal.to is None:
        return Rejection("NO_PROPOSAL", "no undo waits for an answer: it ended when somebody acted")
    alone = REFEREE in proposal.awaiting or not (
        granted and proposal_crosses_chance(match, proposal)
    )
    may_answer = seat in proposal.awaiting or (seat == REFEREE and alone)
    if not (may_answer or proposal.withdraws(seat, granted)):
        return Rejection(
            "SEAT_NOT_AWAITED", f"{seat} is not asked; {join_and(proposal.awaiting)} may answer"
        )
    if seat != REFEREE and (denied := pause_refusal(match)) is not None:
        return denied
    ledger = MatchLedger(match, match.id, command_context, version_lookup)
    ledger.record(UndoAnswered, seat=seat, granted=granted, source=command_context.source)
    if granted and ledger.state.proposal is None:
        _continue(ledger, proposal.to, proposal.seat, seeds)
    return ledger.changeset()


def is_redo(match: AnyMatch, to: int) -> bool:
    """Return whether continuing from this version takes up again what was undone."""
    return not is_in_mainline(match, to)


def _cannot(match: AnyMatch, seat: str, to: int) -> Rejection | None:
    proposal = match.proposal
    if match.terms.undo == "none":
        return Rejection("UNDO_FORBIDDEN", "in this match nothing can be taken back")
    if match.version == 1:
        return Rejection(
            "VERSION_OUT_OF_RANGE", "the match has only begun: there is no version to name"
        )
    if not 1 <= to < match.version:
        return Rejection(
            "VERSION_OUT_OF_RANGE", f"name a version from 1 to {match.version - 1}, not {to}"
        )
    if seat == REFEREE:
        return pause_refusal(match) if match.waiting else None
    # One's own request may be put otherwise; another's must be answered, or lapse.
    if proposal is not None and (proposal.seat != seat or proposal.to == to):
        return Rejection("PROPOSAL_PENDING", f"a request of {proposal.seat} waits for answers")
    return pause_refusal(match)


def _go_on(
    match: AnyMatch,
    seat: str,
    stood: AnyMatch,
    moved: Sequence[SealedEvent[Event]],
    command_context: CommandContext,
    seeds: SeedSource,
    learned: DisclosureTest,
) -> Outcome:
    if (denied := continuation_refusal(stood)) is not None:
        return denied
    to = stood.version
    events = [each.event for each in moved]
    awaiting = _consenting(match, seat, events, learned)
    ledger = MatchLedger(match, match.id, command_context, lambda _: stood)
    rolled, revealed = disclosed_versions(match, events, learned)
    if not awaiting:
        shown = {"rolled": rolled, "revealed": revealed}
        _continue(ledger, to, seat, seeds, command_context.source, **shown)
    else:
        ledger.record(
            UndoRequested,
            seat=seat,
            to=to,
            awaiting=awaiting,
            rolled=rolled,
            revealed=revealed,
            redo=is_redo(match, to),
            source=command_context.source,
        )
    return ledger.changeset()


def disclosed_versions(
    match: AnyMatch, events: Iterable[Event], learned: DisclosureTest | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the versions of those events that told what chance showed, and of those from which
    somebody learned what was hidden. Whatever is undone, the players know it from then on."""
    teaches, events = learned or has_disclosed, tuple(events)
    return (
        tuple(event.version for event in events if _told_chance(event)),
        tuple(event.version for event in events if teaches(match, event)),
    )


def _continue(
    ledger: MatchLedger,
    to: int,
    seat: str,
    seeds: SeedSource,
    source: Origin = UNKNOWN_ORIGIN,
    **shown: tuple[int, ...],
) -> None:
    """Move the line. `source` is left out where the event before it has it.

    What chance is asked for there is drawn afresh; an end that is reached again reveals the seed of
    what was drawn since the last one.
    """
    was_over = ledger.state.result is not None
    redo = is_redo(ledger.state, to)
    ledger.record(LineContinued, to=to, seat=seat, redo=redo, source=source, **shown)
    if not was_over or ledger.state.result is None:
        ledger.settle(seeds)


def _consenting(
    match: AnyMatch, seat: str, events: Sequence[Event], learned: DisclosureTest
) -> tuple[str, ...]:
    """Who must consent before `seat` may have these events moved."""
    others = opponents(match, seat)
    luck = crosses_chance(match, events)
    if seat == REFEREE:
        return others if luck else ()
    if match.terms.undo == "referee":
        return (*others, REFEREE) if luck else (REFEREE,)
    # With a clock an undo gives time back, and that nobody takes for himself.
    alone = match.terms.undo == "free" and not match.terms.timed
    free = alone and all(_own(match, seat, each, learned) for each in events)
    return () if free else others or (REFEREE,)


def crosses_chance(match: AnyMatch, events: Iterable[Event]) -> bool:
    """Would moving these events have something drawn afresh, in a match that began with a share of
    every player in its draws? There not even a referee may have that without the players."""
    return has_codes(match) and any(_told_chance(e) or has_revealed(match, e) for e in events)


def proposal_crosses_chance(match: AnyMatch, proposal: Proposal) -> bool:
    """Is this request one that moves luck?"""
    return has_codes(match) and bool(proposal.rolled or proposal.revealed)


def _own(match: AnyMatch, seat: str, event: Event, learned: DisclosureTest) -> bool:
    """Is this the seat's own doing, with nothing learnt from it by anybody? What ends or judges a
    match never is, and neither is a seed that was revealed."""
    match event:
        case ActionTaken():
            taught = _told_chance(event) or learned(match, event)
            return event.seat == seat and not (
                taught or match.rules.is_administrative(event.action)
            )
        case LineContinued() | UndoRequested() | UndoAnswered() | DrawOffered():
            return event.seat == seat
        case SeatClaimed() | SeatLeft():
            return True
        case _:
            return False


def _told_chance(event: Any) -> bool:
    return isinstance(event, ActionTaken) and event.entry


def has_revealed(match: AnyMatch, event: Event) -> bool:
    """Return whether an event showed or settled what was hidden, otherwise than by a look: that
    draws nothing, and earlier releases did not count it."""
    game, options = match.rules, match.options
    facts = _facts(match, event)
    return any(game.reveals(fact) and not game.probes(fact, options) for fact in facts)


def has_disclosed(match: AnyMatch, event: Event) -> bool:
    """Return whether somebody learned from an event what was hidden, be it that nothing was there
    or what a look at cards showed."""
    return previewable_fact_count(match.rules, match.options, _facts(match, event)) is not None


def _facts(match: AnyMatch, event: Event) -> tuple[Any, ...]:
    """Return the facts of an event in which something hidden may show."""
    if (
        not isinstance(event, ActionTaken | PlayerResigned | FlagFell)
        or not match.rules.has_hidden_information
    ):
        return ()
    return event.facts
