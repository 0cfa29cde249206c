"""A bit that flips in a read file is found, and the file is made anew from the log."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from projections import board_views, pages
from projections.following import schema
from projections.following.runner import Follower
from projections.pages import FileDamaged, Pages, sums_of
from projections.read_files import ReadModels
from tests.projections.following.test_following import until


def flip(path: Path, place: int, bit: int = 0) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


@pytest.fixture
def match(playing: Any) -> Any:
    return playing(title="kept").claim("white", "Ada").play(60)


@pytest.fixture
def reads(match: Any, log: Any, settled: Any, tmp_path: Path) -> Path:
    """The read file of a service that was stopped."""
    log.write(*match.events)
    models = ReadModels(tmp_path / "reads")
    with Follower(log.recorder, models, log.mapper) as follower:
        settled(follower)
    models.close()
    return models.path


@pytest.fixture
def killed(match: Any, log: Any, settled: Any, tmp_path: Path) -> Path:
    """The read file of a service that was killed: most of it is in the write-ahead log."""
    log.write(*match.events[:30])
    models = ReadModels(tmp_path / "running")
    with Follower(log.recorder, models, log.mapper) as follower:
        settled(follower)
        follower._projector.settle(now=True)
        for part in (match.events[30:45], match.events[45:]):
            log.write(*part)
            settled(follower)
        shutil.copytree(tmp_path / "running", tmp_path / "reads")
    models.close()
    return tmp_path / "reads" / models.path.name


def opened(path: Path) -> bool:
    """Is it taken as it is?"""
    models = ReadModels(path.parent)
    models.close()
    return models.path == path


def test_a_file_that_nobody_changed_is_taken_as_it_is(reads: Path) -> None:
    assert opened(reads)
    assert opened(reads)


def test_so_is_what_a_kill_left_with_all_that_was_committed(
    killed: Path, match: Any, log: Any
) -> None:
    models = ReadModels(killed.parent)
    assert models.path == killed
    with models.reading() as connection:
        assert board_views.version(connection, match.id) == len(match.events)
    models.close()


def test_any_flip_in_the_file_or_its_checksums_is_found(reads: Path) -> None:
    chance = Random(25)
    kept = reads.parent.with_name("kept")
    shutil.copytree(reads.parent, kept)
    for path in [reads] * 30 + [sums_of(reads)] * 10:
        # Of the head of the checksums nothing but their number counts after an orderly end.
        first = 12 if path != reads else 0
        flip(path, chance.randrange(first, path.stat().st_size), chance.randrange(8))
        assert not opened(reads)
        shutil.rmtree(reads.parent)
        shutil.copytree(kept, reads.parent)


def test_a_flip_in_the_write_ahead_log_leaves_an_earlier_state_or_nothing(
    killed: Path, match: Any
) -> None:
    chance = Random(25)
    kept = killed.parent.with_name("kept")
    shutil.copytree(killed.parent, kept)
    wal = killed.with_name(f"{killed.name}-wal")
    seen = set()
    for _ in range(30):
        flip(wal, chance.randrange(wal.stat().st_size), chance.randrange(8))
        models = ReadModels(killed.parent)
        with models.reading() as connection:
            version = board_views.version(connection, match.id)
            seen.add(version)
            if version:
                present = board_views.present(connection, match.id)
                assert present is not None
                assert present.match == match.states[version - 1]
        models.close()
        shutil.rmtree(killed.parent)
        shutil.copytree(kept, killed.parent)
    assert len(seen) > 1


@pytest.mark.parametrize("change", ["cut", "longer", "no checksums", "old checksums"])
def test_a_file_and_checksums_that_do_not_belong_together(reads: Path, change: str) -> None:
    if change == "cut":
        with reads.open("r+b") as file:
            file.truncate(reads.stat().st_size - 4096)
    elif change == "longer":
        with reads.open("ab") as file:
            file.write(bytes(4096))
    elif change == "no checksums":
        sums_of(reads).unlink()
    else:
        with closing(sqlite3.connect(reads)) as other, other:
            other.execute("UPDATE matches SET title = 'changed'")
    assert not opened(reads)


@pytest.fixture
def running(
    match: Any, log: Any, settled: Any, tmp_path: Path
) -> Iterator[tuple[ReadModels, Follower]]:
    log.write(*match.events)
    models = ReadModels(tmp_path / "reads")
    with Follower(log.recorder, models, log.mapper) as follower:
        settled(follower)
        follower._projector.settle(now=True)
        yield models, follower
    models.close()


def test_what_is_changed_while_it_is_in_use_is_answered_to_nobody(
    running: tuple[ReadModels, Follower], match: Any
) -> None:
    models, follower = running
    damaged = models.path
    (place,) = found_at(damaged, b'"title":"kept"')
    flip(damaged, place + 10)
    with pytest.raises(FileDamaged, match="something else has written"), models.reading() as asked:
        board_views.present(asked, match.id)
    assert not follower.whole
    assert follower.wait_until_whole(10)
    assert models.path != damaged
    with models.reading() as connection:
        present = board_views.present(connection, match.id)
    assert present is not None
    assert present.match == match.match


def test_nothing_is_built_on_what_was_changed(
    running: tuple[ReadModels, Follower], match: Any, log: Any, settled: Any
) -> None:
    models, follower = running
    damaged = models.path
    flip(damaged, found_at(damaged, b'"title":"kept"')[0] + 10)
    match.leave("white")
    log.write(match.events[-1])
    until(lambda: models.path != damaged)
    settled(follower)
    with models.reading() as connection:
        present = board_views.present(connection, match.id)
    assert present is not None
    assert present.match == match.match


def test_what_the_disk_itself_gets_wrong_is_found_by_looking(
    running: tuple[ReadModels, Follower],
) -> None:
    models, _ = running
    models.pages.look(10_000)
    flip(models.path, 5000)
    with pytest.raises(FileDamaged, match=r"page 2 of reads-000001\.sqlite is not as it was"):
        models.pages.look(10_000)


def test_a_file_grows_and_is_settled_with_readers_in_the_middle_of_a_question(
    playing: Any, log: Any, settled: Any, tmp_path: Path
) -> None:
    models = ReadModels(tmp_path / "reads")
    with Follower(log.recorder, models, log.mapper) as follower:
        for number in range(8):
            log.write(*playing(title=f"match {number}").play(40, seed=number).events)
            settled(follower)
            with models.reading() as reader:
                asked = reader.execute("SELECT * FROM events")
                asked.fetchone()  # holds back what may be copied
                log.write(*playing().play(5).events)
                settled(follower)
                with follower._turn:
                    follower._projector.settle(now=True)
                asked.close()
            models.pages.look(10_000)
    models.close()
    Pages.opened(models.path)
    assert schema.is_usable(models.path)


def found_at(path: Path, text: bytes) -> list[int]:
    """Where it stands in a file for the last time."""
    place = path.read_bytes().rfind(text)
    assert place > 0
    return [place]


@pytest.mark.parametrize("reader", [False, True], ids=["alone", "beside a reader"])
def test_the_write_ahead_log_is_copied_once_for_each_time_that_it_fills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: bool
) -> None:
    """Its length on the disk says nothing by itself: once it was long, it stayed so."""
    monkeypatch.setattr(pages, "FULL", 40 * pages.PAGE)
    path = tmp_path / "reads.sqlite"
    kept, copies = Pages(path), 0
    with closing(schema.connect(path)) as connection, closing(sqlite3.connect(path)) as other:
        connection.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
        kept.arm()
        take_over = kept._take_over

        def counted(copied: int) -> None:
            nonlocal copies
            copies += 1
            take_over(copied)

        monkeypatch.setattr(kept, "_take_over", counted)
        kept.settle(connection, now=True)
        if reader:  # what somebody reads is not begun anew
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM rows").fetchone()
        copies, written = 0, 0
        for number in range(200):
            with kept.writing():
                connection.execute("INSERT INTO rows VALUES (?, ?)", (number, "x" * 3000))
            written += 2
            kept.settle(connection)
        assert 2 <= copies <= -(-3 * written // 40)
        other.rollback()
        kept.settle(connection, now=True)
    kept.close()
    Pages.opened(path)
