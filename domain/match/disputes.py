"""Disputes about events, and the referee's verdicts."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.kernel.notation_error import NotationError
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.events import DisputeRaised, Event, VerdictGiven, VerdictKind
from domain.match.fold import VersionLookup, no_earlier_versions
from domain.match.ledger import MatchLedger, SeedSource, pause_rejection
from domain.match.playable_positions import is_playable
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch
from domain.match.undo import continuation_rejection, crosses_chance, disclosed_versions

MAX_REASON_LENGTH: Final = 1000
"""The most characters that the reason of a dispute or a verdict may have."""
MAX_OPEN_DISPUTES: Final = 20
"""The most disputes of one seat that may wait for a verdict."""


def raise_dispute(
    match: AnyMatch, seat: str, on: int, reason: str, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Dispute an event of the match, whether it is on the line, undone, or a verdict."""
    if match.waiting and (rejection := pause_rejection(match)) is not None:
        return rejection
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
    """The words of a referee's verdict on a dispute, whatever its kind."""

    dispute: int
    reason: str
    rules: tuple[str, ...] = ()
    """The IDs of the rules that the verdict rests on."""


def uphold(
    match: AnyMatch,
    verdict: Verdict,
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch] | Rejection:
    """Uphold the disputed event, and make the chance entries that the pause held back."""
    ledger = MatchLedger(match, match.id, command_context)
    return _resolve(ledger, verdict, seeds, "upheld")


def revert(
    match: AnyMatch,
    verdict: Verdict,
    to: int,
    command_context: CommandContext,
    version_lookup: VersionLookup,
    seeds: SeedSource = no_seeds,
    moved: Sequence[Event] = (),
) -> Changeset[AnyMatch] | Rejection:
    """Continue the line from version `to`, and draw the chance entries due there afresh.

    Args:
        match: The match.
        verdict: The words of the verdict.
        to: The version to continue from.
        command_context: The context of the command.
        version_lookup: Returns the match at a version.
        seeds: The source of seeds.
        moved: The events in `lines.moved_ranges`.
    """
    if not 1 <= to < match.version:
        return Rejection(
            "VERSION_OUT_OF_RANGE", f"a verdict goes to a version from 1 to {match.version - 1}"
        )
    if crosses_chance(match, moved):
        return Rejection(
            "CONSENT_REQUIRED",
            "this would redraw what was drawn or revealed since: request an undo, to which the"
            " players consent, or correct the position",
        )
    if (denied := continuation_rejection(version_lookup(to))) is not None:
        return denied
    ledger = MatchLedger(match, match.id, command_context, version_lookup)
    rolled, revealed = disclosed_versions(match, moved)
    shown = {"rolled": rolled, "revealed": revealed}
    return _resolve(ledger, verdict, seeds, "reverted", to=to, **shown)


def correct(
    match: AnyMatch,
    verdict: Verdict,
    facts: tuple[Any, ...],
    command_context: CommandContext,
    seeds: SeedSource = no_seeds,
) -> Changeset[AnyMatch] | Rejection:
    """Replace the position by applying facts, which are of the game's own types."""
    if (problem := _correction_error(match, facts)) is not None:
        return Rejection("FACTS_IMPOSSIBLE", problem)
    ledger = MatchLedger(match, match.id, command_context, no_earlier_versions)
    return _resolve(ledger, verdict, seeds, "corrected", facts=facts)


def _resolve(
    ledger: MatchLedger, verdict: Verdict, seeds: SeedSource, kind: VerdictKind, **fields: Any
) -> Changeset[AnyMatch] | Rejection:
    match, dispute, rules = ledger.state, verdict.dispute, verdict.rules
    if all(each.number != dispute for each in match.details.disputes):
        return Rejection("DISPUTE_NOT_OPEN", f"no dispute {dispute} is open in this match")
    unknown = _unknown_rule(match.rules, rules)
    if unknown:
        return Rejection("RULE_NOT_FOUND", f"{match.rules.name} has no rule {unknown}")
    ledger.record(
        VerdictGiven, dispute=dispute, verdict=kind, reason=verdict.reason, rules=rules, **fields
    )
    if None in (match.result, ledger.state.result):
        ledger.settle(seeds)
    return ledger.changeset()


def _unknown_rule(game: AnyGame, rules: tuple[str, ...]) -> str:
    return next((rule for rule in rules if rule not in game.rules), "")


def _correction_error(match: AnyMatch, facts: tuple[Any, ...]) -> str | None:
    """Return why these facts give no position that can be stored and played on, or None."""
    game, position = match.rules, match.position
    if not facts:
        return "a correction has at least one fact"
    for number, fact in enumerate(facts, 1):
        try:
            position = game.evolve(position, fact)
        except Exception:  # facts that do not fit may make a game raise anything
            kind = type(fact).__struct_config__.tag
            return f"fact {number} ({kind}) does not fit the position before it"
    try:
        is_whole = is_playable(game, match.options, position)
    except NotationError as error:
        return f"these facts do not give a position of {game.name}: {error}"
    except Exception:  # as above
        is_whole = False
    if not is_whole:
        return f"these facts do not give a position of {game.name}"
    if match.is_ended_by_players and game.result(position) is not None:
        # Later corrections could not know any more that the players had ended the match.
        return "the players had ended the match: a correction cannot end it in another way"
    return None
