"""What nobody waits for any more is given up: threads and slices are free for who waits yet."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from sqlite3 import Connection
from typing import Any
from uuid import UUID

import grpc.aio
import pytest

from projections import board_views, citations, transcripts
from projections.following.schema import go_on
from projections.questions import GivenUpError, Question
from services.api.background_work import MOST, BackgroundWork
from services.client import Client
from services.reads import Reads
from services.server import READERS, Service
from services.wire.emeth.v1 import history_pb2, views_pb2
from services.wire.emeth.v1.history_pb2_grpc import HistoryServiceStub
from tests.services.conftest import OPENING, Table
from tests.services.doors.connect_channel import ConnectChannel

ENDLESS = (
    "WITH RECURSIVE counted(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM counted)"
    " SELECT max(x) FROM counted"
)


def in_sqlite(connection: Connection) -> Any:
    """A question that SQLite never answers."""
    return connection.execute(ENDLESS).fetchone()


def in_python(connection: Connection) -> Any:
    """One that never ends by itself, and asks at each step whether it is still wanted."""
    while True:
        go_on(connection)


@pytest.fixture
def reads(service: Service) -> Reads:
    """What all handlers ask."""
    found = service.handlers[views_pb2]._reads  # type: ignore[attr-defined]
    assert isinstance(found, Reads)
    return found


@pytest.mark.parametrize("endless", [in_sqlite, in_python])
async def test_a_thread_that_reads_is_free_when_its_caller_is_gone(
    reads: Reads, client: Client, table: Table, endless: Callable[[Connection], Any]
) -> None:
    for _ in range(2 * READERS):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await reads.ask(endless)
    async with asyncio.timeout(30):
        assert (await client.match(table.id)).version == 3


@pytest.mark.parametrize("door", ["grpc", "connect"])
async def test_what_a_call_reads_is_given_up_at_its_deadline(
    service: Service, client: Client, table: Table, monkeypatch: pytest.MonkeyPatch, door: str
) -> None:
    given_up = threading.Semaphore(0)

    def never(connection: Connection, *_: Any) -> Any:
        try:
            in_python(connection)
        finally:
            given_up.release()

    monkeypatch.setattr("services.api.transcripts.transcripts.write", never)
    metadata = (("authorization", f"Bearer {table.white}"),)
    request = history_pb2.GetTranscriptRequest(match_id=table.id)
    other: Any = (
        ConnectChannel(service.http_address)
        if door == "connect"
        else grpc.aio.insecure_channel(service.address)
    )
    for _ in range(2 * READERS):
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await HistoryServiceStub(other).GetTranscript(request, timeout=0.1, metadata=metadata)  # type: ignore[misc]
        assert ended.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert await asyncio.to_thread(given_up.acquire, timeout=30)
    async with asyncio.timeout(30):
        assert (await client.match(table.id)).version == 3
    await other.close()


async def test_a_question_that_was_given_up_is_not_begun(reads: Reads) -> None:
    question = Question()
    question.give_up()
    with pytest.raises(GivenUpError):
        reads.now(in_python, question)
    assert reads.now(lambda connection: connection.execute("SELECT 1").fetchone()) == (1,)


async def test_a_question_does_not_rest_for_the_time_it_waited(reads: Reads) -> None:
    question = Question()
    question._since -= 60  # as if all threads had been busy for a minute
    async with asyncio.timeout(30):
        assert await asyncio.to_thread(reads.now, lambda _: "answered", question) == "answered"


async def test_a_rest_ends_when_nobody_waits_any_more(reads: Reads) -> None:
    question, resting = Question(), threading.Event()

    def slow(connection: Connection) -> None:
        question._since -= 60  # as if one step had taken so long
        resting.set()
        go_on(connection)

    asked = asyncio.create_task(asyncio.to_thread(reads.now, slow, question))
    async with asyncio.timeout(30):
        await asyncio.to_thread(resting.wait)
        question.give_up()
        with pytest.raises(GivenUpError):
            await asked


async def test_long_answers_ask_at_each_event_whether_they_are_wanted(
    reads: Reads, client: Client, table: Table
) -> None:
    for seat, action in OPENING:
        await client.submit(getattr(table, seat), table.id, action)
    await client.match(table.id)
    match = UUID(table.id)
    for read in (
        lambda connection: transcripts.write(connection, match, "white"),
        lambda connection: board_views.steps(connection, match, 0, 100),
        lambda connection: citations.citations(connection, match, "white"),
    ):
        assert reads.now(read)
        question = Question()

        def given_up(connection: Connection, read: Any = read, question: Any = question) -> Any:
            question._given_up.set()  # in the middle of it
            return read(connection)

        with pytest.raises(GivenUpError):
            reads.now(given_up, question)


async def test_long_work_ends_with_the_slice_in_which_its_caller_went_away() -> None:
    work, steps = BackgroundWork(), 0

    def endless() -> Iterator[int]:
        nonlocal steps
        while True:
            steps += 1
            time.sleep(0.001)
            yield steps

    for _ in range(2 * MOST):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await work.all(endless())
    done = steps
    assert done
    assert await work.all(iter("all")) == ["a", "l", "l"]
    assert steps == done, "nothing goes on behind it"
