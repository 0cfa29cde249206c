"""Many watchers of one match: their events are looked up once, and none misses any."""

import asyncio
from contextlib import aclosing

from services.client import Client
from tests.services.conftest import create_match, play

LINE = (("white", "a6-b6"), ("black", "h3-g3"), ("white", "b6-c6"), ("black", "g3-f3"))


async def test_watchers_who_come_and_go_at_any_time_miss_nothing(client: Client) -> None:
    match = await create_match(client)

    async def watching(start: int) -> list[int]:
        """Return the versions that a watcher receives after so many iterations of the loop."""
        for _ in range(start):
            await asyncio.sleep(0)
        found: list[int] = []
        async with aclosing(client.watch(match.tokens["white"], match.id)) as news:
            async for watched in news:
                found.append(watched.event.version)
                if found[-1] == len(LINE) + 1:
                    break
        return found

    watchers = [asyncio.create_task(watching(n * 5)) for n in range(40)]
    leaving = [asyncio.create_task(watching(n)) for n in range(10)]
    await asyncio.sleep(0.01)
    for each in leaving:
        each.cancel()
    for action in LINE:
        await play(client, match, action)
    async with asyncio.timeout(30):
        received = await asyncio.gather(*watchers)
    assert received == [[*range(1, len(LINE) + 2)]] * len(watchers)
