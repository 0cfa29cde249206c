"""Hints: help for a seat, which the terms of the match must allow, and which is recorded."""

from domain.log.ledger import Decided, Denied
from domain.log.origin import Stamp
from domain.match.events import HintGiven
from domain.match.ledger import MatchLedger, over, paused
from domain.match.state import AnyMatch


def give_hint(match: AnyMatch, seat: str, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Record that a seat receives a hint, if the terms allow it and the seat has a prompt."""
    if match.terms.help != "hints":
        return Denied("HELP_FORBIDDEN", "the terms of this match allow no hints")
    if match.result is not None:
        return over(match)
    if (denied := paused(match)) is not None:
        return denied
    if not any(prompt.seat == seat and not prompt.is_chance for prompt in match.prompts):
        return Denied("SEAT_NOT_AWAITED", f"{seat} has no prompt that a hint could help with")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(HintGiven, seat=seat)
    return ledger.decided()
