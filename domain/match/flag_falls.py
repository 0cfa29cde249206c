"""When a clock has run out, and what follows; and the time that is nobody's, since the service was
away."""

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
from domain.match.ledger import MatchLedger, SeedSource, match_over_refusal
from domain.match.seats import no_seeds
from domain.match.state import AnyMatch


def next_flag_fall(match: AnyMatch) -> FlagFall | None:
    """The clock that runs out first if nothing happens; None if none runs."""
    return first_flag_fall(match.clocks, match.time_controls)


def next_deadline(match: AnyMatch) -> datetime | None:
    """When time alone brings something about: the first clock runs out, or the match has waited for
    its players for as long as it was to. None if nothing is due."""
    if match.expires is not None:
        return match.expires
    flag = next_flag_fall(match)
    return flag.at if flag else None


def low_time_warnings(match: AnyMatch) -> tuple[FlagFall, ...]:
    """The clocks that will be low if nothing happens, and when."""
    return due_low_time_warnings(match.clocks, match.time_controls)


def record_flag_fall(
    match: AnyMatch, seat: str, command_context: CommandContext, seeds: SeedSource = no_seeds
) -> Changeset[AnyMatch] | Rejection:
    """Record that a seat has no time left. With two seats the other has won; with more the rest
    play on, in a game that knows how, and the seat is out.

    Where there are no clocks it is taken as told: a transcript knows of no times.
    """
    if match.result is not None:
        return match_over_refusal(match)
    if match.terms.timed:
        flag = next_flag_fall(match)
        if flag is None or flag.seat != seat or flag.at > command_context.at:
            return Rejection("TIME_LEFT", f"{seat} has time left")
    forfeit = match.rules.forfeit
    followed: dict[str, tuple[Any, ...]] = {}
    if forfeit is not None and len(match.seats) > 2 and seat not in match.out:
        gone = forfeit(match.position, seat)
        followed = {"facts": gone.facts, "rulings": gone.rulings}
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(FlagFell, seat=seat, **followed)
    ledger.settle(seeds)
    return ledger.changeset()


def credit_downtime(
    match: AnyMatch, since: datetime, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Give back the time since the service went away."""
    if not is_paused_by_downtime(match.clocks, match.time_controls):
        return Rejection("NO_CLOCK_RUNS", "no clock runs that stops while the service is away")
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(DowntimeCredited, since=since)
    return ledger.changeset()
