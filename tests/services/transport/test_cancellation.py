"""Work without a caller is cancelled: threads and slices are free for waiting callers."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from sqlite3 import Connection
from typing import Any
from uuid import UUID, uuid4

import grpc.aio
import pytest
import structlog

from projections.projector.schema import check_cancelled
from projections.queries import citations
from projections.queries.cancellation import CancellableQuery, QueryCancelledError
from projections.views import board_views, transcripts
from services.api.background_work import MAX_CONCURRENT, BackgroundWork
from services.client import Client
from services.client.subscriptions import match_subscription
from services.main import READER_THREADS, Service
from services.runtime.metrics import CallMetrics
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import history_pb2, play_pb2, session_pb2, views_pb2
from services.wire.emeth.v1.history_pb2_grpc import HistoryServiceStub
from services.wire.emeth.v1.play_service_pb2_grpc import PlayServiceStub
from services.wire.emeth.v1.views_pb2_grpc import ViewsServiceStub
from tests.services.conftest import OPENING, Table
from tests.services.transport.connect_channel import ConnectChannel
from tests.services.transport.test_session import Line

ENDLESS = (
    "WITH RECURSIVE counted(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM counted)"
    " SELECT max(x) FROM counted"
)


def in_sqlite(connection: Connection) -> Any:
    """A question that SQLite never answers."""
    return connection.execute(ENDLESS).fetchone()


def in_python(connection: Connection) -> Any:
    """Work that never ends, and checks at each step whether it is still wanted."""
    while True:
        check_cancelled(connection)


@pytest.fixture
def reads(service: Service) -> ReadModelQueries:
    """What all handlers ask."""
    found = service.handlers[views_pb2]._read_models  # type: ignore[attr-defined]
    assert isinstance(found, ReadModelQueries)
    return found


@pytest.mark.parametrize("endless", [in_sqlite, in_python])
async def test_a_thread_that_reads_is_free_when_its_caller_is_gone(
    reads: ReadModelQueries, client: Client, table: Table, endless: Callable[[Connection], Any]
) -> None:
    for _ in range(2 * READER_THREADS):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await reads.ask(endless)
    async with asyncio.timeout(30):
        assert (await client.match(table.id)).version == 3


@pytest.mark.parametrize("transport", ["grpc", "connect"])
async def test_what_a_call_reads_is_given_up_at_its_deadline(
    service: Service, client: Client, table: Table, monkeypatch: pytest.MonkeyPatch, transport: str
) -> None:
    given_up = threading.Semaphore(0)

    def never(connection: Connection, *_: Any, **__: Any) -> Any:
        try:
            in_python(connection)
        finally:
            given_up.release()

    monkeypatch.setattr("services.api.history.history.history_page", never)
    metadata = (("authorization", f"Bearer {table.white}"),)
    request = history_pb2.ListEventsRequest(match_id=table.id)
    other: Any = (
        ConnectChannel(service.http_address)
        if transport == "connect"
        else grpc.aio.insecure_channel(service.address)
    )
    seconds, ended_calls = 0.1, 0
    while ended_calls < 2 * READER_THREADS:
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await HistoryServiceStub(other).ListEvents(request, timeout=seconds, metadata=metadata)  # type: ignore[misc]
        assert ended.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        if await asyncio.to_thread(given_up.acquire, timeout=5):
            ended_calls += 1
        else:  # the deadline came before the read began
            seconds *= 2
    async with asyncio.timeout(30):
        assert (await client.match(table.id)).version == 3
    await other.close()


async def test_a_question_that_was_given_up_is_not_begun(reads: ReadModelQueries) -> None:
    question = CancellableQuery()
    question.cancel()
    with pytest.raises(QueryCancelledError):
        reads.ask_blocking(in_python, question)
    assert reads.ask_blocking(lambda connection: connection.execute("SELECT 1").fetchone()) == (1,)


async def test_a_question_does_not_rest_for_the_time_it_waited(reads: ReadModelQueries) -> None:
    question = CancellableQuery()
    question._slice_start -= 60  # as if all threads had been busy for a minute
    async with asyncio.timeout(30):
        assert (
            await asyncio.to_thread(reads.ask_blocking, lambda _: "answered", question)
            == "answered"
        )


async def test_a_rest_ends_when_nobody_waits_any_more(reads: ReadModelQueries) -> None:
    question, resting = CancellableQuery(), threading.Event()

    def slow(connection: Connection) -> None:
        question._slice_start -= 60  # as if one step had taken so long
        resting.set()
        check_cancelled(connection)

    asked = asyncio.create_task(asyncio.to_thread(reads.ask_blocking, slow, question))
    async with asyncio.timeout(30):
        await asyncio.to_thread(resting.wait)
        question.cancel()
        with pytest.raises(QueryCancelledError):
            await asked


async def test_long_answers_ask_at_each_event_whether_they_are_wanted(
    reads: ReadModelQueries, client: Client, table: Table
) -> None:
    for seat, action in OPENING:
        await client.submit(getattr(table, seat), table.id, action)
    await client.match(table.id)
    match = UUID(table.id)
    for read in (
        lambda connection: transcripts.write(connection, match, "white"),
        lambda connection: board_views.read_transitions(connection, match, 0, 100),
        lambda connection: citations.citations(connection, match, "white"),
    ):
        assert reads.ask_blocking(read)
        question = CancellableQuery()

        def given_up(connection: Connection, read: Any = read, question: Any = question) -> Any:
            question._cancelled.set()  # in the middle of it
            return read(connection)

        with pytest.raises(QueryCancelledError):
            reads.ask_blocking(given_up, question)


async def test_long_work_ends_with_the_slice_in_which_its_caller_went_away() -> None:
    work, steps = BackgroundWork(), 0

    def endless() -> Iterator[int]:
        nonlocal steps
        while True:
            steps += 1
            time.sleep(0.001)
            yield steps

    for _ in range(2 * MAX_CONCURRENT):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await work.collect(endless())
    done = steps
    assert done
    assert await work.collect(iter("all")) == ["a", "l", "l"]
    assert steps == done, "nothing goes on behind it"


# --- calls that are given up are counted and logged -----------------------------------------------


@pytest.fixture
def hanging(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A database that does not answer the next commit until the event is set."""
    goes_on, write = threading.Event(), service._log.recorder.insert_events

    def hang(*given: Any, **terms: Any) -> Any:
        goes_on.wait()
        return write(*given, **terms)

    monkeypatch.setattr(service._log.recorder, "insert_events", hang)
    yield goes_on
    goes_on.set()


def counted(service: Service) -> CallMetrics:
    return service._pipeline.metrics


async def until(so: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(30):
        while not so():  # noqa: ASYNC110  # counters set no event
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("transport", ["grpc", "connect", "session"])
async def test_a_call_that_is_given_up_while_the_database_hangs_is_counted_and_logged_at_once(
    service: Service, table: Table, hanging: threading.Event, transport: str
) -> None:
    request = submission(table)
    key = ("SubmitAction", transport, "DEADLINE_EXCEEDED")
    with structlog.testing.capture_logs() as logs:
        if transport == "session":
            channel: Any = grpc.aio.insecure_channel(service.address)
            line = Line(channel, table.white)
            await line.send(
                session_pb2.SessionCall(
                    call_id=1, timeout=timedelta(milliseconds=300), submit_action=request
                )
            )
            waiting = asyncio.ensure_future(line.answers(1))
        else:
            channel = (
                ConnectChannel(service.http_address)
                if transport == "connect"
                else grpc.aio.insecure_channel(service.address)
            )
            asked: Any = PlayServiceStub(channel).SubmitAction(
                request, timeout=0.3, metadata=(("authorization", f"Bearer {table.white}"),)
            )
            waiting = asyncio.ensure_future(_ended(asked))
        await until(lambda: counted(service).calls[key])
        hanging.set()
        await waiting
        await channel.close()
        async with Client(service.address) as client:
            await client.submit(table.black, table.id, "h3-g3")  # all before is over
    assert counted(service).calls[key] == 1, "it is counted once"
    given_up = [each for each in logs if each["event"] == "call given up"]
    (record,) = [each for each in given_up if each["rpc"] == "SubmitAction"]
    assert (record["rpc"], record["transport"], record["reason"]) == key


def submission(table: Table) -> play_pb2.SubmitActionRequest:
    return play_pb2.SubmitActionRequest(match_id=table.id, request_id=str(uuid4()), action="a6-b6")


async def _ended(asked: Any) -> None:
    with pytest.raises(grpc.aio.AioRpcError):
        await asked


async def test_a_cancelled_call_is_distinguished_from_an_expired_one(
    service: Service, table: Table, hanging: threading.Event
) -> None:
    async with grpc.aio.insecure_channel(service.address) as other:
        asked: Any = PlayServiceStub(other).SubmitAction(
            submission(table), metadata=(("authorization", f"Bearer {table.white}"),)
        )
        await until(lambda: service._log.stats().running_seconds)
        asked.cancel()
        await until(lambda: counted(service).calls["SubmitAction", "grpc", "CANCELLED"])


@pytest.mark.parametrize("transport", ["grpc", "connect"])
async def test_streams_are_counted_while_they_are_open_and_timed_apart_from_calls(
    service: Service, table: Table, transport: str
) -> None:
    other: Any = (
        ConnectChannel(service.http_address)
        if transport == "connect"
        else grpc.aio.insecure_channel(service.address)
    )
    stream: Any = ViewsServiceStub(other).Subscribe(
        match_subscription(table.id),
        metadata=(("authorization", f"Bearer {table.white}"),),
    )
    await anext(aiter(stream))
    assert counted(service).open_streams["Subscribe"] == 1
    stream.cancel()
    await until(lambda: counted(service).calls["Subscribe", transport, "CANCELLED"])
    assert counted(service).open_streams["Subscribe"] == 0
    assert "Subscribe" in counted(service).streams
    assert "Subscribe" not in counted(service).seconds
    await other.close()
