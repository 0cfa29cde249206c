"""Whoever comes alone is let in at once; a crowd goes in groups, and nobody is forgotten."""

import asyncio
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.log.stamps import Stamp
from domain.table import open_table, register
from services.store import turnstile
from services.store.live_tables import LiveTables
from services.store.log import Log
from services.store.turnstile import Turnstile
from tests.stores import both_stores


async def turn_of_the_loop() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def soon(awaited: Awaitable[object]) -> None:
    async with asyncio.timeout(30):
        await awaited


class Crowd:
    """Tasks that go through a turnstile, and who is through."""

    def __init__(self, gate: Turnstile) -> None:
        self.through: list[str] = []
        self._gate = gate

    async def comes(self, name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(self._go(name))
        await turn_of_the_loop()
        return task

    async def _go(self, name: str) -> None:
        await self._gate.enter()
        self.through.append(name)


@pytest.fixture
def gate() -> Turnstile:
    return Turnstile()


@pytest.fixture
def crowd(gate: Turnstile) -> Crowd:
    return Crowd(gate)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow disk opens nothing."""
    monkeypatch.setattr(turnstile, "LONGEST_SECONDS", 3600.0)


async def test_whoever_finds_nothing_being_written_goes_through(crowd: Crowd) -> None:
    await crowd.comes("white")
    assert crowd.through == ["white"]


async def test_all_who_come_in_one_turn_of_the_loop_go_together(
    gate: Turnstile,
) -> None:
    async def command() -> None:
        await gate.enter()
        gate.write()

    together = [asyncio.create_task(command()) for _ in range(5)]
    await turn_of_the_loop()
    assert all(each.done() for each in together)


@pytest.mark.usefixtures("endless")
async def test_whoever_comes_while_others_are_written_waits_and_goes_with_all_who_came_since(
    gate: Turnstile, crowd: Crowd
) -> None:
    gate.write()
    await turn_of_the_loop()
    waiting = [await crowd.comes(name) for name in ("white", "black", "referee")]
    assert crowd.through == []
    gate.written()
    await crowd.comes("late")
    await soon(asyncio.gather(*waiting))
    assert crowd.through[:3] == ["white", "black", "referee"]
    await turn_of_the_loop()
    assert crowd.through[3:] == ["late"]


@pytest.mark.usefixtures("endless")
async def test_it_stands_open_at_once_where_nobody_waits(gate: Turnstile, crowd: Crowd) -> None:
    for name in ("first", "second", "third"):
        gate.write()
        await turn_of_the_loop()
        gate.written()
        await crowd.comes(name)
    assert crowd.through == ["first", "second", "third"]


@pytest.mark.usefixtures("endless")
async def test_what_is_written_at_once_keeps_nobody_waiting(gate: Turnstile, crowd: Crowd) -> None:
    gate.write()
    gate.written()
    await turn_of_the_loop()
    await crowd.comes("next")
    assert crowd.through == ["next"]


@pytest.mark.usefixtures("endless")
async def test_whoever_goes_away_keeps_nobody_waiting(gate: Turnstile, crowd: Crowd) -> None:
    gate.write()
    await turn_of_the_loop()
    gone = await crowd.comes("gone")
    gone.cancel()
    await turn_of_the_loop()
    gate.written()
    await crowd.comes("next")
    assert crowd.through == ["next"]


@pytest.mark.usefixtures("endless")
async def test_each_job_of_a_commit_says_that_it_is_written_and_the_next_group_is_no_sooner_for_it(
    gate: Turnstile, crowd: Crowd
) -> None:
    gate.write()
    gate.write()
    await turn_of_the_loop()
    waiting = await crowd.comes("white")
    gate.written()
    gate.written()
    await turn_of_the_loop()
    assert crowd.through == []
    await soon(waiting)


async def test_a_slow_disk_keeps_nobody_out_for_long(gate: Turnstile, crowd: Crowd) -> None:
    gate.write()
    await turn_of_the_loop()
    await soon(await crowd.comes("white"))
    gate.written()  # at last
    await crowd.comes("black")
    assert crowd.through == ["white", "black"]


@pytest.fixture
def log(tmp_path: Path, store: str) -> Iterator[Log]:
    opened = Log(tmp_path, print, store)
    yield opened
    opened.close()


@both_stores
async def test_a_crowd_of_commands_is_written_in_few_commits(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turnstile, "GATHERING_SECONDS", 0.2)
    stamp = Stamp(datetime(2026, 11, 23, tzinfo=UTC), "")
    names = [UUID(int=number) for number in range(1, 41)]

    async def decide(live: Any) -> Any:
        registered: Any = register(live.state, "tablet", "Tablet", "key", stamp)
        return registered, None

    with ThreadPoolExecutor(2) as pool:
        tables = LiveTables(log, pool)
        for name in names:
            await tables.create(open_table(name, "Table", stamp))
        before = log.stats().batches
        commands = [asyncio.create_task(tables.command(names[0], decide))]
        await turn_of_the_loop()
        # One after another, as they come from so many callers.
        for name in names[1:]:
            commands.append(asyncio.create_task(tables.command(name, decide)))
            await asyncio.sleep(0)
        await soon(asyncio.gather(*commands))
        assert log.stats().batches == before + 2
        assert all([(await tables.get(name)).state.version == 2 for name in names])


@both_stores
async def test_a_write_that_fails_lets_in_who_waits(log: Log) -> None:
    stamp = Stamp(datetime(2026, 11, 23, tzinfo=UTC), "")
    first = open_table(UUID(int=1), "Table", stamp)
    await log.write(first.events)
    writing = asyncio.create_task(log.write(first.events))
    await turn_of_the_loop()
    waiting = asyncio.create_task(log.turnstile.enter())
    with pytest.raises(Exception, match="version"):
        await writing
    await soon(waiting)
