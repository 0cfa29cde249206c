"""Flag falls and their consequences, and the credit for downtime of the service."""

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
    """Return the flag fall that comes first if nothing happens; None if no clock runs."""
    return flag_due(match.clocks, match.clock_terms)


def due(match: AnyMatch) -> datetime | None:
    """Return when time alone changes the match, or None.

    It is the first flag fall, or the end of the time that the match waits for its players.
    """
    if match.expires is not None:
        return match.expires
    flag = next_flag(match)
    return flag.at if flag else None


def low_clocks(match: AnyMatch) -> tuple[FlagDue, ...]:
    """Return when each clock becomes low if nothing happens."""
    return lows_due(match.clocks, match.clock_terms)


def run_out(
    match: AnyMatch, seat: str, stamp: Stamp, seeds: Seeds = no_seeds
) -> Decided[AnyMatch] | Denied:
    """Record that a seat's flag fell.

    With two seats the other wins. With more, a game that supports it continues without the
    seat. A match without clocks accepts any flag fall, since a transcript has no times.
    """
    if match.result is not None:
        return over(match)
    if match.terms.has_clocks:
        flag = next_flag(match)
        if flag is None or flag.seat != seat or flag.at > stamp.at:
            return Denied("TIME_LEFT", f"{seat} has time left")
    forfeit = match.rules.forfeit
    consequences: dict[str, tuple[Any, ...]] = {}
    if forfeit is not None and len(match.seats) > 2 and seat not in match.out:
        forfeited = forfeit(match.position, seat)
        consequences = {"facts": forfeited.facts, "rulings": forfeited.rulings}
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(TimeRanOut, seat=seat, **consequences)
    ledger.settle(seeds)
    return ledger.decided()


def hold_clocks(match: AnyMatch, since: datetime, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Credit the time since the service went down to the clocks."""
    if not stops_while_away(match.clocks, match.clock_terms):
        return Denied("NO_CLOCK_RUNS", "no clock is running that stops during downtime")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(ClocksHeld, since=since)
    return ledger.decided()
