"""The tree over the log: one leaf for each event, in the order of the log."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from sqlite3 import Connection
from typing import Any

from domain.log.merkle import Frontier, root, verify_consistency, verify_inclusion
from projections.projector.rebuild import rebuild
from projections.projector.runner import ProjectionRunner
from projections.queries import log_tree
from projections.queries.read_files import ReadModels

CaughtUp = Callable[..., AbstractContextManager[Connection]]


def grown(leaves: list[bytes]) -> bytes:
    nodes: dict[tuple[int, int], bytes] = {}
    frontier = Frontier(0, lambda level, index: nodes[level, index])
    for leaf in leaves:
        nodes |= {(level, index): found for level, index, found in frontier.add(leaf)}
    return root(lambda level, index: nodes[level, index], len(leaves))


def test_each_event_is_a_leaf_whatever_match_it_is_of(playing: Any, caught_up: CaughtUp) -> None:
    one, other = playing().play(9), playing().play(12)
    with caught_up(one, other) as connection:
        head = log_tree.tree_head(connection)
        events = [*one.events, *other.events]
        leaves = [bytes.fromhex(each.digest) for each in events]
        assert head == log_tree.TreeHead(len(events), grown(leaves))
        for index, sealed in enumerate(events):
            place = log_tree.leaf_of_event(connection, sealed.event.match, sealed.event.version)
            assert place == log_tree.LogLeaf(index, sealed.digest)
            path = log_tree.inclusion_proof(connection, index, head.size)
            assert verify_inclusion(leaves[index], index, head.size, path, head.root)


def test_the_tree_grows_over_restarts_and_proves_that_it_only_grew(
    playing: Any, caught_up: CaughtUp
) -> None:
    heads = []
    for actions in (0, 3, 7, 1):
        with caught_up(playing().play(actions)) as connection:
            heads.append(log_tree.tree_head(connection))
    for old in heads:
        proof = log_tree.consistency_proof(connection, old.size, heads[-1].size)
        assert verify_consistency(old.size, old.root, heads[-1].size, heads[-1].root, proof)


def test_an_event_that_cannot_be_understood_has_its_leaf_all_the_same(
    log: Any, models: ReadModels, settled: Any, playing: Any
) -> None:
    match = playing().play(2)
    log.write(*match.events)
    log.write_raw(match.id, 4, b"nonsense")
    other = playing()
    log.write(*other.events)
    with ProjectionRunner(log.recorder, models, log.mapper) as following:
        settled(following)
        with models.reading() as connection:
            assert log_tree.tree_size(connection) == 5
            assert log_tree.leaf_of_event(connection, match.id, 4) is None
            place = log_tree.leaf_of_event(connection, other.id, 1)
            assert place is not None
            assert place.index == 4


def test_a_rebuild_gives_the_same_tree(
    log: Any, models: ReadModels, follower: ProjectionRunner, settled: Any, playing: Any
) -> None:
    log.write(*playing().play(20).events)
    settled(follower)
    with models.reading() as connection:
        before = log_tree.tree_head(connection)
    for _ in rebuild(log.recorder, models, log.mapper, follower):
        pass
    with models.reading() as connection:
        assert log_tree.tree_head(connection) == before
