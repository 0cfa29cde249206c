"""Rows of saved armies, and queries for the armies of an owner."""

import sqlite3
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import Notification
from msgspec import Struct

from domain.army import Event, SavedArmy, evolve
from domain.log.digests import GENESIS, check_link
from domain.log.sealed_events import SealedEvent
from projections.queries import projection_errors
from projections.queries.full_text import fold_case
from projections.queries.keysets import keyset

UPSERT: Final = (
    "INSERT INTO armies VALUES ",
    7,
    " ON CONFLICT (number) DO UPDATE SET version = excluded.version,"
    " folded_name = excluded.folded_name, deleted = excluded.deleted, state = excluded.state",
)
"""The statement for values of `army_values`."""


class ArmyRow(Struct, frozen=True):
    """An army with the log's number of its first event, which sorts lists."""

    number: int
    army: SavedArmy


class ArmyQuery(Struct, frozen=True):
    """Conditions that armies must meet, all together. Empty ones do not count."""

    game: str = ""
    """Slug of the game."""
    name: str = ""
    """Part of the name, in any case."""


class ArmyPage(Struct, frozen=True):
    """A page of an owner's armies."""

    armies: tuple[SavedArmy, ...]
    next: int | None
    """The `place` of the next page; None after the last page."""


def fold_army(
    connection: sqlite3.Connection,
    pending: Mapping[UUID, ArmyRow],
    sealed: SealedEvent[Event],
    notification: Notification,
) -> ArmyRow:
    """Fold an event, and return the army after it.

    Args:
        connection: The read models.
        pending: The armies of the batch, which are not written yet.
        sealed: The event.
        notification: The event as the log stores it.

    Raises:
        ValueError: The event is not the next one of its army.
    """
    event = sealed.event
    before = pending.get(event.army) or _load(connection, event.army)
    due = (before.army.version if before else 0) + 1
    stored = (notification.originator_id, notification.originator_version)
    if stored != (event.army, due) or event.version != due:
        raise ValueError(f"it is version {event.version} of {event.army}, but version {due} is due")
    check_link(before.army.digest if before else GENESIS, sealed.digest, sealed.body)
    return ArmyRow(
        before.number if before else notification.id,
        evolve(before.army if before else None, sealed),
    )


def army_values(listed: ArmyRow) -> tuple[Any, ...]:
    """Return the values of an army's row."""
    army = listed.army
    return (
        listed.number,
        str(army.id),
        army.version,
        army.owner,
        fold_case(army.saved.name),
        int(army.deleted),
        msgspec.json.encode(army).decode(),
    )


def version(connection: sqlite3.Connection, army: UUID) -> int:
    """Return the version of an army in the read models, or 0 if they do not have the army."""
    found = connection.execute("SELECT version FROM armies WHERE army = ?", (str(army),)).fetchone()
    return found[0] if found else 0


def is_owner(connection: sqlite3.Connection, key: str) -> bool:
    """Return whether an army was ever saved with the token that has this digest."""
    row = connection.execute("SELECT 1 FROM armies WHERE owner = ? LIMIT 1", (key,)).fetchone()
    return row is not None


def army_page(
    connection: sqlite3.Connection,
    owner: str,
    size: int,
    place: int = 0,
    query: ArmyQuery | None = None,
    *,
    descending: bool = True,
) -> ArmyPage:
    """Return a page of an owner's armies, by default the latest created first.

    Args:
        connection: The read models.
        owner: The digest of the owner's token.
        size: Maximum number of armies.
        place: `next` of the previous page; 0 for the first page.
        query: Conditions that the armies must meet; None for all armies.
        descending: Whether the latest army comes first.

    Raises:
        ProjectionStoppedError: An army of the page has a projection error.
    """
    query, keys = query or ArmyQuery(), keyset("number", place, descending=descending)
    rows = connection.execute(
        f"{_SELECT_OWNED} AND {keys.condition} ORDER BY {keys.order} LIMIT :most",
        {
            "owner": owner,
            "game": query.game,
            "name": fold_case(query.name),
            "most": size + 1,
        },
    ).fetchall()
    page = rows[:size]
    armies = tuple(_DECODER.decode(state) for _, state in page)
    projection_errors.require_projected(connection, (army.id for army in armies))
    return ArmyPage(
        armies,
        page[-1][0] if len(rows) > size else None,
    )


def count_armies(connection: sqlite3.Connection, owner: str) -> int:
    """Return the number of an owner's saved armies."""
    (found,) = connection.execute(
        "SELECT count(*) FROM armies WHERE owner = ? AND deleted = 0", (owner,)
    ).fetchone()
    return int(found)


_SELECT_OWNED: Final = (
    "SELECT number, state FROM armies WHERE owner = :owner AND deleted = 0"
    " AND (:game = '' OR json_extract(state, '$.saved.game') = :game)"
    " AND instr(folded_name, :name) > 0"
)
_DECODER: Final = msgspec.json.Decoder(SavedArmy)


def _load(connection: sqlite3.Connection, army: UUID) -> ArmyRow | None:
    found = connection.execute(
        "SELECT number, state FROM armies WHERE army = ?", (str(army),)
    ).fetchone()
    return ArmyRow(found[0], _DECODER.decode(found[1])) if found else None
