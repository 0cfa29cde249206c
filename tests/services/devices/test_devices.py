"""Devices and taps over a socket: who is shown what, in pages, as it was recorded."""

import asyncio
import re
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest

from services.api import devices
from services.client import Client, ServiceError
from services.client.gateway import GatewayClient
from services.devices import pairing
from services.main import Service
from services.runtime.settings import Settings
from services.store import taps
from services.wire.emeth.devices.v1 import styluses_pb2
from services.wire.emeth.v1 import tables_pb2
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED

WHITE, BLACK = "AA:01", "BB:02"
OF_BLACK = f'stylus_id = "{BLACK}"'


class Shop(NamedTuple):
    """Two gateways at one table, each with a stylus of a seat; a match of A.G.O.G."""

    table: str
    left: str
    right: str
    match: str
    tokens: dict[str, str]


@pytest.fixture
async def shop(service: Service, client: Client) -> Shop:
    left = await client.create_gateway(service.admin_key, name="Left")
    right = await client.create_gateway(service.admin_key, left.table_id, "Right")
    created = await client.create_match(game="agog")
    tokens, match = dict(created.tokens), created.match.match_id
    for key, pen, seat in ((left.gateway_key, WHITE, "white"), (right.gateway_key, BLACK, "black")):
        await client.pair_stylus(key, pen, pin="0000")
        await client.seat_stylus(key, pen, match, [tokens[seat]])
    await client.update_stylus(left.gateway_key, WHITE, name="Ada's pen", pin="4711")
    return Shop(left.table_id, left.gateway_key, right.gateway_key, match, tokens)


@pytest.fixture
async def played(service: Service, shop: Shop) -> Shop:
    """White has moved, and black has selected what to move."""
    async with (
        GatewayClient(service.address, shop.left) as left,
        GatewayClient(service.address, shop.right) as right,
    ):
        await left.wait_for_prompt(WHITE, 1)
        for code in ("space a6", "figure/999", "space b6", "button confirm"):
            await left.tap(WHITE, code)
        left.report_status(WHITE, tables_pb2.STYLUS_STATUS_KIND_BATTERY, 40)
        await left.wait_until_settled()
        await right.wait_for_prompt(BLACK, 2)
        await right.tap(BLACK, "space h3")
        right.report_status(BLACK, tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED)
        await right.wait_until_settled()
    return shop


async def newest(service: Service, client: Client, shop: Shop) -> int:
    return (await client.list_taps(service.admin_key, table_id=shop.table))[-1].version


async def test_taps_and_signs_are_listed_in_order_with_what_came_of_them(
    service: Service, client: Client, played: Shop
) -> None:
    taps = await client.list_taps(service.admin_key, table_id=played.table)
    versions = [tap.version for tap in taps]
    assert versions == sorted(versions)
    outcomes = [(tap.stylus_id, tap.target, tap.outcome) for tap in taps]
    assert outcomes == [
        (WHITE, "space a6", tables_pb2.TAP_OUTCOME_DONE),
        (WHITE, "", tables_pb2.TAP_OUTCOME_UNKNOWN_CODE),
        (WHITE, "space b6", tables_pb2.TAP_OUTCOME_DONE),
        (WHITE, "button confirm", tables_pb2.TAP_OUTCOME_ACTED),
        (WHITE, "", tables_pb2.TAP_OUTCOME_UNSPECIFIED),
        (BLACK, "space h3", tables_pb2.TAP_OUTCOME_DONE),
        (BLACK, "", tables_pb2.TAP_OUTCOME_UNSPECIFIED),
    ]
    first, unknown, _, confirm, battery, other, lost = taps
    assert (first.gateway_name, first.stylus_name) == ("Left", "Ada's pen")
    assert (first.seq, first.match_id, first.match_version) == (1, played.match, 1)
    assert first.record_time.seconds
    assert first.device_time
    assert (unknown.code, unknown.rule) == ("figure/999", "stylus.nothing")
    assert (confirm.action_version, first.action_version) == (2, 0)
    assert (battery.status_kind, battery.battery_percent) == (
        tables_pb2.STYLUS_STATUS_KIND_BATTERY,
        40,
    )
    assert (other.gateway_name, other.stylus_name, other.match_version) == ("Right", "", 2)
    assert lost.status_kind == tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED


async def test_a_gateway_is_shown_what_it_sent_itself_and_no_more(
    client: Client, played: Shop
) -> None:
    left, right = [await client.list_taps(key) for key in (played.left, played.right)]
    assert {tap.stylus_id for tap in left} == {WHITE}
    assert {tap.stylus_id for tap in right} == {BLACK}
    assert (len(left), len(right)) == (5, 2)


async def test_where_a_game_hides_things_no_gateway_can_count_the_taps_of_another(
    service: Service, client: Client
) -> None:
    left = await client.create_gateway(service.admin_key, name="Left")
    right = await client.create_gateway(service.admin_key, left.table_id, "Right")
    created = await client.create_match(game="res-arcana", chance=CHANCE_ROLLED)
    match = created.match.match_id
    for key, pen, seat in ((left.gateway_key, WHITE, "north"), (right.gateway_key, BLACK, "east")):
        await client.pair_stylus(key, pen, pin="0000")
        await client.seat_stylus(key, pen, match, [created.tokens[seat]])
    async with GatewayClient(service.address, left.gateway_key) as gateway:
        prompt = await gateway.wait_for_prompt(WHITE, 1)
        before = await client.list_devices(right.gateway_key)
        for code in prompt.next_targets[:2]:  # north has two mages, and looks at both
            await gateway.tap(WHITE, code)
        (whole,) = await client.list_devices(service.admin_key, table_id=left.table_id)
        assert whole.gateways[0].highest_seq == 2
        version = whole.version
        assert await client.list_devices(right.gateway_key, at_least_version=version) == before
        (own,) = await client.list_devices(left.gateway_key, at_least_version=version)
        assert own.gateways[0].highest_seq == 2
        assert own.styluses[0].HasField("last_tap_time")
        made = await client.list_taps(left.gateway_key)
        assert [(tap.seq, tap.version) for tap in made] == [(1, 0), (2, 0)]


async def test_a_referee_is_shown_all_taps_of_the_match_and_other_players_none(
    service: Service, client: Client, played: Shop
) -> None:
    asked = {"table_id": played.table, "match_id": played.match}
    taps = await client.list_taps(played.tokens["referee"], **asked)
    assert [tap.target for tap in taps] == [
        "space a6",
        "",
        "space b6",
        "button confirm",
        "space h3",
    ]
    for role in ("white", "black", "spectator"):
        with pytest.raises(ServiceError) as refused:
            await client.list_taps(played.tokens[role], **asked)
        assert refused.value.reason == "ROLE_NOT_ALLOWED"
    other = (await client.create_match(game="agog")).match.match_id
    assert not await client.list_taps(service.admin_key, other, table_id=played.table)
    with pytest.raises(ServiceError) as foreign:
        await client.list_taps(played.tokens["referee"], other, table_id=played.table)
    assert foreign.value.reason == "TOKEN_WRONG_MATCH"


async def test_taps_are_filtered_by_stylus_and_by_match(
    service: Service, client: Client, played: Shop
) -> None:
    key = service.admin_key
    blacks = await client.list_taps(key, table_id=played.table, filter=OF_BLACK)
    assert [tap.stylus_id for tap in blacks] == [BLACK, BLACK]
    both = await client.list_taps(key, played.match, table_id=played.table, filter=OF_BLACK)
    assert [tap.target for tap in both] == ["space h3"]


async def test_pages_of_taps_follow_on_each_other_and_keep_to_their_filters(
    service: Service, client: Client, played: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = await client.list_taps(service.admin_key, table_id=played.table)
    monkeypatch.setattr(devices, "MAX_TAPS_PAGE_SIZE", 2)
    monkeypatch.setattr(taps, "WINDOW", 3)
    assert await client.list_taps(service.admin_key, table_id=played.table) == every
    monkeypatch.undo()
    request = styluses_pb2.ListTapsRequest(table_id=played.table, page_size=2)
    page = await client._call(client._styluses.ListTaps, request, service.admin_key)
    assert list(page.taps) == every[:2]
    request.page_token, request.filter = page.next_page_token, OF_BLACK
    with pytest.raises(ServiceError) as refused:
        await client._call(client._styluses.ListTaps, request, service.admin_key)
    assert refused.value.reason == "PAGE_TOKEN_INVALID"


async def test_devices_are_listed_as_they_stand(
    service: Service, client: Client, played: Shop
) -> None:
    at_least = await newest(service, client, played)
    for key in (service.admin_key, played.left):
        (table,) = await client.list_devices(key, table_id=played.table, at_least_version=at_least)
        assert (table.name, table.match_id, table.version) == ("Left", played.match, at_least)
        left, right = table.gateways
        assert (left.name, left.highest_seq, right.highest_seq) == ("Left", 5, 2)
        assert left.epoch
        assert left.last_message_time.seconds
        white, black = table.styluses
        assert (white.stylus_id, white.name, list(white.seats)) == (WHITE, "Ada's pen", ["white"])
        assert (white.battery_percent, white.gateway_id) == (40, left.gateway_id)
        assert not white.HasField("disconnect_time")
        assert black.disconnect_time.seconds >= black.last_tap_time.seconds > 0
        assert not black.HasField("battery_percent")


async def test_the_admin_lists_all_tables_in_pages_and_a_gateway_its_own(
    service: Service, client: Client, played: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [await client.create_gateway(service.admin_key, name=f"T{n}") for n in range(3)]
    last = others[-1]
    await client.list_devices(service.admin_key, table_id=last.table_id, at_least_version=2)
    monkeypatch.setattr(devices, "MAX_PAGE_SIZE", 2)
    monkeypatch.setattr(devices, "DEFAULT_PAGE_SIZE", 2)
    listed = await client.list_devices(service.admin_key)
    assert [table.name for table in listed] == ["T2", "T1", "T0", "Left"]
    (own,) = await client.list_devices(last.gateway_key)
    assert own.name == "T2"
    (on_it,) = await client.list_devices(service.admin_key, filter=f"match_id = {played.match}")
    assert on_it.table_id == played.table
    with pytest.raises(ServiceError) as refused:
        await client.list_devices(last.gateway_key, table_id=played.table)
    assert refused.value.reason == "GATEWAY_KEY_INVALID"


async def test_nobody_else_is_shown_anything(client: Client, played: Shop) -> None:
    for key, reason in (
        ("", "TOKEN_MISSING"),
        ("nonsense", "GATEWAY_KEY_INVALID"),
        (played.tokens["referee"], "GATEWAY_KEY_INVALID"),
        (f"{played.left}x", "GATEWAY_KEY_INVALID"),
    ):
        for call in (client.list_devices(key), client.list_taps(key, table_id=played.table)):
            with pytest.raises(ServiceError) as refused:
                await call
            assert refused.value.reason == reason
    with pytest.raises(ServiceError) as missing:
        await client.list_taps(table_id=played.table, match_id=played.match)
    assert missing.value.reason == "TOKEN_MISSING"


async def test_a_missing_table_is_reported(service: Service, client: Client) -> None:
    nowhere = "00000000-0000-4000-8000-000000000001"
    assert await client.list_devices(service.admin_key, table_id=nowhere) == []
    with pytest.raises(ServiceError) as unknown:
        await client.list_taps(service.admin_key, table_id=nowhere)
    assert unknown.value.reason == "TABLE_NOT_FOUND"
    with pytest.raises(ServiceError) as malformed:
        await client.list_taps(service.admin_key)
    assert malformed.value.reason == "FIELD_INVALID"


async def test_no_answer_has_a_pin_a_key_or_a_token(
    service: Service, client: Client, played: Shop
) -> None:
    at_least = await newest(service, client, played)
    shown = [
        *await client.list_devices(
            service.admin_key, table_id=played.table, at_least_version=at_least
        ),
        *await client.list_taps(service.admin_key, table_id=played.table),
    ]
    whole = "".join(map(str, shown))
    # Times and ids may have the digits of a PIN by chance.
    text = re.sub(r"(seconds|nanos|_ms): \d+|[0-9a-f-]{16,}", "", whole)
    table = (await service._tables.get(UUID(played.table))).state
    digests = [gateway.key for gateway in table.gateways.values()]
    digests += [each.pin for each in table.styluses.values() if each.pin]
    digests += [key for each in table.styluses.values() for key in each.seats.values()]
    assert len(digests) == 5
    for secret in (*digests, *played.tokens.values(), played.left.rpartition(".")[2]):
        assert secret not in whole
    assert "4711" not in text


async def test_devices_are_there_after_a_rebuild(
    service: Service, client: Client, played: Shop
) -> None:
    at_least = await newest(service, client, played)
    asked = {"table_id": played.table, "at_least_version": at_least}
    before = await client.list_devices(service.admin_key, **asked)  # type: ignore[arg-type]  # of two types
    async for _ in client.rebuild_projections(service.admin_key):
        pass
    assert await client.list_devices(service.admin_key, **asked) == before  # type: ignore[arg-type]  # as above


async def other_table(service: Service, client: Client) -> str:
    """The key of a gateway at a table of its own."""
    return (await client.create_gateway(service.admin_key, name="Elsewhere")).gateway_key


async def test_a_stylus_that_is_heard_at_one_table_is_busy_at_another(
    service: Service, client: Client, shop: Shop
) -> None:
    key = await other_table(service, client)
    async with GatewayClient(service.address, shop.left) as left:
        await left.wait_until_welcomed()
        refused = (await client.pair_stylus(key, WHITE, pin="4711")).refusal
    assert refused.rule == "stylus.busy"
    assert "Left" not in refused.why
    assert (await client.pair_stylus(key, "CC:03", pin="0000")).stylus.stylus_id == "CC:03"


async def test_a_stylus_that_was_lost_is_paired_at_another_table_and_obeyed_there_alone(
    service: Service, client: Client, shop: Shop
) -> None:
    key = await other_table(service, client)
    async with GatewayClient(service.address, shop.left) as left:
        await left.wait_for_prompt(WHITE, 1)
        await left.tap(WHITE, "space a6")
        left.report_status(WHITE, tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED)
        await left.wait_until_settled()
        # Its PIN and its name are its own, wherever it is paired.
        assert (await client.pair_stylus(key, WHITE, pin="0000")).refusal.rule == "stylus.pin"
        assert (await client.pair_stylus(key, WHITE, pin="4711")).stylus.name == "Ada's pen"
        left.report_status(WHITE, tables_pb2.STYLUS_STATUS_KIND_CONNECTED)
        assert (await left.tap(WHITE, "space b6")).refusal.rule == "stylus.unpaired"
        assert (await left.tap(WHITE, "button confirm")).refusal.rule == "stylus.unpaired"
    known = (await client.list_devices(shop.left))[0].styluses
    assert WHITE not in {stylus.stylus_id for stylus in known}
    # The way back is the same: lost there, it may be paired here.
    async with GatewayClient(service.address, key) as elsewhere:
        await elsewhere.wait_until_welcomed()
        assert (
            await client.pair_stylus(shop.left, WHITE, pin="4711")
        ).refusal.rule == "stylus.busy"
        elsewhere.report_status(WHITE, tables_pb2.STYLUS_STATUS_KIND_SWITCHED_OFF)
        await elsewhere.wait_until_settled()
    assert (await client.pair_stylus(shop.left, WHITE, pin="4711")).stylus.name == "Ada's pen"
    assert not (await client.list_devices(key))[0].styluses


@pytest.mark.parametrize("at", ["the same table", "another table"])
async def test_the_stylus_of_a_dead_tablet_continues_at_once_by_its_own_pin(
    service: Service, client: Client, shop: Shop, at: str
) -> None:
    key = shop.right if at == "the same table" else await other_table(service, client)
    async with GatewayClient(service.address, shop.left) as tablet:
        await tablet.wait_for_prompt(WHITE, 1)
        await tablet.tap(WHITE, "space a6")
        assert (await client.pair_stylus(key, WHITE, pin="4711")).refusal.rule == "stylus.busy"
    # Its tablet broke, and told nobody anything.
    async with asyncio.timeout(30):
        while (answer := await client.pair_stylus(key, WHITE, pin="4711")).HasField("refusal"):
            assert answer.refusal.rule == "stylus.busy"
    assert answer.stylus.name == "Ada's pen"


async def test_a_wrong_pin_takes_a_stylus_from_no_table(
    service: Service, client: Client, shop: Shop
) -> None:
    key = await other_table(service, client)
    async with GatewayClient(service.address, shop.left) as left:
        await left.wait_for_prompt(WHITE, 1)
        left.report_status(WHITE, tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED)
        await left.wait_until_settled()
        assert (await client.pair_stylus(key, WHITE, pin="1234")).refusal.rule == "stylus.pin"
        left.report_status(WHITE, tables_pb2.STYLUS_STATUS_KIND_CONNECTED)
        assert list((await left.tap(WHITE, "space a6")).selected) == ["space a6"]


async def test_of_two_tables_that_pair_a_stylus_at_once_one_gets_it(
    service: Service, client: Client
) -> None:
    keys = [await other_table(service, client) for _ in range(6)]
    answers = await asyncio.gather(*(client.pair_stylus(key, "DD:04", pin="0000") for key in keys))
    assert [each.HasField("stylus") for each in answers].count(True) == 1
    assert {each.refusal.rule for each in answers if each.HasField("refusal")} == {"stylus.busy"}


async def test_a_request_that_is_repeated_takes_no_stylus_back(
    service: Service, client: Client
) -> None:
    here, there = [await other_table(service, client) for _ in range(2)]
    identity = str(uuid4())
    await client.pair_stylus(here, "DD:04", pin="0000", request_id=identity)
    async with GatewayClient(service.address, here) as gateway:
        await gateway.wait_until_welcomed()
        gateway.report_status("DD:04", tables_pb2.STYLUS_STATUS_KIND_SWITCHED_OFF)
        await gateway.wait_until_settled()
    await client.pair_stylus(there, "DD:04", pin="0000")
    await client.pair_stylus(here, "DD:04", pin="0000", request_id=identity)
    assert (await client.list_devices(there))[0].styluses[0].gateway_id


async def test_a_gateway_that_broke_does_not_keep_its_styluses_for_ever(
    service: Service, client: Client, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await other_table(service, client)
    monkeypatch.setattr(pairing, "SILENCE_LIMIT", timedelta(0))
    async with GatewayClient(service.address, shop.left) as left:
        await left.wait_until_welcomed()
        assert (await client.pair_stylus(key, WHITE, pin="0000")).refusal.rule == "stylus.busy"
        assert (await client.pair_stylus(key, BLACK, pin="0000")).stylus.stylus_id == BLACK


async def test_a_stylus_is_busy_after_the_service_was_restarted(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        here = await other_table(service, client)
        there = await other_table(service, client)
        await client.pair_stylus(here, WHITE, pin="0000")
    async with Service(settings) as service, Client(service.address) as client:
        assert (await client.pair_stylus(there, WHITE, pin="0000")).refusal.rule == "stylus.busy"


async def test_who_seats_a_stylus_and_then_asks_finds_it_seated(
    service: Service, shop: Shop, client: Client
) -> None:
    for number in range(20):
        seat = ("white", "black")[number % 2]
        await client.seat_stylus(shop.left, WHITE, shop.match, [shop.tokens[seat]])
        for wanted in ("", shop.table):
            (table,) = await client.list_devices(service.admin_key, table_id=wanted)
            pen = next(each for each in table.styluses if each.stylus_id == WHITE)
            assert list(pen.seats) == [seat]
