"""The hello that starts the stream of a gateway."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from domain.table import GatewayHello
from services.runtime.errors import field_invalid
from services.wire.emeth.devices.v1 import connections_pb2 as pb

HELLO_SECONDS: Final = 20.0
"""Time in which the hello must arrive."""


async def receive_hello(requests: AsyncIterator[pb.ConnectRequest]) -> pb.Hello:
    """Receive the first message of a stream.

    Raises:
        ApiError: FIELD_INVALID if it is not a hello, or does not arrive in time.
    """
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            first = await anext(requests, None)
    except TimeoutError:
        first = None
    if first is None or first.WhichOneof("message") != "hello":
        raise field_invalid(
            "hello", "it is missing: the first message of a connection must be `hello`"
        )
    return first.hello


def parse_hello(hello: pb.Hello) -> GatewayHello:
    """Parse the hello of a gateway."""
    return GatewayHello(
        epoch=hello.epoch,
        first_kept=hello.first_kept_seq,
        software=hello.software,
        locale=hello.locale,
    )
