"""A benchmark of SubmitAction end to end over gRPC, durable, against a floor in the same run.

The floor is a bare grpc.aio handler that commits one row for each request. One writer thread
commits all waiting rows in one transaction. There are no games, tokens or digests. Servers and
clients are separate processes on the same machine.
"""

import argparse
import asyncio
import multiprocessing
import queue
import sqlite3
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

import grpc
import grpc.aio
import uvloop

from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from services.cli.process import prepare_interpreter
from services.client import Client, new_request
from services.main import Service
from services.runtime import logging
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.wire.emeth.v1 import play_pb2

GAME = "agog"
SUBMIT = "/emeth.v1.PlayService/SubmitAction"
PROCESSES = multiprocessing.get_context("spawn")


def serve_emeth(folder: str, ready: Connection, most: int = 0) -> None:
    """Run a service, and send its address.

    The limit of calls a second from one address is `most`; 0 is no limit.
    """

    async def serve() -> None:
        settings = Settings(data=folder, listen="127.0.0.1:0", log_level="warning")
        async with Service(settings, Limits(address=most)) as service:
            ready.send(service.address)
            await service.stopping.wait()

    logging.configure("warning")
    prepare_interpreter()
    uvloop.run(serve())


def serve_floor(folder: str, ready: Connection) -> None:
    """Run the floor's server, and send its address."""

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=commit_groups, args=(folder, waiting, loop), daemon=True).start()

        async def commit(request: bytes, _: Any) -> bytes:
            done = loop.create_future()
            waiting.put((request, done))
            await done
            return request

        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        method = grpc.unary_unary_rpc_method_handler(commit)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("floor.Floor", {"Commit": method}),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        ready.send(f"127.0.0.1:{port}")
        await server.wait_for_termination()

    uvloop.run(serve())


def commit_groups(
    folder: str, waiting: "queue.SimpleQueue[Any]", loop: asyncio.AbstractEventLoop
) -> None:
    """Commit waiting rows forever, all that wait in one transaction."""
    database = sqlite3.connect(Path(folder) / "floor.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, state BLOB)")

    def resolve(group: list[tuple[bytes, asyncio.Future[None]]]) -> None:
        for _, done in group:
            done.set_result(None)

    while True:
        group = [waiting.get()]
        while not waiting.empty():
            group.append(waiting.get())
        database.execute("BEGIN")
        database.executemany("INSERT INTO rows (state) VALUES (?)", [(row,) for row, _ in group])
        database.execute("COMMIT")
        loop.call_soon_threadsafe(
            lambda done=[f for _, f in group]: [f.set_result(None) for f in done]
        )


def long_line(least: int) -> list[tuple[str, str]]:
    """Return the seats and actions of a random game with at least so many actions."""
    game = GAMES[GAME]
    for seed in range(10_000):
        random, state, line = Random(seed), game.start(game.options()), []
        while (prompts := game.turn(state)) and game.result(state) is None:
            seat = prompts[0].seat
            action = random.choice(
                [a for a in game.legal(state, seat) if not game.is_administrative(a)]
            )
            line.append((seat, game.write_action(action)))
            outcome = game.decide(state, seat, action)
            assert isinstance(outcome, Accepted)
            state = fold(game, state, outcome.facts)
        if len(line) >= least:
            return line
    raise SystemExit("no random game is so long")


async def play_emeth(address: str, clients: int, seconds: float) -> list[float]:
    """Return the latencies of `clients` callers of the service."""
    line = long_line(60)
    async with Client(address) as client:
        enough = clients + int(6000 * seconds / len(line))
        made = [client.create_match(game=GAME) for _ in range(enough)]
        matches = [await each for each in made]
    requests = [[_request(match, seat, action) for seat, action in line] for match in matches]
    answers: list[bytes] = []
    async with grpc.aio.insecure_channel(address) as channel:
        submit = channel.unary_unary(SUBMIT)

        def actions() -> Any:
            while requests:
                yield from requests.pop()

        async def one(stream: Any) -> None:
            request, metadata = next(stream)
            answers.append(await submit(request, metadata=metadata))

        took = await race(clients, seconds, actions, one)
    for answer in map(play_pb2.SubmitActionResponse.FromString, answers):
        if not answer.HasField("accepted"):
            raise SystemExit(f"refused: {answer}")
    return took


def _request(match: Any, seat: str, action: str) -> Any:
    """Return a request as bytes, and its metadata, as the floor's clients send bytes too."""
    request = play_pb2.SubmitActionRequest(
        request_id=new_request(), match_id=match.match.match_id, action=action, group_receipt=True
    )
    return request.SerializeToString(), (("authorization", f"Bearer {match.tokens[seat]}"),)


async def play_floor(address: str, clients: int, seconds: float) -> list[float]:
    """Return the latencies of `clients` callers of the floor."""
    async with grpc.aio.insecure_channel(address) as channel:
        commit = channel.unary_unary("/floor.Floor/Commit")

        async def one(_: Any) -> None:
            await commit(b"x" * 300)

        return await race(clients, seconds, lambda: None, one)


async def race(
    clients: int,
    seconds: float,
    begin: Callable[[], Any],
    one: Callable[[Any], Awaitable[None]],
) -> list[float]:
    """Return the latencies of so many callers at once for so many seconds."""
    took: list[float] = []
    stop = time.perf_counter() + seconds

    async def call() -> None:
        stream = begin()
        while (began := time.perf_counter()) < stop:
            await one(stream)
            took.append(time.perf_counter() - began)

    await asyncio.gather(*(call() for _ in range(clients)))
    return took


def client_process(
    play: Callable[..., Any], address: str, clients: int, seconds: float, out: Connection
) -> None:
    """Play, and send the latencies to the parent process."""
    out.send(uvloop.run(play(address, clients, seconds)))


def measure(serve: Any, play: Any, clients: int, seconds: float) -> float:
    """Print the figures of one server, and return calls a second."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = PROCESSES.Pipe()
        server = PROCESSES.Process(target=serve, args=(folder, there), daemon=True)
        server.start()
        address = here.recv()
        caller = PROCESSES.Process(
            target=client_process, args=(play, address, clients, seconds, there), daemon=True
        )
        caller.start()
        took = here.recv()
        caller.join()
        server.terminate()
        server.join()
    rate = len(took) / seconds
    p99 = quantiles(took, n=100)[98]
    name = serve.__name__.removeprefix("serve_")
    print(
        f"{name:6} {clients:3} clients {rate:8.0f} calls/s"
        f"  p50 {median(took) * 1e3:6.2f} ms  p99 {p99 * 1e3:6.2f} ms",
        flush=True,
    )
    return rate


def main() -> None:
    """Measure the floor and the service for each number of clients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    for clients in given.clients:
        floor = measure(serve_floor, play_floor, clients, given.seconds)
        emeth = measure(serve_emeth, play_emeth, clients, given.seconds)
        print(f"ratio  {clients:3} clients {emeth / floor:8.2f} of the floor", flush=True)


if __name__ == "__main__":
    main()
