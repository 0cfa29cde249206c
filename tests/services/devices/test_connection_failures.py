"""Gateways whose lines fail, and services that stop or are killed: no acknowledged tap is lost."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest

from domain.registry import GAMES
from domain.table import TapTaken
from services.client import Client
from services.client.gateway import Device, GatewayClient
from services.client.journal import MAX_MESSAGES, Journal, JournalFullError
from services.main import Service
from services.runtime.settings import Settings
from services.store.log import Log
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED
from tests.services.conftest import STYLUS, actions
from tests.simulated_gateway import STYLUS as SIMULATED_STYLUS
from tests.simulated_gateway import Faults, FaultyGateway, SimulatedPlayer

BAD = Faults(drop=0.1, double=0.1, delay=0.1, cut=0.03)


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


async def test_taps_that_were_kept_while_the_service_was_away_are_sent_when_it_is_back(
    settings: Settings, tmp_path: Path
) -> None:
    """Even if the gateway itself was switched off meanwhile: its journal has them."""
    async with Service(settings) as service:
        address = service.address
        async with Client(address) as client:
            key = (await client.create_gateway(service.admin_key, name="Table")).gateway_key
            created = await client.create_match(game="agog")
            tokens, match = dict(created.tokens), created.match.match_id
            await client.pair_stylus(key, STYLUS, pin="0000")
            await client.seat_stylus(key, STYLUS, match, [tokens["white"], tokens["black"]])
    async with GatewayClient(address, key, journal=tmp_path / "journal") as offline:
        for code in ("space a6", "space b6", "button confirm"):
            offline.send(STYLUS, code, prompt=1)
    at_once = msgspec.structs.replace(settings, listen=address)
    async with Service(at_once) as service, Client(service.address) as client:
        async with GatewayClient(address, key, journal=tmp_path / "journal") as back:
            await back.wait_until_settled()
        assert await actions(client, tokens["referee"], match) == ["a6-b6"]


def test_a_full_journal_says_so_and_drops_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    for _ in range(MAX_MESSAGES):
        journal.add(pb.Tap(stylus_id=STYLUS, code="cc map", prompt_number=1))
    with pytest.raises(JournalFullError):
        journal.add(pb.Tap(stylus_id=STYLUS, code="cc map", prompt_number=1))
    journal.close()
    with (tmp_path / "journal").open("a") as torn:
        torn.write('{"message": {"ta')
    again = Journal(tmp_path / "journal")
    assert (len(again.pending), again.last, again.epoch) == (
        MAX_MESSAGES,
        MAX_MESSAGES,
        journal.epoch,
    )
    again.acknowledge(MAX_MESSAGES)
    again.close()
    empty = Journal(tmp_path / "journal")
    assert empty.first_kept == MAX_MESSAGES + 1
    assert empty.start_epoch() == {}
    assert empty.first_kept == 1
    empty.close()


# --- lines that fail -----------------------------------------------------------------------------


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("line", ["good", "bad"])
async def test_a_match_played_by_taps_has_the_same_log_as_by_notation(
    service: Service, client: Client, slug: str, line: str
) -> None:
    random, faults = Random(f"{slug}-{line}"), BAD if line == "bad" else Faults()
    key = (await client.create_gateway(service.admin_key, name="Table")).gateway_key
    created = await client.create_match(game=slug, chance=CHANCE_ENTERED)
    match, tokens = created.match.match_id, dict(created.tokens)
    seats = [token for role, token in tokens.items() if role not in ("referee", "spectator")]
    await client.pair_stylus(key, SIMULATED_STYLUS, pin="0000")
    await client.seat_stylus(key, SIMULATED_STYLUS, match, seats)
    player = SimulatedPlayer(GAMES[slug], random, faults.cut)
    async with FaultyGateway(service.address, key, random, faults) as gateway:
        await player.play(gateway, 80)
    assert player.taken
    logged = await actions(client, tokens["referee"], match, len(player.taken) + 1)
    assert logged == player.taken


async def test_no_acknowledged_tap_is_lost_when_the_service_is_restarted(
    settings: Settings,
) -> None:
    """Stopped between any two messages, it continues where it was, in the middle of a selection."""
    async with Service(settings) as service:
        address = service.address
        async with Client(address) as client:
            key = (await client.create_gateway(service.admin_key, name="Table")).gateway_key
            created = await client.create_match(game="agog")
            tokens, match = dict(created.tokens), created.match.match_id
            await client.pair_stylus(key, STYLUS, pin="0000")
            await client.seat_stylus(key, STYLUS, match, [tokens["white"], tokens["black"]])
    for code in ("space a6", "space b6", "button confirm"):
        async with Service(settings) as service, GatewayClient(service.address, key) as gateway:
            await gateway.wait_for_prompt(STYLUS, 1)
            await gateway.tap(STYLUS, code)
    async with Service(settings) as service, Client(service.address) as client:
        assert await actions(client, tokens["referee"], match) == ["a6-b6"]


async def test_a_service_that_is_killed_loses_no_acknowledged_tap(tmp_path: Path) -> None:
    """The gateway's journal and the log agree after every kill: each tap is there once."""
    random = Random(7)
    service = KilledService(tmp_path)
    service.start()
    admin = (service.data / "admin.key").read_text().strip()
    async with Client(service.address, patience_seconds=20) as client:
        key = (await client.create_gateway(admin, name="Table")).gateway_key
        created = await client.create_match(game="earthen-war")
        match, tokens = created.match.match_id, dict(created.tokens)
        await client.pair_stylus(key, SIMULATED_STYLUS, pin="0000")
        await client.seat_stylus(key, SIMULATED_STYLUS, match, [tokens["white"], tokens["black"]])
        try:
            journal = tmp_path / "journal"
            async with GatewayClient(
                service.address, key, journal=journal, device=Device(resend_seconds=0.2)
            ) as gateway:
                killer = asyncio.create_task(service.kill_now_and_then(random))
                player = SimulatedPlayer(GAMES["earthen-war"], random)
                await player.play(gateway, 300)
                killer.cancel()
            assert service.kills
            logged = await actions(client, tokens["referee"], match, len(player.taken) + 1)
            assert logged == player.taken
        finally:
            service.kill()
    acknowledged = json.loads(journal.read_text().splitlines()[-1])["acknowledged"]
    opened = Log(service.data, print)
    try:
        taps = [each.event for each in opened.table_events(UUID(key.partition(".")[0]))]
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
            cwd=Path(__file__).parents[3],
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
