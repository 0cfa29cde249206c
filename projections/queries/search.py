"""Full-text search over the actions of all public matches.

The index has the words of each action as a spectator may know them, but not the text. Hits are
rendered again, so that they have the current wording. Rendering costs many times more than
folding an event. So the index is filled before a search, and a little each second.
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
    # A match that was public when it was indexed may have become private.
    " AND m.audience IN ('public', 'shared')"
    " ORDER BY told.rowid DESC LIMIT :most"
)
_MAX_ROWID: Final = 2**62
"""An upper bound of the numbers of events in a read file."""


class SearchHit(Struct, frozen=True):
    """An event that a search found."""

    match: UUID
    game: str
    title: str
    event: EventView
    """The event, with a snippet."""


class SearchPage(Struct, frozen=True):
    """A page of search hits."""

    found: tuple[SearchHit, ...]
    next: int | None
    """The `before` of the next page; None after the last page."""
    behind: int
    """Number of events that are not in the index yet."""


def search_events(
    connection: sqlite3.Connection, text: str, size: int, *, game: str = "", before: int = 0
) -> SearchPage:
    """Return a page of the events with all these words, the latest first.

    Args:
        connection: The read models.
        text: The words of the query.
        size: Maximum number of events.
        game: Only matches of this game; empty for all games.
        before: `next` of the previous page; 0 for the first page.
    """
    values = {
        "words": all_words_query(text),
        "before": before or _MAX_ROWID,
        "game": game,
        "most": size + 1,
    }
    rows = connection.execute(_SELECT_HITS, values).fetchall()
    hits = []
    for _, match, slug, title, version in rows[:size]:
        try:
            (step,) = board_views.read_transitions(connection, UUID(match), version - 1, 1)
            hits.append(SearchHit(UUID(match), slug, title, render_event(step, SPECTATOR)))
        except UNREADABLE_ERRORS as error:
            _LOG.error("event_not_told", match=match, error=repr(error))
    events = find_with_snippets([each.event for each in hits], text)
    return SearchPage(
        tuple(replace(hits[n], event=event) for n, event in events.items()),
        rows[size - 1][0] if len(rows) > size else None,
        count_unindexed(connection),
    )


def count_unindexed(connection: sqlite3.Connection) -> int:
    """Return the number of events that are not in the index yet."""
    (count,) = connection.execute(
        "SELECT (SELECT coalesce(max(rowid), 0) FROM events) - event FROM telling"
    ).fetchone()
    return int(count)


def find_with_snippets(events: list[EventView], text: str) -> dict[int, EventView]:
    """Return the events with all these words, each with a snippet, by their indexes in the list.

    Without words, all events are returned unchanged.
    """
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
    """Return the text of an event that a search reads, without the event's sentence.

    Rules appear by ID only. Their sentences have words that are unrelated to the event.
    """
    words = [event.seat, event.player]
    if event.action:
        words += [event.action.notation, event.action.score_notation, *event.action.cards]
    words += [fact.sentence for fact in event.facts]
    for ruling in event.rulings:
        words += ruling.rules
    return "\n".join(words)


# --- writing, while the projection runner holds its lock ----------------------------------------


class SearchText(Struct, frozen=True):
    """Texts to be added to the index."""

    rows: list[tuple[int, str]]
    until: int
    """The row ID of the last event that was examined."""


def unindexed_events(connection: sqlite3.Connection, limit: int) -> SearchText | None:
    """Return the texts of the next `limit` events, or None if all events are in the index."""
    (after,) = connection.execute("SELECT event FROM telling").fetchone()
    rows = connection.execute(_SELECT_UNINDEXED, (after, limit)).fetchall()
    if not rows:
        return None
    index_rows: list[tuple[int, str]] = []
    public = [row[:3] for row in rows if row[3]]
    for match, group in groupby(sorted(public, key=lambda row: row[1:]), key=lambda row: row[1]):
        versions = {version: number for number, _, version in group}
        try:
            index_rows += _index_rows(connection, UUID(match), versions)
        except UNREADABLE_ERRORS as error:
            _LOG.error("events_not_told", match=match, error=repr(error))
    return SearchText(index_rows, rows[-1][0])


def _index_rows(
    connection: sqlite3.Connection, match: UUID, versions: dict[int, int]
) -> Iterator[tuple[int, str]]:
    """Yield the index rows of some events of a match, without events that cannot be rendered.

    Args:
        connection: The read models.
        match: ID of the match.
        versions: The versions of the events, with their row IDs.
    """
    least, last = min(versions), max(versions)
    for step in board_views.read_transitions(connection, match, least - 1, last - least + 1):
        if step.after.version not in versions:
            continue
        try:
            seen = render_event(step, SPECTATOR)
            # Players' names are in no read model, so that they can be erased.
            words = searchable_text(replace(seen, player=""))
        except UNREADABLE_ERRORS as error:
            _LOG.error("event_not_told", match=str(match), error=repr(error))
            continue
        yield versions[step.after.version], f"{seen.sentence}\n{words}"


def write_index(connection: sqlite3.Connection, texts: SearchText) -> None:
    """Add texts to the index, in the caller's transaction."""
    insert(connection, _INSERT_TEXT, texts.rows)
    connection.execute("UPDATE telling SET event = ?", (texts.until,))
