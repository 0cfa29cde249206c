"""Rebuilding the read models while the service runs."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from projections.projector import rebuild, schema
from projections.projector.rebuild import RebuildRunningError
from projections.projector.runner import ProjectionRunner
from projections.queries.read_files import ReadModels
from projections.views import board_views
from tests.stores import both_stores


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild, "BATCH_SIZE", 10)


@both_stores
def test_a_rebuild_under_writing_gives_the_same_tables(
    playing: Any, log: Any, models: Any, settled: Any, tables: Any, in_one_go: Any, tmp_path: Path
) -> None:
    matches = [playing(title=f"match {n}").claim("white", "Ada").play(50, seed=n) for n in range(6)]
    before, during = matches[:4], matches[4:]
    for match in before:
        log.write(*match.events[:30])
    notices: list[dict[Any, int]] = []
    with ProjectionRunner(log.recorder, models, log.mapper, notices.append) as follower:
        settled(follower)
        old = models.path
        unwritten = [
            event
            for version in range(60)
            for match in matches
            for event in match.events[version : version + 1]
            if match in during or version >= 30
        ]
        progress = []
        for step in rebuild.rebuild(log.recorder, models, log.mapper, follower):
            progress.append(step)
            log.write(*unwritten[:4])
            del unwritten[:4]
        assert models.path != old
        assert not old.exists()
        log.write(*unwritten)
        settled(follower)
        for match in matches:
            assert follower.wait_for(match.id, len(match.events), 30)
    assert [step.finished for step in progress] == [False] * (len(progress) - 1) + [True]
    assert all(step.done <= step.total for step in progress)
    assert len(progress) > 10
    # No notice said that a match went back, or repeated a version.
    for match in matches:
        versions = [each[match.id] for each in notices if match.id in each]
        assert versions == sorted(set(versions))
        assert versions[-1] == len(match.events)
    assert tables(models.path) == tables(in_one_go())


def test_readers_of_the_old_file_continue_undisturbed(
    playing: Any, log: Any, models: Any, follower: Any, settled: Any
) -> None:
    match = playing().play(40)
    log.write(*match.events[:30])
    settled(follower)
    with models.reading() as old:
        assert board_views.latest_version(old, match.id) == 30
        *_, last = rebuild.rebuild(log.recorder, models, log.mapper, follower)
        assert last.finished
        log.write(*match.events[30:])
        assert follower.wait_for(match.id, 41, 30)
        steps = board_views.read_transitions(old, match.id, 0, 100)
        assert [step.sealed for step in steps] == match.events[:30]
        with models.reading() as new:
            assert board_views.latest_version(new, match.id) == 41
    with models.reading() as new:
        assert board_views.latest_version(new, match.id) == 41


def test_readers_never_see_a_match_go_back_while_it_is_rebuilt(
    playing: Any, log: Any, models: Any, follower: Any, settled: Any
) -> None:
    match = playing().play(80)
    done = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not done.is_set():
            with models.reading() as connection:
                seen.append(board_views.latest_version(connection, match.id))
            time.sleep(0.0005)

    reader = threading.Thread(target=read)
    reader.start()
    for event in match.events[:20]:
        log.write(event)
    settled(follower)
    for event in match.events[20:60]:
        log.write(event)
        if event.event.version % 10 == 0:
            settled(follower)
            assert [*rebuild.rebuild(log.recorder, models, log.mapper, follower)][-1].finished
    settled(follower)
    done.set()
    reader.join()
    assert seen == sorted(seen)
    assert boards_version(models, match) == 60


def test_a_rebuild_that_is_broken_off_leaves_everything_as_it_was(
    playing: Any, log: Any, models: Any, follower: Any, settled: Any, tmp_path: Path
) -> None:
    match = playing().play(40)
    log.write(*match.events)
    settled(follower)
    present = models.path
    steps = rebuild.rebuild(log.recorder, models, log.mapper, follower)
    assert not next(steps).finished
    steps.close()
    assert models.path == present
    assert [path.name for path in present.parent.glob("*.sqlite")] == [present.name]
    *_, last = rebuild.rebuild(log.recorder, models, log.mapper, follower)
    assert last.finished


def test_there_is_one_rebuild_at_a_time(
    playing: Any, log: Any, models: Any, follower: Any, settled: Any
) -> None:
    log.write(*playing().play(40).events)
    settled(follower)
    steps = rebuild.rebuild(log.recorder, models, log.mapper, follower)
    next(steps)
    with pytest.raises(RebuildRunningError):
        next(rebuild.rebuild(log.recorder, models, log.mapper, follower))
    assert [*steps][-1].finished


@both_stores
def test_an_empty_log_is_rebuilt_too(log: Any, models: Any, follower: Any) -> None:
    (only,) = rebuild.rebuild(log.recorder, models, log.mapper, follower)
    assert (only.done, only.total, only.finished) == (0, 0, True)


def test_a_rebuild_cut_off_by_a_crash_is_forgotten_at_the_next_start(
    playing: Any, log: Any, settled: Any, tmp_path: Path
) -> None:
    match = playing().play(40)
    log.write(*match.events)
    models = ReadModels(tmp_path / "reads")
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
        present = models.path
        half_done = models.next_path()
        connection = schema.connect_writer(half_done)
        schema.create_tables(connection, ready=False)
        connection.close()
    models.close()
    again = ReadModels(tmp_path / "reads")
    assert again.path == present
    assert not half_done.exists()
    again.close()


def boards_version(models: ReadModels, match: Any) -> int:
    with models.reading() as connection:
        return board_views.latest_version(connection, match.id)
