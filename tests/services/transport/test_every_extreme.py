"""A client with every right that it asks for, and no good will: each field of each rpc at its
extremes, by both doors. What is refused has a reason, and leaves the log as it was.

`EMETH_EXTREMES=1 pytest tests/services/transport/test_every_extreme.py` sends all of them; else it
is a sample, in CI the same each time.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import grpc.aio
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import Error as JsonError
from google.protobuf.json_format import MessageToJson
from google.protobuf.message_factory import GetMessageClass

from services.client import Client, ServiceError, new_request
from services.main import Service
from services.runtime.limits import Limits
from services.store import read_models
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1.frontends_pb2 import FRONTEND_RIGHT_CREATE
from tests.services.conftest import STYLUS, set_up_gateway
from tests.services.transport.any_request import METHODS
from tests.services.transport.connect_channel import ConnectChannel
from tests.services.transport.extremes import Extreme, extremes
from tests.services.transport.test_every_request import DOCUMENTED, SERVICES

SAMPLE = 10**9 if "EMETH_EXTREMES" in os.environ else 8
"""Requests to each rpc, at most."""
TRANSPORTS = ("grpc", "connect", "json")
ARMY = {"faction": "durani", "golems": [{"type": "prism-archer"}, {"type": "horned-blight"}]}
PATIENCE_SECONDS = 60.0
QUIET_SECONDS = 0.2
"""A stream that has said nothing for so long is taken for one that waits."""
HOLDERS: Mapping[str, str] = {
    **dict.fromkeys(("AdminService", "FrontendsService", "ImportMatch"), "admin"),
    **dict.fromkeys(("CreateGateway", "RotateGatewayKey", "DeleteGateway"), "admin"),
    **dict.fromkeys(
        ("CloseTable", "CreateGatewayInvite", "CertifyGateway", "CommandDevice"), "admin"
    ),
    **dict.fromkeys(
        ("ResolveDispute", "ReadjudicateMatches", "ForkMatch", "CreateInvite"), "referee"
    ),
    **dict.fromkeys(("CreateTapGrant", "ListTapGrants", "DeleteTapGrant"), "white"),
    **dict.fromkeys(("UpdatePlayer", "DeletePlayer"), ""),
    "ArmiesService": "owner",
    "PlayersService": "player",
    "GatewaysService": "gateway",
    "StylusesService": "gateway",
}
"""Whose token a call carries, by rpc or by service; else that of a seat. The frontend's key goes
with the calls that are about players."""


class World(NamedTuple):
    """What a request may be about, to which nothing has happened yet."""

    tokens: Mapping[str, str]
    frontend: str
    known: Mapping[str, Any]

    def metadata(self, method: MethodDescriptor) -> list[tuple[str, str]]:
        service = str(method.containing_service.name)
        token = self.tokens[HOLDERS.get(method.name, HOLDERS.get(service, "white"))]
        shown = [("authorization", f"Bearer {token}")] if token else []
        return shown + [("emeth-frontend", self.frontend)] * (service == "PlayersService")


async def world(service: Service) -> World:
    shop = await set_up_gateway(service, help_policy=matches_pb2.HELP_POLICY_HINTS)
    admin = service.admin_key
    async with Client(service.address) as client:
        for seat, action in (("white", "a6-b6"), ("black", "h3-g3")):
            await client.submit(shop.tokens[seat], shop.match, action)
        dispute = (await client.create_dispute(shop.tokens["black"], shop.match, 2, "so?")).number
        army = await client.create_army(
            army={"game": "golem-arcana", "name": "Mine", "roster": ARMY}
        )
        front = await client.create_frontend(
            admin, frontend={"name": "App", "rights": [FRONTEND_RIGHT_CREATE]}
        )
    async with Client(service.address, frontend_key=front.key) as app:
        ada = await app.update_player(
            player={"external_id": "ada", "name": "Ada"}, allow_missing=True
        )
    gateway = shop.key.rpartition(".")[0]
    known = {
        "match_id": shop.match, "action": "f1-g1", "version": 2, "dispute": dispute,
        "reason": "so it is", "question": "is that so?", "game": "agog", "name": "Corner",
        "title": "A match", "player": "Ada", "army_id": army.army.army_id, "gateway_id": gateway,
        "table_id": gateway.partition(".")[0], "stylus": STYLUS, "pin": "0000",
        "player_id": ada.player.player_id, "frontend_id": front.frontend.frontend_id,
        "external_id": "bob",
        "tokens": (shop.tokens["white"],), "nodes": (None,), "hello": None,
    }  # fmt: skip
    tokens = {
        "admin": admin,
        "gateway": shop.key,
        "owner": army.owner_token,
        "player": ada.token,
        "": "",
    }
    return World({**shop.tokens, **tokens}, front.key, known)


@pytest.fixture
def limits() -> Limits:
    """Nobody is held back for asking too often."""
    return Limits(address=0, token=0, frontend=0)


@pytest.fixture
async def channels(service: Service) -> AsyncIterator[dict[str, Any]]:
    address = service.http_address
    made = {
        "grpc": grpc.aio.insecure_channel(service.address),
        "connect": ConnectChannel(address),
        "json": ConnectChannel(address, json=True),
    }
    yield made
    for channel in made.values():
        await channel.close()


async def ask(channel: Any, method: MethodDescriptor, message: Any, metadata: Any) -> str:
    """The reason of the error with which a call ends; empty for an answer, or a stream that says
    something, or waits. AssertionError for an error that is not as documented."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    shape = f"{'stream' if method.client_streaming else 'unary'}_"
    call = getattr(channel, shape + ("stream" if method.server_streaming else "unary"))(
        path,
        request_serializer=lambda each: each.SerializeToString(),
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )

    async def alone() -> AsyncIterator[Any]:
        yield message

    request = alone() if method.client_streaming else message
    try:
        async with asyncio.timeout(QUIET_SECONDS if method.server_streaming else PATIENCE_SECONDS):
            if not method.server_streaming:
                await call(request, metadata=metadata)
                return ""
            stream = call(request, metadata=metadata)
            try:
                async for _ in stream:
                    return ""
            finally:
                stream.cancel()
    except grpc.aio.AioRpcError as failed:
        error = ServiceError.from_rpc(failed)
        if (error.code.name, error.reason) == ("CANCELLED", ""):
            return ""  # by Connect's client, as the time-out below is by gRPC's
        assert DOCUMENTED.get(error.reason) == error.code.name != "INTERNAL", error
        return error.reason
    except TimeoutError:
        assert method.server_streaming, "it does not answer"
    return ""


def writable(message: Any, transport: str) -> bool:
    """Can it be sent? JSON has no way to say some of it, as a time before the year 1."""
    try:
        if transport == "json":
            MessageToJson(message)
    except (JsonError, ValueError, OverflowError):
        return False
    return True


@pytest.mark.parametrize("name", SERVICES)
async def test_each_field_at_its_extremes_gets_a_typed_answer_and_no_error_is_recorded(
    service: Service, channels: dict[str, Any], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(read_models, "PATIENCE_SECONDS", 0.05)  # nobody moves these matches on
    seed = "1" if "CI" in os.environ else str(Random().randrange(10**6))
    now, wrong = await world(service), list[str]()
    for method, extreme, transport in cases(name, Random(seed)):
        known = {"request_id": new_request(), **now.known}
        message = extreme.request(method, known)
        if not writable(message, transport):
            continue
        before = service._log.newest()
        try:
            reason = await ask(channels[transport], method, message, now.metadata(method))
            assert not reason or service._log.newest() == before, f"{reason}, and it is recorded"
        except AssertionError as found:
            wrong.append(f"{method.name} with {extreme} by {transport}: {found}")
        else:
            if not reason and not method.GetOptions().idempotency_level:
                now = await world(service)  # that one is not as it was
    assert not wrong, "\n".join((f"of {seed}", *wrong[:20]))


def cases(name: str, chance: Random) -> Iterator[tuple[MethodDescriptor, Extreme, str]]:
    """Of each rpc of a service a request that is right, and a sample of those that are not."""
    for method in METHODS:
        if method.containing_service.full_name != name:
            continue
        both_ways = method.client_streaming and method.server_streaming
        transports = TRANSPORTS[:1] if both_ways else TRANSPORTS
        usual, *others = [
            (method, each, transport) for each in extremes(method) for transport in transports
        ]
        yield usual
        yield from chance.sample(others, min(SAMPLE, len(others)))
