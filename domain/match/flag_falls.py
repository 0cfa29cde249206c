"""When a clock has run out, and what follows; and the time that is nobody's, since the service was
away."""

from datetime import datetime
from typing import Any

from domain.log.ledger import Decided, Denied
from domain.log.origin import Stamp
from domain.match.clocks import FlagDue, flag_due, lows_due, stops_while_away
from domain.match.events import ClocksHeld, TimeRanOut
from domain.match.ledger import MatchLedger, Seeds, over
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch


def next_flag(match: AnyMatch) -> FlagDue | None:
    """The clock that runs out first if nothing happens; None if none runs."""
    return flag_due(match.clocks, match.clock_terms)


def due(match: AnyMatch) -> datetime | None:
    """When time alone brings something about: the first clock runs out, or the match has waited for
    its players for as long as it was to. None if nothing is due."""
    if match.expires is not None:
        return match.expires
    flag = next_flag(match)
    return flag.at if flag else None


def low_clocks(match: AnyMatch) -> tuple[FlagDue, ...]:
    """The clocks that will be low if nothing happens, and when."""
    return lows_due(match.clocks, match.clock_terms)


def run_out(
    match: AnyMatch, seat: str, stamp: Stamp, seeds: Seeds = no_seeds
) -> Decided[AnyMatch] | Denied:
    """Record that a seat has no time left. With two seats the other has won; with more the rest
    play on, in a game that knows how, and the seat is out.

    Where there are no clocks it is taken as told: a transcript knows of no times.
    """
    if match.result is not None:
        return over(match)
    if match.terms.timed:
        flag = next_flag(match)
        if flag is None or flag.seat != seat or flag.at > stamp.at:
            return Denied("TIME_LEFT", f"{seat} has time left")
    forfeit = match.rules.forfeit
    followed: dict[str, tuple[Any, ...]] = {}
    if forfeit is not None and len(match.seats) > 2 and seat not in match.out:
        gone = forfeit(match.position, seat)
        followed = {"facts": gone.facts, "rulings": gone.rulings}
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(TimeRanOut, seat=seat, **followed)
    ledger.settle(seeds)
    return ledger.decided()


def hold_clocks(match: AnyMatch, since: datetime, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Give back the time since the service went away."""
    if not stops_while_away(match.clocks, match.clock_terms):
        return Denied("NO_CLOCK_RUNS", "no clock runs that stops while the service is away")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(ClocksHeld, since=since)
    return ledger.decided()
