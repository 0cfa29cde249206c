"""Peers that mean no good, or have a bad line: they are sent away, and others are served."""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from services.client import Client, ServiceError
from services.client.subscriptions import match_subscription
from services.main import Service
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.transport import connections, ports
from services.transport.pipeline import MAX_REQUEST_BYTES_BY_METHOD
from services.wire.emeth.v1 import games_pb2
from services.wire.emeth.v1.games_pb2_grpc import GamesServiceStub
from services.wire.emeth.v1.views_pb2_grpc import ViewsServiceStub
from tests.hostile_peers import (
    BOMB_BYTES,
    PATIENCE_SECONDS,
    Target,
    bombs,
    connected,
    ended,
    free_port,
    heads,
    http_bombs,
    idle_connections,
    open_calls,
    reset_streams,
    unread_watches,
)
from tests.services.cli.conftest import RunningService
from tests.services.conftest import advance, create_match

HEALTH = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"


@pytest.fixture
def target(service: Service) -> Target:
    return Target(service.address, service.http_address)


async def until(settled: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not settled():  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0.01)


async def healthy(line: socket.socket) -> None:
    """Ask for the health of the service on a line, at once, and read the answer."""
    line.sendall(HEALTH)
    await asyncio.to_thread(_read_health, line)


def _read_health(line: socket.socket) -> None:
    answer = b""
    while not answer.endswith(b'{"status":"serving"}'):
        piece = line.recv(4096)
        assert piece, answer
        answer += piece


async def test_a_head_without_end_is_not_taken(service: Service, target: Target) -> None:
    answers = await asyncio.to_thread(lambda: dict(heads(target, 40 * connections.MAX_HEAD_BYTES)))
    assert answers.keys() == {"line", "header", "headers", "trailer", "trailers", "chunk"}
    for name, answer in answers.items():  # what had a whole head before is answered, perhaps
        assert (
            not answer or answer.endswith(connections.HEAD_TOO_LARGE_RESPONSE) or b" 404 " in answer
        ), name


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nhost",
        b"POST /x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nabc",
    ],
    ids=["nothing", "a part of a head", "a part of a body"],
)
async def test_an_incomplete_request_is_awaited_for_a_while(
    monkeypatch: pytest.MonkeyPatch, target: Target, said: bytes
) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "BODY_CHECK_SECONDS"):
        monkeypatch.setattr(connections, name, 0.05)
    with connected(target.http) as patient:
        await healthy(patient)
        with idle_connections(target, said, 3) as lines:
            for line in lines:
                await asyncio.to_thread(ended, line)
        await healthy(patient)  # who was answered may keep the line


async def test_a_connection_without_an_http2_preface_is_closed(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    soon = [
        (name, 50 if name == ports.HANDSHAKE else value) for name, value in ports.CHANNEL_OPTIONS
    ]
    monkeypatch.setattr("services.transport.servers.CHANNEL_OPTIONS", soon)
    async with Service(settings) as service:
        for said in (b"", b"PRI * HTTP/2.0\r\n"):
            with connected(service.address) as line:
                line.sendall(said)
                await asyncio.to_thread(ended, line)


async def test_silent_connections_make_room_for_active_ones(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr("services.transport.http.MAX_CONNECTIONS", 20)
    async with Service(settings) as service:
        target = Target(service.address, service.http_address)
        with idle_connections(target, b"GET", 40), connected(target.http) as line:
            await healthy(line)


async def test_calls_that_never_ask_keep_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch, target: Target, client: Client
) -> None:
    with open_calls(target, 30):  # from the same address, and without a token either
        async with asyncio.timeout(PATIENCE_SECONDS):
            await client.create_match(game="agog")
    monkeypatch.setattr("services.transport.grpc.REQUEST_SECONDS", 0.05)
    with open_calls(target, 3) as line:
        ended_calls = 0
        while ended_calls < 3:
            events = await asyncio.to_thread(line.read)
            assert events, "the service hung up"
            ended_calls += sum(type(each).__name__ == "StreamEnded" for each in events)


async def test_streams_that_are_reset_at_once_leave_nothing_behind(
    service: Service, target: Target, client: Client
) -> None:
    await create_match(client)
    before = len(asyncio.all_tasks())
    assert await asyncio.to_thread(reset_streams, target, 500) == 500
    await create_match(client)
    await until(lambda: len(asyncio.all_tasks()) <= before)
    assert not service._pipeline.admission._streams


async def test_each_stream_of_a_burst_is_served_or_refused_with_a_reason(
    settings: Settings,
) -> None:
    at_once, most = 2_400, 50
    limits = Limits(streams=most, token=1_000_000)
    async with Service(settings, limits) as service, Client(service.address) as client:
        match = await create_match(client)
        request = match_subscription(match.id)
        metadata = (("authorization", f"Bearer {match.tokens['spectator']}"),)
        alone = [("grpc.use_local_subchannel_pool", 1)]
        channels = [grpc.aio.insecure_channel(service.address, alone) for _ in range(3)]
        outcomes = Counter[str]()

        async def watch(number: int) -> Any:
            typed_for_blocking: Any = ViewsServiceStub(channels[number % 3])
            call = typed_for_blocking.Subscribe(request, metadata=metadata)
            try:
                await call.read()
                outcomes["watched"] += 1
            except grpc.aio.AioRpcError as error:
                failure = ServiceError.from_rpc(error)
                outcomes[failure.reason or failure.code.name] += 1
            return call

        calls = await asyncio.gather(*map(watch, range(at_once)))
        assert outcomes == {"watched": most, "LIMIT_EXCEEDED": at_once - most}
        for call in calls:
            call.cancel()
        for channel in channels:
            await channel.close()


@pytest.fixture
def short_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent over HTTP and not read soon fills the line."""
    true = ports._listening_socket

    def listening(address: str) -> socket.socket:
        found = true(address)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return found

    monkeypatch.setattr(ports, "_listening_socket", listening)


@pytest.mark.parametrize("transport", ["grpc", "session", "connect"])
@pytest.mark.usefixtures("short_lines")
async def test_a_client_that_never_reads_keeps_no_reader_waiting(
    service: Service, target: Target, client: Client, transport: str
) -> None:
    match = await create_match(client, "earthen-war", chance=2)
    honest = client.watch(match.tokens["spectator"], match.id)
    await anext(honest)
    with unread_watches(target, match, transport, 30):
        await until(lambda: _streams(service) >= 30)
        for _ in range(40):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await advance(client, match, 1)
                await anext(honest)
    await honest.aclose()


@pytest.mark.parametrize("transport", ["grpc", "session", "connect"])
@pytest.mark.usefixtures("short_lines")
async def test_a_client_that_never_reads_does_not_block_shutdown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, transport: str
) -> None:
    monkeypatch.setattr("services.transport.servers.STUCK_SECONDS", 0.1)
    settings = Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0", drain_seconds=600)
    async with Service(settings) as service:
        target = Target(service.address, service.http_address)
        in_flight = service._pipeline.in_flight
        async with Client(service.address) as client:
            match = await create_match(client, "earthen-war", chance=2)
            await advance(client, match, 12)
            with unread_watches(target, match, transport, 3):
                await until(lambda: _streams(service) == 3 and in_flight.idle_seconds > 0.1)
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await service._stack.aclose()


def _streams(service: Service) -> int:
    """How many streams the caller who has most of them has open."""
    return max(service._pipeline.admission._streams.values(), default=0)


MOST_GROWN_MIB = 24
"""What 40 calls at once may add to the memory of a service: 2.4 GB if each was decompressed."""


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[tuple[RunningService, Target]]:
    """A service in a process of its own, whose memory is counted separately."""
    http = f"127.0.0.1:{free_port()}"
    running = RunningService(tmp_path, "--http", http)
    running.start()
    yield running, Target(running.address, http)
    assert running.stop() == 0


@pytest.mark.parametrize(
    ("encoding", "status"),
    [("gzip", grpc.StatusCode.UNIMPLEMENTED), ("deflate", grpc.StatusCode.INVALID_ARGUMENT)],
)
async def test_a_compressed_request_over_grpc_is_refused_before_it_is_decompressed(
    attacked: tuple[RunningService, Target], encoding: str, status: grpc.StatusCode
) -> None:
    running, target = attacked
    assert await asyncio.to_thread(bombs, target, encoding, 1) == [str(status.value[0])]
    before = running.most_memory()
    found = await asyncio.to_thread(bombs, target, encoding, 40)
    assert set(found) == {str(status.value[0])}
    assert running.most_memory() - before < MOST_GROWN_MIB


@pytest.mark.parametrize("size", [BOMB_BYTES, max(MAX_REQUEST_BYTES_BY_METHOD.values())])
async def test_a_compressed_request_over_http_is_held_up_to_the_largest_request_and_not_longer(
    attacked: tuple[RunningService, Target], size: int
) -> None:
    running, target = attacked
    refused = {b"HTTP/1.1 400 Bad Request", b"HTTP/1.1 200 OK"}  # of a call, of a stream
    assert set(await asyncio.to_thread(http_bombs, target, 2, size)) == refused
    before = running.most_memory()
    assert set(await asyncio.to_thread(http_bombs, target, 40, size)) == refused
    assert running.most_memory() - before < MOST_GROWN_MIB


async def test_a_compressed_grpc_request_is_refused_with_the_reason(
    service: Service,
) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await GamesServiceStub(channel).GetGame(
                games_pb2.GetGameRequest(game="a" * 1000), compression=grpc.Compression.Gzip
            )
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
    assert "compressed gRPC requests are not supported" in (refused.value.details() or "")
