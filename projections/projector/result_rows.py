"""Rows about results: how matches ended, their openings, and the rules that their events cite.

Statistics are counted from these rows. An opening has the first actions that are not entries of
chance, as a spectator sees them. Citations are those that a spectator sees. So no row contains
hidden information.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

from domain.kernel.game import SPECTATOR
from domain.match import ActionTaken, AnyMatch, Event, line, target_version
from domain.match.recording import as_stored
from domain.storage.mapper import read_event
from projections.projector.schema import insert
from projections.views.viewer_events import redacted_action

MAX_OPENING_ACTIONS: Final = 6
"""Actions in the longest opening. Shorter openings have rows too."""
DEFAULT_OPENING_ACTIONS: Final = 2
"""Actions in an opening, unless a query sets another length."""
MAX_SCANNED_EVENTS: Final = 2_000
"""First events of a match that are read for its opening and its citations. The limit bounds the
cost of a match's end."""

_UPSERT_ENDINGS: Final = ("INSERT OR REPLACE INTO endings VALUES ", 9, "")
_INSERT_OPENINGS: Final = ("INSERT INTO openings VALUES ", 3, "")
_DELETES: Final = (
    "DELETE FROM endings WHERE match = ?",
    "DELETE FROM openings WHERE match = ?",
    "DELETE FROM cited WHERE match = ?",
)
_INSERT_CITED: Final = ("INSERT INTO cited VALUES ", 3, "")


class ResultChange(NamedTuple):
    """A change of a match's result."""

    at: datetime | None
    """When the match ended; None if it was resumed."""


def result_change(before: AnyMatch | None, event: Event, match: AnyMatch) -> ResultChange | None:
    """Return how an event changed the result of its match, or None if it did not."""
    was = None if before is None else before.result
    if match.result is None:
        return None if was is None else ResultChange(None)
    again = was is None or match.result != was or target_version(event) is not None
    return ResultChange(event.at) if again else None


def write(
    connection: sqlite3.Connection, number: int, match: AnyMatch, ended: ResultChange
) -> None:
    """Write the result rows of a match, or delete them if the match was resumed.

    The rows of the match and its events must be written before.
    """
    for forget in _DELETES:
        connection.execute(forget, (number,))
    if match.result is None or ended.at is None:
        return
    opening, rules = _opening_and_citations(connection, number, match)
    insert(connection, _UPSERT_ENDINGS, [_row(connection, number, match, ended.at)])
    lengths = range(1, MAX_OPENING_ACTIONS + 1)
    insert(
        connection,
        _INSERT_OPENINGS,
        [(number, each, ", ".join(opening[:each])) for each in lengths],
    )
    insert(connection, _INSERT_CITED, [(number, rule, times) for rule, times in rules.items()])


def update_visibility(connection: sqlite3.Connection, number: int, match: AnyMatch) -> None:
    """Update whether the result of a match is public."""
    is_public = int(match.terms.visibility == "public")
    connection.execute("UPDATE endings SET is_public = ? WHERE match = ?", (is_public, number))


def _row(
    connection: sqlite3.Connection, number: int, match: AnyMatch, at: datetime
) -> tuple[Any, ...]:
    assert match.result is not None
    return (
        number,
        match.game,
        _scalar_options(match),
        int(match.terms.visibility == "public"),
        int(match.terms.origin is not None),
        _count_actions(connection, number, match),
        max(int((at - match.created).total_seconds()), 0),
        match.result.reason,
        sortable_time(at),
    )


def sortable_time(at: datetime) -> str:
    """Return a time as text that sorts in the order of time."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _scalar_options(match: AnyMatch) -> str:
    """Return the options with a single value as JSON, without armies and packs."""
    stored = as_stored(match.options)
    plain = {name: value for name, value in stored.items() if not isinstance(value, list | dict)}
    return msgspec.json.encode(plain).decode()


def _opening_and_citations(
    connection: sqlite3.Connection, number: int, match: AnyMatch
) -> tuple[list[str], Counter[str]]:
    """Return the opening, and how many events of the line cite each rule."""
    game = match.rules
    opening: list[str] = []
    rules: Counter[str] = Counter()
    for event in _first_events(connection, number, match):
        done = redacted_action(game, event, SPECTATOR)
        rules.update({rule for ruling in done.rulings for rule in ruling.rules})
        is_choice = isinstance(event, ActionTaken) and not event.entry
        if is_choice and len(opening) < MAX_OPENING_ACTIONS:
            opening.append(game.write_action(done.action))
    return opening, rules


def _first_events(connection: sqlite3.Connection, number: int, match: AnyMatch) -> Iterator[Event]:
    left = MAX_SCANNED_EVENTS
    for versions in line(match):
        rows = connection.execute(
            "SELECT body FROM events WHERE match = ? AND version BETWEEN ? AND ?"
            " ORDER BY version LIMIT ?",
            (number, versions.start, versions.stop - 1, left),
        ).fetchall()
        left -= len(rows)
        for (body,) in rows:
            yield read_event(body.encode())


def _count_actions(connection: sqlite3.Connection, number: int, match: AnyMatch) -> int:
    """Return the number of actions of the line that are not entries of chance."""
    count = 0
    for versions in line(match):
        (found,) = connection.execute(
            "SELECT count(*) FROM events WHERE match = ? AND version BETWEEN ? AND ?"
            " AND json_extract(body, '$.type') = 'match.ActionTaken'"
            " AND json_extract(body, '$.entry') IS NOT 1",
            (number, versions.start, versions.stop - 1),
        ).fetchone()
        count += found
    return count
