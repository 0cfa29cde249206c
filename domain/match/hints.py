"""Hints: help for a seat, which the terms of the match must allow, and which is recorded."""

from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.events import HintGiven
from domain.match.ledger import MatchLedger, match_over_rejection, pause_rejection
from domain.match.state import AnyMatch


def give_hint(
    match: AnyMatch, seat: str, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Record that a seat receives a hint, if the terms allow it and the seat has a prompt."""
    if match.terms.help != "hints":
        return Rejection("HELP_FORBIDDEN", "the terms of this match allow no hints")
    if match.result is not None:
        return match_over_rejection(match)
    if (denied := pause_rejection(match)) is not None:
        return denied
    if not any(prompt.seat == seat and not prompt.is_chance for prompt in match.prompts):
        return Rejection("SEAT_NOT_AWAITED", f"{seat} has no prompt that a hint could help with")
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(HintGiven, seat=seat)
    return ledger.changeset()
