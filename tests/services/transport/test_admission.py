"""Callers over their rate limit wait and learn how long; no other caller does."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import msgspec
import pytest

from services.accounts.context import RequestContext
from services.accounts.tokens import token_digest
from services.client import Client, ServiceError
from services.main import Service
from services.runtime.errors import ApiError, Reason
from services.runtime.limits import Limits
from services.runtime.rate_limits import RateLimit, TokenBuckets
from services.runtime.settings import Settings
from services.transport import admission
from services.transport.admission import AdmissionController
from services.transport.pipeline import CallPipeline
from services.wire.emeth.v1 import play_pb2, session_pb2
from services.wire.emeth.v1.games_pb2 import GetGameRequest
from services.wire.emeth.v1.games_pb2_grpc import GamesServiceStub
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from services.wire.emeth.v1.play_service_pb2_grpc import PlayServiceStub
from tests.hostile_peers import burst
from tests.services.conftest import CreatedMatch, create_match
from tests.services.transport.connect_channel import ConnectChannel

TOO_OFTEN = "LIMIT_EXCEEDED"
BURST = 200
"""Streams that are opened at once."""


@pytest.fixture(autouse=True)
def _soon_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals are not held back for long."""
    monkeypatch.setattr(admission, "MIN_REFUSAL_DELAY_SECONDS", 0.01)
    monkeypatch.setattr(admission, "MAX_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(admission, "MAX_STREAM_WAIT_SECONDS", 0.01)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        data=str(tmp_path / "data"),
        listen="127.0.0.1:0",
        http="127.0.0.1:0",
        drain_seconds=1,
    )


@pytest.fixture
def limits() -> Limits:
    return Limits(address=1, streams=2)


@pytest.fixture
async def match(service: Service, client: Client) -> CreatedMatch:
    return await create_match(client)


async def flooded(client: Client, calls: int = 40) -> Counter[str]:
    """What is answered to so many calls without a token."""
    counts: Counter[str] = Counter()
    for answer in await asyncio.gather(
        *(client.get_game(game="agog") for _ in range(calls)), return_exceptions=True
    ):
        if isinstance(answer, ServiceError):
            assert answer.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert answer.retry_seconds > 0, "RetryInfo says when to come again"
            assert answer.metadata["limit"] == "address"
        elif isinstance(answer, BaseException):
            raise answer
        counts[getattr(answer, "reason", "OK")] += 1
    return counts


async def test_a_flood_without_tokens_is_refused_and_slows_no_token(
    client: Client, match: CreatedMatch
) -> None:
    counts = await flooded(client)
    assert counts[TOO_OFTEN] == 40 - counts["OK"] > 0
    for seat, action in (("white", "a6-b6"), ("black", "h3-g3")):
        answer = await client.submit(match.tokens[seat], match.id, action)
        assert answer.HasField("accepted")


@pytest.fixture
async def connect_channel(service: Service) -> AsyncIterator[ConnectChannel]:
    channel = ConnectChannel(service.http_address, json=True)
    yield channel
    await channel.close()


async def test_both_transports_share_rate_limits(
    client: Client, match: CreatedMatch, connect_channel: ConnectChannel
) -> None:
    await flooded(client)
    stub = GamesServiceStub(connect_channel)  # type: ignore[arg-type]  # all that a stub asks of one

    async def ask() -> None:
        for _ in range(40):
            await stub.GetGame(GetGameRequest(game="agog"))

    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ask()
    error = ServiceError.from_rpc(refused.value)
    assert (error.reason, error.retry_seconds > 0) == (TOO_OFTEN, True)


async def test_a_session_counts_each_of_its_tokens(
    service: Service, match: CreatedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = service._pipeline.admission
    monkeypatch.setitem(gate._rates, "token", RateLimit(per_second=0.01, burst=3))
    answers_by_seat: dict[str, list[str]] = {"white": [], "black": []}
    async with Client(service.address, session=True) as client:
        for seat, answers in answers_by_seat.items():
            for _ in range(5):
                try:
                    await client.submit(match.tokens[seat], match.id, "nonsense")
                    answers.append("OK")
                except ServiceError as error:
                    answers.append(error.reason)
    assert answers_by_seat["white"] == answers_by_seat["black"] == ["OK"] * 3 + [TOO_OFTEN] * 2


async def test_wrong_tokens_run_out_and_good_ones_do_not(
    client: Client, match: CreatedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "UNPROVEN_TOKEN_RATE", RateLimit(per_second=0.01, burst=10))
    counts: Counter[str] = Counter()
    for guess in range(20):
        with pytest.raises(ServiceError) as refused:
            await client.submit(f"guess{guess:030}", match.id, "a6-b6")
        counts[refused.value.reason] += 1
    assert counts == {"TOKEN_WRONG_MATCH": 10, TOO_OFTEN: 10}
    answer = await client.submit(match.tokens["white"], match.id, "a6-b6")
    assert answer.HasField("accepted"), "the service gave this token out"


async def test_a_token_that_proves_good_takes_nothing(
    service: Service, client: Client, match: CreatedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "UNPROVEN_TOKEN_RATE", RateLimit(per_second=0.01, burst=1))
    for token in match.tokens.values():
        service._pipeline.admission._known_tokens.clear()  # as after a restart
        scene = await client.view(token, match.id, "text")
        assert scene.version == 1


async def test_streams_of_one_caller_are_counted(client: Client, match: CreatedMatch) -> None:
    token = match.tokens["white"]
    watching = [client.watch(token, match.id) for _ in range(2)]
    for each in watching:
        await anext(each)
    with pytest.raises(ServiceError) as refused:
        await anext(client.watch(token, match.id))
    assert (refused.value.reason, refused.value.metadata["limit"]) == (TOO_OFTEN, "streams")
    other = client.watch(match.tokens["black"], match.id)
    await anext(other)
    for each in (*watching, other):
        await each.aclose()
    async with asyncio.timeout(30):
        while True:  # until the service has noticed that they ended
            with suppress(ServiceError):
                await anext(client.watch(token, match.id))
                break
            await asyncio.sleep(0.05)


async def test_calls_of_one_caller_are_begun_in_order_and_not_all_at_once() -> None:
    gate, log, ends = AdmissionController(Limits()), [], [asyncio.Event() for _ in range(5)]

    async def ask(number: int, peer: str) -> None:
        async with gate.permit(RequestContext("", None, peer=peer), "GetGame"):
            log.append(number)
            await ends[number].wait()

    calls = [asyncio.create_task(ask(number, "192.0.2.1")) for number in range(4)]
    calls.append(asyncio.create_task(ask(4, "192.0.2.2")))
    for _ in calls:
        await asyncio.sleep(0)
    assert log == [0, 1, 4], "two at once for all at an address without tokens"
    for number in (1, 0, 2, 3, 4):
        ends[number].set()
    await asyncio.gather(*calls)
    assert log == [0, 1, 4, 2, 3]


async def test_a_call_that_is_given_up_while_it_waits_holds_nothing() -> None:
    gate, end = AdmissionController(Limits()), asyncio.Event()
    call = RequestContext("", None, peer="192.0.2.1")

    async def ask() -> None:
        async with gate.permit(call, "GetGame"):
            await end.wait()

    calls = [asyncio.create_task(ask()) for _ in range(4)]
    await asyncio.sleep(0)
    calls[2].cancel()
    end.set()
    assert [type(each) for each in await asyncio.gather(*calls, return_exceptions=True)] == [
        type(None),
        type(None),
        asyncio.CancelledError,
        type(None),
    ]


@pytest.mark.parametrize(
    ("host", "forwarded", "caller"),
    [
        ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        # What the caller sent itself stands to the left of what the proxy wrote.
        ("10.0.0.1", "10.0.0.2, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "10.0.0.2", "10.0.0.2"),
        ("10.1.0.1", "198.51.100.1,203.0.113.9,10.1.255.255", "203.0.113.9"),
        ("10.2.0.1", "203.0.113.9", "10.2.0.1"),
        # A header of its own for each proxy, as HAProxy writes it.
        ("10.0.0.1", "198.51.100.1|203.0.113.9|10.0.0.2", "203.0.113.9"),
        # With ports, and in the ways in which transports write addresses.
        ("10.0.0.1", "198.51.100.1:80, 203.0.113.9:5123", "203.0.113.9"),
        ("%5B2001:db8::1%5D", "198.51.100.1, [2001:db8:1::9]:443", "2001:db8:1::9"),
        ("2001:db8::1", '"2001:db8:1::9"', "2001:db8:1::9"),
        ("::ffff:10.0.0.1", "198.51.100.1, ::ffff:203.0.113.9", "203.0.113.9"),
        # What is no address was not written by a proxy: nothing to the left of it is believed.
        ("10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1, , 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "198.51.100.1, 203.0.113.9,", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.2/8", "10.0.0.1"),
        ("", "203.0.113.9", ""),
    ],
)
def test_the_caller_is_the_rightmost_address_that_is_no_trusted_proxy(
    host: str, forwarded: str, caller: str
) -> None:
    gate = CallPipeline(
        Settings(proxies=" 10.0.0.1,10.0.0.2 ,, 10.1.0.0/16, 2001:db8::1/128"), Limits()
    )
    assert gate.peer(host, forwarded.split("|")) == caller


@pytest.mark.parametrize("call", ["grpc", "connect"])
async def test_a_caller_with_a_forged_proxy_header_is_limited_by_its_own_address(
    settings: Settings, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers: list[str] = []
    find = CallPipeline.peer

    def peer(gate: CallPipeline, host: str, forwarded: Any) -> str:
        peers.append(find(gate, host, forwarded))
        return peers[-1]

    monkeypatch.setattr(CallPipeline, "peer", peer)
    sent = [("x-forwarded-for", each) for each in ("198.51.100.1", "203.0.113.9, 127.0.0.1")]
    settings = msgspec.structs.replace(settings, proxies="127.0.0.0/8")
    async with Service(settings) as service:
        if call == "grpc":
            async with grpc.aio.insecure_channel(service.address) as channel:
                typed_for_blocking: Any = GamesServiceStub(channel)
                await typed_for_blocking.GetGame(GetGameRequest(game="agog"), metadata=sent)
        else:
            address = urlsplit(service.http_address)
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            head = [
                "POST /emeth.v1.GamesService/GetGame HTTP/1.1",
                f"host: {address.netloc}",
                *(f"{name}: {value}" for name, value in sent),
                "content-type: application/json",
                "content-length: 2",
            ]
            writer.write("\r\n".join((*head, "", "{}")).encode())
            await reader.readline()
            writer.close()
    assert peers == ["203.0.113.9"]


async def test_nothing_is_limited_that_is_set_to_0() -> None:
    gate = AdmissionController(Limits(address=0, token=0, streams=0))
    for number in range(2000):
        async with gate.permit(RequestContext(f"wrong{number}", None, peer="192.0.2.1"), "GetView"):
            pass
        async with gate.permit(RequestContext("", None, peer="192.0.2.1"), "Topic", stream=True):
            pass


async def test_a_refused_call_says_how_long_to_wait() -> None:
    gate = AdmissionController(Limits(address=1), clock=lambda: 5.0)
    call = RequestContext("", None, peer="192.0.2.1")
    for _ in range(10):
        async with gate.permit(call, "GetGame"):
            pass
    with pytest.raises(ApiError) as refused:
        await gate.permit(call, "GetGame").__aenter__()
    assert refused.value.reason is Reason.LIMIT_EXCEEDED
    assert refused.value.retry_seconds == 1.0
    assert refused.value.figures == {"limit": "address", "per_second": "1"}


async def test_refusals_of_one_caller_go_out_one_after_the_other() -> None:
    gate = AdmissionController(Limits(), clock=lambda: 5.0)
    flood = ("address", "192.0.2.1")
    held = [gate.refusal_delay_seconds(flood) for _ in range(2000)]
    gaps = [after - before for before, after in pairwise(held)]
    assert (
        held[0]
        == admission.MIN_REFUSAL_DELAY_SECONDS
        == gate.refusal_delay_seconds(("address", "192.0.2.2"))
    )
    bounded = round(admission.MAX_REFUSAL_DELAY_SECONDS * admission.REFUSAL_RATE.per_second)
    assert gaps[: bounded - 1] == pytest.approx(
        [1 / admission.REFUSAL_RATE.per_second] * (bounded - 1)
    )
    assert max(held) == admission.MIN_REFUSAL_DELAY_SECONDS + admission.MAX_REFUSAL_DELAY_SECONDS


async def test_what_a_call_records_is_taken_out_of_its_bucket() -> None:
    gate = AdmissionController(Limits(address=10), clock=lambda: 5.0)
    caller = RequestContext("", None, peer="192.0.2.1")
    async with gate.permit(caller, "CreateMatch") as call:
        call.charge_events(200)
    with pytest.raises(ApiError) as refused:
        await gate.permit(caller, "GetGame").__aenter__()
    taken = admission.CALL_COSTS["CreateMatch"] + 200 * admission.EVENT_COST + 1
    assert refused.value.retry_seconds == pytest.approx((taken - 100) / 10)
    async with gate.permit(RequestContext("", None, peer="192.0.2.2"), "GetGame"):
        pass  # nobody else pays for it


async def test_a_caller_with_many_deals_at_once_never_owes_for_more_than_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, counts = 5.0, Counter[str]()
    gate = AdmissionController(Limits(address=100), clock=lambda: now)
    caller, dealt = RequestContext("", None, peer="192.0.2.1"), 200

    async def create() -> None:
        try:
            async with gate.permit(caller, "CreateMatch") as call:
                await asyncio.sleep(0)
                call.charge_events(dealt)
                counts["OK"] += 1
        except ApiError as refused:
            counts[refused.reason.name] += 1

    await asyncio.gather(*(create() for _ in range(200)))
    let_in = round(100 * admission.BURST_SECONDS / admission.CALL_COSTS["CreateMatch"])
    for_one = dealt * admission.EVENT_COST
    assert counts[TOO_OFTEN] > 0, "those that waited are told, and dealt nothing"
    assert 0 < counts["OK"] < let_in
    assert not gate._semaphores, "nothing is held by who was sent away"
    # A neighbour at the address who has no token yet.
    with pytest.raises(ApiError) as refused:
        await gate.permit(caller, "GetGame").__aenter__()
    most = admission.MAX_WAIT_SECONDS + (for_one + 1) / 100
    assert 0 < refused.value.retry_seconds <= most
    now += refused.value.retry_seconds
    async with gate.permit(caller, "GetGame"):
        pass  # after the stated delay
    # A player is not charged for what others owe.
    async with gate.permit(RequestContext("token", None, peer="192.0.2.1"), "SubmitAction"):
        pass


async def test_a_match_that_is_dealt_costs_its_creator_what_it_recorded(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    owed: list[int] = []
    monkeypatch.setattr(
        AdmissionController, "charge", lambda gate, caller, events: owed.append(events)
    )
    async with (
        Service(settings) as service,
        Client(service.address) as client,
    ):
        await client.create_match(game="agog")
        await client.create_match(game="res-arcana", chance=CHANCE_ROLLED)
    assert owed[0] == 1
    assert owed[1] > 20


async def test_one_caller_has_one_call_at_a_time_that_computes() -> None:
    gate, end, begun = AdmissionController(Limits()), asyncio.Event(), Counter[str]()

    async def ask(peer: str, rpc: str) -> None:
        async with gate.permit(RequestContext("", None, peer=peer), rpc):
            begun[peer] += 1
            await end.wait()

    calls = [asyncio.create_task(ask("192.0.2.1", rpc)) for rpc in sorted(admission.CPU_BOUND_RPCS)]
    calls.append(asyncio.create_task(ask("192.0.2.2", "VerifyMatch")))
    for _ in calls:
        await asyncio.sleep(0)
    assert begun == {"192.0.2.1": 1, "192.0.2.2": 1}
    end.set()
    await asyncio.gather(*calls)
    assert begun["192.0.2.1"] == len(admission.CPU_BOUND_RPCS)


def test_buckets_that_are_used_least_lately_are_forgotten() -> None:
    buckets, rate = (
        TokenBuckets[int](max_buckets=3, clock=lambda: 0.0),
        RateLimit(per_second=1, burst=1),
    )
    assert [buckets.take(key, rate) for key in (1, 2, 3, 1, 4, 1)] == [0, 0, 0, 1, 0, 0]
    assert len(buckets) == 3


async def test_streams_of_a_caller_are_opened_a_few_at_a_time_and_of_others_meanwhile() -> None:
    gate = AdmissionController(Limits(address=1_000))
    most = admission.MAX_CONCURRENT_OPENINGS["token"]

    async def opening(token: str) -> admission.Permit:
        turn = gate.permit(RequestContext(token, None, peer="192.0.2.1"), "Topic", stream=True)
        gate.remember_valid(token)
        await turn.__aenter__()
        return turn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admission, "OPENING_SECONDS", 3600.0)  # none of these has shown anything
        turns = [await opening("one") for _ in range(most)]
        waiting = [asyncio.create_task(opening("one")) for _ in range(2)]
        turns.append(await opening("other"))
        assert not any(task.done() for task in waiting)
        waiting.pop().cancel()
        turns[0].stream_opened()
        turns[0].stream_opened()  # shows the next, and frees nothing more
        turns.append(await waiting[0])
        assert gate.opening_slots(gate.callers([token_digest("one")], "")[0]).locked()  # type: ignore[union-attr]
        for turn in turns:
            await turn.__aexit__(None, None, None)
        # Nothing is left counted, of who went away while waiting either.
        assert not gate._streams
        assert not gate._streams_at


async def test_a_caller_that_opens_and_closes_streams_rapidly_is_delayed() -> None:
    gate = AdmissionController(Limits(address=1_000))
    most = admission.MAX_CONCURRENT_OPENINGS["address"]
    call = RequestContext("", None, peer="192.0.2.1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admission, "OPENING_PAUSE_SECONDS", 3600.0)
        for _ in range(most):
            async with gate.permit(call, "Topic", stream=True) as _:
                pass
        waiting = asyncio.create_task(gate.permit(call, "Topic", stream=True).__aenter__())
        async with gate.permit(RequestContext("", None, peer="192.0.2.2"), "Topic", stream=True):
            assert not waiting.done()
        waiting.cancel()


async def test_of_a_burst_of_streams_none_ends_without_having_shown_anything(
    settings: Settings,
) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        assert await burst(client, await create_match(client), BURST) == {"shown": BURST}


async def test_sessions_of_one_caller_are_counted(service: Service, match: CreatedMatch) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        typed_for_blocking: Any = PlayServiceStub(channel)
        metadata = (("authorization", f"Bearer {match.tokens['white']}"),)
        request = play_pb2.ListActionsRequest(match_id=match.id)
        asked = session_pb2.SessionRequest(
            calls=[session_pb2.SessionCall(call_id=1, list_actions=request)]
        )
        sessions = [typed_for_blocking.Session(metadata=metadata) for _ in range(2)]
        for session in sessions:
            await session.write(asked)
            assert (await session.read()).responses
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await typed_for_blocking.Session(metadata=metadata).read()
        error = ServiceError.from_rpc(refused.value)
        assert (error.reason, error.metadata["limit"]) == (TOO_OFTEN, "streams")
        for session in sessions:
            session.cancel()
