"""Memory stays flat, however many actions are taken: no test, since it takes too long for one.

Clients play matches one after another, on calls and on sessions; meanwhile one who watches comes
and goes, and looks things up. From the second half on the service must not grow any more.

What grows at first are caches, each to its bound: mostly the events that are kept as messages for
those who watch together (`services/api/watched_events.py`), which take about 50 MB when 4096 are
there, then what the rules have worked out for moves and dice. It takes some 50,000 actions.

    python -m tests.flat_memory --actions 200000
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

from services.client import Client
from services.runtime import logging
from services.runtime.limits import Limits
from tests.kills import PLAYERS, Player
from tests.services.cli.conftest import RunningService
from tests.services.conftest import CreatedMatch

SAMPLES: Final = 40
MOST_GROWN: Final = 0.1
"""By how much of itself memory may grow in the second half."""
PATIENCE_SECONDS: Final = 30.0


async def look(address: str, players: list[Player]) -> None:
    """Watch one match after another for a while, and look it up."""
    async with Client(address, patience_seconds=PATIENCE_SECONDS) as client:
        while True:
            for player in players:
                if player.taken:
                    await _look_at(client, player.taken[-1][0].match)
            await asyncio.sleep(0.1)


async def _look_at(client: Client, match: CreatedMatch) -> None:
    spectator = match.tokens["spectator"]
    await client.list_events(match.tokens["referee"], match.id)
    await client.view(spectator, match.id, "text")
    watched = client.watch(spectator, match.id)
    await anext(watched)
    await watched.aclose()


async def run(folder: Path, actions: int) -> list[tuple[int, float]]:
    """Play so many actions; the service's memory in MiB after so many."""
    running = RunningService(folder, limits=Limits(cached_matches=64, snapshot_every=50, new=0))
    await asyncio.to_thread(running.start)
    players, found = [Player(number, 1) for number in range(PLAYERS)], list[tuple[int, float]]()
    tasks = [asyncio.create_task(each.play(running.address)) for each in players]
    tasks.append(asyncio.create_task(look(running.address, players)))
    while not found or found[-1][0] < actions:
        await asyncio.sleep(0.2)
        for task in tasks:
            if task.done():
                task.result()
                raise SystemExit("the service has stopped")
        taken = sum(each.acknowledged for each in players)
        if taken >= len(found) * actions / SAMPLES:
            found.append((taken, _memory(running)))
            print(f"{taken} actions: {found[-1][1]:.0f} MiB", file=sys.stderr)  # noqa: T201
        for each in players:  # what it keeps to ask again is of no use here
            each.forget()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.to_thread(running.stop)
    return found


def _memory(running: RunningService) -> float:
    assert running._process is not None
    status = Path(f"/proc/{running._process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=200_000)
    given = parser.parse_args()
    logging.configure("critical")
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(Path(folder) / "service", given.actions))
    half = [memory for taken, memory in found if taken >= given.actions / 2]
    # Means of a few samples each: garbage comes and goes.
    few = max(1, len(half) // 4)
    first, last = sum(half[:few]) / few, sum(half[-few:]) / few
    print(  # noqa: T201
        f"{found[-1][0]} actions: {found[0][1]:.0f} MiB at first, {first:.0f} after half of them,"
        f" {last:.0f} in the end"
    )
    sys.exit(last > first * (1 + MOST_GROWN))


if __name__ == "__main__":
    main()
