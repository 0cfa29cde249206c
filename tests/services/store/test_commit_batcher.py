"""Batches of commands: one alone is admitted at once, many form batches, and none is forgotten."""

import asyncio
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

import pytest

from domain.table import open_table, register
from services.store import commit_batcher
from services.store.commit_batcher import CommitBatcher, ReturnTracker
from services.store.log import Log
from services.store.table_cache import TableCache
from tests.command_contexts import context_at
from tests.stores import both_stores


def match_of(name: str) -> UUID:
    return uuid5(NAMESPACE_OID, name)


async def turn_of_the_loop() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def written(gate: CommitBatcher, *names: str) -> None:
    """Finish one commit of all these."""
    for name in names:
        gate.commit_finished(match_of(name))
    await turn_of_the_loop()


async def soon(awaited: Awaitable[object]) -> None:
    async with asyncio.timeout(30):
        await awaited


class Crowd:
    """Tasks that wait for a commit batcher, and those that it admitted."""

    def __init__(self, gate: CommitBatcher) -> None:
        self.through: list[str] = []
        self._gate = gate

    async def comes(self, name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(self._go(name))
        await turn_of_the_loop()
        return task

    async def _go(self, name: str) -> None:
        await self._gate.admit(match_of(name))
        self.through.append(name)


@pytest.fixture
def gate() -> CommitBatcher:
    return CommitBatcher()


@pytest.fixture
def crowd(gate: CommitBatcher) -> Crowd:
    return Crowd(gate)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no timeout of a slow disk admit commands."""
    monkeypatch.setattr(commit_batcher, "MAX_COMMIT_WAIT_SECONDS", 3600.0)


async def test_a_command_is_admitted_at_once_if_no_commit_runs(crowd: Crowd) -> None:
    await crowd.comes("white")
    assert crowd.through == ["white"]


async def test_all_commands_of_one_loop_iteration_form_a_batch(
    gate: CommitBatcher,
) -> None:
    async def command(name: str) -> None:
        await gate.admit(match_of(name))
        gate.commit_started()

    together = [asyncio.create_task(command(name)) for name in "abcde"]
    await turn_of_the_loop()
    assert all(each.done() for each in together)


@pytest.mark.usefixtures("endless")
async def test_a_command_during_a_commit_waits_and_joins_the_next_batch(
    gate: CommitBatcher, crowd: Crowd
) -> None:
    gate.commit_started()
    await turn_of_the_loop()
    waiting = [await crowd.comes(name) for name in ("white", "black", "referee")]
    assert crowd.through == []
    await written(gate, "other")
    await crowd.comes("late")
    await soon(asyncio.gather(*waiting))
    assert crowd.through[:3] == ["white", "black", "referee"]
    await turn_of_the_loop()
    assert crowd.through[3:] == ["late"]


@pytest.mark.usefixtures("endless")
async def test_it_stands_open_at_once_where_nobody_waits(gate: CommitBatcher, crowd: Crowd) -> None:
    for name in ("first", "second", "third"):
        gate.commit_started()
        await turn_of_the_loop()
        await written(gate, "other")
        await crowd.comes(name)
    assert crowd.through == ["first", "second", "third"]


@pytest.mark.usefixtures("endless")
async def test_what_is_written_at_once_keeps_nobody_waiting(
    gate: CommitBatcher, crowd: Crowd
) -> None:
    gate.commit_started()
    await written(gate, "other")
    await turn_of_the_loop()
    await crowd.comes("next")
    assert crowd.through == ["next"]


@pytest.mark.usefixtures("endless")
async def test_a_cancelled_caller_keeps_no_other_waiting(gate: CommitBatcher, crowd: Crowd) -> None:
    gate.commit_started()
    await turn_of_the_loop()
    gone = await crowd.comes("gone")
    gone.cancel()
    await turn_of_the_loop()
    await written(gate, "other")
    await crowd.comes("next")
    assert crowd.through == ["next"]


@pytest.mark.usefixtures("endless")
async def test_each_job_of_a_commit_says_that_it_is_written_and_the_next_group_is_no_sooner_for_it(
    gate: CommitBatcher, crowd: Crowd
) -> None:
    gate.commit_started()
    gate.commit_started()
    await turn_of_the_loop()
    waiting = await crowd.comes("white")
    await written(gate, "first", "second")
    assert crowd.through == []
    await soon(waiting)


async def test_a_slow_disk_keeps_nobody_out_for_long(gate: CommitBatcher, crowd: Crowd) -> None:
    gate.commit_started()
    await turn_of_the_loop()
    await soon(await crowd.comes("white"))
    await written(gate, "other")  # at last
    await crowd.comes("black")
    assert crowd.through == ["white", "black"]


# --- returning callers ---------------------------------------------------------------------------


PROGRAMS = ("a", "b", "c", "d")


async def play_as_one(gate: CommitBatcher, crowd: Crowd) -> None:
    """Let all programs act and receive their answers."""
    playing = [await crowd.comes(name) for name in PROGRAMS]
    await soon(asyncio.gather(*playing))
    for _ in PROGRAMS:
        gate.commit_started()
    await turn_of_the_loop()
    await written(gate, *PROGRAMS)


@pytest.fixture
def prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every returning caller counts as prompt, however busy the machine is."""
    monkeypatch.setattr(commit_batcher, "RETURN_SECONDS", 3600.0)


@pytest.fixture
async def known(gate: CommitBatcher, crowd: Crowd, endless: None, prompt: None) -> CommitBatcher:
    """A commit batcher that knows those programs: they have returned at once many times."""
    for _ in range(20):
        await play_as_one(gate, crowd)
    crowd.through.clear()
    return gate


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for returning callers without a limit."""
    monkeypatch.setattr(commit_batcher, "IDLE_SECONDS", 3600.0)


@pytest.mark.usefixtures("patient")
async def test_commands_of_returning_callers_are_awaited_and_form_a_batch(
    known: CommitBatcher, crowd: Crowd
) -> None:
    for name in PROGRAMS[:-1]:
        await crowd.comes(name)
    assert crowd.through == []
    await crowd.comes(PROGRAMS[-1])
    await turn_of_the_loop()
    assert crowd.through == list(PROGRAMS)


@pytest.mark.usefixtures("patient")
async def test_only_answered_callers_are_expected_to_return(
    known: CommitBatcher, crowd: Crowd
) -> None:
    for name in PROGRAMS:
        await crowd.comes(name)
    for _ in PROGRAMS:
        known.commit_started()
    await turn_of_the_loop()
    await written(known, "a", "b")  # the others are in a commit of their own
    for name in ("a", "b"):
        await crowd.comes(name)
    await turn_of_the_loop()
    assert crowd.through[-2:] == ["a", "b"]


@pytest.mark.usefixtures("patient")
async def test_commands_that_arrive_meanwhile_join_the_batch(
    known: CommitBatcher, crowd: Crowd
) -> None:
    for name in ("stranger", *PROGRAMS):
        await crowd.comes(name)
    await turn_of_the_loop()
    assert crowd.through == ["stranger", *PROGRAMS]


async def test_one_that_does_not_come_again_keeps_the_others_waiting_for_moments_only(
    known: CommitBatcher, crowd: Crowd
) -> None:
    coming = [await crowd.comes(name) for name in PROGRAMS[:-1]]
    await soon(asyncio.gather(*coming))
    assert crowd.through == list(PROGRAMS[:-1])


async def test_without_returning_callers_the_batch_closes_by_timeout(
    known: CommitBatcher, crowd: Crowd
) -> None:
    await soon(await crowd.comes("stranger"))
    await asyncio.sleep(0.05)
    await crowd.comes("next")
    assert crowd.through == ["stranger", "next"]


async def test_the_arrival_window_is_bounded(
    known: CommitBatcher, crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_batcher, "MAX_HOLD_SECONDS", 0.0)
    coming = [await crowd.comes(name) for name in PROGRAMS[:2]]
    await soon(asyncio.gather(*coming))


@pytest.mark.usefixtures("patient", "endless")
async def test_slow_callers_are_not_awaited(
    gate: CommitBatcher, crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_batcher, "RETURN_SECONDS", 0.0)
    for _ in range(20):
        await play_as_one(gate, crowd)
    await crowd.comes("next")
    assert crowd.through[-1] == "next"


@pytest.mark.usefixtures("endless", "prompt")
async def test_the_command_that_completes_a_batch_goes_last(
    gate: CommitBatcher, crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_batcher, "GATHER_SECONDS", 3600.0)
    gate.commit_started()
    await turn_of_the_loop()
    await crowd.comes("black")
    await written(gate, "white")
    assert crowd.through == []
    await crowd.comes("white")
    await turn_of_the_loop()
    assert crowd.through == ["black", "white"]


def test_each_counts_as_much_as_any_other_whatever_the_size_of_the_group() -> None:
    answered = ReturnTracker()
    crowd = {UUID(int=number) for number in range(64)}
    answered.record_answers(set(crowd), 0.0)
    for who in crowd:
        answered.record_arrival(who, 0.01)
    assert answered.outstanding == 0
    answered.record_answers({UUID(int=99)}, 0.02)
    after_the_crowd = answered.return_rate
    assert after_the_crowd > 0.5
    answered.record_answers(set(), 0.03)  # that one did not come again
    assert 0.9 * after_the_crowd < answered.return_rate < after_the_crowd


def test_a_late_caller_does_not_count_as_returning() -> None:
    answered = ReturnTracker()
    answered.record_answers({UUID(int=1)}, 0.0)
    answered.record_arrival(UUID(int=1), commit_batcher.RETURN_SECONDS + 0.001)
    assert answered.outstanding == 1


@pytest.fixture
def log(tmp_path: Path, store: str) -> Iterator[Log]:
    opened = Log(tmp_path, print, store)
    yield opened
    opened.close()


@both_stores
@pytest.mark.usefixtures("endless")
async def test_a_crowd_of_commands_is_written_in_few_commits(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_batcher, "GATHER_SECONDS", 1.0)
    command_context = context_at(datetime(2026, 11, 23, tzinfo=UTC), "")
    names = [UUID(int=number) for number in range(1, 41)]

    async def decide(live: Any) -> Any:
        registered: Any = register(live.state, "tablet", "Tablet", "key", command_context)
        return registered, None

    with ThreadPoolExecutor(2) as pool:
        tables = TableCache(log, pool)
        for name in names:
            await tables.create(open_table(name, "Table", command_context))
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
async def test_a_failed_write_admits_waiting_commands(log: Log) -> None:
    command_context = context_at(datetime(2026, 11, 23, tzinfo=UTC), "")
    first = open_table(UUID(int=1), "Table", command_context)
    await log.write(first.events)
    writing = asyncio.create_task(log.write(first.events))
    await turn_of_the_loop()
    waiting = asyncio.create_task(log.commit_batcher.admit(UUID(int=2)))
    with pytest.raises(Exception, match="version"):
        await writing
    await soon(waiting)
