"""The aggregate cache: bounded, one copy of each, always as it is on disk."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.army import ArmyContent, SavedArmy, delete, save
from domain.log.origin import CommandContext
from domain.table import Table, open_table, register
from services.store import table_cache
from services.store.aggregate_cache import Decision, RecordedDecision
from services.store.army_cache import ArmyCache, CachedArmy
from services.store.errors import ArmyUnknown, TableUnknown, VersionConflict
from services.store.log import Log
from services.store.table_cache import CachedTable, TableCache
from tests.command_contexts import context_at
from tests.stores import both_stores

LIONS = ArmyContent("golem-arcana", "Lions", {}, {"faction": "gudanna"}, 0)


def command_context(request: str = "") -> CommandContext:
    return context_at(datetime(2026, 11, 21, tzinfo=UTC), request)


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


@pytest.fixture
def log(tmp_path: Path, store: str) -> Iterator[Log]:
    opened = Log(tmp_path, print, store)
    yield opened
    opened.close()


@pytest.fixture
def tables(log: Log, executor: Executor, monkeypatch: pytest.MonkeyPatch) -> TableCache:
    monkeypatch.setattr(table_cache, "MAX_TABLES", 2)
    return TableCache(log, executor)


@pytest.fixture
def armies(log: Log, executor: Executor) -> ArmyCache:
    return ArmyCache(log, executor)


async def opened(tables: TableCache, *numbers: int) -> list[UUID]:
    identities = [UUID(int=number) for number in numbers]
    for identity in identities:
        await tables.create(open_table(identity, f"Table {identity.int}", command_context()))
    return identities


def registering(gateway: str) -> Any:
    async def decide(live: CachedTable) -> Decision[Table, int]:
        registered = register(live.state, gateway, "Tablet", "key", command_context())
        assert not hasattr(registered, "why")
        return registered, registered.state.version

    return decide


@both_stores
async def test_the_least_lately_used_are_let_go_and_read_again(tables: TableCache) -> None:
    first, second, third = await opened(tables, 1, 2, 3)
    assert len(tables) == 2
    assert (await tables.get(first)).state.name == "Table 1"
    assert await tables.find(second) is not None
    assert len(tables) == 2
    assert (await tables.get(third)).state.version == 1


async def test_one_that_is_waited_for_is_not_let_go(tables: TableCache) -> None:
    (first,) = await opened(tables, 1)
    deciding, go_on = asyncio.Event(), asyncio.Event()

    async def decide(live: CachedTable) -> Decision[Table, CachedTable]:
        deciding.set()
        await go_on.wait()
        return None, live

    command = asyncio.create_task(tables.command(first, decide))
    await deciding.wait()
    await opened(tables, 2, 3, 4)
    go_on.set()
    assert await tables.get(first) is await command


async def test_concurrent_readers_share_one_copy(tables: TableCache) -> None:
    (first,) = await opened(tables, 1)
    tables.evict(first)
    copies = await asyncio.gather(*(tables.get(first) for _ in range(5)))
    assert len({id(each) for each in copies}) == 1


async def test_commands_are_decided_one_after_the_other(tables: TableCache) -> None:
    (first,) = await opened(tables, 1)
    names = [f"g{number}" for number in range(6)]
    versions = await asyncio.gather(*(tables.command(first, registering(n)) for n in names))
    assert sorted(versions) == [2, 3, 4, 5, 6, 7]
    assert {*(await tables.get(first)).state.gateways} == {*names}


@both_stores
async def test_what_another_was_quicker_to_write_is_decided_again(
    tables: TableCache, log: Log
) -> None:
    (first,) = await opened(tables, 1)
    before = (await tables.get(first)).state
    other = register(before, "theirs", "Tablet", "key", command_context())
    await log.write(other.events)  # type: ignore[union-attr]
    assert await tables.command(first, registering("ours")) == 3
    assert {*(await tables.get(first)).state.gateways} == {"theirs", "ours"}


@both_stores
async def test_events_that_another_process_wrote_are_applied_and_not_written_twice(
    tables: TableCache, log: Log
) -> None:
    (first,) = await opened(tables, 1)

    async def decide(live: CachedTable) -> Decision[Table, None]:
        changeset: Any = register(live.state, "g", "Tablet", "key", command_context())
        await log.write(changeset.events)
        return RecordedDecision(changeset), None

    await tables.command(first, decide)
    assert (await tables.get(first)).state.version == 2
    assert [each.event.version for each in log.table_events(first)] == [1, 2]


async def test_a_caller_cancelled_during_a_failing_write_leaves_nothing_that_is_not_on_disk(
    tables: TableCache, log: Log, executor: Executor
) -> None:
    (first,) = await opened(tables, 1)
    await tables.get(first)
    ahead = TableCache(log, executor)

    async def decide(live: CachedTable) -> Decision[Table, int]:
        asyncio.get_running_loop().call_soon(going.cancel)  # when the write is waited for
        changeset: Decision[Table, int] = await registering("late")(live)
        return changeset

    await ahead.command(first, registering("g"))
    going = asyncio.create_task(tables.command(first, decide))
    with pytest.raises(asyncio.CancelledError):
        await going
    written = [each.digest for each in log.table_events(first)]
    state = (await tables.get(first)).state
    assert (state.version, state.digest) == (len(written), written[-1])


async def test_what_there_is_none_of(tables: TableCache, armies: ArmyCache) -> None:
    nobody = UUID(int=99)
    assert await tables.find(nobody) is None
    with pytest.raises(TableUnknown):
        await tables.command(nobody, registering("g"))
    with pytest.raises(ArmyUnknown):
        await armies.saved(nobody)
    assert (len(tables), len(armies)) == (0, 0)


@both_stores
async def test_an_army_knows_its_requests_in_memory_and_from_the_log(
    armies: ArmyCache,
) -> None:
    lions = UUID(int=7)
    await armies.create(save(None, lions, "ada", LIONS, command_context("one")))
    with pytest.raises(VersionConflict):
        await armies.create(save(None, lions, "ada", LIONS, command_context("one")))

    async def gone(live: CachedArmy) -> Decision[SavedArmy, None]:
        return delete(live.state, command_context("two")), None

    await armies.command(lions, gone)
    for _ in range(2):
        held = await armies.get(lions)
        assert [held.version_of_request(each) for each in ("one", "two", "three")] == [1, 2, None]
        assert [(await armies.at(held, each))[1].deleted for each in (1, 2)] == [False, True]
        armies.evict(lions)
    with pytest.raises(ArmyUnknown):
        await armies.saved(lions)
