"""Which matches have bots in them that may have something to do."""

import sqlite3
from uuid import UUID


def seated_bots(connection: sqlite3.Connection) -> list[UUID]:
    """Every match that is not over in which a bot holds a seat."""
    rows = connection.execute(
        "SELECT DISTINCT matches.match FROM seats JOIN matches ON matches.number = seats.match"
        " WHERE seats.bot IS NOT NULL AND matches.status <> 'over'"
    )
    return [UUID(match) for (match,) in rows]
