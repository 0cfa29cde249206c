"""Queries for notices: those to one player, or those to all players of a frontend."""

import sqlite3
from datetime import UTC, datetime
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.kernel.game import REFEREE, SPECTATOR
from projections.projector.notice_rows import (
    NUMBERS_PER_TURN,
    TURN_OFFSET,
    NoticeKind,
    turn_position,
)
from projections.projector.schema import name_lookup_of
from projections.views.english import ENGLISH

MAX_NOTICE_NUMBER: Final = 2**62
"""An upper bound of notice numbers. SQLite rejects integers from 2**63 on."""


class Notice(Struct, frozen=True):
    """A notice to a player about one of the player's matches."""

    number: int
    player: UUID
    kind: NoticeKind
    match: UUID
    game: str
    title: str
    version: int
    seat: str
    winners: tuple[str, ...]
    """The seats that won, if the match ended; empty for a draw."""
    actor: str
    """Who invited the player or canceled the match: a name, a seat or another role. Empty for
    other notices, and if the actor is unknown."""
    at: datetime
    sentence: str


class NoticeFilter(Struct, frozen=True):
    """Conditions that notices must meet, all together."""

    after: int
    """Number of the last notice to leave out."""
    through: int = MAX_NOTICE_NUMBER
    """Number of the last notice to include."""
    since: int = 0
    """Position in the log of the last event to leave out."""
    kinds: tuple[str, ...] = ()
    """Kinds of notices to include; empty for all kinds."""
    games: tuple[str, ...] = ()
    """Games of the matches to include; empty for all games."""


def notices_to_player(
    connection: sqlite3.Connection, player: UUID, after: int, limit: int
) -> list[Notice]:
    """Return up to `limit` notices to a player with numbers greater than `after`, in order."""
    return _read(connection, "player", player, NoticeFilter(after), limit)


def notices_to_frontend(
    connection: sqlite3.Connection, frontend: UUID, notice_filter: NoticeFilter, limit: int
) -> list[Notice]:
    """Return up to `limit` notices to all players of a frontend, in order."""
    return _read(connection, "frontend", frontend, notice_filter, limit)


def number_before(connection: sqlite3.Connection, frontend: UUID, at: datetime) -> int:
    """Return the number just before a frontend's first notice at or after a time."""
    (first,) = connection.execute(
        "SELECT min(number) FROM notices WHERE frontend = ? AND at >= ?",
        (str(frontend), at.astimezone(UTC).isoformat()),
    ).fetchone()
    return newest_number(connection) if first is None else int(first) - 1


def newest_number(connection: sqlite3.Connection) -> int:
    """Return the number just before the first notice that may still be recorded."""
    (turns,) = connection.execute("SELECT turns FROM tracking").fetchone()
    return turn_position(int(turns)) * NUMBERS_PER_TURN + NUMBERS_PER_TURN - 1


def legacy_log_position(number: int) -> int:
    """Return the log position in a notice number of an earlier release, or 0 for a current number.

    Earlier releases made the number of a notice from the position of its event in the log.
    """
    place = number // NUMBERS_PER_TURN
    return place if place < TURN_OFFSET else 0


_SELECT: Final = (
    "SELECT n.number, n.player, n.kind, m.match, m.game, m.title, n.version, n.seat, n.at,"
    " n.winners, n.actor,"
    " json_extract(e.body, '$.seat'), json_extract(e.body, '$.player'),"
    " json_extract(e.body, '$.holder')"
    " FROM notices n JOIN matches m ON m.number = n.match"
    " JOIN events e ON e.match = n.match AND e.version = n.version"
)


_UUID_LENGTH: Final = 36
_ROLE_NAMES: Final = {
    "referee": "the referee",
    "creator": "the creator of the match",
    "frontend": "the site",
    "operator": "the operator",
}
"""Names of the roles without a seat that may invite to a match or cancel it."""
_INVITATION_SUFFIXES: Final = {"": ".any", REFEREE: ".referee", SPECTATOR: ".spectator"}
"""The suffix of the sentence key of an invitation, by role. Seats have the suffix `.seat`."""


def _read(
    connection: sqlite3.Connection,
    column: Literal["player", "frontend"],
    whom: UUID,
    notice_filter: NoticeFilter,
    limit: int,
) -> list[Notice]:
    since, after = (
        max(notice_filter.since, legacy_log_position(notice_filter.after)),
        min(notice_filter.after, MAX_NOTICE_NUMBER),
    )
    text = f"n.{column} = ? AND n.number > ? AND n.number <= ? AND n.place > ?"
    values: list[object] = [str(whom), after, notice_filter.through, since]
    for name, chosen in (("n.kind", notice_filter.kinds), ("m.game", notice_filter.games)):
        if chosen:
            text += f" AND {name} IN ({', '.join('?' * len(chosen))})"
            values += chosen
    rows = connection.execute(
        f"{_SELECT} WHERE {text} ORDER BY n.number LIMIT ?", (*values, limit)
    ).fetchall()
    return [_notice(connection, row) for row in rows]


def _notice(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Notice:
    number, player, kind, match, game, title, version, seat, at, won, actor, *said = row
    acting, name, holder = said
    by, text, winners = (acting or "").title(), f"notice.{kind}", tuple((won or "").split())
    actor, called = _actor_names(connection, actor or "")
    if kind in ("player-joined", "rematch-proposed"):
        by = name or (name_lookup_of(connection)(UUID(holder)) if holder else by)
    elif kind == "match-ended":
        text += ".won" if winners else ".drawn"
        by = " and ".join(each.title() for each in winners)
    elif kind in ("invited", "match-cancelled"):
        by = called
        text += _INVITATION_SUFFIXES.get(seat, ".seat") if kind == "invited" else ""
    return Notice(
        number,
        UUID(player),
        kind,
        UUID(match),
        game,
        title,
        version,
        seat,
        winners,
        actor,
        msgspec.convert(at, datetime),
        ENGLISH.sentence(text, seat=seat.title() or "a seat", by=by),
    )


def _actor_names(connection: sqlite3.Connection, actor: str) -> tuple[str, str]:
    """Return the actor's name or role, and the same as it appears in a sentence."""
    if len(actor) == _UUID_LENGTH:
        name = name_lookup_of(connection)(UUID(actor))
        return name, name
    return actor, _ROLE_NAMES.get(actor, actor.title() or "somebody")
