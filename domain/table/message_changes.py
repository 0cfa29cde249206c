"""How taps, scans and signs of devices change a table.

Taps carry the hand that they left, so that folding them applies what happened and asks no rule.
"""

from typing import assert_never

from msgspec.structs import replace

from domain.table.events import BoardCorrected, ScanTaken, SignNoticed, TapTaken
from domain.table.gateway_changes import counted
from domain.table.readings import shown, still_corrected
from domain.table.state import KEPT, MOST_LEFT, NAMED_TAPS, Corrected, LeftOut, Stylus, Table
from domain.table.stylus_changes import let_go, with_stylus

MessageEvent = TapTaken | ScanTaken | SignNoticed


def message_changed(table: Table, event: MessageEvent) -> Table:
    """The table after a message of one of its devices."""
    table = counted(table, event)
    match event:
        case ScanTaken():
            return _tapped(_scanned(table, event), event)
        case TapTaken():
            return _left_out(_tapped(table, event), event)
        case SignNoticed():
            return table if event.stray else _noticed(table, event)
        case unreachable:
            assert_never(unreachable)


def _scanned(table: Table, event: ScanTaken) -> Table:
    """The board as it stands after a scan of the gateway that it is paired with."""
    if event.outcome == "unknown-stylus" or event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    board = shown(stylus, event.spaces, whole=event.whole)
    corrected = still_corrected(stylus, event.spaces)
    before = stylus.touched if event.era == stylus.era else ()
    moved = {space for space in board if board[space] != stylus.board.get(space, ())}
    touched = () if event.agrees else tuple(sorted({*before, *moved}))
    astray = 0 if event.agrees else stylus.astray
    seen = replace(stylus, board=board, corrected=corrected, touched=touched, astray=astray)
    return with_stylus(table, event.stylus, replace(seen, offered=event.offered))


def board_corrected(table: Table, event: BoardCorrected) -> Table:
    """The table after somebody said what stands on one of its boards."""
    stylus = table.styluses[event.stylus]
    corrected = dict(stylus.corrected)
    for space, meant in event.spaces.items():
        held = corrected.pop(space, None)
        read = held.read if held else stylus.board.get(space, ())
        if read != meant:
            corrected[space] = Corrected(read, meant)
    board = {**stylus.board, **event.spaces}
    before = stylus.touched if event.era == stylus.era else ()
    moved = {space for space in board if board[space] != stylus.board.get(space, ())}
    touched = () if event.agrees else tuple(sorted({*before, *moved}))
    stood = replace(stylus, board=board, corrected=corrected, touched=touched, astray=0)
    taps = stylus.taps if event.hand.scanned else ()
    after = replace(stood, hand=event.hand, order=None, era=event.era, taps=taps)
    return with_stylus(table, event.stylus, replace(after, seen=event.match_version))


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


def _left_out(table: Table, event: TapTaken) -> Table:
    """What was tapped offline and did nothing is remembered, until something is tapped online."""
    stylus = table.styluses.get(event.stylus)
    if stylus is None or event.outcome == "unknown-stylus":
        return table
    if not event.offline:
        if not stylus.left and not stylus.astray:
            return table  # as most often
        return with_stylus(table, event.stylus, replace(stylus, left=(), astray=0))
    if event.outcome in ("done", "acted"):
        return table
    left = LeftOut(event.seq, event.device_ms, event.target or event.code, event.rule, event.why)
    astray = stylus.astray or (event.seq if event.astray else 0)
    more = replace(stylus, left=(*stylus.left, left)[-MOST_LEFT:], astray=astray)
    return with_stylus(table, event.stylus, more)


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
