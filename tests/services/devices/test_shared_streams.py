"""One device that serves several tables, with one key and on one line."""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

from services.client import Client
from services.main import Service
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from tests.services.conftest import actions, refusal


class Shelf(NamedTuple):
    """A device with boards at two tables."""

    key: str
    gateways: list[str]
    matches: list[str]
    tokens: list[dict[str, str]]
    owner: str
    """The key of the second table's owner."""


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


@pytest.fixture
async def shelf(service: Service, client: Client) -> Shelf:
    first = await client.create_gateway(service.admin_key, name="Left")
    owned = await client.create_gateway(service.admin_key, name="Right's own")
    code = (await client.create_gateway_invite(owned.owner_key, owned.table_id)).code
    second = await client.create_gateway(first.gateway_key, name="Right", code=code)
    assert (second.table_id, second.gateway_key) == (owned.table_id, "")
    gateways, matches, tokens = [first.gateway_id, second.gateway_id], [], []
    for number, gateway in enumerate(gateways):
        created = await client.create_match(game="agog", chance=CHANCE_ROLLED)
        seats = [created.tokens["white"], created.tokens["black"]]
        board, match = f"AA:{number}", created.match.match_id
        await client.pair_stylus(first.gateway_key, board, pin="0000", gateway_id=gateway)
        await client.seat_stylus(first.gateway_key, board, match, seats, gateway_id=gateway)
        matches.append(match)
        tokens.append(dict(created.tokens))
    return Shelf(first.gateway_key, gateways, matches, tokens, owned.owner_key)


async def of(call: Any, gateway: str, what: str, seq: int = 0) -> Any:
    """The next of these answers for a gateway."""
    while True:
        answer = await call.read()
        found = getattr(answer, what, None) if answer.WhichOneof("message") == what else None
        fits = answer.gateway_id == gateway and found is not None
        if fits and (not seq or getattr(found, "answered_seq", 0) == seq):
            return found


async def test_a_device_plays_at_two_tables_on_one_line(client: Client, shelf: Shelf) -> None:
    call = client._gateways.Connect(metadata=(("authorization", f"Bearer {shelf.key}"),))
    left, right = shelf.gateways
    for gateway, name in ((left, ""), (right, right)):
        hello = pb.Hello(gateway_id=gateway, epoch="e")
        await call.write(pb.ConnectRequest(hello=hello))
        assert (await of(call, name, "welcome")).highest_seq == 0
    for seq, code in enumerate(("space a6", "space b6", "button confirm"), 1):
        for name, board in (("", "AA:0"), (right, "AA:1")):
            tap = pb.Tap(seq=seq, stylus_id=board, code=code, prompt_number=1)
            await call.write(pb.ConnectRequest(gateway_id=name, tap=tap))
            prompt = await of(call, name, "prompt", seq)
            assert (prompt.stylus_id, prompt.acknowledged_seq) == (board, seq)
    for match, tokens in zip(shelf.matches, shelf.tokens, strict=True):
        assert await actions(client, tokens["referee"], match) == ["a6-b6"]
    # One table goes, and the line stays.
    await client.delete_gateway(shelf.owner, right)
    assert "deleted" in (await of(call, right, "disconnect")).message
    tap = pb.Tap(seq=4, stylus_id="AA:0", code="cc map", prompt_number=1)
    await call.write(pb.ConnectRequest(tap=tap))
    assert (await of(call, "", "prompt", 4)).view == "map"
    call.cancel()


async def test_a_key_opens_no_gateway_but_those_that_share_it(
    service: Service, client: Client, shelf: Shelf
) -> None:
    other = await client.create_gateway(service.admin_key, name="Other")
    listing = client.list_devices(shelf.key, gateway_id=other.gateway_id)
    assert await refusal(listing) == "GATEWAY_KEY_INVALID"
    listing = client.list_devices(other.gateway_key, gateway_id=shelf.gateways[1])
    assert await refusal(listing) == "GATEWAY_KEY_INVALID"
    code = (
        await client.create_gateway_invite(shelf.owner, shelf.gateways[1].partition(".")[0])
    ).code
    thief = client.create_gateway("no.key", name="Thief", code=code)
    assert await refusal(thief) == "GATEWAY_KEY_INVALID"
    call = client._gateways.Connect(metadata=(("authorization", f"Bearer {shelf.key}"),))
    await call.write(pb.ConnectRequest(hello=pb.Hello(gateway_id=shelf.gateways[0], epoch="e")))
    await of(call, "", "welcome")
    for wrong in (other.gateway_id, "nonsense"):
        await call.write(pb.ConnectRequest(hello=pb.Hello(gateway_id=wrong, epoch="e")))
        assert (await of(call, wrong, "disconnect")).message
    call.cancel()
