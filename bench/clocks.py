"""A benchmark of what running clocks cost a service with very many matches.

In one process, for a service without clocks and one with a clock in each match: the processor time
of an idle second, the time of an action, how late a watcher receives a flag fall, and how long
after a restart until all clocks run again.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from uuid import UUID, uuid4

from domain.match import MatchSetup, Terms, TimeBudget, TimeControl, create, roles
from domain.registry import GAMES
from services.accounts.tokens import token_digest
from services.client import Client
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.runtime import logging
from services.runtime.settings import Settings
from tests.command_contexts import context_at

AT_ONCE = 200


async def fill(service: Service, matches: int, clock: TimeControl | None) -> list[UUID]:
    """Create matches of A.G.O.G., and return their IDs."""
    game = GAMES["agog"]
    keys = {role: token_digest(role) for role in roles(game, game.options())}
    setting = MatchSetup(game, game.options(), terms=Terms(clock=clock))
    made = [
        create(setting, uuid4(), keys, context_at(datetime.now(UTC), str(uuid4())))
        for _ in range(matches)
    ]
    for first in range(0, matches, AT_ONCE):
        batch: Iterable[object] = [service._live.create(each) for each in made[first:][:AT_ONCE]]
        await asyncio.gather(*batch)  # type: ignore[call-overload]  # awaitables
    return [each.state.id for each in made]


async def idle(seconds: float) -> float:
    """Return the milliseconds of processor time used in each second without calls."""
    began = time.process_time()
    await asyncio.sleep(seconds)
    return (time.process_time() - began) / seconds * 1_000


async def act(client: Client, rounds: int) -> float:
    """Return the median milliseconds of the first action of new matches."""
    took = []
    for _ in range(rounds):
        created = await client.create_match(game="agog")
        began = time.perf_counter()
        await client.submit(created.tokens["white"], created.match.match_id, "a6-b6")
        took.append(time.perf_counter() - began)
    return median(took) * 1_000


async def flags(client: Client, rounds: int) -> list[float]:
    """Return, sorted, how many milliseconds after each flag fall a watcher receives it."""
    clock = time_control_message(TimeBudget(1_000))

    async def late() -> float:
        created = await client.create_match(game="agog", time_control=clock)
        token, identity = created.tokens["white"], created.match.match_id
        async for news in client.watch(token, identity, until_over=True):
            received, flag = datetime.now(UTC), news.event.create_time.ToDatetime(UTC)
        return (received - flag).total_seconds() * 1_000

    return sorted(await asyncio.gather(*(late() for _ in range(rounds))))


async def measure(matches: int, seconds: float, clock: TimeControl | None) -> None:
    """Print the figures of a service whose matches all have this clock."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=str(Path(folder) / "data"), listen="127.0.0.1:0", http="no")
        async with Service(settings) as service, Client(service.address) as client:
            await fill(service, matches, clock)
            while service._runner.status().lag:  # noqa: ASYNC110  # no signal of it exists
                await asyncio.sleep(0.5)
            await asyncio.sleep(2)
            print(f"{matches} matches, {'a clock each' if clock else 'no clocks'}:")
            print(f"  idle     {await idle(seconds):8.2f} ms of the processor a second")
            print(f"  action   {await act(client, 100):8.2f} ms")
            late = await flags(client, 40)
            print(f"  flags    {median(late):8.2f} ms late, {late[-1]:.2f} at most")
        began = time.perf_counter()
        async with Service(settings) as service:
            print(f"  restart  {time.perf_counter() - began:8.2f} s until it listens")
            while not service._flag_falls.ready:  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.01)
            print(f"           {time.perf_counter() - began:8.2f} s until all clocks go on")


def main() -> None:
    """Measure without clocks, then with one in each match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=5)
    wanted = parser.parse_args()
    logging.configure("error")
    for clock in (None, TimeBudget(86_400_000)):
        asyncio.run(measure(wanted.matches, wanted.seconds, clock))


if __name__ == "__main__":
    main()
