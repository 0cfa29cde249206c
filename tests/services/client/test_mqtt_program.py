"""`emeth gateway mqtt` as a program of its own: by TLS, beside a broker that dies, and killed."""

import asyncio
import gc
import os
import signal
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from amqtt.broker import Broker as EmbeddedBroker
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import Session
from msgspec.structs import replace

from services.client.gateways import TableClient
from services.client.mqtt_bridge import Broker, MqttBridge
from services.server import Service
from tests.services.authority import new_authority
from tests.services.client.test_mqtt_bridge import Pen
from tests.services.conftest import PEN, actions

SECONDS = 60
PASSWORD = "a long night"  # noqa: S105  of a broker that lives for one test


class Known(BaseAuthPlugin):
    """Whoever has a name and the password comes in."""

    async def authenticate(self, *, session: Session) -> bool:
        return bool(session.username) and session.password == PASSWORD


class Shop:
    """A broker that speaks TLS, and can die and come back where it was."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._embedded: EmbeddedBroker | None = None
        authority = new_authority()
        certificate, key = authority.signed("broker")
        self.ca = folder / "ca.pem"
        self.ca.write_bytes(authority.pem)
        (folder / "broker.pem").write_bytes(certificate)
        (folder / "broker.key").write_bytes(key)
        self.port = 0

    async def open(self) -> None:
        """Listen: on a free port, or on the one it had before."""
        listener = {
            "type": "tcp",
            "bind": f"127.0.0.1:{self.port}",
            "ssl": True,
            "certfile": str(self._folder / "broker.pem"),
            "keyfile": str(self._folder / "broker.key"),
        }
        plugins = {f"{__name__}.{Known.__name__}": {}}
        self._embedded = EmbeddedBroker({"listeners": {"default": listener}, "plugins": plugins})
        await self._embedded.start()
        self.port = self._embedded._servers["default"].instance.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Die, with all that it knows."""
        if self._embedded is not None:
            await self._embedded.shutdown()
            self._embedded = None

    def broker(self, password: str = PASSWORD) -> Broker:
        """Where it is."""
        tls = ssl.create_default_context(cafile=self.ca)
        return Broker("127.0.0.1", self.port, user="table", password=password, tls=tls)

    @asynccontextmanager
    async def pen(self, done: int = 0) -> AsyncIterator[Pen]:
        """A stylus on it, which has told so much before."""
        broker = self.broker()
        async with aiomqtt.Client(
            broker.host,
            broker.port,
            identifier=PEN,
            username=PEN,
            password=PASSWORD,
            tls_context=broker.tls,
        ) as client:
            await client.subscribe(broker.topic("DCMD", PEN), 1)
            pen = Pen(client, broker, PEN)
            pen.seq = done
            yield pen


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    made = Shop(tmp_path)
    await made.open()
    yield made
    await made.close()


class Program:
    """The bridge in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def says(self, *what: str) -> None:
        """Wait until it has said all of these, in any order."""
        assert self._process.stdout is not None
        said = ""
        async with asyncio.timeout(SECONDS):
            async for line in self._process.stdout:
                said += line.decode()
                if all(each in said for each in what):
                    return
        raise AssertionError(said)

    async def end(self, by: signal.Signals) -> int:
        """End it by a signal; what it ended with."""
        self._process.send_signal(by)
        async with asyncio.timeout(SECONDS):
            return await self._process.wait()


@asynccontextmanager
async def program(service: Service, shop: Shop, key: str, folder: Path) -> AsyncIterator[Program]:
    words = ("gateway", "mqtt", f"127.0.0.1:{shop.port}", "--broker-ca", shop.ca, "--user", "table")
    told = {
        "EMETH_ADDRESS": service.address,
        "EMETH_GATEWAY_KEY": key,
        "EMETH_MQTT_PASSWORD": PASSWORD,
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", *map(str, words)),
        *("--journal", str(folder / "journal")),
        env=os.environ | told | {"PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_program_bridges_by_tls_over_a_broker_that_dies_and_its_own_death(
    service: Service, shop: Shop, tmp_path: Path
) -> None:
    async with TableClient(service.address) as client:
        made = await client.register_gateway(service.admin_key, "Corner")
        created = await client.create_match("agog")
        match, tokens = created.match.match_id, created.tokens
        await client.pair_stylus(made.key, PEN, "0000")
        await client.seat_stylus(made.key, PEN, match, [tokens["white"], tokens["black"]])

        async def played() -> list[str]:
            return await actions(client, tokens["referee"], match)

        async with program(service, shop, made.key, tmp_path) as bridge:
            await bridge.says("connected to the broker", "connected to the service")
            async with shop.pen() as stylus:
                await stylus.publish("DBIRTH")
                await stylus.heard("show")
                await stylus.tap("space a6")
                await stylus.tap("space b6")

            await shop.close()
            await bridge.says("the broker cannot be reached")
            await shop.open()
            await bridge.says("connected to the broker")
            async with shop.pen(done=2) as stylus:
                assert (await stylus.tap("button confirm"))["sound"] == "SOUND_DONE"
                assert await played() == ["a6-b6"]
                shown = await stylus.tap("space h3")
                assert await bridge.end(signal.SIGKILL) == -signal.SIGKILL

                # The broker keeps what is told now; what the device says twice counts once.
                late: list[dict[str, Any]] = [
                    {"seq": 4, "code": "space h3"},
                    {"seq": 5, "code": "space g3"},
                    {"seq": 5, "code": "space g3"},
                    {"seq": 6, "code": "button confirm"},
                ]
                for told in late:
                    await stylus.publish("DDATA", run="r1", prompt=shown["prompt"], **told)
                async with program(service, shop, made.key, tmp_path) as again:
                    assert (await stylus.shown(6))["sound"] == "SOUND_DONE"
                    assert await played() == ["a6-b6", "h3-g3"]
                    assert await again.end(signal.SIGINT) == 0


@pytest.mark.filterwarnings("ignore:unclosed <ssl:ResourceWarning")
async def test_a_wrong_password_and_a_stranger_of_a_broker_are_told(
    service: Service, shop: Shop
) -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    async with TableClient(service.address) as client:
        key = (await client.register_gateway(service.admin_key, "Corner")).key
    strange = replace(shop.broker(), tls=ssl.create_default_context())
    for broker, why in ((shop.broker("guessed"), "uthori"), (strange, "CERTIFICATE_VERIFY_FAILED")):
        async with (
            MqttBridge(service.address, key, broker, say=said.put_nowait) as bridge,
            asyncio.timeout(SECONDS),
        ):
            await bridge.welcomed()
            told = await said.get()
            assert told.startswith("the broker cannot be reached"), told
            assert why in told
            assert "guessed" not in told
    gc.collect()  # what paho leaves of a line that was refused, while the warning is ignored
