"""A benchmark of how long a pair of players waits during each kind of flood, and without one.

A pair plays a match with its own tokens, an action every 50 ms. Meanwhile many callers of another
process do one thing without a pause: create matches, send refused actions, try wrong tokens, list,
verify, request transcripts, open streams. Printed are the median and the 99th percentile of the
pair's actions, and how many calls of the flood were answered and refused a second. Rounds with and
without a flood alternate, since other work on the machine changes both. Of a few hundred actions
the 99th percentile is one of the few slowest, and differs from run to run: the 90th beside it shows
whether a difference is significant.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from multiprocessing.connection import Connection
from statistics import median, quantiles

import uvloop
from submit import GAME, PROCESSES, long_line, serve_emeth

from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2

PAUSE = 0.05
WARM_SECONDS = 6.0
"""Seconds of flood before measuring: by then its callers have used up their bursts."""
Table = tuple[str, dict[str, str]]
"""The ID of a match, and its tokens by role."""
Deed = Callable[[Client, dict[str, str], str], Awaitable[object]]


async def create(client: Client, tokens: dict[str, str], match: str) -> object:
    """Create a match of Res Arcana."""
    return await client.create_match(game="res-arcana", chance=matches_pb2.CHANCE_ROLLED)


async def refused(client: Client, tokens: dict[str, str], match: str) -> object:
    """Submit an action that is refused."""
    return await client.submit(tokens["white"], match, "a1-a8")


async def wrong(client: Client, tokens: dict[str, str], match: str) -> object:
    """Call with a token that does not exist."""
    return await client.list_actions(os.urandom(32).hex(), match, "white")


async def listing(client: Client, tokens: dict[str, str], match: str) -> object:
    """List a page of matches."""
    return await client.list_matches_page(page_size=50)


async def verifying(client: Client, tokens: dict[str, str], match: str) -> object:
    """Verify the events of a match."""
    return await client.verify_match(tokens["white"], match)


async def transcript(client: Client, tokens: dict[str, str], match: str) -> object:
    """Get the transcript of a match."""
    return await client.transcript(tokens["white"], match)


async def streams(client: Client, tokens: dict[str, str], match: str) -> object:
    """Open a watch stream, read one message and close the stream."""
    async with aclosing(client.watch(tokens["white"], match)) as watching:
        return await anext(watching)


FLOODS: dict[str, Deed] = {
    "creating": create,
    "refused actions": refused,
    "wrong tokens": wrong,
    "lists": listing,
    "verifying": verifying,
    "transcripts": transcript,
    "streams": streams,
}


def flood(address: str, kind: str, callers: int, table: Table, ready: Connection) -> None:
    """Flood the service with one kind of call until the parent process sends a message.

    Calls about a match use one that is played to its end first. The number of calls by outcome is
    sent to the parent.
    """
    match, tokens = table
    counts: Counter[str] = Counter()

    async def one(client: Client, tokens: dict[str, str], match: str) -> None:
        while True:
            try:
                await FLOODS[kind](client, tokens, match)
                counts["OK"] += 1
            except ServiceError as error:
                counts[error.reason or error.code.name] += 1

    async def run() -> None:
        async with Client(address, patience_seconds=0) as client:
            for seat, action in long_line(60):
                await client.submit(tokens[seat], match, action)
            callers_ = [asyncio.create_task(one(client, tokens, match)) for _ in range(callers)]
            await asyncio.to_thread(ready.recv)
            for each in callers_:
                each.cancel()
            await asyncio.gather(*callers_, return_exceptions=True)

    with suppress(EOFError):
        uvloop.run(run())
    ready.send(dict(counts))


async def prepared(address: str, count: int) -> list[Table]:
    """Create matches before any flood.

    The creator of a match has no token yet, so its calls count towards the limit of its address.
    """
    async with Client(address) as client:
        made = [await client.create_match(game=GAME) for _ in range(count)]
        return [(each.match.match_id, dict(each.tokens)) for each in made]


async def quiet(address: str, seconds: float, tables: list[Table]) -> list[float]:
    """Return the seconds that each action of the pair took."""
    took, line = [], long_line(60)
    async with Client(address) as client:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            match, tokens = tables.pop()
            for seat, action in line:
                if time.monotonic() >= until:
                    break
                began = time.perf_counter()
                await client.submit(tokens[seat], match, action)
                took.append(time.perf_counter() - began)
                await asyncio.sleep(PAUSE)
    return took


def measured(kind: str, callers: int, seconds: float, turns: int) -> float:
    """Measure one kind of flood, and return the ratio of the 99th percentiles."""
    alone: list[float] = []
    loaded: list[float] = []
    counts: Counter[str] = Counter()
    flooded = 0.0
    with tempfile.TemporaryDirectory() as folder:
        ready, theirs = PROCESSES.Pipe()
        server = PROCESSES.Process(target=serve_emeth, args=(folder, theirs, 100), daemon=True)
        server.start()
        address = ready.recv()
        played = 2 * turns * (1 + int(seconds / 60 / PAUSE))
        tables = uvloop.run(prepared(address, played + turns))
        for _ in range(turns):
            alone += uvloop.run(quiet(address, seconds, tables))
            mine, other = PROCESSES.Pipe()
            args = address, kind, callers, tables.pop(), other
            flooding = PROCESSES.Process(target=flood, args=args)
            flooding.start()
            time.sleep(WARM_SECONDS)
            loaded += uvloop.run(quiet(address, seconds, tables))
            mine.send(None)
            counts.update(mine.recv())
            flooding.join()
            flooded += seconds + WARM_SECONDS
        server.kill()
        server.join()
    low, high = _ninety_ninth(alone), _ninety_ninth(loaded)
    ninth = quantiles(loaded, n=10)[8] / quantiles(alone, n=10)[8]
    answered, away = counts.pop("OK", 0), sum(counts.values())
    print(
        f"{kind:16} alone {1e3 * median(alone):6.2f} ms, p99 {1e3 * low:6.2f}; beside"
        f" {1e3 * median(loaded):6.2f} ms, p99 {1e3 * high:6.2f}: {high / low:4.1f} times"
        f" (p90 {ninth:.1f}) of {len(loaded)};"
        f" flood {answered / flooded:6.0f} answered a second, {away / flooded:6.0f} refused"
    )
    return high / low


def _ninety_ninth(took: list[float]) -> float:
    return quantiles(took, n=100)[98]


def main() -> None:
    """Measure the floods that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("floods", nargs="*", help=f"of {', '.join(FLOODS)}; all without any")
    parser.add_argument("--callers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    for kind in given.floods or FLOODS:
        if kind not in FLOODS:
            raise SystemExit(f"there is no flood {kind!r}: there are {', '.join(FLOODS)}")
        measured(kind, given.callers, given.seconds, given.turns)


if __name__ == "__main__":
    main()
