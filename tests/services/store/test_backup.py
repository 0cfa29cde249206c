"""A backup is taken while the service runs, checked, and put back whole or not at all."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli.main import main
from services.client import Client
from services.main import Service
from services.proof.signed_notes import read_checkpoint
from services.proof.signing import read_key
from services.runtime.settings import Settings
from services.store.backup import BackupError, Manifest, back_up, check, restore
from services.store.log import FILE
from tests.services.conftest import OPENING, CreatedMatch, create_match


def at(folder: Path) -> Settings:
    return Settings(data=str(folder), listen="127.0.0.1:0", http="no", drain_seconds=1)


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A folder with a match of a few actions."""
    async with Service(at(tmp_path / "data")) as service, Client(service.address) as client:
        await play(client, await create_match(client, "agog"))
    return tmp_path / "data"


async def play(client: Client, match: CreatedMatch) -> None:
    for seat, action in OPENING:
        await client.submit(match.tokens[seat], match.id, action)


async def more(folder: Path) -> None:
    """Another match in the same log."""
    async with Service(at(folder)) as service, Client(service.address) as client:
        await play(client, await create_match(client, "agog"))


def rows(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / FILE)) as log:
        return log.execute("SELECT rowid, * FROM stored_events ORDER BY rowid").fetchall()


@pytest.mark.parametrize("name", ["backup", "backup.tar"])
async def test_a_backup_that_is_put_back_is_the_same_log_with_the_same_keys(
    folder: Path, tmp_path: Path, name: str
) -> None:
    made = back_up(folder, tmp_path / name)
    assert check(tmp_path / name) == made
    assert restore([tmp_path / name], tmp_path / "new") == made
    assert rows(tmp_path / "new") == rows(folder)
    for key in ("secret.key", "signing.key", "admin.key"):
        assert (tmp_path / "new" / key).read_bytes() == (folder / key).read_bytes()
    async with Service(at(tmp_path / "new")) as service, Client(service.address) as client:
        answer = await client.get_checkpoint()
    head = read_checkpoint(read_key(answer.verifier_key).open(answer.checkpoint))
    assert head.size >= made.events
    later = rows(tmp_path / "new")
    assert later[:-1] == rows(folder), "and that the service has started again"


@pytest.mark.parametrize("name", ["backup", "backup.tar"])
async def test_a_backup_is_its_owners_alone_whatever_others_may_read_of_the_folder(
    folder: Path, tmp_path: Path, name: str
) -> None:
    (folder / "vouchers").mkdir()
    (folder / "vouchers/one").write_bytes(b"{}")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    before = os.umask(0o022)
    try:
        back_up(folder, tmp_path / name)
        restore([tmp_path / name], tmp_path / "new")
    finally:
        os.umask(before)
    for place in (tmp_path / name, tmp_path / "new"):
        for path in (place, *place.rglob("*")):
            assert path.stat().st_mode & 0o077 == 0, path


async def test_a_backup_under_load_is_a_beginning_of_the_log(tmp_path: Path) -> None:
    async with Service(at(tmp_path / "data")) as service, Client(service.address) as client:
        matches = [await create_match(client, "agog") for _ in range(20)]
        playing = [asyncio.create_task(play(client, match)) for match in matches]
        made: list[Manifest] = []
        while not all(task.done() for task in playing):
            place = tmp_path / f"backup-{len(made)}"
            made.append(await asyncio.to_thread(back_up, tmp_path / "data", place))
            await asyncio.sleep(0)
        await asyncio.gather(*playing)
    whole = rows(tmp_path / "data")
    for number, manifest in enumerate(made):
        restore([tmp_path / f"backup-{number}"], tmp_path / f"new-{number}")
        assert rows(tmp_path / f"new-{number}") == whole[: manifest.events]


async def test_later_events_are_added_to_an_earlier_backup(folder: Path, tmp_path: Path) -> None:
    first = back_up(folder, tmp_path / "monday")
    await more(folder)
    second = back_up(folder, tmp_path / "tuesday.tar", tmp_path / "monday")
    assert (second.after, second.after_root) == (first.events, first.root)
    third = back_up(folder, tmp_path / "wednesday", tmp_path / "tuesday.tar")  # nothing happened
    days = [tmp_path / day for day in ("monday", "tuesday.tar", "wednesday")]
    restore(days, tmp_path / "new")
    assert rows(tmp_path / "new") == rows(folder)
    assert third.events == third.after == second.events
    with pytest.raises(BackupError, match="name the backup of those before it"):
        restore(days[1:], tmp_path / "other")
    with pytest.raises(BackupError, match="and those before it are"):
        restore([days[0], days[2]], tmp_path / "other")
    assert not (tmp_path / "other").exists()


async def test_a_later_backup_is_of_the_same_log(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "monday")
    (tmp_path / "data2").mkdir()
    await more(tmp_path / "data2")
    with pytest.raises(BackupError, match="does not continue the earlier backup"):
        back_up(tmp_path / "data2", tmp_path / "tuesday", tmp_path / "monday")
    assert not (tmp_path / "tuesday").exists()


def spoil(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(bytes(raw))


@pytest.mark.parametrize("name", [FILE, "secret.key", "backup.json"])
async def test_a_backup_that_was_changed_is_not_put_back(
    folder: Path, tmp_path: Path, name: str
) -> None:
    back_up(folder, tmp_path / "backup")
    spoil(tmp_path / "backup" / name)
    with pytest.raises(BackupError):
        restore([tmp_path / "backup"], tmp_path / "new")
    assert not (tmp_path / "new").exists()


async def test_nothing_is_overwritten(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "backup")
    with pytest.raises(BackupError, match="already exists"):
        back_up(folder, tmp_path / "backup")
    with pytest.raises(BackupError, match="is not empty"):
        restore([tmp_path / "backup"], folder)


def test_what_is_no_folder_of_a_service_or_no_backup_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="not the data folder of a service"):
        back_up(tmp_path, tmp_path / "backup")
    (tmp_path / "notes.tar").write_text("notes")
    for what in (tmp_path, tmp_path / "notes.tar", tmp_path / "nothing"):
        with pytest.raises(BackupError, match="not a backup"):
            check(what)


@pytest.fixture
def files_left(tmp_path: Path) -> Iterator[None]:
    yield
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


async def test_the_commands_make_check_and_put_back(
    folder: Path, tmp_path: Path, files_left: None
) -> None:
    def run(*words: object) -> str:
        result = CliRunner().invoke(main, list(map(str, words)))
        assert result.exit_code == 0, result.output
        return result.output

    monday = tmp_path / "monday"
    assert "6 events" in run("backup", monday, "--data", folder)
    assert "is sound" in run("backup", monday, "--check")
    assert "6 events" in run("restore-backup", monday, "--to", tmp_path / "new")
    shutil.rmtree(tmp_path / "new")
    spoil(monday / FILE)
    refused = CliRunner().invoke(main, ["restore-backup", str(monday), "--to", str(tmp_path / "x")])
    assert refused.exit_code == 1
    assert f"{FILE} has changed since" in refused.output
