"""Applying events to a match.

`evolve` applies what happened and never consults a rule. Where an event returns the match to
another version, the caller brings the match at that version.
"""

from collections.abc import Callable, Iterable
from typing import Any, assert_never

import msgspec

from domain.kernel.any_game import fold, read_options, read_stored_position
from domain.kernel.game import REFEREE, Result
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.match.clocks import Clocks, deduct_elapsed, restore_clocks, start_clocks, switch_clocks
from domain.match.details import (
    Dispute,
    LineJump,
    MatchDetails,
    Proposal,
    RetiredSeed,
    Terms,
    apply_seating,
)
from domain.match.events import (
    ActionEffects,
    ActionTaken,
    AdministrativeEvent,
    DisputeRaised,
    DowntimeCredited,
    DrawAnswered,
    DrawOffered,
    FlagFell,
    FoldInput,
    HintGiven,
    InviteCreated,
    InviteRevoked,
    LineContinued,
    MatchCancelled,
    MatchCreated,
    MatchStarted,
    MatchUpdated,
    PlayerResigned,
    RefereeInvited,
    RefereeSeated,
    SeatClaimed,
    SeatLeft,
    SeedRevealed,
    SeedRotated,
    UndoAnswered,
    UndoRequested,
    VerdictGiven,
)
from domain.match.state import AnyMatch, Match, opponents
from domain.registry import GAMES

VersionLookup = Callable[[int], AnyMatch]
"""A function that returns the match after the event of this number."""


def no_earlier_versions(version: int) -> AnyMatch:
    """Raise LookupError: a version lookup for logs without undo."""
    raise LookupError(f"the match at version {version} is not available")


def replay(
    match: AnyMatch | None,
    events: Iterable[FoldInput],
    version_lookup: VersionLookup = no_earlier_versions,
    library: Library = BUILT_IN_PACKS,
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
        return stood[version] if version in stood else version_lookup(version)

    for sealed in events:
        match = evolve(match, sealed, remember, library)
        stood[match.version] = match
    return match


def evolve(
    match: AnyMatch | None,
    sealed: FoldInput,
    version_lookup: VersionLookup = no_earlier_versions,
    library: Library = BUILT_IN_PACKS,
) -> AnyMatch:
    """Return the match after one event; the arguments are those of `replay`."""
    event, digest = sealed.event, sealed.digest
    if isinstance(event, MatchCreated):
        return _create_match(event, digest, library)
    assert match is not None
    assert event.version == match.version + 1
    if isinstance(event, ActionTaken | ActionEffects):
        after = _apply_action(match, event, digest)
    else:
        after = _apply_event(match, event, digest, version_lookup)
    return after if after.clocks is None else _advance_clocks(after, after.clocks, event)


def _advance_clocks(
    match: AnyMatch,
    clocks: Clocks,
    event: AdministrativeEvent | ActionTaken[Any, Any] | ActionEffects[Any],
) -> AnyMatch:
    """Return the match with its clocks after an event.

    Clocks that an undo has restored already stand at the time of the event.
    """
    terms = match.time_controls
    away = event.since if isinstance(event, DowntimeCredited) else None
    clocks = deduct_elapsed(clocks, terms, event.at, away)
    acted = isinstance(event, ActionTaken | ActionEffects) and event.draw is None
    actor = getattr(event, "seat", "") if acted else ""
    clocks = switch_clocks(clocks, terms, match.turn, actor, paused=match.pause is not None)
    return msgspec.structs.replace(match, clocks=clocks)


def _create_match(event: MatchCreated, digest: str, library: Library) -> AnyMatch:
    game = GAMES[event.game]
    options = read_options(game, event.options, library)
    position = read_stored_position(game, event.start, options)
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
        details=MatchDetails(
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
    return _advance_clocks(match, start_clocks(match.time_controls, event.at), event)


def _apply_action(
    match: AnyMatch, event: ActionTaken[Any, Any] | ActionEffects[Any], digest: str
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
        match.details,
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
    event: AdministrativeEvent,
    digest: str,
    version_lookup: VersionLookup,
) -> AnyMatch:
    details, change = match.details, msgspec.structs.replace
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
            changed = change(details, updated=event.version)
            return change(match, title=title, terms=terms, details=changed)
        case MatchCancelled():
            return change(match, details=change(details, cancelled=True))
        case (
            SeatClaimed()
            | SeatLeft()
            | MatchStarted()
            | InviteCreated()
            | InviteRevoked()
            | RefereeInvited()
            | RefereeSeated()
        ):
            draw = event.draw if isinstance(event, MatchStarted) else None
            draws = match.draws if draw is None else draw
            return change(match, details=apply_seating(details, event), draws=draws)
        case PlayerResigned(facts=facts) | FlagFell(facts=facts) if facts:
            return _apply_facts(match, facts)
        case PlayerResigned(seat=seat) | FlagFell(seat=seat):
            winners = tuple(other for other in match.seats if other != seat)
            reason = "resign" if isinstance(event, PlayerResigned) else "time"
            result = Result(winners, reason, f"{'+'.join(winners)}:{reason}")
            return change(match, result=result, proposal=None)
        case DowntimeCredited():
            return match
        case HintGiven(seat=seat):
            return change(match, hints=match.hints | {seat: match.hints.get(seat, 0) + 1})
        case DrawOffered(seat=seat) | UndoRequested(seat=seat):
            pending = Proposal(seat, opponents(match, seat), version=event.version)
            if isinstance(event, UndoRequested):
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
        case SeedRotated(run=run, commitment=promised):
            unrevealed = (*details.renewed, RetiredSeed(details.run, details.commitment))
            renewed = change(details, run=run, commitment=promised, renewed=unrevealed)
            return change(match, details=renewed)
        case SeedRevealed(following=following):
            next_epoch = details.epoch + 1
            renewed = change(details, epoch=next_epoch, commitment=following, renewed=())
            return change(match, details=renewed)
        case LineContinued(to=to):
            return _continue_from(match, event, to, version_lookup)
        case DisputeRaised(on=on, seat=seat):
            disputes = (*details.disputes, Dispute(event.version, on, seat))
            return change(match, details=change(details, disputes=disputes))
        case VerdictGiven():
            return _apply_verdict(match, event, version_lookup)
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
    match: AnyMatch,
    event: LineContinued | VerdictGiven[Any],
    to: int,
    version_lookup: VersionLookup,
) -> AnyMatch:
    stood = version_lookup(to)
    jumps = (*match.details.jumps, LineJump(event.version, to))
    return msgspec.structs.replace(
        match,
        position=stood.position,
        result=match.rules.result(stood.position),
        proposal=None,
        clocks=stood.clocks and restore_clocks(stood.clocks, event.at),
        details=msgspec.structs.replace(match.details, jumps=jumps),
    )


def _apply_verdict(
    match: AnyMatch, event: VerdictGiven[Any], version_lookup: VersionLookup
) -> AnyMatch:
    details = match.details
    disputes = tuple(each for each in details.disputes if each.number != event.dispute)
    match = msgspec.structs.replace(
        match, details=msgspec.structs.replace(details, disputes=disputes)
    )
    match event.verdict:
        case "upheld":
            return match
        case "reverted":
            assert event.to is not None
            return _continue_from(match, event, event.to, version_lookup)
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
