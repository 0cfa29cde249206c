"""Rows of how matches ended: after which opening, how many actions, and how long.

An opening is the first two actions that told no chance, as a spectator sees them, so that nothing
that was hidden is in it.
"""

import sqlite3
from itertools import islice
from typing import Any, Final

import msgspec

from domain.kernel.game import SPECTATOR
from domain.match import ActionTaken, AnyMatch, line
from projections import board_views
from projections.following.schema import insert
from projections.visible_events import happening

OPENING: Final = 2
"""Actions of an opening."""
LOOKED_AT: Final = 96
"""Events of a match in which its opening is looked for."""

_ENDINGS: Final = ("INSERT OR REPLACE INTO endings VALUES ", 7, "")


def write(connection: sqlite3.Connection, number: int, match: AnyMatch, updated: str) -> None:
    """Write how a match ended, once its events and its row are there; or that it goes on again."""
    if match.result is None:
        connection.execute("DELETE FROM endings WHERE match = ?", (number,))
        return
    insert(connection, _ENDINGS, [_row(connection, number, match, updated)])


def _row(
    connection: sqlite3.Connection, number: int, match: AnyMatch, updated: str
) -> tuple[Any, ...]:
    assert match.result is not None
    took = msgspec.convert(updated, type(match.created)) - match.created
    return (
        number,
        match.game,
        _opening(connection, match),
        _actions(connection, number, match),
        max(int(took.total_seconds()), 0),
        match.result.reason,
        " ".join(match.result.winners),
    )


def _opening(connection: sqlite3.Connection, match: AnyMatch) -> str:
    versions = {version for stretch in line(match) for version in stretch}
    found = (
        match.rules.write_action(happening(match.rules, event, SPECTATOR).action)
        for step in board_views.steps(connection, match.id, 0, LOOKED_AT)
        if isinstance(event := step.sealed.event, ActionTaken)
        and not event.entry
        and step.after.version in versions
    )
    return ", ".join(islice(found, OPENING))


def _actions(connection: sqlite3.Connection, number: int, match: AnyMatch) -> int:
    """How many actions of the line told no chance."""
    count = 0
    for stretch in line(match):
        (found,) = connection.execute(
            "SELECT count(*) FROM events WHERE match = ? AND version BETWEEN ? AND ?"
            " AND json_extract(body, '$.type') = 'match.ActionTaken'"
            " AND json_extract(body, '$.entry') IS NOT 1",
            (number, stretch.start, stretch.stop - 1),
        ).fetchone()
        count += found
    return count
