"""Taps: a stylus touches something, and it moves the hand, arms an order or completes an action."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext, Taps
from domain.match.ledger import join_and
from domain.match.state import AnyMatch
from domain.stylus.tap_machine import (
    PLAY,
    Selection,
    StylusView,
    TapResult,
    carry_over,
    is_view_only,
    tap,
)
from domain.stylus.tap_rules import cite_game_rule
from domain.table.codes import CONFIRM, PAGE, target_of
from domain.table.commands import TableLedger
from domain.table.events import MAX_CODE_LENGTH, TapOutcome, TapTaken
from domain.table.match_card import CardOrder, OrderPreview, card_command
from domain.table.messages import Message, TapDecision, message_fields
from domain.table.seating import roles_of, seats_of
from domain.table.state import Stylus, Table

Judge = Callable[[str, Any, Taps], Changeset[AnyMatch] | Refused | Rejection]
"""Judges an action of a seat, which these taps asked for."""
StylusViewFunction = Callable[[Stylus, AnyMatch], StylusView]
"""The position as a stylus meets it: `moment_of`, or what was kept of it."""


class DueTap(Struct, frozen=True, dict=True):
    """A tap whose turn it is, and what it meets."""

    table: Table
    message: Message
    match: AnyMatch | None
    """The one on the table, if there is one."""
    command_context: CommandContext
    ordered: OrderPreview | Refused | None = None
    """What the match card means now if it is tapped, or what comes of the order that is armed if
    this is Confirm."""

    @cached_property
    def target(self) -> str:
        """What was tapped; empty if it is on no map of the table."""
        return target_of(self.table.codes_of(self.message.gateway), self.message.what)


def process_tap(due: DueTap, judge: Judge, meet: StylusViewFunction) -> TapDecision:
    """Do a tap whose turn it is."""
    refusal = _unusable(due)
    if refusal is not None:
        outcome, refused = refusal
        return _record(due, outcome, due.table.stylus(due.message.stylus), refused)
    assert due.match is not None
    return _tap(due, due.match, judge, meet)


def stylus_view_of(stylus: Stylus, match: AnyMatch) -> StylusView:
    """The position as this stylus meets it."""
    shared = stylus.shared and len(seats_of(stylus, match)) == len(match.seats)
    return StylusView(
        match.rules,
        match.position,
        roles_of(stylus, match),
        shared=shared,
        over=match.result is not None or match.waiting,
        chosen=stylus.hand.seat,
        granted=frozenset(stylus.grants),
    )


def with_current_prompt(stylus: Stylus, match: AnyMatch, moment: StylusView) -> Stylus:
    """The stylus as it meets the match now: if others changed it, with a new prompt."""
    if stylus.seen == match.version and stylus.era:
        return stylus
    hand = carry_over(moment, stylus.hand)
    lost = hand.picked != stylus.hand.picked
    taps = () if lost and not hand.picked else stylus.taps
    return replace(stylus, hand=hand, order=None, era=match.version, seen=match.version, taps=taps)


def action_taps(table: Table, message: Message) -> Taps:
    """The taps behind an action that this message completes."""
    before = table.styluses[message.stylus].taps
    return Taps(table.id, message.gateway, message.stylus, (*before, table.version + 1))


def _unusable(due: DueTap) -> tuple[TapOutcome, Refused] | None:
    """Why a message does nothing, whatever the match; None if it may do something."""
    message = due.message
    stylus = due.table.styluses.get(message.stylus)
    if stylus is None or stylus.gateway != message.gateway:
        why = "this stylus is not paired with this gateway"
        return "unknown-stylus", Refused("stylus.unpaired", why)
    if due.match is None:
        why = "no match is played on this table yet"
        return "no-match", Refused("stylus.no-match", why)
    if not due.target:
        code = message.what[:MAX_CODE_LENGTH]
        why = f"{code!r} is on no map of this table: bind it, or tap something else"
        return "unknown-code", Refused("stylus.nothing", why)
    return None


def _tap(due: DueTap, match: AnyMatch, judge: Judge, meet: StylusViewFunction) -> TapDecision:
    before, target = due.table.styluses[due.message.stylus], due.target
    moment = meet(before, match)
    stylus = with_current_prompt(before, match, moment)
    if is_offline_continuation(due.table, due.message, match):
        stylus = replace(stylus, era=due.message.prompt)
    if due.message.offline and before.order is not None and stylus.order is None:
        stylus = replace(
            stylus, hand=Selection(seat=stylus.hand.seat)
        )  # so it was not shown either
    if due.message.prompt != stylus.era and not is_view_only(moment, stylus.hand, target):
        return _record(due, "stale", _unserved(due, stylus), _too_late(due, stylus))
    if target == CONFIRM and (foreign := _of_another(due, moment, stylus)) is not None:
        return _record(due, "refused", stylus, foreign)
    if due.ordered is not None or stylus.order is not None:
        was, stylus = stylus.order, replace(stylus, order=None)
        if target == CONFIRM and was and (other := _other_armed(due, stylus, was.label)):
            return _record(due, "stale", replace(stylus, order=was), other)
        if due.ordered is not None or card_command(target) or target == PAGE:
            return _order(due, stylus, was)
    tapped = tap(moment, stylus.hand, target)
    if target == CONFIRM and (other := _other_armed(due, stylus, tapped.notation)) is not None:
        return _record(due, "stale", stylus, other)
    if target == CONFIRM and tapped.refusal is None and not tapped.notation:
        tapped = replace(tapped, refusal=_took_nothing(due, moment, stylus))
    if tapped.action is None:
        outcome: TapOutcome = "refused" if tapped.refusal else "done"
        return _record(due, outcome, replace(stylus, hand=tapped.hand), tapped.refusal)
    return _act(due, judge, moment, stylus, tapped)


def _other_armed(due: DueTap, stylus: Stylus, label: str) -> Refused | None:
    """Return why a Confirm takes nothing that names something else than what is armed under this
    label; None if it may take it, or if nothing is armed."""
    if not label or due.message.armed in ("", label):
        return None
    why = f"not {due.message.armed} is armed now, but {label}: look at the prompt"
    return Refused("stylus.stale", why, {"prompt": stylus.era})


def _took_nothing(due: DueTap, moment: StylusView, stylus: Stylus) -> Refused | None:
    """Return why a Confirm is refused that only left a view. None for one that may have been meant
    so: it was made online, and names neither a seat nor what was armed."""
    message = due.message
    if not (message.offline or message.seat or message.armed):
        return None
    if not moment.can_act:
        asked = (
            join_and(dict.fromkeys(moment.prompted_seats)) if moment.prompted_seats else "nobody"
        )
        why = f"Confirm took nothing: it is for {asked} to act, not for this stylus"
        return cite_game_rule(moment.game, Refused("stylus.seat", why))
    why = f"Confirm took nothing: the stylus showed {stylus.hand.view}, and nothing was armed"
    return cite_game_rule(moment.game, Refused("stylus.unready", why))


def _of_another(due: DueTap, moment: StylusView, stylus: Stylus) -> Refused | None:
    """Return why a Confirm of one seat takes nothing while another is to act; None if it may."""
    seat = due.message.seat
    if not seat or stylus.order or not moment.can_act or seat == moment.seat:
        return None
    return Refused("stylus.seat", f"{seat} confirmed, and it is for {moment.seat} to act")


def is_offline_continuation(table: Table, message: Message, match: AnyMatch) -> bool:
    """Return whether the tap was made offline by somebody who saw all the same what the match has
    come to. While a table is offline its own styluses alone move the match, whatever their
    gateways, and everybody at the table sees them do it."""
    before = table.stylus(message.stylus)
    if not message.offline or table.moved != match.version:
        return False
    if message.prompt == before.era and before.era and before.seen >= table.moving:
        return True
    return max(table.moving, before.era) <= message.prompt <= table.moved


def _too_late(due: DueTap, stylus: Stylus) -> Refused:
    why = "the match has moved on since: look at the prompt, and tap again"
    if due.message.offline:
        why = f"{due.target} was tapped while the line was down, and {why}"
    return Refused("stylus.stale", why, {"prompt": stylus.era})


def _order(due: DueTap, stylus: Stylus, was: CardOrder | None) -> TapDecision:
    """A tap on the match card, or one that takes or drops what was armed of it."""
    ordered = due.ordered
    stylus = replace(stylus, hand=replace(stylus.hand, view=PLAY, page=1))
    if ordered is None or (was is not None and card_command(due.target) == was.command):
        return _record(due, "done", stylus)
    if isinstance(ordered, Refused):
        return _record(due, "refused", _unserved(due, stylus), ordered)
    if not isinstance(ordered.outcome, Changeset):
        done = _record(due, "refused", _unserved(due, stylus), _refusal(ordered.outcome))
    elif due.target == CONFIRM:
        done = _acted(due, stylus, ordered.outcome)
    else:
        done = _record(due, "done", replace(stylus, order=ordered.order))
    return replace(done, notation=ordered.order.label)


def _unserved(due: DueTap, stylus: Stylus) -> Stylus:
    """Return the stylus after a tap that is refused. The user of a request on the match card that
    was made offline is not shown that: his Confirm must not take what was selected before."""
    if due.message.offline and card_command(due.target):
        return replace(stylus, hand=Selection(seat=stylus.hand.seat))
    return stylus


def _refusal(outcome: Refused | Rejection) -> Refused:
    """Why the match does not take something, as the answer to a tap."""
    if isinstance(outcome, Refused):
        return outcome
    return Refused("stylus.match", outcome.why, {"reason": outcome.reason})


def _act(
    due: DueTap, judge: Judge, moment: StylusView, stylus: Stylus, tapped: TapResult
) -> TapDecision:
    """Have the action judged that a tap completed."""
    table, message = due.table, due.message
    taps = Taps(table.id, message.gateway, message.stylus, (*stylus.taps, table.version + 1))
    judged = judge(moment.seat, tapped.action, taps)
    if isinstance(judged, Changeset):
        done = _acted(due, stylus, judged)
    else:
        done = _record(due, "refused", stylus, _refusal(judged))
    return replace(done, notation=tapped.notation)


def _acted(due: DueTap, stylus: Stylus, changeset: Changeset[AnyMatch]) -> TapDecision:
    """The match moved on by this tap: the stylus has seen it do so, with an empty hand."""
    acted = replace(stylus, hand=Selection(), seen=changeset.state.version)
    return replace(_record(due, "acted", acted), changeset=changeset)


def _record(
    due: DueTap, outcome: TapOutcome, stylus: Stylus, refusal: Refused | None = None
) -> TapDecision:
    """Record the message, which leaves the stylus like this."""
    table, message, match = due.table, due.message, due.match
    ledger = TableLedger(table, table.id, due.command_context)
    if refusal is not None and match is not None:
        refusal = cite_game_rule(match.rules, refusal)
    ledger.record(
        TapTaken,
        code=message.what[:MAX_CODE_LENGTH],
        target=due.target,
        outcome=outcome,
        rule=refusal.rule if refusal else "",
        why=refusal.why if refusal else "",
        figures=refusal.figures if refusal else {},
        match=match.id if match else None,
        match_version=match.version if match else 0,
        after=stylus.seen,
        prompt=message.prompt,
        era=stylus.era,
        hand=stylus.hand,
        order=stylus.order,
        discreet=bool(stylus.grants),
        offline=message.offline,
        **message_fields(message),
    )
    return TapDecision(ledger.changeset(), outcome, refusal=refusal)
