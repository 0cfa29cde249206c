"""A soak test that taps at rising rates, and counts the prompts that never come.

    nice python bench/soak_prompts.py --taps 100000 --tables 40 --pause-ms 20

At each table one stylus plays random matches, and the others spectate. Each action must be shown to
all of them, unrequested, within `PATIENCE_SECONDS`. On two quiet cores 100,000 taps take some five
minutes. With `--pause-ms` each event is on disk for so long before it is in memory. The last line
is "N missing".
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

import uvloop
from gateways import PROCESSES, pen, script

import services.runtime.logging
from domain.kernel.game import REFEREE, SPECTATOR
from services.cli.process import prepare_interpreter
from services.client import Client
from services.client.gateway import GatewayClient
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED

RATES = (5.0, 10.0, 20.0, 40.0, 80.0, 1000.0)
"""Taps a second of each table; each rate has the same share of all taps."""
PATIENCE_SECONDS = 60.0
"""Seconds to wait for a prompt: long, since the machine may be busy."""
LONGEST = 400
"""Taps of one match; then the table starts the next."""
SCRIPTS = 12
"""Different matches that are played, since computing one takes longer than playing it."""


def serve(folder: str, pause: float, ready: Connection) -> None:
    """Run a service that pauses after each write, and send its address and admin key."""

    async def serving() -> None:
        settings = Settings(data=folder, listen="127.0.0.1:0", log_level="warning")
        async with Service(settings) as service:
            if pause:
                write = service._log.write

                async def write_and_pause(events: Sequence[Any]) -> None:
                    await write(events)
                    await asyncio.sleep(pause)

                service._log.write = write_and_pause  # type: ignore[method-assign]
            ready.send((service.address, service.admin_key))
            await service.stopping.wait()

    services.runtime.logging.configure("warning")
    prepare_interpreter()
    uvloop.run(serving())


@cache
def made_up(game: str, number: int) -> list[str]:
    """Return the taps of one of the matches."""
    return script(game, number, LONGEST)


class Table:
    """A table with one stylus that plays, and others that spectate."""

    def __init__(self, client: Client, game: str, number: int, watchers: int) -> None:
        self._client = client
        self._game = game
        self._number = number
        self._pens = [pen(number * 100 + each) for each in range(watchers + 1)]
        self._key = ""
        self._prompted = asyncio.Event()
        self._matches = count(number)
        self.prompts = self.missing = 0

    async def soak(self, address: str, admin: str, taps: int) -> None:
        """Tap so often at each rate."""
        self._key = (
            await self._client.create_gateway(admin, name=f"Table {self._number}")
        ).gateway_key
        for each in self._pens:
            await self._client.pair_stylus(self._key, each, pin="0000")
        line = GatewayClient(address, self._key, on_prompt=lambda _: self._prompted.set())
        async with line:
            for rate in RATES:
                left = taps
                while left:
                    left -= await self._match(line, 1 / rate, min(left, LONGEST))

    async def _match(self, line: GatewayClient, pace: float, most: int) -> int:
        created = await self._client.create_match(game=self._game, chance=CHANCE_ENTERED)
        tokens = dict(created.tokens)
        seats = [token for role, token in tokens.items() if role not in (REFEREE, SPECTATOR)]
        for number, each in enumerate(self._pens):
            seat_tokens = [tokens[SPECTATOR]] if number else seats
            await self._client.seat_stylus(self._key, each, created.match.match_id, seat_tokens)
        await asyncio.gather(*(self._begin(line, each) for each in self._pens))
        codes = made_up(self._game, next(self._matches) % SCRIPTS)[:most]
        waiting = []
        for code in codes:
            begun = time.perf_counter()
            shown = await line.tap(self._pens[0], code)
            if shown.events:
                waiting += [
                    asyncio.create_task(self._await(line, each, shown.match_version))
                    for each in self._pens[1:]
                ]
            await asyncio.sleep(max(0.0, begun + pace - time.perf_counter()))
        await asyncio.gather(*waiting)
        return len(codes)

    async def _begin(self, line: GatewayClient, stylus: str) -> None:
        """Wait until a stylus shows the new match, and not the end of the last one."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (shown := line.prompts.get(stylus)) is None or shown.match_version != 1:
                    self._prompted.clear()
                    await self._prompted.wait()
        except TimeoutError:
            self.missing += 1
            print(f"{stylus} was never shown a new match", flush=True)

    async def _await(self, line: GatewayClient, stylus: str, version: int) -> None:
        self.prompts += 1
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await line.wait_for_prompt(stylus, version)
        except TimeoutError:
            self.missing += 1
            print(f"{stylus} was never shown version {version}", flush=True)


async def soak(address: str, admin: str, given: argparse.Namespace) -> int:
    """Run all tables, print the counts, and return how many prompts are missing."""
    begun = time.perf_counter()
    async with Client(address, patience_seconds=PATIENCE_SECONDS) as client:
        tables = [
            Table(client, given.game, number, given.watchers) for number in range(given.tables)
        ]
        share = -(-given.taps // (given.tables * len(RATES)))
        await asyncio.gather(*(each.soak(address, admin, share) for each in tables))
    taps, prompts = share * given.tables * len(RATES), sum(each.prompts for each in tables)
    took, missing = time.perf_counter() - begun, sum(each.missing for each in tables)
    print(f"{taps} taps in {took:.0f} s, {taps / took:.0f}/s; {prompts} prompts of others")
    print(f"{missing} missing")
    return missing


def main() -> int:
    """Soak with the settings of the command line; return 1 if prompts are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="agog")
    parser.add_argument("--taps", type=int, default=1200)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--watchers", type=int, default=3, help="styluses that look on, a table")
    parser.add_argument("--pause-ms", type=float, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mine, theirs = PROCESSES.Pipe()
        process = PROCESSES.Process(
            target=serve, args=(folder, given.pause_ms / 1000, theirs), daemon=True
        )
        process.start()
        try:
            return min(1, uvloop.run(soak(*mine.recv(), given)))
        finally:
            process.terminate()
            process.join()


if __name__ == "__main__":
    raise SystemExit(main())
