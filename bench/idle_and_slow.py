"""A benchmark of how long a pair waits beside thousands of idle watchers and hundreds of slow ones.

A pair plays an action every 50 ms: alone, beside idle watchers, while slow watchers arrive, beside
these, and after all have left. Idle watchers watch matches in which nothing happens, slow ones a
match in progress. Half of the slow watchers never read, and half read a byte a second. Half use
gRPC and half the HTTP port, each over its own connection. Printed are percentiles of the pair's
actions, the service's processor time for each, and its memory. Service, idle and slow watchers are
separate processes on the same machine.
"""

import argparse
import asyncio
import os
import tempfile
import time
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import uvloop
from connections import resident
from floods import prepared, quiet
from submit import GAME, PROCESSES, long_line
from watchers import Table, p99, watch

from services.client import Client
from services.runtime import logging
from services.runtime.limits import Limits
from tests.hostile_peers import Target, free_port, unread_watches
from tests.services.cli.conftest import RunningService
from tests.services.conftest import CreatedMatch

IDLE_PER_MATCH = 100
ACTIONS = 60
ACTING_SECONDS = 0.2
"""Seconds between actions of the match that the slow watchers watch."""
TRANSPORTS = ("grpc", "connect")


def slow(target: Target, match: CreatedMatch, count: int, connection: Connection) -> None:
    """Watch without reading, or reading a byte a second, until the parent sends a message."""
    os.nice(10)
    with ExitStack() as stack:
        lines = [
            line
            for number, transport in enumerate(TRANSPORTS)
            for line in stack.enter_context(
                unread_watches(target, match, transport, (count + number) // 2)
            )
        ]
        for line in lines:
            line.setblocking(False)
        connection.send(len(lines))
        while not connection.poll(1.0):
            for line in lines[::2]:
                with suppress(BlockingIOError):
                    line.recv(1)


async def acted(
    address: str, match: CreatedMatch, line: list[tuple[str, str]], stop: asyncio.Event
) -> int:
    """Act in the match of the slow watchers until `stop` is set, and return how often."""
    done = 0
    async with Client(address) as client:
        for seat, action in line:
            if stop.is_set():
                break
            await client.submit(match.tokens[seat], match.id, action)
            done += 1
            await asyncio.sleep(ACTING_SECONDS)
    return done


async def begun_here(address: str) -> CreatedMatch:
    """Create a match for the slow watchers."""
    async with Client(address) as client:
        made = await client.create_match(game=GAME)
    return CreatedMatch(made.match.match_id, dict(made.tokens))


async def idle_tables(address: str, count: int) -> list[Any]:
    """Create matches, and return a watch request for each idle watcher."""
    async with Client(address) as client:
        created = [await client.create_match(game=GAME) for _ in range(count // IDLE_PER_MATCH + 1)]
        tables = [Table(client, each, []) for each in created]
    return [tables[number % len(tables)].watching() for number in range(count)]


def worked(process: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Trial:
    """Measurements of a running service."""

    def __init__(self, address: str, process: int, seconds: float, tables: list[Any]) -> None:
        self._address, self._process = address, process
        self._seconds, self._tables = seconds, tables

    def measured(self, name: str, background: Any = None) -> float:
        """Print one line of figures, and return the 99th percentile in milliseconds."""

        async def both() -> list[float]:
            stop = asyncio.Event()
            acting = asyncio.create_task(background(stop)) if background else None
            took = await quiet(self._address, self._seconds, self._tables)
            stop.set()
            if acting is not None:
                print(f"{await acting} actions of the match that the slow ones watch")
            return took

        before = worked(self._process)
        took = uvloop.run(both())
        work = (worked(self._process) - before) / len(took)
        high = 1e3 * p99(took)
        print(
            f"{name:24} p50 {1e3 * median(took):6.2f} ms, p99 {high:6.2f}, most"
            f" {1e3 * max(took):6.2f}; the service works {1e3 * work:.2f} ms for each action, and"
            f" has {resident(self._process) / 1e6:.0f} MB",
            flush=True,
        )
        return high


def measure(idle: int, slow_ones: int, seconds: float) -> None:
    """Print the figures of the pair under all conditions."""
    with tempfile.TemporaryDirectory() as folder:
        http = f"127.0.0.1:{free_port()}"
        limits = Limits(address=0, new=0)
        running = RunningService(Path(folder) / "service", "--http", http, limits=limits)
        running.start()
        assert running._process is not None
        address, target = running.address, Target(running.address, http)
        played = 5 * (2 + int(seconds / 60 / 0.05))
        trial = Trial(address, running._process.pid, seconds, uvloop.run(prepared(address, played)))
        alone = trial.measured("alone")

        here, there = PROCESSES.Pipe()
        requests = uvloop.run(idle_tables(address, idle))
        crowd = PROCESSES.Process(target=watch, args=(address, requests, 1, there), daemon=True)
        began = time.monotonic()
        crowd.start()
        here.recv()
        print(f"{idle} idle watchers were there after {time.monotonic() - began:.1f} s")
        high = trial.measured(f"beside {idle} idle")
        print(f"p99 {high / alone:.1f} times")

        match, line = uvloop.run(begun_here(address)), long_line(ACTIONS)
        mine, theirs = PROCESSES.Pipe()
        silent = PROCESSES.Process(
            target=slow, args=(target, match, slow_ones, theirs), daemon=True
        )
        silent.start()
        mine.recv()
        high = trial.measured(f"while {slow_ones} slow come")
        print(f"p99 {high / alone:.1f} times")
        high = trial.measured(
            f"and {slow_ones} slow", lambda stop: acted(address, match, line, stop)
        )
        print(f"p99 {high / alone:.1f} times")

        mine.send(None)
        silent.join()
        crowd.terminate()
        crowd.join()
        time.sleep(3)
        trial.measured("when all have left")
        running.stop()


def main() -> None:
    """Measure with as many watchers as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=5000)
    parser.add_argument("--slow", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=12.0)
    given = parser.parse_args()
    logging.configure("critical")
    measure(given.idle, given.slow, given.seconds)


if __name__ == "__main__":
    main()
