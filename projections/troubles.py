"""Matches that stand still because one of their events could not be understood."""

import sqlite3
from uuid import UUID

from msgspec import Struct


class Trouble(Struct, frozen=True):
    """Where a match came to a stop."""

    match: UUID
    version: int
    """Of the event that could not be understood; it and all after it are missing."""
    why: str


def troubles(connection: sqlite3.Connection) -> list[Trouble]:
    """All of them."""
    rows = connection.execute("SELECT match, version, why FROM troubles ORDER BY match").fetchall()
    return [Trouble(UUID(match), version, why) for match, version, why in rows]
