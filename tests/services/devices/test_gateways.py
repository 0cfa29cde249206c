"""Gateways on a real service: pairing, play by taps, and what is wrong and harmless."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import grpc
import grpc.aio
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from domain.table import TapTaken
from services.client import Client, ServiceError
from services.client.gateway import Device, GatewayClient
from services.main import Service
from services.store.loading import load_table
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.devices.v1.gateways_pb2_grpc import GatewaysServiceStub
from services.wire.emeth.v1 import tables_pb2
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from tests.services.conftest import STYLUS, actions
from tests.stores import both_stores

pytestmark = both_stores


class Shop(NamedTuple):
    """A gateway that is registered, and a match of A.G.O.G. on its table."""

    key: str
    table: UUID
    match: str
    tokens: dict[str, str]


@pytest.fixture
async def shop(service: Service, client: Client) -> Shop:
    registered = await client.create_gateway(service.admin_key, name="Corner table")
    created = await client.create_match(game="agog")
    return Shop(
        registered.gateway_key,
        UUID(registered.table_id),
        created.match.match_id,
        dict(created.tokens),
    )


@pytest.fixture
async def gateway(service: Service, client: Client, shop: Shop) -> AsyncIterator[GatewayClient]:
    await client.pair_stylus(shop.key, STYLUS, pin="0000")
    seats = [shop.tokens["white"], shop.tokens["black"]]
    await client.seat_stylus(shop.key, STYLUS, shop.match, seats)
    async with GatewayClient(
        service.address, shop.key, device=Device(resend_seconds=0.3)
    ) as connected:
        await connected.wait_for_prompt(STYLUS, 1)
        yield connected


async def test_a_move_is_two_squares_and_confirm(
    client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    first = await gateway.tap(STYLUS, "space a6")
    assert list(first.selected) == ["space a6"]
    assert "space b6" in first.next_targets
    second = await gateway.tap(STYLUS, "space b6")
    assert second.armed.label == "a6-b6"
    third = await gateway.tap(STYLUS, "button/confirm")
    assert [event.action.notation for event in third.events] == ["a6-b6"]
    assert third.match_version == 2
    assert await actions(client, shop.tokens["referee"], shop.match) == ["a6-b6"]


async def test_the_action_names_its_taps(
    service: Service, client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    for code in ("space a6", "space b6", "button confirm"):
        await gateway.tap(STYLUS, code)
    event = (await client.list_events(shop.tokens["spectator"], shop.match, at_least_version=2))[-1]
    assert event.details["stylus"] == STYLUS
    table = {str(each.event.version): each.event for each in service._log.table_events(shop.table)}
    named = [table[number] for number in event.details["taps"].split(" ")]
    assert [tap.code for tap in named] == ["space a6", "space b6", "button confirm"]
    assert named[-1].outcome == "acted"


async def test_a_tap_on_an_unknown_target_is_refused_with_a_reason(gateway: GatewayClient) -> None:
    answer = await gateway.tap(STYLUS, "figure/999")
    assert answer.refusal.rule == "stylus.nothing"
    assert "figure/999" in answer.refusal.why
    stranger = await gateway.tap("BB:99", "space a6")
    assert stranger.refusal.rule == "stylus.unpaired"


async def test_the_tap_map_of_a_table_binds_codes(
    client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    await client.update_tap_map(shop.key, codes={"tile/7/1": "space a6"})
    assert list((await gateway.tap(STYLUS, "tile/7/1")).selected) == ["space a6"]
    with pytest.raises(ServiceError) as refused:
        await client.update_tap_map(shop.key, codes={"tile/7/1": "nonsense"})
    assert refused.value.reason == "FIELD_INVALID"


async def test_taps_after_the_match_moved_on_are_recorded_and_do_not_act(
    client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    await gateway.tap(STYLUS, "space a6")
    await gateway.tap(STYLUS, "space b6")
    await client.submit(shop.tokens["white"], shop.match, "b5-c5")
    late = await gateway.answer(gateway.send(STYLUS, "button confirm", prompt=1))
    assert late.refusal.rule == "stylus.stale"
    assert not late.selected
    assert await actions(client, shop.tokens["white"], shop.match) == ["b5-c5"]
    assert list((await gateway.tap(STYLUS, "space h3")).selected) == ["space h3"]


async def test_what_others_do_is_shown_at_once(
    client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    await client.submit(shop.tokens["white"], shop.match, "b5-c5")
    async with asyncio.timeout(30):
        assert (await gateway.wait_for_prompt(STYLUS, 2)).answered_seq == 0


async def test_a_stylus_acts_only_for_its_own_seats(
    client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    await client.pair_stylus(shop.key, "AA:02", pin="0000")
    seated = await client.seat_stylus(shop.key, "AA:02", shop.match, [shop.tokens["black"]])
    assert list(seated.stylus.seats) == ["black"]
    assert not seated.stylus.shared
    async with asyncio.timeout(30):
        assert (await gateway.wait_for_prompt("AA:02", 1)).prompt_number == 1
    waiting = await gateway.tap("AA:02", "space a6")
    assert (waiting.view, waiting.refusal.rule) == ("info space a6", "")
    assert "Waiting for white" in waiting.screen
    assert (await gateway.tap("AA:02", "button confirm")).view == "play"
    assert (await gateway.tap("AA:02", "button confirm")).refusal.rule.startswith("stylus.")
    await client.join_match(shop.tokens["black"], shop.match, "black", "Bob")
    for code in ("space a6", "space b6", "button confirm"):
        await gateway.tap(STYLUS, code)
    await gateway.tap("AA:02", "space h3")
    assert not (await gateway.tap("AA:02", "space g3")).selected


async def test_a_stylus_pairs_by_its_pin_and_is_locked_after_five_wrong_ones(
    client: Client, shop: Shop
) -> None:
    for _ in range(5):
        assert (await client.pair_stylus(shop.key, STYLUS, pin="1234")).refusal.rule == "stylus.pin"
    assert (await client.pair_stylus(shop.key, STYLUS, pin="0000")).refusal.rule == "stylus.locked"
    assert (await client.pair_stylus(shop.key, "AA:07", pin="0000")).stylus.stylus_id == "AA:07"


async def test_a_stylus_is_given_a_name_and_a_pin_of_its_own(client: Client, shop: Shop) -> None:
    named = await client.update_stylus(shop.key, STYLUS, name="Ada's pen", pin="4711")
    assert named.refusal.rule == "stylus.unpaired"
    for stylus in (STYLUS, "AA:02"):
        await client.pair_stylus(shop.key, stylus, pin="0000")
    assert (await client.update_stylus(shop.key, STYLUS, name="Ada's pen", pin="4711")).stylus.name
    for name, pin in (("", "4711"), ("x" * 25, "4711"), ("Pen", "0000"), ("Pen", "47"),
                      ("ADA'S PEN", "4712")):  # fmt: skip
        refused = (
            await client.update_stylus(
                shop.key, "AA:02", name=name, pin=pin, update_mask=["name", "pin"]
            )
        ).refusal
        assert refused.rule == "stylus.name", (name, pin)
    assert (await client.pair_stylus(shop.key, STYLUS, pin="0000")).refusal.rule == "stylus.pin"
    assert (await client.pair_stylus(shop.key, STYLUS, pin="4711")).stylus.name == "Ada's pen"


async def test_a_stylus_of_another_gateway_is_busy_until_it_is_lost(
    service: Service, client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    other = await client.create_gateway(service.admin_key, str(shop.table), "Other side")
    assert (
        await client.pair_stylus(other.gateway_key, STYLUS, pin="0000")
    ).refusal.rule == "stylus.busy"
    gateway.report_status(STYLUS, tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED)
    gateway.report_status(STYLUS, tables_pb2.STYLUS_STATUS_KIND_BATTERY, 40)
    await gateway.wait_until_settled()
    (lost,) = (await client.list_devices(shop.key))[0].styluses
    assert lost.HasField("disconnect_time")
    assert lost.battery_percent == 40
    assert (
        await client.pair_stylus(other.gateway_key, STYLUS, pin="0000")
    ).stylus.gateway_id == other.gateway_id


async def test_a_factory_reset_forgets_name_pin_and_seat(
    client: Client, shop: Shop, gateway: GatewayClient
) -> None:
    await client.update_stylus(shop.key, STYLUS, name="Ada's pen", pin="4711")
    gateway.report_status(STYLUS, tables_pb2.STYLUS_STATUS_KIND_FACTORY_RESET)
    await gateway.wait_until_settled()
    (reset,) = (await client.list_devices(shop.key))[0].styluses
    assert (reset.name, reset.gateway_id, list(reset.seats)) == ("", "", [])
    assert (await client.pair_stylus(shop.key, STYLUS, pin="0000")).stylus.stylus_id == STYLUS


async def test_a_repeated_request_gives_the_first_answer(
    service: Service, client: Client, shop: Shop
) -> None:
    identity = str(uuid4())
    one = await client.create_gateway(service.admin_key, name="A", request_id=identity)
    two = await client.create_gateway(service.admin_key, name="A", request_id=identity)
    assert one == two
    with pytest.raises(ServiceError) as reused:
        await client.create_gateway(service.admin_key, name="B", request_id=identity)
    assert reused.value.reason == "REQUEST_ID_REUSED"
    again = str(uuid4())
    for _ in range(2):
        refused = (await client.pair_stylus(shop.key, STYLUS, pin="1111", request_id=again)).refusal
        assert refused.rule == "stylus.pin"
    assert (await client.pair_stylus(shop.key, STYLUS, pin="0000")).stylus.stylus_id == STYLUS


@pytest.mark.parametrize("key", ["nonsense", f"{UUID(int=7)}.abc.def", "x.y.z"])
async def test_a_wrong_key_is_refused(service: Service, client: Client, key: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.list_devices(key)
    assert refused.value.reason == "GATEWAY_KEY_INVALID"
    async with GatewayClient(service.address, key) as stranger:
        with pytest.raises(ServiceError) as away:
            await stranger.wait_until_welcomed()
    assert away.value.reason == "GATEWAY_KEY_INVALID"


async def test_no_key_but_the_admins_registers_gateways(client: Client, shop: Shop) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.create_gateway(shop.key, name="Mine")
    assert refused.value.reason == "ADMIN_KEY_INVALID"
    with pytest.raises(ServiceError) as refused:
        await client.create_gateway(name="Mine", table_id=shop.key.partition(".")[0])
    assert refused.value.reason == "TOKEN_MISSING", "it is somebody's table"


async def test_clocks_that_are_years_off_change_nothing(
    service: Service, client: Client, shop: Shop
) -> None:
    await client.pair_stylus(shop.key, STYLUS, pin="0000")
    await client.seat_stylus(shop.key, STYLUS, shop.match, [shop.tokens["white"]])
    for years in (-60, 9000):
        device = Device(clock=lambda: years * 31e6)  # noqa: B023  used at once
        off = GatewayClient(service.address, shop.key, device=device)
        async with off as gateway:
            await gateway.wait_for_prompt(STYLUS, 1)
            assert list((await gateway.tap(STYLUS, "space a6")).selected) in ([], ["space a6"])


async def test_a_flood_is_slowed_down_and_loses_nothing(gateway: GatewayClient) -> None:
    for _ in range(600):
        last = gateway.send(STYLUS, "cc map")
    assert (await gateway.answer(last)).view == "map"


async def test_the_first_message_of_a_stream_says_who_it_is(
    service: Service, shop: Shop, client: Client
) -> None:
    metadata = (("authorization", f"Bearer {shop.key}"),)
    other = await client.create_gateway(service.admin_key, name="Other")
    wrong = pb.Hello(gateway_id=other.gateway_id, epoch="e")
    async with grpc.aio.insecure_channel(service.address) as channel:
        connect: Any = GatewaysServiceStub(channel).Connect  # type: ignore[arg-type]  # typed for blocking channels
        for first, code in (
            (pb.ConnectRequest(tap=pb.Tap(seq=1)), grpc.StatusCode.INVALID_ARGUMENT),
            (pb.ConnectRequest(), grpc.StatusCode.INVALID_ARGUMENT),
            (pb.ConnectRequest(hello=wrong), grpc.StatusCode.PERMISSION_DENIED),
            (pb.ConnectRequest(hello=pb.Hello(gateway_id=shop.key.rpartition(".")[0])),
             grpc.StatusCode.INVALID_ARGUMENT),
        ):  # fmt: skip
            call = connect(metadata=metadata)
            await call.write(first)
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await call.read()
            assert refused.value.code() is code


async def test_numbers_that_go_back_or_ahead_and_odd_messages_are_harmless(
    service: Service, shop: Shop, client: Client
) -> None:
    await client.pair_stylus(shop.key, STYLUS, pin="0000")
    await client.seat_stylus(shop.key, STYLUS, shop.match, [shop.tokens["white"]])
    metadata = (("authorization", f"Bearer {shop.key}"),)
    async with grpc.aio.insecure_channel(service.address) as channel:
        connect: Any = GatewaysServiceStub(channel).Connect  # type: ignore[arg-type]  # as above
        call = connect(metadata=metadata)
        hello = pb.Hello(gateway_id=shop.key.rpartition(".")[0], epoch="raw")
        await call.write(pb.ConnectRequest(hello=hello))
        assert (await call.read()).welcome.highest_seq == 0
        first = (await call.read()).prompt
        assert first.stylus_id == STYLUS

        async def answer(tap: pb.Tap) -> pb.ConnectResponse:
            await call.write(pb.ConnectRequest(tap=tap))
            return await call.read()

        tap = pb.Tap(seq=1, stylus_id=STYLUS, code="space a6", prompt_number=first.prompt_number)
        assert list((await answer(tap)).prompt.selected) == ["space a6"]
        assert list((await answer(tap)).prompt.selected) == ["space a6"]
        assert (await answer(pb.Tap(seq=9, stylus_id=STYLUS, code="cc map"))).gap.expected_seq == 2
        assert (await answer(pb.Tap(seq=0))).prompt.acknowledged_seq == 1
        huge = pb.Tap(
            seq=2,
            stylus_id="x" * 9000,
            code="y" * 9000,
            prompt_number=2**32 - 1,
            device_time=Timestamp(seconds=-(2**63)),
        )
        assert (await answer(huge)).prompt.refusal.rule == "stylus.unpaired"
        await call.write(pb.ConnectRequest())
        await call.write(pb.ConnectRequest(hello=hello))
        await call.write(pb.ConnectRequest(status=pb.StylusStatus(seq=3, stylus_id=STYLUS)))
        assert (await answer(pb.Tap(seq=3, stylus_id=STYLUS, code="cc map"))).prompt.view == "map"
        call.cancel()
    taps = [each.event for each in service._log.table_events(shop.table)]
    assert [tap.seq for tap in taps if isinstance(tap, TapTaken) and tap.epoch == "raw"] == [
        1,
        2,
        3,
    ]


async def test_a_gateway_that_connects_again_ends_its_older_stream(
    service: Service, shop: Shop, gateway: GatewayClient
) -> None:
    before = gateway.connections
    async with GatewayClient(service.address, shop.key) as newer:
        await newer.wait_until_welcomed()
        assert (await newer.answer(newer.send(STYLUS, "cc map", prompt=1))).view == "map"
    await gateway.tap(STYLUS, "cc map")
    assert gateway.connections > before


async def test_what_the_service_rolls_comes_with_the_tap_that_requested_it(
    service: Service, client: Client
) -> None:
    key = (await client.create_gateway(service.admin_key, name="Table")).gateway_key
    created = await client.create_match(game="earthen-war", chance=CHANCE_ROLLED)
    match, tokens = created.match.match_id, dict(created.tokens)
    await client.pair_stylus(key, STYLUS, pin="0000")
    await client.seat_stylus(key, STYLUS, match, [tokens["white"], tokens["black"]])
    async with GatewayClient(service.address, key) as gateway:
        shown = await gateway.wait_for_prompt(STYLUS, 1)
        add = next(n for n, rune in enumerate(shown.runes, 1) if rune.label.startswith("add"))
        await gateway.tap(STYLUS, f"cc rune {add}")
        shown = await gateway.tap(STYLUS, "button confirm")
    assert [event.HasField("draw") for event in shown.events] == [False, True]
    assert shown.events[0].details["stylus"] == STYLUS
    assert "taps" not in shown.events[1].details


async def test_a_table_with_many_events_is_read_from_a_snapshot(
    service: Service, shop: Shop, gateway: GatewayClient
) -> None:
    for _ in range(520):
        last = gateway.send(STYLUS, "cc map")
    await gateway.answer(last)
    await service._tables.close()
    assert service._log.latest_snapshot(shop.table) is not None
    read = load_table(service._log, shop.table)
    assert read == (await service._tables.get(shop.table)).state
    assert await service._tables.find(UUID(shop.match)) is None
