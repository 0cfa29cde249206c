"""Management of a match: its title and visibility, invites, and cancelling it before it starts."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from domain.kernel.game import SPECTATOR
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext
from domain.match.access import LINK
from domain.match.events import (
    InviteCreated,
    InviteRevoked,
    MatchCancelled,
    MatchUpdated,
    Visibility,
)
from domain.match.ledger import MatchLedger, invalid_seat_rejection, match_cancelled_rejection
from domain.match.state import AnyMatch

DEFAULT_WAITING_TIME: Final = timedelta(days=14)
"""How long a match waits for its seats to be claimed, by default."""


def update(
    match: AnyMatch,
    command_context: CommandContext,
    *,
    title: str | None = None,
    visibility: Visibility | None = None,
    shared: bool | None = None,
) -> Changeset[AnyMatch] | Rejection:
    """Change the title and the visibility of a match; None changes nothing."""
    if match.cancelled:
        return match_cancelled_rejection()
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(MatchUpdated, title=title, visibility=visibility, shared=shared)
    return ledger.changeset()


def cancel(
    match: AnyMatch,
    command_context: CommandContext,
    *,
    expired: bool = False,
    by: str = "",
    by_player: UUID | None = None,
) -> Changeset[AnyMatch] | Rejection:
    """Cancel a match that waits for its seats.

    With `expired`, its waiting time must be over. Otherwise `by` and `by_player` name who
    cancels, as in `MatchCancelled`.
    """
    if match.cancelled:
        return match_cancelled_rejection()
    if not match.waiting:
        return Rejection("MATCH_STARTED", "the match has started: it cannot be cancelled any more")
    if expired and (match.expires is None or match.expires > command_context.at):
        return Rejection("TIME_LEFT", "the match has time left to wait")
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(MatchCancelled, expired=expired, by=by, by_player=by_player)
    return ledger.changeset()


def invite(
    match: AnyMatch, role: str, key: str, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Issue a code for a seat, for any open seat (`LINK`) or for spectators (`SPECTATOR`).

    The code has the digest `key`. Earlier codes and tokens for that role become void.
    """
    if (denied := _invite_rejection(match, role)) is not None:
        return denied
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(InviteCreated, role=role, key=key)
    return ledger.changeset()


def revoke_invite(
    match: AnyMatch, role: str, command_context: CommandContext
) -> Changeset[AnyMatch] | Rejection:
    """Revoke the codes issued for a role. A holder of the role keeps it."""
    if match.cancelled:
        return match_cancelled_rejection()
    ledger = MatchLedger(match, match.id, command_context)
    ledger.record(InviteRevoked, role=role)
    return ledger.changeset()


def _invite_rejection(match: AnyMatch, role: str) -> Rejection | None:
    if match.cancelled:
        return match_cancelled_rejection()
    if role == SPECTATOR:
        return None
    if role == LINK:
        full = Rejection("MATCH_STARTED", "the match has started: invite to a single seat")
        return None if match.waiting else full
    if role not in match.seats:
        return invalid_seat_rejection(match, role)
    if role in match.holders:
        return Rejection("SEAT_TAKEN", f"{match.holders[role].player or 'a player'} holds {role}")
    return None
