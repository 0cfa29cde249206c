"""Certification of gateways: scenarios from `certification.toml`, played against a real service.

A proxy sits between the gateway and the service. It records messages, drops some, and cuts the
connection, as the steps of a scenario say.
"""

import asyncio
import json
import os
import shlex
import shutil
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import grpc
import grpc.aio
import msgspec
from google.protobuf.json_format import MessageToDict, ParseDict
from msgspec import Struct

from services.client import Client, ServiceError
from services.client.journal import message_of
from services.wire.emeth.devices.v1 import connections_pb2 as pb

SERVICE: Final = "emeth.devices.v1.GatewaysService"
START_SECONDS: Final = 30.0
PATIENCE_SECONDS: Final = 10.0
"""Seconds within which a message must arrive; START_SECONDS applies to the first one."""
SETUP_STEPS: Final[tuple[dict[str, Any], ...]] = (
    {"match": "new"}, {"power": "on"}, {"expect": {"prompt": {"match_version": 1}}}, {"wait": 1},
)  # fmt: skip
"""The steps with which each scenario begins."""
MAX_CONCURRENT_SCENARIOS: Final = 6
"""The number of scenarios that are played at once."""
UNKNOWN_FIELD: Final = b"\xfa\x3e\x02hi"
"""An encoded message with a field that no version of the protocol defines."""

Fields = dict[str, Any]
"""The fields of a message in its JSON form."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario of `certification.toml`: the steps that test one rule."""

    must: str
    """The rule: what a gateway must do."""
    steps: list[dict[str, Any]]


class BrokenRuleError(Exception):
    """An error for a gateway that broke the rule of a scenario; the text says how."""


def load_scenarios() -> dict[str, Scenario]:
    """Return the scenarios of the file by their rules."""
    text = files("services.cli").joinpath("certification.toml").read_text()
    return msgspec.convert(tomllib.loads(text), dict[str, Scenario])


class FaultProxy:
    """A proxy for `Connect` that records messages and checks the invariants of the protocol."""

    def __init__(self, service: grpc.aio.Channel) -> None:
        self.losing = self.doubling = ""
        """The kinds of messages that are dropped, or passed on twice."""
        self.is_down = False
        """Whether connections are refused."""
        self.recorded: dict[str, list[tuple[str, Fields]]] = {"up": [], "down": []}
        """Kind and fields of each message: from the gateway without repetitions (`up`), and from
        the service (`down`)."""
        self.count = 0
        """The number of messages that the gateway sent, including repetitions."""
        self.shown = defaultdict[str, list[int]](lambda: [0])
        """The numbers of the prompts that reached each stylus; 0 before there is one."""
        self.broken = ""
        """The first violation of the protocol by the gateway; empty if there is none."""
        self.changed, self.cut = asyncio.Event(), asyncio.Event()
        self.gateway: grpc.aio.ServicerContext[Any, Any] | None = None
        """The gateway's connection, after the service has sent `welcome` on it."""
        self._service = service
        self._numbered = defaultdict[str, dict[int, Fields]](dict)
        """The numbered messages of each epoch."""
        self._done = defaultdict[str, int](int)
        """The highest sequence number of each epoch that the gateway knows to be acknowledged."""

    def bind(self, server: grpc.aio.Server) -> None:
        """Register this proxy as the handler of `Connect` on a server."""
        connect = grpc.stream_stream_rpc_method_handler(
            self._connect, pb.ConnectRequest.FromString, pb.ConnectResponse.SerializeToString
        )
        handler = grpc.method_handlers_generic_handler(SERVICE, {"Connect": connect})
        server.add_generic_rpc_handlers((handler,))

    async def _connect(self, requests: AsyncIterator[pb.ConnectRequest], context: Any) -> None:
        if self.is_down:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection is down")
        self.cut.clear()
        shown = [each for each in context.invocation_metadata() if each[0] == "authorization"]
        call, line = open_stream(self._service, shown), dict[str, Any]()
        tasks = [
            asyncio.create_task(self._up(requests, call, line)),
            asyncio.create_task(self._down(call, context, line)),
            asyncio.create_task(self.cut.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.gateway = None
            call.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _up(self, requests: AsyncIterator[pb.ConnectRequest], call: Any, line: Any) -> None:
        async for request in requests:
            kind = request.WhichOneof("message") or ""
            whole: Any = request.journal.entries if kind == "journal" else [request]
            kinds = [each.WhichOneof("message") or "" for each in whole]
            for each, one in zip(whole, kinds, strict=True):
                self.broken = self.broken or self._wrong(one, _fields(message_of(each)), line)
            self.count += 1
            self.changed.set()
            if self.losing not in kinds:
                for _ in range(1 + (self.doubling in kinds)):
                    await call.write(request)

    async def _down(self, call: Any, context: Any, line: Any) -> None:
        async for answer in call:
            kind = answer.WhichOneof("message") or ""
            fields = _fields(getattr(answer, kind)) if kind else {}
            if kind == "welcome":
                self.gateway = line["welcomed"] = context
            if kind != self.losing:
                if kind == "prompt":
                    self.shown[fields["stylus_id"]].append(fields["prompt_number"])
                if not fields.get("epoch_closed"):
                    done = fields.get("acknowledged_seq" if kind == "prompt" else "highest_seq", 0)
                    self._done[line["epoch"]] = max(self._done[line["epoch"]], done)
                for _ in range(1 + (kind == self.doubling)):
                    await context.write(answer)
            self.recorded["down"].append((kind, fields))
            self.changed.set()

    def _wrong(self, kind: str, fields: Fields, line: dict[str, Any]) -> str:
        """Record a message of the gateway, and return what is wrong with it, or an empty text."""
        if ("epoch" in line) == (kind == "hello"):
            return f"a {kind} came where {'none' if kind == 'hello' else 'the hello'} is due"
        if kind == "hello":
            epoch = line["epoch"] = fields["epoch"]
            first, done = fields["first_kept_seq"], self._done[epoch]
            self.recorded["up"].append((kind, fields))
            return f"it keeps messages from {first}, and {done} is done" if first > done + 1 else ""
        if "welcomed" not in line:
            return f"a {kind} came before the welcome"
        if "seq" in fields:
            seq, sent = fields["seq"], self._numbered[line["epoch"]]
            if seq in sent:
                changed = {n: was for n, was in sent[seq].items() if was != fields.get(n)}
                return f"message {seq} came again without its {changed}" if changed else ""
            due = max(*sent, self._done[line["epoch"]], 0) + 1
            sent[seq] = fields
            if seq != due:
                return f"message {seq} came where {due} is due"
        self.recorded["up"].append((kind, fields))
        if kind == "tap" and fields["prompt_number"] not in self.shown[fields["stylus_id"]]:
            return f"tap {seq} names prompt {fields['prompt_number']}, which was not shown"
        silent = kind == "report" and not (fields["succeeded"] or fields["message"])
        return "a command is not done, and its report does not say why" if silent else ""


class ScenarioRunner:
    """A runner of scenarios, at a table with one gateway, one stylus and a match of A.G.O.G."""

    def __init__(self, service: Client, admin_key: str, proxy: FaultProxy, folder: Path) -> None:
        self._service, self._admin_key = service, admin_key
        self._proxy, self._folder = proxy, folder
        self._program: asyncio.subprocess.Process | None = None
        self._looked_at = {"up": 0, "down": 0}
        self._special: dict[str, Any] = {"own": f"AA:{folder.name}", "same": "", "seen": 0}
        """Values of the placeholders in the file: the stylus, the epoch, the prompt of a tap."""
        self._commanding: asyncio.Task[Any] | None = None
        self._match, self._tokens = "", dict[str, str]()

    async def play(self, scenario: Scenario, command: str, address: str) -> str:
        """Run a scenario with the gateway that a command starts, connected to the proxy's address.

        Returns:
            What the gateway did wrong; an empty text if nothing.
        """
        self._command, self._address = shlex.split(command), address
        self._made = await self._service.create_gateway(self._admin_key, name="Certification")
        await self._service.pair_stylus(self._made.gateway_key, self._special["own"], pin="0000")
        try:
            for step in (*SETUP_STEPS, *scenario.steps):
                await self._do(step)
                if self._proxy.broken:
                    return self._proxy.broken
        except (BrokenRuleError, ServiceError, OSError) as error:
            return str(error)
        finally:
            await self._kill()
            if self._commanding is not None:
                self._commanding.cancel()
                await asyncio.gather(self._commanding, return_exceptions=True)
        return ""

    async def _do(self, step: dict[str, Any]) -> None:
        proxy, now, copy = self._proxy, self._folder / "now", self._folder / "copy"
        match step:
            case {"power": "on"}:
                await self._start(now)
            case {"power": "off"}:
                await self._kill()
            case {"tap": code}:
                self._special["seen"] = proxy.shown[self._special["own"]][-1]
                await self._say({"code": code})
            case {"status": _}:
                await self._say(step)
            case {"expect": wanted}:
                ((kind, fields),) = wanted.items()
                await self._expect(kind, fields)
            case {"lose": kind}:
                proxy.losing = kind
            case {"double": kind}:
                proxy.doubling = kind
            case {"line": state}:
                proxy.is_down = state == "down"
                if state != "up":
                    proxy.cut.set()
            case {"send": message}:
                answer = pb.ConnectResponse.FromString(UNKNOWN_FIELD)
                if message != "unknown":
                    answer = ParseDict(message, pb.ConnectResponse())
                with suppress(grpc.aio.BaseError):  # A gateway that left fails by what is due next.
                    if proxy.gateway is not None:
                        await proxy.gateway.write(answer)
            case {"act": action, "as": seat}:
                await self._service.submit(self._tokens[seat], self._match, action)
            case {"match": "new"}:
                created = await self._service.create_match(game="agog")
                self._match, self._tokens = created.match.match_id, dict(created.tokens)
                seats = [self._tokens["white"], self._tokens["black"]]
                own, key = self._special["own"], self._made.gateway_key
                await self._service.seat_stylus(key, own, self._match, seats)
            case {"epoch": "close"}:
                hello = pb.Hello(gateway_id=self._made.gateway_id, epoch="another")
                async with grpc.aio.insecure_channel(self._service.address) as channel:
                    call = open_stream(
                        channel, [("authorization", f"Bearer {self._made.gateway_key}")]
                    )
                    await call.write(pb.ConnectRequest(hello=hello))
                    await call.read()
                    call.cancel()
            case {"command": light}:
                made, command = self._made, pb.DeviceCommand(light=pb.Light.Value(light))
                asking = self._service.command_device(made.owner_key, made.gateway_id, command)
                self._commanding = asyncio.create_task(asking)
            case {"journal": what}:
                source, target = (now, copy) if what == "save" else (copy, now)
                shutil.rmtree(target, ignore_errors=True)
                shutil.copytree(source, target)
            case {"wait": seconds}:
                await asyncio.sleep(seconds)
            case {"quiet": seconds}:
                before = proxy.count
                await asyncio.sleep(seconds)
                if proxy.count > before:
                    raise BrokenRuleError("it sent more, though all is acknowledged")
            case {"actions": wanted}:
                token, newest = self._tokens["referee"], len(wanted) + 1
                history = await self._service.list_events(
                    token, self._match, at_least_version=newest
                )
                taken = [each.action.notation for each in history if each.HasField("action")]
                if taken != wanted:
                    raise BrokenRuleError(f"the match has {taken}, where {wanted} is due")
            case _:
                raise ValueError(f"{step} is no step")

    async def _expect(self, kind: str, fields: Fields) -> None:
        """Wait until a message of this kind comes with these fields."""
        direction = "up" if kind in pb.ConnectRequest.DESCRIPTOR.fields_by_name else "down"
        seconds = PATIENCE_SECONDS if self._looked_at["down"] else START_SECONDS
        try:
            async with asyncio.timeout(seconds):
                while True:
                    came, said = await self._next(direction)
                    wrong = [name for name in fields if not self._fits(fields[name], said, name)]
                    if came == kind and wrong and direction == "up":
                        differences = {name: said[name] for name in wrong}
                        raise BrokenRuleError(
                            f"its {kind} has {differences}, where {fields} is due"
                        )
                    if came == kind and not wrong:
                        break
        except TimeoutError:
            late = f"no {kind} with {fields} came within {seconds:g} seconds"
            raise BrokenRuleError(self._proxy.broken or late) from None
        if kind == "hello":
            self._special["same"] = said["epoch"]

    async def _next(self, direction: str) -> tuple[str, Fields]:
        recorded = self._proxy.recorded[direction]
        while self._looked_at[direction] == len(recorded):  # All were looked at.
            self._proxy.changed.clear()
            await self._proxy.changed.wait()
            if self._proxy.broken:
                raise BrokenRuleError(self._proxy.broken)
        self._looked_at[direction] += 1
        return recorded[self._looked_at[direction] - 1]

    def _fits(self, wanted: Any, said: Fields, name: str) -> bool:
        given = said.get(name)
        if wanted == "*":
            return given not in (None, "", "0", 0)
        if wanted == "new":
            return bool(given != self._special["same"])
        return str(given) == str(self._special.get(str(wanted), wanted))

    async def _start(self, folder: Path) -> None:
        """Start the gateway, with its journal in this folder."""
        os.makedirs(folder, exist_ok=True)
        environment = {
            **os.environ,
            "EMETH_ADDRESS": self._address,
            "EMETH_GATEWAY_KEY": self._made.gateway_key,
            "EMETH_JOURNAL": str(folder / "journal"),
        }
        pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        self._program = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=null, stderr=null, env=environment
        )

    async def _kill(self) -> None:
        if self._program is not None and self._program.returncode is None:
            self._program.kill()
            await self._program.wait()

    async def _say(self, said: Fields) -> None:
        """Send a line about the stylus to the gateway's simulated hardware."""
        assert self._program is not None
        assert self._program.stdin is not None
        said = {"stylus": self._special["own"], **said}
        try:
            self._program.stdin.write(json.dumps(said).encode() + b"\n")
            await self._program.stdin.drain()
        except ConnectionError:
            raise BrokenRuleError("its program has ended") from None


async def certify(command: str, rules: Sequence[str], host: str) -> dict[str, str]:
    """Run the scenarios of these rules with the gateway that a command starts, several at once.

    Returns:
        A map from rule to what the gateway did wrong; an empty text if nothing.
    """
    from services.main import Service  # Other commands need no whole service.
    from services.runtime.settings import Settings

    known, together = load_scenarios(), asyncio.Semaphore(MAX_CONCURRENT_SCENARIOS)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = Settings(str(folder), listen="127.0.0.1:0", http="no", log_level="error")
        service = await stack.enter_async_context(Service(settings))
        client = await stack.enter_async_context(Client(service.address))
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(service.address))

        async def one(rule: str) -> str:
            async with together:
                proxy, server = FaultProxy(channel), grpc.aio.server()
                player = ScenarioRunner(
                    client, service.admin_key, proxy, folder / "gateways" / rule
                )
                proxy.bind(server)
                port = server.add_insecure_port(f"{host}:0")
                await server.start()
                try:
                    return await player.play(known[rule], command, f"{host}:{port}")
                finally:
                    await server.stop(None)

        found = await asyncio.gather(*map(one, rules))
    return dict(zip(rules, found, strict=True))


def open_stream(service: grpc.aio.Channel, metadata: Any) -> Any:
    """Open a stream of the method `Connect`."""
    stream: Any = service.stream_stream(
        f"/{SERVICE}/Connect", pb.ConnectRequest.SerializeToString, pb.ConnectResponse.FromString
    )
    return stream(metadata=tuple(metadata))


def _fields(message: Any) -> Fields:
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
