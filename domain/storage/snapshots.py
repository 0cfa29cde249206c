"""Snapshots of matches and tables, which save folding them from their first event.

A snapshot is only a cache. One with another shape or a wrong digest is ignored, and the events are
folded again.
"""

from functools import cache
from typing import Any, Final, cast

import msgspec
from eventsourcing.persistence import StoredEvent
from msgspec import Raw, Struct

from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.digests import canonical_bytes, digest
from domain.match import AnyMatch, Match
from domain.registry import GAMES
from domain.table import Table

SNAPSHOT_TOPIC: Final = "match.Snapshot"
MATCH_FOLD_VERSION: Final = 2
"""The version of the fold of matches. Increment it when `evolve` of any game returns another state
for the same facts: older snapshots are then ignored."""


RequestVersions = dict[str, int]
"""The version of the event that each request recorded, by request. A repeated request records
nothing."""


class _SnapshotHead(Struct, frozen=True):
    shape: str
    game: str


class _Snapshot(Struct, frozen=True):
    shape: str
    game: str
    match: Raw
    requests: Raw
    digest: str = ""
    """The SHA-256 of `match` and `requests`, which detects damage. Snapshots of earlier versions
    have none."""


@cache
def _match_type(game: str) -> Any:
    return cast(Any, Match)[GAMES[game].options, GAMES[game].state]


def match_decoder(game: str, library: Library = BUILT_IN_PACKS) -> msgspec.json.Decoder[AnyMatch]:
    """Return a decoder for matches of this game, as snapshots and read models store them."""
    found = library.decode_hook(GAMES[game].packs)
    return msgspec.json.Decoder(_match_type(game), dec_hook=found)


@cache
def match_shape(game: str) -> str:
    """Return a fingerprint of the types in a match snapshot of this game."""
    schema = msgspec.json.schema(_match_type(game))
    return digest(canonical_bytes([MATCH_FOLD_VERSION, schema]))[:16]


def take_snapshot(match: AnyMatch, requests: RequestVersions) -> StoredEvent:
    """Return the snapshot of a match, to be stored."""
    body, asked = canonical_bytes(match), canonical_bytes(requests)
    taken = _Snapshot(
        shape=match_shape(match.game),
        game=match.game,
        match=Raw(body),
        requests=Raw(asked),
        digest=digest(body + asked),
    )
    return StoredEvent(match.id, match.version, SNAPSHOT_TOPIC, canonical_bytes(taken))


def read_snapshot(
    stored: StoredEvent, library: Library = BUILT_IN_PACKS
) -> tuple[AnyMatch, RequestVersions] | None:
    """Return the content of a snapshot, or None if its shape is outdated or its digest wrong."""
    try:
        head = msgspec.json.decode(stored.state, type=_SnapshotHead)
        if head.game not in GAMES or head.shape != match_shape(head.game):
            return None
        taken = msgspec.json.decode(stored.state, type=_Snapshot)
        if taken.digest != digest(bytes(taken.match) + bytes(taken.requests)):
            return None
        match = match_decoder(head.game, library).decode(taken.match)
        return match, msgspec.json.decode(taken.requests, type=RequestVersions)
    except (msgspec.MsgspecError, ValueError):
        return None


TABLE_SNAPSHOT_TOPIC: Final = "table.Snapshot"
TABLE_FOLD_VERSION: Final = 3
"""The version of the fold of tables. Increment it when `evolve` of tables returns another state for
the same events."""


class _TableSnapshot(Struct, frozen=True):
    shape: str
    table: Raw
    digest: str = ""


@cache
def table_shape() -> str:
    """Return a fingerprint of the types in a table snapshot."""
    return digest(canonical_bytes([TABLE_FOLD_VERSION, msgspec.json.schema(Table)]))[:16]


def take_table_snapshot(table: Table) -> StoredEvent:
    """Return the snapshot of a table, to be stored."""
    body = canonical_bytes(table)
    taken = _TableSnapshot(table_shape(), Raw(body), digest(body))
    return StoredEvent(table.id, table.version, TABLE_SNAPSHOT_TOPIC, canonical_bytes(taken))


def read_table_snapshot(stored: StoredEvent) -> Table | None:
    """Return the table in a snapshot, or None if its shape is outdated or its digest wrong."""
    try:
        taken = msgspec.json.decode(stored.state, type=_TableSnapshot)
        if taken.shape != table_shape() or taken.digest != digest(bytes(taken.table)):
            return None
        return msgspec.json.decode(taken.table, type=Table)
    except (msgspec.MsgspecError, ValueError):
        return None
