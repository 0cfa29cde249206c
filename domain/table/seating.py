"""The seats of styluses: which match is on a table, and for which seats each stylus acts."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import REFEREE
from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset
from domain.log.origin import CommandContext
from domain.match.access import is_code
from domain.match.state import AnyMatch
from domain.table.commands import TableCommandOutcome, TableLedger, is_paired, unpaired_refusal
from domain.table.events import MatchPlaced, SeatsEnded, StylusSeated
from domain.table.state import Stylus, Table


class SeatingRequest(Struct, frozen=True):
    """A gateway's request to give one of its styluses seats in a match."""

    gateway: str
    stylus: str
    match: UUID
    seats: Mapping[str, str]
    """The digest of the seat token that gives the right to act, by seat."""
    shared: bool
    grants: Mapping[str, str] = {}
    """The tap grants by seat. With a grant, a stylus taps for a seat but shows no secret of it."""


def seat(
    table: Table,
    seating: SeatingRequest,
    current_match: AnyMatch | None,
    command_context: CommandContext,
) -> TableCommandOutcome:
    """Give a stylus seats in a match. The match is placed on the table if it is not there yet.

    A match in play is not replaced while styluses of other gateways have seats in it.

    Args:
        table: The table of the stylus.
        seating: The stylus, the match and the seats.
        current_match: The match on the table, if there is one.
        command_context: Time, request and salt of the command.
    """
    if not is_paired(table, seating.gateway, seating.stylus):
        return unpaired_refusal(seating.stylus)
    ledger = TableLedger(table, table.id, command_context)
    if table.match != seating.match:
        if current_match is not None and _is_played_by_others(
            table, seating.gateway, current_match
        ):
            why = "another match is in progress on this table, with styluses of another gateway"
            return Refused("stylus.table", why)
        ledger.record(MatchPlaced, match=seating.match)
    ledger.record(
        StylusSeated,
        stylus=seating.stylus,
        seats=dict(seating.seats),
        shared=seating.shared,
        grants=dict(seating.grants),
    )
    return ledger.changeset()


def end_claimed_seats(
    table: Table, match: AnyMatch, command_context: CommandContext
) -> Changeset[Table] | None:
    """End the seats whose tokens ended. Return None if there are none."""
    ledger = TableLedger(table, table.id, command_context)
    for name, stylus in table.styluses.items():
        ended = tuple(
            seat for seat in stylus.seats if not _is_claimed_by(match, seat, stylus.seats[seat])
        )
        if ended:
            ledger.record(SeatsEnded, stylus=name, seats=ended, why="claimed")
    return ledger.changeset() if ledger.state is not table else None


def withdraw_grants(
    table: Table, match: UUID, seat: str, grant: str, command_context: CommandContext
) -> Changeset[Table] | None:
    """Withdraw one tap grant of a seat, or all of them if `grant` is empty.

    Returns None if no stylus has such a grant.
    """
    ledger = TableLedger(table, table.id, command_context)
    for name, held in grants_of(table, match, seat).items():
        if grant in ("", held):
            ledger.record(SeatsEnded, stylus=name, seats=(seat,), why="withdrawn")
    return ledger.changeset() if ledger.state is not table else None


def grants_of(table: Table, match: UUID, seat: str) -> dict[str, str]:
    """Return the tap grants for a seat of a match, by stylus."""
    if table.match != match:
        return {}
    styluses = table.styluses.items()
    return {name: each.grants[seat] for name, each in styluses if seat in each.grants}


def seats_of(stylus: Stylus, match: AnyMatch) -> tuple[str, ...]:
    """Return the seats of a stylus whose tokens are valid, in the order of the match.

    While none of these seats is to act, the stylus shows the view of the first one.
    """
    held = stylus.seats
    return tuple(n for n in match.seats if n in held and _is_claimed_by(match, n, held[n]))


def roles_of(stylus: Stylus, match: AnyMatch) -> tuple[str, ...]:
    """Return the valid seats of a stylus, followed by its roles that enter dice results.

    These roles are the entry roles of the game and the referee, who may also act as any of them.
    """
    entry_roles, held = match.rules.entry_roles, stylus.seats
    others = [role for role in (*entry_roles, REFEREE) if role in held]
    good = [role for role in others if _is_claimed_by(match, role, held[role])]
    roles = dict.fromkeys(
        (*seats_of(stylus, match), *good, *(entry_roles if REFEREE in good else ()))
    )
    return tuple(roles)


def _is_claimed_by(match: AnyMatch, role: str, key: str) -> bool:
    holder = match.details.referee if role == REFEREE else match.holders.get(role)
    if holder is not None:
        return holder.claim == key
    return not is_code(match.seats, role, match.terms) and match.invitations.get(role) == key


def _is_played_by_others(table: Table, gateway: str, match: AnyMatch) -> bool:
    others = (each for each in table.styluses.values() if each.gateway not in ("", gateway))
    return match.result is None and any(seats_of(each, match) for each in others)
