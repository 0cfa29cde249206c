"""A benchmark of how late watchers receive an action, and how long actions elsewhere take.

Many watch one match, or one each of many, in which actions are taken. Meanwhile another client acts
in matches that nobody watches. Printed are the time from the response to an action until a watcher
has its event, and how long actions elsewhere take while watchers receive nothing (quiet) and while
they receive events (busy). The last line is the difference of the two. Service, watchers and
players are separate processes on the same machine.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from statistics import median, quantiles
from typing import Any

import grpc.aio
import uvloop
from msgspec import Struct
from submit import GAME, PROCESSES, long_line, serve_emeth

from services.client import Client
from services.client.subscriptions import match_subscription

WATCH = "/emeth.v1.ViewsService/Subscribe"
Request = tuple[bytes, tuple[tuple[str, str], ...]]
"""A request as bytes, and its metadata."""
OPENED = 2
"""Messages before the first event: one that the stream has started, and its topic."""
STREAMS = 500
"""Watchers on one connection."""


class Found(Struct, frozen=True):
    """What was measured, in milliseconds."""

    delivery: list[float]
    """From the response to an action until each watcher had its event."""
    quiet: list[float]
    """Durations of actions elsewhere while watchers receive nothing."""
    busy: list[float]
    """Durations of actions elsewhere while watchers receive events."""


def watch(address: str, requests: list[Request], rounds: int, out: Connection) -> None:
    """Watch; send when all streams are open, then when each watcher had each round's event."""

    async def crowd() -> None:
        heard: list[list[float]] = [[] for _ in range(rounds)]
        # A gRPC server refuses calls when a thousand wait to be started.
        ready, starting = asyncio.Semaphore(0), asyncio.Semaphore(100)

        async def one(channel: Any, request: bytes, token: Any) -> None:
            async with starting:
                stream = channel.unary_stream(WATCH)(request, metadata=token)
                for _ in range(OPENED + 1):  # what is there already
                    await stream.read()
            ready.release()
            for times in heard:
                await stream.read()
                times.append(time.monotonic())
            stream.cancel()

        # By default, equal channels share a connection, which takes 1,000 streams.
        channels = [
            grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
            for number in range(len(requests) // STREAMS + 1)
        ]
        tasks = [
            asyncio.create_task(one(channels[number // STREAMS], *request))
            for number, request in enumerate(requests)
        ]
        watching = asyncio.gather(*tasks)
        for _ in requests:
            await _first(ready.acquire(), watching)
        out.send("ready")
        await watching
        out.send(heard)

    os.nice(10)  # a real crowd has other machines: it must not take the processor from the service
    uvloop.run(crowd())


async def _first(awaited: Any, watching: "asyncio.Future[Any]") -> None:
    """Wait, unless a watcher fails meanwhile."""
    waiting = asyncio.ensure_future(awaited)
    await asyncio.wait((waiting, watching), return_when=asyncio.FIRST_COMPLETED)
    if watching.done():
        watching.result()


class Table:
    """A match in which a given line of actions is played."""

    def __init__(self, client: Client, match: Any, line: list[tuple[str, str]]) -> None:
        self._client, self.id, self._tokens = client, match.match.match_id, match.tokens
        self._line: Iterator[tuple[str, str]] = iter(line)

    def watching(self) -> "Request":
        """Return the request with which a spectator watches the match."""
        request = match_subscription(self.id)
        token = (("authorization", f"Bearer {self._tokens['spectator']}"),)
        return request.SerializeToString(), token

    async def act(self) -> float:
        """Take the next action, and return when the response came."""
        seat, action = next(self._line)
        await self._client.submit(self._tokens[seat], self.id, action)
        return time.monotonic()


async def elsewhere(client: Client, stop: asyncio.Event) -> list[float]:
    """Act in matches that nobody watches, and return the milliseconds of each action."""
    took, line = [], long_line(60)
    while not stop.is_set():
        table = Table(client, await client.create_match(game=GAME), line)
        for _ in line:
            began = time.monotonic()
            took.append((await table.act() - began) * 1e3)
            if stop.is_set():
                break
            await asyncio.sleep(0.002)
    return took


async def play(address: str, watchers: int, matches: int, rounds: int) -> Found:
    """Measure so many watchers, spread over so many matches with `rounds` actions each."""
    async with Client(address) as client, Client(address) as other:
        line = long_line(60)
        tables = [Table(client, await client.create_match(game=GAME), line) for _ in range(matches)]
        requests = [tables[n % matches].watching() for n in range(watchers)]
        here, there = PROCESSES.Pipe()
        crowd = PROCESSES.Process(target=watch, args=(address, requests, rounds, there))
        crowd.start()
        there.close()
        await asyncio.to_thread(here.recv)
        quiet = await _while(other, asyncio.sleep(2))
        answered: list[float] = []

        async def rounds_of_all() -> None:
            for _ in range(rounds):
                answered.extend([await table.act() for table in tables])
                await asyncio.sleep(2)

        busy = await _while(other, rounds_of_all())
        heard = await asyncio.to_thread(here.recv)
        crowd.join()
        per = watchers // matches
        last = [sorted(times) for times in heard]
        acted = [sorted(answered[r * matches : (r + 1) * matches] * per) for r in range(rounds)]
        delivery = [
            max(0.0, (one - other) * 1e3)
            for times, began in zip(last, acted, strict=True)
            for one, other in zip(times, began, strict=True)
        ]
        return Found(delivery, quiet, busy)


async def _while(client: Client, work: Any) -> list[float]:
    stop = asyncio.Event()
    acting = asyncio.create_task(elsewhere(client, stop))
    await work
    stop.set()
    return await acting


def measure(watchers: int, matches: int, rounds: int) -> Found:
    """Measure watchers on a new service."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = PROCESSES.Pipe()
        server = PROCESSES.Process(target=serve_emeth, args=(folder, there), daemon=True)
        server.start()
        try:
            return uvloop.run(play(here.recv(), watchers, matches, rounds))
        finally:
            server.terminate()
            server.join()


def p99(values: list[float]) -> float:
    """Return the 99th percentile."""
    return quantiles(values, n=100, method="inclusive")[98]


def main() -> None:
    """Print percentiles of all durations, and their differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    found = measure(given.watchers, given.matches, given.rounds)
    print(f"{given.watchers} watchers of {given.matches} matches, {given.rounds} actions in each")
    for name in ("delivery", "quiet", "busy"):
        values = getattr(found, name)
        most = max(values)
        print(f"{name:6} p50 {median(values):8.2f} ms  p99 {p99(values):8.2f}  most {most:8.2f}")
    later = [[tell(values) for tell in (median, p99, max)] for values in (found.busy, found.quiet)]
    p50, high, most = (busy - quiet for busy, quiet in zip(*later, strict=True))
    print(f"later  p50 {p50:8.2f} ms  p99 {high:8.2f}  most {most:8.2f}")


if __name__ == "__main__":
    main()
