"""Do the taps that an action names bear it out? For whoever has both, and no table."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from domain.log.origin import Taps
from domain.match.clocks import MS, truncate_to_ms
from domain.match.events import Event, SeatEvent
from domain.table.codes import CONFIRM
from domain.table.events import TapTaken


def tapped_event(event: Event) -> SeatEvent | None:
    """The event itself, if it came of taps that it names."""
    if isinstance(event, SeatEvent) and event.source.taps is not None:
        return event
    return None


def tap_evidence_faults(
    event: SeatEvent, taps: Sequence[TapTaken], previous: datetime
) -> Iterator[str]:
    """What speaks against these being the taps that asked for an action, in words.

    They are those that it names, in its order, and none is missing. The last of them and the action
    were recorded together, so that each tells the other's number and both the same time, as far as
    the match has it: in whole milliseconds where there are clocks, and never before `previous`, the
    time of the event before.
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
        yield from _stray(event, named, tap)
    for tap in before:
        if tap.outcome not in ("done", "refused"):
            yield f"tap {tap.version} selected nothing: its outcome was {tap.outcome}"
    if last.outcome != "acted" or last.target != CONFIRM:
        yield f"tap {last.version} is not the Confirm that completed it"
    elif not _together(event, last, previous):
        yield f"tap {last.version} completed another action, after version {last.match_version}"


def _stray(event: SeatEvent, named: Taps, tap: TapTaken) -> Iterator[str]:
    if tap.match != event.match:
        yield f"tap {tap.version} was for match {tap.match}"
    if (tap.gateway, tap.stylus) != (named.gateway, named.stylus):
        yield f"tap {tap.version} is of stylus {tap.stylus} at gateway {tap.gateway}"


def _together(event: SeatEvent, last: TapTaken, previous: datetime) -> bool:
    """Were an action and the tap that completed it recorded at once?"""
    at = max(last.at, previous)  # as another service had it, whose clock was ahead
    whole = truncate_to_ms(at)
    # The first event of a match has no time of its clocks: the next is not before it.
    moments = (last.at, at, whole if whole >= previous else whole + MS)
    return (
        last.match_version + 1 == event.version
        and last.after >= event.version
        and event.at in moments
        and event.request == f"{last.gateway}/{last.epoch}/{last.seq}"
    )
