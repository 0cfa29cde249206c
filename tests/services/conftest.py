"""A real service on a real file, and real clients over a socket."""

import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self
from unittest.mock import patch

import grpc.aio
import pytest

from domain.storage.mapper import prepare_decoders
from projections.queries.read_files import ReadModels
from services.client import Client, ServiceError
from services.main import Service
from services.runtime.files import make_folder
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.transport.servers import MIN_QUIET_SECONDS
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.devices.v1.gateways_pb2_grpc import GatewaysServiceStub
from services.wire.emeth.v1 import matches_pb2, play_pb2


class Table(NamedTuple):
    """A match of A.G.O.G. with both seats taken by Ada (white) and Bob (black)."""

    id: str
    white: str
    black: str
    referee: str
    spectator: str


@pytest.fixture(autouse=True, scope="session")
def _soon_quiet() -> Iterator[None]:
    """A service in this process stops at once: nobody calls any more when a test is over. Stopping
    under load is tested on services in processes of their own."""
    with patch("services.transport.servers.QUIET_SECONDS", MIN_QUIET_SECONDS):
        yield


@pytest.fixture(autouse=True, scope="session")
def _published_at_once() -> Iterator[None]:
    """A service in this process shows the tree as it stands: tests wait for no checkpoint. That
    checkpoints are batched is tested in `tests/services/proof/test_published_tree.py`."""
    with patch("services.proof.published_tree.PUBLISH_SECONDS", 0.0):
        yield


@pytest.fixture(autouse=True, scope="session")
def _prepared_once() -> Iterator[None]:
    """What a process prepares before its first service is there for all others in it."""
    with patch("services.main.prepare_decoders", cache(prepare_decoders)):
        yield


@pytest.fixture(scope="session")
def empty_reads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of read models as the first start leaves it: to make its tables is a quarter of what
    a start takes. That it makes them itself is tested wherever no fixture starts it."""
    folder = tmp_path_factory.mktemp("reads")
    ReadModels(folder).close()
    return folder


@pytest.fixture
def settings(tmp_path: Path, store: str) -> Settings:
    data = str(tmp_path / "data")
    return Settings(data=data, store=store, listen="127.0.0.1:0", drain_seconds=1)


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
async def service(settings: Settings, limits: Limits, empty_reads: Path) -> AsyncIterator[Service]:
    if not settings.folder.exists():
        make_folder(settings.folder)
        shutil.copytree(empty_reads, settings.reads_folder)
    async with Service(settings, limits) as running:
        yield running


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address, name="tests/1") as connected:
        yield connected


@pytest.fixture
async def table(client: Client) -> Table:
    created = await client.create_match(game="agog", title="A match")
    identity, tokens = created.match.match_id, created.tokens
    white = await client.join_match(tokens["white"], identity, "white", "Ada")
    black = await client.join_match(tokens["black"], identity, "black", "Bob")
    return Table(identity, white.token, black.token, tokens["referee"], tokens["spectator"])


OPENING = (("white", "a6-b6"), ("black", "h3-g3"), ("white", "f1-g1"), ("black", "c8-c7"))
"""How a match of A.G.O.G. may begin."""


class CreatedMatch(NamedTuple):
    id: str
    tokens: dict[str, str]


async def create_match(client: Client, game: str = "agog", **terms: object) -> CreatedMatch:
    """A public match, unless the terms say otherwise."""
    terms.setdefault("visibility", matches_pb2.VISIBILITY_PUBLIC)
    created = await client.create_match(game=game, **terms)  # type: ignore[arg-type]  # its own keywords
    return CreatedMatch(created.match.match_id, dict(created.tokens))


async def play(client: Client, match: CreatedMatch, *actions: tuple[str, str]) -> None:
    for seat, action in actions:
        answer = await client.submit(match.tokens[seat], match.id, action)
        assert answer.HasField("accepted"), answer


async def newest_version(client: Client, match: CreatedMatch) -> int:
    """The version that the log has, whether or not the read models have it yet."""
    seat = next(role for role in match.tokens if role not in ("referee", "creator", "spectator"))
    request = play_pb2.ListActionsRequest(match_id=match.id, page_size=1)
    return (await client._call(client._play.ListActions, request, match.tokens[seat])).version


async def match_state(client: Client, match: CreatedMatch) -> matches_pb2.Match:
    """The match as it stands now."""
    return await client.match(match.id, await newest_version(client, match))


async def position(client: Client, match: CreatedMatch, version: int | None = None) -> str:
    scene = await client.view(
        match.tokens["referee"],
        match.id,
        "text",
        version=version,
        at_least_version=await newest_version(client, match),
    )
    return scene.position


async def refusal(call: object) -> str:
    with pytest.raises(ServiceError) as refused:
        await call  # type: ignore[misc]  # an awaitable
    return refused.value.reason


@pytest.fixture
async def earthen(client: Client) -> CreatedMatch:
    """A match of Earthen-War with rolled dice and free undo, some way in."""
    match = await create_match(
        client,
        "earthen-war",
        chance=matches_pb2.CHANCE_ROLLED,
        undo_policy=matches_pb2.UNDO_POLICY_FREE,
    )
    await advance(client, match, 30)
    return match


async def advance(client: Client, match: CreatedMatch, actions: int) -> None:
    """Take so many random actions, for the seats that are prompted."""
    random, referee = Random(actions), match.tokens["referee"]
    for _ in range(actions):
        seats = (await client.match(match.id)).seats
        for seat in (each.name for each in seats):
            if live := await client.list_actions(referee, match.id, seat):
                chosen = random.choice(live).notation
                answer = await client.submit(match.tokens[seat], match.id, chosen)
                assert answer.HasField("accepted"), answer
                break


# --- gateways ------------------------------------------------------------------------------------

STYLUS = "AA:01"


class GatewaySetup(NamedTuple):
    """A gateway that is registered, and a match on its table."""

    key: str
    match: str
    tokens: dict[str, str]


async def set_up_gateway(
    service: Service, game: str = "agog", seats: Sequence[str] = (), **terms: Any
) -> GatewaySetup:
    """A stylus acts for these seats of a new match, or for all of them; the service rolls."""
    async with Client(service.address) as client:
        key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
        created = await client.create_match(game=game, chance=matches_pb2.CHANCE_ROLLED, **terms)
        tokens, match = dict(created.tokens), created.match.match_id
        own = seats or [role for role in tokens if role not in ("referee", "spectator")]
        await client.pair_stylus(key, STYLUS, pin="0000")
        await client.seat_stylus(key, STYLUS, match, [tokens[seat] for seat in own])
    return GatewaySetup(key, match, tokens)


async def actions(client: Client, token: str, match: str, version: int = 2) -> list[str]:
    events = await client.list_events(token, match, at_least_version=version)
    return [event.action.notation for event in events if event.HasField("action")]


class GatewayConnection:
    """A gateway's stream, with every message on it in one's own hands."""

    def __init__(
        self, service: Service, shop: GatewaySetup, epoch: str = "e", locale: str = ""
    ) -> None:
        self._channel = grpc.aio.insecure_channel(service.address)
        self._key = shop.key
        self._epoch = epoch
        self._locale = locale
        self.welcome = pb.Welcome()
        self.prompt = pb.DevicePrompt()
        self.seq = 0

    async def __aenter__(self) -> Self:
        typed_for_blocking: Any = GatewaysServiceStub
        stub = typed_for_blocking(self._channel)
        self._call = stub.Connect(metadata=(("authorization", f"Bearer {self._key}"),))
        hello = pb.Hello(
            gateway_id=self._key.rpartition(".")[0], epoch=self._epoch, locale=self._locale
        )
        await self._call.write(pb.ConnectRequest(hello=hello))
        self.welcome = (await self._call.read()).welcome
        self.prompt = (await self._call.read()).prompt
        self.seq = self.welcome.highest_seq
        return self

    async def __aexit__(self, *_: object) -> None:
        self._call.cancel()
        await self._channel.close()

    async def read(self) -> pb.ConnectResponse:
        """What the service says next."""
        answer: pb.ConnectResponse = await self._call.read()
        if answer.WhichOneof("message") == "prompt":
            self.prompt = answer.prompt
        return answer

    async def send(self, request: pb.ConnectRequest, seq: int) -> pb.ConnectResponse:
        """Send a message; its answer, without what others changed meanwhile."""
        await self._call.write(request)
        while True:
            answer = await self.read()
            if answer.WhichOneof("message") != "prompt" or answer.prompt.answered_seq == seq:
                return answer

    async def tap(self, code: str, seq: int = 0, prompt: int | None = None) -> pb.DevicePrompt:
        """The answer to a new tap, or to one of this number."""
        if not seq:
            self.seq = seq = self.seq + 1
        seen = self.prompt.prompt_number if prompt is None else prompt
        tap = pb.Tap(seq=seq, stylus_id=STYLUS, code=code, prompt_number=seen)
        answer = await self.send(pb.ConnectRequest(tap=tap), seq)
        assert answer.WhichOneof("message") == "prompt", answer
        return answer.prompt

    async def taps(self, *codes: str) -> list[pb.DevicePrompt]:
        return [await self.tap(code) for code in codes]
