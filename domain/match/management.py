"""Management of a match: its title and visibility, invites, and cancelling it before it starts."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from domain.kernel.game import SPECTATOR
from domain.log.ledger import Decided, Denied
from domain.log.origin import Stamp
from domain.match.access import LINK
from domain.match.events import (
    InviteCreated,
    InviteRevoked,
    MatchCancelled,
    MatchUpdated,
    Visibility,
)
from domain.match.ledger import MatchLedger, cancelled, not_a_seat
from domain.match.state import AnyMatch

WAITING_TERM: Final = timedelta(days=14)
"""How long a match waits for its seats to be claimed, by default."""


def update(
    match: AnyMatch,
    stamp: Stamp,
    *,
    title: str | None = None,
    visibility: Visibility | None = None,
    shared: bool | None = None,
) -> Decided[AnyMatch] | Denied:
    """Change the title and the visibility of a match; None changes nothing."""
    if match.cancelled:
        return cancelled()
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(MatchUpdated, title=title, visibility=visibility, shared=shared)
    return ledger.decided()


def cancel(
    match: AnyMatch,
    stamp: Stamp,
    *,
    expired: bool = False,
    by: str = "",
    by_player: UUID | None = None,
) -> Decided[AnyMatch] | Denied:
    """Cancel a match that waits for its seats.

    With `expired`, its waiting time must be over. Otherwise `by` and `by_player` name who
    cancels, as in `MatchCancelled`.
    """
    if match.cancelled:
        return cancelled()
    if not match.waiting:
        return Denied("MATCH_STARTED", "the match has started: it cannot be cancelled any more")
    if expired and (match.expires is None or match.expires > stamp.at):
        return Denied("TIME_LEFT", "the match has time left to wait")
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(MatchCancelled, expired=expired, by=by, by_player=by_player)
    return ledger.decided()


def invite(match: AnyMatch, role: str, key: str, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Issue a code for a seat, for any open seat (`LINK`) or for spectators (`SPECTATOR`).

    The code has the digest `key`. Earlier codes and tokens for that role become void.
    """
    if (denied := _invite_rejection(match, role)) is not None:
        return denied
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(InviteCreated, role=role, key=key)
    return ledger.decided()


def revoke_invite(match: AnyMatch, role: str, stamp: Stamp) -> Decided[AnyMatch] | Denied:
    """Revoke the codes issued for a role. A holder of the role keeps it."""
    if match.cancelled:
        return cancelled()
    ledger = MatchLedger(match, match.id, stamp)
    ledger.record(InviteRevoked, role=role)
    return ledger.decided()


def _invite_rejection(match: AnyMatch, role: str) -> Denied | None:
    if match.cancelled:
        return cancelled()
    if role == SPECTATOR:
        return None
    if role == LINK:
        full = Denied("MATCH_STARTED", "the match has started: invite to a single seat")
        return None if match.waiting else full
    if role not in match.seats:
        return not_a_seat(match, role)
    if role in match.holders:
        return Denied("SEAT_TAKEN", f"{match.holders[role].player or 'a player'} holds {role}")
    return None
