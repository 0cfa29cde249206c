"""A gateway for devices that speak MQTT: a bridge between a broker and the service.

It keeps Sparkplug's habits: a device says DBIRTH when it is switched on and leaves a DDEATH as its
will, what it tells is DDATA, what it is told is DCMD, and the bridge itself has a retained STATE.
Payloads are JSON. `docs/mqtt.md` describes the topics.

What a device tells counts once. It is written to the journal before the broker is told that it
came, so that a bridge that breaks down is given it again; and it is numbered by the device, so that
it is known when it comes twice.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from services.client.connection import ServiceError
from services.client.gateway import GatewayClient
from services.client.gateway_device import Device
from services.client.gateway_messages import Kept
from services.client.gateways import TableClient
from services.client.journal import JournalFullError
from services.client.mqtt_broker import Broker, BrokerLine
from services.client.mqtt_devices import MOST_DEVICES, Birth, Entry, Latest, Register, Told
from services.wire.emeth.v1 import gateways_pb2 as pb

LONGEST_DEVICE: Final = 64
LARGEST: Final = 65_536
"""Bytes of a payload; longer ones are ignored."""
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What a payload raises that is no JSON, is no text, or is nested too deep."""
REPORT_SECONDS: Final = 4.0
"""How long a device may take to answer a command: the service waits for five."""
CANCEL_SECONDS: Final = 5.0
"""How long a broker may take to hear that the bridge goes away."""
MOST_NUMBERS: Final = 10_000
"""Messages of which it is known what number the device itself gave them."""


class MqttBridge:
    """A bridge that is switched on. Use it as an async context manager."""

    def __init__(
        self,
        address: str,
        key: str,
        broker: Broker,
        *,
        journal: Path | None = None,
        locale: str = "",
        credentials: Any = None,
        say: Callable[[str], object] = lambda _: None,
    ) -> None:
        """`key` is from RegisterGateway; `locale` is what the users of the devices read, as
        `de-CH`; `say` is told what people should know."""
        self._key, self._broker, self._say = key, broker, say
        self._gateway = GatewayClient(
            address,
            key,
            journal=journal,
            on_prompt=self._show,
            on_command=self._command,
            credentials=credentials,
            device=Device(software="emeth-mqtt/1", locale=locale),
        )
        self._table = TableClient(
            address, name="mqtt", credentials=credentials, patience_seconds=60
        )
        self._line = BrokerLine(
            broker,
            f"emeth-{key.rpartition('.')[0]}",
            take=self.take,
            reached=self._show_all,
            say=say,
        )
        beside = journal.with_suffix(".devices") if journal else None
        self._register = Register(beside, self._gateway.written)
        self._answers: dict[int, tuple[str, int]] = {}
        """The device and its own number, by the number of the message in the journal."""
        self._numbers = Latest[int, int](MOST_NUMBERS)
        """The same number of the latest messages, also of those that are done."""
        self._answered = Latest[str, int](MOST_DEVICES)
        """The number of the last message of each device that was done."""
        for number, device, seq in self._register.numbered():
            self._answers[number] = device, seq
            self._numbers.put(number, seq)
        self._asked: asyncio.Queue[tuple[str, Birth | Told]] = asyncio.Queue(1000)
        """What takes a call: to be paired, or seated."""
        self._reports: dict[tuple[str, int], asyncio.Future[str]] = {}
        self._dead = Latest[str, None](MOST_DEVICES)
        """Devices that were lost here. Of those that were lost before, the service knows."""
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._table.__aenter__()
        await self._gateway.__aenter__()
        self._tasks = [asyncio.create_task(each) for each in (self._line.run(), self._ask())]
        return self

    async def __aexit__(self, *error: Any) -> None:
        left = set(self._tasks)
        while left:  # again, since aiomqtt waits by `wait_for`, which in Python 3.11 may lose one
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=CANCEL_SECONDS)
        await self._gateway.__aexit__(*error)
        await self._table.__aexit__(*error)

    async def welcomed(self) -> None:
        """Wait until the service has welcomed it. ServiceError if it never will."""
        await self._gateway.welcomed()

    async def reached(self) -> None:
        """Wait until it has reached the broker."""
        await self._line.reached.wait()

    # --- what devices tell -----------------------------------------------------------------------

    def take(self, topic: str, payload: Any) -> None:
        """Take what came on a topic. What makes no sense is answered, and changes nothing."""
        kind, device = self._broker.read(topic)
        if not 1 <= len(device) <= LONGEST_DEVICE or not device.isprintable():
            return
        if not isinstance(payload, bytes) or len(payload) > LARGEST:
            self._line.tell(device, wrong=f"a message has at most {LARGEST} bytes")
            return
        try:
            match kind:
                case "DBIRTH":
                    self._answered.pop(device, None)
                    self._asks(device, msgspec.json.decode(payload or b"{}", type=Birth))
                case "DDATA":
                    self._take_data(device, msgspec.json.decode(payload, type=Told))
                case "DDEATH":
                    self._dead.put(device, None)
                    self._gateway.sign(device, pb.SIGN_KIND_LOST)
        except (*UNREADABLE, JournalFullError) as error:
            self._line.tell(device, wrong=str(error))

    def _asks(self, device: str, what: Birth | Told) -> None:
        try:
            self._asked.put_nowait((device, what))
        except asyncio.QueueFull:
            self._line.tell(device, wrong="too much at once: ask again")

    def _take_data(self, device: str, told: Told) -> None:
        if told.report is not None:
            waiting = self._reports.get((device, told.report))
            if waiting is not None and not waiting.done():
                waiting.set_result("" if told.done else told.why or "the device does not say why")
        if told.seat:
            self._asks(device, told)
        if why := told.senseless:
            self._line.tell(device, wrong=why)
            return
        # What is written in one go is sent as one journal: its name is its first number.
        first = self._gateway.written[1] + 1 if told.journal else 0
        for entry in told.entries:
            if not self._take_entry(device, told.run, entry, first):
                return

    def _take_entry(self, device: str, run: str, entry: Entry, journal: int) -> bool:
        """Take what counts once; False if nothing after it may be taken either."""
        seq, due = entry.seq or 0, self._register.due(device, run)
        if seq < due:
            return True  # the broker has said it twice
        if seq > due:
            self._line.tell(device, again=due, run=run)
            return False
        before = self._register.heard(device)
        anew = not journal and self._gateway.is_online and entry.battery is None
        heard = before.then(run, seq, *self._gateway.written, anew=anew)
        self._register.note(device, heard)
        try:
            number = self._keep(device, entry, journal)
        except JournalFullError as error:
            self._register.note(device, before)
            self._line.tell(device, wrong=str(error), again=seq, run=run)
            return False
        self._answers[number] = device, seq
        self._numbers.put(number, seq)
        return True

    def _keep(self, device: str, entry: Entry, journal: int) -> int:
        """Write a message to the journal; its number there."""
        kept = Kept(journal, entry.device_ms or 0) if journal else None
        if entry.code:
            return self._gateway.send(
                device, entry.code, entry.prompt, seat=entry.side, armed=entry.armed, kept=kept
            )
        if entry.scan is not None:
            return self._gateway.scan(device, entry.scan, whole=entry.whole, kept=kept)
        assert entry.battery is not None, "asked for above"
        return self._gateway.sign(device, pb.SIGN_KIND_BATTERY, entry.battery, kept=kept)

    # --- what takes a call -----------------------------------------------------------------------

    async def _ask(self) -> None:
        """Pair devices that are born, and seat those that have codes."""
        while True:
            device, what = await self._asked.get()
            try:
                if isinstance(what, Birth):
                    await self._pair(device, what)
                else:
                    await self._seat(device, what)
            except ServiceError as error:
                self._say(f"{device}: {error.reason}: {error.message}")
                self._line.tell(device, wrong=error.message)
            except JournalFullError as error:
                self._line.tell(device, wrong=str(error))

    async def _pair(self, device: str, birth: Birth) -> None:
        if device in self._dead:
            self._gateway.sign(device, pb.SIGN_KIND_HEARD)
            del self._dead[device]
        there = await self._table.list_styluses(self._key)
        known = next((e for e in there.styluses if e.stylus == device and e.gateway_id), None)
        if known is not None:
            if known.lost:
                self._gateway.sign(device, pb.SIGN_KIND_HEARD)
            shown = self._gateway.prompts.get(device)
            if shown is not None:
                self._show(shown)
            return
        answer = await self._table.pair_stylus(self._key, device, birth.pin)
        if answer.HasField("refused"):
            self._line.tell(device, refused=_refusal(answer.refused))

    async def _seat(self, device: str, told: Told) -> None:
        answer = await self._table.seat_stylus(
            self._key, device, "", (), codes=told.seat, waits=told.waits
        )
        if answer.HasField("refused"):
            self._line.tell(device, refused=_refusal(answer.refused))
        else:
            seated: dict[str, Any] = {"seated": [*answer.seated.seats]}
            if answer.seated.waits:
                seated["waits"] = {each.match_id: [*each.seats] for each in answer.seated.waits}
            self._line.tell(device, **seated)

    # --- what the service tells ------------------------------------------------------------------

    def _show_all(self) -> None:
        for prompt in self._gateway.prompts.values():
            self._show(prompt)

    def _show(self, prompt: pb.Prompt) -> None:
        for seq in [seq for seq in self._answers if seq <= prompt.acknowledged]:
            device, number = self._answers.pop(seq)
            self._answered.put(device, number)
        answers = self._answered.get(prompt.stylus, 0)
        show = {**_as_json(prompt.cues), "prompt": prompt.prompt, "answers": answers}
        if prompt.left:
            show["left"] = [self._left_out(each) for each in prompt.left]
        if prompt.offers:
            show["offers"] = [_as_json(each) for each in prompt.offers]
        self._line.tell(prompt.stylus, kept=True, show=show)

    def _left_out(self, left: pb.LeftOut) -> dict[str, Any]:
        """What was kept and did nothing, by the device's own number, as long as that is known."""
        told = _as_json(left) | {"device_ms": left.device_ms}
        del told["seq"]
        number = self._numbers.get(left.seq)
        return told if number is None else {"seq": number, **told}

    async def _command(self, command: pb.DeviceCommand) -> str:
        """Have a device do something: why it did not, or nothing if it did."""
        if not command.stylus:
            return "this gateway is a bridge, and shows nothing itself"
        if not self._line.is_connected:
            return "the broker cannot be reached"
        told = _as_json(command)
        reported = asyncio.get_running_loop().create_future()
        self._reports[command.stylus, command.number] = reported
        try:
            self._line.tell(command.stylus, command={**told, "number": command.number})
            async with asyncio.timeout(REPORT_SECONDS):
                return str(await reported)
        except TimeoutError:
            return "the device did not answer"
        finally:
            del self._reports[command.stylus, command.number]


def _as_json(message: Message) -> dict[str, Any]:
    return MessageToDict(message, preserving_proto_field_name=True)


def _refusal(refusal: Any) -> dict[str, str]:
    return {"rule": refusal.rule, "why": refusal.why}
