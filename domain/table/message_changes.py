"""How taps, scans and signs of devices change a table.

Taps carry the hand that they left, so that folding them applies what happened and asks no rule.
"""

from typing import assert_never

from msgspec.structs import replace

from domain.table.events import ScanTaken, SignNoticed, TapTaken
from domain.table.gateway_changes import counted
from domain.table.state import KEPT, NAMED_TAPS, Stylus, Table
from domain.table.stylus_changes import let_go, with_stylus

MessageEvent = TapTaken | ScanTaken | SignNoticed


def message_changed(table: Table, event: MessageEvent) -> Table:
    """The table after a message of one of its devices."""
    table = counted(table, event)
    match event:
        case ScanTaken():
            return _tapped(_scanned(table, event), event)
        case TapTaken():
            return _tapped(table, event)
        case SignNoticed():
            return table if event.stray else _noticed(table, event)
        case unreachable:
            assert_never(unreachable)


def _scanned(table: Table, event: ScanTaken) -> Table:
    """The board as it stands after a scan of the gateway that it is paired with."""
    if event.outcome == "unknown-stylus" or event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    board = event.spaces if event.whole else {**stylus.board, **event.spaces}
    before = stylus.touched if event.era == stylus.era else ()
    moved = {space for space in board if board[space] != stylus.board.get(space, ())}
    touched = () if event.agrees else tuple(sorted({*before, *moved}))
    seen = replace(stylus, board=board, touched=touched, offered=event.offered)
    return with_stylus(table, event.stylus, seen)


def _tapped(table: Table, event: TapTaken) -> Table:
    if event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    hand = event.hand
    selected = hand.picked or hand.digits or hand.chosen or hand.scanned or event.order
    counts = event.outcome in ("done", "refused")
    taps = (*stylus.taps, event.version)[-NAMED_TAPS:] if counts else stylus.taps
    moved = replace(
        stylus,
        hand=hand,
        order=event.order,
        era=event.era,
        seen=event.after,
        taps=taps if selected else (),
        touched=() if event.outcome == "acted" else stylus.touched,
    )
    return with_stylus(table, event.stylus, moved)


def _noticed(table: Table, event: SignNoticed) -> Table:
    if event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    match event.sign:
        case "lost":
            stylus = replace(stylus, lost=stylus.lost or event.at)
        case "heard" | "on":
            late = stylus.lost is not None and event.at - stylus.lost > KEPT
            stylus = replace(let_go(stylus) if late else stylus, lost=None)
        case "off":
            stylus = replace(let_go(stylus), lost=event.at)
        case "reset":
            stylus = Stylus()
        case "battery":
            stylus = replace(stylus, battery=event.percent)
        case unreachable:
            assert_never(unreachable)
    return with_stylus(table, event.stylus, stylus)
