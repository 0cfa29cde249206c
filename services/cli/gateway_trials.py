"""Trials of a maker's gateway: a service that behaves badly on purpose, and what should come of it.

The gateway is a program. It finds the address in `EMETH_ADDRESS`, its key in `EMETH_GATEWAY_KEY`
and a file for its journal in `EMETH_JOURNAL`, and takes what its hardware would tell from its
standard input, as `emeth gateway replay` has it.
"""

import asyncio
import json
import os
import shlex
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import grpc
import grpc.aio

from services.cli.gateway_rules import Verdict
from services.wire.emeth.v1 import gateways_pb2 as pb

GATEWAY: Final = "5f2c0c8e-0000-4000-8000-000000000001.1a2b3c4d"
SERVICE: Final = "emeth.v1.GatewaysService"
KEY: Final = f"{GATEWAY}.a-key-that-opens-nothing"
PEN: Final = "AA:01"
PATIENCE: Final = 10.0
"""Seconds in which anything that is due has to come."""
QUIET: Final = 0.5
"""Seconds in which nothing may come where nothing is due."""

SETTLE: Final = 2.0
"""Seconds that it has to take in what it was told, where it need not answer."""

Context = grpc.aio.ServicerContext[Any, Any]


class TrialError(Exception):
    """The gateway did not do what it should; the text says what."""


class Line:
    """A connection of the gateway."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.came: asyncio.Queue[pb.ConnectRequest] = asyncio.Queue()
        self.ended = asyncio.Event()

    async def next(self, what: str) -> Any:
        """The next message, which has to be of this kind."""
        try:
            async with asyncio.timeout(PATIENCE):
                request = await self.came.get()
        except TimeoutError:
            raise TrialError(f"no {what} came within {PATIENCE:g} seconds") from None
        kind = request.WhichOneof("what")
        if kind != what:
            raise TrialError(f"a {kind} came where a {what} is due")
        return getattr(request, what)

    async def nothing(self) -> None:
        """Nothing may come for a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(QUIET):
                kind = (await self.came.get()).WhichOneof("what")
                raise TrialError(f"a {kind} came where nothing is due")

    async def say(self, **what: Any) -> None:
        """Answer."""
        await self.context.write(pb.ConnectResponse(**what))

    async def prompt(self, tap: pb.Tap, prompt: int = 7) -> None:
        """Answer a tap as a service does."""
        shown = pb.Prompt(stylus=tap.stylus, seq=tap.seq, acknowledged=tap.seq, prompt=prompt)
        await self.say(prompt=shown)


class BadService:
    """A service that leaves everything to the trial."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[Line] = asyncio.Queue()

    def bind(self, server: grpc.aio.Server) -> None:
        """Have a server answer with it: it has but one call."""
        connect = grpc.stream_stream_rpc_method_handler(
            self._connect,
            request_deserializer=pb.ConnectRequest.FromString,
            response_serializer=pb.ConnectResponse.SerializeToString,
        )
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, {"Connect": connect}),)
        )

    async def _connect(self, requests: Any, context: Context) -> None:
        """Hand the connection to the trial, until that ends it."""
        line = Line(context)
        await self.lines.put(line)

        async def read() -> None:
            async for request in requests:
                for each in unrolled(request):
                    await line.came.put(each)

        reading = asyncio.create_task(read())
        await line.ended.wait()
        reading.cancel()


def unrolled(request: pb.ConnectRequest) -> Iterator[pb.ConnectRequest]:
    """A request as those it stands for: the entries of a journal as if each came alone."""
    if request.WhichOneof("what") != "journal":
        yield request
        return
    for entry in request.journal.entries:
        kind = entry.WhichOneof("what") or ""
        if kind:
            yield pb.ConnectRequest(**{kind: getattr(entry, kind)})


class Trial:
    """The gateway under trial, and the service that it talks to."""

    def __init__(self, command: str, address: str, service: BadService, journal: Path) -> None:
        self._command = shlex.split(command)
        self._service = service
        self._environment = {
            **os.environ,
            "EMETH_ADDRESS": address,
            "EMETH_GATEWAY_KEY": KEY,
            "EMETH_JOURNAL": str(journal),
        }
        self._program: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Switch the gateway on."""
        pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        self._program = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=none, stderr=none, env=self._environment
        )

    async def kill(self) -> None:
        """Take its power."""
        if self._program is not None and self._program.returncode is None:
            self._program.kill()
            await self._program.wait()

    async def tell(self, **told: Any) -> None:
        """Its hardware tells something."""
        assert self._program is not None
        assert self._program.stdin is not None
        self._program.stdin.write(json.dumps({"stylus": PEN, **told}).encode() + b"\n")
        await self._program.stdin.drain()

    async def line(self) -> Line:
        """Its next connection."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._service.lines.get()
        except TimeoutError:
            raise TrialError(f"it did not connect within {PATIENCE:g} seconds") from None

    async def welcomed(self, highest: int = 0) -> tuple[Line, pb.Hello]:
        """Its next connection, welcomed."""
        line = await self.line()
        hello = await line.next("hello")
        await line.say(welcome=pb.Welcome(highest=highest))
        return line, hello


def check(holds: object, why: str) -> None:
    """What has to hold of what it sent."""
    if not holds:
        raise TrialError(why)


async def hello(trial: Trial) -> None:
    """It says hello with its id, an epoch and the number of what it has kept."""
    said: pb.Hello = await (await trial.line()).next("hello")
    check(said.gateway_id == GATEWAY, f"its hello has the id {said.gateway_id!r}")
    check(1 <= len(said.epoch) <= 40, "an epoch has 1 to 40 characters")
    check(len(said.software) <= 80, "its software has more than 80 characters")
    check(said.first_kept <= 1, "it has kept nothing yet, and yet says so")


async def numbers(trial: Trial) -> None:
    """It numbers taps and signs together from 1, each with the prompt that is shown."""
    line, _ = await trial.welcomed()
    await line.say(prompt=pb.Prompt(stylus=PEN, prompt=41))
    await asyncio.sleep(SETTLE)
    await trial.tell(code="space a6")
    tap = await line.next("tap")
    check((tap.seq, tap.stylus, tap.code) == (1, PEN, "space a6"), f"its tap was {tap}")
    check(tap.prompt == 41, f"the prompt was 41, and its tap said {tap.prompt}")
    check(tap.device_ms, "its tap has no time of the device")
    await line.prompt(tap, 42)
    await trial.tell(sign="SIGN_KIND_BATTERY", percent=40)
    sign = await line.next("sign")
    check((sign.seq, sign.kind, sign.percent) == (2, pb.SIGN_KIND_BATTERY, 40), f"it sent {sign}")
    await line.say(acknowledged=pb.Acknowledged(highest=2))
    await line.nothing()


async def silence(trial: Trial) -> None:
    """What is not acknowledged it sends again."""
    line, _ = await trial.welcomed()
    await trial.tell(code="space a6")
    first, again = await line.next("tap"), await line.next("tap")
    check(first == again, "it sent another message again")
    await line.prompt(again)
    await asyncio.sleep(QUIET)


async def gap(trial: Trial) -> None:
    """After a gap it sends again from the number that is missed."""
    line, _ = await trial.welcomed()
    for code in ("space a6", "space b6", "button confirm"):
        await trial.tell(code=code)
    for _ in range(3):
        await line.next("tap")
    await line.say(acknowledged=pb.Acknowledged(highest=1))
    await line.say(gap=pb.Gap(expected=2))
    numbers = [(await line.next("tap")).seq for _ in range(2)]
    check(numbers == [2, 3], f"message 2 was missed, and it sent {numbers}")


async def cut(trial: Trial) -> None:
    """When the line is lost it connects again, in the same epoch, and sends what is not done."""
    line, before = await trial.welcomed()
    await trial.tell(code="space a6")
    await line.prompt(await line.next("tap"))
    await trial.tell(code="space b6")
    await line.next("tap")
    line.ended.set()
    line, after = await trial.welcomed(1)
    check(after.epoch == before.epoch, "it began another epoch, though it had not started over")
    check(after.first_kept == 2, f"it has kept message 2, and said {after.first_kept}")
    tap = await line.next("tap")
    check((tap.seq, tap.code) == (2, "space b6"), f"message 2 is due, and it sent {tap}")


async def ahead(trial: Trial) -> None:
    """It uses no number again that the service has seen."""
    line, _ = await trial.welcomed(5)
    await asyncio.sleep(SETTLE)
    await trial.tell(code="space a6")
    seq = (await line.next("tap")).seq
    check(seq == 6, f"message 5 was the last, and it sent {seq}")


async def closed(trial: Trial) -> None:
    """In a closed epoch it begins another, and numbers what it has kept from 1."""
    line, before = await trial.welcomed()
    await trial.tell(code="space a6")
    await line.next("tap")
    line.ended.set()
    line = await trial.line()
    await line.next("hello")
    await line.say(welcome=pb.Welcome(highest=9, closed=True))
    line.ended.set()
    line, after = await trial.welcomed()
    check(after.epoch != before.epoch, "it came back with the closed epoch")
    tap = await line.next("tap")
    check((tap.seq, tap.code) == (1, "space a6"), f"its kept tap is number 1, and it sent {tap}")


async def goodbye(trial: Trial) -> None:
    """After a goodbye it connects again."""
    line, _ = await trial.welcomed()
    await line.say(goodbye=pb.Goodbye(why="the service is about to stop"))
    line.ended.set()
    await trial.welcomed()


async def later(trial: Trial) -> None:
    """It goes on when it is told what it does not know, or is asked to wait."""
    line, _ = await trial.welcomed()
    await line.context.write(pb.ConnectResponse.FromString(b"\xfa\x3e\x02hi"))
    await line.say(throttled=pb.Throttled(wait_ms=100))
    await line.say(prompt=pb.Prompt(stylus="BB:99", prompt=3))
    await trial.tell(code="space a6")
    await line.prompt(await line.next("tap"))


async def power(trial: Trial) -> None:
    """When its power was cut it still has what was not acknowledged."""
    line, _ = await trial.welcomed()
    await trial.tell(code="space a6")
    await line.prompt(await line.next("tap"))
    await trial.tell(code="space b6")
    await line.next("tap")
    await trial.kill()
    line.ended.set()
    await trial.start()
    line, hello = await trial.welcomed(1)
    check(hello.first_kept in (1, 2), f"it has kept a message, and said {hello.first_kept}")
    tap = await line.next("tap")
    check(tap.code == "space b6", f"its kept tap is due, and it sent {tap}")


async def commands(trial: Trial) -> None:
    """It answers a command, whether it can do it or not."""
    line, _ = await trial.welcomed()
    await line.say(command=pb.DeviceCommand(number=4, light=pb.LIGHT_YELLOW))
    report = await line.next("report")
    check(report.number == 4, f"command 4 was to be answered, and it answered {report.number}")
    check(report.done or report.why, "it did not do it, and does not say why")


async def scans(trial: Trial) -> None:
    """What its board sees it sends as it came, numbered with all else."""
    line, _ = await trial.welcomed()
    await trial.tell(scan={"a6": ["white/golem"], "b6": []}, whole=True)
    await trial.tell(scan={"a6": []}, whole=False)
    await trial.tell(code="button confirm")
    whole, change = await line.next("scan"), await line.next("scan")
    tap = await line.next("tap")
    check([each.seq for each in (whole, change, tap)] == [1, 2, 3], "1, 2, 3 are their numbers")
    check((whole.whole, change.whole) == (True, False), "it mixed up what is whole")
    check(_seen(whole) == {"a6": ["white/golem"], "b6": []}, f"its first scan was {whole}")
    check(_seen(change) == {"a6": []}, f"its second scan was {change}")
    check(whole.stylus == PEN and whole.device_ms, "its scan has no time, or not its device")


async def memory(trial: Trial) -> None:
    """What was made without a line it sends when it is back, in order and as made offline."""
    line, _ = await trial.welcomed()
    await line.say(prompt=pb.Prompt(stylus=PEN, prompt=41))
    await asyncio.sleep(SETTLE)
    line.ended.set()
    line = await trial.line()
    await line.next("hello")
    moved: tuple[Mapping[str, list[str]], ...] = ({"a6": []}, {"h3": []})
    for spaces in moved:
        await trial.tell(scan=spaces, whole=False)
        await trial.tell(code="button confirm")
    await asyncio.sleep(QUIET)
    await line.say(welcome=pb.Welcome(highest=0))
    for number, spaces in enumerate(moved):
        scan, tap = await line.next("scan"), await line.next("tap")
        check((scan.seq, tap.seq) == (2 * number + 1, 2 * number + 2), "they came in another order")
        check(_seen(scan) == spaces, f"its scan was {scan}")
        check(tap.offline, "a tap that was made without a line does not say so")
        check(tap.prompt == 41, f"prompt 41 was shown last, and its tap said {tap.prompt}")


async def attached(trial: Trial) -> None:
    """When its board was put to another match, it goes on with the prompts of that one."""
    line, _ = await trial.welcomed()
    await line.say(prompt=pb.Prompt(stylus=PEN, prompt=41, match_id="one"))
    await asyncio.sleep(SETTLE)
    await line.say(prompt=pb.Prompt(stylus=PEN, prompt=5, match_id="another", attached=True))
    await asyncio.sleep(SETTLE)
    await trial.tell(code="button confirm")
    prompt = (await line.next("tap")).prompt
    check(prompt == 5, f"prompt 5 is shown, of another match, and its tap said {prompt}")


def _seen(scan: pb.Scan) -> dict[str, list[str]]:
    return {each.space: [*each.signs] for each in scan.spaces}


TRIALS: Final[Mapping[str, Callable[[Trial], Awaitable[None]]]] = {
    each.__name__: each
    for each in (
        hello, numbers, silence, gap, cut, ahead, closed, goodbye, later, power, commands,
        scans, memory, attached,
    )
}  # fmt: skip
"""By name; what each holds is its first line."""


async def try_out(command: str, name: str) -> Verdict:
    """One trial of the gateway that this command starts."""
    trial_of, service = TRIALS[name], BadService()
    server = grpc.aio.server()
    service.bind(server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    failed = ""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(command, f"127.0.0.1:{port}", service, Path(folder) / "journal")
        try:
            await trial.start()
            await trial_of(trial)
        except (TrialError, OSError) as error:
            failed = str(error)
        finally:
            await trial.kill()
            await server.stop(None)
    return Verdict(name, (trial_of.__doc__ or "").strip(), failed)
