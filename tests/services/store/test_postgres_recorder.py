"""The recorder for PostgreSQL does all that the library asks of one; and what the log asks."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import ConnectionPoolClosedError, IntegrityError, StoredEvent
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.tests import persistence as library
from eventsourcing.utils import Environment

from services.store.postgres import recorder as module
from services.store.postgres.recorder import (
    URI,
    Factory,
    LogRecorder,
    ProcessRecorder,
    SnapshotRecorder,
)

EventMaker = Callable[..., StoredEvent]


@pytest.fixture
def factory(database: str) -> Iterator[Factory]:
    with closing(Factory({URI: database})) as factory:
        yield factory


@pytest.fixture
def recorder(factory: Factory) -> LogRecorder:
    recorder = factory.application_recorder()
    assert isinstance(recorder, LogRecorder)
    return recorder


class InADatabase:
    """Gives each of the library's tests a log of its own."""

    @pytest.fixture(autouse=True)
    def _named(self, database: str) -> None:
        self.env = Environment("test")
        self.env["PERSISTENCE_MODULE"] = module.__name__
        self.env[URI] = database

    def open(self) -> Factory:
        factory = Factory(self.env)
        self.addCleanup(factory.close)  # type: ignore[attr-defined]  # of TestCase
        return factory


class TestAsAggregateRecorder(InADatabase, library.AggregateRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.open().aggregate_recorder("snapshots")


class TestAsApplicationRecorder(InADatabase, library.ApplicationRecorderTestCase[LogRecorder]):
    def create_recorder(self) -> Any:
        return self.open().application_recorder()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestAsProcessRecorder(InADatabase, library.ProcessRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.open().process_recorder()


class TestAsTrackingRecorder(InADatabase, library.TrackingRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.open().tracking_recorder()


class TestNotificationIds(InADatabase, library.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> Any:
        return self.open().application_recorder()


class OtherTrackingRecorder(PostgresTrackingRecorder):
    """What a caller may ask the factory for."""


class TestFactory(InADatabase, library.InfrastructureFactoryTestCase[Factory]):
    def expected_factory_class(self) -> Any:
        return Factory

    def expected_aggregate_recorder_class(self) -> Any:
        return SnapshotRecorder

    def expected_application_recorder_class(self) -> Any:
        return LogRecorder

    def expected_tracking_recorder_class(self) -> Any:
        return PostgresTrackingRecorder

    def tracking_recorder_subclass(self) -> Any:
        return OtherTrackingRecorder

    def expected_process_recorder_class(self) -> Any:
        return ProcessRecorder


def test_a_version_that_is_taken_leaves_no_gap_in_the_numbers(
    recorder: LogRecorder, event: EventMaker
) -> None:
    assert recorder.insert_events([event(1, 1)]) == [1]
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(2, 1), event(1, 1)])
    assert recorder.insert_events([event(1, 2), event(2, 1)]) == [2, 3]


def test_a_subscriber_of_one_service_receives_commits_of_another_at_once(
    recorder: LogRecorder, database: str, event: EventMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POLL_SECONDS", 3600)  # so a lost notification would last an hour
    with recorder.subscribe() as following, closing(Factory({URI: database})) as other:
        theirs = other.application_recorder()
        for version in range(1, 101):
            (recorder if version % 3 else theirs).insert_events([event(1, version)])
            assert next(following).id == version


def test_services_that_write_at_once_are_followed_without_gap(
    recorder: LogRecorder, database: str, event: EventMaker
) -> None:
    def write(match: int) -> None:
        with closing(Factory({URI: database})) as own:
            writing = own.application_recorder()
            for version in range(1, 41):
                writing.insert_events([event(match, version)])

    with recorder.subscribe() as following, ThreadPoolExecutor(4) as writers:
        list(writers.map(write, range(4)))
        assert [each.id for each in islice(following, 160)] == list(range(1, 161))


def cut_all(database: str) -> None:
    """End all connections to a database but one's own."""
    with psycopg.connect(database, autocommit=True) as outside:
        outside.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_after_its_connections_were_cut_a_log_is_read_written_and_followed(
    recorder: LogRecorder, database: str, event: EventMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POLL_SECONDS", 3600)
    with recorder.subscribe() as following:
        recorder.insert_events([event(1, 1)])
        assert next(following).id == 1
        for version in range(2, 5):
            cut_all(database)
            assert recorder.insert_events([event(1, version)]) == [version]
            assert next(following).id == version
            cut_all(database)
            assert len(recorder.select_events(event(1, 1).originator_id)) == version


class Torn(LogRecorder):
    """Its connection breaks after each commit, before it hears of it."""

    def _append_events(self, cursor: Any, events: Any) -> Any:
        super()._append_events(cursor, events)
        cursor.connection.pgconn.finish()
        raise psycopg.OperationalError("the connection was cut")


def test_a_commit_that_was_not_heard_of_is_known_to_be_recorded(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    torn = Torn(factory.datastore)
    assert torn.insert_events([event(1, 1), event(1, 2)]) == [1, 2]
    assert recorder.max_notification_id() == 2
    with pytest.raises(IntegrityError):  # another event with that version, though
        torn.insert_events([event(1, 2, b'{"other": 1}')])


def test_a_closed_log_is_neither_read_nor_written(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    factory.close()
    with pytest.raises(ConnectionPoolClosedError):
        recorder.insert_events([event(1, 1)])
    with pytest.raises(ConnectionPoolClosedError):
        recorder.max_notification_id()
    factory.close()
