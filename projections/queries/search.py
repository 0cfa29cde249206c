"""Where in any public match is something told? Found by words, with the words around them.

The index has the events of public matches that are actions, as a spectator may know them, and no
texts: what was found is told again, so that it is in today's words. It is filled when somebody
looks for something, and a little now and then, since making sentences costs many times what
following the log does.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from typing import Final
from uuid import UUID

import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import SPECTATOR
from projections.projector.schema import insert
from projections.queries.full_text import (
    ELLIPSIS,
    HIGHLIGHT_END,
    HIGHLIGHT_START,
    MAX_SNIPPET_WORDS,
    all_words_query,
    parse_snippet,
)
from projections.queries.projection_errors import UNREADABLE_ERRORS
from projections.views import board_views
from projections.views.viewer_events import EventView, render_event

_LOG: Final = structlog.get_logger("emeth.projections")

_INSERT_TEXT: Final = ("INSERT INTO told (rowid, text) VALUES ", 2, "")
_SELECT_UNINDEXED: Final = (
    "SELECT e.rowid, m.match, e.version, json_extract(e.body, '$.type') = 'match.ActionTaken'"
    " AND json_extract(m.state, '$.terms.visibility') = 'public'"
    " FROM events e JOIN matches m ON m.number = e.match"
    " WHERE e.rowid > ? ORDER BY e.rowid LIMIT ?"
)
_SELECT_HITS: Final = (
    "SELECT told.rowid, m.match, m.game, m.title, e.version FROM told"
    " JOIN events e ON e.rowid = told.rowid JOIN matches m ON m.number = e.match"
    " WHERE told MATCH :words AND told.rowid < :before AND (:game = '' OR m.game = :game)"
    # One that was public when its words were put there may not be any more.
    " AND m.audience IN ('public', 'shared')"
    " ORDER BY told.rowid DESC LIMIT :most"
)
_MAX_ROWID: Final = 2**62
"""No read file has as many events."""


class SearchHit(Struct, frozen=True):
    """An event that is told with what was looked for."""

    match: UUID
    game: str
    title: str
    event: EventView
    """With its snippet."""


class SearchPage(Struct, frozen=True):
    """Some events."""

    found: tuple[SearchHit, ...]
    next: int | None
    """What to ask for the next page with; None after the last."""
    behind: int
    """Events that are not in the index yet."""


def search_events(
    connection: sqlite3.Connection, text: str, size: int, *, game: str = "", before: int = 0
) -> SearchPage:
    """At most `size` events that tell of all these words, the last first; `before` is a page's
    `next`."""
    values = {
        "words": all_words_query(text),
        "before": before or _MAX_ROWID,
        "game": game,
        "most": size + 1,
    }
    rows = connection.execute(_SELECT_HITS, values).fetchall()
    told = []
    for _, match, slug, title, version in rows[:size]:
        try:
            (step,) = board_views.read_transitions(connection, UUID(match), version - 1, 1)
            told.append(SearchHit(UUID(match), slug, title, render_event(step, SPECTATOR)))
        except UNREADABLE_ERRORS as error:
            _LOG.error("event_not_told", match=match, error=repr(error))
    events = find_with_snippets([each.event for each in told], text)
    return SearchPage(
        tuple(replace(told[n], event=event) for n, event in events.items()),
        rows[size - 1][0] if len(rows) > size else None,
        count_unindexed(connection),
    )


def count_unindexed(connection: sqlite3.Connection) -> int:
    """How many events have not been looked at for the index."""
    (count,) = connection.execute(
        "SELECT (SELECT coalesce(max(rowid), 0) FROM events) - event FROM telling"
    ).fetchone()
    return int(count)


def find_with_snippets(events: list[EventView], text: str) -> dict[int, EventView]:
    """Those that tell of all these words, by their places in the list, each with the words around
    what was found."""
    words = all_words_query(text)
    if not words or not events:
        return dict(enumerate(events))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        memory.execute(
            "CREATE VIRTUAL TABLE told USING fts5(sentence, rest, tokenize='porter unicode61')"
        )
        rows = [(n, event.sentence, searchable_text(event)) for n, event in enumerate(events)]
        insert(memory, ("INSERT INTO told (rowid, sentence, rest) VALUES ", 3, ""), rows)
        marked = memory.execute(
            "SELECT rowid, snippet(told, 0, :begins, :ends, :cut, :most),"
            " snippet(told, 1, :begins, :ends, :cut, :most) FROM told WHERE told MATCH :words"
            " ORDER BY rowid",
            {
                "begins": HIGHLIGHT_START,
                "ends": HIGHLIGHT_END,
                "cut": ELLIPSIS,
                "most": MAX_SNIPPET_WORDS,
                "words": words,
            },
        )
        return {
            n: replace(
                events[n], snippet=parse_snippet(around if HIGHLIGHT_START in around else rest)
            )
            for n, around, rest in marked
        }


def searchable_text(event: EventView) -> str:
    """What a search looks at beside the sentence. Rules are there by id only: their sentences would
    be found by words that have nothing to do with what happened."""
    words = [event.seat, event.player]
    if event.action:
        words += [event.action.notation, event.action.score_notation, *event.action.cards]
    words += [fact.sentence for fact in event.facts]
    for ruling in event.rulings:
        words += ruling.rules
    return "\n".join(words)


# --- writing, in the follower's turn ------------------------------------------------------------


class SearchText(Struct, frozen=True):
    """What is to be put into the index."""

    rows: list[tuple[int, str]]
    until: int
    """The last event that was looked at."""


def unindexed_events(connection: sqlite3.Connection, most: int) -> SearchText | None:
    """What `most` more events give to the index; None if there are no more."""
    (after,) = connection.execute("SELECT event FROM telling").fetchone()
    rows = connection.execute(_SELECT_UNINDEXED, (after, most)).fetchall()
    if not rows:
        return None
    told: list[tuple[int, str]] = []
    wanted = [row[:3] for row in rows if row[3]]
    for match, group in groupby(sorted(wanted, key=lambda row: row[1:]), key=lambda row: row[1]):
        versions = {version: number for number, _, version in group}
        try:
            told += _index_rows(connection, UUID(match), versions)
        except UNREADABLE_ERRORS as error:
            _LOG.error("events_not_told", match=match, error=repr(error))
    return SearchText(told, rows[-1][0])


def _index_rows(
    connection: sqlite3.Connection, match: UUID, versions: dict[int, int]
) -> Iterator[tuple[int, str]]:
    """Yield the rows of a match's events of these versions, each with its number. An event that
    cannot be told is left out."""
    least, last = min(versions), max(versions)
    for step in board_views.read_transitions(connection, match, least - 1, last - least + 1):
        if step.after.version not in versions:
            continue
        try:
            seen = render_event(step, SPECTATOR)
            # Names are in no read model, so that they can be erased.
            words = searchable_text(replace(seen, player=""))
        except UNREADABLE_ERRORS as error:
            _LOG.error("event_not_told", match=str(match), error=repr(error))
            continue
        yield versions[step.after.version], f"{seen.sentence}\n{words}"


def write_index(connection: sqlite3.Connection, told: SearchText) -> None:
    """Put them into the index, in the caller's transaction."""
    insert(connection, _INSERT_TEXT, told.rows)
    connection.execute("UPDATE telling SET event = ?", (told.until,))
