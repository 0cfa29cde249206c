"""A log that is deleted or replaced under a running service is noticed before a commit is
acknowledged."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import OperationalError

from domain.match import MatchSetup, create, roles
from domain.registry import GAMES
from services.client import Client, ServiceError
from services.store.errors import LogFailed
from services.store.log import FILE, Log
from tests.command_contexts import context_at

ROOT = Path(__file__).parents[3]
SERVE = (
    *(sys.executable, "-m", "services.cli", "serve"),
    *("--listen", "127.0.0.1:0", "--drain-seconds", "1"),
)
UNACKNOWLEDGED = ("LOG_UNAVAILABLE", "SHUTTING_DOWN")


def a_match(number: int) -> Any:
    rules = GAMES["agog"]
    keys = {role: role for role in roles(rules, rules.options())}
    command_context = context_at(datetime(2026, 11, 22, tzinfo=UTC), f"request {number}")
    return create(MatchSetup(rules, rules.options()), UUID(int=number), keys, command_context)


def delete(path: Path) -> None:
    path.unlink()


def rename(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def copy_over(path: Path) -> None:
    """As a backup is put back: another file under the same name."""
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").rename(path)


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


@pytest.mark.parametrize("part", ["", "-wal", "-shm"])
@pytest.mark.parametrize("how", [delete, rename, copy_over])
async def test_nothing_is_acknowledged_by_a_file_that_has_lost_its_name(
    tmp_path: Path, how: Callable[[Path], None], part: str
) -> None:
    failures: list[LogFailed] = []
    log = Log(tmp_path, failures.append)
    try:
        await log.write(a_match(1).events)
        how(tmp_path / f"{FILE}{part}")
        with pytest.raises(LogFailed, match=re.escape(f"{FILE}{part} is")):
            await log.write(a_match(2).events)
        with pytest.raises(LogFailed):
            await log.write(a_match(3).events)
        with pytest.raises(OperationalError, match="put the log or a backup in its place"):
            log.newest()
        assert failures
    finally:
        log.close()
    if part == "" and how is not copy_over:
        assert not (tmp_path / FILE).exists()  # nobody made an empty one in its place


async def test_a_folder_that_moves_away_takes_the_log_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    log = Log(folder, print)
    try:
        move_folder(folder / FILE)
        with pytest.raises(LogFailed, match="No such file"):
            await log.write(a_match(1).events)
    finally:
        log.close()
    assert not folder.exists()


@pytest.mark.parametrize("how", [delete, copy_over])
async def test_a_service_stops_and_says_why(tmp_path: Path, how: Callable[[Path], None]) -> None:
    data, ready = tmp_path / "data", tmp_path / "address"
    command = (*SERVE, "--data", str(data), "--ready-file", str(ready))
    with subprocess.Popen(  # noqa: ASYNC220  # it takes a millisecond
        command,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            until = time.monotonic() + 60
            while not (ready.exists() and ready.read_text()):
                assert time.monotonic() < until
                await asyncio.sleep(0.05)
            async with Client(ready.read_text()) as client:
                created = await client.create_match(game="agog")
                how(data / FILE)
                with pytest.raises(ServiceError) as refused:
                    await client.submit(created.tokens["white"], created.match.match_id, "a6-b6")
                # A client repeats what was not acknowledged, until there is nobody to ask.
                assert refused.value.unreachable or refused.value.reason in UNACKNOWLEDGED
            code = await asyncio.to_thread(process.wait, 60)
        finally:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
        assert process.stderr is not None
        last = process.stderr.read().splitlines()[-1]
    assert code == 3
    assert last.startswith(f"emeth: the log cannot be written: {data / FILE} is ")
    assert last.endswith("put the log or a backup in its place, and start again")


async def test_a_log_behind_a_link_is_kept_an_eye_on_too(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE).symlink_to(tmp_path / "disk" / "kept.sqlite")
    log = Log(tmp_path / "data", print)
    try:
        await log.write(a_match(1).events)
        (tmp_path / "data" / FILE).unlink()
        with pytest.raises(LogFailed):
            await log.write(a_match(2).events)
    finally:
        log.close()
