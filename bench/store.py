"""A benchmark of the log's writer against a bare group commit, on the same disk in the same run.

Tasks submit one event each, wait until it is on disk, then submit the next. On both sides one
thread commits all waiting events in one transaction (WAL, synchronous=FULL). The floor is a few
lines around `sqlite3` without checks. Ours is the writer and the recorder of the service: they
detect version conflicts, wake subscriptions, and store events in the library's form.

A ratio of 1.00 is the floor's speed. The rounds alternate and the median counts, since a shared
disk is not the same from one second to the next. Only the ratios mean anything, and no more than
the spread that is printed beside them.
"""

import argparse
import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter
from typing import NamedTuple
from uuid import UUID

import uvloop
from eventsourcing.persistence import StoredEvent

from services.store.sqlite.recorder import Factory
from services.store.writer import Writer

STATE = b'{"digest":"%b","event":{"action":"a1-b1","facts":[]}}' % (b"0123456789abcdef" * 16)
Submit = Callable[[int, int], Awaitable[None]]
"""A function that puts a version of a match on disk."""
Side = Callable[[Path], AbstractContextManager[Submit]]


class Figures(NamedTuple):
    """What one round measured."""

    rate: float
    """Events that were written a second."""
    p50: float
    p99: float
    """Milliseconds from submitting an event until it is on disk."""


@contextmanager
def floor(file: Path) -> Iterator[Submit]:
    """Yield the submit function of a minimal group commit."""
    queue: SimpleQueue[tuple[int, int, asyncio.Future[None]] | None] = SimpleQueue()

    def resolve(futures: list[asyncio.Future[None]]) -> None:
        for future in futures:
            future.set_result(None)

    def write() -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(
                "CREATE TABLE events (id TEXT, version INTEGER, topic TEXT, state BLOB, "
                "PRIMARY KEY (id, version))"
            )
            while (job := queue.get()) is not None:
                jobs = [job]
                while True:
                    try:
                        more = queue.get_nowait()
                    except Empty:
                        break
                    assert more is not None
                    jobs.append(more)
                connection.execute("BEGIN")
                for match, version, _ in jobs:
                    row = (UUID(int=match).hex, version, "match.ActionTaken", STATE)
                    connection.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
                connection.execute("COMMIT")
                futures = [future for _, _, future in jobs]
                futures[0].get_loop().call_soon_threadsafe(resolve, futures)

    async def submit(match: int, version: int) -> None:
        future = asyncio.get_running_loop().create_future()
        queue.put((match, version, future))
        await future

    thread = Thread(target=write)
    thread.start()
    yield submit
    queue.put(None)
    thread.join()


@contextmanager
def ours(file: Path) -> Iterator[Submit]:
    """Yield the submit function of the service's writer."""

    def failed(failure: Exception) -> None:
        print(f"the log failed: {failure}")

    with ExitStack() as opened:
        factory = opened.enter_context(closing(Factory({"SQLITE_DBNAME": str(file)})))
        factory.check()
        writer = opened.enter_context(Writer(factory.application_recorder(), on_failure=failed))

        async def submit(match: int, version: int) -> None:
            event = StoredEvent(UUID(int=match), version, "match.ActionTaken", STATE)
            await writer.submit([event])

        yield submit


async def play(submit: Submit, tasks: int, seconds: float) -> Figures:
    """Run so many tasks for so long, each with a match of its own."""
    latencies: list[float] = []
    start = perf_counter()

    async def one(match: int) -> None:
        version = 0
        before = perf_counter()
        while before < start + seconds:
            version += 1
            await submit(match, version)
            now = perf_counter()
            latencies.append((now - before) * 1000)
            before = now

    await asyncio.gather(*map(one, range(tasks)))
    elapsed = perf_counter() - start
    cuts = quantiles(latencies, n=100, method="inclusive")
    return Figures(len(latencies) / elapsed, cuts[49], cuts[98])


def measure(side: Side, folder: Path, tasks: int, seconds: float) -> Figures:
    """Measure one round of one side, on a new file."""
    with TemporaryDirectory(dir=folder) as fresh, side(Path(fresh) / "log.sqlite") as submit:
        return uvloop.run(play(submit, tasks, seconds))


def middle(rounds: list[Figures]) -> Figures:
    """Return the median of each figure."""
    return Figures(*map(median, zip(*rounds, strict=True)))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tasks", type=int, nargs="+", default=[1, 8, 64], help="how many submit at once"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of each side, alternating (3)")
    parser.add_argument("--seconds", type=float, default=1.2, help="that a round lasts (1.2)")
    parser.add_argument(
        "--folder", type=Path, help="on the disk to measure (the system's temporary folder)"
    )
    options = parser.parse_args()

    print(f"{'tasks':>5}  {'':5}  {'events/s':>9}  {'p50 ms':>7}  {'p99 ms':>7}")
    for tasks in options.tasks:
        rounds: dict[Side, list[Figures]] = {floor: [], ours: []}
        for _ in range(options.rounds):
            for side, figures in rounds.items():
                figures.append(measure(side, options.folder, tasks, options.seconds))
        least, got = middle(rounds[floor]), middle(rounds[ours])
        ratios = sorted(
            ours_.rate / floor_.rate
            for floor_, ours_ in zip(rounds[floor], rounds[ours], strict=True)
        )
        for name, row in (("floor", least), ("ours", got)):
            print(f"{tasks:>5}  {name:5}  {row.rate:>9,.0f}  {row.p50:>7.2f}  {row.p99:>7.2f}")
        print(
            f"{tasks:>5}  {'ratio':5}  {median(ratios):>9.2f}  {got.p50 / least.p50:>7.2f}  "
            f"{got.p99 / least.p99:>7.2f}   events/s from {ratios[0]:.2f} to {ratios[-1]:.2f}"
        )


if __name__ == "__main__":
    main()
