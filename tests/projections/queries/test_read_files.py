"""A damaged read file is found by SQLite, and rebuilt from the log."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from projections.projector import schema
from projections.projector.runner import ProjectionRunner
from projections.queries.read_files import ReadFileDamagedError, ReadModels
from projections.views import board_views

PAGE = 4096


def break_table(path: Path, table: str = "matches") -> None:
    """Overwrite the first page of a table."""
    with closing(schema.connect_reader(path)) as connection:
        (number,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
    with path.open("r+b") as file:
        file.seek(PAGE * (number - 1))
        file.write(b"\xff" * PAGE)


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - PAGE)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a page is overwritten": break_table,
    "a page of an index is overwritten": lambda path: break_table(path, "idx_seats_bot_match"),
    "the end is missing": cut,
    "it is empty": lambda path: path.write_bytes(b""),
    "it is no database": lambda path: path.write_bytes(b"no database, whatever its name" * 500),
}


@pytest.fixture
def match(playing: Any) -> Any:
    return playing(title="kept").claim("white", "Ada").play(60)


@pytest.fixture
def reads(match: Any, log: Any, settled: Any, tmp_path: Path) -> Path:
    """The read file of a service that was stopped."""
    log.write(*match.events)
    models = ReadModels(tmp_path / "reads")
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    models.close()
    return models.path


def present(models: ReadModels, match: Any) -> Any:
    with models.reading() as connection:
        found = board_views.find_match_row(connection, match.id)
    assert found is not None
    return found.match


def test_a_whole_file_is_taken_as_it_is(reads: Path, match: Any) -> None:
    models = ReadModels(reads.parent)
    assert models.path == reads
    assert present(models, match) == match.match
    models.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_discarded_at_the_start_and_rebuilt(
    reads: Path, match: Any, log: Any, settled: Any, damage: str
) -> None:
    DAMAGES[damage](reads)
    with capture_logs() as logs:
        models = ReadModels(reads.parent)
    assert models.path != reads
    assert not reads.exists()
    assert [each["event"] for each in logs][:1] == ["read_file_discarded"]
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    assert present(models, match) == match.match
    models.close()


def test_damage_that_a_question_meets_is_an_error_and_starts_a_rebuild(
    reads: Path, match: Any, log: Any
) -> None:
    models = ReadModels(reads.parent)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        break_table(reads)
        with pytest.raises(ReadFileDamagedError, match="malformed"):
            present(models, match)
        assert follower.wait_until_complete(10)
        assert models.path != reads
        assert present(models, match) == match.match
    models.close()


def test_no_side_files_remain_of_a_removed_file(reads: Path) -> None:
    other_file = reads.with_suffix(".other")
    other_file.touch()
    cut(reads)
    models = ReadModels(reads.parent)
    models.close()
    assert [path.name for path in reads.parent.iterdir()] == [models.path.name]
    assert not other_file.exists()
