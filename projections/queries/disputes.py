"""Queries for disputes and verdicts of all matches, and for the precedents that verdicts set.

Every viewer of a match may see these rows. Reasons are public, and the facts of a correction are
only in the history, which redacts them.
"""

import sqlite3
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.match import DisputeRaised, VerdictGiven, VerdictKind
from projections.queries.full_text import all_words_query
from projections.queries.keysets import keyset

MAX_PRECEDENTS: Final = 20
"""Maximum number of precedents for one rule."""


class ListedDispute(Struct, frozen=True):
    """A dispute about an event, with its verdict if it is resolved."""

    match: UUID
    number: int
    """The version of the event that opened the dispute."""
    on: int
    """The version of the disputed event."""
    seat: str
    reason: str
    raised: datetime
    verdict: VerdictKind | None
    verdict_version: int
    """The version of the verdict's event; 0 without a verdict."""
    verdict_reason: str
    rules: tuple[str, ...]
    """The rules that the verdict cites."""
    precedent: str
    """The name of the verdict as a precedent; empty without a verdict."""


def dispute_from_events(
    match: UUID, raised: DisputeRaised, given: VerdictGiven[Any] | None = None
) -> ListedDispute:
    """Return a dispute from its events, without a query."""
    return ListedDispute(
        match,
        raised.version,
        raised.on,
        raised.seat,
        raised.reason,
        raised.at,
        given.verdict if given else None,
        given.version if given else 0,
        given.reason if given else "",
        given.rules if given else (),
        given.precedent if given else "",
    )


class DisputeQuery(Struct, frozen=True):
    """Conditions that disputes must meet, all together."""

    match: UUID | None = None
    open: bool | None = None
    """True for disputes without a verdict, False for resolved ones, None for all."""
    text: str = ""
    """Words in the reasons, all of them, in any form with the same stem."""


class DisputePage(Struct, frozen=True):
    """A page of disputes."""

    disputes: tuple[ListedDispute, ...]
    next: int | None
    """The `place` of the next page; None after the last page."""


_SELECT: Final = (
    "SELECT d.event, m.match, d.number, d.on_version, d.seat, d.reason, d.raised, d.verdict,"
    " d.verdict_version, d.verdict_reason, d.rules, d.precedent"
    " FROM disputes d JOIN matches m ON m.number = d.match"
)


def dispute_page(
    connection: sqlite3.Connection,
    query: DisputeQuery,
    size: int,
    place: int = 0,
    *,
    descending: bool = True,
) -> DisputePage:
    """Return a page of disputes, by default the latest first.

    Args:
        connection: The read models.
        query: Conditions that the disputes must meet.
        size: Maximum number of disputes.
        place: `next` of the previous page; 0 for the first page.
        descending: Whether the latest dispute comes first.
    """
    keys = keyset("d.event", place, descending=descending)
    conditions: list[str] = [keys.condition]
    values: list[Any] = []

    def add(condition: str, *given: Any) -> None:
        conditions.append(condition)
        values.extend(given)

    if query.match is not None:
        add("m.match = ?", str(query.match))
    if query.open is not None:
        add("d.verdict IS NULL" if query.open else "d.verdict IS NOT NULL")
    if words := all_words_query(query.text):
        add("d.event IN (SELECT rowid FROM said WHERE said MATCH ?)", words)
    # The statement has only texts of this module; input of callers is bound as values.
    where = f" WHERE {' AND '.join(conditions)} ORDER BY {keys.order} LIMIT ?"
    rows = connection.execute(_SELECT + where, (*values, size + 1)).fetchall()
    listed = rows[:size]
    return DisputePage(tuple(map(_dispute, listed)), listed[-1][0] if len(rows) > size else None)


def disputes_of_event(
    connection: sqlite3.Connection, match: UUID, version: int
) -> tuple[ListedDispute, ...]:
    """Return the disputes about one event, the oldest first."""
    where = " WHERE m.match = ? AND d.on_version = ? ORDER BY d.event"
    return tuple(map(_dispute, connection.execute(_SELECT + where, (str(match), version))))


def precedents(
    connection: sqlite3.Connection, game: str, rule: str, match: UUID | None = None
) -> tuple[str, ...]:
    """Return the names of the verdicts on a rule, the latest first.

    The verdicts are those in public matches of the game, and in `match`. Other matches are left
    out because a name contains digits of its match's ID.
    """
    rows = connection.execute(
        "SELECT p.name FROM precedents p JOIN matches m ON m.number = p.match"
        " WHERE p.game = ? AND p.rule = ? AND (m.match = ? OR m.audience IN ('public', 'shared'))"
        " ORDER BY p.event DESC LIMIT ?",
        (game, rule, str(match or ""), MAX_PRECEDENTS),
    )
    return tuple(name for (name,) in rows)


def _dispute(row: tuple[Any, ...]) -> ListedDispute:
    _, match, number, on, seat, reason, raised, verdict, version, words, rules, precedent = row
    return ListedDispute(
        UUID(match),
        number,
        on,
        seat,
        reason,
        msgspec.convert(raised, datetime),
        verdict,
        version or 0,
        words or "",
        msgspec.json.decode(rules, type=tuple[str, ...]) if rules else (),
        precedent or "",
    )


# --- writing, in the projector's transaction --------------------------------------------------


class RecordedDispute(Struct, frozen=True):
    """An event of a dispute, with its position in the log."""

    event: DisputeRaised | VerdictGiven[Any]
    game: str
    match: int
    """The number of the match in the tables."""
    place: int
    """The log's number of the event."""


def write(connection: sqlite3.Connection, recorded: RecordedDispute) -> None:
    """Write a dispute or a verdict to the tables."""
    if isinstance(recorded.event, DisputeRaised):
        _write_dispute(connection, recorded.event, recorded)
    else:
        _write_verdict(connection, recorded.event, recorded)


def _write_dispute(
    connection: sqlite3.Connection, event: DisputeRaised, recorded: RecordedDispute
) -> None:
    connection.execute(
        "INSERT INTO disputes (event, match, number, on_version, seat, reason, raised)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            recorded.place,
            recorded.match,
            event.version,
            event.on,
            event.seat,
            event.reason,
            msgspec.to_builtins(event.at),
        ),
    )
    connection.execute(
        "INSERT INTO said (rowid, reason, verdict) VALUES (?, ?, '')",
        (recorded.place, event.reason),
    )


def _write_verdict(
    connection: sqlite3.Connection, event: VerdictGiven[Any], recorded: RecordedDispute
) -> None:
    dispute = (recorded.match, event.dispute)
    connection.execute(
        "UPDATE disputes SET verdict = ?, verdict_version = ?, verdict_reason = ?, rules = ?,"
        " precedent = ? WHERE match = ? AND number = ?",
        (
            event.verdict,
            event.version,
            event.reason,
            msgspec.json.encode(event.rules).decode(),
            event.precedent,
            *dispute,
        ),
    )
    connection.execute(
        "UPDATE said SET verdict = ? WHERE rowid ="
        " (SELECT event FROM disputes WHERE match = ? AND number = ?)",
        (event.reason, *dispute),
    )
    for rule in dict.fromkeys(event.rules):
        connection.execute(
            "INSERT INTO precedents VALUES (?, ?, ?, ?, ?)",
            (recorded.game, rule, recorded.place, event.precedent, recorded.match),
        )
