"""The log as an application of the `eventsourcing` library, on a real file."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.application import AggregateNotFoundError
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent
from eventsourcing.projection import ApplicationSubscription, Projection, ProjectionRunner
from eventsourcing.sqlite import SQLiteTrackingRecorder
from eventsourcing.utils import resolve_topic

from domain.army import ArmyContent, save
from domain.log.digests import BrokenChainError
from domain.log.ledger import Changeset
from domain.log.sealed_events import SealedEvent
from domain.match import ActionTaken, Terms, replay
from domain.registry import GAMES
from domain.storage.topics import TOPICS
from domain.table import Table, open_table, register
from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from services.store.application import LogApplication
from services.store.log import FILE, Log
from services.store.writer import Writer
from tests.command_contexts import context_at
from tests.services.conftest import OPENING, create_match, play
from tests.test_every_match import Life

NOON = context_at(datetime(2026, 11, 22, 12, tzinfo=UTC), "request")
LIONS = ArmyContent("golem-arcana", "Lions", {}, {"faction": "gudanna"}, 70)


@pytest.fixture
def app(log_file: Path) -> Iterator[LogApplication]:
    with LogApplication({"EMETH_SQLITE_DBNAME": str(log_file)}) as app:
        yield app


@pytest.fixture
def life() -> Life:
    """A match with some actions, some of them taken back."""
    life = Life(GAMES["agog"], Terms(undo="free"))
    random = Random(1)
    for _ in range(4):
        life.act(random)
        life.act(random)
        life.undo(1)
    return life


def set_up(name: str = "Corner") -> tuple[Changeset[Table], Changeset[Table]]:
    opened = open_table(UUID(int=9), name, NOON)
    assert isinstance(opened, Changeset)
    registered = register(opened.state, "gateway", "Corner", "key", NOON)
    assert isinstance(registered, Changeset)
    return opened, registered


def test_a_match_can_be_had_at_every_version(app: LogApplication, life: Life) -> None:
    app.save(*life.events)
    assert app.repository.get(life.id) == life.match
    for version in range(1, life.match.version + 1):
        assert app.repository.get(life.id, version=version) == life.at(version)


def test_armies_and_tables_can_be_had_in_the_same_way(app: LogApplication) -> None:
    opened, registered = set_up()
    kept = save(None, UUID(int=7), "owner", LIONS, NOON)
    app.save(*kept.events, *opened.events, *registered.events)
    army = app.repository.get(UUID(int=7))
    assert (army.id, army.version, army.saved) == (UUID(int=7), 1, LIONS)
    assert app.repository.get(UUID(int=9)) == registered.state
    assert app.repository.get(UUID(int=9), version=1) == opened.state


def test_a_match_that_continues_is_decided_from_what_the_repository_gives(
    app: LogApplication, life: Life
) -> None:
    app.save(*life.events)
    before = len(life.events)
    life.act(Random(2))
    app.save(*life.events[before:])
    assert app.repository.get(life.id).version == life.match.version == before + 1


def test_there_is_nothing_under_an_id_that_nothing_has(app: LogApplication) -> None:
    assert UUID(int=5) not in app.repository
    with pytest.raises(AggregateNotFoundError):
        app.repository.get(UUID(int=5))


def test_the_librarys_own_way_to_name_a_projector_works_too(
    app: LogApplication, life: Life
) -> None:
    app.save(*life.events)
    assert app.repository.get(life.id, version=3, projector_func=replay) == life.at(3)


def test_an_event_that_was_changed_is_refused(app: LogApplication, life: Life) -> None:
    first = app.mapper.to_stored_event(life.events[0])
    changed = first.state.replace(b"A life", b"A lie!")
    app.recorder.insert_events(
        [StoredEvent(first.originator_id, first.originator_version, first.topic, changed)]
    )
    with pytest.raises(BrokenChainError):
        app.repository.get(life.id)


def test_a_version_that_is_taken_is_an_integrity_error(app: LogApplication, life: Life) -> None:
    app.save(*life.events)
    with pytest.raises(IntegrityError, match="the log has moved on"):
        app.save(life.events[-1])


def test_events_of_two_aggregates_are_saved_together_or_not_at_all(
    app: LogApplication, life: Life
) -> None:
    (army,) = save(None, UUID(int=7), "owner", LIONS, NOON).events
    app.save(army)
    with pytest.raises(IntegrityError):
        app.save(*life.events, army)
    assert life.id not in app.repository
    table = set_up()[0]
    recordings = app.save(*life.events, *table.events)
    numbers = [recording.notification.id for recording in recordings]
    assert numbers == list(range(2, len(life.events) + 3))
    assert app.repository.get(life.id) == life.match
    assert app.repository.get(UUID(int=9)) == table.state


def test_threads_that_save_at_once_share_a_commit(
    app: LogApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    armies = [save(None, UUID(int=n), "owner", LIONS, NOON).events[0] for n in range(1, 65)]
    jobs = []
    usual = Writer._write

    def counted(writer: Writer, batch: Any, refused: Any) -> None:
        jobs.append(len(batch))
        usual(writer, batch, refused)

    monkeypatch.setattr(Writer, "_write", counted)
    with ThreadPoolExecutor(16) as threads:
        recordings = [*threads.map(app.save, armies)]
    assert sum(jobs) == 64 > len(jobs)
    assert sorted(each[0].notification.id for each in recordings) == list(range(1, 65))


def test_saving_nothing_takes_no_lock(app: LogApplication, log_file: Path) -> None:
    assert app.save() == []
    assert not log_file.with_name(f"{FILE}.lock").exists()


def test_the_notification_log_has_everything_in_sections(app: LogApplication, life: Life) -> None:
    app.save(*life.events)
    stored = [app.mapper.to_stored_event(each) for each in life.events]
    section, read = app.notification_log["1,10"], []
    while True:
        read += section.items
        if section.next_id is None:
            break
        section = app.notification_log[section.next_id]
    assert [(each.id, each.topic, each.state) for each in read] == [
        (number, each.topic, each.state) for number, each in enumerate(stored, 1)
    ]
    only = app.notification_log.select(start=1, limit=10, topics=["match.LineContinued"])
    assert {each.topic for each in only} == {"match.LineContinued"}


def test_every_event_is_one_of_the_librarys_by_its_protocol(
    app: LogApplication, life: Life
) -> None:
    for sealed in life.events:
        assert isinstance(sealed, DomainEventProtocol)
    for topic, event_type in TOPICS.items():
        assert resolve_topic(topic) is event_type


def test_a_log_that_another_writes_to_can_be_read_and_not_written(
    tmp_path: Path, life: Life
) -> None:
    log = Log(tmp_path, print)
    try:
        with LogApplication({"EMETH_SQLITE_DBNAME": str(tmp_path / FILE)}) as app:
            assert app.notification_log.select(start=1, limit=9) == []
            with pytest.raises(OperationalError, match="a log has one writer"):
                app.save(*life.events)
    finally:
        log.close()


class Seen(SQLiteTrackingRecorder):
    """Nothing but how far the log was followed."""


class Seeing(Projection[Seen]):
    """Remembers every event that it was given."""

    events: list[SealedEvent[Any]] = []  # noqa: RUF012  # one for the only test that uses it

    def process_event(self, domain_event: Any, tracking: Any) -> None:
        self.events.append(domain_event)
        self.view.insert_tracking(tracking)


def test_the_librarys_projection_runner_follows_a_log_to_its_end(
    app: LogApplication, log_file: Path, tmp_path: Path, life: Life
) -> None:
    half = len(life.events) // 2
    app.save(*life.events[:half])
    env = {
        "EMETH_SQLITE_DBNAME": str(log_file),
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(tmp_path / "seen.sqlite"),
    }
    with ProjectionRunner(
        application_class=LogApplication, projection_class=Seeing, view_class=Seen, env=env
    ) as runner:
        runner.wait(half, timeout=20)
        recordings = app.save(*life.events[half:])
        runner.wait(recordings[-1].notification.id, timeout=20)
        assert Seeing.events == life.events
        assert runner.view.max_tracking_id("emeth") == len(life.events)


@pytest.fixture
async def service(tmp_path: Path) -> Any:
    async with Service(Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0")) as running:
        yield running


async def test_a_subscription_sees_what_a_running_service_records(
    service: Service, tmp_path: Path
) -> None:
    path = tmp_path / "data" / FILE
    async with Client(service.address, name="tests/1") as client:
        match = await create_match(client)
        with (
            LogApplication({"EMETH_SQLITE_DBNAME": str(path)}) as app,
            ApplicationSubscription(app, topics=("match.ActionTaken",)) as subscription,
        ):
            await play(client, match, *OPENING)
            seen = [next(subscription) for _ in OPENING]
            assert all(isinstance(sealed.event, ActionTaken) for sealed, _ in seen)
            assert [sealed.event.seat for sealed, _ in seen] == [seat for seat, _ in OPENING]
            now = app.repository.get(UUID(match.id))
            assert now.version == seen[-1][0].originator_version
            assert seen[-1][1].notification_id == now.version + 1  # the service began before
            assert isinstance(app.repository.get(UUID(match.id), version=1).id, UUID)
