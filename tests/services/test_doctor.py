"""`emeth doctor` finds nothing in a sound folder, and names what is wrong in any other."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path

import pytest
from click.testing import CliRunner

from services import doctor
from services.cli.main import main
from services.client import Client
from services.doctor import Sign, examine
from services.server import Service
from services.settings import Settings
from services.store.log import FILE


@pytest.fixture
async def folder(settings: Settings) -> Path:
    async with Service(settings) as service, Client(service.address) as client:
        for _ in range(3):
            created = await client.create_match("agog")
            identity = created.match.match_id
            await client.submit(created.tokens["white"], identity, "a6-b6")
            await client.match(identity, 2)  # the read models have it
    return settings.folder


def bad(folder: Path, *, whole: bool = False) -> list[Sign]:
    signs = examine(Settings(data=str(folder)), whole=whole)
    return [sign for sign in signs if sign.weight == "bad"]


def change(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as log, log:
        log.execute(sql)


@pytest.mark.parametrize("whole", [False, True])
async def test_a_sound_folder_is_fine(folder: Path, whole: bool) -> None:
    assert bad(folder, whole=whole) == []


async def test_it_may_look_while_the_service_runs(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        await client.create_match("agog")
        assert bad(settings.folder) == []


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


async def test_a_clock_behind_the_log_and_a_full_disk_are_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Past(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Past":
            return cls(2020, 1, 1, tzinfo=tz)

    monkeypatch.setattr(doctor, "datetime", Past)
    monkeypatch.setattr(doctor, "LEAST_FREE", 1 << 60)
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
