"""A gateway for makers to read: all that the protocol asks for, on nothing but the generated stubs.

    python -m services.client.reference_gateway

It takes what the hardware tells from its standard input, a JSON object a line, as in
`emeth gateway replay`:

    {"stylus": "AA:01", "code": "space a6"}
    {"stylus": "AA:01", "sign": "SIGN_KIND_BATTERY", "percent": 40}
    {"stylus": "BOARD", "scan": {"a6": [], "b6": ["white/golem"]}, "whole": false}

and writes what each device is to show to its standard output: its id and the two lines of the
prompt. `EMETH_ADDRESS` says where the service is, `EMETH_GATEWAY_KEY` has the key from
RegisterGateway, and `EMETH_JOURNAL` names the file in which messages are kept until they are
acknowledged; `EMETH_LOCALE` may say what language its users read, as `de-CH`. `docs/gateway.md`
describes the protocol.
"""

import json
import os
import secrets
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import grpc

from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.gateways_pb2_grpc import GatewaysServiceStub

SILENCE: Final = 2.0
"""Seconds without a word after which what is not acknowledged is sent again."""
PAUSES: Final = (0.1, 0.5, 1.0, 2.0)
"""Seconds between attempts to connect; the last one again and again."""
CHANNEL: Final = (("grpc.keepalive_time_ms", 30_000), ("grpc.max_reconnect_backoff_ms", 2000))
HOPELESS: Final = (grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED)
"""What no second attempt changes: the key is wrong."""


class Journal:
    """What is not acknowledged yet, in a file that is written before anything else is done."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.epoch, self.last = secrets.token_hex(8), 0
        self.kept: dict[int, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text().splitlines():
                self._recall(line)
        self._rewrite()

    def add(self, message: dict[str, Any]) -> None:
        """Keep a message, under the next number."""
        self.last += 1
        self.kept[self.last] = message
        self._append({"seq": self.last, "message": message})

    def acknowledge(self, highest: int) -> None:
        """Forget all messages up to this one; the next number is a later one."""
        self.kept = {seq: message for seq, message in self.kept.items() if seq > highest}
        self.last = max(self.last, highest)
        self._append({"acknowledged": highest})

    def renew(self) -> None:
        """Begin another epoch with what is kept, numbered from 1."""
        self.epoch = secrets.token_hex(8)
        self.kept = dict(enumerate(self.kept.values(), 1))
        self.last = len(self.kept)
        self._rewrite()

    @property
    def first_kept(self) -> int:
        """The number of the oldest message that is kept, or of the next one."""
        return min(self.kept, default=self.last + 1)

    def _recall(self, line: str) -> None:
        try:
            told = json.loads(line)
        except ValueError:
            return  # cut off when the power went: it was not done yet
        if "epoch" in told:
            self.epoch, self.last, self.kept = told["epoch"], told["last"], {}
        elif "acknowledged" in told:
            highest = told["acknowledged"]
            self.kept = {seq: each for seq, each in self.kept.items() if seq > highest}
            self.last = max(self.last, highest)
        else:
            self.kept[told["seq"]] = told["message"]
            self.last = max(self.last, told["seq"])

    def _append(self, line: dict[str, Any]) -> None:
        with self._path.open("a") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _rewrite(self) -> None:
        lines = [{"epoch": self.epoch, "last": self.last - len(self.kept)}]
        lines += [{"seq": seq, "message": message} for seq, message in self.kept.items()]
        fresh = self._path.with_suffix(".new")
        fresh.write_text("".join(json.dumps(line) + "\n" for line in lines))
        fresh.replace(self._path)


class Gateway:
    """A gateway that is switched on."""

    def __init__(self, address: str, key: str, journal: Journal, locale: str = "") -> None:
        self._key, self._journal, self._locale = key, journal, locale
        self._stub = GatewaysServiceStub(grpc.insecure_channel(address, CHANNEL))
        self._news = threading.Condition()
        """Held by whoever looks at what follows, and told of every change to it."""
        self._sent = 0
        self._welcomed = self._ended = False
        self._heard = time.monotonic()
        self._reports: list[pb.CommandReport] = []
        self._prompts: dict[str, int] = {}
        """The prompt that each device shows."""

    def take(self, told: dict[str, Any]) -> None:
        """Keep what the hardware tells, with the prompt that its user looks at."""
        with self._news:
            shown = self._prompts.get(told["stylus"], 0)
            now = {"device_ms": int(time.time() * 1000), "prompt": shown}
            self._journal.add({**told, **now, "offline": not self._welcomed})
            self._heard = time.monotonic()  # an answer is due from now on
            self._news.notify_all()

    def run(self) -> None:
        """Connect, again and again, until the key is found to be wrong."""
        attempts = 0
        while True:
            try:
                self._converse()
                attempts = 0
            except grpc.RpcError as error:
                if error.code() in HOPELESS:
                    sys.stderr.write(f"the key is not taken: {error.details()}\n")
                    os._exit(1)  # the other thread waits for its input, perhaps for ever
            time.sleep(PAUSES[min(attempts, len(PAUSES) - 1)])
            attempts += 1

    def _converse(self) -> None:
        """One connection, until it ends."""
        self._welcomed = self._ended = False
        call = self._stub.Connect(
            self._requests(), metadata=(("authorization", f"Bearer {self._key}"),)
        )
        try:
            for answer in call:
                with self._news:
                    self._heard = time.monotonic()
                    if not self._take_in(answer):
                        return
                    self._news.notify_all()
        finally:
            call.cancel()
            with self._news:
                self._welcomed, self._ended = False, True
                self._news.notify_all()

    def _requests(self) -> Iterator[pb.ConnectRequest]:
        """What is sent on one connection: hello, then after the welcome what is kept."""
        yield pb.ConnectRequest(
            hello=pb.Hello(
                gateway_id=self._key.rpartition(".")[0],
                epoch=self._journal.epoch,
                first_kept=self._journal.first_kept,
                software="emeth-reference/1",
                locale=self._locale,
            )
        )
        while True:
            with self._news:
                self._news.wait_for(self._is_due, SILENCE / 4)
                if self._ended:
                    return
                if not self._welcomed:
                    continue
                if self._journal.kept and time.monotonic() - self._heard > SILENCE:
                    self._sent, self._heard = self._journal.first_kept - 1, time.monotonic()
                due = [pb.ConnectRequest(report=each) for each in self._reports]
                due += [
                    _request(seq, message)
                    for seq, message in self._journal.kept.items()
                    if seq > self._sent
                ]
                self._reports.clear()
                self._sent = max(self._sent, *self._journal.kept, 0, 0)
            yield from due

    def _is_due(self) -> bool:
        waiting = self._reports or any(seq > self._sent for seq in self._journal.kept)
        return self._ended or (self._welcomed and bool(waiting))

    def _take_in(self, answer: pb.ConnectResponse) -> bool:
        """Do what the service says. False if the connection is of no more use."""
        match answer.WhichOneof("what"):
            case "welcome" if answer.welcome.closed:
                self._journal.renew()
                return False
            case "welcome":
                self._journal.acknowledge(answer.welcome.highest)
                self._sent, self._welcomed = answer.welcome.highest, True
            case "acknowledged":
                self._journal.acknowledge(answer.acknowledged.highest)
            case "gap":
                self._sent = min(self._sent, answer.gap.expected - 1)
            case "prompt":
                self._show(answer.prompt)
            case "command":
                why = "this gateway has no such device"
                self._reports.append(pb.CommandReport(number=answer.command.number, why=why))
            case "goodbye":
                return False
            case _:
                pass  # `throttled` waits by itself; what a later version sends means nothing here
        return True

    def _show(self, prompt: pb.Prompt) -> None:
        if prompt.acknowledged:
            self._journal.acknowledge(prompt.acknowledged)
        self._prompts[prompt.stylus] = prompt.prompt
        sys.stdout.write("\t".join((prompt.stylus, *prompt.cues.lines)) + "\n")
        sys.stdout.flush()


def _request(seq: int, message: dict[str, Any]) -> pb.ConnectRequest:
    common = {"seq": seq, "device_ms": message["device_ms"], "stylus": message["stylus"]}
    if "scan" in message:
        seen = [pb.ScannedSpace(space=each, signs=s) for each, s in message["scan"].items()]
        whole = message.get("whole", True)
        return pb.ConnectRequest(scan=pb.Scan(**common, spaces=seen, whole=whole))
    if "sign" in message:
        kind, percent = pb.SignKind.Value(message["sign"]), message.get("percent", 0)
        return pb.ConnectRequest(sign=pb.Sign(**common, kind=kind, percent=percent))
    told = {name: message[name] for name in ("code", "prompt", "offline")}
    return pb.ConnectRequest(tap=pb.Tap(**common, **told))


def main() -> None:
    """Serve one table, with what is told on the standard input."""
    journal = Journal(Path(os.environ["EMETH_JOURNAL"]))
    address, key = os.environ["EMETH_ADDRESS"], os.environ["EMETH_GATEWAY_KEY"]
    gateway = Gateway(address, key, journal, os.environ.get("EMETH_LOCALE", ""))
    threading.Thread(target=gateway.run, daemon=True).start()
    for line in sys.stdin:
        gateway.take(json.loads(line))
    threading.Event().wait()


if __name__ == "__main__":
    main()
