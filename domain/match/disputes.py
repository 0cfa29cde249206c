"""Questions raised on events, and the referee's verdicts."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.kernel.notation_error import NotationError
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.events import DisputeRaised, Event, VerdictGiven
from domain.match.fold import VersionLookup, no_earlier_versions
from domain.match.ledger import MatchLedger, SeedSource, pause_refusal
from domain.match.playable_positions import is_playable
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch
from domain.match.undo import continuation_refusal, crosses_chance, disclosed_versions

MAX_REASON_LENGTH: Final = 1000
"""Characters in the reason of a dispute or a verdict, at most."""
MAX_OPEN_DISPUTES: Final = 20
"""Disputes of one seat that may wait for a verdict."""


def raise_dispute(
    match: AnyMatch, seat: str, on: int, reason: str, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Question an event of the match, be it of the line, undone, or a verdict."""
    if match.waiting and (waits := pause_refusal(match)) is not None:
        return waits
    if not 1 <= on <= match.version:
        return Rejection(
            "VERSION_OUT_OF_RANGE", f"the match has events 1 to {match.version}, not {on}"
        )
    own = [each for each in match.details.disputes if each.seat == seat]
    same = next((each.number for each in own if each.on == on), None)
    if same is not None:
        return Rejection(
            "DISPUTE_ALREADY_OPEN", f"dispute {same} of {seat} on event {on} is open already"
        )
    if len(own) >= MAX_OPEN_DISPUTES:
        return Rejection(
            "TOO_MANY_DISPUTES", f"{MAX_OPEN_DISPUTES} disputes of {seat} wait for a verdict"
        )
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(DisputeRaised, seat=seat, on=on, reason=reason, source=command_context.source)
    return ledger.changeset()


class Verdict(Struct, frozen=True):
    """What a referee says of a dispute, whichever way the verdict goes."""

    dispute: int
    reason: str
    rules: tuple[str, ...] = ()
    """The rule ids that it rests on."""


def uphold(
    match: AnyMatch,
    judgement: Verdict,
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch] | Rejection:
    """The event stands. Chance that was asked for while the match was paused is drawn now."""
    ledger = MatchLedger(match, match.id, command_context)
    return _give(ledger, judgement, seeds, verdict="upheld")


def revert(
    match: AnyMatch,
    judgement: Verdict,
    to: int,
    command_context: CommandContext,
    version_lookup: VersionLookup,
    seeds: SeedSource = no_seeds,
    moved: Sequence[Event] = (),
) -> Changeset[AnyMatch] | Rejection:
    """The line goes on from version `to`. Chance that is asked for there is drawn afresh. `moved`
    are the events of `lines.moved`."""
    if not 1 <= to < match.version:
        return Rejection(
            "VERSION_OUT_OF_RANGE", f"a verdict goes to a version from 1 to {match.version - 1}"
        )
    if crosses_chance(match, moved):
        return Rejection(
            "CONSENT_REQUIRED",
            "what was drawn or revealed since would be drawn afresh: ask for an undo, which the"
            " players consent to, or correct the position",
        )
    if (denied := continuation_refusal(version_lookup(to))) is not None:
        return denied
    ledger = MatchLedger(match, match.id, command_context, version_lookup)
    rolled, revealed = disclosed_versions(match, moved)
    shown = {"rolled": rolled, "revealed": revealed}
    return _give(ledger, judgement, seeds, verdict="reverted", to=to, **shown)


def correct(
    match: AnyMatch,
    judgement: Verdict,
    facts: tuple[Any, ...],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch] | Rejection:
    """The position becomes what the facts say, which are of the game's own types."""
    if (misfit := _misfit(match, facts)) is not None:
        return Rejection("FACTS_IMPOSSIBLE", misfit)
    ledger = MatchLedger(match, match.id, command_context, no_earlier_versions)
    return _give(ledger, judgement, seeds, verdict="corrected", facts=facts)


def _give(
    ledger: MatchLedger, judgement: Verdict, seeds: SeedSource, **fields: Any
) -> Changeset[AnyMatch] | Rejection:
    match, dispute, rules = ledger.state, judgement.dispute, judgement.rules
    if all(each.number != dispute for each in match.details.disputes):
        return Rejection("DISPUTE_NOT_OPEN", f"no dispute {dispute} is open in this match")
    unknown = _unknown(match.rules, rules)
    if unknown:
        return Rejection("RULE_NOT_FOUND", f"{match.rules.name} has no rule {unknown}")
    ledger.record(VerdictGiven, dispute=dispute, reason=judgement.reason, rules=rules, **fields)
    if None in (match.result, ledger.state.result):
        ledger.settle(seeds)
    return ledger.changeset()


def _unknown(game: AnyGame, rules: tuple[str, ...]) -> str:
    return next((rule for rule in rules if rule not in game.rules), "")


def _misfit(match: AnyMatch, facts: tuple[Any, ...]) -> str | None:
    """Why these facts make no position that could be played on, stored and read again."""
    game, position = match.rules, match.position
    if not facts:
        return "a correction has at least one fact"
    for number, fact in enumerate(facts, 1):
        try:
            position = game.evolve(position, fact)
        except Exception:  # facts that do not fit may bring a game to raise anything
            kind = type(fact).__struct_config__.tag
            return f"fact {number} ({kind}) does not fit what stands there before it"
    try:
        whole = is_playable(game, match.options, position)
    except NotationError as error:
        return f"these facts do not give a position of {game.name}: {error}"
    except Exception:  # as above
        whole = False
    if not whole:
        return f"these facts do not give a position of {game.name}"
    if match.is_ended_by_players and game.result(position) is not None:
        # The next correction could not tell any more that the players had ended the match.
        return "the players had ended the match: a correction cannot end it in another way"
    return None
