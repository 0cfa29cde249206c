"""What no digest covers is looked at before a log is trusted."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from domain.match import AnyMatch
from services.store.errors import LogDamaged, RecordDamaged
from services.store.loading import load_match
from services.store.log import FILE, Log
from tests.services.store.test_file_identity import a_match

MATCHES = 6


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A log of six matches, closed."""
    await fill(tmp_path)
    return tmp_path


async def fill(folder: Path, *, kill: Path | None = None) -> None:
    log = Log(folder, print)
    for number in range(1, MATCHES + 1):
        await log.write(a_match(number).events)
    if kill is not None:
        shutil.copytree(folder, kill)
    log.close()


def loaded(folder: Path, number: int) -> AnyMatch | None:
    log = Log(folder, print)
    try:
        found = load_match(log, UUID(int=number))
        return found[0] if found else None
    finally:
        log.close()


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as log, log:
        log.execute("PRAGMA writable_schema = ON")
        log.execute(statement)


def flip(path: Path, place: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 1
    path.write_bytes(raw)


def places(folder: Path, text: bytes) -> list[int]:
    """Where a text stands in the file of the log: an id is in a row and in the index."""
    raw = (folder / FILE).read_bytes()
    return [place for place in range(len(raw)) if raw.startswith(text, place)]


def test_an_index_that_was_changed_is_rebuilt(folder: Path) -> None:
    key = UUID(int=3).hex.encode()
    rows = [p for p in places(folder, key) if is_row(folder, p)]
    (index,) = set(places(folder, key)) - set(rows)
    flip(folder / FILE, index + 10)
    assert [bool(loaded(folder, number)) for number in range(1, MATCHES + 1)] == [True] * MATCHES
    with closing(sqlite3.connect(folder / FILE)) as log:
        assert log.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def is_row(folder: Path, place: int) -> bool:
    """A row continues with its topic and its state; what is in the index does not."""
    return b'{"digest"' in (folder / FILE).read_bytes()[place : place + 80]


def test_a_row_under_another_name_stops_both_names_and_no_other(folder: Path) -> None:
    key = UUID(int=3).hex.encode()
    (row,) = [p for p in places(folder, key) if is_row(folder, p)]
    flip(folder / FILE, row + 31)  # the last digit: match 3 becomes match 2
    for _ in range(2):  # it is not mended, so it is found again
        for number in range(1, MATCHES + 1):
            if number in (2, 3):
                with pytest.raises(RecordDamaged):
                    loaded(folder, number)
            else:
                assert loaded(folder, number) is not None


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("ALTER TABLE stored_events RENAME TO stored_evens", "it has the tables stored_evens"),
        ("ALTER TABLE stored_events RENAME COLUMN topic TO tonic", "the columns of stored_events"),
        ("CREATE TABLE beside (it TEXT)", "it has the tables beside, stored_events"),
        ("DELETE FROM stored_events WHERE rowid = 2", "1 of 6 events are missing"),
    ],
)
def test_a_log_without_what_a_log_has(folder: Path, statement: str, why: str) -> None:
    change(folder, statement)
    with pytest.raises(LogDamaged, match=why):
        loaded(folder, 1)


def test_a_tree_that_was_changed_is_not_written_to(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as log:
        (page,) = log.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'stored_events'"
        ).fetchone()
    flip(folder / FILE, 4096 * (page - 1) + 4)  # how many cells it has
    before = (folder / FILE).read_bytes()
    with pytest.raises(LogDamaged, match="put a backup in its place"):
        loaded(folder, 1)
    assert (folder / FILE).read_bytes() == before


# --- the write-ahead log -------------------------------------------------------------------------


@pytest.fixture
async def killed(tmp_path: Path) -> Path:
    """A log as a kill leaves it."""
    (tmp_path / "running").mkdir()
    await fill(tmp_path / "running", kill=tmp_path / "killed")
    return tmp_path / "killed"


def test_a_write_ahead_log_that_a_kill_left_is_taken_in(killed: Path) -> None:
    assert (killed / f"{FILE}-wal").stat().st_size > 4096
    assert all(loaded(killed, number) for number in range(1, MATCHES + 1))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (lambda size: 9, "its head was changed"),
        (lambda size: 20, "its head was changed"),
        (lambda size: 32 + 500, r"frame 1 was changed, so that \d+ commits are not seen"),
        (lambda size: size // 2, r"was changed, so that \d+ commits are not seen"),
    ],
)
def test_commits_that_would_silently_be_left_out_are_missed(
    killed: Path, place: Callable[[int], int], why: str
) -> None:
    wal = killed / f"{FILE}-wal"
    flip(wal, place(wal.stat().st_size))
    with pytest.raises(LogDamaged, match=why):
        loaded(killed, 1)


def test_a_commit_that_a_power_cut_left_half_written_is_left_out(killed: Path) -> None:
    wal = killed / f"{FILE}-wal"
    with wal.open("r+b") as file:
        file.truncate(wal.stat().st_size - 5000)
    assert [bool(loaded(killed, n)) for n in range(1, MATCHES + 1)] == [True] * 5 + [False]


async def extended(folder: Path, first: int, count: int, kill: Path) -> None:
    """Go on with a log, and copy the folder as a kill would leave it."""
    log = Log(folder, print)
    for number in range(first, first + count):
        await log.write(a_match(number).events)
    shutil.copytree(folder, kill)
    log.close()


async def test_an_older_log_is_not_damaged_by_the_wal_of_another(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    await fill(tmp_path / "one")
    backup = (tmp_path / "one" / FILE).read_bytes()
    await extended(tmp_path / "one", 10, 60, tmp_path / "later")
    await extended(tmp_path / "one", 100, 5, tmp_path / "killed")
    assert (tmp_path / "killed" / f"{FILE}-wal").stat().st_size > 4096
    (tmp_path / "killed" / FILE).write_bytes(backup)
    with pytest.raises(LogDamaged, match=f"move {FILE}-wal and {FILE}-shm away"):
        loaded(tmp_path / "killed", 1)
    assert (tmp_path / "killed" / FILE).read_bytes() == backup, "nothing was changed"
    for part in ("-wal", "-shm"):
        (tmp_path / "killed" / f"{FILE}{part}").unlink(missing_ok=True)
    assert [bool(loaded(tmp_path / "killed", number)) for number in (1, MATCHES, 10)] == [
        True,
        True,
        False,
    ]


async def test_nor_is_a_newer_one_or_one_that_was_deleted(tmp_path: Path, killed: Path) -> None:
    (tmp_path / "other").mkdir()
    await extended(tmp_path / "other", 10, 60, tmp_path / "unused")
    newer = (tmp_path / "other" / FILE).read_bytes()
    (killed / FILE).write_bytes(newer)
    with pytest.raises(LogDamaged, match=r"it belongs to another log\.sqlite"):
        loaded(killed, 1)
    assert (killed / FILE).read_bytes() == newer
    (tmp_path / "again").mkdir()
    await fill(tmp_path / "again")
    await extended(tmp_path / "again", 100, 5, tmp_path / "deleted")
    (tmp_path / "deleted" / FILE).unlink()
    with pytest.raises(LogDamaged, match="which has 0 pages"):
        loaded(tmp_path / "deleted", 1)


async def test_a_log_that_continued_after_many_commits_is_taken_in(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    await fill(tmp_path / "one")
    await extended(tmp_path / "one", 10, 40, tmp_path / "killed")
    assert all(loaded(tmp_path / "killed", number) for number in (1, MATCHES, 10, 49))
