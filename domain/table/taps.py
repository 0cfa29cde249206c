"""Taps: each changes a selection, prepares a command of the match card, or completes an action."""

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
"""A function that decides on an action of a seat, which these taps produced."""
StylusViewFunction = Callable[[Stylus, AnyMatch], StylusView]
"""A function that returns the view of a stylus on a match: `stylus_view_of`, or a cache of it."""


class DueTap(Struct, frozen=True, dict=True):
    """The next tap of a gateway, with the state that it is processed against."""

    table: Table
    message: Message
    match: AnyMatch | None
    """The match on the table, if there is one."""
    command_context: CommandContext
    ordered: OrderPreview | Refused | None = None
    """The preview of the tapped match card order; for Confirm, that of the armed order."""

    @cached_property
    def target(self) -> str:
        """Return the tapped target; empty if the table's tap map does not have the code."""
        return target_of(self.table.codes_of(self.message.gateway), self.message.what)


def process_tap(due: DueTap, judge: Judge, stylus_view: StylusViewFunction) -> TapDecision:
    """Process the next tap of a gateway."""
    refusal = _unusable_message(due)
    if refusal is not None:
        outcome, refused = refusal
        return _record(due, outcome, due.table.stylus(due.message.stylus), refused)
    assert due.match is not None
    return _process(due, due.match, judge, stylus_view)


def stylus_view_of(stylus: Stylus, match: AnyMatch) -> StylusView:
    """Return the view that a stylus has of the match."""
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


def with_current_prompt(stylus: Stylus, match: AnyMatch, view: StylusView) -> Stylus:
    """Return the stylus with the current prompt: a new one if others changed the match."""
    if stylus.seen == match.version and stylus.era:
        return stylus
    hand = carry_over(view, stylus.hand)
    lost = hand.picked != stylus.hand.picked
    taps = () if lost and not hand.picked else stylus.taps
    return replace(stylus, hand=hand, order=None, era=match.version, seen=match.version, taps=taps)


def action_taps(table: Table, message: Message) -> Taps:
    """Return the taps behind an action that this message completes."""
    before = table.styluses[message.stylus].taps
    return Taps(table.id, message.gateway, message.stylus, (*before, table.version + 1))


def _unusable_message(due: DueTap) -> tuple[TapOutcome, Refused] | None:
    """Return why a message has no effect in any match; None if it may have one."""
    message = due.message
    stylus = due.table.styluses.get(message.stylus)
    if stylus is None or stylus.gateway != message.gateway:
        why = "this stylus is not paired with this gateway"
        return "unknown-stylus", Refused("stylus.unpaired", why)
    if due.match is None:
        why = "there is no match on this table yet"
        return "no-match", Refused("stylus.no-match", why)
    if not due.target:
        code = message.what[:MAX_CODE_LENGTH]
        why = f"the table's tap map has no code {code!r}: add it, or tap something else"
        return "unknown-code", Refused("stylus.nothing", why)
    return None


def _process(
    due: DueTap, match: AnyMatch, judge: Judge, stylus_view: StylusViewFunction
) -> TapDecision:
    before, target = due.table.styluses[due.message.stylus], due.target
    view = stylus_view(before, match)
    stylus = with_current_prompt(before, match, view)
    if is_offline_continuation(due.table, due.message, match):
        stylus = replace(stylus, era=due.message.prompt)
    if due.message.offline and before.order is not None and stylus.order is None:
        stylus = replace(
            stylus, hand=Selection(seat=stylus.hand.seat)
        )  # the user did not see that selection
    if due.message.prompt != stylus.era and not is_view_only(view, stylus.hand, target):
        return _record(
            due, "stale", _without_stale_selection(due, stylus), _stale_refusal(due, stylus)
        )
    if target == CONFIRM and (foreign := _seat_mismatch(due, view, stylus)) is not None:
        return _record(due, "refused", stylus, foreign)
    if due.ordered is not None or stylus.order is not None:
        was, stylus = stylus.order, replace(stylus, order=None)
        if target == CONFIRM and was and (other := _armed_mismatch(due, stylus, was.label)):
            return _record(due, "stale", replace(stylus, order=was), other)
        if due.ordered is not None or card_command(target) or target == PAGE:
            return _process_order(due, stylus, was)
    result = tap(view, stylus.hand, target)
    if target == CONFIRM and (other := _armed_mismatch(due, stylus, result.notation)) is not None:
        return _record(due, "stale", stylus, other)
    if target == CONFIRM and result.refusal is None and not result.notation:
        result = replace(result, refusal=_idle_confirm_refusal(due, view, stylus))
    if result.action is None:
        outcome: TapOutcome = "refused" if result.refusal else "done"
        return _record(due, outcome, replace(stylus, hand=result.hand), result.refusal)
    return _decide_action(due, judge, view, stylus, result)


def _armed_mismatch(due: DueTap, stylus: Stylus, label: str) -> Refused | None:
    """Return the refusal of a Confirm for another label than the armed one; None if they match."""
    if not label or due.message.armed in ("", label):
        return None
    why = f"{label} is armed now, not {due.message.armed}: check the prompt"
    return Refused("stylus.stale", why, {"prompt": stylus.era})


def _idle_confirm_refusal(due: DueTap, view: StylusView, stylus: Stylus) -> Refused | None:
    """Return the refusal of a Confirm that only left a view; None if that may be intended.

    It may be intended if the tap was made online and names neither a seat nor a label.
    """
    message = due.message
    if not (message.offline or message.seat or message.armed):
        return None
    if not view.can_act:
        asked = join_and(dict.fromkeys(view.prompted_seats)) if view.prompted_seats else "nobody"
        why = f"Confirm had no effect: the match waits for {asked}, not for this stylus"
        return cite_game_rule(view.game, Refused("stylus.seat", why))
    why = f"Confirm had no effect: the stylus showed {stylus.hand.view}, and nothing was armed"
    return cite_game_rule(view.game, Refused("stylus.unready", why))


def _seat_mismatch(due: DueTap, view: StylusView, stylus: Stylus) -> Refused | None:
    """Return the refusal of a Confirm by a seat that is not to act; None if it may act."""
    seat = due.message.seat
    if not seat or stylus.order or not view.can_act or seat == view.seat:
        return None
    return Refused("stylus.seat", f"{seat} confirmed, but {view.seat} is to act")


def is_offline_continuation(table: Table, message: Message, match: AnyMatch) -> bool:
    """Return whether an offline tap was made by a user who saw the current state of the match.

    While a table is offline, only its own styluses change the match, and all its users see that.
    """
    before = table.stylus(message.stylus)
    if not message.offline or table.moved != match.version:
        return False
    if message.prompt == before.era and before.era and before.seen >= table.moving:
        return True
    return max(table.moving, before.era) <= message.prompt <= table.moved


def _stale_refusal(due: DueTap, stylus: Stylus) -> Refused:
    why = "the match has changed: check the prompt and tap again"
    if due.message.offline:
        why = f"{due.target} was tapped while the connection was down, and {why}"
    return Refused("stylus.stale", why, {"prompt": stylus.era})


def _process_order(due: DueTap, stylus: Stylus, was: CardOrder | None) -> TapDecision:
    """Process a tap on the match card, or one that executes or cancels the armed order."""
    ordered = due.ordered
    stylus = replace(stylus, hand=replace(stylus.hand, view=PLAY, page=1))
    if ordered is None or (was is not None and card_command(due.target) == was.command):
        return _record(due, "done", stylus)
    if isinstance(ordered, Refused):
        return _record(due, "refused", _without_stale_selection(due, stylus), ordered)
    if not isinstance(ordered.outcome, Changeset):
        done = _record(
            due, "refused", _without_stale_selection(due, stylus), _as_refusal(ordered.outcome)
        )
    elif due.target == CONFIRM:
        done = _record_action(due, stylus, ordered.outcome)
    else:
        done = _record(due, "done", replace(stylus, order=ordered.order))
    return replace(done, notation=ordered.order.label)


def _without_stale_selection(due: DueTap, stylus: Stylus) -> Stylus:
    """Return the stylus after a refused tap, without its selection if the tap was an offline order.

    The user does not see the refusal, and a later Confirm must not act on the old selection.
    """
    if due.message.offline and card_command(due.target):
        return replace(stylus, hand=Selection(seat=stylus.hand.seat))
    return stylus


def _as_refusal(outcome: Refused | Rejection) -> Refused:
    """Return a match's refusal or rejection as the response to a tap."""
    if isinstance(outcome, Refused):
        return outcome
    return Refused("stylus.match", outcome.why, {"reason": outcome.reason})


def _decide_action(
    due: DueTap, judge: Judge, view: StylusView, stylus: Stylus, result: TapResult
) -> TapDecision:
    """Decide on the action that a tap completed."""
    table, message = due.table, due.message
    taps = Taps(table.id, message.gateway, message.stylus, (*stylus.taps, table.version + 1))
    decided = judge(view.seat, result.action, taps)
    if isinstance(decided, Changeset):
        done = _record_action(due, stylus, decided)
    else:
        done = _record(due, "refused", stylus, _as_refusal(decided))
    return replace(done, notation=result.notation)


def _record_action(due: DueTap, stylus: Stylus, changeset: Changeset[AnyMatch]) -> TapDecision:
    """Record a tap that changed the match. Its stylus has seen that, and nothing is selected."""
    acted = replace(stylus, hand=Selection(), seen=changeset.state.version)
    return replace(_record(due, "acted", acted), changeset=changeset)


def _record(
    due: DueTap, outcome: TapOutcome, stylus: Stylus, refusal: Refused | None = None
) -> TapDecision:
    """Record the tap, with the stylus in this state."""
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
