"""Whatever ends the process or stops the disk: what was acknowledged is there, once, in order."""

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

from services.store.sqlite.recorder import Factory

ROOT = Path(__file__).parents[3]
MATCHES = 8

PLAY = """
import asyncio, os, sys
from uuid import UUID
from eventsourcing.persistence import StoredEvent
from services.store.sqlite.recorder import Factory
from services.store.writer import Writer

factory = Factory({"SQLITE_DBNAME": sys.argv[1]})
factory.check()
recorder = factory.application_recorder()
writer = Writer(recorder, on_failure=print)

async def play(match):
    version = len(recorder.select_events(UUID(int=match)))
    while True:
        version += 1
        state = b'{"played":"%d.%d"}' % (match, version)
        await writer.submit([StoredEvent(UUID(int=match), version, "match.Tested", state)])
        os.write(1, b"%d %d\\n" % (match, version))

async def main():
    await asyncio.gather(*map(play, range(int(sys.argv[2]))))

asyncio.run(main())
"""


def play_and_kill(log_file: Path, seconds: float) -> dict[int, int]:
    """Have a process write for a while, then kill it; the last version it acknowledged, by match.

    The time runs from its first acknowledgement.
    """
    with subprocess.Popen(
        [sys.executable, "-c", PLAY, str(log_file), str(MATCHES)], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        said = process.stdout.fileno()
        heard = os.read(said, 1 << 16)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([said], [], [], left)[0]:
                heard += os.read(said, 1 << 16)
        os.kill(process.pid, signal.SIGKILL)
        heard += process.stdout.read()
        assert process.wait() == -signal.SIGKILL
    acknowledged: dict[int, int] = {}
    for line in heard.decode().splitlines():
        match, version = map(int, line.split())
        assert version == acknowledged.get(match, version - 1) + 1
        acknowledged[match] = version
    return acknowledged


def read_log(log_file: Path) -> dict[int, list[bytes]]:
    """The states of each match in order; the log has no gap, and no event twice."""
    matches: defaultdict[int, list[bytes]] = defaultdict(list)
    with closing(Factory({"SQLITE_DBNAME": str(log_file)})) as factory:
        factory.check()
        log = factory.application_recorder().select_notifications(start=None, limit=10**9)
    for number, each in enumerate(log, 1):
        assert each.id == number
        assert isinstance(each.originator_id, UUID)
        states = matches[each.originator_id.int]
        states.append(each.state)
        assert each.originator_version == len(states)
    return matches


def test_a_killed_process_loses_nothing_that_it_acknowledged(log_file: Path) -> None:
    generator = random.Random(1)  # the instants of the kills, not a secret
    stored: dict[int, list[bytes]] = {}
    for _ in range(6):
        acknowledged = play_and_kill(log_file, generator.uniform(0.0, 0.3))
        before, stored = stored, read_log(log_file)
        for match in range(MATCHES):
            states = stored.get(match, [])
            # A version more may be on disk than was heard of: the kill came before the answer.
            acknowledged_version = acknowledged.get(match, len(before.get(match, [])))
            assert len(states) in (acknowledged_version, acknowledged_version + 1)
            assert states == [
                b'{"played":"%d.%d"}' % (match, version) for version in range(1, len(states) + 1)
            ]


STOP_THE_DISK = """
import asyncio, json, os, resource, sys
from pathlib import Path
from uuid import UUID
from eventsourcing.persistence import StoredEvent
from services.store.errors import StoreError
from services.store.sqlite.recorder import Factory
from services.store.writer import Writer

log_file, how = Path(sys.argv[1]), sys.argv[2]
wal = log_file.with_name(log_file.name + "-wal")
filler = log_file.with_name("filler")
factory = Factory({"SQLITE_DBNAME": str(log_file)})
factory.check()
recorder = factory.application_recorder()
failures = []
writer = Writer(recorder, on_failure=failures.append)

def allow_pages(most):
    with factory.datastore.get_connection(commit=True) as connection:
        connection.raw.execute(f"PRAGMA max_page_count = {most}")

def stop():
    if how == "file size":  # the next write is cut short, as by a failing disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 5_000, -1))
    elif how == "pages":
        allow_pages(1)
    else:
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(512))
            except OSError as error:
                assert error.errno == 28, error

def go_on():
    if how == "file size":
        resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
    elif how == "pages":
        allow_pages(1_000_000)
    else:
        filler.unlink()

async def submit(match, version, size=10):
    try:
        event = StoredEvent(UUID(int=match), version, "match.Tested", bytes(size))
        async with asyncio.timeout(30):
            await writer.submit([event])
    except StoreError as error:
        return [type(error).__name__, getattr(error, "code", "")]
    return None

async def main():
    told = {"before": [await submit(match, 1) for match in range(8)]}
    stop()
    told["stopped"] = await asyncio.gather(*(submit(match, 2, 20_000) for match in range(8)))
    told["still"] = [await submit(8, 1, 20_000)]
    told["stored"] = recorder.max_notification_id()
    go_on()
    told["after"] = [await submit(match, 2, 20_000) for match in range(8)]
    told["failures"] = [failure.code for failure in failures]
    return told

told = asyncio.run(main())
writer.close()
factory.close()
factory = Factory({"SQLITE_DBNAME": str(log_file)})
factory.check()
events = factory.application_recorder().select_notifications(start=None, limit=100)
told["log"] = [[e.id, e.originator_id.int, e.originator_version] for e in events]
factory.close()
print(json.dumps(told))
"""


def stop_the_disk(log_file: Path, how: str, *, within: tuple[str, ...] = ()) -> Any:
    """What a process reports of a disk that stopped under its writer and then recovered."""
    done = subprocess.run(
        [*within, sys.executable, "-c", STOP_THE_DISK, str(log_file), how],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def on_a_small_disk(folder: Path) -> tuple[str, ...]:
    """What to put before a command so that it finds a disk of 1 MB in this folder, of its own.

    Empty where the system does not let us mount one.
    """
    mount = ("unshare", "--map-root-user", "--mount", "sh", "-c")
    command = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"'
    prefix = (*mount, command, str(folder))
    try:
        tried = subprocess.run([*prefix, "true"], capture_output=True)
    except FileNotFoundError:
        return ()
    return prefix if tried.returncode == 0 else ()


def test_a_full_disk_fails_waiting_commands_and_recovers_with_room(log_file: Path) -> None:
    small_disk = on_a_small_disk(log_file.parent)
    # Without one, the database is limited in size: the answer of SQLite is the same.
    answers = stop_the_disk(log_file, "filler" if small_disk else "pages", within=small_disk)
    full = ["LogUnavailable", "SQLITE_FULL"]
    assert answers["before"] == [None] * 8
    assert answers["stopped"] == [full] * 8
    assert answers["still"] == [full]
    assert answers["stored"] == 8  # nothing of what was refused
    assert answers["after"] == [None] * 8
    assert answers["failures"] == []
    assert answers["log"] == [[number + 1, number % 8, number // 8 + 1] for number in range(16)]


def test_after_a_failed_write_nothing_more_is_written_and_the_log_is_whole(log_file: Path) -> None:
    answers = stop_the_disk(log_file, "file size")
    failed = ["LogFailed", "SQLITE_IOERR_WRITE"]
    assert answers["before"] == [None] * 8
    assert answers["stopped"] == [failed] * 8
    assert answers["still"] == [failed]
    assert answers["after"] == [failed] * 8  # although the disk would take it again
    assert answers["failures"] == ["SQLITE_IOERR_WRITE"]  # who started the writer heard of it once
    assert answers["log"] == [[match + 1, match, 1] for match in range(8)]


START_WITHOUT_ROOM = """
import resource, sys
from services.store.errors import StoreError
from services.store.sqlite.recorder import Factory

factory = Factory({"SQLITE_DBNAME": sys.argv[1]})
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, -1))  # too little for the index of a WAL
try:
    factory.check()
except StoreError as error:
    print(type(error).__name__, error.code)
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
factory.check()
print("opened")
"""


def test_a_log_that_finds_no_room_at_the_start_is_unavailable_and_not_failed(
    log_file: Path,
) -> None:
    read_log(log_file)  # makes it
    done = subprocess.run(
        [sys.executable, "-c", START_WITHOUT_ROOM, str(log_file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == ["LogUnavailable SQLITE_IOERR_SHMSIZE", "opened"], (
        done.stderr
    )
