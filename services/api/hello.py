"""How a gateway's stream begins: with a hello, which says who it is and how it goes on."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from domain.table import GatewayHello
from services.runtime.errors import field_invalid
from services.wire.emeth.devices.v1 import connections_pb2 as pb

HELLO_SECONDS: Final = 20.0
"""How long a new stream may be silent."""


async def receive_hello(requests: AsyncIterator[pb.ConnectRequest]) -> pb.Hello:
    """The first message of a stream. FIELD_INVALID if it is no hello, or does not come in time."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            first = await anext(requests, None)
    except TimeoutError:
        first = None
    if first is None or first.WhichOneof("message") != "hello":
        raise field_invalid("hello", "the first message of a connection says who the gateway is")
    return first.hello


def parse_hello(hello: pb.Hello) -> GatewayHello:
    """Return what a hello says."""
    return GatewayHello(
        epoch=hello.epoch,
        first_kept=hello.first_kept_seq,
        software=hello.software,
        locale=hello.locale,
    )
