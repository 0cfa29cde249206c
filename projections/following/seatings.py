"""Rows of who holds which seat of a match, and whether it waits for the seat."""

from collections.abc import Iterable
from typing import Any, Final

import structlog

from domain.match import AnyMatch
from projections.text_search import folded
from projections.troubles import POISON

_LOG: Final = structlog.get_logger("emeth.projections")

SEATS: Final = (
    "INSERT INTO seats VALUES ",
    8,
    " ON CONFLICT (match, seat) DO UPDATE SET player = excluded.player,"
    " folded_name = excluded.folded_name, holder = excluded.holder, asked = excluded.asked,"
    " outcome = excluded.outcome, bot = excluded.bot",
)
PLAYERS: Final = ("INSERT INTO players (folded_name) VALUES ", 1, " ON CONFLICT DO NOTHING")


def has_players(match: AnyMatch) -> bool:
    """Does a frontend's player hold a seat? Their lists tell whose turn it is."""
    return any(holder.id is not None for holder in match.holders.values())


def rows(number: int, match: AnyMatch) -> list[tuple[Any, ...]]:
    """Return a row for each seat of the match that has this number.

    Where its game cannot say who is asked for something, the rows say that nobody is: one match
    must not stop the projector for all others.
    """
    try:
        asked = {ask.seat for ask in match.asks} if has_players(match) else set()
    except POISON as error:
        _LOG.error("asks_not_known", match=str(match.id), error=repr(error))
        asked = set()
    if match.pending is not None and match.result is None:
        asked |= {*match.pending.awaiting}
    return [_row(number, match, seat, asked) for seat in match.seats]


def names(seats: Iterable[tuple[Any, ...]]) -> list[tuple[str]]:
    """The names in these rows, which are kept once each."""
    return [(row[3],) for row in seats if row[3]]


def _row(number: int, match: AnyMatch, seat: str, asked: set[str]) -> tuple[Any, ...]:
    holder = match.holders.get(seat)
    player = (holder.player or None) if holder else None
    name = folded(player) if player else None
    own = str(holder.id) if holder and holder.id else None
    last = (_outcome(match, seat), (holder.bot or None) if holder else None)
    if own is None:
        return number, seat, player, name, None, 0, *last
    return number, seat, None, None, own, int(seat in asked), *last


def _outcome(match: AnyMatch, seat: str) -> str | None:
    """How the match ended for a seat; None while it goes on."""
    if match.result is None:
        return None
    if not match.result.winners:
        return "drawn"
    return "won" if seat in match.result.winners else "lost"
