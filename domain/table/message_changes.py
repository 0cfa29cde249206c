"""The fold of taps and status reports.

A tap's event has the selection after the tap, so folding applies it and does not ask the rules.
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
    """Return the table after a message of one of its devices."""
    table = count_message(table, event)
    match event:
        case ScanTaken():
            return _with_selection(table, event)
        case TapTaken():
            return _with_skipped_entries(_with_selection(table, event), event)
        case StylusStatusReported():
            return table if event.stray else _with_status(table, event)
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


def _with_selection(table: Table, event: TapTaken) -> Table:
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


def _with_skipped_entries(table: Table, event: TapTaken) -> Table:
    """Return the table with the list of skipped offline taps updated. Online taps clear it."""
    stylus = table.styluses.get(event.stylus)
    if stylus is None or event.outcome == "unknown-stylus":
        return table
    if not event.offline:
        if not stylus.left:
            return table
        return with_stylus(table, event.stylus, replace(stylus, left=()))
    if event.outcome in ("done", "acted"):
        return table
    left = SkippedEntry(
        event.seq, event.device_ms, event.target or event.code, event.rule, event.why
    )
    more = replace(stylus, left=_bounded((*stylus.left, left)))
    return with_stylus(table, event.stylus, more)


def _bounded(left: tuple[SkippedEntry, ...]) -> tuple[SkippedEntry, ...]:
    """Return at most `MAX_SKIPPED_ENTRIES` of these entries.

    The oldest entry that is no Confirm is dropped first, since each Confirm stands for an action.
    """
    if len(left) <= MAX_SKIPPED_ENTRIES:
        return left
    out = next((at for at, each in enumerate(left) if each.target != CONFIRM), 0)
    return (*left[:out], *left[out + 1 :])


def _with_status(table: Table, event: StylusStatusReported) -> Table:
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
