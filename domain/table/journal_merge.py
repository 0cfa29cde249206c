"""Merging what several gateways of one table kept offline.

Each gateway has the taps of its own styluses only, and no gateway knows the rules. So a tap does
not say which taps of the others came before it. But it says which prompt its user saw last, and the
match says whom it waits for: a tap of somebody who is not to act yet rests on a version that the
match has not reached. While a gateway may still bring that version, such a tap waits for it.
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
"""Requests of the match card about what was done last."""
RESPONSE_COMMANDS: Final = ("agree", "refuse")
"""Requests of the match card about what another player asked for."""


def awaited_gateways(
    table: Table, message: Message, match: AnyMatch | None, meet: StylusViewFunction
) -> frozenset[str]:
    """Return the gateways of the table whose taps may have to be done before this message.

    Args:
        table: The table of the gateway that sent the message.
        message: A message whose turn it is among those of its gateway.
        match: The match on the table, if there is one.
        meet: Returns the position as a stylus meets it.

    Returns:
        The other gateways that have a stylus of whoever is to act. Empty if the message does not
        rest on a version that the match has not reached, or was not made offline.
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
    moment = meet(stylus, match)
    current = message.prompt == with_current_prompt(stylus, match, moment).era
    if not current and not is_offline_continuation(table, message, match):
        return frozenset()  # others have moved the match: it is too late, whoever comes
    if moment.can_act and (message.seat or message.leads_to) in ("", *moment.own_prompted_seats):
        return frozenset()
    others = _others(table, message)
    if card_command(target) in RESPONSE_COMMANDS:
        return others
    return frozenset(
        each.gateway
        for each in table.styluses.values()
        if each.gateway in others and _may_act(each, match, meet)
    )


def _is_due(stylus: Stylus, match: AnyMatch, target: str) -> bool:
    """Return whether a tap on the match card, or its Confirm, means the match as it stands now,
    whoever is to act: what was done last, or the proposal that waits."""
    if target == CONFIRM:
        return stylus.order is not None and stylus.seen == match.version
    command = card_command(target)
    if command in RESPONSE_COMMANDS:
        asked = match.proposal.awaiting if match.proposal is not None else ()
        return any(seat in asked for seat in seats_of(stylus, match))
    return command in LAST_ACTION_COMMANDS


def _others(table: Table, message: Message) -> frozenset[str]:
    """Return the other gateways of the table that have seated styluses."""
    seated = (each.gateway for each in table.styluses.values() if each.seats)
    return frozenset(seated) - {"", message.gateway}


def _may_act(stylus: Stylus, match: AnyMatch, meet: StylusViewFunction) -> bool:
    return bool(stylus.seats) and meet(stylus, match).can_act
