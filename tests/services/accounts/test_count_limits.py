"""What anybody may have who is no frontend is bounded, and told when there is too much of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from uuid import uuid4

import grpc
import pytest
from google.rpc.error_details_pb2 import QuotaFailure
from msgspec.structs import replace

from services.accounts.context import RequestContext
from services.accounts.count_limits import CountLimits
from services.client import Client, ServiceError
from services.main import Service
from services.runtime.errors import ApiError, Reason
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.transport.admission import AdmissionController
from services.transport.statuses import rich_status
from services.wire.emeth.v1.conditional_moves_pb2 import ConditionalMove
from tests.services.accounts.conftest import open_site
from tests.services.api.test_armies import GOLEM, LIONS
from tests.services.conftest import (
    STYLUS,
    CreatedMatch,
    GatewayConnection,
    GatewaySetup,
    create_match,
    refusal,
)

TOO_MANY = "LIMIT_EXCEEDED"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        data=str(tmp_path / "data"),
        listen="127.0.0.1:0",
        http="no",
        drain_seconds=1,
    )


@pytest.fixture
def limits() -> Limits:
    return Limits(new=2, requests=2, armies=2, players=2, streams=3, address_streams=4)


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


Deed = Callable[[Client, CreatedMatch], Awaitable[object]]


async def _match(client: Client, match: CreatedMatch) -> object:
    return await client.create_match(game="agog")


async def _table(client: Client, match: CreatedMatch) -> object:
    return await client.create_gateway(name="A table")


async def _shelf(client: Client, match: CreatedMatch) -> object:
    return await client.create_army(army={"game": GOLEM, "name": "Lions", "roster": LIONS})


async def _undo(client: Client, match: CreatedMatch) -> object:
    asked = await client.undo(match.tokens["white"], match.id, 1)
    assert list(asked.proposal.awaiting_seats) == ["black"]
    return (await client.answer(match.tokens["black"], match.id, accepted=False)).accepted


async def _dispute(client: Client, match: CreatedMatch) -> object:
    version = (await client.match(match.id)).version
    return (await client.create_dispute(match.tokens["white"], match.id, version, "Why?")).number


DEEDS: dict[str, tuple[Deed, int]] = {
    "new matches": (_match, 1),  # one is there already
    "new tables": (_table, 2),
    "new owners of armies": (_shelf, 2),
    "undo": (_undo, 2),
    "dispute": (_dispute, 2),
}
"""What is done, and how often it may be."""


@pytest.mark.parametrize("what", DEEDS)
async def test_too_much_of_it_is_refused_and_nothing_is_recorded(
    service: Service, client: Client, what: str
) -> None:
    match = await create_match(client, "agog")
    await client.submit(match.tokens["white"], match.id, "a6-b6")
    deed, most = DEEDS[what]
    for _ in range(most):
        await deed(client, match)
    before = service.figures()["log.jobs"]
    with pytest.raises(ServiceError) as caught:
        await deed(client, match)
    assert (caught.value.reason, caught.value.code) == (
        TOO_MANY,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    )
    assert caught.value.metadata["most"] == "2"
    assert caught.value.retry_seconds > 0
    assert service.figures()["log.jobs"] == before


async def test_an_owner_keeps_so_many_armies_and_may_delete_one_to_save_another(
    client: Client,
) -> None:
    first = await client.create_army(army={"game": GOLEM, "name": "Lions", "roster": LIONS})
    await client.create_army(
        first.owner_token, army={"game": GOLEM, "name": "More", "roster": LIONS}
    )
    assert (
        await refusal(
            client.create_army(
                first.owner_token, army={"game": GOLEM, "name": "Too many", "roster": LIONS}
            )
        )
        == TOO_MANY
    )
    await client.update_army(
        first.owner_token,
        army={"army_id": first.army.army_id, "etag": first.army.etag, "name": "Changed"},
    )
    await client.delete_army(first.owner_token, first.army.army_id)
    await client.create_army(
        first.owner_token, army={"game": GOLEM, "name": "Another", "roster": LIONS}
    )


async def test_what_a_frontend_starts_is_not_bound_so(service: Service) -> None:
    site = await open_site(service)
    async with site.client as client:
        for _ in range(4):
            await client.create_match(game="agog")


def test_addresses_have_bounds_of_their_own_which_fill_again() -> None:
    now = 100.0
    bounds = CountLimits(Limits(new=3600), clock=lambda: now)
    here, there = (
        replace(RequestContext("", None), peer=peer) for peer in ("192.0.2.1", "192.0.2.2")
    )
    for _ in range(3600):
        bounds.count_new(here, "matches")
    with pytest.raises(ApiError) as caught:
        bounds.count_new(here, "matches")
    assert caught.value.retry_seconds == pytest.approx(1.0)
    bounds.count_new(here, "tables")
    bounds.count_new(there, "matches")
    now += 1.0
    bounds.count_new(here, "matches")


def test_no_bound_is_none() -> None:
    bounds = CountLimits(Limits().scaled(0))
    match = uuid4()
    for _ in range(10_000):
        bounds.count_new(RequestContext("", None), "matches")
        bounds.count_request(match, "white")
    bounds.check_army_count(1_000_000)
    bounds.check_player_count(100_000_000)


def test_the_streams_of_an_address_are_counted_whatever_tokens_they_show(limits: Limits) -> None:
    gate = AdmissionController(limits)
    for token in "abcd":
        gate.open_stream(("token", token), "192.0.2.1")
    with pytest.raises(ApiError, match="the address has 4 open streams"):
        gate.open_stream(("token", "e"), "192.0.2.1")
    gate.open_stream(("token", "e"), "192.0.2.2")
    gate.close_stream(("token", "a"), "192.0.2.1")
    gate.open_stream(("token", "e"), "192.0.2.1")


def test_an_error_shows_the_quota_as_google_says() -> None:
    error = ApiError(Reason.LIMIT_EXCEEDED, "too many", retry_seconds=2.0, limit="armies", most=3)
    found = QuotaFailure()
    assert any(each.Unpack(found) for each in rich_status(error).details)
    assert [each.subject for each in found.violations] == ["armies"]


async def test_plans_and_taps_count_as_stored_bytes(service: Service, client: Client) -> None:
    site = await open_site(service)
    async with site.client:
        ada = await site.introduce("1", "Ada")
        match, tokens = await site.match(ada)
        corner = await client.create_gateway(service.admin_key, name="Corner")
        await client.pair_stylus(corner.gateway_key, STYLUS, pin="0000")
        await client.seat_stylus(corner.gateway_key, STYLUS, match, [tokens["black"]])
        version = (await client.match(match, token=tokens["black"])).version

        async def stored(more_than: int = 0) -> int:
            async with asyncio.timeout(30):
                while True:
                    found = (await site.client.get_frontend()).usage.stored_bytes
                    if found > more_than:
                        return int(found)
                    await asyncio.sleep(0.02)

        before = await stored()
        await client.set_conditional_moves(
            ada.token, match, moves=[ConditionalMove(responses=["a6-b6"], trigger_action="h3-g3")]
        )
        with_plan = await stored(before)
        async with GatewayConnection(
            service, GatewaySetup(corner.gateway_key, match, tokens)
        ) as line:
            await line.tap("space h3")
        await stored(with_plan)
        assert (await client.match(match, token=tokens["black"])).version == version


async def test_a_frontend_keeps_so_many_players_and_no_more(service: Service) -> None:
    site, other = await open_site(service, "A site"), await open_site(service, "Another")
    async with site.client, other.client:
        ada, _ = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        assert await refusal(site.introduce("3", "Carl")) == TOO_MANY
        assert (await site.introduce("1", "Ada Lovelace")).id == ada.id
        await other.introduce("3", "Carl")
        await site.client.delete_player(player_id=ada.id)
        await site.introduce("3", "Carl")
        assert await refusal(site.introduce("4", "Dora")) == TOO_MANY
