"""The merge of journals that several gateways of one table kept while offline.

Each gateway has the taps of its own styluses only, and no gateway knows the rules. So a tap does
not say which taps of other gateways came before it. It does name the prompt that its user saw last,
and the match says who is to act. A tap of a seat that is not to act yet rests on a version that the
match has not reached. Such a tap waits while another gateway may still bring that version.
"""

from typing import Final

from domain.match.state import AnyMatch
from domain.stylus.tap_machine import is_choice
from domain.table.codes import CONFIRM, target_of
from domain.table.match_card import card_command
from domain.table.messages import Message
from domain.table.seating import roles_of, seats_of
from domain.table.state import Stylus, Table
from domain.table.taps import StylusViewFunction, is_offline_continuation, with_current_prompt

LAST_ACTION_COMMANDS: Final = ("undo", "redo", "dispute")
"""Match card commands about the latest action."""
RESPONSE_COMMANDS: Final = ("agree", "refuse")
"""Match card commands that respond to another player's proposal."""


def awaited_gateways(
    table: Table, message: Message, match: AnyMatch | None, stylus_view: StylusViewFunction
) -> frozenset[str]:
    """Return the gateways of the table whose taps may have to be processed before this message.

    Args:
        table: The table of the gateway that sent the message.
        message: The next message in the sequence of its gateway.
        match: The match on the table, if there is one.
        stylus_view: Returns the view of a stylus on the match.

    Returns:
        The other gateways that have a stylus of a seat that is to act. Empty if the message was
        made online, or does not rest on a version that the match has not reached.
    """
    stylus = table.styluses.get(message.stylus)
    if not message.offline or match is None or match.result is not None or match.waiting:
        return frozenset()
    if stylus is None or stylus.gateway != message.gateway or not roles_of(stylus, match):
        return frozenset()
    target = target_of(table.codes_of(message.gateway), message.what)
    if not is_choice(target) or _is_due(stylus, match, target):
        return frozenset()
    if message.prompt > match.version:
        return _others(table, message)
    view = stylus_view(stylus, match)
    current = message.prompt == with_current_prompt(stylus, match, view).era
    if not current and not is_offline_continuation(table, message, match):
        return frozenset()  # others changed the match, so the tap is stale anyway
    if view.can_act and (message.seat or message.leads_to) in ("", *view.own_prompted_seats):
        return frozenset()
    others = _others(table, message)
    if card_command(target) in RESPONSE_COMMANDS:
        return others
    return frozenset(
        each.gateway
        for each in table.styluses.values()
        if each.gateway in others and _may_act(each, match, stylus_view)
    )


def _is_due(stylus: Stylus, match: AnyMatch, target: str) -> bool:
    """Return whether a match card tap or its Confirm refers to the match in its current state.

    It then refers to the latest action or to the open proposal, no matter who is to act.
    """
    if target == CONFIRM:
        return stylus.order is not None and stylus.seen == match.version
    command = card_command(target)
    if command in RESPONSE_COMMANDS:
        asked = match.proposal.awaiting if match.proposal is not None else ()
        return any(seat in asked for seat in seats_of(stylus, match))
    return command in LAST_ACTION_COMMANDS


def _others(table: Table, message: Message) -> frozenset[str]:
    """Return the other gateways of the table that have styluses with seats."""
    seated = (each.gateway for each in table.styluses.values() if each.seats)
    return frozenset(seated) - {"", message.gateway}


def _may_act(stylus: Stylus, match: AnyMatch, stylus_view: StylusViewFunction) -> bool:
    return bool(stylus.seats) and stylus_view(stylus, match).can_act
