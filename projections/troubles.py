"""Matches, armies and tables that stand still since an event of theirs could not be understood."""

import sqlite3
from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from domain.aggregates.topics import MATCH


class Trouble(Struct, frozen=True):
    """Where a match, an army or a table came to a stop."""

    match: UUID
    version: int
    """Of the event that could not be understood; it and all after it are missing."""
    why: str


def troubles(connection: sqlite3.Connection, kind: str = MATCH) -> list[Trouble]:
    """All of a kind."""
    rows = connection.execute(
        "SELECT match, version, why FROM troubles WHERE kind = ? ORDER BY match", (kind,)
    ).fetchall()
    return [Trouble(UUID(match), version, why) for match, version, why in rows]


def trouble_of(connection: sqlite3.Connection, identity: UUID) -> Trouble | None:
    """Why a match, army or table stands still; None if it does not."""
    row = connection.execute(
        "SELECT match, version, why FROM troubles WHERE match = ?", (str(identity),)
    ).fetchone()
    return Trouble(UUID(row[0]), *row[1:]) if row else None


def check(connection: sqlite3.Connection, identities: Iterable[UUID]) -> None:
    """Raise TroubleError for the first of these that stands still."""
    for identity in identities:
        if (trouble := trouble_of(connection, identity)) is not None:
            raise TroubleError(trouble)


class TroubleError(Exception):
    """What is asked for stands still, so that what the read models have of it is old."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.why)
        self.trouble = trouble
