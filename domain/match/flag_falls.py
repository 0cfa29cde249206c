"""Flag falls and their consequences, and the credit for downtime of the service."""

from datetime import datetime
from typing import Any

from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.clocks import (
    FlagFall,
    due_low_time_warnings,
    first_flag_fall,
    is_paused_by_downtime,
)
from domain.match.events import DowntimeCredited, FlagFell
from domain.match.ledger import MatchLedger, SeedSource, match_over_rejection
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch


def next_flag_fall(match: AnyMatch) -> FlagFall | None:
    """Return the flag fall that comes first if nothing happens; None if no clock runs."""
    return first_flag_fall(match.clocks, match.time_controls)


def next_deadline(match: AnyMatch) -> datetime | None:
    """Return when time alone changes the match, or None.

    It is the first flag fall, or the end of the time that the match waits for its players.
    """
    if match.expires is not None:
        return match.expires
    flag = next_flag_fall(match)
    return flag.at if flag else None


def low_time_warnings(match: AnyMatch) -> tuple[FlagFall, ...]:
    """Return when each clock becomes low if nothing happens."""
    return due_low_time_warnings(match.clocks, match.time_controls)


def record_flag_fall(
    match: AnyMatch, seat: str, command_context: CommandContext, seeds: SeedSource = no_seeds
) -> Changeset[AnyMatch] | Rejection:
    """Record that a seat's flag fell.

    With two seats the other wins. With more, a game that supports it continues without the
    seat. A match without clocks accepts any flag fall, since a transcript has no times.
    """
    if match.result is not None:
        return match_over_rejection(match)
    if match.terms.has_clocks:
        flag = next_flag_fall(match)
        if flag is None or flag.seat != seat or flag.at > command_context.at:
            return Rejection("TIME_LEFT", f"{seat} has time left")
    forfeit = match.rules.forfeit
    consequences: dict[str, tuple[Any, ...]] = {}
    if forfeit is not None and len(match.seats) > 2 and seat not in match.out:
        forfeited = forfeit(match.position, seat)
        consequences = {"facts": forfeited.facts, "rulings": forfeited.rulings}
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(FlagFell, seat=seat, **consequences)
    ledger.settle(seeds)
    return ledger.changeset()


def credit_downtime(
    match: AnyMatch, since: datetime, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Credit the time since the service went down to the clocks."""
    if not is_paused_by_downtime(match.clocks, match.time_controls):
        return Rejection("NO_CLOCK_RUNS", "no clock is running that stops during downtime")
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(DowntimeCredited, since=since)
    return ledger.changeset()
