"""Gateways on a service of their own: from tap to prompt, and what an idle gateway costs.

Each gateway plays random matches by taps at an even pace, with the answer to each tap timed. The
service and the gateways are processes of their own on the same machine, so the figures are those
of both together.
"""

import argparse
import asyncio
import multiprocessing
import os
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median, quantiles

import uvloop

import services.logs
from domain.kernel.game import REFEREE, SPECTATOR, Accepted, fold
from domain.kernel.tap_paths import taps_for
from domain.kernel.taps import Moment
from domain.registry import GAMES
from services.gateway_client import GatewayClient
from services.server import Service
from services.settings import Settings
from services.simulated import STYLUS
from services.table_client import TableClient

PROCESSES = multiprocessing.get_context("spawn")


def serve(folder: str, ready: Connection) -> None:
    async def serving() -> None:
        settings = Settings(data=folder, listen="127.0.0.1:0", log_level="warning")
        async with Service(settings) as service:
            ready.send((service.address, service.admin_key, os.getpid()))
            await service.stopping.wait()

    services.logs.configure("warning")
    uvloop.run(serving())


def memory_kb(process: int) -> int:
    """Resident memory of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def processor_seconds(process: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def seated(client: TableClient, admin: str, game: str, number: int) -> str:
    """A gateway with a stylus that has all seats of a new match; its key."""
    key = (await client.register_gateway(admin, f"Table {number}")).key
    await client.pair_stylus(key, STYLUS, "0000")
    await new_match(client, key, game)
    return key


async def new_match(client: TableClient, key: str, game: str) -> None:
    created = await client.create_match(game)
    tokens = [t for role, t in created.tokens.items() if role not in (REFEREE, SPECTATOR)]
    await client.seat_stylus(key, STYLUS, created.match.match_id, tokens)


async def tapping(
    client: TableClient, line: GatewayClient, key: str, slug: str, pace: float, until: float
) -> list[float]:
    """Tap at this pace; seconds from each tap to its prompt."""
    game, random, took = GAMES[slug], Random(key), []
    await line.shown(STYLUS, 1)
    await asyncio.sleep(random.random() * pace)
    state = game.start(game.options())
    while True:
        if game.result(state) is not None or not game.turn(state):
            await new_match(client, key, slug)
            await asyncio.sleep(0.2)
            state = game.start(game.options())
        moment = Moment(game, state, (), shared=True)
        action = random.choice([a for a in game.legal(state, moment.seat) if not game.aside(a)])
        for code in taps_for(moment, action):
            begun = time.perf_counter()
            if begun >= until:
                return took
            await line.tap(STYLUS, code)
            took.append(time.perf_counter() - begun)
            await asyncio.sleep(max(0.0, begun + pace - time.perf_counter()))
        outcome = game.decide(state, moment.seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)


async def measure(address: str, admin: str, process: int, given: argparse.Namespace) -> None:
    async with TableClient(address, patience_seconds=10) as client:
        keys = [await seated(client, admin, given.game, n) for n in range(given.gateways)]
        before = memory_kb(process)
        lines = [GatewayClient(address, key) for key in keys]
        for line in lines:
            await line.__aenter__()
            await line.shown(STYLUS, 1)
        idle = (memory_kb(process) - before) / given.gateways
        print(f"{given.gateways} idle gateways: {idle:.0f} KB of the service's memory each")
        used = processor_seconds(process)
        until = time.perf_counter() + given.seconds
        played = await asyncio.gather(
            *(
                tapping(client, line, key, given.game, 1 / given.rate, until)
                for line, key in zip(lines, keys, strict=True)
            )
        )
        used = processor_seconds(process) - used
        for line in lines:
            await line.__aexit__(None, None, None)
    took = sorted(each * 1000 for one in played for each in one)
    cuts = quantiles(took, n=100)
    print(
        f"{given.gateways} gateways x {given.rate:g} taps/s, {given.game}: {len(took)} taps,"
        f" {len(took) / given.seconds:.0f}/s, {used / len(took) * 1000:.2f} ms of processor time of"
        " the service each"
    )
    print(
        f"from tap to prompt: median {median(took):.1f} ms, 95th percentile {cuts[94]:.1f} ms,"
        f" 99th percentile {cuts[98]:.1f} ms, longest {took[-1]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="earthen-war", choices=[*GAMES])
    parser.add_argument("--gateways", type=int, default=200)
    parser.add_argument("--rate", type=float, default=5, help="taps a second of each gateway")
    parser.add_argument("--seconds", type=float, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mine, theirs = PROCESSES.Pipe()
        process = PROCESSES.Process(target=serve, args=(folder, theirs), daemon=True)
        process.start()
        try:
            uvloop.run(measure(*mine.recv(), given))
        finally:
            process.terminate()
            process.join()


if __name__ == "__main__":
    main()
