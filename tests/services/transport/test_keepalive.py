"""A gateway that pings to hold its line is not taken for an attacker."""

import asyncio
import struct
from collections.abc import Iterable
from typing import Final
from unittest.mock import patch

import pytest

from services.client import connection, gateway
from services.main import Service
from services.runtime.settings import Settings
from services.transport import ports

FASTER: Final = 100
"""How much faster time goes here."""
MINUTES: Final = 5
FASTEST_MS: Final = 10_000
"""The shortest time between two pings, as docs/gateway.md promises it."""

# HTTP/2 by hand: no client of gRPC pings more often than once a second.
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, PING, GOAWAY = 4, 6, 7
ACKNOWLEDGES: Final = 1


def frame(kind: int, body: bytes = b"", flags: int = 0) -> bytes:
    return struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, 0) + body


def hurried(options: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """The same options of a channel, with shorter times. What the service itself sends would
    forgive the pings before it, so it sends nothing unprompted."""
    lengthened = {**dict(options), "grpc.keepalive_time_ms": 60 * 60_000, "grpc.http2.bdp_probe": 0}
    return tuple(
        (name, value // FASTER if name.endswith("_ms") else value)
        for name, value in lengthened.items()
    )


async def pinged(address: str, every_ms: float) -> tuple[int, bytes]:
    """Ping for so many minutes: how many pings were answered, and why the line was cut."""
    host, _, number = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(number))
    writer.write(PREFACE + frame(SETTINGS))
    pause, answered, why = every_ms / 1000 / FASTER, 0, b""

    async def read() -> None:
        nonlocal answered, why
        while len(head := await reader.read(9)) == 9:
            size, kind, flags = int.from_bytes(head[:3]), head[3], head[4]
            body = await reader.readexactly(size)
            answered += kind == PING and flags == ACKNOWLEDGES
            if kind == GOAWAY:
                why = body[8:]

    reading = asyncio.create_task(read())
    for number in range(round(MINUTES * 60_000 / every_ms)):
        await asyncio.sleep(pause)
        writer.write(frame(PING, number.to_bytes(8)))
    await asyncio.sleep(pause)
    reading.cancel()
    writer.close()
    return answered, why


@pytest.mark.parametrize(("every_ms", "pings"), [(FASTEST_MS, 30), (30_000, 10)])
async def test_a_line_that_is_held_by_pings_as_fast_as_they_may_come_is_not_cut(
    settings: Settings, every_ms: int, pings: int
) -> None:
    with patch("services.transport.servers.CHANNEL_OPTIONS", hurried(ports.CHANNEL_OPTIONS)):
        async with Service(settings) as service:
            assert await pinged(service.address, every_ms) == (pings, b"")


async def test_a_flood_of_pings_is_cut(settings: Settings) -> None:
    with patch("services.transport.servers.CHANNEL_OPTIONS", hurried(ports.CHANNEL_OPTIONS)):
        async with Service(settings) as service:
            answered, why = await pinged(service.address, FASTEST_MS / 10)
            assert answered < 60
            assert why == b"too_many_pings"


@pytest.mark.parametrize("channel", [gateway.CHANNEL, connection.CHANNEL])
def test_our_own_clients_ping_no_faster_than_is_promised(
    channel: tuple[tuple[str, int], ...],
) -> None:
    assert dict(channel)["grpc.keepalive_time_ms"] >= FASTEST_MS
