"""How a player's matches ended."""

import sqlite3
from typing import Final
from uuid import UUID

from msgspec import Struct

from projections.following.endings import USUAL_OPENING

MOST_COUNTS: Final = 1_000
"""Rows of results, at most."""


class OutcomeCount(Struct, frozen=True):
    """How matches of one game ended for one seat, after one opening."""

    game: str
    seat: str
    opening: str
    won: int
    drawn: int
    lost: int


def results(
    connection: sqlite3.Connection, player: UUID, opponent: UUID | None = None, game: str = ""
) -> list[OutcomeCount]:
    """How a player fared by game, seat and opening, the most played first; with an opponent, only
    where that one held another seat."""
    rows = connection.execute(
        "SELECT endings.game, seat, opening, sum(outcome = 'won'), sum(outcome = 'drawn'),"
        " sum(outcome = 'lost') FROM seats own JOIN endings USING (match)"
        " JOIN openings ON openings.match = own.match AND openings.actions = :opening"
        " WHERE holder = :player AND outcome IS NOT NULL"
        " AND (:game = '' OR endings.game = :game)"
        " AND (:opponent IS NULL OR EXISTS (SELECT 1 FROM seats other WHERE"
        " other.match = own.match AND other.holder = :opponent AND other.seat != own.seat))"
        " GROUP BY endings.game, seat, opening ORDER BY count(*) DESC, 1, 2, 3",
        {
            "player": str(player),
            "opponent": str(opponent) if opponent else None,
            "game": game,
            "opening": USUAL_OPENING,
        },
    ).fetchall()
    return [OutcomeCount(*row) for row in rows]
