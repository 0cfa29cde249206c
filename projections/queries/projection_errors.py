"""Projection errors: aggregates whose projection stopped at an event that cannot be read."""

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
"""The errors that decoding, folding or rendering a damaged or unknown event may raise."""


class ProjectionError(Struct, frozen=True):
    """The point at which the projection of one aggregate stopped."""

    match: UUID
    """The ID of the aggregate: of a match, or of another kind."""
    version: int
    """The version of the unreadable event. The read models have no event from it on."""
    why: str


def public_error_text(error: Exception) -> str:
    """Return an error text that every viewer may read.

    The text names only the type of the error, because its message may quote hidden information.
    """
    return f"The match cannot be shown ({type(error).__name__}). See the log of the service."


def list_projection_errors(
    connection: sqlite3.Connection, kind: str = MATCH
) -> list[ProjectionError]:
    """Return the projection errors of one kind of aggregate."""
    rows = connection.execute(
        "SELECT match, version, why FROM troubles WHERE kind = ? ORDER BY match", (kind,)
    ).fetchall()
    return [ProjectionError(UUID(match), version, why) for match, version, why in rows]


def find_projection_error(connection: sqlite3.Connection, identity: UUID) -> ProjectionError | None:
    """Return the projection error of an aggregate, or None if it has none."""
    row = connection.execute(
        "SELECT match, version, why FROM troubles WHERE match = ?", (str(identity),)
    ).fetchone()
    return ProjectionError(UUID(row[0]), *row[1:]) if row else None


def require_projected(connection: sqlite3.Connection, identities: Iterable[UUID]) -> None:
    """Require that aggregates have no projection errors.

    Raises:
        ProjectionStoppedError: One of the aggregates has a projection error.
    """
    for identity in identities:
        if (projection_error := find_projection_error(connection, identity)) is not None:
            raise ProjectionStoppedError(projection_error)


class ProjectionStoppedError(Exception):
    """The error raised for an aggregate whose rows are outdated by a projection error."""

    def __init__(self, projection_error: ProjectionError) -> None:
        super().__init__(projection_error.why)
        self.projection_error = projection_error
