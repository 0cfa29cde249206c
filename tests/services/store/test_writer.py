"""One thread writes for all: in order, in groups, and one job's fault is no other job's."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent

from services.store.errors import (
    EventsUnstorable,
    LogClosed,
    LogFailed,
    LogOverloaded,
    LogUnavailable,
    VersionConflict,
)
from services.store.sqlite.recorder import Factory, LogConnection, LogRecorder
from services.store.writer import Writer

EventMaker = Callable[..., StoredEvent]
Group = Callable[..., Awaitable[list[Any]]]


def unexpected(failure: LogFailed) -> None:
    raise failure


@pytest.fixture
def writer(recorder: LogRecorder) -> Iterator[Writer]:
    with Writer(recorder, on_failure=unexpected) as writer:
        yield writer


@pytest.fixture
def group(factory: Factory, writer: Writer, event: EventMaker) -> Group:
    """Has jobs written in one group, by keeping the writer busy until all of them wait.

    Gives what became of each: None, or an error.
    """

    async def submit(*jobs: list[StoredEvent]) -> list[Any]:
        with factory.datastore.get_connection(commit=True):
            plug = writer.submit([event(10**9, 1)])
            await until(lambda: writer.stats().waiting == 0)
            waiting = [writer.submit(job) for job in jobs]
        await plug
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert writer.stats().largest_batch == len(jobs)
        return outcomes

    return submit


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110  # what the writer's thread does sets no event
        await asyncio.sleep(0.001)


def stored(recorder: LogRecorder) -> list[tuple[int, int]]:
    """The log: match and version of each event, without the one that kept the writer busy."""
    log = recorder.select_notifications(start=None, limit=10_000)
    return [pair for pair in map(pair_of, log) if pair[0] != 10**9]


def pair_of(event: StoredEvent) -> tuple[int, int]:
    assert isinstance(event.originator_id, UUID)
    return event.originator_id.int, event.originator_version


async def test_what_is_acknowledged_is_in_the_log(
    writer: Writer, recorder: LogRecorder, event: EventMaker
) -> None:
    await writer.submit([event(1, 1), event(1, 2)])
    assert stored(recorder) == [(1, 1), (1, 2)]


async def test_jobs_are_written_in_the_order_in_which_they_came(
    group: Group, recorder: LogRecorder, event: EventMaker
) -> None:
    jobs = [[event(match, 1), event(match, 2)] for match in (5, 3, 4, 1, 2)]
    assert await group(*jobs) == [None] * 5
    assert [match for match, version in stored(recorder) if version == 1] == [5, 3, 4, 1, 2]


async def test_one_sync_serves_all_that_wait(
    factory: Factory, writer: Writer, group: Group, event: EventMaker
) -> None:
    before = writer.stats()
    assert await group(*([event(match, 1)] for match in range(200))) == [None] * 200
    after = writer.stats()
    assert (after.batches - before.batches, after.jobs - before.jobs) == (2, 201)
    assert after.waiting == 0
    assert after.last_commit_seconds > 0


async def test_a_conflict_fails_alone_in_its_group(
    group: Group, recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(7, 1)])
    jobs = [[event(match, 1)] for match in range(20)]
    outcomes = await group(*jobs)
    assert [type(each) for each in outcomes if each is not None] == [VersionConflict]
    assert outcomes[7].versions == {event(7, 1).originator_id: 1}
    assert stored(recorder) == [(7, 1), *((match, 1) for match in range(20) if match != 7)]


async def test_of_two_jobs_for_one_version_the_first_is_written(
    group: Group, recorder: LogRecorder, event: EventMaker
) -> None:
    outcomes = await group([event(1, 1, b"first")], [event(1, 1, b"second")], [event(2, 1)])
    assert [type(each) for each in outcomes] == [type(None), VersionConflict, type(None)]
    assert recorder.select_events(event(1, 1).originator_id)[0].state == b"first"
    assert stored(recorder) == [(1, 1), (2, 1)]


async def test_what_follows_a_refused_job_in_its_group_is_refused_too(
    group: Group, recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(1, 1)])
    outcomes = await group([event(1, 1)], [event(2, 1)], [event(1, 2)], [event(1, 3)])
    assert [type(each) for each in outcomes] == [
        VersionConflict,
        type(None),
        VersionConflict,
        VersionConflict,
    ]
    assert stored(recorder) == [(1, 1), (2, 1)]  # match 1 has no gap


async def test_a_job_over_several_matches_is_written_whole_or_not_at_all(
    group: Group, recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(2, 1)])
    outcomes = await group([event(1, 1), event(2, 1), event(3, 1)], [event(4, 1)])
    assert [type(each) for each in outcomes] == [VersionConflict, type(None)]
    assert stored(recorder) == [(2, 1), (4, 1)]


@pytest.mark.parametrize(
    ("version", "topic", "state"),
    [
        (2**63, "match.Tested", b"{}"),
        (1, "a lone half of a pair: \ud800", b"{}"),
        (1, "match.Tested", {"not": "bytes"}),
    ],
    ids=["version too large", "topic without an encoding", "state of a wrong type"],
)
async def test_events_that_no_database_can_store_fail_alone(
    group: Group,
    recorder: LogRecorder,
    event: EventMaker,
    version: int,
    topic: str,
    state: bytes,
) -> None:
    bad = StoredEvent(event(1, 1).originator_id, version, topic, state)
    outcomes = await group([event(2, 1)], [bad], [event(3, 1)])
    assert [type(each) for each in outcomes] == [type(None), EventsUnstorable, type(None)]
    assert stored(recorder) == [(2, 1), (3, 1)]


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_conflicts_in_a_group_each_match_is_without_gaps(
    group: Group, recorder: LogRecorder, event: EventMaker, seed: int
) -> None:
    taken = {(match * 7 + seed * 3) % 20 for match in range(6)}
    recorder.insert_events([event(match, 1) for match in taken])
    jobs = [[event(match, version)] for version in (1, 2) for match in range(20)]
    outcomes = await group(*jobs)
    written = [job[0] for job, outcome in zip(jobs, outcomes, strict=True) if outcome is None]
    assert stored(recorder)[len(taken) :] == [pair_of(each) for each in written]
    assert {pair_of(each)[0] for each in written} == set(range(20)) - taken
    assert all(outcome is None or isinstance(outcome, VersionConflict) for outcome in outcomes)


async def test_a_call_over_the_queue_limit_is_refused_and_the_others_are_served(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    with Writer(recorder, on_failure=unexpected, max_waiting=3) as writer:
        with factory.datastore.get_connection(commit=True):
            taken = [writer.submit([event(1, 1)])]
            await until(lambda: writer.stats().waiting == 0)
            taken += [writer.submit([event(match, 1)]) for match in (2, 3, 4)]
            with pytest.raises(LogOverloaded) as caught:
                writer.submit([event(5, 1)])
        await asyncio.gather(*taken)
        assert (caught.value.waiting, caught.value.limit) == (3, 3)
        await writer.submit([event(5, 1)])
    assert [match for match, _ in stored(recorder)] == [1, 2, 3, 4, 5]


async def test_a_group_is_no_larger_than_its_bound(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    with Writer(recorder, on_failure=unexpected, max_jobs=4) as writer:
        with factory.datastore.get_connection(commit=True):
            waiting = [writer.submit([event(match, 1)]) for match in range(10)]
        await asyncio.gather(*waiting)
        assert writer.stats().largest_batch <= 4
    assert [match for match, _ in stored(recorder)] == list(range(10))


async def test_closing_writes_what_waits_and_takes_no_more(
    factory: Factory, recorder: LogRecorder, event: EventMaker
) -> None:
    writer = Writer(recorder, on_failure=unexpected, max_jobs=4)
    with factory.datastore.get_connection(commit=True):
        waiting = [writer.submit([event(match, 1)]) for match in range(10)]
        closing = asyncio.create_task(asyncio.to_thread(writer.close))
        await until(lambda: writer._closed)
        with pytest.raises(LogClosed):
            writer.submit([event(11, 1)])
    assert await asyncio.gather(*waiting) == [None] * 10
    await closing
    writer.close()
    assert [match for match, _ in stored(recorder)] == list(range(10))


async def waiting_for(written: asyncio.Future[None]) -> None:
    await written


async def test_a_cancelled_caller_does_not_stop_the_write(
    factory: Factory, writer: Writer, recorder: LogRecorder, event: EventMaker
) -> None:
    with factory.datastore.get_connection(commit=True):
        gone = writer.submit([event(1, 1)])
        leaving = asyncio.create_task(waiting_for(gone))
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.sleep(0)
        assert not leaving.done()  # the outcome is reported first
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert gone.done()
    assert not gone.cancelled()
    await writer.submit([event(1, 2)])
    assert stored(recorder) == [(1, 1), (1, 2)]


def test_a_loop_that_is_gone_keeps_no_other_waiting(
    factory: Factory, writer: Writer, recorder: LogRecorder, event: EventMaker
) -> None:
    async def submit_and_leave() -> None:
        writer.submit([event(1, 1)])

    async def submit() -> None:
        await writer.submit([event(2, 1)])

    with factory.datastore.get_connection(commit=True):
        asyncio.run(submit_and_leave())
    asyncio.run(submit())
    assert stored(recorder) == [(1, 1), (2, 1)]


def test_loops_in_several_threads_share_one_writer(
    writer: Writer, recorder: LogRecorder, event: EventMaker
) -> None:
    async def play(match: int) -> None:
        for version in range(1, 21):
            await writer.submit([event(match, version)])

    with ThreadPoolExecutor(4) as loops:
        list(loops.map(lambda match: asyncio.run(play(match)), range(4)))
    log = stored(recorder)
    for match in range(4):
        assert [version for name, version in log if name == match] == list(range(1, 21))


async def test_no_room_in_the_database_fails_who_waits_and_passes_when_there_is_room(
    factory: Factory, writer: Writer, recorder: LogRecorder, event: EventMaker
) -> None:
    def allow(pages: int) -> None:
        with factory.datastore.get_connection(commit=True) as connection:
            assert isinstance(connection, LogConnection)
            connection.raw.execute(f"PRAGMA max_page_count = {pages}")

    await writer.submit([event(1, 1)])
    allow(1)  # SQLite makes that: as many pages as there are
    outcomes = await asyncio.gather(
        *(writer.submit([event(match, 2, bytes(20_000))]) for match in range(1, 9)),
        return_exceptions=True,
    )
    for each in outcomes:
        assert type(each) is LogUnavailable
        assert each.code == "SQLITE_FULL"
    assert stored(recorder) == [(1, 1)]
    allow(1_000_000)
    await writer.submit([event(1, 2, bytes(20_000))])
    assert stored(recorder) == [(1, 1), (1, 2)]


async def test_another_program_that_writes_is_waited_for_but_not_for_ever(
    log_file: Path, recorder: LogRecorder, event: EventMaker
) -> None:
    recorder.insert_events([event(1, 1)])
    impatient = Factory({"SQLITE_DBNAME": str(log_file), "SQLITE_LOCK_TIMEOUT": "1"})
    with (
        closing(impatient),
        closing(sqlite3.connect(log_file, isolation_level=None)) as other,
        Writer(impatient.application_recorder(), on_failure=unexpected) as writer,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogUnavailable, match="another process is writing"):
            await writer.submit([event(1, 2)])
        waiting = writer.submit([event(1, 2)])
        other.execute("ROLLBACK")
        await waiting
    assert stored(recorder) == [(1, 1), (1, 2)]


async def test_a_log_closed_under_the_writer_is_unavailable(
    factory: Factory, writer: Writer, event: EventMaker
) -> None:
    await writer.submit([event(1, 1)])
    factory.close()
    with pytest.raises(LogUnavailable):
        await writer.submit([event(1, 2)])
