"""What players of frontends are told, in order: for one player, or for all of a frontend."""

import sqlite3
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from projections.english import ENGLISH
from projections.following.notices import BEYOND_PLACES, PER_EVENT, NoticeKind, after_turn
from projections.following.schema import names_of


class Notice(Struct, frozen=True):
    """Something that a player is told."""

    number: int
    player: UUID
    kind: NoticeKind
    match: UUID
    game: str
    title: str
    version: int
    seat: str
    at: datetime
    sentence: str


def to_player(connection: sqlite3.Connection, player: UUID, after: int, limit: int) -> list[Notice]:
    """Up to `limit` notices to a player, in order, those after this number."""
    return _read(connection, "player", player, after, limit)


def to_frontend(
    connection: sqlite3.Connection, frontend: UUID, after: int, since: int, limit: int
) -> list[Notice]:
    """The same to all players of a frontend, of events behind this place in the log."""
    return _read(connection, "frontend", frontend, after, limit, since)


def newest(connection: sqlite3.Connection) -> int:
    """The number after which come those of events that are recorded from now on."""
    (turns,) = connection.execute("SELECT turns FROM tracking").fetchone()
    return after_turn(int(turns)) * PER_EVENT + PER_EVENT - 1


def place_of(number: int) -> int:
    """Return the place in the log of a notice that an earlier version numbered by it; 0 for one
    that is numbered by its turn."""
    place = number // PER_EVENT
    return place if place < BEYOND_PLACES else 0


_BY: Final = {
    "player": "n.player = ? AND n.number > ? AND n.place > ? ORDER BY n.number LIMIT ?",
    "frontend": "n.frontend = ? AND n.number > ? AND n.place > ? ORDER BY n.number LIMIT ?",
}
_SELECT: Final = (
    "SELECT n.number, n.player, n.kind, m.match, m.game, m.title, n.version, n.seat, n.at,"
    " json_extract(e.body, '$.seat'), json_extract(e.body, '$.player'),"
    " json_extract(e.body, '$.holder')"
    " FROM notices n JOIN matches m ON m.number = n.match"
    " JOIN events e ON e.match = n.match AND e.version = n.version WHERE "
)
_FARTHEST: Final = 2**62
"""No log is as long; SQLite refuses numbers that are twice as large."""


def _read(
    connection: sqlite3.Connection, by: str, whom: UUID, after: int, limit: int, since: int = 0
) -> list[Notice]:
    values = (str(whom), min(after, _FARTHEST), max(since, place_of(after)), limit)
    rows = connection.execute(_SELECT + _BY[by], values).fetchall()
    return [_notice(connection, row) for row in rows]


def _notice(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Notice:
    number, player, kind, match, game, title, version, seat, at, acting, name, holder = row
    by = (acting or "").title()
    if kind == "seat-claimed":
        by = name or (names_of(connection)(UUID(holder)) if holder else by)
    return Notice(
        number,
        UUID(player),
        kind,
        UUID(match),
        game,
        title,
        version,
        seat,
        msgspec.convert(at, datetime),
        ENGLISH.sentence(f"notice.{kind}", seat=seat.title(), by=by),
    )
