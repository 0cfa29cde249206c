"""A benchmark of gateways: the time from tap to prompt, and the memory of an idle gateway.

Each gateway plays random matches by taps at an even pace, and the response to each tap is timed.
The service and the gateways are separate processes on the same machine, so the figures include
both.

The floor is a bare grpc.aio stream that commits one row for each message. One writer thread commits
all waiting rows in one transaction. There are no tables, matches or prompts.
"""

import argparse
import asyncio
import gc
import multiprocessing
import os
import queue
import signal
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

import grpc
import grpc.aio
import uvloop
from submit import commit_groups

import services.runtime.logging
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from domain.stylus.tap_machine import StylusView
from domain.stylus.tap_paths import taps_for
from services.cli.process import prepare_interpreter
from services.client import Client
from services.client.gateway import GatewayClient
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED

PROCESSES = multiprocessing.get_context("spawn")


def serve(folder: str, ready: Connection) -> None:
    """Run a service, and send its address, admin key and process ID."""

    async def serving() -> None:
        settings = Settings(data=folder, listen="127.0.0.1:0", log_level="warning")
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, gc.collect)
        async with Service(settings) as service:
            ready.send((service.address, service.admin_key, os.getpid()))
            await service.stopping.wait()

    services.runtime.logging.configure("warning")
    prepare_interpreter()
    uvloop.run(serving())


def serve_floor(folder: str, ready: Connection) -> None:
    """Run the floor's server, and send its address."""

    async def serving() -> None:
        loop = asyncio.get_running_loop()
        waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=commit_groups, args=(folder, waiting, loop), daemon=True).start()

        async def echo(requests: AsyncIterator[bytes], _: Any) -> AsyncIterator[bytes]:
            async for request in requests:
                done = loop.create_future()
                waiting.put((request, done))
                await done
                yield request

        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        method = grpc.stream_stream_rpc_method_handler(echo)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("floor.Floor", {"Connect": method}),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        ready.send((f"127.0.0.1:{port}",))
        await server.wait_for_termination()

    uvloop.run(serving())


async def floor(address: str, given: argparse.Namespace) -> None:
    """Measure as many bare streams at the same pace, with messages as long as a tap's event."""

    async def stream(number: int) -> list[float]:
        pace, took = 1 / given.rate, []
        async with grpc.aio.insecure_channel(address) as channel:
            call = channel.stream_stream("/floor.Floor/Connect")()
            await asyncio.sleep(pace * number / given.gateways)
            while (begun := time.perf_counter()) < until:
                await call.write(b"x" * 500)
                await call.read()
                took.append(time.perf_counter() - begun)
                await asyncio.sleep(max(0.0, begun + pace - time.perf_counter()))
            call.cancel()
        return took

    until = time.perf_counter() + given.seconds
    played = await asyncio.gather(*(stream(number) for number in range(given.gateways)))
    report("floor: a bare stream that commits", [each for one in played for each in one])


def report(what: str, seconds: list[float]) -> None:
    """Print the median and the high percentiles of durations."""
    took = sorted(each * 1000 for each in seconds)
    cuts = quantiles(took, n=100)
    print(
        f"{what}: median {median(took):.1f} ms, 95th percentile {cuts[94]:.1f} ms,"
        f" 99th percentile {cuts[98]:.1f} ms, longest {took[-1]:.0f} ms"
    )


def memory_kb(process: int) -> int:
    """Return the resident memory of a process, in kilobytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


async def held_kb(process: int) -> int:
    """Return the resident memory of a service after a garbage collection, in kilobytes."""
    os.kill(process, signal.SIGUSR1)
    await asyncio.sleep(1)
    return memory_kb(process)


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def pen(number: int) -> str:
    """Return the hardware ID of a stylus, unique among all tables."""
    return f"SIMULATED-{number}"


async def seated(client: Client, admin: str, game: str, number: int) -> str:
    """Create a gateway whose stylus has all seats of a new match, and return its key."""
    key = (await client.create_gateway(admin, name=f"Table {number}")).gateway_key
    await client.pair_stylus(key, pen(number), pin="0000")
    created = await client.create_match(game=game, chance=CHANCE_ENTERED)
    tokens = [t for role, t in created.tokens.items() if role not in (REFEREE, SPECTATOR)]
    await client.seat_stylus(key, pen(number), created.match.match_id, tokens)
    return key


def script(slug: str, seed: str, most: int) -> list[str]:
    """Return the first taps of a random match, at most `most`.

    They are computed beforehand, since choosing actions takes longer than serving them.
    """
    game, random, codes = GAMES[slug], Random(seed), []
    state = game.start(game.options())
    while len(codes) < most and game.result(state) is None and game.turn(state):
        moment = StylusView(game, state, (), shared=True)
        action = random.choice(
            [a for a in game.legal(state, moment.seat) if not game.is_administrative(a)]
        )
        codes += taps_for(moment, action)
        outcome = game.decide(state, moment.seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)
    return codes[:most]


async def tapping(
    line: GatewayClient, stylus: str, codes: list[str], pace: float, start: float
) -> list[float]:
    """Tap at this pace, and return the seconds from each tap to its prompt."""
    took = []
    await asyncio.sleep(start)
    for code in codes:
        begun = time.perf_counter()
        await line.tap(stylus, code)
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(max(0.0, begun + pace - time.perf_counter()))
    return took


@asynccontextmanager
async def connected(address: str, keys: list[str]) -> AsyncIterator[list[GatewayClient]]:
    """Connect these gateways, and wait until each stylus shows its match."""
    async with AsyncExitStack() as stack:
        lines = [GatewayClient(address, key) for key in keys]
        for number, line in enumerate(lines):
            await stack.enter_async_context(line)
            await line.wait_for_prompt(pen(number), 1)
        yield lines


async def idle(address: str, admin: str, process: int, given: argparse.Namespace) -> None:
    """Print the service's memory for each idle gateway."""
    async with Client(address, patience_seconds=10) as client:
        keys = [await seated(client, admin, given.game, n) for n in range(given.idle)]
        # The first gateway loads what all share, above all the game's modules and tables.
        first = await seated(client, admin, given.game, given.idle)
        async with GatewayClient(address, first) as line:
            await line.wait_for_prompt(pen(given.idle), 1)
        before = await held_kb(process)
        async with connected(address, keys):
            each = (await held_kb(process) - before) / given.idle
        print(f"{given.idle} idle gateways: {each:.0f} KB of the service's memory each", flush=True)


async def measure(address: str, admin: str, process: int, given: argparse.Namespace) -> None:
    """Play by taps on all gateways, and print rates and latencies."""
    async with Client(address, patience_seconds=10) as client:
        keys = [await seated(client, admin, given.game, n) for n in range(given.gateways)]
        taps = round(given.seconds * given.rate)
        scripts = [script(given.game, key, taps) for key in keys]
        pace = 1 / given.rate
        async with connected(address, keys) as lines:
            used = processor_seconds(process)
            played = await asyncio.gather(
                *(
                    tapping(line, pen(number), codes, pace, pace * number / given.gateways)
                    for number, (line, codes) in enumerate(zip(lines, scripts, strict=True))
                )
            )
            used = processor_seconds(process) - used
    took = [each for one in played for each in one]
    print(
        f"{given.gateways} gateways x {given.rate:g} taps/s, {given.game}: {len(took)} taps,"
        f" {len(took) / given.seconds:.0f}/s, {used / len(took) * 1000:.2f} ms of processor time of"
        " the service each"
    )
    report("from tap to prompt", took)


def main() -> None:
    """Measure the floor, idle gateways and busy gateways."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="earthen-war", choices=[*GAMES])
    parser.add_argument("--gateways", type=int, default=200)
    parser.add_argument(
        "--idle",
        type=int,
        default=800,
        help="gateways of a service where nobody taps: many, since memory comes by the megabyte",
    )
    parser.add_argument("--rate", type=float, default=5, help="taps a second of each gateway")
    parser.add_argument("--seconds", type=float, default=10)
    given = parser.parse_args()
    for server, play in ((serve_floor, floor), (serve, idle), (serve, measure)):
        with tempfile.TemporaryDirectory() as folder:
            mine, theirs = PROCESSES.Pipe()
            process = PROCESSES.Process(target=server, args=(folder, theirs), daemon=True)
            process.start()
            try:
                uvloop.run(play(*mine.recv(), given))
            finally:
                process.terminate()
                process.join()


if __name__ == "__main__":
    main()
