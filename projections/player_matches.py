"""A player's matches over all of them: which wait for the player, and how the others ended."""

import sqlite3
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from projections.board_views import STANDING, Standing, UnreadableMatch, listed

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
