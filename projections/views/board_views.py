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

from domain.log.sealed_events import Sealed
from domain.match import AnyMatch, Event, MatchCreated, Origin, Recall, evolve, goes_to, replay
from domain.storage.mapper import read_event
from domain.storage.snapshots import match_decoder
from projections.projector.schema import KEYFRAME, go_on, library_of, names_of
from projections.queries.player_names import named, named_event
from projections.queries.projection_errors import POISON, fault
from projections.views.transitions import Transition, changes_position, following

_LOG: Final = structlog.get_logger("emeth.projections")


class Creator(Struct, frozen=True):
    """Who makes matches, and what became of these."""

    name: str
    """An opaque one."""
    begun: int
    """How many have begun."""
    unplayed: int
    """In how many of these nobody has acted."""


class Standing(Struct, frozen=True):
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


def match_id(found: Standing | UnreadableMatch) -> UUID:
    """Return the id of a listed match."""
    return found.id if isinstance(found, UnreadableMatch) else found.match.id


STANDING: Final = (
    "SELECT game, state, updated, (SELECT why FROM troubles WHERE troubles.match = matches.match),"
    " (SELECT count(*) FROM matches forks WHERE forks.origin = matches.match"
    " AND forks.audience IN ('public', 'shared')), creator,"
    " (SELECT begun FROM creators WHERE name = creator),"
    " (SELECT unplayed FROM creators WHERE name = creator), match, title, version, created"
    " FROM matches"
)
"""Selects the rows that `standing` and `listed` take."""


def standing(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Standing:
    """A match from its row."""
    game, state, updated, trouble, forks, creator, begun, unplayed, *_ = row
    match = _decoded(connection, game, state)
    made = Creator(creator, begun, unplayed) if creator else None
    return Standing(match, msgspec.convert(updated, datetime), trouble or "", forks, made)


def listed(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Standing | UnreadableMatch:
    """Return a match of a list from its row. A match that cannot be read is listed as such, so that
    all others can be listed beside it."""
    try:
        return standing(connection, row)
    except POISON as error:
        game, _, updated, *_, match, title, version, created = row
        begun, changed = (msgspec.convert(each, datetime) for each in (created, updated))
        _LOG.error("match_not_listed", match=match, error=repr(error))
        return UnreadableMatch(UUID(match), game, title, version, begun, changed, fault(error))


def _decoded(connection: sqlite3.Connection, game: str, state: str) -> AnyMatch:
    """A match from its state, which names its pack of the library, with the names of players."""
    match = match_decoder(game, library_of(connection)).decode(state)
    return named(_without_hidden_origins(connection, match), names_of(connection))


def _without_hidden_origins(connection: sqlite3.Connection, match: AnyMatch) -> AnyMatch:
    """Return a match, for showing only, without the matches that it was made of and that are in no
    public list: who sees this one may have no right to those."""
    terms = match.terms
    origin, rematch = _known_origins(connection, terms.origin, terms.rematch)
    if (origin, rematch) == (terms.origin, terms.rematch):
        return match
    return replace(match, terms=replace(terms, origin=origin, rematch=rematch))


def _known_origins(
    connection: sqlite3.Connection, origin: Origin | None, rematch: UUID | None
) -> tuple[Origin | None, UUID | None]:
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


def version(connection: sqlite3.Connection, match: UUID) -> int:
    """The version of a match that the read models have; 0 if they do not know it."""
    row = connection.execute(
        "SELECT version FROM matches WHERE match = ?", (str(match),)
    ).fetchone()
    return row[0] if row else 0


def present(connection: sqlite3.Connection, match: UUID) -> Standing | None:
    """A match as it stands; None if the read models do not know it."""
    row = connection.execute(f"{STANDING} WHERE match = ?", (str(match),)).fetchone()
    return standing(connection, row) if row else None


def at(connection: sqlite3.Connection, match: UUID, version: int) -> AnyMatch | None:
    """A match as it stood after the event of this number; None if there is no such event."""
    found = present(connection, match)
    if found is None or not 1 <= version <= found.match.version:
        return None
    if version == found.match.version:
        return found.match
    first, *later = _events(connection, match, _keyframe(connection, match, version), version)
    events = (_sealed(connection, row) for row in later)
    return replay(_from_keyframe(connection, first), events)


def at_time(connection: sqlite3.Connection, match: UUID, time: datetime) -> int:
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


def recall(connection: sqlite3.Connection, match: UUID) -> Recall:
    """Finds a match as it stood at any version, for events that go back to one."""

    def stood(version: int) -> AnyMatch:
        found = at(connection, match, version)
        if found is None:
            raise LookupError(f"version {version} of match {match} is not known")
        return found

    return stood


def steps(
    connection: sqlite3.Connection,
    match: UUID,
    after: int,
    limit: int,
    known: Transition | None = None,
) -> list[Transition]:
    """Up to `limit` events of a match, in order, beginning with the one after version `after`. They
    are folded from `known`, a step of the match that was found before, if it led to just there."""
    after = min(max(after, 0), _BEYOND)
    if known is not None and known.after.version == after:
        folded = _folded_from(connection, match, known.after, after + limit)
        return list(following(folded, known.moved or known))
    found: list[Transition] = []
    moved: Transition | None = None
    for step in _folded(connection, match, after, after + limit):
        if step.after.version > after:
            found.append(step)
        elif step.before is not None and changes_position(step):
            moved = step
    if moved is None and found and not changes_position(found[0]):
        moved = _last_moved(connection, match, after)
    return list(following(found, moved))


_LOOKS_BACK: Final = 4
"""Stretches between keyframes in which the last action is looked for, at most."""


def _last_moved(connection: sqlite3.Connection, match: UUID, until: int) -> Transition | None:
    """The last event until a version that changed the position, if it is not far back."""
    for _ in range(_LOOKS_BACK):
        if until < 1:
            break
        before = max(_keyframe(connection, match, until) - 1, 0)
        found = [
            step
            for step in _folded(connection, match, before, until)
            if step.after.version > before and changes_position(step)
        ]
        if found:
            return found[-1]
        until = before
    return None


def _folded(
    connection: sqlite3.Connection, match: UUID, after: int, until: int
) -> Iterator[Transition]:
    """The events of a match from the keyframe at or before the version `after` on; of the first one
    it is not told what was before it, unless it is the match's first."""
    first = _keyframe(connection, match, after) if after else 1
    return _steps(connection, None, _events(connection, match, first, until))


def _folded_from(
    connection: sqlite3.Connection, match: UUID, stood: AnyMatch, until: int
) -> Iterator[Transition]:
    return _steps(connection, stood, _events(connection, match, stood.version + 1, until))


def _steps(
    connection: sqlite3.Connection, stood: AnyMatch | None, rows: "Iterable[_Row]"
) -> Iterator[Transition]:
    for row in rows:
        go_on(connection)
        sealed, before = _sealed(connection, row), stood
        if before is None or goes_to(sealed.event) is not None:
            stood = _from_keyframe(connection, row)
        else:
            stood = evolve(before, sealed)
        yield Transition(before, sealed, stood)


_BEYOND: Final = 2**62
"""No match is as long; SQLite refuses numbers that are twice as large."""

_Row = tuple[str, int, str, str, str | None]


def _events(connection: sqlite3.Connection, match: UUID, first: int, last: int) -> list[_Row]:
    return connection.execute(
        "SELECT m.game, e.version, e.digest, e.body, e.state FROM events e"
        " JOIN matches m ON m.number = e.match"
        " WHERE m.match = ? AND e.version BETWEEN ? AND ? ORDER BY e.version",
        (str(match), first, last),
    ).fetchall()


def _keyframe(connection: sqlite3.Connection, match: UUID, version: int) -> int:
    """The last keyframe at or before a version; of a version beyond the match's, any."""
    regular = version - (version - 1) % KEYFRAME
    (last,) = connection.execute(
        "SELECT max(e.version) FROM events e JOIN matches m ON m.number = e.match WHERE m.match = ?"
        " AND e.version BETWEEN ? AND ? AND e.state IS NOT NULL",
        (str(match), regular, version),
    ).fetchone()
    return regular if last is None else int(last)


def _from_keyframe(connection: sqlite3.Connection, row: _Row) -> AnyMatch:
    game, _, _, _, state = row
    assert state is not None
    return _decoded(connection, game, state)


def _sealed(connection: sqlite3.Connection, row: _Row) -> Sealed[Event]:
    _, _, link, text, _ = row
    body = text.encode()
    event = read_event(body)
    if isinstance(event, MatchCreated):
        origin, rematch = _known_origins(connection, event.origin, event.rematch)
        event = replace(event, origin=origin, rematch=rematch)
    return named_event(Sealed(event, link, body), names_of(connection))
