"""A player's matches over all of them: which wait for the player, and how the others ended."""

import sqlite3
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from projections.board_views import STANDING, Standing, UnreadableMatch, listed
from projections.following.endings import USUAL_OPENING

Which = Literal["all", "my-turn", "waiting", "finished"]

_WHICH: Final[dict[Which, str]] = {
    "all": "true",
    "my-turn": "status != 'over' AND asked = 1",
    "waiting": "status != 'over' AND asked = 0",
    "finished": "status = 'over'",
}
_OF_PLAYER: Final = (
    " JOIN (SELECT match AS held, group_concat(seat, ' ') AS seats, max(asked) AS asked"
    " FROM seats WHERE holder = :player GROUP BY match) ON held = number"
)
_HELD: Final = STANDING.replace("SELECT", "SELECT last_event, seats, asked,", 1) + _OF_PLAYER
_WANTED: Final = "(:game = '' OR game = :game) AND (:after IS NULL OR last_event < :after)"
MOST_COUNTS: Final = 1_000
"""Rows of results, at most."""


class HeldMatch(Struct, frozen=True):
    """A match in which a player holds seats."""

    standing: Standing | UnreadableMatch
    seats: tuple[str, ...]
    my_turn: bool


class HeldMatches(Struct, frozen=True):
    """Some of a player's matches."""

    matches: tuple[HeldMatch, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""


class OutcomeCount(Struct, frozen=True):
    """How matches of one game ended for one seat, after one opening."""

    game: str
    seat: str
    opening: str
    won: int
    drawn: int
    lost: int


def held(
    connection: sqlite3.Connection,
    player: UUID,
    size: int,
    *,
    which: Which = "all",
    game: str = "",
    after: int | None = None,
) -> HeldMatches:
    """At most `size` of a player's matches, the latest changed first; those after `after`, which is
    a page's `next`."""
    # Only texts of this module go into the statement; what callers gave are values.
    rows = connection.execute(
        f"{_HELD} WHERE {_WHICH[which]} AND {_WANTED} ORDER BY last_event DESC LIMIT :most",
        {"player": str(player), "game": game, "after": after, "most": size + 1},
    ).fetchall()
    page = rows[:size]
    return HeldMatches(
        tuple(
            HeldMatch(
                found := listed(connection, tuple(row[3:])),
                tuple(row[1].split()),
                bool(row[2]) and isinstance(found, Standing) and found.match.result is None,
            )
            for row in page
        ),
        page[-1][0] if len(rows) > size else None,
    )


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
