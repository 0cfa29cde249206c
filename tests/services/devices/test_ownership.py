"""Whose is what at a table, over a socket: what a second gateway and a stolen key cannot do."""

import asyncio
from typing import NamedTuple
from uuid import uuid4

import pytest
from msgspec import structs

from services.client import Client, ServiceError
from services.client.gateway import GatewayClient
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import tables_pb2 as pb

PEN, OTHER = "AA:01", "BB:02"


class Shop(NamedTuple):
    """A table with two gateways: Ada plays with the pen of the first, the second is a thief's."""

    table: str
    owner: str
    own_id: str
    own: str
    thief_id: str
    thief: str
    match: str
    tokens: dict[str, str]


@pytest.fixture
async def shop(service: Service, client: Client) -> Shop:
    own = await client.create_gateway(service.admin_key, name="Tablet")
    thief = await client.create_gateway(own.owner_key, own.table_id, "Lamp")
    assert not thief.owner_key
    created = await client.create_match(game="agog")
    tokens, match = dict(created.tokens), created.match.match_id
    await client.pair_stylus(own.gateway_key, PEN, pin="0000")
    await client.update_stylus(own.gateway_key, PEN, name="Ada's pen", pin="4711")
    await client.seat_stylus(own.gateway_key, PEN, match, [tokens["white"]])
    await client.pair_stylus(thief.gateway_key, OTHER, pin="0000")
    return Shop(
        own.table_id,
        own.owner_key,
        own.gateway_id,
        own.gateway_key,
        thief.gateway_id,
        thief.gateway_key,
        match,
        tokens,
    )


async def pen(client: Client, shop: Shop) -> pb.Stylus:
    styluses = (await client.list_devices(shop.own))[0].styluses
    found = next(each for each in styluses if each.stylus_id == PEN)
    found.ClearField("last_tap_time")
    return found


async def test_a_second_gateway_can_do_nothing_to_a_stylus_that_is_not_its_own(
    service: Service, client: Client, shop: Shop
) -> None:
    before = await pen(client, shop)
    async with GatewayClient(service.address, shop.thief) as line:
        await line.wait_until_welcomed()
        for sign in (
            pb.STYLUS_STATUS_KIND_FACTORY_RESET,
            pb.STYLUS_STATUS_KIND_DISCONNECTED,
            pb.STYLUS_STATUS_KIND_SWITCHED_OFF,
        ):
            line.report_status(PEN, sign)
        await line.wait_until_settled()
        assert (await line.tap(PEN, "space a6")).refusal.rule == "stylus.unpaired"
    renamed = await client.update_stylus(shop.thief, PEN, name="Mine", pin="1234")
    seated = await client.seat_stylus(shop.thief, PEN, shop.match, [shop.tokens["spectator"]])
    assert renamed.refusal.rule == seated.refusal.rule == "stylus.unpaired"
    released = await client.release_stylus(shop.thief, PEN, pin="1234")
    assert released.refusal.rule == "stylus.pin"
    assert await pen(client, shop) == before


@pytest.mark.parametrize("name", ["Аda's pen", "ada\u200b's pen", "Ada’s pen", "ADA'S\u3000PEN"])
async def test_no_stylus_has_a_name_that_looks_like_anothers(
    client: Client, shop: Shop, name: str
) -> None:
    renamed = await client.update_stylus(
        shop.thief, OTHER, name=name, pin="1234", update_mask=["name", "pin"]
    )
    assert renamed.refusal.rule == "stylus.name"
    assert "another stylus of this table is called" in renamed.refusal.why
    hidden = await client.update_stylus(
        shop.thief, OTHER, name="\u202eBob's\u2066 pen\u200b", pin="1234"
    )
    assert hidden.stylus.name == "Bob's pen"


async def test_a_second_gateway_remaps_nobody_elses_taps_and_moves_no_match(
    service: Service, client: Client, shop: Shop
) -> None:
    await client.update_tap_map(
        shop.thief,
        codes={"button page": "match resign", "space a6": "space h3"},
    )
    other = await client.create_match(game="agog")
    token = dict(other.tokens)["spectator"]
    moved = await client.seat_stylus(shop.thief, OTHER, other.match.match_id, [token])
    assert moved.refusal.rule == "stylus.table"
    async with GatewayClient(service.address, shop.own) as line:
        await line.wait_for_prompt(PEN, 1)
        assert list((await line.tap(PEN, "space a6")).selected) == ["space a6"]
        assert not (await line.tap(PEN, "button page")).HasField("armed")
    assert (await client.list_devices(shop.own))[0].match_id == shop.match


async def test_the_owners_map_is_for_gateways_that_have_none(client: Client, shop: Shop) -> None:
    own = (await client.update_tap_map(shop.thief, codes={"x/1": "space h3"})).tap_map_version
    for_all = await client.update_tap_map(
        shop.owner, codes={"x/1": "space a6"}, table_id=shop.table
    )
    (table,) = await client.list_devices(shop.own)
    assert table.tap_map_version == for_all.tap_map_version
    assert [each.tap_map_version for each in table.gateways] == [0, own]


async def test_a_key_that_was_stolen_is_changed_and_its_stream_ends(
    service: Service, client: Client, shop: Shop
) -> None:
    async with GatewayClient(service.address, shop.own) as line:
        await line.wait_for_prompt(PEN, 1)
        identity = "123e4567-e89b-42d3-a456-426614174000"
        changed = await client.rotate_gateway_key(shop.owner, shop.own_id, request_id=identity)
        again = await client.rotate_gateway_key(shop.owner, shop.own_id, request_id=identity)
        assert changed == again != shop.own
        with pytest.raises(ServiceError) as refused:
            await client.list_devices(shop.own)
        assert refused.value.reason == "GATEWAY_KEY_INVALID"
        async with asyncio.timeout(30):
            while shop.own_id in service._gateways:  # noqa: ASYNC110  there is no signal
                await asyncio.sleep(0.01)
    async with GatewayClient(service.address, changed) as line:
        assert (await line.wait_for_prompt(PEN, 1)).stylus_id == PEN


async def test_a_gateway_is_revoked_and_its_stylus_continues_with_another_by_its_pin(
    service: Service, client: Client, shop: Shop
) -> None:
    await client.delete_gateway(shop.owner, shop.own_id)
    with pytest.raises(ServiceError) as refused:
        await client.list_devices(shop.own)
    assert refused.value.reason == "GATEWAY_KEY_INVALID"
    (table,) = await client.list_devices(shop.owner, at_least_version=9)
    assert [each.deleted for each in table.gateways] == [True, False]
    assert (await client.pair_stylus(shop.thief, PEN, pin="0000")).refusal.rule == "stylus.pin"
    assert (await client.pair_stylus(shop.thief, PEN, pin="4711")).stylus.name == "Ada's pen"
    with pytest.raises(ServiceError) as unknown:
        await client.delete_gateway(service.admin_key, f"{shop.table}.nobody")
    assert unknown.value.reason == "GATEWAY_NOT_FOUND"


async def test_a_table_is_closed_and_its_styluses_are_free(
    service: Service, client: Client, shop: Shop
) -> None:
    elsewhere = await client.create_gateway(service.admin_key, name="Elsewhere")
    await client.close_table(shop.owner, shop.table)
    for key in (shop.own, shop.thief):
        with pytest.raises(ServiceError) as refused:
            await client.list_devices(key)
        assert refused.value.reason == "GATEWAY_KEY_INVALID"
    assert (
        await client.pair_stylus(elsewhere.gateway_key, PEN, pin="0000")
    ).stylus.stylus_id == PEN
    with pytest.raises(ServiceError) as closed:
        await client.create_gateway(service.admin_key, shop.table, "Again")
    assert closed.value.reason == "TABLE_CLOSED"


async def test_what_belongs_to_the_owner_is_refused_to_everybody_else(
    service: Service, client: Client, shop: Shop
) -> None:
    other = await client.create_gateway(service.admin_key, name="Another owner's")
    for key in (shop.own, shop.thief, other.owner_key, "nonsense", shop.tokens["referee"]):
        for call in (
            client.rotate_gateway_key(key, shop.own_id),
            client.delete_gateway(key, shop.own_id),
            client.close_table(key, shop.table),
            client.release_stylus(key, PEN, table_id=shop.table),
            client.update_tap_map(key, codes={}, table_id=shop.table),
            client.create_gateway(key, shop.table, "Mine"),
        ):
            with pytest.raises(ServiceError) as refused:
                await call
            assert refused.value.reason == "ADMIN_KEY_INVALID"
    with pytest.raises(ServiceError) as foreign:
        await client.list_devices(other.owner_key, table_id=shop.table)
    assert foreign.value.reason == "GATEWAY_KEY_INVALID"


async def test_wrong_pins_count_over_all_tables(
    service: Service, client: Client, shop: Shop
) -> None:
    keys = [
        (await client.create_gateway(service.admin_key, name=f"T{n}")).gateway_key for n in range(3)
    ]
    for key in (*keys, *keys[:2]):
        assert (await client.pair_stylus(key, PEN, pin="1111")).refusal.rule == "stylus.pin"
    for key in keys:
        assert (await client.pair_stylus(key, PEN, pin="4711")).refusal.rule == "stylus.locked"
        released = await client.release_stylus(key, PEN, pin="4711")
        assert released.refusal.rule == "stylus.unpaired", "it is paired at another table"
    assert (await client.pair_stylus(shop.own, PEN, pin="4711")).HasField("stylus"), (
        "it never guessed"
    )


async def test_a_thief_who_guesses_locks_out_nobody_else_and_the_owner_unlocks(
    client: Client, shop: Shop
) -> None:
    for number in range(5):
        released = await client.release_stylus(shop.thief, PEN, pin=f"111{number}")
        assert released.refusal.rule == "stylus.pin"
    for pin in ("4711", "1111"):
        locked = await client.release_stylus(shop.thief, PEN, pin=pin)
        assert locked.refusal.rule == "stylus.locked"
        assert (await client.pair_stylus(shop.thief, PEN, pin=pin)).refusal.rule == "stylus.locked"
    assert (await client.pair_stylus(shop.own, PEN, pin="4711")).HasField("stylus")
    for number in range(5):
        await client.pair_stylus(shop.thief, PEN, pin=f"111{number}")
    assert (await client.pair_stylus(shop.thief, PEN, pin="4711")).refusal.rule == "stylus.locked"
    for key in (shop.own, shop.thief):
        refused = client.update_stylus(key, PEN, table_id=shop.table, update_mask=["locked"])
        with pytest.raises(ServiceError) as foreign:
            await refused
        assert foreign.value.reason == "ADMIN_KEY_INVALID"
    await client.update_stylus(shop.owner, PEN, table_id=shop.table, update_mask=["locked"])
    assert (await client.pair_stylus(shop.thief, PEN, pin="4711")).HasField("stylus")


async def test_the_owners_key_of_a_closed_table_opens_nothing(client: Client, shop: Shop) -> None:
    request = str(uuid4())
    await client.close_table(shop.owner, shop.table, request_id=request)
    await client.close_table(shop.owner, shop.table, request_id=request)  # its answer was lost
    for call, reason in (
        (client.list_devices(shop.owner), "GATEWAY_KEY_INVALID"),
        (client.close_table(shop.owner, shop.table), "ADMIN_KEY_INVALID"),
        (
            client.update_stylus(shop.owner, PEN, table_id=shop.table, update_mask=["locked"]),
            "ADMIN_KEY_INVALID",
        ),
        (client.create_gateway_invite(shop.owner, shop.table), "ADMIN_KEY_INVALID"),
        (
            client.update_tap_map(shop.owner, codes={}, table_id=shop.table),
            "ADMIN_KEY_INVALID",
        ),
    ):
        with pytest.raises(ServiceError) as refused:
            await call
        assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("changes", "needs_none"), [({}, True), ({"open": "no"}, False), ({"http": "0.0.0.0:0"}, False)]
)
async def test_a_table_of_ones_own_needs_no_key_where_only_this_machine_can_call(
    settings: Settings, changes: dict[str, str], needs_none: bool
) -> None:
    async with (
        Service(structs.replace(settings, **changes)) as service,
        Client(service.address) as client,
    ):
        if needs_none:
            made = await client.create_gateway(name="Mine")
            assert (await client.pair_stylus(made.gateway_key, PEN, pin="0000")).HasField("stylus")
        else:
            with pytest.raises(ServiceError) as refused:
                await client.create_gateway(name="Mine")
            assert refused.value.reason == "TOKEN_MISSING"
