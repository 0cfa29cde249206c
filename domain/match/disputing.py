"""Questions raised on events, and the referee's verdicts."""

from typing import Any

from domain.kernel.game import AnyGame, fold
from domain.kernel.text import NotationError
from domain.match.commands import Decided, Denied, Ledger, Stamp
from domain.match.events import DisputeRaised, VerdictGiven
from domain.match.state import AnyMatch, Recall

LONGEST_REASON = 1000
"""Characters in the reason of a dispute or a verdict, at most."""


def raise_dispute(
    match: AnyMatch, seat: str, on: int, reason: str, stamp: Stamp
) -> Decided | Denied:
    """Question an event of the match."""
    if not 1 <= on <= match.version:
        return Denied("VERSION_UNKNOWN", f"the match has events 1 to {match.version}, not {on}")
    ledger = Ledger(match, match.id, stamp)
    ledger.record(DisputeRaised, seat=seat, on=on, reason=reason)
    return ledger.decided()


def uphold(
    match: AnyMatch, dispute: int, reason: str, rules: tuple[str, ...], stamp: Stamp
) -> Decided | Denied:
    """The event stands."""
    return _give(match, dispute, stamp, None, verdict="upheld", reason=reason, rules=rules)


def revert(
    match: AnyMatch,
    dispute: int,
    reason: str,
    rules: tuple[str, ...],
    to: int,
    stamp: Stamp,
    recall: Recall,
) -> Decided | Denied:
    """The line goes on from version `to`."""
    if not 1 <= to < match.version:
        return Denied(
            "VERSION_UNKNOWN", f"a verdict goes to a version from 1 to {match.version - 1}"
        )
    return _give(
        match, dispute, stamp, recall, verdict="reverted", reason=reason, rules=rules, to=to
    )


def correct(
    match: AnyMatch,
    dispute: int,
    reason: str,
    rules: tuple[str, ...],
    facts: tuple[Any, ...],
    stamp: Stamp,
) -> Decided | Denied:
    """The position becomes what the facts say, which are of the game's own types."""
    game = match.rules
    try:
        text = game.write_position(fold(game, match.position, facts))
        game.read_position(text, match.options)
    except (NotationError, LookupError, ValueError, AssertionError, TypeError) as error:
        return Denied("FACTS_IMPOSSIBLE", f"these facts make no position of {game.name}: {error}")
    return _give(
        match, dispute, stamp, None, verdict="corrected", reason=reason, rules=rules, facts=facts
    )


def _give(
    match: AnyMatch, dispute: int, stamp: Stamp, recall: Recall | None, **fields: Any
) -> Decided | Denied:
    if all(each.number != dispute for each in match.affairs.disputes):
        return Denied("NO_DISPUTE", f"no dispute {dispute} is open in this match")
    unknown = _unknown(match.rules, fields["rules"])
    if unknown:
        return Denied("RULE_UNKNOWN", f"{match.rules.name} has no rule {unknown}")
    ledger = Ledger(match, match.id, stamp, *([recall] if recall else []))
    ledger.record(VerdictGiven, dispute=dispute, **fields)
    return ledger.decided()


def _unknown(game: AnyGame, rules: tuple[str, ...]) -> str:
    return next((rule for rule in rules if rule not in game.rules), "")
