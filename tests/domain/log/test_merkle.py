"""The Merkle tree is that of RFC 6962, and nothing but a right proof is believed."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log.merkle import (
    EMPTY_ROOT,
    Frontier,
    NodeHashes,
    leaf_hash,
    prove_consistency,
    prove_inclusion,
    root,
    verify_consistency,
    verify_inclusion,
)

# The leaves, roots and proofs that the reference implementation of Certificate Transparency is
# tested with.
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSIONS = {
    (0, 1): [],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
CONSISTENCIES = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}


def grown(leaves: list[bytes]) -> NodeHashes:
    """The nodes of a tree that was grown leaf by leaf."""
    nodes: dict[tuple[int, int], bytes] = {}
    frontier = Frontier(0, lambda level, index: nodes[level, index])
    for leaf in leaves:
        nodes |= {(level, index): found for level, index, found in frontier.add(leaf)}
    return lambda level, index: nodes[level, index]


def defined(leaves: list[bytes]) -> bytes:
    """MTH as RFC 6962 defines it."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0]).digest()
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return sha256(b"\1" + defined(leaves[:k]) + defined(leaves[k:])).digest()


def some(count: int) -> list[bytes]:
    return [str(number).encode() for number in range(count)]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_the_known_ones(size: int) -> None:
    assert root(grown(LEAVES), size).hex() == ROOTS[size]


@pytest.mark.parametrize(("place", "path"), INCLUSIONS.items())
def test_audit_paths_are_the_known_ones(place: tuple[int, int], path: list[str]) -> None:
    index, size = place
    found = prove_inclusion(grown(LEAVES), index, size)
    assert [step.hex() for step in found] == path
    assert verify_inclusion(LEAVES[index], index, size, found, bytes.fromhex(ROOTS[size]))


@pytest.mark.parametrize(("sizes", "proof"), CONSISTENCIES.items())
def test_consistency_proofs_are_the_known_ones(sizes: tuple[int, int], proof: list[str]) -> None:
    old, new = sizes
    found = prove_consistency(grown(LEAVES), old, new)
    assert [step.hex() for step in found] == proof
    assert verify_consistency(old, bytes.fromhex(ROOTS[old]), new, bytes.fromhex(ROOTS[new]), found)


@given(st.integers(0, 80))
def test_a_grown_tree_has_the_root_of_the_definition(size: int) -> None:
    assert root(grown(some(size)), size) == defined(some(size))


@given(st.integers(0, 70), st.integers(1, 10))
def test_a_tree_continues_from_its_edge(size: int, more: int) -> None:
    leaves = some(size + more)
    node = grown(leaves)
    edge = Frontier(size, node)
    for leaf in leaves[size:]:
        for level, index, found in edge.add(leaf):
            assert found == node(level, index)


@given(st.data())
def test_each_leaf_can_be_shown_and_no_other_in_its_place(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 70))
    index = data.draw(st.integers(0, size - 1))
    leaves = some(size)
    node = grown(leaves)
    path, head = prove_inclusion(node, index, size), root(node, size)
    assert verify_inclusion(leaves[index], index, size, path, head)
    assert not verify_inclusion(b"other", index, size, path, head)
    assert not verify_inclusion(leaves[index], index + 1, size, path, head)
    assert not verify_inclusion(leaves[index], index, size, [*path, EMPTY_ROOT], head)
    assert not verify_inclusion(leaves[index], index, size, path[:-1] or [EMPTY_ROOT], head)


@given(st.data())
def test_a_tree_extends_what_it_grew_from_and_nothing_else(data: st.DataObject) -> None:
    new = data.draw(st.integers(1, 70))
    old = data.draw(st.integers(0, new))
    node = grown(some(new))
    proof, was, now = prove_consistency(node, old, new), root(node, old), root(node, new)
    assert verify_consistency(old, was, new, now, proof)
    assert not verify_consistency(old, leaf_hash(b"other"), new, now, proof)
    if old:
        assert not verify_consistency(old, was, new, leaf_hash(b"other"), proof)
    assert not verify_consistency(old, was, new, now, [*proof, EMPTY_ROOT])
    for place in range(len(proof)):
        changed = [*proof[:place], leaf_hash(b"other"), *proof[place + 1 :]]
        assert not verify_consistency(old, was, new, now, changed)
    if old < new:
        assert not verify_consistency(new, now, old, was, proof)
