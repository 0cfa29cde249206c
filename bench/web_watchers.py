"""A benchmark of watchers on the HTTP port, together with actions by a session.

    python bench/web_watchers.py --watchers 1000 --rate 500 --each 1 4 20

Spectators hold streams of the Connect protocol open, spread over matches so that each match has
`--each` of them. Meanwhile actions are taken in all matches at an even pace, those of a match one
after the other. Printed are the rate that was reached, the time from an action to its response and
to the last of its watchers, and the service's processor time for an action with all that follows
from it. Every watcher's messages are counted. One watcher of each match reads them, and checks that
each event comes once and in order.
"""

import argparse
import asyncio
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, Final

import uvloop
from gateways import memory_kb
from msgspec import Struct
from play import random_game
from watchers import OPENED

from domain.registry import GAMES
from services.client import Client
from services.client.subscriptions import match_subscription
from services.wire.emeth.v1.subscriptions_pb2 import SubscribeResponse
from tests.console.conftest import ConsoleService

PROCESSES = multiprocessing.get_context("spawn")
GAME: Final = "agog"
FRAME: Final = 5
"""Bytes before a message of a stream: flags, and its length."""
OPENING: Final = 50
"""Streams that are opened at a time."""
LATE_SECONDS: Final = 60
"""Seconds after the last response within which the last message must come."""
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Arrived:
    """Times at which the watchers of a match had its events."""

    def __init__(self, watchers: int) -> None:
        self.counts: list[int] = []
        """By the number of an event: how many have it."""
        self.last: list[float] = []
        """By the same: when it came last."""
        self.watchers = watchers

    def note(self, number: int, when: float) -> None:
        """Record that one more watcher has an event."""
        if number == len(self.counts):
            self.counts.append(0)
            self.last.append(when)
        self.counts[number] += 1
        self.last[number] = when


class Watcher(asyncio.Protocol):
    """A stream of a match's events: counts them, and passes them to a reader."""

    def __init__(self, request: bytes, arrived: Arrived, read: Callable[[bytes], None] | None):
        self._request = request
        self._arrived = arrived
        self._read = read
        self._held = b""
        self._frames = b""
        self._headed = False
        self._count = -OPENED
        self.transport: Any = None
        self.begun = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Send the watch request."""
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Take the chunks that are complete."""
        now = time.perf_counter()
        held = self._held + data if self._held else data
        at = 0
        if not self._headed:
            end = held.find(b"\r\n\r\n")
            if end < 0:
                self._held = held
                return
            assert held.startswith(b"HTTP/1.1 200"), held[:200]
            self._headed, at = True, end + 4
        while (line := held.find(b"\r\n", at)) > 0:
            size = int(held[at:line], 16)
            end = line + 2 + size + 2
            if len(held) < end:
                break
            self._take(held[line + 2 : end - 2], now)
            at = end
        self._held = held[at:]

    def _take(self, chunk: bytes, now: float) -> None:
        frames, at = self._frames + chunk if self._frames else chunk, 0
        while len(frames) >= at + FRAME:
            end = at + FRAME + int.from_bytes(frames[at + 1 : at + FRAME], "big")
            if len(frames) < end:
                break
            assert frames[at] == 0, frames[at:end]  # the last of a stream, with its error
            if self._count >= 0:
                self._arrived.note(self._count, now)
                if self._read is not None:
                    self._read(frames[at + FRAME : end])
                if not self._count:
                    self.begun.set_result(None)
            self._count += 1
            at = end
        self._frames = frames[at:]


class InOrder:
    """A reader that checks that the events of a match come once and in order."""

    def __init__(self, match: str) -> None:
        self._match, self._version = match, 0

    def __call__(self, message: bytes) -> None:
        """Check the version of an event."""
        version = SubscribeResponse.FromString(message).match_event.event.version
        assert version == self._version + 1, f"{self._match}: {version} after {self._version}"
        self._version = version


def watch(address: str, matches: list[tuple[str, str]], each: int, pipe: Connection) -> None:
    """Watch each match `each` times, and send when each event had reached all watchers.

    Stops when as many messages have come as the parent process names.
    """

    async def watching() -> None:
        loop, (host, _, port) = asyncio.get_running_loop(), address.partition(":")
        arrived = {match: Arrived(each) for match, _ in matches}
        some = asyncio.Semaphore(OPENING)

        async def opened(match: str, token: str, read: InOrder | None) -> Any:
            request = _request(address, match, token)
            async with some:
                _, watcher = await loop.create_connection(
                    lambda: Watcher(request, arrived[match], read), host, int(port)
                )
                await watcher.begun  # by the event with which the match was made
                return watcher.transport

        transports = await asyncio.gather(
            *(
                opened(match, token, None if number else InOrder(match))
                for match, token in matches
                for number in range(each)
            )
        )
        pipe.send("begun")
        expected: int = await asyncio.to_thread(pipe.recv)
        with suppress(TimeoutError):
            async with asyncio.timeout(LATE_SECONDS):
                while sum(sum(times.counts) for times in arrived.values()) < expected:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
        for transport in transports:
            transport.abort()
        pipe.send(
            {
                (match, number + 1): when
                for match, times in arrived.items()
                for number, (count, when) in enumerate(zip(times.counts, times.last, strict=True))
                if count == each
            }
        )

    os.nice(10)  # a real crowd has other machines: it must not take the processor from the service
    uvloop.run(watching())


def _request(address: str, match: str, token: str) -> bytes:
    body = match_subscription(match).SerializeToString()
    body = b"\0" + len(body).to_bytes(4, "big") + body
    head = (
        "POST /emeth.v1.ViewsService/Subscribe HTTP/1.1\r\n"
        f"Host: {address}\r\nAuthorization: Bearer {token}\r\n"
        "Content-Type: application/connect+proto\r\nConnect-Protocol-Version: 1\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Acted(Struct, frozen=True):
    """When actions were sent, and how long they took."""

    sent: dict[tuple[str, int], float]
    """When each was sent, by match and version."""
    took: list[float]
    """Seconds until each was answered."""
    passed: float
    """Seconds from the first to the last answer."""


Line = list[tuple[str, str]]
"""The actions of a match, each with its seat."""


def act(
    address: str, matches: list[tuple[str, dict[str, str], Line]], pace: float, pipe: Connection
) -> None:
    """Take these actions, one each `pace` seconds in a match if possible; send an `Acted`."""
    sent: dict[tuple[str, int], float] = {}
    took: list[float] = []

    async def playing(client: Client, number: int) -> None:
        match, tokens, line = matches[number]
        await asyncio.sleep(pace * number / len(matches))
        due = time.perf_counter()
        for version, (seat, notation) in enumerate(line, 2):
            begun = sent[match, version] = time.perf_counter()
            await client.submit(tokens[seat], match, notation, basic=True)
            took.append(time.perf_counter() - begun)
            due = max(due + pace, time.perf_counter() - pace)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))

    async def acting() -> None:
        async with Client(address, patience_seconds=30, session=True) as client:
            pipe.send("begun")
            await asyncio.gather(*(playing(client, n) for n in range(len(matches))))

    uvloop.run(acting())
    pipe.send(Acted(sent, took, max(sent.values()) - min(sent.values())))


def measure(served: ConsoleService, watchers: int, each: int, rate: float, seconds: float) -> None:
    """Print the figures of so many watchers in all, and `each` of a match."""
    matches = [served.create(GAME) for _ in range(watchers // each)]
    pace = len(matches) / rate
    here, there = PROCESSES.Pipe()
    watched = [(match.id, match.tokens["spectator"]) for match in matches]
    crowd = PROCESSES.Process(target=watch, args=(served.http, watched, each, there))
    crowd.start()
    here.recv()
    steps = max(1, round(seconds / pace))
    lines = [(match.id, match.tokens, _line(n, steps)) for n, match in enumerate(matches)]
    from_here, to_there = PROCESSES.Pipe()
    players = PROCESSES.Process(target=act, args=(served.grpc, lines, pace, to_there))
    players.start()
    assert from_here.recv() == "begun"
    began = used(served.process)
    acted: Acted = from_here.recv()
    here.send((len(acted.took) + len(matches)) * each)
    arrived: dict[tuple[str, int], float] = here.recv()
    spent = used(served.process) - began
    memory = memory_kb(served.process) // 1024
    players.join()
    crowd.join()
    missed = len(acted.sent.keys() - arrived.keys())
    assert not missed, f"{missed} events did not come to all who watch"
    count = len(acted.took)
    print(
        f"{each} a match, {len(matches)} matches: {count / acted.passed:.0f} actions/s,"
        f" {spent / count * 1e3:.2f} ms of processor time of the service each, {memory} MB"
    )
    _report("from an action to its answer", acted.took)
    later = [arrived[key] - begun for key, begun in acted.sent.items()]
    _report("from an action to the last of its watchers", later)


def _line(seed: int, steps: int) -> Line:
    game = GAMES[GAME]
    moments = random_game(game, game.start(game.options()), Random(seed), steps)
    return [(each.seat, game.write_action(each.action)) for each in moments]


def used(process: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _report(what: str, seconds: Sequence[float]) -> None:
    cuts = quantiles(seconds, n=100)
    high = cuts[98] * 1e3
    print(f"  {what}: median {median(seconds) * 1e3:.1f} ms, 99th percentile {high:.1f} ms")


def main() -> None:
    """Measure each number of watchers of a match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--each", type=int, nargs="+", default=[1, 4, 20], help="of a match")
    parser.add_argument("--rate", type=float, default=500, help="actions a second, in all")
    parser.add_argument("--seconds", type=float, default=5, help="how long actions are taken")
    given: Any = parser.parse_args()
    for each in given.each:
        with tempfile.TemporaryDirectory() as folder:
            served = ConsoleService(Path(folder))
            served.start()
            try:
                measure(served, given.watchers, each, given.rate, given.seconds)
            finally:
                served.kill()


if __name__ == "__main__":
    main()
