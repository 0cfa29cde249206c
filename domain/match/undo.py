"""Undo and redo. Nothing is erased: the line continues from another version.

The caller passes the match at that version, and the events that the change undoes or redoes.
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
from domain.match.ledger import MatchLedger, Outcome, SeedSource, join_and, pause_rejection
from domain.match.lines import is_in_mainline, is_play
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch, opponents

DisclosureTest = Callable[[AnyMatch, Event], bool]
"""A test whether somebody learned hidden information from an event of a match."""


def undo(
    match: AnyMatch,
    seat: str,
    state_at_target: AnyMatch,
    moved: Sequence[SealedEvent[Event]],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
    *,
    is_disclosure: DisclosureTest | None = None,
) -> Outcome:
    """Continue from an earlier version of the line, or request it where others must consent.

    Args:
        match: The match.
        seat: The seat that undoes, or `referee`.
        state_at_target: The match at the version to continue from.
        moved: The events in `lines.moved_ranges`.
        command_context: The context of the command.
        seeds: The source of seeds.
        is_disclosure: Tells which events disclosed hidden information; `has_disclosed` by default.
    """
    if (denied := undo_rejection(match, seat, state_at_target.version)) is not None:
        return denied
    if not any(is_play(each.event) for each in moved):
        return Rejection(
            "NOTHING_TO_UNDO", f"nothing was played since version {state_at_target.version}"
        )
    return _continue_or_request(
        match, seat, state_at_target, moved, command_context, seeds, is_disclosure or has_disclosed
    )


def redo(
    match: AnyMatch,
    seat: str,
    state_at_target: AnyMatch,
    moved: Sequence[SealedEvent[Event]],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
    *,
    is_disclosure: DisclosureTest | None = None,
) -> Outcome:
    """Continue from an undone version; the arguments are those of `undo`."""
    if (denied := redo_rejection(match, seat, state_at_target.version)) is not None:
        return denied
    return _continue_or_request(
        match, seat, state_at_target, moved, command_context, seeds, is_disclosure or has_disclosed
    )


def undo_rejection(match: AnyMatch, seat: str, to: int) -> Rejection | None:
    """Return why the line cannot return to this version, before its events are looked at."""
    if (denied := _line_change_rejection(match, seat, to)) is not None:
        return denied
    if not is_in_mainline(match, to):
        return Rejection("NOT_IN_MAINLINE", f"version {to} was undone: redo it instead")
    return None


def redo_rejection(match: AnyMatch, seat: str, to: int) -> Rejection | None:
    """Return why this version cannot be redone, before its events are looked at."""
    if (denied := _line_change_rejection(match, seat, to)) is not None:
        return denied
    if is_in_mainline(match, to):
        return Rejection("ALREADY_IN_MAINLINE", f"version {to} is on the line: undo to it instead")
    return None


def continuation_rejection(state_at_target: AnyMatch) -> Rejection | None:
    """Return why a match cannot continue from this version of it, or None.

    Play cannot continue from an end that the players made.
    """
    if not state_at_target.is_ended_by_players:
        return None
    return Rejection(
        "NOT_PLAYABLE",
        f"the players had ended the match at version {state_at_target.version}:"
        " choose an earlier one",
    )


def respond_to_undo(
    match: AnyMatch,
    seat: str,
    granted: bool,
    command_context: CommandContext,
    version_lookup: VersionLookup,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch] | Rejection:
    """Grant or refuse the pending undo; its own seat withdraws it by refusing.

    With the last consent, the line continues from the requested version.
    """
    proposal = match.proposal
    if proposal is None or proposal.to is None:
        return Rejection("NO_PROPOSAL", "no undo request is pending: it lapses when anyone acts")
    is_free = REFEREE in proposal.awaiting or not (
        granted and proposal_crosses_chance(match, proposal)
    )
    may_answer = seat in proposal.awaiting or (seat == REFEREE and is_free)
    if not (may_answer or proposal.withdraws(seat, granted)):
        return Rejection(
            "SEAT_NOT_AWAITED", f"{seat} may not respond; {join_and(proposal.awaiting)} may"
        )
    if seat != REFEREE and (denied := pause_rejection(match)) is not None:
        return denied
    ledger = MatchLedger(match, match.id, command_context, version_lookup)
    ledger.record(UndoAnswered, seat=seat, granted=granted, source=command_context.source)
    if granted and ledger.state.proposal is None:
        _continue_line(ledger, proposal.to, proposal.seat, seeds)
    return ledger.changeset()


def is_redo(match: AnyMatch, to: int) -> bool:
    """Return whether continuing from this version redoes what was undone."""
    return not is_in_mainline(match, to)


def _line_change_rejection(match: AnyMatch, seat: str, to: int) -> Rejection | None:
    proposal = match.proposal
    if match.terms.undo == "none":
        return Rejection("UNDO_FORBIDDEN", "this match does not allow undo")
    if match.version == 1:
        return Rejection("VERSION_OUT_OF_RANGE", "the match has no earlier version yet")
    if not 1 <= to < match.version:
        return Rejection(
            "VERSION_OUT_OF_RANGE", f"name a version from 1 to {match.version - 1}, not {to}"
        )
    if seat == REFEREE:
        return pause_rejection(match) if match.waiting else None
    # A seat may replace its own request. Another seat's must be answered first, or lapse.
    if proposal is not None and (proposal.seat != seat or proposal.to == to):
        return Rejection(
            "PROPOSAL_PENDING", f"a proposal of {proposal.seat} is pending: respond to it first"
        )
    return pause_rejection(match)


def _continue_or_request(
    match: AnyMatch,
    seat: str,
    state_at_target: AnyMatch,
    moved: Sequence[SealedEvent[Event]],
    command_context: CommandContext,
    seeds: SeedSource,
    is_disclosure: DisclosureTest,
) -> Outcome:
    if (denied := continuation_rejection(state_at_target)) is not None:
        return denied
    to = state_at_target.version
    events = [each.event for each in moved]
    awaiting = _required_consents(match, seat, events, is_disclosure)
    ledger = MatchLedger(match, match.id, command_context, lambda _: state_at_target)
    rolled, revealed = disclosed_versions(match, events, is_disclosure)
    if not awaiting:
        shown = {"rolled": rolled, "revealed": revealed}
        _continue_line(ledger, to, seat, seeds, command_context.source, **shown)
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
    match: AnyMatch, events: Iterable[Event], is_disclosure: DisclosureTest | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the versions with chance entries, and those that disclosed hidden information.

    Players know all of it from then on, whatever is undone.
    """
    is_disclosed, events = is_disclosure or has_disclosed, tuple(events)
    return (
        tuple(event.version for event in events if _is_chance_entry(event)),
        tuple(event.version for event in events if is_disclosed(match, event)),
    )


def _continue_line(
    ledger: MatchLedger,
    to: int,
    seat: str,
    seeds: SeedSource,
    source: Origin = UNKNOWN_ORIGIN,
    **shown: tuple[int, ...],
) -> None:
    """Continue the line from a version. `source` is left out where the event before has it.

    Chance entries due there are drawn afresh. An end that is reached again reveals the seed of
    the draws since the last one.
    """
    was_over = ledger.state.result is not None
    redo = is_redo(ledger.state, to)
    ledger.record(LineContinued, to=to, seat=seat, redo=redo, source=source, **shown)
    if not was_over or ledger.state.result is None:
        ledger.settle(seeds)


def _required_consents(
    match: AnyMatch, seat: str, events: Sequence[Event], is_disclosure: DisclosureTest
) -> tuple[str, ...]:
    """Return the seats that must consent before `seat` may have these events moved."""
    others = opponents(match, seat)
    is_chance_crossed = crosses_chance(match, events)
    if seat == REFEREE:
        return others if is_chance_crossed else ()
    if match.terms.undo == "referee":
        return (*others, REFEREE) if is_chance_crossed else (REFEREE,)
    # With clocks an undo also restores time, so that it always needs consent.
    is_free = match.terms.undo == "free" and not match.terms.has_clocks
    free = is_free and all(_is_own_change(match, seat, each, is_disclosure) for each in events)
    return () if free else others or (REFEREE,)


def crosses_chance(match: AnyMatch, events: Iterable[Event]) -> bool:
    """Return whether moving these events draws chance afresh that all players took part in.

    In a match that started with entropy of every player, not even a referee may do so alone.
    """
    return has_codes(match) and any(_is_chance_entry(e) or has_revealed(match, e) for e in events)


def proposal_crosses_chance(match: AnyMatch, proposal: Proposal) -> bool:
    """Return whether this proposal crosses chance, as in `crosses_chance`."""
    return has_codes(match) and bool(proposal.rolled or proposal.revealed)


def _is_own_change(match: AnyMatch, seat: str, event: Event, is_disclosure: DisclosureTest) -> bool:
    """Return whether the seat may undo this event alone, since nothing was disclosed by it."""
    match event:
        case ActionTaken():
            has_disclosed_now = _is_chance_entry(event) or is_disclosure(match, event)
            return event.seat == seat and not (
                has_disclosed_now or match.rules.is_administrative(event.action)
            )
        case LineContinued() | UndoRequested() | UndoAnswered() | DrawOffered():
            return event.seat == seat
        case SeatClaimed() | SeatLeft():
            return True
        case _:
            return False


def _is_chance_entry(event: Any) -> bool:
    return isinstance(event, ActionTaken) and event.entry


def has_revealed(match: AnyMatch, event: Event) -> bool:
    """Return whether an event showed or settled hidden information otherwise than by a look.

    A look draws nothing, and earlier releases did not count it.
    """
    game, options = match.rules, match.options
    facts = _facts(match, event)
    return any(game.reveals(fact) and not game.probes(fact, options) for fact in facts)


def has_disclosed(match: AnyMatch, event: Event) -> bool:
    """Return whether somebody learned hidden information from an event, even by a look."""
    return previewable_fact_count(match.rules, match.options, _facts(match, event)) is not None


def _facts(match: AnyMatch, event: Event) -> tuple[Any, ...]:
    """Return the facts of an event that may show hidden information."""
    if (
        not isinstance(event, ActionTaken | PlayerResigned | FlagFell)
        or not match.rules.has_hidden_information
    ):
        return ()
    return event.facts
