"""Who follows the log sees every event once, in order, soon; and can be stopped at any time."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from threading import Thread

import pytest
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    OperationalError,
    StoredEvent,
)

from services.store.sqlite import recorder as sqlite
from services.store.sqlite.recorder import Factory, LogRecorder
from services.store.subscription import LogSubscription, LogSubscriptions

EventMaker = Callable[..., StoredEvent]


def test_each_commit_wakes_those_who_follow(
    recorder: LogRecorder, event: EventMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "POLL_SECONDS", 3600)  # so a lost wake-up would last an hour
    with recorder.subscribe() as one, recorder.subscribe() as other:
        for version in range(1, 201):
            recorder.insert_events([event(1, version)])
            assert next(one).id == version
        assert [each.id for each in islice(other, 200)] == list(range(1, 201))


def test_no_wake_up_is_lost_between_many_writers(
    recorder: LogRecorder, event: EventMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "POLL_SECONDS", 3600)

    def write(match: int) -> None:
        for version in range(1, 51):
            recorder.insert_events([event(match, version)])

    with recorder.subscribe() as following, ThreadPoolExecutor(4) as writers:
        list(writers.map(write, range(4)))
        assert [each.id for each in islice(following, 200)] == list(range(1, 201))


def test_a_subscription_begun_while_others_write_misses_nothing(
    recorder: LogRecorder, event: EventMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "POLL_SECONDS", 3600)
    for version in range(1, 51):
        writing = Thread(target=recorder.insert_events, args=([event(1, version)],))
        writing.start()
        with recorder.subscribe(gt=version - 1) as following:
            assert next(following).originator_version == version
        writing.join()


def test_a_commit_just_before_a_subscription_is_known_is_not_missed(
    recorder: LogRecorder, event: EventMaker
) -> None:
    class Late(LogSubscriptions):
        def add(self, subscription: LogSubscription) -> None:
            recorder.insert_events([event(1, 1)])
            super().add(subscription)

    with LogSubscription(recorder, None, (), Late(), poll_seconds=3600) as following:
        assert next(following).originator_version == 1


def test_a_commit_of_another_process_is_seen_without_a_wake_up(
    recorder: LogRecorder, log_file: Path, event: EventMaker
) -> None:
    with (
        recorder.subscribe() as following,
        closing(Factory({"SQLITE_DBNAME": str(log_file)})) as other,  # knows nothing of this one
    ):
        other.application_recorder().insert_events([event(1, 1)])
        assert next(following).originator_version == 1


def test_a_slow_subscriber_gets_every_event_in_order(
    recorder: LogRecorder, event: EventMaker
) -> None:
    many = 7_000  # more than the subscription reads at once
    with recorder.subscribe() as following:
        for start in range(1, many, 1_000):
            recorder.insert_events([event(1, start + step) for step in range(1_000)])
        assert [each.id for each in islice(following, many)] == list(range(1, many + 1))


def test_a_stopped_iteration_gives_nothing_of_what_it_has_read_ahead(
    recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(1, version) for version in range(1, 7_001)])
    following = recorder.subscribe()
    assert next(following).id == 1
    following.stop()
    assert list(following) == []


def test_closing_the_log_ends_an_iteration_that_waits(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(1, 1)])
    seen: list[int] = []
    following = recorder.subscribe()
    reading = Thread(target=lambda: seen.extend(each.id for each in following))
    reading.start()
    while not seen:
        reading.join(0.01)
    factory.close()
    reading.join(5)
    assert not reading.is_alive()
    assert seen == [1]


def test_an_error_of_the_database_ends_the_iteration_and_is_raised(
    recorder: LogRecorder, log_file: Path, event: EventMaker
) -> None:
    recorder.insert_events([event(1, 1)])
    following = recorder.subscribe()
    assert next(following).id == 1
    outside = sqlite3.connect(log_file)
    outside.execute("ALTER TABLE stored_events RENAME TO gone")
    outside.close()
    with pytest.raises(OperationalError, match="no such table"):
        next(following)


def test_a_closed_log_cannot_be_followed(factory: Factory, recorder: LogRecorder) -> None:
    factory.close()
    with pytest.raises(ConnectionPoolClosedError):
        next(recorder.subscribe())
    assert not recorder.datastore.followers._all
