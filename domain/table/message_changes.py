"""How taps and signs of devices change a table.

Taps carry the hand that they left, so that folding them applies what happened and asks no rule.
"""

from typing import assert_never

from msgspec.structs import replace

from domain.table.codes import CONFIRM
from domain.table.events import BoardCorrected, ScanTaken, StylusStatusReported, TapTaken
from domain.table.gateway_changes import count_message
from domain.table.state import (
    MAX_SKIPPED_ENTRIES,
    MAX_TAPS_PER_ACTION,
    SELECTION_TIMEOUT,
    SkippedEntry,
    Stylus,
    Table,
)
from domain.table.stylus_changes import with_stylus, without_selection

MessageEvent = TapTaken | ScanTaken | StylusStatusReported


def apply_message_event(table: Table, event: MessageEvent) -> Table:
    """The table after a message of one of its devices."""
    table = count_message(table, event)
    match event:
        case ScanTaken():
            return _tapped(table, event)
        case TapTaken():
            return _left_out(_tapped(table, event), event)
        case StylusStatusReported():
            return table if event.stray else _noticed(table, event)
        case unreachable:
            assert_never(unreachable)


def apply_board_correction(table: Table, event: BoardCorrected) -> Table:
    """Return the table with the selection that a correction of an earlier version left."""
    stylus = table.styluses[event.stylus]
    selected = replace(
        stylus,
        hand=event.hand,
        order=None,
        era=event.era,
        seen=event.match_version,
        taps=stylus.taps if event.hand.scanned else (),
    )
    return with_stylus(table, event.stylus, selected)


def _tapped(table: Table, event: TapTaken) -> Table:
    if event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    hand = event.hand
    selected = hand.picked or hand.digits or hand.chosen or hand.scanned or event.order
    counts = event.outcome in ("done", "refused")
    taps = (*stylus.taps, event.version)[-MAX_TAPS_PER_ACTION:] if counts else stylus.taps
    moved = replace(
        stylus,
        hand=hand,
        order=event.order,
        era=event.era,
        seen=event.after,
        taps=taps if selected else (),
    )
    return with_stylus(table, event.stylus, moved)


def _left_out(table: Table, event: TapTaken) -> Table:
    """What was tapped offline and did nothing is remembered, until something is tapped online."""
    stylus = table.styluses.get(event.stylus)
    if stylus is None or event.outcome == "unknown-stylus":
        return table
    if not event.offline:
        if not stylus.left:
            return table  # as most often
        return with_stylus(table, event.stylus, replace(stylus, left=()))
    if event.outcome in ("done", "acted"):
        return table
    left = SkippedEntry(
        event.seq, event.device_ms, event.target or event.code, event.rule, event.why
    )
    more = replace(stylus, left=_bounded((*stylus.left, left)))
    return with_stylus(table, event.stylus, more)


def _bounded(left: tuple[SkippedEntry, ...]) -> tuple[SkippedEntry, ...]:
    """Return at most `MOST_LEFT` of these taps: without the oldest that is no Confirm, or else
    without the oldest."""
    if len(left) <= MAX_SKIPPED_ENTRIES:
        return left
    out = next((at for at, each in enumerate(left) if each.target != CONFIRM), 0)
    return (*left[:out], *left[out + 1 :])


def _noticed(table: Table, event: StylusStatusReported) -> Table:
    if event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    match event.sign:
        case "lost":
            stylus = replace(stylus, lost=stylus.lost or event.at)
        case "heard" | "on":
            late = stylus.lost is not None and event.at - stylus.lost > SELECTION_TIMEOUT
            stylus = replace(without_selection(stylus) if late else stylus, lost=None)
        case "off":
            stylus = replace(without_selection(stylus), lost=event.at)
        case "reset":
            stylus = Stylus()
        case "battery":
            stylus = replace(stylus, battery=event.percent)
        case unreachable:
            assert_never(unreachable)
    return with_stylus(table, event.stylus, stylus)
