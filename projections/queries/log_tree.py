"""The Merkle tree over all events of the log, in the order of the log.

It follows the log as the other read models do. Its nodes never change, so a proof may be put
together while the tree grows.
"""

import sqlite3
from uuid import UUID

from msgspec import Struct

from domain.log import merkle
from domain.log.merkle import Node, consistency, inclusion, number, root


class TreeHead(Struct, frozen=True):
    """The tree as it stood."""

    size: int
    root: bytes


class TreePlace(Struct, frozen=True):
    """Where an event is in the log."""

    index: int
    """From 0."""
    digest: str
    """Of the event: 64 hexadecimal digits, whose 32 bytes are the leaf."""


def size(connection: sqlite3.Connection) -> int:
    """How many events are in the tree."""
    (leaves,) = connection.execute("SELECT leaves FROM tracking").fetchone()
    return int(leaves)


def node(connection: sqlite3.Connection) -> Node:
    """The hashes of complete subtrees."""

    def find(level: int, index: int) -> bytes:
        row = connection.execute(
            "SELECT hash FROM nodes WHERE number = ?", (number(level, index),)
        ).fetchone()
        return bytes(row[0])

    return find


def head(connection: sqlite3.Connection) -> TreeHead:
    """The present tree."""
    leaves = size(connection)
    return TreeHead(leaves, root(node(connection), leaves))


def is_edge_sound(connection: sqlite3.Connection, last: bytes) -> bool:
    """Return whether the edge of the tree, from which checkpoints are signed, is as it was written:
    a flipped value there passes the checks of SQLite. `last` is the data of its last leaf."""
    return merkle.is_edge_sound(node(connection), size(connection), last)


def head_at(connection: sqlite3.Connection, leaves: int) -> TreeHead | None:
    """The tree as it stood with so many leaves; None if it has not so many yet."""
    if not 0 <= leaves <= size(connection):
        return None
    return TreeHead(leaves, root(node(connection), leaves))


def place(connection: sqlite3.Connection, match: UUID, version: int) -> TreePlace | None:
    """Where an event is; None if the read models have no such event."""
    row = connection.execute(
        "SELECT e.place, e.digest FROM events e JOIN matches m ON m.number = e.match"
        " WHERE m.match = ? AND e.version = ?",
        (str(match), min(version, 2**62)),
    ).fetchone()
    return TreePlace(*row) if row else None


def path(connection: sqlite3.Connection, index: int, leaves: int) -> list[bytes]:
    """The proof that the leaf of this index is in the tree of the first `leaves` ones."""
    return inclusion(node(connection), index, leaves)


def growth(connection: sqlite3.Connection, old: int, new: int) -> list[bytes]:
    """The proof that the tree of `old` leaves is the beginning of that of `new` ones."""
    return consistency(node(connection), old, new)
