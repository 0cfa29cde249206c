"""A gateway, for whoever builds one: collects taps, sends each exactly once, survives bad lines.

What it does is little, and all of it matters:

1. A tap is numbered and written to a journal file before anything else is done with it. If the
   journal is full, that is said; nothing is dropped.
2. On a connection it says `hello` with the epoch (the journal's own random name) and the first
   number that it has kept, hears in `welcome` what the service has, and sends what comes after.
   What is done but was not answered yet it sends once more, to be told what came of it.
3. It keeps each message until the service has acknowledged it: by `acknowledged`, or by a prompt.
4. If the service misses messages (`gap`), or is silent for a while, it sends again from there.
5. Each tap carries the number of the prompt that its user was looking at.

`docs/gateway.md` describes the protocol with a sequence of messages for each situation.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import grpc
import grpc.aio

from services.client.connection import ServiceError
from services.client.gateway_device import USUAL, Device, Obey, channel_to, unable
from services.client.gateway_messages import Kept, last_in, numbers_in, outgoing, request_of
from services.client.journal import Journal
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.gateways_pb2_grpc import GatewaysServiceStub

LONGEST_PAUSE_SECONDS: Final = 2.0
"""Between two attempts to connect."""


class GatewayClient:
    """A gateway that is switched on. Use it as an async context manager."""

    def __init__(
        self,
        address: str,
        key: str,
        *,
        journal: Path | None = None,
        on_prompt: Callable[[pb.Prompt], object] | None = None,
        device: Device = USUAL,
        credentials: grpc.ChannelCredentials | None = None,
        gateway_id: str = "",
        on_command: Obey = unable,
    ) -> None:
        """`key` is from RegisterGateway; or empty, if `credentials` have the certificate of the
        gateway with this id. `on_prompt` is called for each prompt that arrives, `on_command` for
        what a device is to do: it gives why it cannot, or nothing when it has done it."""
        self.prompts: dict[str, pb.Prompt] = {}
        """What the screen of each stylus shows."""
        self._address, self._key = address, key
        self._journal = Journal(journal)
        self._id = gateway_id or key.rpartition(".")[0]
        self._on_prompt, self._on_command = on_prompt, on_command
        self._reports: list[pb.CommandReport] = []
        self._obeying: set[asyncio.Task[None]] = set()
        """What devices are about to do."""
        self._device = device
        self._credentials = credentials
        self._answers: dict[int, asyncio.Future[pb.Prompt]] = {}
        self._journaled: dict[int, str] = {}
        """Styluses by the numbers of what was sent in journals, and is not answered yet."""
        self._sent = 0
        self._news = asyncio.Event()
        self._call: Any = None
        self.is_online = False
        """Is there a line, on which the service has welcomed it?"""
        self.connections = 0
        """How often it has been welcomed."""
        self.failed: ServiceError | None = None
        """Why it gave up, if it did: its key is wrong."""
        self._plugged = asyncio.Event()
        self._plugged.set()
        self._welcomed = asyncio.Event()
        self._idle = asyncio.Event()
        self._prompted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._journal.close()

    # --- what the hardware tells -----------------------------------------------------------------

    def send(
        self,
        stylus: str,
        code: str,
        prompt: int | None = None,
        *,
        seat: str = "",
        armed: str = "",
        kept: Kept | None = None,
    ) -> int:
        """Take a tap, and send it as soon as there is a line; its number.

        `prompt` is the one that its user looked at, if not the one that is shown now. With Confirm,
        `seat` is whose it is, and `armed` the only action that it may take. A device may have
        `kept` it while it had no line to this gateway.
        """
        shown = self.prompts.get(stylus)
        seen = (shown.prompt if shown else 0) if prompt is None else prompt
        more = {name: said for name, said in (("seat", seat), ("armed", armed)) if said}
        return self._take(kept, kind="tap", stylus=stylus, code=code, prompt=seen, **more)

    async def tap(self, stylus: str, code: str) -> pb.Prompt:
        """Take a tap, and wait for what the screen shows after it."""
        return await self.answer(self.send(stylus, code))

    def sign(
        self,
        stylus: str,
        kind: "pb.SignKind.ValueType",
        percent: int = 0,
        *,
        kept: Kept | None = None,
    ) -> int:
        """Tell something of a stylus: that it is lost, or how full its battery is."""
        return self._take(kept, kind="sign", stylus=stylus, code=int(kind), percent=percent)

    def scan(
        self,
        board: str,
        spaces: Mapping[str, Iterable[str]],
        *,
        whole: bool = True,
        kept: Kept | None = None,
    ) -> int:
        """Tell what a board sees: the signs on all its spaces, or on those that changed. Of several
        scans the last is answered, when the board has settled."""
        seen = {space: [*signs] for space, signs in spaces.items()}
        return self._take(kept, kind="scan", stylus=board, spaces=seen, whole=whole)

    async def answer(self, seq: int) -> pb.Prompt:
        """The prompt that answers a tap."""
        return await self._answers.setdefault(seq, asyncio.get_running_loop().create_future())

    async def shown(self, stylus: str, version: int) -> pb.Prompt:
        """Wait until a screen shows the match at this version or later."""
        while stylus not in self.prompts or self.prompts[stylus].version < version:
            self._prompted.clear()
            await self._prompted.wait()
        return self.prompts[stylus]

    @property
    def written(self) -> tuple[str, int]:
        """How far the journal has come: its epoch, and the number of its newest message."""
        return self._journal.epoch, self._journal.last

    async def settled(self) -> None:
        """Wait until all that was sent is acknowledged."""
        await self._idle.wait()

    async def welcomed(self) -> None:
        """Wait until the service has welcomed this gateway. ServiceError if it never will."""
        await self._welcomed.wait()
        if self.failed is not None:
            raise self.failed

    def cut(self) -> None:
        """Lose the line, as if the cable was pulled; it connects anew by itself."""
        if self._call is not None:
            self._call.cancel()

    def unplug(self) -> None:
        """Lose the line until `plug`: what is taken meanwhile is kept, and sent then."""
        self._plugged.clear()
        self.is_online = False
        self.cut()

    def plug(self) -> None:
        """Have a line again."""
        self._plugged.set()

    def _take(self, kept: Kept | None, **message: Any) -> int:
        if kept is None:
            message["device_ms"] = int(self._device.clock() * 1000)
        else:
            message |= {"device_ms": kept.device_ms, "journal": kept.journal}
        if message["kind"] != "sign":
            message["offline"] = kept is not None or not self.is_online
        seq = self._journal.add(**message)
        if message["kind"] == "tap":
            self._answers[seq] = asyncio.get_running_loop().create_future()
        self._idle.clear()
        self._news.set()
        return seq

    # --- the line --------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Connect, again and again."""
        pause = 0.05
        async with channel_to(self._address, self._credentials) as channel:
            # The stub is typed for blocking channels only.
            connect: Any = GatewaysServiceStub(channel).Connect
            while True:
                await self._plugged.wait()
                before, asked = self.connections, 0.0
                try:
                    await self._session(connect)
                except grpc.aio.AioRpcError as error:
                    failure = ServiceError.from_rpc(error)
                    if failure.reason in ("GATEWAY_KEY_WRONG", "TOKEN_MISSING", "FIELD_INVALID"):
                        self.failed = failure
                        self._welcomed.set()
                        return
                    asked = failure.retry_seconds
                except asyncio.CancelledError:
                    if self._task is None or self._task.cancelling():
                        raise
                pause = 0.05 if self.connections > before else min(2 * pause, LONGEST_PAUSE_SECONDS)
                await asyncio.sleep(max(pause, asked))

    async def _session(self, connect: Any) -> None:
        """One connection, until the line is lost."""
        shown = (("authorization", f"Bearer {self._key}"),) if self._key else ()
        self._call = call = connect(metadata=shown)
        hello = pb.Hello(
            gateway_id=self._id,
            epoch=self._journal.epoch,
            first_kept=self._journal.first_kept,
            software=self._device.software,
            locale=self._device.locale,
        )
        writer: asyncio.Task[None] | None = None
        try:
            await call.write(pb.ConnectRequest(hello=hello))
            async for answer in call:
                if answer.welcome.closed:
                    self._renew()
                    return
                if answer.WhichOneof("what") == "welcome":
                    done = self._done(answer.welcome.highest)
                    self._sent = answer.welcome.highest
                    self.connections += 1
                    self.is_online = True
                    self._welcomed.set()
                    writer = asyncio.create_task(self._write(call, done))
                else:
                    self._take_in(answer)
        finally:
            self.is_online = False
            call.cancel()
            if writer is not None:
                writer.cancel()
                with suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
                    await writer

    async def _write(self, call: Any, done: list[dict[str, Any]]) -> None:
        """Ask again what came of taps that are done; then send what was not sent yet. What is not
        acknowledged for long, send again."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            for each in done:
                await call.write(request_of(each))
        together = self._device.journal_entries
        while True:
            self._news.clear()
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                while self._reports:
                    await call.write(pb.ConnectRequest(report=self._reports.pop(0)))
            kept = [each for seq, each in self._journal.kept.items() if seq > self._sent]
            for whole in outgoing(kept, together):
                if last_in(whole) < self._journal.first_kept:
                    continue  # acknowledged meanwhile
                self._sent = last_in(whole)
                self._journaled |= numbers_in(whole)
                for request in self._device.mangle(whole):
                    try:
                        await call.write(request)
                    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                        return  # the reader of the line hears of it, and connects anew
            together = 0  # that was all that was kept while the line was down
            try:
                async with asyncio.timeout(self._device.resend_seconds):
                    await self._news.wait()
            except TimeoutError:
                self._sent = self._journal.first_kept - 1

    def _take_in(self, answer: pb.ConnectResponse) -> None:
        match answer.WhichOneof("what"):
            case "acknowledged":
                self._acknowledge(answer.acknowledged.highest)
            case "gap":
                self._sent = min(self._sent, answer.gap.expected - 1)
                self._news.set()
            case "prompt":
                self._show(answer.prompt)
            case "command":
                obeying = asyncio.create_task(self._obey(answer.command))
                self._obeying.add(obeying)
                obeying.add_done_callback(self._obeying.discard)
            case _:
                pass  # `throttled` waits by itself, and after `goodbye` the stream ends

    async def _obey(self, command: pb.DeviceCommand) -> None:
        why = await self._on_command(command)
        self._reports.append(pb.CommandReport(number=command.number, done=not why, why=why))
        self._news.set()

    def _show(self, prompt: pb.Prompt) -> None:
        if prompt.acknowledged:
            self._acknowledge(prompt.acknowledged)
        shown = self.prompts.get(prompt.stylus)
        # Of who was never paired here nothing is kept: anybody may make up names.
        known = shown is not None or prompt.outcome != pb.TAP_OUTCOME_UNKNOWN_STYLUS
        if known and (shown is None or not prompt.seq or prompt.seq >= shown.seq):
            self.prompts[prompt.stylus] = prompt
            self._prompted.set()
        for seq in (prompt.seq, *self._answered_with(prompt)):
            waiting = self._answers.pop(seq, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(prompt)
        if self._on_prompt is not None:
            self._on_prompt(prompt)

    def _answered_with(self, prompt: pb.Prompt) -> list[int]:
        """The numbers of what was sent in journals, and is answered by this prompt."""
        done = [n for n, pen in self._journaled.items() if pen == prompt.stylus and n <= prompt.seq]
        for number in done:
            del self._journaled[number]
        return done

    def _acknowledge(self, highest: int) -> None:
        self._journal.acknowledge(highest)
        if not self._journal.kept:
            self._idle.set()

    def _renew(self) -> None:
        """Another gateway has this one's key, or its journal is an old copy: number anew."""
        numbers = self._journal.renew()
        self._answers = {numbers.get(seq, 0): each for seq, each in self._answers.items()}

    def _done(self, highest: int) -> list[dict[str, Any]]:
        """The taps up to this number that are done, and whose answers were lost with the line. For
        answers to others of them, that are not kept any more, nobody waits longer."""
        kept = self._journal.kept
        done = [each for seq, each in kept.items() if seq <= highest and each["kind"] == "tap"]
        for seq in [seq for seq in self._answers if seq <= highest and seq not in kept]:
            future = self._answers.pop(seq)
            if not future.done():
                future.set_result(pb.Prompt(seq=seq))
        self._acknowledge(highest)
        return done
