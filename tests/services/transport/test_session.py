"""`PlayService.Session`: many calls on one stream, and what becomes of them."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import grpc.aio
import pytest
from google.rpc.error_details_pb2 import ErrorInfo

from services.client import Client, ServiceError, new_request
from services.client.subscriptions import match_subscription
from services.main import Service
from services.proof.signing import Signer
from services.transport import session
from services.wire.emeth.v1 import play_pb2 as pb
from services.wire.emeth.v1 import session_pb2, views_pb2
from services.wire.emeth.v1.play_service_pb2_grpc import PlayServiceStub
from tests.services.cli.conftest import RunningService
from tests.services.conftest import OPENING, CreatedMatch, Table, create_match

SECONDS = 10


class Line:
    """A session by hand, message by message."""

    def __init__(self, channel: grpc.aio.Channel, token: str = "") -> None:
        connect: Any = PlayServiceStub(channel).Session
        self.stream = connect(metadata=(("authorization", f"Bearer {token}"),) if token else ())

    async def send(self, *calls: session_pb2.SessionCall) -> None:
        await self.stream.write(session_pb2.SessionRequest(calls=calls))

    async def answers(self, count: int) -> list[session_pb2.CallResponse]:
        """So many answers, or those until the stream ends; without those that only say that a
        subscription and its topic have begun."""
        found: list[session_pb2.CallResponse] = []
        async with asyncio.timeout(SECONDS):
            while len(found) < count and (message := await self.stream.read()):
                found += (each for each in message.responses if not has_begun(each))
        return found


def has_begun(answer: session_pb2.CallResponse) -> bool:
    event = answer.subscribe.WhichOneof("event")
    return event in ("subscription_started", "topic_started")


@pytest.fixture
async def channel(service: Service) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(service.address) as connected:
        yield connected


def reason(answer: session_pb2.CallResponse) -> str:
    info = ErrorInfo()
    assert answer.error.details[0].Unpack(info)
    return info.reason


def submit(
    number: int, table: Table | CreatedMatch, action: str, token: int
) -> session_pb2.SessionCall:
    request = pb.SubmitActionRequest(request_id=new_request(), match_id=table.id, action=action)
    return session_pb2.SessionCall(call_id=number, token_id=token, submit_action=request)


def listed(number: int, match_id: str, token: int = 0) -> session_pb2.SessionCall:
    return session_pb2.SessionCall(
        call_id=number, token_id=token, list_actions=pb.ListActionsRequest(match_id=match_id)
    )


def give(number: int, token: int, secret: str) -> session_pb2.SessionCall:
    return session_pb2.SessionCall(
        call_id=number, authenticate=session_pb2.Authenticate(token_id=token, token=secret)
    )


def watch(number: int, match_id: str, token: int = 0, after: int = 0) -> session_pb2.SessionCall:
    request = match_subscription(match_id, after)
    return session_pb2.SessionCall(call_id=number, token_id=token, subscribe=request)


async def test_calls_of_a_match_are_taken_in_their_order_each_with_its_own_token(
    channel: grpc.aio.Channel, table: Table
) -> None:
    line = Line(channel)
    tokens = {"white": 1, "black": 2}
    calls = [submit(10 + n, table, do, tokens[who]) for n, (who, do) in enumerate(OPENING)]
    await line.send(give(1, 1, table.white), give(2, 2, table.black), *calls)
    answers = await line.answers(6)
    assert [each.call_id for each in answers] == [1, 2, 10, 11, 12, 13]
    assert [each.submit_action.accepted.version for each in answers[2:]] == [4, 5, 6, 7]


async def test_the_token_of_the_stream_needs_no_giving(
    channel: grpc.aio.Channel, table: Table
) -> None:
    line = Line(channel, table.white)
    await line.send(listed(7, table.id))
    (answer,) = await line.answers(1)
    assert answer.list_actions.actions


async def test_a_refusal_by_the_rules_is_an_answer_and_a_failure_is_the_status_of_the_call(
    channel: grpc.aio.Channel, table: Table
) -> None:
    line = Line(channel, table.white)
    await line.send(submit(1, table, "a6-a1", 0), listed(2, "no-id"), listed(3, table.id))
    refused, failed, fine = sorted(await line.answers(3), key=lambda each: each.call_id)
    assert refused.submit_action.refused.rule.startswith("agog.")
    assert (failed.error.code, reason(failed)) == (3, "FIELD_INVALID")
    assert fine.list_actions.actions


async def test_a_signing_failure_is_reported_to_each_caller_and_a_retry_gets_the_receipt(
    channel: grpc.aio.Channel, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> str:
        raise OSError("the key is not to be had")

    line = Line(channel, table.white)
    call = submit(1, table, OPENING[0][1], 0)
    call.submit_action.group_receipt = True
    with monkeypatch.context() as broken:
        broken.setattr(Signer, "sign", fails)
        await line.send(call)
        (failed,) = await line.answers(1)
    assert reason(failed) == "INTERNAL"
    await line.send(call)
    (answer,) = await line.answers(1)
    assert answer.submit_action.accepted.receipt.signature


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (session_pb2.SessionCall(call_id=5), "it is empty: name a method"),
        (listed(5, "x", token=9), "no token with the ID 9"),
        (give(5, 0, "secret"), "less than or equal to 4096"),
        (give(5, 4097, "secret"), "less than or equal to 4096"),
        (give(5, 1, ""), "at least 1 characters"),
        (give(5, 1, "x" * 257), "1 to 256 characters"),
    ],
)
async def test_a_call_that_is_none_fails_alone(
    channel: grpc.aio.Channel, table: Table, call: session_pb2.SessionCall, why: str
) -> None:
    line = Line(channel, table.white)
    await line.send(call, listed(6, table.id))
    failed, fine = sorted(await line.answers(2), key=lambda each: each.call_id)
    assert why in failed.error.message
    assert (reason(failed), fine.call_id) == ("FIELD_INVALID", 6)


async def test_bytes_that_are_no_message_end_the_session(
    service: Service, channel: grpc.aio.Channel
) -> None:
    stream: Any = channel.stream_stream("/emeth.v1.PlayService/Session")()
    await stream.write(b"\xff" * 9)
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await stream.read()
    assert ServiceError.from_rpc(ended.value).reason == "MESSAGE_MALFORMED"


async def test_a_deadline_ends_the_waiting_and_nothing_else(
    client: Client, channel: grpc.aio.Channel, table: Table
) -> None:
    """A scene of a version that is still to come is waited for."""
    line = Line(channel, table.white)
    coming = views_pb2.GetViewRequest(match_id=table.id, at_least_version=9)
    await line.send(
        session_pb2.SessionCall(call_id=1, timeout=timedelta(milliseconds=30), get_view=coming),
        listed(2, table.id),
    )
    late, fine = await line.answers(2)
    assert reason(late) in {"DEADLINE_EXCEEDED", "REPLICA_LAG", "VERSION_OUT_OF_RANGE"}
    assert fine.list_actions.actions


async def test_a_watch_shows_what_comes_until_it_is_stopped(
    client: Client, channel: grpc.aio.Channel, table: Table
) -> None:
    line = Line(channel, table.spectator)
    await line.send(watch(1, table.id))
    seen = await line.answers(3)
    await client.submit(table.white, table.id, "a6-b6")
    seen += await line.answers(1)
    assert [each.subscribe.match_event.event.version for each in seen] == [1, 2, 3, 4]
    assert all(each.has_more for each in seen)
    stopping = session_pb2.SessionCall(call_id=2, stop_watching=session_pb2.StopWatching(call_id=1))
    await line.send(stopping)
    ended, stopped = await line.answers(2)
    assert (ended.call_id, ended.has_more, ended.WhichOneof("response")) == (1, False, None)
    assert (stopped.call_id, stopped.WhichOneof("response")) == (2, "stop_watching")
    await client.submit(table.black, table.id, "h3-g3")
    await line.send(watch(1, table.id, after=4))  # the number is free again
    (event,) = await line.answers(1)
    assert event.subscribe.match_event.event.version == 5


async def test_a_watch_that_may_not_be_is_refused_and_two_have_not_one_number(
    client: Client, channel: grpc.aio.Channel, table: Table
) -> None:
    line = Line(channel, table.spectator)
    other = (await client.create_match(game="agog")).match.match_id
    await line.send(watch(1, table.id, after=3), watch(1, table.id))
    assert [reason(each) for each in await line.answers(1)] == ["FIELD_INVALID"]
    await line.send(watch(2, other))
    ended, last = await line.answers(2)
    info = ErrorInfo()
    assert ended.subscribe.topic_ended.error.details[0].Unpack(info)
    assert (info.reason, last.WhichOneof("response"), last.has_more) == (
        "TOKEN_WRONG_MATCH", None, False
    )  # fmt: skip


async def test_a_client_that_does_not_read_is_not_read_from_and_keeps_no_other_waiting(
    client: Client, service: Service, channel: grpc.aio.Channel, table: Table
) -> None:
    calls = 4 * session.MAX_CALLS
    line = Line(channel, table.white)
    await line.send(watch(1, table.id, after=3))

    async def flood() -> None:
        for number in range(calls):
            await line.send(listed(10 + number, table.id))

    flooding = asyncio.create_task(flood())
    await asyncio.sleep(0.3)
    (held,) = service._listening.sessions._open
    assert held._running_count <= session.MAX_CALLS
    for seat, action in OPENING:
        await client.submit({"white": table.white, "black": table.black}[seat], table.id, action)
    answers = await line.answers(calls + len(OPENING))
    await flooding
    shown = [each.subscribe.match_event.event.version for each in answers if each.has_more]
    numbers = [each.call_id for each in answers if not each.has_more]
    assert shown == [4, 5, 6, 7]
    assert numbers == list(range(10, 10 + calls))


async def test_a_session_ends_with_what_its_client_has_to_ask(
    service: Service, channel: grpc.aio.Channel, table: Table
) -> None:
    line = Line(channel, table.white)
    await line.send(watch(1, table.id, after=3), submit(2, table, "a6-b6", 0))
    await line.stream.done_writing()
    answers = await line.answers(99)
    assert {each.call_id for each in answers} == {1, 2}
    assert await line.stream.code() is grpc.StatusCode.OK
    assert len(service._listening.sessions) == 0


async def test_a_watch_that_never_came_to_start_ends_too(
    channel: grpc.aio.Channel, table: Table
) -> None:
    line = Line(channel, table.white)
    stopping = session_pb2.SessionCall(call_id=2, stop_watching=session_pb2.StopWatching(call_id=1))
    await line.send(watch(1, table.id), stopping)
    await line.stream.done_writing()
    assert [each.call_id for each in await line.answers(99)] == [1, 2]
    assert await line.stream.code() is grpc.StatusCode.OK


# --- a service that goes away ---------------------------------------------------------------------


@pytest.fixture
def running(tmp_path: Any) -> Any:
    service = RunningService(tmp_path)
    service.start()
    yield service
    service.stop()


async def test_a_service_that_stops_answers_what_it_started_and_says_where_to_continue(
    running: RunningService,
) -> None:
    async with Client(running.address) as client:
        match = await create_match(client, "agog")
    async with grpc.aio.insecure_channel(running.address) as channel:
        line = Line(channel, match.tokens["white"])
        await line.send(watch(1, match.id), submit(2, match, "a6-b6", 0))
        seen = await line.answers(3)
        stopping = asyncio.create_task(asyncio.to_thread(running.stop))
        seen += await line.answers(99)
        assert await line.stream.code() is grpc.StatusCode.OK
        assert await stopping == 0
    last = [each.subscribe for each in seen if each.call_id == 1 and each.has_more][-1]
    assert last.HasField("stream_ending")


@pytest.mark.parametrize("number", [15, 9], ids=["told to stop", "killed"])
async def test_a_client_with_a_session_continues_when_the_service_starts_again(
    running: RunningService, number: int
) -> None:
    async with Client(running.address, session=True, patience_seconds=SECONDS) as client:
        match = await create_match(client, "agog")
        watching = client.watch(match.tokens["spectator"], match.id)

        async def look() -> list[int]:
            return [(await anext(watching)).event.version for _ in range(3)]

        looking = asyncio.create_task(look())
        moves = [(match.tokens[seat], action) for seat, action in OPENING]
        await client.submit(moves[0][0], match.id, moves[0][1])
        running.stop(number)
        submitted = asyncio.create_task(client.submit(moves[1][0], match.id, moves[1][1]))
        await asyncio.sleep(0.1)
        running.start()
        assert (await submitted).accepted.version == 3
        async with asyncio.timeout(SECONDS):
            assert await looking == [1, 2, 3]
        await watching.aclose()


async def test_a_session_that_breaks_off_as_it_is_written_to_is_a_lost_line(
    service: Service,
) -> None:
    async with Client(service.address, session=True, patience_seconds=SECONDS) as client:
        match = await create_match(client, "agog")
        watching = client.watch(match.tokens["spectator"], match.id)
        assert (await anext(watching)).event.version == 1
        typed_for_sessions: Any = client._channel
        broken = typed_for_sessions.session()
        # What gRPC's client says when it can write no more, whatever the reason was.
        broken._stream._cython_call.set_internal_error("Failed grpc_call_start_batch")
        code, why = await broken._stream.code(), await broken._stream.details()
        assert code is grpc.StatusCode.INTERNAL
        nothing = grpc.aio.Metadata()
        broken._end(grpc.aio.AioRpcError(code, nothing, nothing, details=why))
        seat, action = OPENING[0]
        assert (await client.submit(match.tokens[seat], match.id, action)).accepted.version == 2
        assert (await anext(watching)).event.version == 2
        await watching.aclose()
