"""A log in PostgreSQL: what makes one, what is refused, and what outlives its server."""

import asyncio
import base64
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner
from eventsourcing.persistence import StoredEvent
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool.base import AttemptWithBackoff

from domain.match import Terms
from domain.registry import GAMES
from projections.projector.runner import ProjectionRunner
from projections.queries import log_tree
from projections.queries.read_files import ReadModels
from services.cli.main import main
from services.store.application import ON_POSTGRES, LogApplication
from services.store.errors import (
    KeysDiffer,
    LogDamaged,
    LogFailed,
    LogForeign,
    LogNotDurable,
    LogTooNew,
    LogUnavailable,
    LogUncertain,
    StoreUnknown,
)
from services.store.loading import load_match
from services.store.log import FILE, Log
from services.store.postgres import connections, leases
from services.store.postgres import recorder as recording
from services.store.postgres.address import parse_address
from services.store.postgres.connections import LogLost
from tests.postgres import Databases
from tests.test_every_match import Life

EventMaker = Callable[..., StoredEvent]


@pytest.fixture
def open_log(tmp_path: Path) -> Iterator[Callable[..., Log]]:
    """Opens logs, each as a service with a folder of its own; they are closed at the end."""
    opened: list[Log] = []

    def open_(uri: str, on_failure: Callable[[LogFailed], object] = print) -> Log:
        folder = tmp_path / f"data-{uuid4()}"
        folder.mkdir()
        opened.append(Log(folder, on_failure, uri))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()


def life(actions: int = 10, number: int = 1) -> Life:
    lived = Life(GAMES["agog"], Terms(undo="free"), number)
    random = Random(7)
    for _ in range(actions):
        lived.act(random)
    return lived


def execute(uri: str, statement: str) -> None:
    with psycopg.connect(uri, autocommit=True) as outside:
        outside.execute(statement.encode())


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("CREATE TABLE stored_events (their_own int)", LogForeign),
        ("CREATE TABLE emeth_log (name text, value text)", LogForeign),
    ],
)
def test_the_database_of_another_program_is_refused(
    open_log: Callable[..., Log], database: str, statement: str, error: Any
) -> None:
    execute(database, statement)
    with pytest.raises(error, match="another program"):
        open_log(database)


@pytest.mark.parametrize(
    ("statement", "error", "why"),
    [
        ("UPDATE emeth_log SET value = '99' WHERE name = 'format'", LogTooNew, "log format 99"),
        ("ALTER TABLE stored_events DROP COLUMN topic", LogDamaged, "columns of stored_events"),
        ("DELETE FROM stored_events WHERE notification_id = 3", LogDamaged, "1 of 11 events"),
    ],
)
async def test_a_log_that_is_newer_or_was_changed_by_hand_is_refused(
    open_log: Callable[..., Log], database: str, statement: str, error: Any, why: str
) -> None:
    log = open_log(database)
    await log.write(life().events)
    execute(database, statement)
    with pytest.raises(error, match=why):
        open_log(database)


def test_a_database_that_does_not_keep_what_it_acknowledges_is_refused(
    postgres: Databases, open_log: Callable[..., Log]
) -> None:
    uri = postgres.make("synchronous_commit = off")
    with pytest.raises(LogNotDurable, match="synchronous_commit is off"):
        open_log(uri)
    postgres.drop(uri)


def test_what_cannot_be_written_to_is_no_place_for_a_log(
    postgres: Databases, open_log: Callable[..., Log]
) -> None:
    # As a standby looks to every client.
    uri = postgres.make("default_transaction_read_only = on")
    with pytest.raises(LogUnavailable, match="read-only"):
        open_log(uri)
    postgres.drop(uri)


@pytest.mark.parametrize(
    ("uri", "error"),
    [
        ("postgresql://nobody:secret-word@127.0.0.1:1/emeth", LogUnavailable),
        ("postgresql://?nonsense=secret-word", StoreUnknown),
        ("postgresql://someone:secret-word@db.example/", StoreUnknown),
        ("mysql://someone:secret-word@db.example/", StoreUnknown),
    ],
)
def test_where_there_is_no_database_it_is_said_without_the_password(
    open_log: Callable[..., Log], uri: str, error: Any
) -> None:
    with pytest.raises(error) as caught:
        open_log(uri)
    assert "secret-word" not in str(caught.value)


def test_all_words_of_libpq_may_be_in_the_uri() -> None:
    found = parse_address("postgresql://emeth:word@db.example/games?sslmode=verify-full")
    assert (found.words["host"], found.words["user"]) == ("db.example", "emeth")
    assert (found.words["password"], found.words["sslmode"]) == ("word", "verify-full")
    assert found.words["target_session_attrs"] == "read-write"
    assert found.name == "postgresql://db.example/games"


def test_replicas_of_one_log_have_the_same_keys(
    open_log: Callable[..., Log], database: str
) -> None:
    open_log(database).trust_fingerprints({"secret": "1", "signing key": "2"})
    other = open_log(database)
    other.trust_fingerprints({"secret": "1", "signing key": "2"})
    with pytest.raises(KeysDiffer, match="another signing key"):
        other.trust_fingerprints({"secret": "1", "signing key": "3"})


def test_services_that_make_a_log_at_once_make_one(
    open_log: Callable[..., Log], database: str
) -> None:
    async def all_at_once() -> list[Log]:
        return await asyncio.gather(*(asyncio.to_thread(open_log, database) for _ in range(4)))

    assert [each.newest() for each in asyncio.run(all_at_once())] == [0] * 4


# --- what only one may do ---------------------------------------------------------------------


def test_of_all_who_share_a_log_one_holds_a_lease(
    open_log: Callable[..., Log], database: str
) -> None:
    one, other = open_log(database), open_log(database)
    with one.exclusive_lease("clocks") as first, other.exclusive_lease("clocks") as second:
        assert (first.try_acquire(), second.try_acquire(), first.try_acquire()) == (
            True,
            False,
            True,
        )
        with other.exclusive_lease("webhooks") as another:
            assert another.try_acquire()
        execute(
            database,
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks"
            " WHERE locktype = 'advisory' AND database ="
            " (SELECT oid FROM pg_database WHERE datname = current_database())",
        )
        assert (second.try_acquire(), first.try_acquire()) == (True, False)
    with one.exclusive_lease("clocks") as first:
        while not first.try_acquire():  # the server may take a moment to end the other's session
            time.sleep(0.01)


async def test_a_replica_without_a_heartbeat_loses_its_lease(
    open_log: Callable[..., Log], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a service that is frozen, whose connection stands all the while."""
    monkeypatch.setattr(leases, "SILENCE_SECONDS", 1)
    one, other = open_log(database), open_log(database)
    with one.exclusive_lease("clocks") as frozen, other.exclusive_lease("clocks") as waiting:
        assert (frozen.try_acquire(), waiting.try_acquire()) == (True, False)
        await asyncio.sleep(1.5)
        assert (waiting.try_acquire(), frozen.try_acquire()) == (True, False)


# --- its server -------------------------------------------------------------------------------


@pytest.fixture
def own_server(
    tmp_path_factory: pytest.TempPathFactory, postgres: Databases
) -> Iterator[Databases]:
    """A server that may be crashed."""
    own = Databases(postgres.server.pgdata.with_name(f"{postgres.server.pgdata.name}-own"))
    yield own
    own.close()


async def test_a_server_that_crashes_under_load_loses_and_doubles_nothing(
    own_server: Databases, open_log: Callable[..., Log]
) -> None:
    log = open_log(own_server.make())
    lives = [life(20, number) for number in range(24)]
    acknowledged: list[Any] = []
    in_flight = asyncio.Event()

    async def play(one: Life) -> None:
        for sealed in one.events:
            await log.write((sealed,))
            acknowledged.append(sealed)
            if len(acknowledged) == 50:
                in_flight.set()
            await asyncio.sleep(0.02)  # so that it is still played when the server crashes

    playing = asyncio.gather(*map(play, lives))
    await in_flight.wait()
    await asyncio.to_thread(own_server.restart)
    assert not playing.done()
    await playing
    assert log.newest() == len(acknowledged) == sum(len(each.events) for each in lives)
    for each in lives:
        found = load_match(log, each.id)
        assert found is not None
        assert found[0] == each.match


async def test_a_server_that_stays_away_fails_what_waits_and_is_found_when_it_is_back(
    own_server: Databases, open_log: Callable[..., Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 0.3)
    uri = own_server.make()
    folder = conninfo_to_dict(uri)["host"]  # of its socket
    log, lived = open_log(uri), life(3)
    await log.write(lived.events[:1])
    own_server.control("stop", "-m", "fast")
    with pytest.raises((LogUnavailable, LogUncertain)):
        await log.write(lived.events[1:2])
    with pytest.raises(LogUnavailable):
        await log.write(lived.events[1:2])
    own_server.control("start", "-l", str(own_server.server.log), "-o", f'-h "" -k {folder}')
    for _ in range(20):
        try:
            await log.write(lived.events[1:2])
            break
        except LogUnavailable:
            await asyncio.sleep(0.2)
    assert log.newest() == 2


async def test_after_a_long_outage_the_pool_connects_as_soon_as_it_is_asked(
    own_server: Databases, open_log: Callable[..., Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library doubles its pause with each attempt that fails, for five minutes by default. Here
    the second pause is an hour, as after an outage that took long."""
    monkeypatch.setattr(recording, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 0.3)
    monkeypatch.setattr(connections, "RECONNECT_SECONDS", connections.RECONNECT_SECONDS / 10)
    monkeypatch.setattr(AttemptWithBackoff, "INITIAL_DELAY", 0.1)
    monkeypatch.setattr(AttemptWithBackoff, "DELAY_BACKOFF", 36_000.0)
    uri = own_server.make()
    folder = conninfo_to_dict(uri)["host"]  # of its socket
    log = open_log(uri)
    own_server.control("stop", "-m", "fast")
    while log.pool().get("connections_errors", 0) < 3:
        with pytest.raises(LogUnavailable):
            log.heartbeat()
    own_server.control("start", "-l", str(own_server.server.log), "-o", f'-h "" -k {folder}')
    for _ in range(3):
        with suppress(LogUnavailable):
            log.heartbeat()
            break
    else:
        pytest.fail("the pool stays away")


async def test_a_log_that_has_lost_events_is_not_gone_on_with(
    open_log: Callable[..., Log], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a standby that was behind has taken over."""
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 0.5)
    lost: list[LogFailed] = []
    log, lived = open_log(database, lost.append), life(5)
    await log.write(lived.events)
    execute(database, "DELETE FROM stored_events WHERE notification_id > 3")
    execute(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    lived.act(Random(1))
    with pytest.raises(LogUnavailable):
        await log.write(lived.events[-1:])
    assert lost
    assert isinstance(lost[0], LogLost)
    assert "has 3 events, and had 6" in str(lost[0])


async def test_the_log_is_an_application_of_the_library_too(
    open_log: Callable[..., Log], database: str
) -> None:
    lived = life(4)
    await open_log(database).write(lived.events[:3])
    with LogApplication({**ON_POSTGRES, "EMETH_POSTGRES_URI": database}) as app:
        app.save(*lived.events[3:])
        assert app.repository.get(lived.id) == lived.match
        assert len(app.notification_log.select(1, 10)) == len(lived.events)


# --- moving a log -----------------------------------------------------------------------------


def tree_of(log: Log, folder: Path) -> Any:
    """The tree over a log, as its read models have it."""
    with closing(ReadModels(folder)) as models:
        with ProjectionRunner(log.recorder, models, log.mapper) as follower:
            assert follower.catch_up(10)
        with models.reading() as connection:
            return log_tree.tree_head(connection)


def move(source: str, target: str) -> Any:
    return CliRunner().invoke(main, ["move-log", "--from", source, "--to", target])


async def test_a_log_is_moved_there_and_back_and_stays_what_it_was(
    tmp_path: Path, database: str
) -> None:
    lives, there, back = (
        [life(12, number) for number in range(3)],
        tmp_path / "there",
        tmp_path / "back",
    )
    for folder in (there, back):
        folder.mkdir()
    old = Log(there, print)
    for each in lives:
        await old.write(each.events)
    head = tree_of(old, tmp_path / "reads-1")
    everything = old.recorder.select_notifications(None, 1000)
    old.close()
    out = move(f"sqlite:{there / FILE}", database)
    assert out.exit_code == 0, out.output
    assert base64.b64encode(head.root).decode() in out.output
    with closing(Log(tmp_path, print, database)) as moved:
        assert moved.recorder.select_notifications(None, 1000) == everything
        assert tree_of(moved, tmp_path / "reads-2") == head
    again = move(database, f"sqlite:{back / FILE}")
    assert f"{head.size} events" in again.output, again.output
    with closing(Log(back, print)) as returned:
        assert returned.recorder.select_notifications(None, 1000) == everything
        found = load_match(returned, lives[0].id)
        assert found is not None
        assert found[0] == lives[0].match


async def test_a_move_continues_where_it_was_broken_off_and_refuses_another_log(
    tmp_path: Path, database: str
) -> None:
    lived, source, place = life(12), tmp_path / "source", f"sqlite:{tmp_path / 'source' / FILE}"
    source.mkdir()
    with closing(Log(source, print)) as old:
        await old.write(lived.events)
    with closing(Log(tmp_path, print, database)) as begun:
        await begun.write(lived.events[:5])
    assert "13 events" in move(place, database).output
    with closing(Log(tmp_path, print, database)) as changed:
        await changed.write(life(2, 2).events)
    refused = move(place, database)
    assert refused.exit_code == 3
    assert "is not that of" in refused.output
    missing = move(f"sqlite:{tmp_path / 'nothing'}", database)
    assert missing.exit_code == 2
    assert not (tmp_path / "nothing").exists()
