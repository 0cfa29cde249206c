"""A benchmark of how long a service takes to start with many events in its log.

The log has matches of A.G.O.G., and the read models follow it once, beforehand. Printed are the
seconds until the service says that it listens, and until a client has a response from the read
models. The service is a separate process, so the time includes its imports.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from uuid import uuid4

from eventsourcing.persistence import StoredEvent
from folding import RecordedMatch
from memory import live_match

from domain.log.digests import GENESIS, chain_digest
from domain.log.sealed_events import SealedEvent
from domain.registry import GAMES
from domain.storage.mapper import envelope
from domain.storage.topics import topic_of
from services.client import Client
from services.store.log import Log

TOGETHER = 20_000
"""Events that are inserted at once."""
HTTP = "127.0.0.1:20081"
SERVE = (sys.executable, "-m", "services.cli", "serve", "--listen", "127.0.0.1:0")


def fill(folder: Path, events: int) -> None:
    """Write a log of at least so many events."""
    matches = [live_match(GAMES["agog"], 70, Random(n), RecordedMatch).events for n in range(20)]
    log, written, group = Log(folder, print), 0, list[StoredEvent]()
    try:
        while written < events:
            for match_events in matches:
                group += under_another_name(match_events)
            if len(group) >= TOGETHER:
                log.recorder.insert_events(group)
                written += len(group)
                group = []
    finally:
        log.close()


def under_another_name(events: list[SealedEvent[Any]]) -> Iterator[StoredEvent]:
    """Yield the events of a match as stored events of a match with a new ID."""
    previous, identity = GENESIS, uuid4()
    was, now = (str(each).encode() for each in (events[0].originator_id, identity))
    for each in events:
        body = each.body.replace(was, now)
        previous = chain_digest(previous, body)
        state = envelope(SealedEvent(each.event, previous, body))
        yield StoredEvent(identity, each.event.version, topic_of(type(each.event)), state)


@contextmanager
def service(folder: Path) -> Any:
    """Run a service on this log, and yield its address."""
    ready = folder / "address.txt"
    ready.unlink(missing_ok=True)
    arguments = ("--data", str(folder), "--http", HTTP, "--ready-file", str(ready))
    process = subprocess.Popen([*SERVE, *arguments], stdout=subprocess.DEVNULL)
    try:
        while not ready.exists() or not ready.read_text():
            if process.poll() is not None:
                raise SystemExit("the service ended")
            time.sleep(0.005)
        yield ready.read_text()
    finally:
        process.terminate()
        process.wait()


def behind() -> float:
    """Return how many events the read models have not followed yet."""
    with urllib.request.urlopen(f"http://{HTTP}/metrics") as page:
        lines = page.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("emeth_reads_behind "))


async def answered(address: str) -> None:
    """Wait for a response from the read models."""
    async with Client(address) as client:
        await client.list_matches_page(page_size=1)


def main() -> None:
    """Write a log, then measure starts with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        began = perf_counter()
        fill(folder, given.events)
        print(f"wrote {given.events} events in {perf_counter() - began:.0f} s", flush=True)
        with service(folder):
            began = perf_counter()
            while behind():
                time.sleep(0.5)
        print(f"followed {given.events} events in {perf_counter() - began:.0f} s", flush=True)
        for _ in range(given.rounds):
            began = perf_counter()
            with service(folder) as address:
                listens = perf_counter() - began
                asyncio.run(answered(address))
                print(
                    f"listens {listens:.2f} s  answers {perf_counter() - began:.2f} s", flush=True
                )


if __name__ == "__main__":
    main()
