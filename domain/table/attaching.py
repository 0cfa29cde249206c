"""Boards that find their match: a stylus waits for several, and what its board shows decides.

A stylus waits only by the right that would seat it: by tokens or grants of the match. So a board is
never put to a match, nor told of one, that nobody gave it.
"""

from collections.abc import Callable, Mapping
from typing import Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import REFEREE
from domain.kernel.rulings import Refused
from domain.log.ledger import Decided, Denied
from domain.log.stamps import Stamp
from domain.match.state import AnyMatch
from domain.stylus.boards import Board
from domain.stylus.rules import nothing
from domain.stylus.taps import RUNES, Hand, Moment
from domain.table.codes import CONFIRM, PAGE, target_of
from domain.table.commands import Answer, TableLedger, is_paired, unpaired
from domain.table.events import MatchAwaited, MatchPlaced, Offer, StylusSeated, WaitEnded
from domain.table.messages import Message
from domain.table.seating import Seating, roles_of
from domain.table.state import Stylus, Table, Wait

MOST_WAITS: Final = 16
"""Matches that one stylus waits for, at most."""

Matches = Mapping[str, AnyMatch]
"""Matches by their ids, as they stand."""
Meet = Callable[[Stylus, AnyMatch], Moment]
"""As in `taps.py`."""


class Found(Struct, frozen=True):
    """What a message means at a table where no match is under way."""

    offers: tuple[Offer, ...] = ()
    """The matches that stand as the board does, if there are several."""
    hand: Hand | None = None
    """What a tap leaves that chooses among them."""
    refusal: Refused | None = None
    """Why that tap chooses nothing."""
    attached: Decided[Table] | None = None
    """How the table is put to the match that was found."""


def is_free(match: AnyMatch | None) -> bool:
    """May a board put the table with this match to another?"""
    return match is None or match.result is not None


def wait(table: Table, seating: Seating, waiting: Matches, meet: Meet, stamp: Stamp) -> Answer:
    """Have a stylus wait for a match. If its board stands there already, and at none of the others
    that it waits for, it is seated at once. `waiting` are the matches that its styluses wait for,
    the one that is on the table, and this one."""
    if not is_paired(table, seating.gateway, seating.stylus):
        return unpaired(seating.stylus)
    ledger, known = TableLedger(table, table.id, stamp), table.styluses[seating.stylus]
    for match, held in known.waits.items():
        stands = waiting.get(match)
        if stands is None or stands.result is not None or not _rights(held, stands):
            over = stands is None or stands.result is not None
            why = "over" if over else "claimed"
            ledger.record(WaitEnded, stylus=seating.stylus, match=UUID(match), why=why)
    others = ledger.state.styluses[seating.stylus].waits.keys() - {str(seating.match)}
    if len(others) >= MOST_WAITS:
        return Denied("TABLE_FULL", f"a stylus waits for at most {MOST_WAITS} matches")
    ledger.record(
        MatchAwaited,
        stylus=seating.stylus,
        match=seating.match,
        seats=dict(seating.seats),
        shared=seating.shared,
        grants=dict(seating.grants),
    )
    if is_free(waiting.get(str(table.match))):
        fits = offers(ledger.state, seating.stylus, known.board, waiting, meet)
        if len(fits) == 1:
            _place(ledger, waiting[fits[0].match])
    return ledger.decided()


def end_wait(table: Table, gateway: str, stylus: str, match: UUID, stamp: Stamp) -> Answer:
    """Have a stylus wait for a match no more."""
    if not is_paired(table, gateway, stylus):
        return unpaired(stylus)
    if str(match) not in table.styluses[stylus].waits:
        return Denied("FIELD_INVALID", f"the stylus does not wait for the match {match}")
    ledger = TableLedger(table, table.id, stamp)
    ledger.record(WaitEnded, stylus=stylus, match=match, why="dropped")
    return ledger.decided()


def offers(
    table: Table, name: str, board: Board, waiting: Matches, meet: Meet
) -> tuple[Offer, ...]:
    """The matches which wait for a stylus, and whose positions this board shows."""
    found = []
    for identity, held in table.stylus(name).waits.items():
        match = waiting.get(identity)
        if match is None or match.result is not None or not (seats := _rights(held, match)):
            continue
        if meet(_seated(table.stylus(name), held), match).boards.shows(board):
            found.append(Offer(identity, match.rules.slug, match.title, seats))
    return tuple(found)


def attach(table: Table, match: AnyMatch, stamp: Stamp) -> Decided[Table]:
    """Put the table to a match, with every stylus there that waits for it."""
    ledger = TableLedger(table, table.id, stamp)
    _place(ledger, match)
    return ledger.decided()


def confirms(table: Table, message: Message) -> bool:
    """Is it Confirm?"""
    return target_of(table.codes_of(message.gateway), message.what) == CONFIRM


def choose(table: Table, message: Message) -> Found | None:
    """What a tap means where several matches are offered: a rune arms one, Page turns. None for
    what means the same as ever, as the card of a match that is over."""
    stylus = table.styluses[message.stylus]
    target = target_of(table.codes_of(message.gateway), message.what)
    hand, offered = stylus.hand, stylus.offered
    if target == PAGE:
        return Found(hand=replace(hand, page=hand.page % -(-len(offered) // RUNES) + 1))
    number = target.removeprefix("cc rune ")
    at = (hand.page - 1) * RUNES + int(number) - 1 if number.isdecimal() else -1
    if 0 <= at < len(offered):
        return Found(hand=replace(hand, chosen=offered[at].match))
    if target.startswith("cc rune "):
        return Found(hand=hand, refusal=nothing(target))
    if target != CONFIRM or stylus.order is not None:
        return None
    why = "which match this is, is not settled yet: tap its rune"
    return Found(hand=hand, refusal=None if hand.chosen else Refused("stylus.unready", why))


def _place(ledger: TableLedger, match: AnyMatch) -> None:
    waiting = [
        (name, each.waits[str(match.id)])
        for name, each in ledger.state.styluses.items()
        if each.gateway and str(match.id) in each.waits
    ]
    ledger.record(MatchPlaced, match=match.id)
    for name, held in waiting:
        rights = _rights(held, match)
        ledger.record(
            StylusSeated,
            stylus=name,
            seats={role: held.seats[role] for role in rights},
            shared=held.shared and all(seat in rights for seat in match.seats),
            grants={seat: grant for seat, grant in held.grants.items() if seat in rights},
            shown=True,
        )


def _rights(held: Wait, match: AnyMatch) -> tuple[str, ...]:
    """The roles whose tokens are still good; none if the stylus would only look."""
    good = roles_of(Stylus(seats=held.seats), match)
    acting = (*match.seats, *match.rules.scribes, REFEREE)
    return tuple(role for role in acting if role in good and role in held.seats)


def _seated(stylus: Stylus, held: Wait) -> Stylus:
    return replace(
        stylus, seats=held.seats, shared=held.shared, grants=held.grants, hand=Hand(), era=0, seen=0
    )
