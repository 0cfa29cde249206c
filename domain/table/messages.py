"""What gateways send: the beginning of a run, and messages, each done exactly once.

A gateway numbers the messages of a run (an *epoch*) from 1. One that was done is not done again;
one that comes too early is asked for again with those before it. Whatever comes of a message, it
is recorded.
"""

from collections.abc import Callable
from typing import Any, Final, Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import Refused
from domain.log.ledger import Denied
from domain.log.sealed_events import Sealed
from domain.log.stamps import Stamp, Taps
from domain.match.ledger import Decided
from domain.match.state import AnyMatch
from domain.stylus.rules import in_words_of
from domain.stylus.taps import PLAY, Hand, Moment, Tapped, carry_over, only_looks, tap
from domain.table.codes import target_of
from domain.table.commands import TableLedger
from domain.table.events import (
    LONGEST_CODE,
    LONGEST_STYLUS,
    EpochBegan,
    MessagesLost,
    Outcome,
    Sign,
    SignNoticed,
    TapTaken,
)
from domain.table.match_card import Order, Ordered, command_of
from domain.table.state import Stylus, Table

CONFIRM: Final = "button confirm"
PAGE: Final = "button page"

Judge = Callable[[str, Any, Taps], Decided | Refused | Denied]
"""Judges an action of a seat, which these taps asked for."""
Meet = Callable[[Stylus, AnyMatch], Moment]
"""The position as a stylus meets it: `moment_of`, or what was kept of it."""


class Message(Struct, frozen=True):
    """A message of a gateway: a tap, or a sign of a stylus."""

    gateway: str
    epoch: str
    seq: int
    device_ms: int
    stylus: str
    what: str
    """The code that was read, or the sign."""
    is_sign: bool = False
    percent: int = 0
    """For the sign `battery`."""
    prompt: int = 0


class Done(Struct, frozen=True):
    """What came of a message."""

    table: Table
    events: tuple[Sealed[Any], ...] = ()
    decided: Decided | None = None
    """What the match records beside it, in the same transaction."""
    refusal: Refused | None = None
    outcome: Outcome | None = None
    """None for a sign."""
    notation: str = ""
    """The action that was asked for."""


Place = Literal["next", "done", "early", "closed"]


def place_of(table: Table, message: Message) -> Place:
    """Is it this message's turn, was it done, does it come too early, or from a closed run?"""
    gateway = table.gateways[message.gateway]
    if message.epoch != gateway.epoch:
        return "closed"
    if message.seq <= gateway.highest:
        return "done"
    return "next" if message.seq == gateway.highest + 1 else "early"


def version_of(table: Table, message: Message) -> int | None:
    """The version of the event that recorded a message with this number; None if it was not done,
    or too long ago."""
    gateway = table.gateways[message.gateway]
    run = gateway.run(message.epoch)
    if run is None or not 0 <= run.highest - message.seq < len(run.recorded):
        return None
    return run.recorded[message.seq - run.highest - 1]


def hello(
    table: Table, gateway: str, epoch: str, first_kept: int, software: str, stamp: Stamp
) -> Done:
    """A gateway connects: perhaps it runs anew, perhaps it has lost messages."""
    ledger = TableLedger(table, table.id, stamp)
    known = table.gateways[gateway]
    if epoch != known.epoch and known.run(epoch) is not None:
        return Done(table)
    if epoch != known.epoch:
        ledger.record(EpochBegan, gateway=gateway, epoch=epoch, software=software)
    highest = ledger.state.gateways[gateway].highest
    if first_kept > highest + 1:
        ledger.record(
            MessagesLost, gateway=gateway, epoch=epoch, first=highest + 1, last=first_kept - 1
        )
    changed = ledger.changed()
    return Done(changed.table, changed.events)


def notice(table: Table, message: Message, sign: Sign, stamp: Stamp) -> Done:
    """Record what a gateway noticed of a stylus."""
    ledger = TableLedger(table, table.id, stamp)
    percent = min(max(message.percent, 0), 100)
    ledger.record(SignNoticed, sign=sign, percent=percent, **_told(message))
    changed = ledger.changed()
    return Done(changed.table, changed.events)


def take(
    table: Table,
    message: Message,
    match: AnyMatch | None,
    stamp: Stamp,
    judge: Judge,
    meet: Meet,
    ordered: Ordered | Refused | None = None,
) -> Done:
    """Do a tap whose turn it is. `match` is the one on the table, if there is one.

    `ordered` is what the match card means now if it is tapped, or what comes of the order that is
    armed if this is Confirm.
    """
    target = target_of(table.codes, message.what)
    refusal = _unusable(table, message, match, target)
    if refusal is not None:
        outcome, refused = refusal
        stylus = table.stylus(message.stylus)
        return _record(table, message, stamp, outcome, target, match, stylus, refused)
    assert match is not None
    return _tap(table, message, match, target, stamp, judge, meet, ordered)


def seats_of(stylus: Stylus, match: AnyMatch) -> tuple[str, ...]:
    """The seats of this stylus whose tokens are still good, in the match's order: the first of them
    is whose view it has while none of them is asked."""
    held = stylus.seats
    return tuple(name for name in match.seats if name in held and _holds(match, name, held[name]))


def moment_of(stylus: Stylus, match: AnyMatch) -> Moment:
    """The position as this stylus meets it."""
    seats = seats_of(stylus, match)
    shared = stylus.shared and len(seats) == len(match.seats)
    over = match.result is not None
    return Moment(match.rules, match.position, seats, shared=shared, over=over)


def present(stylus: Stylus, match: AnyMatch, moment: Moment) -> Stylus:
    """The stylus as it meets the match now: if others changed it, with a new prompt."""
    if stylus.seen == match.version and stylus.era:
        return stylus
    hand = carry_over(moment, stylus.hand)
    lost = hand.picked != stylus.hand.picked
    taps = () if lost and not hand.picked else stylus.taps
    return replace(stylus, hand=hand, order=None, era=match.version, seen=match.version, taps=taps)


def taps_of(table: Table, message: Message) -> Taps:
    """The taps behind an action that this message completes."""
    before = table.styluses[message.stylus].taps
    return Taps(table.id, message.gateway, message.stylus, (*before, table.version + 1))


def _holds(match: AnyMatch, seat: str, key: str) -> bool:
    holder = match.holders.get(seat)
    return (holder.key if holder else match.invitations.get(seat)) == key


def _unusable(
    table: Table, message: Message, match: AnyMatch | None, target: str
) -> tuple[Outcome, Refused] | None:
    stylus = table.styluses.get(message.stylus)
    if stylus is None or stylus.gateway != message.gateway:
        why = "this stylus is not paired with this gateway"
        return "unknown-stylus", Refused("stylus.unpaired", why)
    if match is None:
        why = "no match is played on this table yet"
        return "no-match", Refused("stylus.no-match", why)
    if not target:
        code = message.what[:LONGEST_CODE]
        why = f"{code!r} is on no map of this table: bind it, or tap something else"
        return "unknown-code", Refused("stylus.nothing", why)
    return None


def _tap(
    table: Table,
    message: Message,
    match: AnyMatch,
    target: str,
    stamp: Stamp,
    judge: Judge,
    meet: Meet,
    ordered: Ordered | Refused | None,
) -> Done:
    before = table.styluses[message.stylus]
    moment = meet(before, match)
    stylus = present(before, match, moment)
    if message.prompt != stylus.era and not only_looks(moment, stylus.hand, target):
        why = "the match has moved on since: look at the prompt, and tap again"
        stale = Refused("stylus.stale", why, {"prompt": stylus.era})
        return _record(table, message, stamp, "stale", target, match, stylus, stale)
    if ordered is not None or stylus.order is not None:
        was, stylus = stylus.order, replace(stylus, order=None)
        if ordered is not None or command_of(target) or target == PAGE:
            return _order(table, message, match, target, stamp, stylus, was, ordered)
    tapped = tap(moment, stylus.hand, target)
    if tapped.action is None:
        outcome: Outcome = "refused" if tapped.refusal else "done"
        moved = replace(stylus, hand=tapped.hand)
        return _record(table, message, stamp, outcome, target, match, moved, tapped.refusal)
    return _act(table, message, match, target, stamp, judge, moment, stylus, tapped)


def _order(
    table: Table,
    message: Message,
    match: AnyMatch,
    target: str,
    stamp: Stamp,
    stylus: Stylus,
    was: Order | None,
    ordered: Ordered | Refused | None,
) -> Done:
    """A tap on the match card, or one that takes or drops what was armed of it."""
    stylus = replace(stylus, hand=replace(stylus.hand, view=PLAY, page=1))
    if ordered is None or (was is not None and command_of(target) == was.command):
        return _record(table, message, stamp, "done", target, match, stylus, None)
    if isinstance(ordered, Refused):
        return _record(table, message, stamp, "refused", target, match, stylus, ordered)
    if not isinstance(ordered.outcome, Decided):
        refusal = _refusal(ordered.outcome)
        done = _record(table, message, stamp, "refused", target, match, stylus, refusal)
    elif target == CONFIRM:
        acted = replace(stylus, hand=Hand(), seen=ordered.outcome.match.version)
        done = _record(table, message, stamp, "acted", target, match, acted, None)
        done = replace(done, decided=ordered.outcome)
    else:
        armed = replace(stylus, order=ordered.order)
        done = _record(table, message, stamp, "done", target, match, armed, None)
    return replace(done, notation=ordered.order.label)


def _refusal(outcome: Refused | Denied) -> Refused:
    """Why the match does not take something, as the answer to a tap."""
    if isinstance(outcome, Refused):
        return outcome
    return Refused("stylus.match", outcome.why, {"reason": outcome.reason})


def _act(
    table: Table,
    message: Message,
    match: AnyMatch,
    target: str,
    stamp: Stamp,
    judge: Judge,
    moment: Moment,
    stylus: Stylus,
    tapped: Tapped,
) -> Done:
    """Have the action judged that a tap completed."""
    taps = Taps(table.id, message.gateway, message.stylus, (*stylus.taps, table.version + 1))
    judged = judge(moment.seat, tapped.action, taps)
    if isinstance(judged, Decided):
        acted = replace(stylus, hand=Hand(), seen=judged.match.version)
        done = _record(table, message, stamp, "acted", target, match, acted, None)
        return replace(done, decided=judged, notation=tapped.notation)
    done = _record(table, message, stamp, "refused", target, match, stylus, _refusal(judged))
    return replace(done, notation=tapped.notation)


def _record(
    table: Table,
    message: Message,
    stamp: Stamp,
    outcome: Outcome,
    target: str,
    match: AnyMatch | None,
    stylus: Stylus,
    refusal: Refused | None,
) -> Done:
    ledger = TableLedger(table, table.id, stamp)
    placed: UUID | None = match.id if match else None
    if refusal is not None and match is not None:
        refusal = in_words_of(match.rules, refusal)
    ledger.record(
        TapTaken,
        code=message.what[:LONGEST_CODE],
        target=target,
        outcome=outcome,
        rule=refusal.rule if refusal else "",
        why=refusal.why if refusal else "",
        figures=refusal.figures if refusal else {},
        match=placed,
        match_version=match.version if match else 0,
        after=stylus.seen,
        prompt=message.prompt,
        era=stylus.era,
        hand=stylus.hand,
        order=stylus.order,
        **_told(message),
    )
    changed = ledger.changed()
    return Done(changed.table, changed.events, refusal=refusal, outcome=outcome)


def _told(message: Message) -> dict[str, Any]:
    return {
        "gateway": message.gateway,
        "epoch": message.epoch,
        "seq": message.seq,
        "device_ms": message.device_ms,
        "stylus": message.stylus[:LONGEST_STYLUS],
    }
