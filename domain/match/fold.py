"""How events change a match.

`evolve` applies what happened and never consults a rule. Where an event takes the match back to
another version, the position there is not patched together but recalled: the caller folds it, or
has kept it.
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
"""The match as it stood after the event of this number."""


def no_earlier_versions(version: int) -> AnyMatch:
    """A recall for logs in which nothing is taken back."""
    raise LookupError(f"the match at version {version} is not at hand")


def replay(
    match: AnyMatch | None,
    events: Iterable[FoldInput],
    version_lookup: VersionLookup = no_earlier_versions,
    library: Library = BUILT_IN_PACKS,
) -> AnyMatch | None:
    """The match after these events, which follow it.

    The first event of a match names its content pack, which is looked up in the library.

    Where they go back to each other, nothing needs to be recalled: it is remembered on the way,
    which costs little since states share what they have in common.
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
    """The match after this event. What is recalled, and which packs there are, is as for
    `replay`."""
    event, digest = sealed.event, sealed.digest
    if isinstance(event, MatchCreated):
        return _opened(event, digest, library)
    assert match is not None
    assert event.version == match.version + 1
    if isinstance(event, ActionTaken | ActionEffects):
        after = _acted(match, event, digest)
    else:
        after = _changed(match, event, digest, version_lookup)
    return after if after.clocks is None else _timed(after, after.clocks, event)


def _timed(
    match: AnyMatch,
    clocks: Clocks,
    event: AdministrativeEvent | ActionTaken[Any, Any] | ActionEffects[Any],
) -> AnyMatch:
    """With the clocks as the event leaves them. Those that went back with the line are as they were
    then, and stand at the event's own time already."""
    terms = match.time_controls
    away = event.since if isinstance(event, DowntimeCredited) else None
    clocks = deduct_elapsed(clocks, terms, event.at, away)
    acted = isinstance(event, ActionTaken | ActionEffects) and event.draw is None
    actor = getattr(event, "seat", "") if acted else ""
    clocks = switch_clocks(clocks, terms, match.turn, actor, paused=match.pause is not None)
    return msgspec.structs.replace(match, clocks=clocks)


def _opened(event: MatchCreated, digest: str, library: Library) -> AnyMatch:
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
    if not match.terms.timed:
        return match
    return _timed(match, start_clocks(match.time_controls, event.at), event)


def _acted(
    match: AnyMatch, event: ActionTaken[Any, Any] | ActionEffects[Any], digest: str
) -> AnyMatch:
    # Written out, since this is the inner loop of every load: `replace` takes four times as long.
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


def _changed(
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
            return _went_on(match, facts)
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
            asked = Proposal(seat, opponents(match, seat), version=event.version)
            if isinstance(event, UndoRequested):
                asked = Proposal(
                    seat, event.awaiting, event.to, event.rolled, event.revealed, event.version
                )
            return change(match, proposal=asked)
        case DrawAnswered(seat=seat, accepted=yes):
            left = _answered(match.proposal, seat, yes)
            agreed = yes and left is None
            drawn = Result((), "agreement", "draw:agreement")
            return change(match, result=drawn if agreed else match.result, proposal=left)
        case UndoAnswered(seat=seat, granted=yes):
            return change(match, proposal=_answered(match.proposal, seat, yes))
        case SeedRotated(run=run, commitment=promised):
            unrevealed = (*details.renewed, RetiredSeed(details.run, details.commitment))
            renewed = change(details, run=run, commitment=promised, renewed=unrevealed)
            return change(match, details=renewed)
        case SeedRevealed(following=following):
            next_epoch = details.epoch + 1
            renewed = change(details, epoch=next_epoch, commitment=following, renewed=())
            return change(match, details=renewed)
        case LineContinued(to=to):
            return _gone_back(match, event, to, version_lookup)
        case DisputeRaised(on=on, seat=seat):
            disputes = (*details.disputes, Dispute(event.version, on, seat))
            return change(match, details=change(details, disputes=disputes))
        case VerdictGiven():
            return _judged(match, event, version_lookup)
        case _:
            assert_never(event)


def _went_on(match: AnyMatch, facts: tuple[Any, ...]) -> AnyMatch:
    game, position = match.rules, fold(match.rules, match.position, facts)
    return msgspec.structs.replace(
        match, position=position, result=game.result(position), proposal=None
    )


def _answered(proposal: Proposal | None, seat: str, yes: bool) -> Proposal | None:
    """What is left of a request after an answer; None if it is settled."""
    assert proposal is not None
    awaiting = tuple(other for other in proposal.awaiting if other != seat)
    # The referee's consent is enough, unless it is one of several that were asked for.
    enough = seat == REFEREE and REFEREE not in proposal.awaiting
    if not yes or not awaiting or enough:
        return None
    return msgspec.structs.replace(proposal, awaiting=awaiting)


def _gone_back(
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


def _judged(match: AnyMatch, event: VerdictGiven[Any], version_lookup: VersionLookup) -> AnyMatch:
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
            return _gone_back(match, event, event.to, version_lookup)
        case "corrected":
            game, position = match.rules, fold(match.rules, match.position, event.facts)
            # An end that the players made, and not the position, outlives a correction.
            made = match.result if match.is_ended_by_players else None
            return msgspec.structs.replace(
                match, position=position, result=game.result(position) or made, proposal=None
            )
        case _:
            assert_never(event.verdict)
