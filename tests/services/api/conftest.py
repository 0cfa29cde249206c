"""The API is the same by both doors: each of its tests goes through both."""

from collections.abc import AsyncIterator

import pytest

from services.client import Client
from services.server import Service
from tests.services.doors.connect_channel import ConnectChannel


@pytest.fixture(params=["grpc", "connect"])
def door(request: pytest.FixtureRequest) -> str:
    return str(request.param)


stores_and_doors = pytest.mark.parametrize(
    ("door", "store"),
    [("grpc", "sqlite"), ("connect", "sqlite"), ("grpc", "postgresql")],
    indirect=True,
)
"""Runs a module of tests through both doors, and on a log in either store."""


@pytest.fixture
async def client(service: Service, door: str) -> AsyncIterator[Client]:
    async with Client(service.address, name="tests/1") as connected:
        if door == "connect":
            await connected._channel.close()
            connected._use(ConnectChannel(service.http_address, json=True))  # type: ignore[arg-type]
        yield connected
