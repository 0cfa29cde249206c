"""A match as it stands or stood, and the steps between.

States are kept as states, never read back from notation: that would ask today's rules whether
yesterday's position is a possible one. See `schema.KEYFRAME` for how any version is found quickly.
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
    """Who makes matches, and what became of these."""

    name: str
    """An opaque one."""
    begun: int
    """How many have begun."""
    unplayed: int
    """In how many of these nobody has acted."""


class MatchRow(Struct, frozen=True):
    """A match as the read models have it now. It holds token digests and hidden things."""

    match: AnyMatch
    updated: datetime
    """When its last event was recorded."""
    trouble: str
    """Why its later events are missing; empty if none are."""
    forks: int
    """How many matches in public lists were forked from it."""
    creator: Creator | None = None
    """Who made it, where that is known."""


class UnreadableMatch(Struct, frozen=True):
    """A match whose row in a list cannot be read, as where its content pack is missing: what is
    known of it all the same."""

    id: UUID
    game: str
    title: str
    version: int
    created: datetime
    updated: datetime
    why: str
    """The kind of the fault. It names nothing that the position has, which may be hidden."""


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
"""Selects the rows that `standing` and `listed` take."""


def read_match_row(connection: sqlite3.Connection, row: tuple[Any, ...]) -> MatchRow:
    """A match from its row."""
    game, state, updated, trouble, forks, creator, begun, unplayed, *_ = row
    match = _decode_match(connection, game, state)
    made = Creator(creator, begun, unplayed) if creator else None
    return MatchRow(match, msgspec.convert(updated, datetime), trouble or "", forks, made)


def read_listed_match(
    connection: sqlite3.Connection, row: tuple[Any, ...]
) -> MatchRow | UnreadableMatch:
    """Return a match of a list from its row. A match that cannot be read is listed as such, so that
    all others can be listed beside it."""
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
    """A match from its state, which names its pack of the library, with the names of players."""
    match = match_decoder(game, library_of(connection)).decode(state)
    return with_player_names(_without_hidden_origins(connection, match), name_lookup_of(connection))


def _without_hidden_origins(connection: sqlite3.Connection, match: AnyMatch) -> AnyMatch:
    """Return a match, for showing only, without the matches that it was made of and that are in no
    public list: who sees this one may have no right to those."""
    terms = match.terms
    origin, rematch = _known_origins(connection, terms.origin, terms.rematch)
    if (origin, rematch) == (terms.origin, terms.rematch):
        return match
    return replace(match, terms=replace(terms, origin=origin, rematch=rematch))


def _known_origins(
    connection: sqlite3.Connection, origin: ForkPoint | None, rematch: UUID | None
) -> tuple[ForkPoint | None, UUID | None]:
    """Return the match that a fork was made of, and the one before a rematch, where each is in
    public lists."""
    is_known = origin is not None and _is_listed(connection, origin.match)
    is_listed = rematch is not None and _is_listed(connection, rematch)
    return origin if is_known else None, rematch if is_listed else None


def _is_listed(connection: sqlite3.Connection, match: UUID) -> bool:
    row = connection.execute(
        "SELECT audience IN ('public', 'shared') FROM matches WHERE match = ?", (str(match),)
    ).fetchone()
    return bool(row and row[0])


def latest_version(connection: sqlite3.Connection, match: UUID) -> int:
    """The version of a match that the read models have; 0 if they do not know it."""
    row = connection.execute(
        "SELECT version FROM matches WHERE match = ?", (str(match),)
    ).fetchone()
    return row[0] if row else 0


def find_match_row(connection: sqlite3.Connection, match: UUID) -> MatchRow | None:
    """A match as it stands; None if the read models do not know it."""
    row = connection.execute(f"{SELECT_MATCH_ROWS} WHERE match = ?", (str(match),)).fetchone()
    return read_match_row(connection, row) if row else None


def match_at(connection: sqlite3.Connection, match: UUID, version: int) -> AnyMatch | None:
    """A match as it stood after the event of this number; None if there is no such event."""
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
    """The version before the first event of a later time; 0 if the match began later, or is not
    known. So where the clock was set back meanwhile, no event counts before the time of an earlier
    one."""
    found = 0
    rows = connection.execute(
        "SELECT e.version, json_extract(e.body, '$.at') FROM events e JOIN matches m"
        " ON m.number = e.match WHERE m.match = ? ORDER BY e.version",
        (str(match),),
    )
    for number, told in rows:
        if msgspec.convert(told, datetime) > time:
            break
        found = number
    return found


def version_lookup(connection: sqlite3.Connection, match: UUID) -> VersionLookup:
    """Finds a match as it stood at any version, for events that go back to one."""

    def stood(version: int) -> AnyMatch:
        found = match_at(connection, match, version)
        if found is None:
            raise LookupError(f"version {version} of match {match} is not known")
        return found

    return stood


def read_transitions(
    connection: sqlite3.Connection,
    match: UUID,
    after: int,
    limit: int,
    known: Transition | None = None,
) -> list[Transition]:
    """Up to `limit` events of a match, in order, beginning with the one after version `after`. They
    are folded from `known`, a step of the match that was found before, if it led to just there."""
    after = min(max(after, 0), _MAX_VERSION)
    if known is not None and known.after.version == after:
        folded = _replay_from_match(connection, match, known.after, after + limit)
        return list(with_last_change(folded, known.moved or known))
    found: list[Transition] = []
    moved: Transition | None = None
    for step in _replay_from_keyframe(connection, match, after, after + limit):
        if step.after.version > after:
            found.append(step)
        elif step.before is not None and changes_position(step):
            moved = step
    if moved is None and found and not changes_position(found[0]):
        moved = _last_change(connection, match, after)
    return list(with_last_change(found, moved))


_MAX_KEYFRAMES_BACK: Final = 4
"""Stretches between keyframes in which the last action is looked for, at most."""


def _last_change(connection: sqlite3.Connection, match: UUID, until: int) -> Transition | None:
    """The last event until a version that changed the position, if it is not far back."""
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
    """The events of a match from the keyframe at or before the version `after` on; of the first one
    it is not told what was before it, unless it is the match's first."""
    first = _keyframe_version(connection, match, after) if after else 1
    return _replay_rows(connection, None, _select_event_rows(connection, match, first, until))


def _replay_from_match(
    connection: sqlite3.Connection, match: UUID, stood: AnyMatch, until: int
) -> Iterator[Transition]:
    return _replay_rows(
        connection, stood, _select_event_rows(connection, match, stood.version + 1, until)
    )


def _replay_rows(
    connection: sqlite3.Connection, stood: AnyMatch | None, rows: "Iterable[_EventRow]"
) -> Iterator[Transition]:
    for row in rows:
        check_cancelled(connection)
        sealed, before = _sealed_event(connection, row), stood
        if before is None or target_version(sealed.event) is not None:
            stood = _match_at_keyframe(connection, row)
        else:
            stood = evolve(before, sealed)
        yield Transition(before, sealed, stood)


_MAX_VERSION: Final = 2**62
"""No match is as long; SQLite refuses numbers that are twice as large."""

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
    """The last keyframe at or before a version; of a version beyond the match's, any."""
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
