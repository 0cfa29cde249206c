"""Queries for frontends with their usage, and for their players."""

import sqlite3
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.frontend import Frontend
from domain.player import Player
from domain.storage.topics import FRONTEND, PLAYER
from projections.projector.account_rows import DECODERS
from projections.queries.keysets import keyset


class FrontendWithUsage(Struct, frozen=True):
    """A frontend, with the number and the size of the matches that it created."""

    frontend: Frontend
    matches: int
    open_matches: int
    bytes: int


class FrontendPage(Struct, frozen=True):
    """A page of frontends."""

    frontends: tuple[FrontendWithUsage, ...]
    next: int | None
    """The `after` of the next page; None after the last page."""


class PlayerQuery(Struct, frozen=True):
    """Conditions that players must meet, all together."""

    among: frozenset[str] | None = None
    """IDs of players; None for all."""
    created: tuple[tuple[str, datetime], ...] = ()
    """Comparisons with the time of creation: SQL operators, from trusted code only, and times."""


class PlayerPage(Struct, frozen=True):
    """A page of a frontend's players."""

    players: tuple[Player, ...]
    next: int | None
    """The `place` of the next page; None after the last page."""


def frontend_page(connection: sqlite3.Connection, size: int, after: int = 0) -> FrontendPage:
    """Return a page of frontends, in order of registration.

    Args:
        connection: The read models.
        size: Maximum number of frontends.
        after: `next` of the previous page; 0 for the first page.
    """
    rows = connection.execute(
        f"{_SELECT} WHERE kind = ? AND number > ? ORDER BY number LIMIT ?",
        (FRONTEND, after, size + 1),
    ).fetchall()
    page = rows[:size]
    return FrontendPage(tuple(map(_usage, page)), page[-1][0] if len(rows) > size else None)


def frontend_usage(connection: sqlite3.Connection, identity: UUID) -> FrontendWithUsage | None:
    """Return a frontend with its usage, or None if the read models do not have it."""
    row = connection.execute(f"{_SELECT} WHERE identity = ?", (str(identity),)).fetchone()
    return _usage(row) if row else None


def frontend_of_issuer(connection: sqlite3.Connection, issuer: str) -> UUID | None:
    """Return the frontend with this token issuer, or None."""
    row = connection.execute("SELECT identity FROM accounts WHERE issuer = ?", (issuer,)).fetchone()
    return UUID(row[0]) if row else None


def player_page(
    connection: sqlite3.Connection,
    frontend: UUID,
    size: int,
    place: int = 0,
    query: PlayerQuery | None = None,
    *,
    descending: bool = False,
) -> PlayerPage:
    """Return a page of a frontend's players without deleted ones, by default the oldest first.

    Args:
        connection: The read models.
        frontend: ID of the frontend.
        size: Maximum number of players.
        place: `next` of the previous page; 0 for the first page.
        query: Conditions that the players must meet; None for all players.
        descending: Whether the latest created player comes first.
    """
    query, keys = query or PlayerQuery(), keyset("number", place, descending=descending)
    conditions, values = ["frontend = ?", keys.condition], [str(frontend)]
    if query.among is not None:
        conditions.append("identity IN (SELECT value FROM json_each(?))")
        values.append(msgspec.json.encode(sorted(query.among)).decode())
    for comparison, time in query.created:
        conditions.append(f"{_CREATED} {comparison} ?")
        values.append(str(msgspec.to_builtins(time)).rstrip("Z"))
    # The statement has only texts of the code; input of callers is bound as values.
    rows = connection.execute(
        f"SELECT number, state FROM accounts WHERE {' AND '.join(conditions)}"  # noqa: S608
        f" ORDER BY {keys.order} LIMIT ?",
        (*values, size + 1),
    ).fetchall()
    page = [DECODERS[PLAYER].decode(state) for _, state in rows[:size]]
    return PlayerPage(tuple(page), rows[size - 1][0] if len(rows) > size else None)


def frontends_with_webhooks(connection: sqlite3.Connection) -> list[UUID]:
    """Return the frontends with webhooks."""
    rows = connection.execute(
        "SELECT identity FROM accounts WHERE kind = ?"
        " AND json_array_length(state, '$.webhooks') > 0"
        " AND json_extract(state, '$.deleted') IS NULL",
        (FRONTEND,),
    ).fetchall()
    return [UUID(identity) for (identity,) in rows]


def version(connection: sqlite3.Connection, account: UUID) -> int:
    """Return the version of a frontend or player in the read models, or 0 without a row."""
    row = connection.execute(
        "SELECT version FROM accounts WHERE identity = ?", (str(account),)
    ).fetchone()
    return row[0] if row else 0


_CREATED: Final = "rtrim(json_extract(state, '$.created'), 'Z')"
"""A time that sorts as text. Whole seconds have no fraction, and `Z` would sort after one."""
_SELECT: Final = "SELECT number, state, matches, open_matches, bytes FROM accounts"


def _usage(row: tuple[Any, ...]) -> FrontendWithUsage:
    _, state, *used = row
    return FrontendWithUsage(DECODERS[FRONTEND].decode(state), *used)
