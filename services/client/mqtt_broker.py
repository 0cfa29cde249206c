"""The line to a broker of MQTT: lost, it is taken up again, and what was to be said meanwhile is
said no more."""

import asyncio
import json
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import aiomqtt
from msgspec import Struct

PREFIX: Final = "emeth"
PAUSES: Final = (0.5, 1.0, 2.0, 5.0)
"""Seconds between attempts to reach the broker; the last one again and again."""
AT_LEAST_ONCE: Final = 1
KEEPALIVE_SECONDS: Final = 10
"""A broker that does not answer for two of these is taken for dead."""


class Broker(Struct, frozen=True):
    """Where a broker is, and how it is spoken to."""

    host: str
    port: int = 1883
    user: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None
    prefix: str = PREFIX
    group: str = "table"
    """The table's level in topics, so that several share a broker."""

    def topic(self, kind: str, device: str = "") -> str:
        """As `emeth/table/DCMD/AA:01`."""
        return "/".join(filter(None, (self.prefix, self.group, kind, device)))

    def read(self, topic: str) -> tuple[str, str]:
        """The kind and the device of such a topic."""
        kind, _, device = topic.removeprefix(self.topic("")).lstrip("/").partition("/")
        return kind, device


class BrokerLine:
    """What a bridge hears of a broker, and says to it."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        *,
        take: Callable[[str, Any], None],
        reached: Callable[[], None],
        say: Callable[[str], object],
    ) -> None:
        """`name` is the bridge's on the broker, which keeps what comes for it while it is away.
        `take` is called with each topic and payload before the broker is told that it came,
        `reached` whenever the broker is reached, `say` with what people should know."""
        self._broker, self._name = broker, name
        self._take, self._on_reached, self._say = take, reached, say
        self._due: deque[tuple[str, dict[str, Any], bool]] = deque()
        self._news = asyncio.Event()
        self.is_connected = False
        self.reached = asyncio.Event()
        """Set once it has reached the broker."""

    def tell(self, device: str, *, kept: bool = False, **told: Any) -> None:
        """Tell a device something; what it shows is kept for when it comes back."""
        if self.is_connected:
            self._due.append((device, told, kept))
            self._news.set()

    async def run(self) -> None:
        """Speak to the broker, again and again."""
        attempts = 0
        while True:
            try:
                async with self._client() as client:
                    attempts = 0
                    try:
                        await self._speak(client)
                    finally:  # the will is for when it has no time for this
                        with suppress(aiomqtt.MqttError):
                            await self._say_state(client, online=False)
            except aiomqtt.MqttError as error:
                self._say(f"the broker cannot be reached: {error}")
            finally:
                self.is_connected = False
            await asyncio.sleep(PAUSES[min(attempts, len(PAUSES) - 1)])
            attempts += 1

    def _client(self) -> aiomqtt.Client:
        take = self._take

        class Taking(asyncio.Queue[aiomqtt.Message]):
            """Takes messages as they come: the broker is told of each only after that."""

            def put_nowait(self, item: aiomqtt.Message) -> None:
                take(str(item.topic), item.payload)

        broker = self._broker
        gone = aiomqtt.Will(broker.topic("STATE"), _state(online=False), AT_LEAST_ONCE, retain=True)
        return aiomqtt.Client(
            broker.host,
            broker.port,
            username=broker.user,
            password=broker.password,
            tls_context=broker.tls,
            identifier=self._name,
            clean_session=False,  # what comes while it is away is kept by the broker
            queue_type=Taking,
            will=gone,
            keepalive=KEEPALIVE_SECONDS,
        )

    async def _speak(self, client: aiomqtt.Client) -> None:
        broker = self._broker
        for kind in ("DBIRTH", "DDATA", "DDEATH"):
            await client.subscribe(broker.topic(kind, "+"), AT_LEAST_ONCE)
        await self._say_state(client, online=True)
        await client.publish(broker.topic("NCMD"), json.dumps({"rebirth": True}), AT_LEAST_ONCE)
        self._due.clear()
        self.is_connected = True
        self.reached.set()
        self._say(f"connected to the broker at {broker.host}:{broker.port}")
        self._on_reached()
        # The broker may go while there is nothing to say to it.
        tasks = [asyncio.create_task(each) for each in (_listen(client), self._publish(client))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            done.pop().result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _publish(self, client: aiomqtt.Client) -> None:
        while True:
            self._news.clear()
            while self._due:
                device, told, kept = self._due.popleft()
                topic = self._broker.topic("DCMD", device)
                await client.publish(topic, json.dumps(told), AT_LEAST_ONCE, retain=kept)
            await self._news.wait()

    async def _say_state(self, client: aiomqtt.Client, *, online: bool) -> None:
        state = self._broker.topic("STATE")
        await client.publish(state, _state(online=online), AT_LEAST_ONCE, retain=True)


async def _listen(client: aiomqtt.Client) -> None:
    """Until the line is lost: MqttError. What comes was taken when it came."""
    async for _ in client.messages:
        pass


def _state(*, online: bool) -> str:
    return json.dumps({"online": online})
