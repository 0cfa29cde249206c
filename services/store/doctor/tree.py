"""Comparison of the Merkle tree in the read models with the events of the log.

Checkpoints are signed from that tree. Nothing is written.
"""

import sqlite3
from collections.abc import Callable
from itertools import islice
from typing import Final

from eventsourcing.persistence import StoredEvent

from domain.log.merkle import EMPTY_ROOT, Frontier
from services.store.doctor.report import HealthCheck, LogRows

REMEDY: Final = (
    "if the chains are whole too, the read models are damaged: stop the service, remove reads/ and"
    " start it, which makes them anew; then compare with an earlier checkpoint, and check the disk"
)


def check_tree(
    reads: sqlite3.Connection, leaves: int, log: LogRows, leaf: Callable[[StoredEvent], bytes]
) -> HealthCheck:
    """Return whether each stored hash of the tree matches the events.

    Args:
        reads: The read models, in which the tree is stored.
        leaves: Number of events in the read models.
        log: The log, which has at least as many.
        leaf: Returns the leaf of an event.
    """
    # Nodes are numbered in the order in which a growing tree completes them.
    nodes = reads.execute("SELECT hash FROM nodes ORDER BY number")
    tree = Frontier(0, lambda level, index: EMPTY_ROOT)
    for row in islice(log.in_order(), leaves):
        for _, _, expected in tree.add(leaf(row)):
            stored = nodes.fetchone()
            if stored is None or bytes(stored[0]) != expected:
                what = f"it differs from the log at event {tree.size + 1}"
                return HealthCheck("bad", "tree", what, REMEDY)
    return HealthCheck("fine", "tree", f"it fits {tree.size} events")
