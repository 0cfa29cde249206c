"""Peers that mean no good, or have a bad line: heads without end, requests that never come,
streams that are reset as soon as they begin, callers who never read. Others are served meanwhile,
and memory stays bounded. Tests do each of it a little; for more:

    python -m tests.hostile_peers --seconds 600
"""

import argparse
import asyncio
import socket
import struct
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from functools import cache
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from google.protobuf.field_mask_pb2 import FieldMask
from h2.config import H2Configuration
from h2.connection import H2Connection

from services.client import Client, ServiceError
from services.client.subscriptions import match_subscription
from services.runtime import logging
from services.wire.emeth.v1 import session_pb2
from tests.services.cli.conftest import RunningService
from tests.services.conftest import CreatedMatch, advance, create_match, newest_version

WATCH: Final = "/emeth.v1.ViewsService/Subscribe"
SESSION: Final = "/emeth.v1.PlayService/Session"
GET: Final = "/emeth.v1.MatchesService/GetMatch"
LOBBY: Final = WATCH
CREATE: Final = "/emeth.v1.MatchesService/CreateMatch"
PATIENCE_SECONDS: Final = 60.0
BURST_SECONDS: Final = 600.0
DRAIN_SECONDS: Final = 50
"""What a service that stops gives to calls under way: those who never read do not have it all."""
OPEN_SECONDS: Final = 10.0
"""Until the streams of those who never read are open."""
GRAIN: Final = 65_536


class Target(NamedTuple):
    """Where a service listens."""

    grpc: str
    http: str


def connected(address: str, received: int = 0) -> socket.socket:
    """A line to a port; with a small buffer for what is received, if need be."""
    found = urlsplit(address if "//" in address else f"//{address}")
    line = socket.socket()
    if received:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received)
    line.settimeout(PATIENCE_SECONDS)
    line.connect((found.hostname, found.port))
    return line


def framed(message: Any) -> bytes:
    """A message as gRPC and Connect send it on a stream."""
    body = message.SerializeToString()
    return b"\0" + struct.pack(">I", len(body)) + body


# --- HTTP/1.1 ------------------------------------------------------------------------------------


def heads(target: Target, size: int) -> Iterator[tuple[str, bytes]]:
    """Send a head, or what is like one, of so many bytes and no end: by its name, what the service
    says to it before it hangs up. TimeoutError if it does not."""
    filler, headers = b"a" * GRAIN, b"x-a: b\r\n" * (GRAIN // 8)
    post = b"POST /x HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
    kinds = {
        "line": (b"GET /", filler),
        "header": (b"GET / HTTP/1.1\r\nhost: localhost\r\nx-a: ", filler),
        "headers": (b"GET / HTTP/1.1\r\nhost: localhost\r\n", headers),
        "trailer": (post + b"0\r\nx-a: ", filler),
        "trailers": (post + b"0\r\n", headers),
        "chunk": (post + b"1;", filler),
    }
    for name, (beginning, more) in kinds.items():
        with connected(target.http) as line:
            with suppress(ConnectionError):
                line.sendall(beginning)
                for _ in range(size // GRAIN):
                    line.sendall(more)
            yield name, ended(line)


@contextmanager
def idle_connections(target: Target, said: bytes, count: int) -> Iterator[list[socket.socket]]:
    """Lines to the HTTP port on which no more is said than this."""
    lines = [connected(target.http) for _ in range(count)]
    try:
        for line in lines:
            line.sendall(said)
        yield lines
    finally:
        for line in lines:
            line.close()


def ended(line: socket.socket) -> bytes:
    """What the service still said on a line before it hung up; TimeoutError if it does not."""
    said = b""
    with suppress(ConnectionError):
        while piece := line.recv(GRAIN):
            said += piece
    return said


# --- HTTP/2 --------------------------------------------------------------------------------------


class Http2:
    """A line to the gRPC port, frame by frame. Nothing is read from it but by `read`."""

    def __init__(self, target: Target) -> None:
        self.line = connected(target.grpc, received=4096)
        self.state = H2Connection(H2Configuration(client_side=True))
        self.state.initiate_connection()
        self.flush()

    def flush(self) -> None:
        self.line.sendall(self.state.data_to_send())

    def call(self, path: str, token: str = "", encoding: str = "identity") -> int:
        """Begin a call; the number of its stream. What it asks for is yet to come."""
        stream: int = self.state.get_next_available_stream_id()
        shown = [("authorization", f"Bearer {token}")] if token else []
        head = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "x")]
        head += [("te", "trailers"), ("content-type", "application/grpc"), *shown]
        head += [("grpc-encoding", encoding)] if encoding != "identity" else []
        self.state.send_headers(stream, head)
        return stream

    def ask(self, stream: int, message: Any, *, end: bool = True) -> None:
        self.state.send_data(stream, framed(message), end_stream=end)

    def read(self) -> list[Any]:
        """What the service says; empty if it has hung up."""
        events: list[Any] = self.state.receive_data(self.line.recv(GRAIN))
        self.flush()
        return events


def reset_streams(target: Target, count: int) -> int:
    """Begin so many calls on one line and reset each at once; how many were, before the service
    hung up."""
    line, done = Http2(target), 0
    with suppress(ConnectionError):
        for done in range(1, count + 1):
            line.state.reset_stream(line.call(GET))
            if not done % 50:
                line.flush()
        line.flush()
    line.line.close()
    return done


@contextmanager
def open_calls(target: Target, count: int, path: str = CREATE) -> Iterator[Http2]:
    """So many calls on one line that never say what they ask for."""
    line = Http2(target)
    for _ in range(count):
        line.call(path)
    line.flush()
    try:
        yield line
    finally:
        line.line.close()


BOMB_BYTES: Final = 60_000_000
"""Bytes that a compressed request has when it is decompressed; it has less than 65,536 before."""
WBITS: Final = {"gzip": 31, "deflate": 15}


@cache
def bomb(encoding: str, size: int = BOMB_BYTES) -> bytes:
    """A request that is small until it is decompressed: blanks, which JSON may have anywhere."""
    packer = zlib.compressobj(9, wbits=WBITS[encoding])
    return packer.compress(b" " * size) + packer.flush()


def bombs(target: Target, encoding: str, count: int, path: str = CREATE) -> list[str]:
    """Send compressed requests over gRPC, each on its own connection and all at once; the status
    of each, as gRPC numbers it."""
    lines, body = [Http2(target) for _ in range(count)], bomb(encoding)
    for line in lines:
        stream = line.call(path, encoding=encoding)
        frame = b"\1" + struct.pack(">I", len(body)) + body
        for start in range(0, len(frame), 16_384):
            line.state.send_data(stream, frame[start : start + 16_384])
        line.state.end_stream(stream)
        line.flush()
    return [_status(line) for line in lines]


def _status(line: Http2) -> str:
    """The status with which the one call of a connection ends."""
    found = ""
    while not found:
        events = line.read()
        assert events, "the service hung up"
        for each in events:
            headers = dict(getattr(each, "headers", None) or ())
            found = headers.get(b"grpc-status", b"").decode() or found
    line.line.close()
    return found


def http_bombs(target: Target, count: int, size: int = BOMB_BYTES) -> list[bytes]:
    """The same over the HTTP port, by gzip, for a call and for a stream: the first line of each
    answer."""
    body = bomb("gzip", size)
    frame = b"\1" + struct.pack(">I", len(body)) + body
    lines = [connected(target.http) for _ in range(count)]
    for number, line in enumerate(lines):
        path, kind, name, sent = (
            (CREATE, "application/json", "content-encoding", body),
            (LOBBY, "application/connect+json", "connect-content-encoding", frame),
        )[number % 2]
        head = (
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\n"
            f"{name}: gzip\r\ncontent-length: {len(sent)}\r\nconnection: close\r\n\r\n"
        )
        line.sendall(head.encode() + sent)
    answers = [ended(line) for line in lines]
    for line in lines:
        line.close()
    return [answer.partition(b"\r\n")[0] for answer in answers]


@contextmanager
def unread_watches(
    target: Target, match: CreatedMatch, transport: str, count: int
) -> Iterator[list[socket.socket]]:
    """So many who watch a match and never read, each on a line of its own: by `grpc`, `session` or
    `connect`. Whoever has the lines may read a little."""
    request = match_subscription(match.id, read_mask=FieldMask(paths=("event", "view.svg")))
    token, lines = match.tokens["spectator"], []
    for _ in range(count):
        if transport == "connect":
            line = connected(target.http, received=4096)
            body = framed(request)
            head = (
                f"POST {WATCH} HTTP/1.1\r\nhost: localhost\r\n"
                "content-type: application/connect+proto\r\n"
                f"authorization: Bearer {token}\r\ncontent-length: {len(body)}\r\n\r\n"
            )
            line.sendall(head.encode() + body)
            lines.append(line)
            continue
        http2 = Http2(target)
        if transport == "grpc":
            http2.ask(http2.call(WATCH, token), request)
        else:
            calls = [session_pb2.SessionCall(call_id=1, subscribe=request)]
            http2.ask(
                http2.call(SESSION, token), session_pb2.SessionRequest(calls=calls), end=False
            )
        http2.flush()
        lines.append(http2.line)
    try:
        yield lines
    finally:
        for line in lines:
            line.close()


# --- for long ------------------------------------------------------------------------------------


class Trial:
    """A service in a process of its own, with a match played throughout."""

    def __init__(self, running: RunningService, target: Target, client: Client) -> None:
        self._running = running
        self.target = target
        self._client = client

    async def during(self, name: str, attack: Callable[[], object]) -> bool:
        """Attack, and see what it does to memory and to others: one line. Was all well?"""
        match = await create_match(self._client)
        before, took, over = self._running.most_memory(), list[float](), asyncio.Event()

        async def look() -> None:
            while not over.is_set():
                began = monotonic()
                await newest_version(self._client, match)
                took.append((monotonic() - began) * 1e3)
                await asyncio.sleep(0.01)

        looking = asyncio.create_task(look())
        done = await asyncio.to_thread(attack)
        over.set()
        await looking
        grown = self._running.most_memory() - before
        print(  # noqa: T201
            f"{name}: {done}; memory {grown:+.0f} MiB; others waited {median(took):.1f} ms, at most"
            f" {max(took):.0f} ms, of {len(took)} calls",
            flush=True,
        )
        return grown < MOST_GROWN


MOST_GROWN: Final = 200.0
"""MiB that one attack may add to the most that the service ever had."""


def attacks(target: Target, match: CreatedMatch, scale: int) -> dict[str, Callable[[], object]]:
    """All of it, by name, so many times as much as in tests."""

    def silent(said: bytes) -> str:
        with idle_connections(target, said, 40 * scale) as lines:
            return f"{len([ended(each) for each in lines])} lines, all closed by it"

    def unasked() -> str:
        with open_calls(target, 90 * scale) as line:
            ended_calls = 0
            while ended_calls < 90 * scale and (events := line.read()):
                ended_calls += sum(type(each).__name__ == "StreamEnded" for each in events)
            return f"{ended_calls} calls that never asked for anything were told so"

    def unread(transport: str) -> str:
        with unread_watches(target, match, transport, 10 * scale):
            return f"{10 * scale} watchers who never read"

    post = f"POST {GET} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\nabc"
    return {
        "large heads": lambda: [name for name, _ in heads(target, 4_000_000 * scale)],
        "rapid reset": lambda: f"{reset_streams(target, 2_000 * scale)} streams",
        "silence": lambda: silent(b""),
        "slow heads": lambda: silent(b"GET / HTTP/1.1\r\nhost: localhost\r\n"),
        "slow bodies": lambda: silent(post.encode()),
        "nothing asked": unasked,
        "gzip by grpc": lambda: set(bombs(target, "gzip", 40 * scale)),
        "deflate by grpc": lambda: set(bombs(target, "deflate", 40 * scale)),
        "gzip by connect": lambda: set(http_bombs(target, 40 * scale)),
        **{
            f"deaf by {transport}": lambda d=transport: unread(d)
            for transport in ("grpc", "session", "connect")
        },
    }


async def burst(client: Client, match: CreatedMatch, count: int) -> Counter[str]:
    """Open so many streams at once, and hold them until each has shown something or has ended; how
    many did which. TimeoutError if some do neither."""
    counts, done = Counter[str](), asyncio.Event()
    tokens = [match.tokens["white"], match.tokens["spectator"]]

    async def watch(token: str) -> None:
        try:
            async with aclosing(client.watch(token, match.id)) as watching:
                await anext(watching)
                counts["shown"] += 1
                await done.wait()
        except ServiceError as error:
            counts[error.reason or error.code.name] += 1

    async with asyncio.timeout(BURST_SECONDS), asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(watch(tokens[number % 2]))
        while counts.total() < count:  # noqa: ASYNC110  it has no event
            await asyncio.sleep(0.05)
        done.set()
    return counts


async def soak(seconds: float) -> bool:
    """Attack after attack, until so many seconds have passed; was all well? The last are watchers
    who never read and a service that stops."""
    with tempfile.TemporaryDirectory() as folder:
        http = "127.0.0.1:" + str(free_port())
        drain = ("--drain-seconds", str(DRAIN_SECONDS))
        running = RunningService(Path(folder) / "service", "--http", http, *drain)
        await asyncio.to_thread(running.start)
        target, well, tried = Target(running.address, http), True, 0
        until = monotonic() + seconds
        async with Client(running.address) as client:
            match = await create_match(client, "earthen-war", chance=2)
            await advance(client, match, 40)
            opened = await burst(client, match, 500)
            print(f"500 streams on one connection at once: {dict(opened)}")  # noqa: T201
            well &= set(opened) <= {"shown", "LIMIT_EXCEEDED"}
            trial = Trial(running, target, client)
            for name, attack in attacks(target, match, 10).items():
                if monotonic() < until:
                    well &= await trial.during(name, attack)
                    tried += 1
        with unread_watches(target, match, "grpc", 300):
            await asyncio.sleep(OPEN_SECONDS)
            began = monotonic()
            code = await asyncio.to_thread(running.stop)
            held = monotonic() - began
            print(f"300 who never read held a drain for {held:.1f} s")  # noqa: T201
            well &= held < DRAIN_SECONDS
    print(f"{tried} attacks, all was well" if well else "something was not well")  # noqa: T201
    return well and code == 0


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    given = parser.parse_args()
    logging.configure("critical")
    sys.exit(not asyncio.run(soak(given.seconds)))


if __name__ == "__main__":
    main()
