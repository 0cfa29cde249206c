"""Gateways that say nothing for hours: what waits for them, and what their lines hold meanwhile."""

import asyncio
import gc

import grpc.aio
import pytest

from services.devices.outboxes import MAX_MESSAGES, Outbox
from services.main import Service
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from tests.services.conftest import set_up_gateway

SECONDS = 30
CONNECT = "/emeth.devices.v1.GatewaysService/Connect"
MESSAGES = (pb.ConnectRequest, pb.ConnectResponse, pb.Hello, pb.DevicePrompt)


def numbered(number: int) -> pb.ConnectResponse:
    return pb.ConnectResponse(acknowledgement=pb.Acknowledgement(highest_seq=number))


async def test_waiting_data_is_read_in_order_and_a_fast_writer_waits() -> None:
    box, written = Outbox(), 0

    async def write() -> None:
        nonlocal written
        for number in range(3 * MAX_MESSAGES):
            await box.put(numbered(number))
            written += 1

    async with asyncio.timeout(SECONDS):
        writers = [asyncio.create_task(write()) for _ in range(2)]
        for _ in range(2 * MAX_MESSAGES):
            await asyncio.sleep(0)
        assert written == MAX_MESSAGES, "nobody reads, so nobody goes on"
        read = [await box.get() for _ in range(6 * MAX_MESSAGES)]
        await asyncio.gather(*writers)
    acknowledged = [each.acknowledgement.highest_seq for each in read if each is not None]
    assert sorted(acknowledged) == sorted([*range(3 * MAX_MESSAGES)] * 2)


async def test_a_reader_that_is_cancelled_loses_nothing() -> None:
    box = Outbox()
    reader = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    await box.put(numbered(1))
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await box.get() == numbered(1)


async def test_what_waits_when_the_stream_ends_is_not_sent() -> None:
    box = Outbox()
    for number in range(MAX_MESSAGES):
        await box.put(numbered(number))
    late = asyncio.create_task(box.put(numbered(MAX_MESSAGES)))
    await asyncio.sleep(0)
    box.end()
    async with asyncio.timeout(SECONDS):
        assert await box.get() is None
        await late


async def test_a_quiet_line_holds_no_message(service: Service) -> None:
    """A prompt takes up to ten kilobytes of memory, whatever its length on the wire."""
    shop = await set_up_gateway(service)

    def held() -> int:
        gc.collect()
        return sum(type(each) in MESSAGES for each in gc.get_objects())

    before = held()
    hello = pb.Hello(gateway_id=shop.key.rpartition(".")[0], epoch="e")
    first = pb.ConnectRequest(hello=hello).SerializeToString()
    del hello
    async with grpc.aio.insecure_channel(service.address) as channel:
        call = channel.stream_stream(CONNECT)(metadata=(("authorization", f"Bearer {shop.key}"),))
        await call.write(first)
        async with asyncio.timeout(SECONDS):
            assert pb.ConnectResponse.FromString(await call.read()).HasField("welcome")
            assert pb.ConnectResponse.FromString(await call.read()).HasField("prompt")
            for pause in (0.01, 0.1, 1, 10):
                if held() <= before:
                    break
                await asyncio.sleep(pause)
            assert held() <= before
        call.cancel()
