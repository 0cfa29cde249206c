"""`emeth doctor` finds nothing in a sound folder, and names what is wrong in any other."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path

import msgspec
import psycopg
import pytest
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict

from services.cli.main import main
from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from services.store.doctor import checks
from services.store.doctor.checks import HealthCheck, run_checks
from services.store.log import FILE


@pytest.fixture
async def folder(settings: Settings) -> Path:
    async with Service(settings) as service, Client(service.address) as client:
        for _ in range(3):
            created = await client.create_match(game="agog")
            identity = created.match.match_id
            await client.submit(created.tokens["white"], identity, "a6-b6")
            await client.match(identity, 2)  # the read models have it
    return settings.folder


def bad(folder: Path, *, whole: bool = False) -> list[HealthCheck]:
    signs = run_checks(Settings(data=str(folder)), whole=whole)
    return [sign for sign in signs if sign.weight == "bad"]


def change(folder: Path, sql: str) -> None:
    change_file(folder / FILE, sql)


def change_file(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(sql)


@pytest.mark.parametrize("whole", [False, True])
async def test_a_sound_folder_is_fine(folder: Path, whole: bool) -> None:
    assert bad(folder, whole=whole) == []


async def test_it_may_look_while_the_service_runs(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        await client.create_match(game="agog")
        assert bad(settings.folder, whole=True) == []


ILLS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder that others may read": (lambda f: f.chmod(0o755), "folder"),
    "read models that others may read": (lambda f: (f / "reads").chmod(0o755), "files"),
    "a log that others may read": (lambda f: (f / FILE).chmod(0o604), "files"),
    "a key that others may read": (lambda f: (f / "secret.key").chmod(0o644), "secret.key"),
    "a key that was cut": (lambda f: (f / "signing.key").write_text("abc"), "signing.key"),
    "a log that is gone": (lambda f: (f / FILE).unlink(), "log"),
    "a log that is none": (lambda f: (f / FILE).write_bytes(b"nothing" * 999), "log"),
    "an event that is gone": (
        lambda f: change(f, "DELETE FROM stored_events WHERE rowid = 2"),
        "chain log read models",
    ),
    "an event that was changed": (
        lambda f: change(f, "UPDATE stored_events SET state = replace(state, '\"a6\"', '\"a5\"')"),
        "chain",
    ),
    "a hash of the tree that was changed": (
        lambda f: change_file(
            next((f / "reads").glob("*.sqlite")),
            "UPDATE nodes SET hash = zeroblob(32) WHERE number = 1",
        ),
        "tree",
    ),
    "an older log": (
        lambda f: change(f, "DELETE FROM stored_events WHERE rowid > 4"),
        "read models",
    ),
}


@pytest.mark.parametrize("ill", ILLS)
async def test_what_is_wrong_is_named_with_what_to_do(folder: Path, ill: str) -> None:
    spoil, about = ILLS[ill]
    spoil(folder)
    found = bad(folder, whole=True)
    assert found
    assert {sign.about in about for sign in found} == {True}
    assert all(sign.remedy for sign in found)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"nothing" * 999),
        lambda path: path.write_bytes(path.read_bytes()[:8192]),
        lambda path: change_file(path, "DELETE FROM tracking"),
        lambda path: change_file(path, "DROP TABLE tracking"),
        lambda path: (path.unlink(), path.mkdir(0o700)),
    ],
    ids=["empty", "noise", "cut", "no row", "no table", "a folder"],
)
async def test_read_models_that_are_damaged_are_rebuilt_and_need_no_backup(
    folder: Path, damage: Callable[[Path], object]
) -> None:
    (path,) = (folder / "reads").glob("*.sqlite")
    damage(path)
    (sign,) = bad(folder)
    assert sign.about == "read models"
    assert sign.remedy.startswith("restart the service: it rebuilds them from the log")
    assert "restore" not in sign.remedy


async def test_players_that_cannot_be_read_are_no_fault_of_the_log(folder: Path) -> None:
    (folder / "people.sqlite").write_bytes(b"nothing" * 999)
    (sign,) = bad(folder)
    assert (sign.about, "put back people.sqlite" in sign.remedy) == ("players", True)


async def test_a_clock_behind_the_log_and_a_full_disk_are_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Past(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Past":
            return cls(2020, 1, 1, tzinfo=tz)

    monkeypatch.setattr(checks, "datetime", Past)
    monkeypatch.setattr(checks, "MIN_FREE_BYTES", 1 << 60)
    assert {sign.about for sign in bad(folder)} == {"clock", "disk"}


async def test_the_command_says_it_and_ends_with_1(folder: Path) -> None:
    run = CliRunner().invoke
    fine = run(main, ["doctor", "--data", str(folder)])
    assert (fine.exit_code, "chains are whole" in fine.output) == (0, True)
    (folder / "secret.key").chmod(0o644)
    ill = run(main, ["doctor", "--data", str(folder)])
    assert ill.exit_code == 1
    assert f"chmod 600 {folder / 'secret.key'}" in ill.output
    assert run(main, ["doctor", "--data", str(folder / "nothing")]).exit_code == 1


# --- a log in PostgreSQL --------------------------------------------------------------------------


@pytest.fixture
async def shared(tmp_path: Path, database: str) -> Settings:
    """Settings of a service whose log in PostgreSQL has some matches."""
    settings = Settings(data=str(tmp_path / "data"), store=database, listen="127.0.0.1:0")
    async with Service(settings) as service, Client(service.address) as client:
        for _ in range(3):
            created = await client.create_match(game="agog")
            await client.submit(created.tokens["white"], created.match.match_id, "a6-b6")
            await client.match(created.match.match_id, 2)  # the read models have it
    return settings


def execute(uri: str, *statements: str) -> None:
    with psycopg.connect(uri, autocommit=True) as connection:
        for each in statements:
            connection.execute(each.encode())


def signs(settings: Settings, weight: str = "bad") -> list[HealthCheck]:
    return [each for each in run_checks(settings, whole=True) if each.weight == weight]


async def test_a_sound_database_is_fine_and_nothing_is_written_to_it(shared: Settings) -> None:
    assert signs(shared) == []
    fine = {each.about for each in signs(shared, "fine")}
    assert {"database", "encryption", "log", "chain", "clock", "secret", "players"} <= fine
    assert {"read models", "tree", "services"} <= fine


async def test_the_holder_of_a_lease_is_reported(shared: Settings) -> None:
    async with Service(shared) as service:
        with service._log.exclusive_lease("webhooks") as lease:
            assert await asyncio.to_thread(lease.try_acquire)
            assert "emeth at a socket" in (await asyncio.to_thread(leases, shared))["webhooks"]
    assert leases(shared)["webhooks"].startswith("nobody's")


def leases(settings: Settings) -> dict[str, str]:
    found = [each.what for each in signs(settings, "fine") if each.about == "lease"]
    return dict(each.split(": ", 1) for each in found)


DATABASE_ILLS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "an event that is gone": (
        ("DELETE FROM stored_events WHERE notification_id = 2",),
        {"chain", "log"},
    ),
    "an event that was changed": (
        (
            "UPDATE stored_events SET state = convert_to(replace(convert_from(state, 'UTF8'),"
            " '\"a6\"', '\"a5\"'), 'UTF8')",
        ),
        {"chain"},
    ),
    "an older log": (("DELETE FROM stored_events WHERE notification_id > 4",), {"read models"}),
    "a table that was changed": (("ALTER TABLE stored_events ADD more text",), {"database"}),
    "a newer log": (("UPDATE emeth_log SET value = 99 WHERE name = 'format'",), {"database"}),
    "another program's database": (("DROP TABLE emeth_log",), {"database"}),
}


@pytest.mark.parametrize("ill", DATABASE_ILLS)
async def test_what_is_wrong_in_a_database_is_named_with_what_to_do(
    shared: Settings, ill: str
) -> None:
    statements, about = DATABASE_ILLS[ill]
    execute(shared.store, *statements)
    found = signs(shared)
    assert {each.about for each in found} == about
    assert all(each.remedy for each in found)


async def test_a_database_that_cannot_be_reached_is_named_without_its_password(
    shared: Settings, tmp_path: Path
) -> None:
    uri = f"postgresql://ada:secretword@/emeth?host={tmp_path}"
    (found,) = signs(msgspec.structs.replace(shared, store=uri))
    assert found.about == "database"
    assert found.what.startswith("PostgreSQL cannot be reached")
    assert "secretword" not in f"{found}"


async def test_a_database_that_may_lose_what_it_acknowledges_is_named(
    shared: Settings,
) -> None:
    name = conninfo_to_dict(shared.store)["dbname"]
    execute(shared.store, f"ALTER DATABASE {name} SET synchronous_commit = off")
    (found,) = signs(shared)
    assert found.what == "synchronous_commit is off"


async def test_a_database_without_tables_is_left_without(database: str, folder: Path) -> None:
    settings = Settings(data=str(folder), store=database)
    assert [each.what for each in signs(settings, "note") if each.about == "database"] == [
        "it has no tables"
    ]
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT to_regclass('public.emeth_log')").fetchone()
    assert found == (None,)
