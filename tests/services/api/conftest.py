"""The API is the same by every door: each of its tests goes through each that has its calls."""

from collections.abc import AsyncIterator

import pytest

from services.client import Client
from services.main import Service
from tests.services.transport.connect_channel import ConnectChannel

BY_SESSION = {
    "test_bad_input",
    "test_version_consistency",
    "test_play",
    "test_resignation",
    "test_rolled_matches",
    "test_scenes",
    "test_undo",
}
"""The tests of calls that a session carries."""
ON_POSTGRES = {"test_match_files", "test_play", "test_undo"}
"""The tests that also run on a log in PostgreSQL: of calls that write much, and read it again."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "transport" in metafunc.fixturenames:
        name = metafunc.module.__name__.rpartition(".")[2]
        session = name in BY_SESSION
        ways = [
            (transport, "sqlite") for transport in ("grpc", "connect", *(["session"] * session))
        ]
        if name in ON_POSTGRES:
            ways.append(("grpc", "postgresql"))
        metafunc.parametrize(("transport", "store"), ways, indirect=["store"])


@pytest.fixture
async def client(service: Service, transport: str) -> AsyncIterator[Client]:
    async with Client(service.address, name="tests/1", session=transport == "session") as connected:
        if transport == "connect":
            await connected._channel.close()
            connected._use(ConnectChannel(service.http_address, json=True))  # type: ignore[arg-type]
        yield connected
