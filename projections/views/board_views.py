"""A match at its current or an earlier version, and the transitions between versions.

States are stored as states and never read back from notation: reading notation would apply today's
rules to positions of older rules. Keyframes, stored every
`KEYFRAME_INTERVAL` versions, let any version be found quickly.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from domain.log.sealed_events import SealedEvent
from domain.match import (
    AnyMatch,
    Event,
    ForkPoint,
    MatchCreated,
    VersionLookup,
    evolve,
    replay,
    target_version,
)
from domain.storage.mapper import read_event
from domain.storage.snapshots import match_decoder
from projections.projector.schema import (
    KEYFRAME_INTERVAL,
    check_cancelled,
    library_of,
    name_lookup_of,
)
from projections.queries.player_names import event_with_player_name, with_player_names
from projections.queries.projection_errors import UNREADABLE_ERRORS, public_error_text
from projections.views.transitions import Transition, changes_position, with_last_change

_LOG: Final = structlog.get_logger("emeth.projections")


class Creator(Struct, frozen=True):
    """The creator of matches, with counts of them."""

    name: str
    """The opaque name of the creator."""
    begun: int
    """The number of matches that have started."""
    unplayed: int
    """The number of started matches in which nobody has acted."""


class MatchRow(Struct, frozen=True):
    """A match as the read models have it now, with token digests and hidden information."""

    match: AnyMatch
    updated: datetime
    """The time of the last event."""
    projection_error: str
    """Why later events are missing; empty if none are."""
    forks: int
    """The number of publicly listed matches forked from this one."""
    creator: Creator | None = None
    """The creator, or None if unknown."""


class UnreadableMatch(Struct, frozen=True):
    """A match whose row cannot be read, for example because its content pack is missing."""

    id: UUID
    game: str
    title: str
    version: int
    created: datetime
    updated: datetime
    why: str
    """The kind of the fault, without anything from the position, which may be hidden."""


def listed_match_id(found: MatchRow | UnreadableMatch) -> UUID:
    """Return the id of a listed match."""
    return found.id if isinstance(found, UnreadableMatch) else found.match.id


SELECT_MATCH_ROWS: Final = (
    "SELECT game, state, updated, (SELECT why FROM troubles WHERE troubles.match = matches.match),"
    " (SELECT count(*) FROM matches forks WHERE forks.origin = matches.match"
    " AND forks.audience IN ('public', 'shared')), creator,"
    " (SELECT begun FROM creators WHERE name = creator),"
    " (SELECT unplayed FROM creators WHERE name = creator), match, title, version, created"
    " FROM matches"
)
"""The query for rows that `read_match_row` and `read_listed_match` read."""


def read_match_row(connection: sqlite3.Connection, row: tuple[Any, ...]) -> MatchRow:
    """Return a match from its row."""
    game, state, updated, projection_error, forks, creator, begun, unplayed, *_ = row
    match = _decode_match(connection, game, state)
    made = Creator(creator, begun, unplayed) if creator else None
    return MatchRow(match, msgspec.convert(updated, datetime), projection_error or "", forks, made)


def read_listed_match(
    connection: sqlite3.Connection, row: tuple[Any, ...]
) -> MatchRow | UnreadableMatch:
    """Return a listed match from its row, or an `UnreadableMatch` if it cannot be read."""
    try:
        return read_match_row(connection, row)
    except UNREADABLE_ERRORS as error:
        game, _, updated, *_, match, title, version, created = row
        begun, changed = (msgspec.convert(each, datetime) for each in (created, updated))
        _LOG.error("match_not_listed", match=match, error=repr(error))
        return UnreadableMatch(
            UUID(match), game, title, version, begun, changed, public_error_text(error)
        )


def _decode_match(connection: sqlite3.Connection, game: str, state: str) -> AnyMatch:
    """Return a match from its stored state, with the names of players."""
    match = match_decoder(game, library_of(connection)).decode(state)
    return with_player_names(_without_hidden_origins(connection, match), name_lookup_of(connection))


def _without_hidden_origins(connection: sqlite3.Connection, match: AnyMatch) -> AnyMatch:
    """Return a match without references to unlisted matches, for display only.

    The viewer of this match may have no right to see the match it was forked from or the one before
    a rematch.
    """
    terms = match.terms
    origin, rematch = _known_origins(connection, terms.origin, terms.rematch)
    if (origin, rematch) == (terms.origin, terms.rematch):
        return match
    return replace(match, terms=replace(terms, origin=origin, rematch=rematch))


def _known_origins(
    connection: sqlite3.Connection, origin: ForkPoint | None, rematch: UUID | None
) -> tuple[ForkPoint | None, UUID | None]:
    """Return the origin of a fork and the match before a rematch, each only if publicly listed."""
    is_known = origin is not None and _is_listed(connection, origin.match)
    is_listed = rematch is not None and _is_listed(connection, rematch)
    return origin if is_known else None, rematch if is_listed else None


def _is_listed(connection: sqlite3.Connection, match: UUID) -> bool:
    row = connection.execute(
        "SELECT audience IN ('public', 'shared') FROM matches WHERE match = ?", (str(match),)
    ).fetchone()
    return bool(row and row[0])


def latest_version(connection: sqlite3.Connection, match: UUID) -> int:
    """Return the version of a match in the read models, or 0 if the match is unknown."""
    row = connection.execute(
        "SELECT version FROM matches WHERE match = ?", (str(match),)
    ).fetchone()
    return row[0] if row else 0


def find_match_row(connection: sqlite3.Connection, match: UUID) -> MatchRow | None:
    """Return the current state of a match, or None if the match is unknown."""
    row = connection.execute(f"{SELECT_MATCH_ROWS} WHERE match = ?", (str(match),)).fetchone()
    return read_match_row(connection, row) if row else None


def match_at(connection: sqlite3.Connection, match: UUID, version: int) -> AnyMatch | None:
    """Return a match as it was at a version, or None if there is no such version."""
    found = find_match_row(connection, match)
    if found is None or not 1 <= version <= found.match.version:
        return None
    if version == found.match.version:
        return found.match
    first, *later = _select_event_rows(
        connection, match, _keyframe_version(connection, match, version), version
    )
    events = (_sealed_event(connection, row) for row in later)
    return replay(_match_at_keyframe(connection, first), events)


def version_at(connection: sqlite3.Connection, match: UUID, time: datetime) -> int:
    """Return the version of a match at a time, or 0 if it started later or is unknown.

    This is the version before the first later event. If the clock was set back, an event never
    counts before an earlier event.
    """
    found = 0
    rows = connection.execute(
        "SELECT e.version, json_extract(e.body, '$.at') FROM events e JOIN matches m"
        " ON m.number = e.match WHERE m.match = ? ORDER BY e.version",
        (str(match),),
    )
    for number, time_text in rows:
        if msgspec.convert(time_text, datetime) > time:
            break
        found = number
    return found


def version_lookup(connection: sqlite3.Connection, match: UUID) -> VersionLookup:
    """Return a function that finds a match at any version, for events that go back to one.

    Raises:
        LookupError: The function raises this for an unknown version.
    """

    def match_at_version(version: int) -> AnyMatch:
        found = match_at(connection, match, version)
        if found is None:
            raise LookupError(f"version {version} of match {match} is unknown")
        return found

    return match_at_version


def read_transitions(
    connection: sqlite3.Connection,
    match: UUID,
    after: int,
    limit: int,
    known: Transition | None = None,
) -> list[Transition]:
    """Return up to `limit` transitions of a match, in order, starting after version `after`.

    Args:
        connection: The read models.
        match: The match.
        after: The version before the first transition.
        limit: The greatest number of transitions.
        known: An earlier transition of the match. If it led to version `after`, the transitions
            are computed from it.
    """
    after = min(max(after, 0), _MAX_VERSION)
    if known is not None and known.after.version == after:
        folded = _replay_from_match(connection, match, known.after, after + limit)
        return list(with_last_change(folded, known.last_change or known))
    found: list[Transition] = []
    last_change: Transition | None = None
    for step in _replay_from_keyframe(connection, match, after, after + limit):
        if step.after.version > after:
            found.append(step)
        elif step.before is not None and changes_position(step):
            last_change = step
    if last_change is None and found and not changes_position(found[0]):
        last_change = _last_change(connection, match, after)
    return list(with_last_change(found, last_change))


_MAX_KEYFRAMES_BACK: Final = 4
"""The greatest number of keyframe intervals in which the last change of position is searched."""


def _last_change(connection: sqlite3.Connection, match: UUID, until: int) -> Transition | None:
    """Return the last transition up to a version that changed the position, if it is recent."""
    for _ in range(_MAX_KEYFRAMES_BACK):
        if until < 1:
            break
        before = max(_keyframe_version(connection, match, until) - 1, 0)
        found = [
            step
            for step in _replay_from_keyframe(connection, match, before, until)
            if step.after.version > before and changes_position(step)
        ]
        if found:
            return found[-1]
        until = before
    return None


def _replay_from_keyframe(
    connection: sqlite3.Connection, match: UUID, after: int, until: int
) -> Iterator[Transition]:
    """Yield transitions from the keyframe at or before version `after`.

    The first transition has no state before it, even if it is not the first of the match.
    """
    first = _keyframe_version(connection, match, after) if after else 1
    return _replay_rows(connection, None, _select_event_rows(connection, match, first, until))


def _replay_from_match(
    connection: sqlite3.Connection, match: UUID, current_match: AnyMatch, until: int
) -> Iterator[Transition]:
    return _replay_rows(
        connection,
        current_match,
        _select_event_rows(connection, match, current_match.version + 1, until),
    )


def _replay_rows(
    connection: sqlite3.Connection, current_match: AnyMatch | None, rows: "Iterable[_EventRow]"
) -> Iterator[Transition]:
    for row in rows:
        check_cancelled(connection)
        sealed, before = _sealed_event(connection, row), current_match
        if before is None or target_version(sealed.event) is not None:
            current_match = _match_at_keyframe(connection, row)
        else:
            current_match = evolve(before, sealed)
        yield Transition(before, sealed, current_match)


_MAX_VERSION: Final = 2**62
"""An upper bound of versions; SQLite rejects integers from 2**63."""

_EventRow = tuple[str, int, str, str, str | None]


def _select_event_rows(
    connection: sqlite3.Connection, match: UUID, first: int, last: int
) -> list[_EventRow]:
    return connection.execute(
        "SELECT m.game, e.version, e.digest, e.body, e.state FROM events e"
        " JOIN matches m ON m.number = e.match"
        " WHERE m.match = ? AND e.version BETWEEN ? AND ? ORDER BY e.version",
        (str(match), first, last),
    ).fetchall()


def _keyframe_version(connection: sqlite3.Connection, match: UUID, version: int) -> int:
    """Return the last keyframe at or before a version; unspecified after the last version."""
    regular = version - (version - 1) % KEYFRAME_INTERVAL
    (last,) = connection.execute(
        "SELECT max(e.version) FROM events e JOIN matches m ON m.number = e.match WHERE m.match = ?"
        " AND e.version BETWEEN ? AND ? AND e.state IS NOT NULL",
        (str(match), regular, version),
    ).fetchone()
    return regular if last is None else int(last)


def _match_at_keyframe(connection: sqlite3.Connection, row: _EventRow) -> AnyMatch:
    game, _, _, _, state = row
    assert state is not None
    return _decode_match(connection, game, state)


def _sealed_event(connection: sqlite3.Connection, row: _EventRow) -> SealedEvent[Event]:
    _, _, link, text, _ = row
    body = text.encode()
    event = read_event(body)
    if isinstance(event, MatchCreated):
        origin, rematch = _known_origins(connection, event.origin, event.rematch)
        event = replace(event, origin=origin, rematch=rematch)
    return event_with_player_name(SealedEvent(event, link, body), name_lookup_of(connection))
