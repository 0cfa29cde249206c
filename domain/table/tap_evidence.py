"""The check whether recorded taps support the action that names them."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from domain.log.origin import Taps
from domain.match.clocks import MS, truncate_to_ms
from domain.match.events import Event, SeatEvent
from domain.table.codes import CONFIRM
from domain.table.events import TapTaken


def tapped_event(event: Event) -> SeatEvent | None:
    """Return the event if it names the taps that produced it, or None."""
    if isinstance(event, SeatEvent) and event.source.taps is not None:
        return event
    return None


def tap_evidence_faults(
    event: SeatEvent, taps: Sequence[TapTaken], previous: datetime
) -> Iterator[str]:
    """Yield a sentence for each contradiction between an action and the taps that it names.

    The last tap and the action are recorded together. So each has the other's version, and both
    have the same time, as far as clocks allow: the match rounds to milliseconds, and never goes
    back.

    Args:
        event: An action that came from a stylus.
        taps: All taps that the action names, in its order.
        previous: The time of the match event before the action.
    """
    named = event.source.taps
    assert named is not None
    if not taps:
        yield "it came from a stylus, and names no tap"
        return
    *before, last = taps
    if [tap.version for tap in taps] != sorted({tap.version for tap in taps}):
        yield "its taps are not in the order in which they were recorded"
    for tap in taps:
        yield from _device_mismatches(event, named, tap)
    for tap in before:
        if tap.outcome not in ("done", "refused"):
            yield f"tap {tap.version} selected nothing: its outcome was {tap.outcome}"
    if last.outcome != "acted" or last.target != CONFIRM:
        yield f"tap {last.version} is not the Confirm that completed it"
    elif not _is_recorded_together(event, last, previous):
        yield f"tap {last.version} completed another action, after version {last.match_version}"


def _device_mismatches(event: SeatEvent, named: Taps, tap: TapTaken) -> Iterator[str]:
    if tap.match != event.match:
        yield f"tap {tap.version} was for match {tap.match}"
    if (tap.gateway, tap.stylus) != (named.gateway, named.stylus):
        yield f"tap {tap.version} is of stylus {tap.stylus} at gateway {tap.gateway}"


def _is_recorded_together(event: SeatEvent, last: TapTaken, previous: datetime) -> bool:
    """Return whether an action and the tap that completed it were recorded together."""
    at = max(last.at, previous)  # a replica whose clock is ahead may have recorded `previous`
    whole = truncate_to_ms(at)
    # The first event of a match is not rounded to the clocks' milliseconds; the next follows it.
    moments = (last.at, at, whole if whole >= previous else whole + MS)
    return (
        last.match_version + 1 == event.version
        and last.after >= event.version
        and event.at in moments
        and event.request == f"{last.gateway}/{last.epoch}/{last.seq}"
    )
