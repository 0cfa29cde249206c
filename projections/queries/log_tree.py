"""The Merkle tree over all events of the log, in the order of the log.

The projector extends the tree like the other read models. Nodes never change, so proofs can be
computed while the tree grows.
"""

import sqlite3
from uuid import UUID

from msgspec import Struct

from domain.log import merkle
from domain.log.merkle import NodeHashes, prove_consistency, prove_inclusion, root, subtree_number


class TreeHead(Struct, frozen=True):
    """The size of a tree and its root hash."""

    size: int
    root: bytes


class LogLeaf(Struct, frozen=True):
    """The leaf of an event."""

    index: int
    """The index of the leaf, from 0."""
    digest: str
    """The digest of the event in 64 hexadecimal digits. Its 32 bytes are the leaf's data."""


def tree_size(connection: sqlite3.Connection) -> int:
    """Return the number of leaves in the tree."""
    (leaves,) = connection.execute("SELECT leaves FROM tracking").fetchone()
    return int(leaves)


def node_reader(connection: sqlite3.Connection) -> NodeHashes:
    """Return a function that reads the hashes of complete subtrees."""

    def find(level: int, index: int) -> bytes:
        row = connection.execute(
            "SELECT hash FROM nodes WHERE number = ?", (subtree_number(level, index),)
        ).fetchone()
        return bytes(row[0])

    return find


def tree_head(connection: sqlite3.Connection) -> TreeHead:
    """Return the head of the current tree."""
    leaves = tree_size(connection)
    return TreeHead(leaves, root(node_reader(connection), leaves))


def is_edge_sound(connection: sqlite3.Connection, last: bytes) -> bool:
    """Return whether the right edge of the tree, from which checkpoints are signed, is intact.

    SQLite's own checks do not find a changed hash.

    Args:
        connection: The read models.
        last: The data of the last leaf, from the log.
    """
    return merkle.is_frontier_valid(node_reader(connection), tree_size(connection), last)


def tree_head_at(connection: sqlite3.Connection, leaves: int) -> TreeHead | None:
    """Return the head of the tree with its first `leaves` leaves, or None if it has fewer."""
    if not 0 <= leaves <= tree_size(connection):
        return None
    return TreeHead(leaves, root(node_reader(connection), leaves))


def leaf_of_event(connection: sqlite3.Connection, match: UUID, version: int) -> LogLeaf | None:
    """Return the leaf of an event, or None if the read models do not have the event."""
    row = connection.execute(
        "SELECT e.place, e.digest FROM events e JOIN matches m ON m.number = e.match"
        " WHERE m.match = ? AND e.version = ?",
        (str(match), min(version, 2**62)),
    ).fetchone()
    return LogLeaf(*row) if row else None


def inclusion_proof(connection: sqlite3.Connection, index: int, leaves: int) -> list[bytes]:
    """Return the proof that a leaf is in the tree of the first `leaves` leaves."""
    return prove_inclusion(node_reader(connection), index, leaves)


def consistency_proof(connection: sqlite3.Connection, old: int, new: int) -> list[bytes]:
    """Return the proof that the tree of `new` leaves extends the tree of `old` leaves."""
    return prove_consistency(node_reader(connection), old, new)
