"""Which frontends are there, and what do they use?"""

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
    """A frontend, and what the matches that it created take up."""

    frontend: Frontend
    matches: int
    open_matches: int
    bytes: int


class FrontendPage(Struct, frozen=True):
    """Some of the frontends."""

    frontends: tuple[FrontendWithUsage, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""


class PlayerQuery(Struct, frozen=True):
    """Which players are wanted: those that fit all that is set."""

    among: frozenset[str] | None = None
    """IDs of players; None for all."""
    created: tuple[tuple[str, datetime], ...] = ()
    """How the time of creation compares with others: SQL operators and times."""


class PlayerPage(Struct, frozen=True):
    """Some of a frontend's players."""

    players: tuple[Player, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""


def frontend_page(connection: sqlite3.Connection, size: int, after: int = 0) -> FrontendPage:
    """At most `size` frontends, the first registered first; those after `after`, which is a page's
    `next`."""
    rows = connection.execute(
        f"{_SELECT} WHERE kind = ? AND number > ? ORDER BY number LIMIT ?",
        (FRONTEND, after, size + 1),
    ).fetchall()
    page = rows[:size]
    return FrontendPage(tuple(map(_usage, page)), page[-1][0] if len(rows) > size else None)


def frontend_usage(connection: sqlite3.Connection, identity: UUID) -> FrontendWithUsage | None:
    """A frontend and what it uses; None if the read models do not know it."""
    row = connection.execute(f"{_SELECT} WHERE identity = ?", (str(identity),)).fetchone()
    return _usage(row) if row else None


def frontend_of_issuer(connection: sqlite3.Connection, issuer: str) -> UUID | None:
    """The frontend that has this issuer; None if none has."""
    row = connection.execute("SELECT identity FROM accounts WHERE issuer = ?", (issuer,)).fetchone()
    return UUID(row[0]) if row else None


def player_page(
    connection: sqlite3.Connection,
    frontend: UUID,
    size: int,
    place: int = 0,
    wanted: PlayerQuery | None = None,
    *,
    descending: bool = False,
) -> PlayerPage:
    """Return at most `size` players of a frontend that fit, without deleted ones, by default the
    first created first; `place` is the `next` of the page before, or 0."""
    wanted, keys = wanted or PlayerQuery(), keyset("number", place, descending=descending)
    conditions, values = ["frontend = ?", keys.condition], [str(frontend)]
    if wanted.among is not None:
        conditions.append("identity IN (SELECT value FROM json_each(?))")
        values.append(msgspec.json.encode(sorted(wanted.among)).decode())
    for comparison, time in wanted.created:
        conditions.append(f"{_CREATED} {comparison} ?")
        values.append(str(msgspec.to_builtins(time)).rstrip("Z"))
    # Only texts from the code go into the statement; what callers gave are values.
    rows = connection.execute(
        f"SELECT number, state FROM accounts WHERE {' AND '.join(conditions)}"  # noqa: S608
        f" ORDER BY {keys.order} LIMIT ?",
        (*values, size + 1),
    ).fetchall()
    page = [DECODERS[PLAYER].decode(state) for _, state in rows[:size]]
    return PlayerPage(tuple(page), rows[size - 1][0] if len(rows) > size else None)


def frontends_with_webhooks(connection: sqlite3.Connection) -> list[UUID]:
    """The frontends to which notices are posted."""
    rows = connection.execute(
        "SELECT identity FROM accounts WHERE kind = ?"
        " AND json_array_length(state, '$.webhooks') > 0"
        " AND json_extract(state, '$.deleted') IS NULL",
        (FRONTEND,),
    ).fetchall()
    return [UUID(identity) for (identity,) in rows]


def version(connection: sqlite3.Connection, account: UUID) -> int:
    """The version of a frontend or player that the read models have; 0 if they do not know it."""
    row = connection.execute(
        "SELECT version FROM accounts WHERE identity = ?", (str(account),)
    ).fetchone()
    return row[0] if row else 0


_CREATED: Final = "rtrim(json_extract(state, '$.created'), 'Z')"
"""Sorts as times do: whole seconds have no fraction, and `Z` would come after one."""
_SELECT: Final = "SELECT number, state, matches, open_matches, bytes FROM accounts"


def _usage(row: tuple[Any, ...]) -> FrontendWithUsage:
    _, state, *used = row
    return FrontendWithUsage(DECODERS[FRONTEND].decode(state), *used)
