"""What devices and people hand in, for `tests.fuzzing`: messages of gateways, what
comes by MQTT, armies, plans, tap maps, and recordings of gateways.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import msgspec
from google.protobuf import struct_pb2
from google.protobuf.json_format import Parse, ParseError
from google.protobuf.message import DecodeError

from domain.registry import GAMES
from domain.table.codes import is_target, target_of
from services.cli.gateway_recordings import Entry, Recording
from services.cli.gateway_recordings import read as read_recording
from services.cli.gateway_recordings import write as write_recording
from services.cli.gateway_rules import judge
from services.cli.plan_text import read_plan
from services.client.mqtt_bridge import Broker, MqttBridge
from services.errors import ApiError
from services.json_values import ValueMissing, from_struct
from services.tables.parsing import parsed
from services.wire.emeth.v1 import gateways_pb2 as pb
from tests.fuzzed import Parser

NO_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
TAPS = (
    b'{"run":"r1","seq":1,"code":"space a6","prompt":3}',
    b'{"run":"r1","seq":1,"battery":40}',
    b'{"seat":["7Q2KM-0WXYZ"],"report":3,"done":true,"why":"so"}',
)
ARMY = b'{"faction":"durani","golems":[{"type":"prism-archer"},{"type":"horned-blight"}]}'
PLAN = b"a6-b6 -> h3-g3\n  white: f1-g1 -> c8-c7 & d8-d7\n* -> c8-c7\n"


def _gateway_message(raw: bytes) -> None:
    """What a gateway sends, as the domain takes it."""
    message, _ = parsed(pb.ConnectRequest.FromString(raw), "g", "e")
    if message is not None:
        assert 0 <= message.seq < 2**53


class _Bridge:
    """A bridge that reaches no broker and no service."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.bridge = self._runner.run(self._made())

    def take(self, raw: bytes) -> None:
        """A topic, a line break, and what came there: at most one message is kept of it."""
        topic, _, payload = raw.partition(b"\n")
        self._runner.run(self._take(topic.decode(errors="replace"), payload))

    async def _made(self) -> MqttBridge:
        """It is made where a loop runs, as it lives there."""
        return MqttBridge("127.0.0.1:1", "table.gateway.key", Broker("localhost"))

    async def _take(self, topic: str, payload: bytes) -> None:
        journal = self.bridge._gateway._journal
        before = journal.last
        self.bridge.take(topic, payload)
        assert journal.last - before <= 1
        journal.kept.clear()
        self.bridge._gateway._answers.clear()
        while not self.bridge._asked.empty():
            self.bridge._asked.get_nowait()


@cache
def _bridge() -> _Bridge:
    return _Bridge()


def _army(raw: bytes) -> None:
    """An army in JSON, as the API takes it and the game checks it."""
    values = from_struct("army", Parse(raw, struct_pb2.Struct()))
    armies = GAMES["golem-arcana"].armies
    assert armies is not None
    army = msgspec.convert(values, armies.army)
    armies.check(army, msgspec.convert({}, armies.occasion))


def _tap_map(raw: bytes) -> None:
    """Codes with their targets: what may stand on a map is found there."""
    for code, target in msgspec.json.decode(raw, type=dict[str, str]).items():
        if is_target(target):
            assert target_of({code: target}, code) == target


def _recording(raw: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(raw)
        file.flush()
        try:
            entries = read_recording(Path(file.name))
        except ValueError:
            return  # it says which line is none
    judge(entries)


def _recorded() -> bytes:
    said: list[tuple[str, str, dict[str, Any]]] = [
        ("opened", "", {}),
        ("sent", "hello", {"gateway_id": "g", "epoch": "e"}),
        ("told", "welcome", {"highest": "0"}),
        ("sent", "tap", {"seq": "1", "stylus": "AA:01", "code": "space a6", "prompt": "1"}),
        ("told", "prompt", {"seq": "1", "stylus": "AA:01", "prompt": "2", "acknowledged": "1"}),
        ("cut", "", {}),
    ]
    entries = [Entry(10 * at, 1, *each) for at, each in enumerate(said)]
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        write_recording(Path(file.name), entries)
        assert Recording(entries).epochs
        return Path(file.name).read_bytes()


def parsers() -> Iterator[tuple[str, Parser]]:
    """All of them, by name."""
    tap = pb.ConnectRequest(tap=pb.Tap(seq=1, stylus="AA:01", code="space a6", prompt=3))
    sign = pb.ConnectRequest(sign=pb.Sign(seq=2, kind=pb.SIGN_KIND_BATTERY, percent=40))
    messages = tuple(each.SerializeToString() for each in (tap, sign))
    yield "gateway message", Parser(_gateway_message, messages, (DecodeError,))
    topics = tuple(b"emeth/table/DDATA/AA:01\n" + tap for tap in TAPS)
    births = (b'emeth/table/DBIRTH/AA:01\n{"pin":"0000"}', b"emeth/table/DDEATH/AA:01\n")
    yield "MQTT", Parser(lambda raw: _bridge().take(raw), (*topics, *births))
    wrong = (ParseError, ValueMissing, ApiError, *NO_JSON)
    yield "army", Parser(_army, (ARMY,), wrong)
    codes = b'{"figure/12":"base s1","tile/7/1":"region a1","control/map":"cc help"}'
    yield "tap map", Parser(_tap_map, (codes,), NO_JSON)
    plan = Parser(
        lambda raw: read_plan(raw.decode(errors="replace").splitlines(), ("white", "black")),
        (PLAN,),
        (click.UsageError,),
    )
    yield "plan", plan
    yield "recording", Parser(_recording, (_recorded(),))
