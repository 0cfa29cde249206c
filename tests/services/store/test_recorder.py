"""The recorder does all that the library asks of one, in real files; and what the log asks."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import close as close_file
from os import dup
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.sqlite import SQLiteAggregateRecorder, SQLiteTrackingRecorder
from eventsourcing.tests import persistence as library
from eventsourcing.utils import Environment

from services.store.errors import LogUnavailable
from services.store.faults import FAULTS, diagnose
from services.store.sqlite.recorder import (
    ROWS_A_STATEMENT,
    Factory,
    LogConnection,
    LogRecorder,
    ProcessRecorder,
)

EventMaker = Callable[..., StoredEvent]


class InAFile:
    """Gives each of the library's tests a log of its own."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)  # type: ignore[attr-defined]  # of TestCase
        self.env = Environment("test")
        self.env["PERSISTENCE_MODULE"] = "services.store.sqlite.recorder"
        self.env["SQLITE_DBNAME"] = str(Path(folder.name) / "log.sqlite")
        super().setUp()  # type: ignore[misc]  # of TestCase

    def open(self) -> Factory:
        factory = Factory(self.env)
        self.addCleanup(factory.close)  # type: ignore[attr-defined]  # of TestCase
        return factory


class TestAsAggregateRecorder(InAFile, library.AggregateRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.open().aggregate_recorder()


class TestAsApplicationRecorder(InAFile, library.ApplicationRecorderTestCase[LogRecorder]):
    def create_recorder(self) -> Any:
        return self.open().application_recorder()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestAsProcessRecorder(InAFile, library.ProcessRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.open().process_recorder()


class TestAsTrackingRecorder(InAFile, library.TrackingRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.open().tracking_recorder()


class TestNotificationIds(InAFile, library.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> Any:
        return self.open().application_recorder()


class OtherTrackingRecorder(SQLiteTrackingRecorder):
    """What a caller may ask the factory for."""


class TestFactory(InAFile, library.InfrastructureFactoryTestCase[Factory]):
    def expected_factory_class(self) -> Any:
        return Factory

    def expected_aggregate_recorder_class(self) -> Any:
        return SQLiteAggregateRecorder

    def expected_application_recorder_class(self) -> Any:
        return LogRecorder

    def expected_tracking_recorder_class(self) -> Any:
        return SQLiteTrackingRecorder

    def tracking_recorder_subclass(self) -> Any:
        return OtherTrackingRecorder

    def expected_process_recorder_class(self) -> Any:
        return ProcessRecorder


def test_events_of_many_statements_are_numbered_in_order_without_gaps(
    recorder: LogRecorder, event: EventMaker
) -> None:
    many = 2 * ROWS_A_STATEMENT + 203
    ids = recorder.insert_events([event(1, version) for version in range(1, many + 1)])
    assert ids == list(range(1, many + 1))
    stored = recorder.select_notifications(start=None, limit=many)
    assert [(each.id, each.originator_version) for each in stored] == [
        (number, number) for number in range(1, many + 1)
    ]


def test_a_conflict_in_the_last_statement_leaves_nothing_of_the_first(
    recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(1, 1)])
    fresh = [event(2, version) for version in range(1, ROWS_A_STATEMENT + 2)]
    with pytest.raises(IntegrityError):
        recorder.insert_events([*fresh, event(1, 1)])
    assert recorder.max_notification_id() == 1
    assert recorder.insert_events([event(1, 2)]) == [2]


def test_a_vacuum_by_an_outside_tool_renumbers_nothing(
    recorder: LogRecorder, log_file: Path, event: EventMaker
) -> None:
    # Other databases warn against this: their row ids may change. Gapless ones cannot.
    for version in range(1, 30):
        recorder.insert_events([event(version % 3, version)])
    before = recorder.select_notifications(start=None, limit=100)
    outside = sqlite3.connect(log_file)
    outside.execute("VACUUM")
    outside.close()
    assert recorder.select_notifications(start=None, limit=100) == before


def test_a_commit_that_fails_and_stays_open_hinders_no_later_one(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    with factory.datastore.get_connection(commit=True) as connection:
        assert isinstance(connection, LogConnection)
        connection.raw.execute("PRAGMA foreign_keys = ON")
        connection.raw.execute(
            "CREATE TEMP TABLE promises "
            "(name PRIMARY KEY, kept REFERENCES promises DEFERRABLE INITIALLY DEFERRED)"
        )
    with (
        pytest.raises(IntegrityError, match="FOREIGN KEY"),  # found only by the commit
        factory.datastore.transaction(commit=True) as cursor,
    ):
        cursor.execute("INSERT INTO promises VALUES (1, 2)")
    assert recorder.insert_events([event(1, 1)]) == [1]


@contextmanager
def no_more_open_files() -> Iterator[None]:
    lowest_free = dup(0)
    close_file(lowest_free)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_process_out_of_file_handles_can_still_write(
    recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(1, 1)])
    with no_more_open_files():
        with pytest.raises(FAULTS) as caught:
            recorder.select_events(event(1, 1).originator_id)  # the first to read opens a file
        assert diagnose(caught.value).code == "SQLITE_CANTOPEN"
        assert isinstance(diagnose(caught.value), LogUnavailable)
        recorder.insert_events([event(1, 2)])
    assert len(recorder.select_events(event(1, 1).originator_id)) == 2


def test_reads_in_progress_finish_when_the_log_is_closed(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    # A connection closed under a thread that reads from it ends the process at once.
    recorder.insert_events([event(1, version) for version in range(1, 1_001)])
    with factory.datastore.transaction(commit=False) as cursor:
        cursor.execute("SELECT originator_version FROM stored_events ORDER BY rowid")
        first = cursor.fetchone()
        factory.close()
        assert [row[0] for row in (first, *cursor.fetchall())] == list(range(1, 1_001))
        reading = cursor.sqlite_cursor.connection
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        reading.execute("SELECT 1")


def test_a_closed_log_is_neither_read_nor_written(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    factory.close()
    with pytest.raises(FAULTS):
        recorder.insert_events([event(1, 1)])
    with pytest.raises(FAULTS):
        recorder.max_notification_id()
    factory.close()
