"""Gateways on a real service: pairing, play by taps, and lines that fail."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest

from domain.kernel.game import AnyGame, Refused, fold
from domain.kernel.tap_paths import taps_for
from domain.kernel.taps import Moment
from domain.registry import GAMES
from domain.table import TapTaken
from services.client import ServiceError
from services.gateway.tables import events_of
from services.gateway_client import GatewayClient, Mangle
from services.server import Service
from services.settings import Settings
from services.store.log import Log
from services.table_client import TableClient
from services.wire.emeth.v1 import gateways_pb2 as pb

PEN = "AA:01"


class Shop(NamedTuple):
    """A gateway that is registered, and a match of A.G.O.G. on its table."""

    key: str
    table: UUID
    match: str
    tokens: dict[str, str]


@pytest.fixture
async def client(service: Service) -> AsyncIterator[TableClient]:
    async with TableClient(service.address, name="tests/1") as connected:
        yield connected


@pytest.fixture
async def shop(service: Service, client: TableClient) -> Shop:
    registered = await client.register_gateway(service.admin_key, "Corner table")
    created = await client.create_match("agog")
    return Shop(
        registered.key,
        UUID(registered.table_id),
        created.match.match_id,
        dict(created.tokens),
    )


@pytest.fixture
async def gateway(
    service: Service, client: TableClient, shop: Shop
) -> AsyncIterator[GatewayClient]:
    await client.pair_stylus(shop.key, PEN, "0000")
    seats = [shop.tokens["white"], shop.tokens["black"]]
    await client.seat_stylus(shop.key, PEN, shop.match, seats)
    async with GatewayClient(service.address, shop.key, resend_seconds=0.3) as connected:
        await connected.shown(PEN, 1)
        yield connected


async def actions(client: TableClient, token: str, match: str, version: int = 2) -> list[str]:
    events = await client.list_history(token, match, version)
    return [event.action.notation for event in events if event.HasField("action")]


async def test_a_move_is_two_squares_and_confirm(
    client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    first = await gateway.tap(PEN, "space a6")
    assert list(first.picked) == ["space a6"]
    assert "space b6" in first.next
    second = await gateway.tap(PEN, "space b6")
    assert second.armed.label == "a6-b6"
    third = await gateway.tap(PEN, "button/confirm")
    assert [event.action.notation for event in third.events] == ["a6-b6"]
    assert third.version == 2
    assert await actions(client, shop.tokens["referee"], shop.match) == ["a6-b6"]


async def test_the_action_names_its_taps(
    service: Service, client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    for code in ("space a6", "space b6", "button confirm"):
        await gateway.tap(PEN, code)
    event = (await client.list_history(shop.tokens["spectator"], shop.match, 2))[-1]
    assert event.details["stylus"] == PEN
    table = {str(each.event.version): each.event for each in events_of(service._log, shop.table)}
    named = [table[number] for number in event.details["taps"].split(" ")]
    assert [tap.code for tap in named] == ["space a6", "space b6", "button confirm"]
    assert named[-1].outcome == "acted"


async def test_who_taps_what_nobody_knows_is_answered_kindly(gateway: GatewayClient) -> None:
    answer = await gateway.tap(PEN, "figure/999")
    assert answer.refusal.rule == "stylus.nothing"
    assert "figure/999" in answer.refusal.why
    stranger = await gateway.tap("BB:99", "space a6")
    assert stranger.refusal.rule == "stylus.unpaired"


async def test_the_tap_map_of_a_table_binds_codes(
    client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    await client.set_tap_map(shop.key, {"tile/7/1": "space a6"})
    assert list((await gateway.tap(PEN, "tile/7/1")).picked) == ["space a6"]
    with pytest.raises(ServiceError) as refused:
        await client.set_tap_map(shop.key, {"tile/7/1": "nonsense"})
    assert refused.value.reason == "FIELD_INVALID"


async def test_taps_after_the_match_moved_on_are_recorded_and_do_not_act(
    client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    await gateway.tap(PEN, "space a6")
    await gateway.tap(PEN, "space b6")
    await client.submit(shop.tokens["white"], shop.match, "b5-c5")
    late = await gateway.answer(gateway.send(PEN, "button confirm", prompt=1))
    assert late.refusal.rule == "stylus.stale"
    assert not late.picked
    assert await actions(client, shop.tokens["white"], shop.match) == ["b5-c5"]
    assert list((await gateway.tap(PEN, "space h3")).picked) == ["space h3"]


async def test_what_others_do_is_shown_at_once(
    client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    await client.submit(shop.tokens["white"], shop.match, "b5-c5")
    async with asyncio.timeout(5):
        assert (await gateway.shown(PEN, 2)).seq == 0


async def test_a_stylus_acts_only_for_its_own_seats(
    client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    await client.pair_stylus(shop.key, "AA:02", "0000")
    seated = await client.seat_stylus(shop.key, "AA:02", shop.match, [shop.tokens["black"]])
    assert list(seated.seated.seats) == ["black"]
    assert not seated.seated.shared
    async with asyncio.timeout(5):
        assert (await gateway.shown("AA:02", 1)).prompt == 1
    assert (await gateway.tap("AA:02", "space a6")).refusal.rule == "stylus.nothing"
    await client.claim_seat(shop.tokens["black"], shop.match, "black", "Bob")
    for code in ("space a6", "space b6", "button confirm"):
        await gateway.tap(PEN, code)
    assert (await gateway.tap("AA:02", "space h3")).refusal.rule.startswith("stylus.")


async def test_a_stylus_pairs_by_its_pin_and_is_locked_after_five_wrong_ones(
    client: TableClient, shop: Shop
) -> None:
    for _ in range(5):
        assert (await client.pair_stylus(shop.key, PEN, "1234")).refused.rule == "stylus.pin"
    assert (await client.pair_stylus(shop.key, PEN, "0000")).refused.rule == "stylus.locked"
    assert (await client.pair_stylus(shop.key, "AA:07", "0000")).paired.stylus == "AA:07"


async def test_a_stylus_is_given_a_name_and_a_pin_of_its_own(
    client: TableClient, shop: Shop
) -> None:
    named = await client.rename_stylus(shop.key, PEN, "Ada's pen", "4711")
    assert named.refused.rule == "stylus.unpaired"
    for stylus in (PEN, "AA:02"):
        await client.pair_stylus(shop.key, stylus, "0000")
    assert (await client.rename_stylus(shop.key, PEN, "Ada's pen", "4711")).renamed.name
    for name, pin in (("", "4711"), ("x" * 25, "4711"), ("Pen", "0000"), ("Pen", "47"),
                      ("ADA'S PEN", "4712")):  # fmt: skip
        refused = (await client.rename_stylus(shop.key, "AA:02", name, pin)).refused
        assert refused.rule == "stylus.name", (name, pin)
    assert (await client.pair_stylus(shop.key, PEN, "0000")).refused.rule == "stylus.pin"
    assert (await client.pair_stylus(shop.key, PEN, "4711")).paired.name == "Ada's pen"


async def test_a_stylus_of_another_gateway_is_busy_until_it_is_lost(
    service: Service, client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    other = await client.register_gateway(service.admin_key, "Other side", str(shop.table))
    assert (await client.pair_stylus(other.key, PEN, "0000")).refused.rule == "stylus.busy"
    gateway.sign(PEN, pb.SIGN_KIND_LOST)
    gateway.sign(PEN, pb.SIGN_KIND_BATTERY, 40)
    await gateway.settled()
    (lost,) = (await client.list_styluses(shop.key)).styluses
    assert lost.lost
    assert lost.battery_percent == 40
    assert (await client.pair_stylus(other.key, PEN, "0000")).paired.gateway_id == other.gateway_id


async def test_a_factory_reset_forgets_name_pin_and_seat(
    client: TableClient, shop: Shop, gateway: GatewayClient
) -> None:
    await client.rename_stylus(shop.key, PEN, "Ada's pen", "4711")
    gateway.sign(PEN, pb.SIGN_KIND_RESET)
    await gateway.settled()
    (reset,) = (await client.list_styluses(shop.key)).styluses
    assert (reset.name, reset.gateway_id, list(reset.seats)) == ("", "", [])
    assert (await client.pair_stylus(shop.key, PEN, "0000")).paired.stylus == PEN


async def test_a_repeated_request_gives_the_first_answer(
    service: Service, client: TableClient, shop: Shop
) -> None:
    identity = str(uuid4())
    one = await client.register_gateway(service.admin_key, "A", request_id=identity)
    two = await client.register_gateway(service.admin_key, "A", request_id=identity)
    assert one == two
    with pytest.raises(ServiceError) as reused:
        await client.register_gateway(service.admin_key, "B", request_id=identity)
    assert reused.value.reason == "REQUEST_ID_REUSED"
    again = str(uuid4())
    for _ in range(2):
        refused = (await client.pair_stylus(shop.key, PEN, "1111", request_id=again)).refused
        assert refused.rule == "stylus.pin"
    assert (await client.pair_stylus(shop.key, PEN, "0000")).paired.stylus == PEN


@pytest.mark.parametrize("key", ["nonsense", f"{UUID(int=7)}.abc.def", "x.y.z"])
async def test_a_wrong_key_is_refused(service: Service, client: TableClient, key: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.list_styluses(key)
    assert refused.value.reason == "GATEWAY_KEY_WRONG"
    async with GatewayClient(service.address, key) as stranger:
        with pytest.raises(ServiceError) as away:
            await stranger.welcomed()
    assert away.value.reason == "GATEWAY_KEY_WRONG"


async def test_only_the_admin_key_registers_gateways(client: TableClient, shop: Shop) -> None:
    for key, reason in (("", "TOKEN_MISSING"), (shop.key, "ADMIN_KEY_WRONG")):
        with pytest.raises(ServiceError) as refused:
            await client.register_gateway(key, "Mine")
        assert refused.value.reason == reason


async def test_clocks_that_are_years_off_change_nothing(
    service: Service, client: TableClient, shop: Shop
) -> None:
    await client.pair_stylus(shop.key, PEN, "0000")
    await client.seat_stylus(shop.key, PEN, shop.match, [shop.tokens["white"]])
    for years in (-60, 9000):
        off = GatewayClient(service.address, shop.key, clock=lambda: years * 31e6)  # noqa: B023  used at once
        async with off as gateway:
            await gateway.shown(PEN, 1)
            assert list((await gateway.tap(PEN, "space a6")).picked) in ([], ["space a6"])


async def test_a_flood_is_slowed_down_and_loses_nothing(gateway: GatewayClient) -> None:
    for _ in range(600):
        last = gateway.send(PEN, "cc map")
    assert (await gateway.answer(last)).view == "map"


# --- lines that fail -----------------------------------------------------------------------------


def bad_line(random: Random) -> Mangle:
    """Drops, doubles and reorders messages."""
    held: list[pb.ConnectRequest] = []

    def mangle(request: pb.ConnectRequest) -> list[pb.ConnectRequest]:
        fate = random.random()
        if fate < 0.1:
            return []
        if fate < 0.2:
            held.append(request)
            return []
        sent = [request, request] if fate < 0.3 else [request]
        if held and random.random() < 0.5:
            sent.append(held.pop())
        return sent

    return mangle


async def play_by_taps(
    gateway: GatewayClient, game: AnyGame, random: Random, steps: int, *, cuts: bool = False
) -> list[str]:
    """Play a random match by taps alone; the actions that it ought to have."""
    await gateway.shown(PEN, 1)
    state, taken = game.start(game.options()), []
    for _ in range(steps):
        if game.result(state) is not None or not game.turn(state):
            break
        moment = Moment(game, state, (), shared=True)
        legal = [each for each in game.legal(state, moment.seat) if not game.aside(each)]
        action = random.choice(legal)
        taps = taps_for(moment, action)
        for code in taps:
            if cuts and random.random() < 0.03:
                gateway.cut()
            last = gateway.send(PEN, code)
        await gateway.answer(last)
        outcome: Any = game.decide(state, moment.seat, action)
        assert not isinstance(outcome, Refused)
        state = fold(game, state, outcome.facts)
        taken.append(game.write_action(action))
    await gateway.settled()
    return taken


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("line", ["good", "bad"])
async def test_a_match_played_by_taps_has_the_same_log_as_by_notation(
    service: Service, client: TableClient, slug: str, line: str
) -> None:
    random = Random(f"{slug}-{line}")
    key = (await client.register_gateway(service.admin_key, "Table")).key
    created = await client.create_match(slug)
    match, tokens = created.match.match_id, dict(created.tokens)
    seats = [token for role, token in tokens.items() if role not in ("referee", "spectator")]
    await client.pair_stylus(key, PEN, "0000")
    await client.seat_stylus(key, PEN, match, seats)
    mangle = bad_line(random) if line == "bad" else None
    options: dict[str, Any] = {"mangle": mangle} if mangle else {}
    async with GatewayClient(service.address, key, resend_seconds=0.1, **options) as gateway:
        await gateway.welcomed()
        game = GAMES[slug]
        taken = await play_by_taps(gateway, game, random, 25, cuts=line == "bad")
    assert taken
    assert await actions(client, tokens["referee"], match, len(taken) + 1) == taken


async def test_no_acknowledged_tap_is_lost_when_the_service_is_started_anew(
    settings: Settings,
) -> None:
    """Stopped between any two messages, it goes on where it was, in the middle of a selection."""
    async with Service(settings) as service:
        address = service.address
        async with TableClient(address) as client:
            key = (await client.register_gateway(service.admin_key, "Table")).key
            created = await client.create_match("agog")
            tokens, match = dict(created.tokens), created.match.match_id
            await client.pair_stylus(key, PEN, "0000")
            await client.seat_stylus(key, PEN, match, [tokens["white"], tokens["black"]])
    for code in ("space a6", "space b6", "button confirm"):
        async with Service(settings) as service, GatewayClient(service.address, key) as gateway:
            await gateway.shown(PEN, 1)
            await gateway.tap(PEN, code)
    async with Service(settings) as service, TableClient(service.address) as client:
        assert await actions(client, tokens["referee"], match) == ["a6-b6"]


async def test_a_service_that_is_killed_loses_no_acknowledged_tap(tmp_path: Path) -> None:
    """The gateway's journal and the log agree after every kill: each tap is there once."""
    random, game = Random(7), GAMES["earthen-war"]
    service = KilledService(tmp_path)
    service.start()
    admin = (service.data / "admin.key").read_text().strip()
    async with TableClient(service.address, patience_seconds=20) as client:
        key = (await client.register_gateway(admin, "Table")).key
        created = await client.create_match("earthen-war")
        match, tokens = created.match.match_id, dict(created.tokens)
        await client.pair_stylus(key, PEN, "0000")
        await client.seat_stylus(key, PEN, match, [tokens["white"], tokens["black"]])
        try:
            journal = tmp_path / "journal"
            async with GatewayClient(
                service.address, key, journal=journal, resend_seconds=0.2
            ) as gateway:
                killer = asyncio.create_task(service.kill_now_and_then(random))
                taken = await play_by_taps(gateway, game, random, 120)
                killer.cancel()
            assert service.kills
            assert await actions(client, tokens["referee"], match, len(taken) + 1) == taken
        finally:
            service.kill()
    acknowledged = json.loads(journal.read_text().splitlines()[-1])["acknowledged"]
    opened = Log(service.data, print)
    try:
        taps = [each.event for each in events_of(opened, UUID(key.partition(".")[0]))]
    finally:
        opened.close()
    assert [each.seq for each in taps if isinstance(each, TapTaken)] == [
        *range(1, acknowledged + 1)
    ]


class KilledService:
    """`emeth serve` in a process of its own, killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self._ready = folder / "address"
        self.address = "127.0.0.1:0"
        self.kills = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._ready.unlink(missing_ok=True)
        flags = ("--data", self.data, "--listen", self.address, "--ready-file", self._ready)
        self._process = subprocess.Popen(
            (sys.executable, "-m", "services.cli", "serve", *map(str, flags)),
            cwd=Path(__file__).parents[2],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 20
        while not (self._ready.exists() and self._ready.read_text()):
            assert self._process.poll() is None, "the service ended at once"
            assert time.monotonic() < until, "the service did not start in time"
            time.sleep(0.02)
        self.address = self._ready.read_text()

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    async def kill_now_and_then(self, random: Random) -> None:
        for _ in range(3):
            await asyncio.sleep(0.1 + random.random() / 2)
            self.kill()
            self.kills += 1
            await asyncio.to_thread(self.start)
