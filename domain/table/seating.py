"""Who acts for whom: which match is on a table, and for which seats its styluses act."""

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
    """A gateway says for whom one of its styluses is to act."""

    gateway: str
    stylus: str
    match: UUID
    seats: Mapping[str, str]
    """As in `StylusSeated`."""
    shared: bool
    grants: Mapping[str, str] = {}
    """As in `StylusSeated`."""


def seat(
    table: Table, seating: SeatingRequest, present: AnyMatch | None, command_context: CommandContext
) -> TableCommandOutcome:
    """Give a stylus its seats in a match, which is placed on the table if it is not there yet.

    `present` is the match that is there. While others play it with styluses of other gateways, no
    other match takes its place: their seats are not this gateway's to take away.
    """
    if not is_paired(table, seating.gateway, seating.stylus):
        return unpaired_refusal(seating.stylus)
    ledger = TableLedger(table, table.id, command_context)
    if table.match != seating.match:
        if present is not None and _is_played_by_others(table, seating.gateway, present):
            why = "another match is under way on this table, with styluses of another gateway"
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
    """Take the seats from styluses whose tokens have ended. None if there are none."""
    ledger = TableLedger(table, table.id, command_context)
    for name, stylus in table.styluses.items():
        ended = tuple(seat for seat in stylus.seats if not _holds(match, seat, stylus.seats[seat]))
        if ended:
            ledger.record(SeatsEnded, stylus=name, seats=ended, why="claimed")
    return ledger.changeset() if ledger.state is not table else None


def withdraw_grants(
    table: Table, match: UUID, seat: str, grant: str, command_context: CommandContext
) -> Changeset[Table] | None:
    """Take back a grant of a seat of a match, or all if none is named. None if there are none."""
    ledger = TableLedger(table, table.id, command_context)
    for name, held in grants_of(table, match, seat).items():
        if grant in ("", held):
            ledger.record(SeatsEnded, stylus=name, seats=(seat,), why="withdrawn")
    return ledger.changeset() if ledger.state is not table else None


def grants_of(table: Table, match: UUID, seat: str) -> dict[str, str]:
    """The grants to tap for a seat of a match, by the styluses that have them."""
    if table.match != match:
        return {}
    styluses = table.styluses.items()
    return {name: each.grants[seat] for name, each in styluses if seat in each.grants}


def seats_of(stylus: Stylus, match: AnyMatch) -> tuple[str, ...]:
    """The seats of this stylus whose tokens are still good, in the match's order: the first of them
    is whose view it has while none of them is asked."""
    held = stylus.seats
    return tuple(n for n in match.seats if n in held and _holds(match, n, held[n]))


def roles_of(stylus: Stylus, match: AnyMatch) -> tuple[str, ...]:
    """The same with who makes entries of chance and is no seat: the game's scribes and the referee,
    who makes theirs too."""
    entry_roles, held = match.rules.entry_roles, stylus.seats
    others = [role for role in (*entry_roles, REFEREE) if role in held]
    good = [role for role in others if _holds(match, role, held[role])]
    roles = dict.fromkeys(
        (*seats_of(stylus, match), *good, *(entry_roles if REFEREE in good else ()))
    )
    return tuple(roles)


def _holds(match: AnyMatch, role: str, key: str) -> bool:
    holder = match.details.referee if role == REFEREE else match.holders.get(role)
    if holder is not None:
        return holder.claim == key
    return not is_code(match.seats, role, match.terms) and match.invitations.get(role) == key


def _is_played_by_others(table: Table, gateway: str, match: AnyMatch) -> bool:
    others = (each for each in table.styluses.values() if each.gateway not in ("", gateway))
    return match.result is None and any(seats_of(each, match) for each in others)
