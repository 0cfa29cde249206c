"""The Merkle tree over all events of the log, in the order of the log.

It follows the log as the other read models do. Its nodes never change, so a proof may be put
together while the tree grows.
"""

import sqlite3
from uuid import UUID

from msgspec import Struct

from domain.log import merkle
from domain.log.merkle import NodeHashes, prove_consistency, prove_inclusion, root, subtree_number


class TreeHead(Struct, frozen=True):
    """The tree as it stood."""

    size: int
    root: bytes


class LogLeaf(Struct, frozen=True):
    """Where an event is in the log."""

    index: int
    """From 0."""
    digest: str
    """Of the event: 64 hexadecimal digits, whose 32 bytes are the leaf."""


def tree_size(connection: sqlite3.Connection) -> int:
    """How many events are in the tree."""
    (leaves,) = connection.execute("SELECT leaves FROM tracking").fetchone()
    return int(leaves)


def node_reader(connection: sqlite3.Connection) -> NodeHashes:
    """The hashes of complete subtrees."""

    def find(level: int, index: int) -> bytes:
        row = connection.execute(
            "SELECT hash FROM nodes WHERE number = ?", (subtree_number(level, index),)
        ).fetchone()
        return bytes(row[0])

    return find


def tree_head(connection: sqlite3.Connection) -> TreeHead:
    """The present tree."""
    leaves = tree_size(connection)
    return TreeHead(leaves, root(node_reader(connection), leaves))


def is_edge_sound(connection: sqlite3.Connection, last: bytes) -> bool:
    """Return whether the edge of the tree, from which checkpoints are signed, is as it was written:
    a flipped value there passes the checks of SQLite. `last` is the data of its last leaf."""
    return merkle.is_frontier_valid(node_reader(connection), tree_size(connection), last)


def tree_head_at(connection: sqlite3.Connection, leaves: int) -> TreeHead | None:
    """The tree as it stood with so many leaves; None if it has not so many yet."""
    if not 0 <= leaves <= tree_size(connection):
        return None
    return TreeHead(leaves, root(node_reader(connection), leaves))


def leaf_of_event(connection: sqlite3.Connection, match: UUID, version: int) -> LogLeaf | None:
    """Where an event is; None if the read models have no such event."""
    row = connection.execute(
        "SELECT e.place, e.digest FROM events e JOIN matches m ON m.number = e.match"
        " WHERE m.match = ? AND e.version = ?",
        (str(match), min(version, 2**62)),
    ).fetchone()
    return LogLeaf(*row) if row else None


def inclusion_proof(connection: sqlite3.Connection, index: int, leaves: int) -> list[bytes]:
    """The proof that the leaf of this index is in the tree of the first `leaves` ones."""
    return prove_inclusion(node_reader(connection), index, leaves)


def consistency_proof(connection: sqlite3.Connection, old: int, new: int) -> list[bytes]:
    """The proof that the tree of `old` leaves is the beginning of that of `new` ones."""
    return prove_consistency(node_reader(connection), old, new)
