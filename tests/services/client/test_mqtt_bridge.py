"""Devices that speak MQTT, a broker, the bridge and a real service."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from amqtt.broker import Broker as EmbeddedBroker
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import Session

from services.client import journal
from services.client.gateways import TableClient
from services.client.mqtt_bridge import MqttBridge
from services.client.mqtt_broker import Broker
from services.server import Service
from services.wire.emeth.v1 import gateways_pb2 as pb
from tests.services.conftest import PEN, actions, open_shop

SECONDS = 30


class Named(BaseAuthPlugin):
    """Whoever has a name comes in: of others the broker keeps no session."""

    async def authenticate(self, *, session: Session) -> bool:
        return bool(session.username)


@pytest.fixture
async def broker() -> AsyncIterator[Broker]:
    """A broker of its own, on a free port."""
    listener = {"type": "tcp", "bind": "127.0.0.1:0"}
    plugins = {f"{__name__}.{Named.__name__}": {}}
    embedded = EmbeddedBroker({"listeners": {"default": listener}, "plugins": plugins})
    await embedded.start()
    port = embedded._servers["default"].instance.sockets[0].getsockname()[1]
    yield Broker("127.0.0.1", port, user="table")
    await embedded.shutdown()


class Pen:
    """A stylus of somebody else's make."""

    def __init__(self, client: aiomqtt.Client, broker: Broker, name: str, run: str = "r1") -> None:
        self._client, self._broker, self._name = client, broker, name
        self._run, self.seq = run, 0
        self._messages = client.messages

    async def publish(self, kind: str, **told: Any) -> None:
        await self.publish_bytes(kind, json.dumps(told).encode())

    async def publish_bytes(self, kind: str, payload: bytes) -> None:
        await self._client.publish(self._broker.topic(kind, self._name), payload, 1)

    async def tap(self, code: str, **told: Any) -> dict[str, Any]:
        """Tap, and wait for what the device shows after it."""
        self.seq += 1
        await self.publish("DDATA", run=self._run, seq=self.seq, code=code, **told)
        return await self.shown(self.seq)

    async def shown(self, answers: int) -> dict[str, Any]:
        """What it shows in answer to a tap."""
        while True:
            show = (await self.heard("show"))["show"]
            if show["answers"] == answers:
                return dict(show)

    async def heard(self, what: str) -> dict[str, Any]:
        """The next command of a kind."""
        async with asyncio.timeout(SECONDS):
            async for message in self._messages:
                assert isinstance(message.payload, bytes)
                told = json.loads(message.payload)
                if what in told:
                    return dict(told)
        raise AssertionError("the broker is gone")


@asynccontextmanager
async def pen(broker: Broker, name: str = PEN, run: str = "r1") -> AsyncIterator[Pen]:
    will = aiomqtt.Will(broker.topic("DDEATH", name), b"{}", 1)
    async with aiomqtt.Client(
        broker.host, broker.port, identifier=name, username=name, will=will
    ) as client:
        await client.subscribe(broker.topic("DCMD", name), 1)
        yield Pen(client, broker, name, run)


@pytest.fixture
async def client(service: Service) -> AsyncIterator[TableClient]:
    async with TableClient(service.address) as connected:
        yield connected


@asynccontextmanager
async def bridged(
    service: Service, key: str, broker: Broker, folder: Path
) -> AsyncIterator[MqttBridge]:
    bridge = MqttBridge(service.address, key, broker, journal=folder / "journal")
    async with bridge, asyncio.timeout(SECONDS):
        await bridge.welcomed()
        await bridge.reached()
        yield bridge


async def test_a_match_is_played_by_mqtt(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    created = await client.create_match("agog")
    match, tokens = created.match.match_id, created.tokens
    codes = [(await client.grant_taps(tokens[seat], match)).code for seat in ("white", "black")]
    async with bridged(service, made.key, broker, tmp_path), pen(broker) as stylus:
        await stylus.publish("DBIRTH", pin="0000")
        assert (await stylus.heard("show"))["show"]["lines"] == ["Wait for", ""]
        await stylus.publish("DDATA", seat=codes)
        assert (await stylus.heard("seated"))["seated"] == ["black", "white"]
        shown = await stylus.tap("space a6")
        assert shown["lines"] == ["space a6", "tap what is next"]
        assert shown["light"] == "LIGHT_GREEN"
        await stylus.tap("space b6")
        assert (await stylus.tap("button confirm"))["sound"] == "SOUND_DONE"
        assert await actions(client, tokens["referee"], match) == ["a6-b6"]

        # What comes twice counts once, and what is missing is asked for.
        await stylus.tap("space h3")
        await stylus.publish("DDATA", run="r1", seq=stylus.seq, code="space h3")
        await stylus.publish("DDATA", run="r1", seq=stylus.seq + 2, code="space b1")
        assert (await stylus.heard("again"))["again"] == stylus.seq + 1
        assert (await stylus.tap("space g3"))["lines"] == ["Confirm takes", "h3-g3"]

        # What makes no sense is answered, and changes nothing.
        for told, why in (
            ({"code": "space a1"}, "`run` and a `seq`"),
            ({"seq": "x"}, "Expected `int | null`"),
            ({"battery": 400}, "<= 100"),
            ({"seat": ["XXXXX-XXXXX"]}, "code"),
        ):
            await stylus.publish("DDATA", **told)
            assert why in (await stylus.heard("wrong"))["wrong"]

        command = pb.DeviceCommand(stylus=PEN, light=pb.LIGHT_YELLOW)
        asked = asyncio.create_task(
            client.command_device(service.admin_key, made.gateway_id, command)
        )
        told = (await stylus.heard("command"))["command"]
        assert told["light"] == "LIGHT_YELLOW"
        await stylus.publish("DDATA", report=told["number"], done=True)
        assert (await asked).done
        await stylus.publish("DDATA", run="r1", seq=stylus.seq + 1, battery=7)
        await stylus.publish("DDEATH")
        async with asyncio.timeout(SECONDS):
            async for table in client.watch_devices(made.key):
                if table.styluses[0].lost:
                    break
        assert table.styluses[0].battery_percent == 7


@pytest.mark.parametrize(
    "payload", [b'{"run":"\xff"}', b"\xff", b'{"x":' + b"[" * 60_000], ids=["text", "start", "deep"]
)
async def test_bytes_that_are_no_json_are_answered_and_the_bridge_goes_on(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path, payload: bytes
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    async with bridged(service, made.key, broker, tmp_path), pen(broker) as stylus:
        await stylus.publish_bytes("DDATA", payload)
        assert (await stylus.heard("wrong"))["wrong"]
        await stylus.publish("DBIRTH", pin="0000")
        assert (await stylus.heard("show"))["show"]["lines"] == ["Wait for", ""]


async def test_a_full_journal_is_told_and_devices_are_born_again_when_there_is_room(
    service: Service,
    client: TableClient,
    broker: Broker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    async with bridged(service, made.key, broker, tmp_path), pen(broker) as stylus:
        await stylus.publish("DBIRTH")
        await stylus.heard("show")
        await stylus.publish("DDEATH")
        with monkeypatch.context() as full:
            full.setattr(journal, "MOST_KEPT", 0)
            for kind in ("DDEATH", "DBIRTH"):
                await stylus.publish(kind)
                assert "wait to be sent" in (await stylus.heard("wrong"))["wrong"]
        await stylus.publish("DBIRTH")
        await stylus.heard("show")
        (told,) = (await client.list_styluses(made.key)).styluses
        assert not told.lost


async def test_what_is_told_while_the_bridge_is_away_counts_once_when_it_is_back(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    key, match, tokens = await open_shop(service)
    async with pen(broker) as stylus:
        async with bridged(service, key, broker, tmp_path):
            await stylus.heard("show")  # what is tapped before belongs to no prompt
            await stylus.tap("space a6")
            shown = await stylus.tap("space b6")
        seen = shown["prompt"]
        for seq, code in ((2, "space b6"), (3, "button confirm")):
            await stylus.publish("DDATA", run="r1", seq=seq, code=code, prompt=seen)
        async with bridged(service, key, broker, tmp_path):
            assert (await stylus.shown(3))["sound"] == "SOUND_DONE"
            stylus.seq = 3
            assert (await stylus.tap("space h3"))["lines"][0] == "space h3"
    assert await actions(client, tokens["referee"], match) == ["a6-b6"]


async def test_the_bridge_tells_whether_it_is_there(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    listening = aiomqtt.Client(broker.host, broker.port, username="listener")
    async with listening as listener, asyncio.timeout(SECONDS):
        await listener.subscribe(broker.topic("#"), 1)
        told = listener.messages
        async with bridged(service, made.key, broker, tmp_path):
            assert await said(told, broker.topic("STATE")) == {"online": True}
            assert await said(told, broker.topic("NCMD")) == {"rebirth": True}
        assert await said(told, broker.topic("STATE")) == {"online": False}


async def said(messages: Any, topic: str) -> Any:
    async for message in messages:
        if str(message.topic) == topic:
            return json.loads(message.payload)
    raise AssertionError("the broker is gone")
