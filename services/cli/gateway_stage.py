"""A stage between a maker's gateway and a real service: everything goes through it and is recorded,
and now and then something is lost, held back or cut on the way, as the acts ask for it."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import grpc
import grpc.aio
from msgspec import Struct

from services.cli.gateway_recordings import LATER, NUMBERED, Entry, as_json, unrolled
from services.cli.gateway_rules import PATIENCE_MS, SETTLE_MS, Verdict
from services.cli.gateway_trials import SERVICE, TrialError
from services.client.gateways import TableClient
from services.server import Service
from services.settings import Settings
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED

GAME: Final = "agog"
UNKNOWN: Final = b"\xfa\x3e\x02hi"
"""An answer that no version of the protocol has yet."""
UNARY: Final = tuple(
    method.name
    for method in pb.DESCRIPTOR.services_by_name["GatewaysService"].methods
    if not (method.client_streaming or method.server_streaming)
)
"""The calls that are handed on as they are: pairing and seating, above all."""

Context = grpc.aio.ServicerContext[Any, Any]
Say = Callable[[str], object]


class Stage:
    """What a gateway connects to in place of the service behind it."""

    def __init__(self, service: grpc.aio.Channel) -> None:
        self._service = service
        self._begun = time.monotonic()
        self._lines = 0
        self._cut = asyncio.Event()
        self._changed = asyncio.Event()
        self.entries: list[Entry] = []
        """What happened, as the gateway saw it."""
        self.holding = False
        """Are answers held back?"""
        self.away = False
        """Can nobody connect?"""
        self.losing = 0
        """So many of the next new messages are lost."""
        self._write: Callable[[pb.ConnectResponse], Awaitable[None]] | None = None

    def bind(self, server: grpc.aio.Server) -> None:
        """Have a server answer with it."""
        handlers = {name: self._handed_on(name) for name in UNARY}
        handlers["Connect"] = grpc.stream_stream_rpc_method_handler(
            self._connect,
            request_deserializer=pb.ConnectRequest.FromString,
            response_serializer=pb.ConnectResponse.SerializeToString,
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))

    def cut(self) -> None:
        """Lose the line."""
        self._cut.set()

    async def say(self, answer: pb.ConnectResponse, kind: str = "") -> None:
        """Tell the gateway something by oneself."""
        if self._write is None:
            raise TrialError("it is not connected")
        self._note("told", kind or answer.WhichOneof("what") or LATER, as_json(answer))
        await self._write(answer)

    async def until(self, holds: Callable[[], object], seconds: float) -> bool:
        """Wait until something holds of what happened; False if it does not in time."""
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def count(self, what: str, *kinds: str) -> int:
        """How often something happened."""
        return sum(e.what == what and (not kinds or e.kind in kinds) for e in self.entries)

    def numbers(self) -> list[tuple[int, int]]:
        """The line and the number of each numbered message, in the order in which they came."""
        sent = (each for e in self.entries if e.what == "sent" for each in unrolled(e))
        return [(each.line, each.seq) for each in sent if each.kind in NUMBERED]

    def _handed_on(self, name: str) -> Any:
        call: Any = self._service.unary_unary(f"/{SERVICE}/{name}")

        async def hand_on(request: bytes, context: Context) -> bytes:
            try:
                answer: bytes = await call(request, metadata=_shown(context))
            except grpc.aio.AioRpcError as error:
                context.set_trailing_metadata(tuple(error.trailing_metadata()))
                await context.abort(error.code(), error.details() or "")
            return answer

        return grpc.unary_unary_rpc_method_handler(hand_on)

    async def _connect(self, requests: AsyncIterator[pb.ConnectRequest], context: Context) -> None:
        self._lines += 1
        line = self._lines
        self._cut.clear()
        self._note("opened", line=line)
        if self.away:
            self._note("cut", line=line)
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the line is down")
        connect = self._service.stream_stream(
            f"/{SERVICE}/Connect",
            request_serializer=pb.ConnectRequest.SerializeToString,
            response_deserializer=pb.ConnectResponse.FromString,
        )
        call = connect(metadata=_shown(context))
        self._write = context.write
        ends = {
            asyncio.create_task(self._up(line, requests, call)): "ended",
            asyncio.create_task(self._down(line, call, context)): "cut",
            asyncio.create_task(_set(self._cut)): "cut",
        }
        how = "ended"  # the gateway gave the call up, if nothing else ended it
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            how = ends[done.pop()]
        finally:
            for task in ends:
                task.cancel()
            call.cancel()
            self._note(how, line=line)

    async def _up(self, line: int, requests: AsyncIterator[pb.ConnectRequest], call: Any) -> None:
        async for request in requests:
            kind = request.WhichOneof("what") or LATER
            message: Any = getattr(request, kind) if kind != LATER else request
            is_new = kind in NUMBERED and message.seq not in {seq for _, seq in self.numbers()}
            self._note("sent", kind, as_json(message), line)
            if is_new and self.losing:
                self.losing -= 1
                continue
            await call.write(request)

    async def _down(self, line: int, call: Any, context: Context) -> None:
        try:
            async for answer in call:
                if self.holding:
                    continue
                kind = answer.WhichOneof("what") or LATER
                message = getattr(answer, kind) if kind != LATER else answer
                self._note("told", kind, as_json(message), line)
                await context.write(answer)
        except grpc.aio.AioRpcError as error:
            context.set_trailing_metadata(tuple(error.trailing_metadata()))
            await context.abort(error.code(), error.details() or "")

    def _note(self, what: Any, kind: str = "", message: Any = None, line: int = 0) -> None:
        at = round((time.monotonic() - self._begun) * 1000)
        self.entries.append(Entry(at, line or self._lines, what, kind, message or {}))
        self._changed.set()


async def _set(event: asyncio.Event) -> None:
    await event.wait()


def _shown(context: Context) -> tuple[tuple[str, Any], ...]:
    shown = context.invocation_metadata() or ()
    return tuple((key, value) for key, value in shown if key == "authorization")


class Play(Struct, frozen=True):
    """A gateway on a stage, and who works its hardware."""

    stage: Stage
    say: Say
    """Tells whoever works the hardware what to do now."""
    wait: float
    """Seconds that they have for it."""
    key: str
    """The gateway's."""
    admin: str
    client: TableClient
    another: Callable[[], Awaitable[None]]
    """Connects as this gateway, in another epoch."""
    board: str = ""
    """The hardware id of a board that senses its pieces, if the gateway has one."""

    async def tapped(self, times: int, why: str) -> None:
        """Have so many new taps made."""
        seen = {seq for _, seq in self.stage.numbers()}
        self.say(f"TAP {times}: {why}")

        def new() -> bool:
            return len({seq for _, seq in self.stage.numbers()} - seen) >= times

        if not await self.stage.until(new, self.wait):
            raise TrialError(f"no {times} taps came within {self.wait:g} seconds")

    async def patience(self, holds: Callable[[], object]) -> None:
        """Give the gateway the time in which what is due has to come, and a little more. Whether it
        came, the rules judge."""
        await self.stage.until(holds, PATIENCE_MS / 1000 + 1)

    def again(self) -> Callable[[], bool]:
        """Has the newest message come again on the newest line?"""
        line, seq = self.stage.numbers()[-1]

        def came() -> bool:
            numbers = self.stage.numbers()
            return numbers.count((line, seq)) > 1 or any(
                n == seq and at > line for at, n in numbers
            )

        return came

    def settled(self) -> bool:
        """Was the gateway told that all is done?"""
        last = max((seq for _, seq in self.stage.numbers()), default=0)
        told = (
            e.message.get("acknowledged" if e.kind == "prompt" else "highest", 0)
            for e in self.stage.entries
            if e.what == "told" and e.kind in ("prompt", "acknowledged")
        )
        return max(map(int, told), default=0) >= last

    def connected(self, times: int) -> Callable[[], bool]:
        """Has it been welcomed so often?"""
        return lambda: self.stage.count("told", "welcome") >= times


async def begins(play: Play) -> None:
    """It connects, and its first taps are answered."""
    play.say("CONNECT switch the gateway on")
    if not await play.stage.until(play.connected(1), play.wait):
        raise TrialError(f"it did not connect within {play.wait:g} seconds")
    await asyncio.sleep(SETTLE_MS / 1000 + 0.5)
    await play.tapped(2, "anything, one after the other")
    await play.patience(play.settled)


async def is_not_answered(play: Play) -> None:
    """It is told nothing for a while."""
    play.stage.holding = True
    await play.tapped(1, "anything: it will not be answered for a while")
    await play.patience(play.again())
    play.stage.holding = False
    await play.patience(play.settled)


async def is_missed(play: Play) -> None:
    """A message is lost on the way."""
    play.stage.losing = 1
    await play.tapped(3, "anything, quickly: the first of them is lost on the way")
    await play.patience(play.settled)


async def is_cut_off(play: Play) -> None:
    """The line is cut, and a message is lost with it."""
    play.stage.losing = 1
    welcomed = play.stage.count("told", "welcome")
    await play.tapped(1, "anything: the line is cut then")
    play.stage.cut()
    await play.patience(play.connected(welcomed + 1))
    await play.patience(play.settled)


async def is_commanded(play: Play) -> None:
    """A device is to show a light."""
    gateway = play.key.rpartition(".")[0]
    command = pb.DeviceCommand(light=pb.LIGHT_YELLOW)
    asking = asyncio.create_task(play.client.command_device(play.admin, gateway, command))
    await asyncio.wait([asking], timeout=PATIENCE_MS / 1000)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)  # the rules judge what was said


async def meets_the_future(play: Play) -> None:
    """It is told what only a later version of the protocol knows, and to wait."""
    await play.stage.say(pb.ConnectResponse.FromString(UNKNOWN), LATER)
    await play.stage.say(pb.ConnectResponse(throttled=pb.Throttled(wait_ms=100)))
    await asyncio.sleep(SETTLE_MS / 1000)


async def finds_its_epoch_closed(play: Play) -> None:
    """Another epoch was begun in its name: its own is closed."""
    play.stage.losing = 1
    welcomed = play.stage.count("told", "welcome")
    await play.tapped(1, "anything: it is sent away then, and its epoch is closed")
    await play.another()
    await play.patience(play.connected(welcomed + 2))
    await play.patience(play.settled)


ACTS: Final = (
    begins, is_not_answered, is_missed, is_cut_off, is_commanded, meets_the_future,
    finds_its_epoch_closed,
)  # fmt: skip


Act = Callable[[Play], Awaitable[None]]
"""A coroutine function whose name is the act's, and whose first line is what should hold."""


class Opening(Struct, frozen=True):
    """Where a gateway is waited for."""

    address: str
    stylus: str
    wait: float
    board: str = ""
    """The hardware id of a board that senses its pieces; empty for none."""


@asynccontextmanager
async def opened(opening: Opening, say: Say) -> AsyncIterator[Play]:
    """A stage at this address, in front of a service of its own with a match on the table."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings(data=folder, listen="127.0.0.1:0", log_level="error", drain_seconds=1)
        service = await stack.enter_async_context(Service(settings))
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(service.address))
        client = await stack.enter_async_context(TableClient(service.address))
        made = await client.register_gateway(service.admin_key, "Under trial")
        match = await client.create_match(GAME, chance=CHANCE_ROLLED)
        seats = [token for role, token in match.tokens.items() if role in ("white", "black")]
        for device in {opening.stylus, opening.board} - {""}:
            await client.pair_stylus(made.key, device, "0000")
            await client.seat_stylus(made.key, device, match.match.match_id, seats)
        stage, server = Stage(channel), grpc.aio.server()
        stage.bind(server)
        port = server.add_insecure_port(opening.address)
        if not port:
            raise TrialError(f"nobody can listen at {opening.address}")
        await server.start()
        stack.push_async_callback(server.stop, None)
        host = opening.address.rpartition(":")[0]
        say(f"ADDRESS {host}:{port}")
        say(f"KEY {made.key}")
        say(f"STYLUS {opening.stylus}")
        if opening.board:
            say(f"BOARD {opening.board}")

        async def another() -> None:
            connect = pb.ConnectRequest(hello=pb.Hello(gateway_id=made.gateway_id, epoch="another"))
            stream = channel.stream_stream(
                f"/{SERVICE}/Connect",
                request_serializer=pb.ConnectRequest.SerializeToString,
                response_deserializer=pb.ConnectResponse.FromString,
            )
            call = stream(metadata=(("authorization", f"Bearer {made.key}"),))
            await call.write(connect)
            await call.read()
            call.cancel()

        admin, board = service.admin_key, opening.board
        yield Play(stage, say, opening.wait, made.key, admin, client, another, board)


async def perform(
    opening: Opening, say: Say, more: Sequence[Act] = ()
) -> tuple[list[Entry], list[Verdict]]:
    """Play all acts with the gateway that connects, and some more; the recording, and which acts
    failed."""
    failed = []
    async with opened(opening, say) as play:
        for act in (*ACTS, *more):
            holds = (act.__doc__ or "").strip()
            try:
                await act(play)
            except TrialError as error:
                failed.append(Verdict(act.__name__, holds, str(error)))
                break
        say("DONE")
        return play.stage.entries, failed
