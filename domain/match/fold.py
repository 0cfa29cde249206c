"""Applying events to a match.

`evolve` applies what happened and never consults a rule. Where an event returns the match to
another version, the caller brings the match at that version.
"""

from collections.abc import Callable, Iterable
from typing import Any, assert_never

import msgspec

from domain.kernel.any_game import fold, read_options, recall
from domain.kernel.game import REFEREE, Result
from domain.kernel.packs import OWN, Library
from domain.match.clocks import Clocks, began, charged, recalled, turned
from domain.match.details import Affairs, Dispute, LineJump, Proposal, Renewed, Terms, seated
from domain.match.events import (
    ActionTaken,
    Affair,
    Began,
    ChanceRenewed,
    ClocksHeld,
    DisputeRaised,
    DrawAnswered,
    DrawOffered,
    Effects,
    Folding,
    HintGiven,
    InviteCreated,
    InviteRevoked,
    LineContinued,
    MatchCancelled,
    MatchCreated,
    MatchUpdated,
    RefereeInvited,
    RefereeSeated,
    Resigned,
    SeatClaimed,
    SeatLeft,
    SeedRevealed,
    TimeRanOut,
    UndoAnswered,
    UndoAsked,
    VerdictGiven,
)
from domain.match.state import AnyMatch, Match, opponents
from domain.registry import GAMES

Recall = Callable[[int], AnyMatch]
"""A function that returns the match after the event of this number."""


def forgotten(version: int) -> AnyMatch:
    """Raise LookupError: a version lookup for logs without undo."""
    raise LookupError(f"the match at version {version} is not available")


def replay(
    match: AnyMatch | None,
    events: Iterable[Folding],
    recall: Recall = forgotten,
    library: Library = OWN,
) -> AnyMatch | None:
    """Return the match after these events.

    Versions that the events return to are remembered on the way, which costs little since
    states share their common parts.

    Args:
        match: The match before them, or None.
        events: The events, in order.
        version_lookup: Returns the match at a version before these events.
        library: The content packs, one of which the first event of a match may name.
    """
    stood: dict[int, AnyMatch] = {} if match is None else {match.version: match}

    def remember(version: int) -> AnyMatch:
        return stood[version] if version in stood else recall(version)

    for sealed in events:
        match = evolve(match, sealed, remember, library)
        stood[match.version] = match
    return match


def evolve(
    match: AnyMatch | None,
    sealed: Folding,
    recall: Recall = forgotten,
    library: Library = OWN,
) -> AnyMatch:
    """Return the match after one event; the arguments are those of `replay`."""
    event, digest = sealed.event, sealed.digest
    if isinstance(event, MatchCreated):
        return _create_match(event, digest, library)
    assert match is not None
    assert event.version == match.version + 1
    if isinstance(event, ActionTaken | Effects):
        after = _apply_action(match, event, digest)
    else:
        after = _apply_event(match, event, digest, recall)
    return after if after.clocks is None else _advance_clocks(after, after.clocks, event)


def _advance_clocks(
    match: AnyMatch, clocks: Clocks, event: Affair | ActionTaken[Any, Any] | Effects[Any]
) -> AnyMatch:
    """Return the match with its clocks after an event.

    Clocks that an undo has restored already stand at the time of the event.
    """
    terms = match.clock_terms
    away = event.since if isinstance(event, ClocksHeld) else None
    clocks = charged(clocks, terms, event.at, away)
    acted = isinstance(event, ActionTaken | Effects) and event.draw is None
    actor = getattr(event, "seat", "") if acted else ""
    clocks = turned(clocks, terms, match.turn, actor, paused=match.pause is not None)
    return msgspec.structs.replace(match, clocks=clocks)


def _create_match(event: MatchCreated, digest: str, library: Library) -> AnyMatch:
    game = GAMES[event.game]
    options = read_options(game, event.options, library)
    position = recall(game, event.start, options)
    match = Match(
        id=event.match,
        game=event.game,
        options=options,
        title=event.title,
        seats=event.seats,
        invitations=event.invitations,
        created=event.at,
        changed=event.at,
        terms=Terms(**{name: getattr(event, name) for name in Terms.__struct_fields__}),
        affairs=Affairs(
            commitment=event.commitment,
            waiting=event.begins == "when-full",
            creator=event.creator,
            run=event.run,
        ),
        version=event.version,
        digest=digest,
        position=position,
        result=game.result(position),
    )
    if not match.terms.has_clocks:
        return match
    return _advance_clocks(match, began(match.clock_terms, event.at), event)


def _apply_action(
    match: AnyMatch, event: ActionTaken[Any, Any] | Effects[Any], digest: str
) -> AnyMatch:
    # Written out since this is the inner loop of loading: `replace` takes four times as long.
    game = GAMES[match.game]
    position = match.position
    for fact in event.facts:
        position = game.evolve(position, fact)
    return Match(
        match.id,
        match.game,
        match.options,
        match.title,
        match.seats,
        match.invitations,
        match.created,
        event.at,
        match.terms,
        match.affairs,
        event.version,
        digest,
        position,
        game.result(position),
        match.draws if event.draw is None else event.draw,
        None,
        match.clocks,
    )


def _apply_event(
    match: AnyMatch,
    event: Affair,
    digest: str,
    recall: Recall,
) -> AnyMatch:
    affairs, change = match.affairs, msgspec.structs.replace
    match = change(match, version=event.version, digest=digest, changed=event.at)
    match event:
        case MatchCreated():
            raise AssertionError("a match is created once")
        case MatchUpdated(title=title, visibility=visibility, shared=shared):
            terms = change(
                match.terms,
                visibility=match.terms.visibility if visibility is None else visibility,
                shared=match.terms.shared if shared is None else shared,
            )
            title = match.title if title is None else title
            changed = change(affairs, updated=event.version)
            return change(match, title=title, terms=terms, affairs=changed)
        case MatchCancelled():
            return change(match, affairs=change(affairs, cancelled=True))
        case (
            SeatClaimed()
            | SeatLeft()
            | Began()
            | InviteCreated()
            | InviteRevoked()
            | RefereeInvited()
            | RefereeSeated()
        ):
            draw = event.draw if isinstance(event, Began) else None
            draws = match.draws if draw is None else draw
            return change(match, affairs=seated(affairs, event), draws=draws)
        case Resigned(facts=facts) | TimeRanOut(facts=facts) if facts:
            return _apply_facts(match, facts)
        case Resigned(seat=seat) | TimeRanOut(seat=seat):
            winners = tuple(other for other in match.seats if other != seat)
            reason = "resign" if isinstance(event, Resigned) else "time"
            result = Result(winners, reason, f"{'+'.join(winners)}:{reason}")
            return change(match, result=result, proposal=None)
        case ClocksHeld():
            return match
        case HintGiven(seat=seat):
            return change(match, hints=match.hints | {seat: match.hints.get(seat, 0) + 1})
        case DrawOffered(seat=seat) | UndoAsked(seat=seat):
            pending = Proposal(seat, opponents(match, seat), version=event.version)
            if isinstance(event, UndoAsked):
                pending = Proposal(
                    seat, event.awaiting, event.to, event.rolled, event.revealed, event.version
                )
            return change(match, proposal=pending)
        case DrawAnswered(seat=seat, accepted=yes):
            left = _proposal_after_answer(match.proposal, seat, yes)
            agreed = yes and left is None
            drawn = Result((), "agreement", "draw:agreement")
            return change(match, result=drawn if agreed else match.result, proposal=left)
        case UndoAnswered(seat=seat, granted=yes):
            return change(match, proposal=_proposal_after_answer(match.proposal, seat, yes))
        case ChanceRenewed(run=run, commitment=promised):
            unrevealed = (*affairs.renewed, Renewed(affairs.run, affairs.commitment))
            renewed = change(affairs, run=run, commitment=promised, renewed=unrevealed)
            return change(match, affairs=renewed)
        case SeedRevealed(following=following):
            next_epoch = affairs.epoch + 1
            renewed = change(affairs, epoch=next_epoch, commitment=following, renewed=())
            return change(match, affairs=renewed)
        case LineContinued(to=to):
            return _continue_from(match, event, to, recall)
        case DisputeRaised(on=on, seat=seat):
            disputes = (*affairs.disputes, Dispute(event.version, on, seat))
            return change(match, affairs=change(affairs, disputes=disputes))
        case VerdictGiven():
            return _apply_verdict(match, event, recall)
        case _:
            assert_never(event)


def _apply_facts(match: AnyMatch, facts: tuple[Any, ...]) -> AnyMatch:
    game, position = match.rules, fold(match.rules, match.position, facts)
    return msgspec.structs.replace(
        match, position=position, result=game.result(position), proposal=None
    )


def _proposal_after_answer(proposal: Proposal | None, seat: str, yes: bool) -> Proposal | None:
    """Return what is left of a proposal after an answer; None if it is settled."""
    assert proposal is not None
    awaiting = tuple(other for other in proposal.awaiting if other != seat)
    # The referee's consent is enough, unless it is one of several that are required.
    enough = seat == REFEREE and REFEREE not in proposal.awaiting
    if not yes or not awaiting or enough:
        return None
    return msgspec.structs.replace(proposal, awaiting=awaiting)


def _continue_from(
    match: AnyMatch, event: LineContinued | VerdictGiven[Any], to: int, recall: Recall
) -> AnyMatch:
    stood = recall(to)
    jumps = (*match.affairs.jumps, LineJump(event.version, to))
    return msgspec.structs.replace(
        match,
        position=stood.position,
        result=match.rules.result(stood.position),
        proposal=None,
        clocks=stood.clocks and recalled(stood.clocks, event.at),
        affairs=msgspec.structs.replace(match.affairs, jumps=jumps),
    )


def _apply_verdict(match: AnyMatch, event: VerdictGiven[Any], recall: Recall) -> AnyMatch:
    affairs = match.affairs
    disputes = tuple(each for each in affairs.disputes if each.number != event.dispute)
    match = msgspec.structs.replace(
        match, affairs=msgspec.structs.replace(affairs, disputes=disputes)
    )
    match event.verdict:
        case "upheld":
            return match
        case "reverted":
            assert event.to is not None
            return _continue_from(match, event, event.to, recall)
        case "corrected":
            game, position = match.rules, fold(match.rules, match.position, event.facts)
            # A result that the players made, and not the position, outlives a correction.
            players_result = match.result if match.is_ended_by_players else None
            return msgspec.structs.replace(
                match,
                position=position,
                result=game.result(position) or players_result,
                proposal=None,
            )
        case _:
            assert_never(event.verdict)
