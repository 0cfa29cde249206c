"""Snapshots: a match or a table as it stood, stored so that it need not be folded from the start.

A snapshot only saves time. One of another shape, or that is not as it was taken, is dropped: the
events tell the same.
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
"""Raise it when `evolve` of any game gives another state from the same facts: snapshots of the
older fold are then dropped and made anew."""


RequestVersions = dict[str, int]
"""The version of the event that each request made, by request: repeating one records nothing."""


class _SnapshotHead(Struct, frozen=True):
    shape: str
    game: str


class _Snapshot(Struct, frozen=True):
    shape: str
    game: str
    match: Raw
    requests: Raw
    digest: str = ""
    """Of the bytes of both: nothing else vouches for a snapshot. Older ones have none."""


@cache
def _match_type(game: str) -> Any:
    return cast(Any, Match)[GAMES[game].options, GAMES[game].state]


def match_decoder(game: str, library: Library = BUILT_IN_PACKS) -> msgspec.json.Decoder[AnyMatch]:
    """Decodes a match of this game, as it stands: what snapshots and read models keep as JSON."""
    found = library.decode_hook(GAMES[game].packs)
    return msgspec.json.Decoder(_match_type(game), dec_hook=found)


@cache
def match_shape(game: str) -> str:
    """A fingerprint of how a match of this game is snapshotted: it changes with the types."""
    schema = msgspec.json.schema(_match_type(game))
    return digest(canonical_bytes([MATCH_FOLD_VERSION, schema]))[:16]


def take_snapshot(match: AnyMatch, requests: RequestVersions) -> StoredEvent:
    """The stored form of a match as it stands."""
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
    """What a snapshot holds; None for one of another shape, or that is not as it was taken: the
    events tell the same, and it is made anew."""
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
"""Raise it when `evolve` of the Table gives another state from the same events."""


class _TableSnapshot(Struct, frozen=True):
    shape: str
    table: Raw
    digest: str = ""


@cache
def table_shape() -> str:
    """A fingerprint of how a table is snapshotted: it changes with the types."""
    return digest(canonical_bytes([TABLE_FOLD_VERSION, msgspec.json.schema(Table)]))[:16]


def take_table_snapshot(table: Table) -> StoredEvent:
    """The stored form of a table as it stands."""
    body = canonical_bytes(table)
    taken = _TableSnapshot(table_shape(), Raw(body), digest(body))
    return StoredEvent(table.id, table.version, TABLE_SNAPSHOT_TOPIC, canonical_bytes(taken))


def read_table_snapshot(stored: StoredEvent) -> Table | None:
    """What a snapshot holds; None as for `read_snapshot`."""
    try:
        taken = msgspec.json.decode(stored.state, type=_TableSnapshot)
        if taken.shape != table_shape() or taken.digest != digest(bytes(taken.table)):
            return None
        return msgspec.json.decode(taken.table, type=Table)
    except (msgspec.MsgspecError, ValueError):
        return None
