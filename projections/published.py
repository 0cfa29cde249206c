"""A file for everybody: what is public of all matches, for Datasette and SQL.

It has these tables, with these columns, and nothing else: of public matches, as a spectator knows
them. There is no text in it that a person wrote, and no name, neither in a column nor in a
sentence: a file that was handed on cannot be called back when a player is erased.
"""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.kernel.game import SPECTATOR
from domain.match import ActionTaken, AnyMatch, on_line
from domain.registry import GAMES
from projections import board_views
from projections.following.endings import moment
from projections.visible_events import see

if TYPE_CHECKING:
    from sqlite_utils import Database

STEPS: Final = 256
"""Events that are made sentences of at once."""

PUBLISHED: Final[dict[str, dict[str, type]]] = {
    "games": {"game": str, "name": str, "summary": str},
    "rules": {"game": str, "rule": str, "meaning": str, "source": str},
    "matches": {
        "match": str,
        "game": str,
        "options": str,
        "status": str,
        "created": str,
        "ended": str,
        "actions": int,
        "seconds": int,
        "reason": str,
        "is_fork": int,
    },
    "seats": {"match": str, "seat": str, "player": str, "outcome": str},
    "openings": {"match": str, "actions": int, "opening": str},
    "cited": {"match": str, "game": str, "rule": str, "events": int},
    "events": {
        "match": str,
        "version": int,
        "at": str,
        "seat": str,
        "action": str,
        "sentence": str,
        "on_line": int,
    },
}
"""The tables and their columns."""
_KEYS: Final[dict[str, Any]] = {
    "games": "game",
    "rules": ("game", "rule"),
    "matches": "match",
    "seats": ("match", "seat"),
    "openings": ("match", "actions"),
    "cited": ("match", "rule"),
    "events": ("match", "version"),
}
_FOREIGN: Final[dict[str, list[tuple[str, str, str]]]] = {
    "matches": [("game", "games", "game")],
    "rules": [("game", "games", "game")],
    **{
        table: [("match", "matches", "match")] for table in ("seats", "openings", "cited", "events")
    },
}

_PUBLIC: Final = (
    "SELECT number, match FROM matches"
    " WHERE json_extract(state, '$.terms.visibility') = 'public'"
    " AND match NOT IN (SELECT match FROM troubles) ORDER BY number"
)
_MATCH: Final = (
    "SELECT m.match, m.game, m.status, e.options, e.ended, e.actions, e.seconds, e.reason"
    " FROM matches m LEFT JOIN endings e ON e.match = m.number WHERE m.number = ?"
)
_ROWS: Final[dict[str, str]] = {
    "seats": "SELECT seat, holder, outcome FROM seats WHERE match = ?",
    "openings": "SELECT actions, opening FROM openings WHERE match = ?",
}
_CITED: Final = "SELECT rule, events FROM cited WHERE match = ?"


class Published(Struct, frozen=True):
    """What a file has."""

    matches: int
    events: int


def publish(
    reads: sqlite3.Connection, path: Path, told: Callable[[int], object] = lambda matches: None
) -> Published:
    """Write a new file of what the read models have now. `told` hears how many matches are done.
    Raises sqlite3.Error if one of the two cannot be used."""
    # Only here: it takes long to load.
    from sqlite_utils import Database

    database = Database(path)
    try:
        for table, columns in PUBLISHED.items():
            database.table(table).create(
                columns, pk=_KEYS[table], foreign_keys=_FOREIGN.get(table, ()), strict=True
            )
        _put(database, "games", ((g.slug, g.name, g.summary) for g in GAMES.values()))
        _put(
            database,
            "rules",
            (
                (game.slug, rule.id, rule.meaning, rule.source)
                for game in GAMES.values()
                for rule in game.rules.values()
            ),
        )
        reads.execute("BEGIN")  # all of it as it is at one moment
        found = _put_matches(reads, database, told)
        database.table("events").enable_fts(["sentence"], tokenize="porter unicode61")
        database.table("openings").create_index(["actions", "opening"])
        database.table("cited").create_index(["game", "rule"])
        database.vacuum()
        return found
    finally:
        reads.rollback()
        database.close()


def _put_matches(
    reads: sqlite3.Connection, database: "Database", told: Callable[[int], object]
) -> Published:
    matches = events = 0
    for number, identity in reads.execute(_PUBLIC).fetchall():
        found = board_views.present(reads, UUID(identity))
        assert found is not None
        match = found.match
        _put(database, "matches", [_match_row(reads, number, match)])
        for table, select in _ROWS.items():
            rows = reads.execute(select, (number,)).fetchall()
            _put(database, table, [(identity, *row) for row in rows])
        cited = reads.execute(_CITED, (number,)).fetchall()
        _put(database, "cited", [(identity, match.game, *row) for row in cited])
        for rows in _event_rows(reads, match):
            _put(database, "events", rows)
            events += len(rows)
        matches += 1
        told(matches)
    return Published(matches, events)


def _match_row(reads: sqlite3.Connection, number: int, match: AnyMatch) -> tuple[Any, ...]:
    ((identity, game, status, options, *ended),) = reads.execute(_MATCH, (number,))
    end, actions, seconds, reason = ended
    is_fork = int(match.terms.origin is not None)
    return (
        identity, game, options, status, moment(match.created), end, actions, seconds, reason,
        is_fork,
    )  # fmt: skip


def _event_rows(reads: sqlite3.Connection, match: AnyMatch) -> Iterator[list[tuple[Any, ...]]]:
    """What was played. Other events may have names in their sentences, or what a person wrote."""
    for after in range(0, match.version, STEPS):
        yield [
            (
                str(match.id),
                seen.version,
                moment(seen.at),
                seen.seat,
                seen.action.notation if seen.action else "",
                seen.sentence,
                int(on_line(match, seen.version)),
            )
            for step in board_views.steps(reads, match.id, after, STEPS)
            if isinstance(step.sealed.event, ActionTaken)
            for seen in [see(step, SPECTATOR)]
        ]


def _put(database: "Database", table: str, rows: Any) -> None:
    names = tuple(PUBLISHED[table])
    database.table(table).insert_all(dict(zip(names, row, strict=True)) for row in rows)


METADATA: Final[dict[str, Any]] = {
    "title": "Matches",
    "description": "Public matches of an Emeth service, as a spectator knows them.",
    "databases": {
        "*": {
            "queries": {
                "openings": {
                    "title": "Openings of a game, and how they went",
                    "sql": "select opening, seats.seat, count(*) as matches,"
                    " sum(outcome = 'won') as won, sum(outcome = 'drawn') as drawn"
                    " from openings join matches using (match) join seats using (match)"
                    " where game = :game and openings.actions = 2 and outcome is not null"
                    " and is_fork = 0 group by 1, 2 order by matches desc, 1",
                },
                "rules_cited_most": {
                    "title": "The rules that a game's matches rest on most",
                    "sql": "select rule, meaning, sum(events) as events,"
                    " count(distinct match) as matches from cited join rules using (game, rule)"
                    " where game = :game group by 1, 2 order by events desc",
                },
                "sentences": {
                    "title": "What was told, found by words",
                    "sql": "select match, version, snippet(events_fts, 0, '[', ']', ' … ', 24)"
                    " as found from events_fts join events on events.rowid = events_fts.rowid"
                    " where events_fts match :words order by events_fts.rowid desc limit 50",
                },
            }
        }
    },
}
"""What Datasette may be given beside the file: titles and queries."""


def metadata(path: Path) -> bytes:
    """The metadata file for a file of this name."""
    named = {**METADATA, "databases": {path.stem: METADATA["databases"]["*"]}}
    return msgspec.json.format(msgspec.json.encode(named), indent=2) + b"\n"
