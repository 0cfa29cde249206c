"""What devices and people hand in, for `tests.fuzzing`: messages of gateways, armies, plans and tap
maps.
"""

from collections.abc import Iterator

import click
import msgspec
from google.protobuf import struct_pb2
from google.protobuf.json_format import Parse, ParseError
from google.protobuf.message import DecodeError

from domain.registry import GAMES
from domain.table.codes import is_target, target_of
from services.cli.commands.conditional import read_moves
from services.devices.parsing import parse_message
from services.runtime.errors import ApiError
from services.runtime.json_values import ValueMissing, from_struct
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2
from tests.fuzz_targets import Parser

NO_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
ARMY = b'{"faction":"durani","golems":[{"type":"prism-archer"},{"type":"horned-blight"}]}'
PLAN = b"a6-b6 -> h3-g3\n  white: f1-g1 -> c8-c7 & d8-d7\n* -> c8-c7\n"


def _gateway_message(raw: bytes) -> None:
    """What a gateway sends, as the domain takes it."""
    message, _ = parse_message(pb.ConnectRequest.FromString(raw), "g", "e")
    if message is not None:
        assert 0 <= message.seq < 2**53


def _army(raw: bytes) -> None:
    """An army in JSON, as the API takes it and the game checks it."""
    values = from_struct("army", Parse(raw, struct_pb2.Struct()))
    armies = GAMES["golem-arcana"].armies
    assert armies is not None
    army = msgspec.convert(values, armies.army)
    armies.check(army, msgspec.convert({}, armies.constraints))


def _tap_map(raw: bytes) -> None:
    """Codes with their targets: what may stand on a map is found there."""
    for code, target in msgspec.json.decode(raw, type=dict[str, str]).items():
        if is_target(target):
            assert target_of({code: target}, code) == target


def parsers() -> Iterator[tuple[str, Parser]]:
    """All of them, by name."""
    tap = pb.ConnectRequest(tap=pb.Tap(seq=1, stylus_id="AA:01", code="space a6", prompt_number=3))
    sign = pb.ConnectRequest(
        status=pb.StylusStatus(
            seq=3, kind=tables_pb2.STYLUS_STATUS_KIND_BATTERY, battery_percent=40
        )
    )
    messages = tuple(each.SerializeToString() for each in (tap, sign))
    yield "gateway message", Parser(_gateway_message, messages, (DecodeError,))
    wrong = (ParseError, ValueMissing, ApiError, *NO_JSON)
    yield "army", Parser(_army, (ARMY,), wrong)
    codes = b'{"figure/12":"base s1","tile/7/1":"region a1","control/map":"cc help"}'
    yield "tap map", Parser(_tap_map, (codes,), NO_JSON)
    plan = Parser(
        lambda raw: read_moves(raw.decode(errors="replace").splitlines(), ("white", "black")),
        (PLAN,),
        (click.UsageError,),
    )
    yield "plan", plan
