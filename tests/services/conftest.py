"""A real service on a real file, and real clients over a socket."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest

from services.client import Client
from services.server import Service
from services.settings import Settings


class Table(NamedTuple):
    """A match of A.G.O.G. with both seats taken by Ada (white) and Bob (black)."""

    id: str
    white: str
    black: str
    referee: str
    spectator: str


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0", drain_seconds=1)


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[Service]:
    async with Service(settings) as running:
        yield running


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address, name="tests/1") as connected:
        yield connected


@pytest.fixture
async def table(client: Client) -> Table:
    created = await client.create_match("agog", title="A match")
    identity, tokens = created.match.match_id, created.tokens
    white = await client.claim_seat(tokens["white"], identity, "white", "Ada")
    black = await client.claim_seat(tokens["black"], identity, "black", "Bob")
    return Table(identity, white.token, black.token, tokens["referee"], tokens["spectator"])
