"""The Merkle tree of RFC 6962, with inclusion and consistency proofs.

The node at `(level, index)` covers the `2**level` leaves from `index * 2**level` on. Nodes of
complete subtrees never change while the tree grows. `projections.queries.log_tree` stores them, so
each root and each proof takes a few look-ups.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Final

NodeHashes = Callable[[int, int], bytes]
"""A function that returns the hash of a complete subtree, by level and index."""

EMPTY_ROOT: Final = sha256().digest()
"""The root hash of the empty tree."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node over its two children."""
    return sha256(b"\1" + left + right).digest()


def subtree_number(level: int, index: int) -> int:
    """Return the position of a subtree in the order in which subtrees become complete, from 0."""
    for _ in range(level):
        index = 2 * index + 1  # the last leaf of the subtree
    found = 0
    while index:
        found += index
        index >>= 1
    # The sum of floor(index / 2^i) over all i counts the leaves and subtrees before that leaf.
    return found + level


class Frontier:
    """The right edge of a growing tree, which is all that adding a leaf needs."""

    def __init__(self, size: int, node: NodeHashes) -> None:
        """Load the right edge of a tree that has `size` leaves."""
        self.size = size
        self._peaks = {
            level: node(level, (size >> level) - 1)
            for level in range(size.bit_length())
            if size >> level & 1
        }

    def add(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Add a leaf, and yield level, index and hash of each subtree that it completes."""
        level, index, found = 0, self.size, leaf_hash(data)
        yield level, index, found
        while index & 1:
            found = node_hash(self._peaks.pop(level), found)
            level, index = level + 1, index >> 1
            yield level, index, found
        self._peaks[level] = found
        self.size += 1

    def root(self) -> bytes:
        """Return the root hash of the tree."""
        lowest_first = (self._peaks[level] for level in sorted(self._peaks))
        found = next(lowest_first, EMPTY_ROOT)
        for peak in lowest_first:
            found = node_hash(peak, found)
        return found


def is_frontier_valid(node: NodeHashes, size: int, last: bytes) -> bool:
    """Return whether the stored nodes on the right edge of a tree match their children.

    Checkpoints are signed from this edge, and later leaves are hashed with it. The check descends
    from each peak to its last leaf.

    Args:
        node: Returns the stored hash of a complete subtree.
        size: The number of leaves, at least one.
        last: The data of the last leaf.
    """
    if node(0, size - 1) != leaf_hash(last):
        return False
    for level, index in ((at, (size >> at) - 1) for at in range(size.bit_length())):
        if not size >> level & 1:
            continue
        found = node(level, index)
        while level:
            level, index = level - 1, 2 * index + 1
            right = node(level, index)
            if node_hash(node(level, index - 1), right) != found:
                return False
            found = right
    return True


def root(node: NodeHashes, size: int) -> bytes:
    """Return the root hash of the tree over the first `size` leaves."""
    return _range_hash(node, 0, size) if size else EMPTY_ROOT


def prove_inclusion(node: NodeHashes, index: int, size: int) -> list[bytes]:
    """Return the audit path of a leaf, from the bottom up: PATH of RFC 6962, section 2.1.1."""
    assert 0 <= index < size
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_range_hash(node, middle, end))
            end = middle
        else:
            path.append(_range_hash(node, start, middle))
            start = middle
    return path[::-1]


def prove_consistency(node: NodeHashes, old: int, new: int) -> list[bytes]:
    """Return the proof that a tree of `new` leaves extends the tree of `old` leaves.

    This is PROOF of RFC 6962, section 2.1.2. It is empty if the sizes are equal or `old` is 0.
    """
    assert 0 <= old <= new
    if old in (0, new):
        return []
    proof: list[bytes] = []
    start, end, whole = 0, new, True
    while end > old:
        middle = start + _split(end - start)
        if old <= middle:
            proof.append(_range_hash(node, middle, end))
            end = middle
        else:
            proof.append(_range_hash(node, start, middle))
            start, whole = middle, False
    # If the old tree is a subtree of the new one, the reader already has its root.
    if not whole:
        proof.append(_range_hash(node, start, end))
    return proof[::-1]


def verify_inclusion(
    data: bytes, index: int, size: int, path: Sequence[bytes], head: bytes
) -> bool:
    """Return whether this audit path leads from the leaf to the root hash `head`."""
    return root_from_inclusion_proof(data, index, size, path) == head


def root_from_inclusion_proof(
    data: bytes, index: int, size: int, path: Sequence[bytes]
) -> bytes | None:
    """Return the root hash that an audit path leads to, or None if its length is wrong.

    The algorithm is that of RFC 9162, section 2.1.3.2.
    """
    if not 0 <= index < size:
        return None
    place, last, found = index, size - 1, leaf_hash(data)
    for step in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = node_hash(step, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, step)
        place, last = place >> 1, last >> 1
    return found if last == 0 else None


def audit_paths(leaves: Sequence[bytes]) -> tuple[bytes, list[tuple[bytes, ...]]]:
    """Return the root hash of a tree with at least one leaf, and the audit path of each leaf."""
    rows = [[leaf_hash(leaf) for leaf in leaves]]
    while len(row := rows[-1]) > 1:
        above = [node_hash(*row[left : left + 2]) for left in range(0, len(row) - 1, 2)]
        # A node without a sibling moves up unchanged.
        rows.append(above + row[len(row) & ~1 :])
    return rows[-1][0], [
        tuple(
            row[sibling]
            for level, row in enumerate(rows)
            if (sibling := index >> level ^ 1) < len(row)
        )
        for index in range(len(leaves))
    ]


def verify_consistency(
    old: int, old_head: bytes, new: int, head: bytes, proof: Sequence[bytes]
) -> bool:
    """Return whether a proof shows that the new tree extends the old one.

    The algorithm is that of RFC 9162, section 2.1.4.2.
    """
    if old == new:
        return not proof and old_head == head
    if old == 0:
        return not proof and old_head == EMPTY_ROOT
    if not 0 < old < new:
        return False
    # If the old size is a power of two, the old tree is a subtree: the proof omits its root.
    steps = [old_head, *proof] if old & (old - 1) == 0 else [*proof]
    if not steps:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    was = now = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            was, now = node_hash(step, was), node_hash(step, now)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            now = node_hash(now, step)
        place, last = place >> 1, last >> 1
    return last == 0 and was == old_head and now == head


def _split(width: int) -> int:
    """Return the largest power of two below `width`, which is at least 2."""
    return 1 << (width - 1).bit_length() - 1


def _range_hash(node: NodeHashes, start: int, end: int) -> bytes:
    """Return the hash over the leaves in `range(start, end)`, split as in RFC 6962."""
    width = end - start
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return node(level, start >> level)
    middle = start + _split(width)
    return node_hash(_range_hash(node, start, middle), _range_hash(node, middle, end))
