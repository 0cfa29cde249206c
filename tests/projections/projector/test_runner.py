"""Following the log: exactly once, through kills, failures and events that nobody understands."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.log.merkle import subtree_number
from projections.projector import runner, schema
from projections.projector.projector import Projector
from projections.projector.runner import ProjectionRunner
from projections.queries import log_tree, match_list
from projections.queries.projection_errors import ProjectionError, list_projection_errors
from projections.queries.read_files import ReadModels
from projections.views import board_views
from tests.stores import both_stores

FOLLOW = """
import sys
from pathlib import Path
from eventsourcing.persistence import JSONTranscoder
from domain.storage.mapper import EventMapper
from projections.projector import runner
from projections.queries.read_files import ReadModels
from services.store.sqlite.recorder import Factory

runner.MAX_BATCH = 7
factory = Factory({"SQLITE_DBNAME": sys.argv[1]})


def told(versions):
    print(len(versions), flush=True)
    sys.stdin.readline()  # go on when told to


runner.ProjectionRunner(
    factory.application_recorder(),
    ReadModels(Path(sys.argv[2])),
    factory.mapper(JSONTranscoder(), EventMapper),
    told,
)._thread.join()
"""


def test_each_event_is_in_the_tables_once_wherever_the_process_was_killed(
    playing: Any, log: Any, settled: Any, tables: Any, in_one_go: Any, tmp_path: Path
) -> None:
    matches = [playing(title=f"match {n}").claim("white", "Ada").play(60, seed=n) for n in range(6)]
    longest = max(len(match.events) for match in matches)
    for version in range(longest):
        for match in matches:
            log.write(*match.events[version : version + 1])
    reads = tmp_path / "killed"
    for batches, milliseconds in ((1, 0), (2, 1), (3, 2), (3, 4)):
        follow = [sys.executable, "-c", FOLLOW, str(log.file), str(reads)]
        with subprocess.Popen(
            follow, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin
            assert process.stdout
            for _ in range(batches):
                assert process.stdout.readline()
                process.stdin.write("\n")
                process.stdin.flush()
            time.sleep(milliseconds / 1000)  # somewhere in the next batch, or just after it
            process.kill()
    models = ReadModels(reads)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        assert follower.position > 0
        settled(follower)
    models.close()
    assert tables(models.path) == tables(in_one_go())


@both_stores
def test_a_follower_continues_where_the_last_one_stopped(
    playing: Any, log: Any, models: Any, settled: Any, tables: Any, in_one_go: Any, tmp_path: Path
) -> None:
    match = playing(title="match").play(40)
    notices: list[Any] = []
    for begin in range(0, 40, 10):
        log.write(*match.events[begin : begin + 10])
        with ProjectionRunner(log.recorder, models, log.mapper, notices.append) as follower:
            settled(follower)
    assert [versions[match.id] for versions in notices] == [10, 20, 30, 40]
    assert tables(models.path) == tables(in_one_go())


@both_stores
def test_reads_may_ask_for_a_version_that_is_at_least_as_new(
    playing: Any, log: Any, follower: Any
) -> None:
    match = playing().play(5)
    assert not follower.wait_for(match.id, 1, timeout=0.05)
    log.write(*match.events[:3])
    assert follower.wait_for(match.id, 3, timeout=30)
    assert not follower.wait_for(match.id, 4, timeout=0.05)
    log.write(*match.events[3:])
    assert follower.wait_for(match.id, 4, timeout=30)


def test_reads_may_ask_for_all_that_the_log_has(playing: Any, log: Any, follower: Any) -> None:
    assert follower.catch_up(timeout=0)
    match = playing().play(50)
    log.write(*match.events)
    assert follower.catch_up(timeout=30)
    assert follower.position == len(match.events)


def test_the_status_shows_how_far_it_is(
    playing: Any, log: Any, follower: Any, settled: Any
) -> None:
    match = playing().play(9)
    log.write(*match.events)
    settled(follower)
    status = follower.status()
    assert (status.position, status.newest, status.lag) == (10, 10, 0)
    assert (status.error_count, status.failures, status.error) == (0, 0, "")


@both_stores
@pytest.mark.parametrize("keep", [0, 1, 100])
def test_matches_that_are_not_kept_in_memory_are_read_again(
    playing: Any, log: Any, tables: Any, in_one_go: Any, tmp_path: Path, keep: int
) -> None:
    matches = [playing().claim("black", "Ben").play(20, seed=n) for n in range(4)]
    for version in range(22):
        log.write(*[event for match in matches for event in match.events[version : version + 1]])
    connection = schema.connect_writer(tmp_path / "few.sqlite")
    schema.create_tables(connection, ready=True)
    projector = Projector(connection, log.mapper, keep)
    while events := log.recorder.select_notifications(
        projector.position, 3, inclusive_of_start=False
    ):
        projector.apply(events)
    projector.close()
    expected = tables(in_one_go())
    assert tables(tmp_path / "few.sqlite") == expected


# --- what cannot be understood -------------------------------------------------------------------


@both_stores
@pytest.mark.parametrize("state", [b"", b"\xff", b"{}", b'{"digest":"","event":{"type":"odd"}}'])
def test_an_event_that_cannot_be_read_stops_its_own_match_and_no_other(
    playing: Any, log: Any, models: Any, settled: Any, state: bytes
) -> None:
    poisoned, other = playing(title="poisoned").play(8), playing(title="other").play(8)
    log.write(*poisoned.events[:4])
    log.write_raw(poisoned.id, 5, state)
    log.write(*poisoned.events[5:], *other.events)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
        assert follower.status().error_count == 1
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:  # remembered from the file
        assert follower.status().error_count == 1
    with models.reading() as connection:
        (error,) = list_projection_errors(connection)
        stopped, going = (
            board_views.find_match_row(connection, each.id) for each in (poisoned, other)
        )
        listed = match_list.match_page(
            connection, match_list.MatchFilter(), match_list.MatchOrder.CREATED, 10
        ).matches
    assert isinstance(error, ProjectionError)
    assert (error.match, error.version) == (poisoned.id, 5)
    assert stopped.match == poisoned.states[3]
    assert stopped.projection_error == error.why != ""
    assert (going.match, going.projection_error) == (other.match, "")
    assert [each.projection_error for each in listed] == ["", error.why]


def test_an_event_of_another_match_or_version_is_not_folded(
    playing: Any, log: Any, models: Any, settled: Any
) -> None:
    one, other = playing().play(3), playing().play(3)
    log.write(*one.events[:2], other.events[0])
    stored = log.mapper.to_stored_event(other.events[1])
    log.write_raw(one.id, 3, stored.state)
    created = log.mapper.to_stored_event(other.events[0])
    log.write_raw(other.id, 2, created.state)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    with models.reading() as connection:
        found = {error.match: error.version for error in list_projection_errors(connection)}
        assert board_views.latest_version(connection, one.id) == 2
    assert found == {one.id: 3, other.id: 2}


# --- failures that pass --------------------------------------------------------------------------


def test_a_failure_of_the_read_file_is_waited_out_and_shown(
    playing: Any, log: Any, models: Any, follower: Any, settled: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(runner, "MIN_RETRY_SECONDS", 0.02)
    match = playing().play(10)
    log.write(*match.events[:5])
    settled(follower)
    follower._projector._connection.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(models.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        log.write(*match.events[5:])
        until(lambda: follower.status().failures >= 2)
        assert "database is locked" in follower.status().error
        assert follower.status().lag == 6
        other.execute("ROLLBACK")
    assert follower.wait_for(match.id, 11, 30)
    until(lambda: follower.status().failures == 0)
    assert follower.status().error == ""
    with models.reading() as connection:
        assert [
            step.sealed for step in board_views.read_transitions(connection, match.id, 0, 99)
        ] == match.events


def test_read_models_of_another_log_are_rebuilt(
    playing: Any, log: Any, models: Any, open_log: Any, settled: Any, tmp_path: Path
) -> None:
    """As after the log was restored from a backup: what it has lost must not be shown."""
    mine, lost = playing(title="mine").play(5), playing(title="lost").play(9)
    other = open_log(tmp_path / "other.sqlite")
    other.write(*lost.events)
    log.write(*mine.events)
    with ProjectionRunner(other.recorder, models, other.mapper) as follower:
        settled(follower)
    other.close()
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        assert follower.wait_for(mine.id, 6, 30)
    with models.reading() as connection:
        assert board_views.find_match_row(connection, lost.id) is None
        assert board_views.latest_version(connection, mine.id) == 6


@pytest.mark.parametrize("node", [(3, 0), (2, 1), (2, 0), (2, 2), (1, 5), (0, 12)])
def test_a_tree_with_a_changed_value_at_its_edge_is_rebuilt(
    playing: Any, log: Any, models: Any, settled: Any, node: tuple[int, int]
) -> None:
    """SQLite finds nothing wrong with it, and a checkpoint would be signed for another log."""
    match = playing().play(12)
    log.write(*match.events)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    with models.reading() as connection:
        before = log_tree.tree_head(connection)
    assert before.size == 13
    with closing(sqlite3.connect(models.path, isolation_level=None)) as writing:
        change = "UPDATE nodes SET hash = zeroblob(32) WHERE number = ?"
        assert writing.execute(change, (subtree_number(*node),)).rowcount == 1
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    with models.reading() as connection:
        assert log_tree.tree_head(connection) == before


def test_a_read_file_of_another_shape_is_rebuilt(
    playing: Any, log: Any, settled: Any, tmp_path: Path
) -> None:
    match = playing().play(5)
    log.write(*match.events)
    for damage in ("UPDATE tracking SET fingerprint = 'old'", "DROP TABLE tracking", None):
        models = ReadModels(tmp_path / "reads")
        with ProjectionRunner(log.recorder, models, log.mapper) as follower:
            assert follower.wait_for(match.id, 6, 30)
        models.close()
        if damage:
            with sqlite3.connect(models.path) as connection:
                connection.execute(damage)
            connection.close()
        else:
            models.path.write_bytes(b"this is no database, whatever its name says" * 100)
    models = ReadModels(tmp_path / "reads")
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        assert follower.wait_for(match.id, 6, 30)
    assert [path.name for path in (tmp_path / "reads").glob("*.sqlite")] == [models.path.name]
    models.close()


def test_a_damaged_read_file_is_rebuilt(
    playing: Any, log: Any, models: Any, settled: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(runner, "MIN_RETRY_SECONDS", 0.02)
    match = playing().play(10)
    log.write(*match.events[:5])
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    damaged = models.path
    with sqlite3.connect(damaged) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'matches'"
        ).fetchone()
    connection.close()
    with damaged.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(b"\xff" * 4096)
    log.write(*match.events[5:])
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        until(lambda: models.path != damaged)
        assert follower.wait_for(match.id, 11, 30)
    assert not damaged.exists()


def test_closing_twice_is_fine_and_leaves_no_thread(log: Any, models: Any) -> None:
    follower = ProjectionRunner(log.recorder, models, log.mapper)
    follower.close()
    follower.close()
    assert not follower._thread.is_alive()


def until(condition: Any) -> None:
    patience = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.005)


def test_no_change_is_reported_for_an_unchanged_match(
    playing: Any, log: Any, models: Any, settled: Any
) -> None:
    notices: list[dict[UUID, int]] = []
    one, other = playing().play(2), playing().play(4)
    with ProjectionRunner(log.recorder, models, log.mapper, notices.append) as follower:
        log.write(*one.events)
        settled(follower)
        log.write(*other.events)
        settled(follower)
    assert notices == [{one.id: 3}, {other.id: 5}]
