"""Matches, armies and tables that stand still since an event of theirs could not be understood."""

import sqlite3
import zlib
from collections.abc import Iterable
from typing import Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import MapperDeserialisationError
from msgspec import Struct

from domain.storage.topics import MATCH

UNREADABLE_ERRORS: Final = (
    MapperDeserialisationError,
    msgspec.MsgspecError,
    zlib.error,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What decoding, folding or showing a match may raise when the match is not what it should be."""


class ProjectionError(Struct, frozen=True):
    """Where a match, an army or a table came to a stop."""

    match: UUID
    version: int
    """Of the event that could not be understood; it and all after it are missing."""
    why: str


def public_error_text(error: Exception) -> str:
    """Return in words, for anybody, that a match cannot be shown: the kind of the fault alone,
    since its message may quote what is hidden."""
    return f"the match cannot be shown ({type(error).__name__}): the service's log says more"


def list_projection_errors(
    connection: sqlite3.Connection, kind: str = MATCH
) -> list[ProjectionError]:
    """All of a kind."""
    rows = connection.execute(
        "SELECT match, version, why FROM troubles WHERE kind = ? ORDER BY match", (kind,)
    ).fetchall()
    return [ProjectionError(UUID(match), version, why) for match, version, why in rows]


def find_projection_error(connection: sqlite3.Connection, identity: UUID) -> ProjectionError | None:
    """Why a match, army or table stands still; None if it does not."""
    row = connection.execute(
        "SELECT match, version, why FROM troubles WHERE match = ?", (str(identity),)
    ).fetchone()
    return ProjectionError(UUID(row[0]), *row[1:]) if row else None


def require_projected(connection: sqlite3.Connection, identities: Iterable[UUID]) -> None:
    """Raise TroubleError for the first of these that stands still."""
    for identity in identities:
        if (trouble := find_projection_error(connection, identity)) is not None:
            raise ProjectionStoppedError(trouble)


class ProjectionStoppedError(Exception):
    """What is asked for stands still, so that what the read models have of it is old."""

    def __init__(self, trouble: ProjectionError) -> None:
        super().__init__(trouble.why)
        self.trouble = trouble
