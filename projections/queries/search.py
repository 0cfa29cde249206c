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
from projections.queries.full_text import BEGINS, CUT, ENDS, WORDS, all_words, snippet
from projections.queries.projection_errors import POISON
from projections.views import board_views
from projections.views.viewer_events import SeenEvent, see

_LOG: Final = structlog.get_logger("emeth.projections")

_TOLD: Final = ("INSERT INTO told (rowid, text) VALUES ", 2, "")
_NEXT: Final = (
    "SELECT e.rowid, m.match, e.version, json_extract(e.body, '$.type') = 'match.ActionTaken'"
    " AND json_extract(m.state, '$.terms.visibility') = 'public'"
    " FROM events e JOIN matches m ON m.number = e.match"
    " WHERE e.rowid > ? ORDER BY e.rowid LIMIT ?"
)
_FOUND: Final = (
    "SELECT told.rowid, m.match, m.game, m.title, e.version FROM told"
    " JOIN events e ON e.rowid = told.rowid JOIN matches m ON m.number = e.match"
    " WHERE told MATCH :words AND told.rowid < :before AND (:game = '' OR m.game = :game)"
    # A match that was public when it was indexed may have become private.
    " AND m.audience IN ('public', 'shared')"
    " ORDER BY told.rowid DESC LIMIT :most"
)
_BEYOND: Final = 2**62
"""An upper bound of the numbers of events in a read file."""


class FoundEvent(Struct, frozen=True):
    """An event that a search found."""

    match: UUID
    game: str
    title: str
    event: SeenEvent
    """The event, with a snippet."""


class FoundEvents(Struct, frozen=True):
    """A page of search hits."""

    found: tuple[FoundEvent, ...]
    next: int | None
    """The `before` of the next page; None after the last page."""
    behind: int
    """Number of events that are not in the index yet."""


def found(
    connection: sqlite3.Connection, text: str, size: int, *, game: str = "", before: int = 0
) -> FoundEvents:
    """Return a page of the events with all these words, the latest first.

    Args:
        connection: The read models.
        text: The words of the query.
        size: Maximum number of events.
        game: Only matches of this game; empty for all games.
        before: `next` of the previous page; 0 for the first page.
    """
    values = {
        "words": all_words(text),
        "before": before or _BEYOND,
        "game": game,
        "most": size + 1,
    }
    rows = connection.execute(_FOUND, values).fetchall()
    told = []
    for _, match, slug, title, version in rows[:size]:
        try:
            (step,) = board_views.steps(connection, UUID(match), version - 1, 1)
            told.append(FoundEvent(UUID(match), slug, title, see(step, SPECTATOR)))
        except POISON as error:
            _LOG.error("event_not_told", match=match, error=repr(error))
    events = with_snippets([each.event for each in told], text)
    return FoundEvents(
        tuple(replace(told[n], event=event) for n, event in events.items()),
        rows[size - 1][0] if len(rows) > size else None,
        behind(connection),
    )


def behind(connection: sqlite3.Connection) -> int:
    """Return the number of events that are not in the index yet."""
    (count,) = connection.execute(
        "SELECT (SELECT coalesce(max(rowid), 0) FROM events) - event FROM telling"
    ).fetchone()
    return int(count)


def with_snippets(events: list[SeenEvent], text: str) -> dict[int, SeenEvent]:
    """Return the events with all these words, each with a snippet, by their indexes in the list.

    Without words, all events are returned unchanged.
    """
    words = all_words(text)
    if not words or not events:
        return dict(enumerate(events))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        memory.execute(
            "CREATE VIRTUAL TABLE told USING fts5(sentence, rest, tokenize='porter unicode61')"
        )
        rows = [(n, event.sentence, all_told(event)) for n, event in enumerate(events)]
        insert(memory, ("INSERT INTO told (rowid, sentence, rest) VALUES ", 3, ""), rows)
        marked = memory.execute(
            "SELECT rowid, snippet(told, 0, :begins, :ends, :cut, :most),"
            " snippet(told, 1, :begins, :ends, :cut, :most) FROM told WHERE told MATCH :words"
            " ORDER BY rowid",
            {"begins": BEGINS, "ends": ENDS, "cut": CUT, "most": WORDS, "words": words},
        )
        return {
            n: replace(events[n], snippet=snippet(around if BEGINS in around else rest))
            for n, around, rest in marked
        }


def all_told(event: SeenEvent) -> str:
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


class Told(Struct, frozen=True):
    """Texts to be added to the index."""

    rows: list[tuple[int, str]]
    until: int
    """The row ID of the last event that was examined."""


def untold(connection: sqlite3.Connection, most: int) -> Told | None:
    """Return the texts of the next `most` events, or None if all events are in the index."""
    (after,) = connection.execute("SELECT event FROM telling").fetchone()
    rows = connection.execute(_NEXT, (after, most)).fetchall()
    if not rows:
        return None
    told: list[tuple[int, str]] = []
    public = [row[:3] for row in rows if row[3]]
    for match, group in groupby(sorted(public, key=lambda row: row[1:]), key=lambda row: row[1]):
        versions = {version: number for number, _, version in group}
        try:
            told += _words_of(connection, UUID(match), versions)
        except POISON as error:
            _LOG.error("events_not_told", match=match, error=repr(error))
    return Told(told, rows[-1][0])


def _words_of(
    connection: sqlite3.Connection, match: UUID, versions: dict[int, int]
) -> Iterator[tuple[int, str]]:
    """Yield the index rows of some events of a match, without events that cannot be rendered.

    Args:
        connection: The read models.
        match: ID of the match.
        versions: The versions of the events, with their row IDs.
    """
    least, last = min(versions), max(versions)
    for step in board_views.steps(connection, match, least - 1, last - least + 1):
        if step.after.version not in versions:
            continue
        try:
            seen = see(step, SPECTATOR)
            # Players' names are in no read model, so that they can be erased.
            words = all_told(replace(seen, player=""))
        except POISON as error:
            _LOG.error("event_not_told", match=str(match), error=repr(error))
            continue
        yield versions[step.after.version], f"{seen.sentence}\n{words}"


def tell(connection: sqlite3.Connection, told: Told) -> None:
    """Add texts to the index, in the caller's transaction."""
    insert(connection, _TOLD, told.rows)
    connection.execute("UPDATE telling SET event = ?", (told.until,))
