"""The reference gateway: collects taps and sends each exactly once, over connections that fail.

    python -m services.client.gateway

As a program it finds the service's address in `EMETH_ADDRESS`, its key in `EMETH_GATEWAY_KEY` and
the file of its journal in `EMETH_JOURNAL`. Its hardware is its standard input, one JSON
object a line:

    {"stylus": "AA:01", "code": "space a6"}
    {"stylus": "AA:01", "status": "STYLUS_STATUS_KIND_BATTERY", "battery_percent": 40}

For each prompt it prints the stylus and the two lines of `signals`. It does what all gateways must:

1. It numbers a tap and writes it to the journal before it does anything else with it. A tap carries
   the number of the prompt that its user looked at, and keeps it.
2. On each connection it first says `hello`, and sends nothing more until it is welcomed. Then it
   sends all that is not acknowledged.
3. It keeps each message until the service acknowledges it, by `acknowledgement` or by a prompt.
4. It sends again from where the service has a gap, or when the service is silent for two seconds.
5. If its epoch is closed, it starts another and numbers what it has kept from 1.

`docs/gateway.md` describes the protocol with a sequence of messages for each situation.
"""

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import grpc
import grpc.aio

from services.client.connection import ServiceError
from services.client.journal import Journal
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.devices.v1.gateways_pb2_grpc import GatewaysServiceStub
from services.wire.emeth.v1 import tables_pb2

RECONNECT_SECONDS: Final = 0.05, 2.0
"""The first and the longest pause between attempts to connect; each is twice the one before."""
CHANNEL: Final = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # else a minute, whatever the line above says
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)
MIN_TIMESTAMP: Final = -62_135_596_800.0
MAX_TIMESTAMP: Final = 253_402_300_799.0
"""The first and the last second of a Timestamp: a clock may be off by more."""
PERMANENT_REASONS: Final = ("GATEWAY_KEY_INVALID", "TOKEN_MISSING", "FIELD_INVALID")
"""Reasons of errors after which the gateway does not try to connect again."""


@dataclass(frozen=True)
class Device:
    """The hardware and software that a gateway runs on."""

    software: str = "emeth-gateway/1"
    locale: str = ""
    """The language of the device's users, a BCP 47 tag such as `de-CH`; empty if unknown."""
    clock: Callable[[], float] = time.time
    """Returns seconds since 1970."""
    resend_seconds: float = 2.0
    """The silence of the service after which all that is not acknowledged is sent again."""


DEFAULT_DEVICE: Final = Device()


async def refuse_command(_: pb.DeviceCommand) -> str:
    """Execute no command. Return the reason."""
    return "this gateway cannot do that"


class GatewayClient:
    """A gateway that is switched on. Use it as an async context manager."""

    def __init__(
        self,
        address: str,
        key: str,
        *,
        journal: Path | None = None,
        on_prompt: Callable[[pb.DevicePrompt], object] | None = None,
        device: Device = DEFAULT_DEVICE,
        credentials: grpc.ChannelCredentials | None = None,
        gateway_id: str = "",
        on_command: Callable[[pb.DeviceCommand], Awaitable[str]] = refuse_command,
    ) -> None:
        """Open the journal. The gateway connects when its context is entered.

        Args:
            address: Host and port of the service.
            key: The key from CreateGateway; or empty, if `credentials` have the certificate of
                the gateway `gateway_id`.
            journal: The file for messages that are not acknowledged; in memory alone without it.
            on_prompt: Called with each prompt that arrives.
            device: What the gateway runs on.
            credentials: Connects by TLS if given.
            gateway_id: The gateway's id, if the key does not have it.
            on_command: Carries out a command. Returns why it cannot, or "" when it is done.
        """
        self.prompts: dict[str, pb.DevicePrompt] = {}
        """The prompt that the screen of each stylus shows."""
        self.connections = 0
        """How often the service has welcomed this gateway."""
        self.failed: ServiceError | None = None
        """The error after which the gateway gave up connecting; None before."""
        self._address, self._key, self._credentials = address, key, credentials
        self._id = gateway_id or key.rpartition(".")[0]
        self._journal, self._device = Journal(journal), device
        self._on_prompt, self._on_command = on_prompt, on_command
        self._answers: dict[int, asyncio.Future[pb.DevicePrompt]] = {}
        self._reports: list[pb.CommandReport] = []
        self._commands: set[asyncio.Task[None]] = set()
        self._sent = 0
        """The number of the newest message that was sent on this connection."""
        self._is_online = False
        self._call: Any = None
        self._has_news = asyncio.Event()
        """Set when the journal may have messages to send."""
        self._welcomed, self._settled, self._prompted = (asyncio.Event() for _ in range(3))
        if not self._journal.pending:
            self._settled.set()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._journal.close()

    # --- the hardware ----------------------------------------------------------------------------

    def send(self, stylus: str, code: str, prompt: int | None = None) -> int:
        """Record a tap, which is sent once there is a connection. Return its sequence number.

        `prompt` is the number of the prompt that the user saw, if not the current one.
        """
        shown = self.prompts.get(stylus)
        seen = (shown.prompt_number if shown else 0) if prompt is None else prompt
        seq = self._take(
            pb.Tap(stylus_id=stylus, code=code, prompt_number=seen, offline=not self._is_online)
        )
        self._answers[seq] = asyncio.get_running_loop().create_future()
        return seq

    async def tap(self, stylus: str, code: str) -> pb.DevicePrompt:
        """Record a tap. Return the prompt that answers it."""
        return await self.answer(self.send(stylus, code))

    def report_status(
        self, stylus: str, kind: "tables_pb2.StylusStatusKind.ValueType", percent: int = 0
    ) -> int:
        """Record a status of a stylus, such as its battery charge. Return its sequence number."""
        return self._take(pb.StylusStatus(stylus_id=stylus, kind=kind, battery_percent=percent))

    async def answer(self, seq: int) -> pb.DevicePrompt:
        """Return the prompt that answers the tap with this number, when it arrives."""
        return await self._answers.setdefault(seq, asyncio.get_running_loop().create_future())

    async def wait_for_prompt(self, stylus: str, version: int) -> pb.DevicePrompt:
        """Wait until a screen shows the match at this version or later. Return its prompt."""
        while stylus not in self.prompts or self.prompts[stylus].match_version < version:
            self._prompted.clear()
            await self._prompted.wait()
        return self.prompts[stylus]

    async def wait_until_settled(self) -> None:
        """Wait until all messages are acknowledged."""
        await self._settled.wait()

    async def wait_until_welcomed(self) -> None:
        """Wait until the service has welcomed this gateway.

        Raises:
            ServiceError: It never will, since the key is wrong.
        """
        await self._welcomed.wait()
        if self.failed is not None:
            raise self.failed

    def cut(self) -> None:
        """Drop the connection, as a pulled cable would. The gateway then reconnects."""
        if self._call is not None:
            self._call.cancel()

    def _take(self, message: pb.Tap | pb.StylusStatus) -> int:
        seconds = max(MIN_TIMESTAMP, min(self._device.clock(), MAX_TIMESTAMP))
        message.device_time.FromNanoseconds(int(seconds * 1e9))
        seq = self._journal.add(message)
        self._settled.clear()
        self._has_news.set()
        return seq

    # --- the connection --------------------------------------------------------------------------

    async def _run(self) -> None:
        """Connect, and reconnect after each failure."""
        pause, longest = RECONNECT_SECONDS
        async with self._channel() as channel:
            # The stub is typed for blocking channels only.
            connect: Any = GatewaysServiceStub(channel).Connect
            while True:
                before, retry_seconds = self.connections, 0.0
                try:
                    await self._exchange_messages(connect)
                except grpc.aio.AioRpcError as error:
                    failure = ServiceError.from_rpc(error)
                    if failure.reason in PERMANENT_REASONS:
                        self.failed = failure
                        self._welcomed.set()
                        return
                    retry_seconds = failure.retry_seconds
                except asyncio.CancelledError:
                    if self._task is None or self._task.cancelling():
                        raise
                pause = (
                    RECONNECT_SECONDS[0] if self.connections > before else min(2 * pause, longest)
                )
                await asyncio.sleep(max(pause, retry_seconds))

    def _channel(self) -> grpc.aio.Channel:
        if self._credentials is None:
            return grpc.aio.insecure_channel(self._address, CHANNEL)
        return grpc.aio.secure_channel(self._address, self._credentials, CHANNEL)

    async def _exchange_messages(self, connect: Any) -> None:
        """Hold one connection until it is lost."""
        metadata = (("authorization", f"Bearer {self._key}"),) if self._key else ()
        self._call = call = connect(metadata=metadata)
        hello = pb.Hello(
            gateway_id=self._id,
            epoch=self._journal.epoch,
            first_kept_seq=self._journal.first_kept,
            software=self._device.software,
            locale=self._device.locale,
        )
        sending: asyncio.Task[None] | None = None
        try:
            await call.write(pb.ConnectRequest(hello=hello))
            async for answer in call:
                kind = answer.WhichOneof("message")
                if kind == "welcome" and answer.welcome.epoch_closed:
                    self._start_epoch()
                    return
                if kind == "welcome":
                    # All that is kept goes again, also what the service has: to hear its answer.
                    self._sent = self._journal.first_kept - 1
                    self._journal.last = max(self._journal.last, answer.welcome.highest_seq)
                    self.connections, self._is_online = self.connections + 1, True
                    self._welcomed.set()
                    sending = asyncio.create_task(self._send(call))
                else:
                    self._receive(answer)
        finally:
            self._is_online = False
            call.cancel()
            if sending is not None:
                sending.cancel()
                with suppress(asyncio.CancelledError):
                    await sending

    async def _send(self, call: Any) -> None:
        """Send all messages that are due, until the connection is lost."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                self._has_news.clear()
                while self._reports:
                    await self._write(call, pb.ConnectRequest(report=self._reports.pop(0)))
                for seq, request in list(self._journal.pending.items()):
                    if seq > self._sent and seq in self._journal.pending:
                        self._sent = seq
                        await self._write(call, request)
                try:
                    async with asyncio.timeout(self._device.resend_seconds):
                        await self._has_news.wait()
                except TimeoutError:
                    self._sent = self._journal.first_kept - 1

    async def _write(self, call: Any, request: pb.ConnectRequest) -> None:
        """Write one message to the connection. Tests override this to lose some."""
        await call.write(request)

    def _receive(self, answer: pb.ConnectResponse) -> None:
        match answer.WhichOneof("message"):
            case "acknowledgement":
                self._acknowledge(answer.acknowledgement.highest_seq)
            case "gap":
                self._sent = min(self._sent, answer.gap.expected_seq - 1)
                self._has_news.set()
            case "prompt":
                self._show(answer.prompt)
            case "command":
                task = asyncio.create_task(self._carry_out(answer.command))
                self._commands.add(task)
                task.add_done_callback(self._commands.discard)
            case _:
                pass  # `throttling` and `disconnect` need no action; others are unknown

    async def _carry_out(self, command: pb.DeviceCommand) -> None:
        why = await self._on_command(command)
        self._reports.append(
            pb.CommandReport(command_number=command.command_number, succeeded=not why, message=why)
        )
        self._has_news.set()

    def _show(self, prompt: pb.DevicePrompt) -> None:
        if prompt.acknowledged_seq:
            self._acknowledge(prompt.acknowledged_seq)
        shown = self.prompts.get(prompt.stylus_id)
        if shown is None or not prompt.answered_seq or prompt.answered_seq >= shown.answered_seq:
            self.prompts[prompt.stylus_id] = prompt
            self._prompted.set()
        waiting = self._answers.pop(prompt.answered_seq, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(prompt)
        if self._on_prompt is not None:
            self._on_prompt(prompt)

    def _acknowledge(self, highest: int) -> None:
        self._journal.acknowledge(highest)
        if not self._journal.pending:
            self._settled.set()

    def _start_epoch(self) -> None:
        numbers = self._journal.start_epoch()
        self._answers = {numbers.get(seq, 0): each for seq, each in self._answers.items()}


# --- the program ---------------------------------------------------------------------------------


def system_locale(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of this machine's user as a BCP 47 tag; empty if it is not set.

    >>> system_locale({"LANG": "de_CH.UTF-8"})
    'de-CH'
    >>> system_locale({"LC_ALL": "C", "LANG": "de_CH.UTF-8"})
    ''
    >>> system_locale({"LC_MESSAGES": "fr", "LANG": "en_GB"}), system_locale({})
    ('fr', '')
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    value = next((environment[name] for name in names if environment.get(name)), "")
    found = re.fullmatch(r"([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@].*)?", value)
    return "-".join(filter(None, found.groups())) if found else ""


async def _serve(gateway: GatewayClient) -> None:
    """Read taps and statuses from standard input, and wait until all of them are acknowledged."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async for line in reader:
        said = json.loads(line)
        if "status" in said:
            kind = tables_pb2.StylusStatusKind.Value(said["status"])
            gateway.report_status(said["stylus"], kind, said.get("battery_percent", 0))
        else:
            gateway.send(said["stylus"], said["code"])
    await gateway.wait_until_settled()


def _print(prompt: pb.DevicePrompt) -> None:
    print(prompt.stylus_id, *prompt.signals.lines, sep="\t", flush=True)  # noqa: T201


async def _main() -> None:
    gateway = GatewayClient(
        os.environ["EMETH_ADDRESS"],
        os.environ["EMETH_GATEWAY_KEY"],
        journal=Path(os.environ["EMETH_JOURNAL"]),
        on_prompt=_print,
        device=Device(locale=system_locale()),
    )
    async with gateway, asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(_serve(gateway))
        await gateway.wait_until_welcomed()
        await serving


if __name__ == "__main__":
    try:
        asyncio.run(_main())
    except* ServiceError as failed:
        sys.exit(f"the service does not take this gateway: {failed.exceptions[0]}")
