"""A benchmark of the service's memory for each watcher and each session that is open and silent.

Ten watchers share a match of A.G.O.G.; a session has made one call. Both are gRPC streams, and the
memory that gRPC keeps for them counts. The figure is the growth of the resident memory of the
service's process from the first hundred streams to the last.
"""

import argparse
import os
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc.aio
import uvloop
from submit import GAME, PROCESSES, serve_emeth
from watchers import STREAMS, WATCH, Table

from services.client import Client
from services.wire.emeth.v1 import play_pb2, session_pb2

SESSION = "/emeth.v1.PlayService/Session"
FIRST = 100
"""Streams opened before the count starts: by then all that they share is allocated."""
WATCHED = 10
"""Watchers of a match."""
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(process: int) -> int:
    """Return the resident memory of a process, in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE


async def grown(
    process: int, count: int, begin: Callable[[Any, int], Awaitable[Any]], address: str
) -> float:
    """Return the kilobytes that the service needs for each of `count` streams."""
    # By default, equal channels share a connection, which takes 1,000 streams.
    channels = [
        grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        for _ in range((FIRST + count) // STREAMS + 1)
    ]
    streams = [await begin(channels[number // STREAMS], number) for number in range(FIRST)]
    before = resident(process)
    later = range(FIRST, FIRST + count)
    streams += [await begin(channels[number // STREAMS], number) for number in later]
    after = resident(process)
    for stream in streams:
        stream.cancel()
    for channel in channels:
        await channel.close()
    return (after - before) / count / 1000


async def measure(name: str, address: str, process: int, count: int) -> None:
    """Print the memory of one kind of stream, `watcher` or `session`."""
    async with Client(address) as client:
        created = [
            await client.create_match(game=GAME) for _ in range((FIRST + count) // WATCHED + 1)
        ]
    tables = [Table(client, each, []) for each in created]

    async def watch(channel: Any, number: int) -> Any:
        request, token = tables[number // WATCHED].watching()
        stream = channel.unary_stream(WATCH)(request, metadata=token)
        await stream.read()
        return stream

    async def session(channel: Any, number: int) -> Any:
        match = created[number // WATCHED]
        token = (("authorization", f"Bearer {match.tokens['white']}"),)
        stream = channel.stream_stream(SESSION)(metadata=token)
        asked = play_pb2.ListActionsRequest(match_id=match.match.match_id, page_size=1)
        call = session_pb2.SessionCall(call_id=1, list_actions=asked)
        await stream.write(session_pb2.SessionRequest(calls=[call]).SerializeToString())
        answer = session_pb2.SessionResponse.FromString(await stream.read()).responses[0]
        if not answer.HasField("list_actions"):
            raise SystemExit(f"not answered: {answer}")
        return stream

    begin = {"watcher": watch, "session": session}[name]
    print(f"{name:8} {await grown(process, count, begin, address):6.1f} KB each", flush=True)


def main() -> None:
    """Measure watchers and sessions, each on a new service."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    given = parser.parse_args()
    for name in ("watcher", "session"):  # each on a service that has nothing to use again
        with tempfile.TemporaryDirectory() as folder:
            here, there = PROCESSES.Pipe()
            server = PROCESSES.Process(target=serve_emeth, args=(folder, there), daemon=True)
            server.start()
            try:
                address = here.recv()
                assert server.pid is not None
                uvloop.run(measure(name, address, server.pid, given.count))
            finally:
                server.terminate()
                server.join()


if __name__ == "__main__":
    main()
