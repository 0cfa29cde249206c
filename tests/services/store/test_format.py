"""What a service does with a file that is not the log it expects: says so, and changes nothing."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from eventsourcing.persistence import StoredEvent

from services.store.errors import (
    LogForeign,
    LogNotDurable,
    LogTooNew,
    LogUnavailable,
    StoreError,
)
from services.store.faults import FAULTS, diagnose
from services.store.sqlite.format import APPLICATION_ID, ENCRYPTED, FORMAT
from services.store.sqlite.open import heartbeat
from services.store.sqlite.recorder import Factory, LogRecorder

EventMaker = Callable[..., StoredEvent]


def execute(file: Path, *statements: str) -> list[tuple[object, ...]]:
    """What the last of these statements gives, executed by a program that knows nothing of us."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in statements:
            answer = connection.execute(statement).fetchall()
        return answer


def open_log(name: Path | str) -> None:
    """Open a log as a service does when it starts, and close it again."""
    with closing(Factory({"SQLITE_DBNAME": str(name)})) as factory:
        factory.check()


@pytest.fixture
def written(log_file: Path, event: EventMaker) -> Path:
    """A log with one event, closed."""
    with closing(Factory({"SQLITE_DBNAME": str(log_file)})) as factory:
        factory.check()
        factory.application_recorder().insert_events([event(1, 1)])
    return log_file


def test_a_new_log_says_in_its_header_what_it_is(written: Path) -> None:
    assert execute(written, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert execute(written, "PRAGMA user_version") == [(FORMAT,)]
    assert written.read_bytes()[68:72] == b"EMTH"


def test_a_log_is_found_again_as_it_was_left(written: Path) -> None:
    before = written.read_bytes()
    open_log(written)
    assert written.read_bytes() == before
    assert execute(written, "SELECT count(*) FROM stored_events") == [(1,)]


def test_an_empty_file_becomes_a_log(log_file: Path) -> None:
    log_file.touch()
    open_log(log_file)
    assert execute(log_file, "PRAGMA user_version") == [(FORMAT,)]


def test_a_log_that_a_newer_version_wrote_is_refused(written: Path) -> None:
    execute(written, f"PRAGMA user_version = {ENCRYPTED + 1}")
    before = written.read_bytes()
    with pytest.raises(LogTooNew, match="written by a newer version") as caught:
        open_log(written)
    assert (caught.value.found, caught.value.newest) == (ENCRYPTED + 1, ENCRYPTED)
    assert written.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "application_id"),
    [("PRAGMA application_id = 252006675", 252006675), ("CREATE TABLE their_own (thing)", 0)],
    ids=["with an id", "with tables"],
)
def test_the_database_of_another_program_is_refused(
    log_file: Path, statement: str, application_id: int
) -> None:
    execute(log_file, statement)
    before = log_file.read_bytes()
    with pytest.raises(LogForeign, match="the database of another program") as caught:
        open_log(log_file)
    assert f"application id {application_id:#x}" in str(caught.value)
    assert log_file.read_bytes() == before


def test_a_file_that_is_no_database_is_refused(log_file: Path) -> None:
    text = b"Dear diary, today I lost a golem to a journeyman.\n" * 100
    log_file.write_bytes(text)
    with pytest.raises(LogUnavailable, match="not a database") as caught:
        open_log(log_file)
    assert caught.value.code == "SQLITE_NOTADB"
    assert log_file.read_bytes() == text


def test_a_folder_in_place_of_the_file_is_refused(log_file: Path) -> None:
    log_file.mkdir()
    with pytest.raises((StoreError, *FAULTS)) as caught:
        open_log(log_file)
    assert diagnose(caught.value).code == "SQLITE_CANTOPEN"


def test_a_log_that_can_only_be_read_is_refused_at_the_start(written: Path) -> None:
    # SQLite opens a file so too when the system does not let it write to the file.
    before = written.read_bytes()
    with pytest.raises(LogUnavailable, match="the file is read-only") as caught:
        open_log(f"file:{written}?mode=ro")
    assert caught.value.code == "SQLITE_READONLY"
    assert written.read_bytes() == before


def test_a_file_that_cannot_have_a_write_ahead_log_is_refused(log_file: Path) -> None:
    # These locks have no memory that processes share, which a network disk lacks too.
    with pytest.raises(LogNotDurable, match="a power cut could lose") as caught:
        open_log(f"file:{log_file}?vfs=unix-dotfile")
    assert (caught.value.setting, caught.value.found) == ("journal_mode", "delete")


def test_every_connection_syncs_each_commit(factory: Factory, recorder: LogRecorder) -> None:
    for commit in (False, True):
        with factory.datastore.get_connection(commit=commit) as connection:
            cursor = connection.cursor()
            cursor.execute("PRAGMA synchronous")
            assert cursor.fetchone()[0] == 2  # FULL
            cursor.execute("PRAGMA journal_mode")
            assert cursor.fetchone()[0] == "wal"


def test_a_log_in_memory_serves_a_test(event: EventMaker) -> None:
    with closing(Factory({"SQLITE_DBNAME": "file:of-a-test?mode=memory&cache=shared"})) as factory:
        factory.check()
        recorder = factory.application_recorder()
        recorder.insert_events([event(1, 1)])
        assert recorder.max_notification_id() == 1


def test_a_log_is_probed_by_a_write_that_changes_nothing(written: Path) -> None:
    before = execute(written, "SELECT * FROM stored_events")
    with closing(Factory({"SQLITE_DBNAME": str(written)})) as factory:
        ahead = written.with_name(f"{written.name}-wal")
        heartbeat(factory.datastore)
        size = ahead.stat().st_size
        assert size > 0, "it was written to the disk"
        with factory.datastore.get_connection(commit=True) as connection:
            connection.raw.execute("PRAGMA query_only = ON")  # as if the disk took nothing
        with pytest.raises(LogUnavailable):
            heartbeat(factory.datastore)
    assert execute(written, "SELECT * FROM stored_events") == before
    assert execute(written, "PRAGMA user_version") == [(FORMAT,)]
