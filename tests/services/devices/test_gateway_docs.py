"""The examples of messages, and the numbers, of the page for makers of gateways."""

import json
import re
from datetime import timedelta
from pathlib import Path

from google.protobuf.json_format import MessageToDict, Parse

from domain.table import commands
from domain.table.events import MAX_CODE_LENGTH, MAX_STYLUS_ID_LENGTH
from domain.table.state import (
    MAX_CLOSED_EPOCHS,
    MAX_LOCKOUT,
    MAX_RECORDED_MESSAGES,
    MAX_SKIPPED_ENTRIES,
    MAX_WRONG_PINS,
    MIN_LOCKOUT,
    PIN_GUESS_WINDOW,
    RATE_LIMIT_WINDOW,
)
from services.api import hello as hello_api
from services.devices import gateway_stream as stream
from services.devices import pending_journals, shared_streams
from services.transport.ports import CHANNEL_OPTIONS
from services.wire.buf.validate import validate_pb2
from services.wire.emeth.devices.v1 import connections_pb2 as pb

PAGE = (Path(__file__).parents[3] / "docs" / "gateway.md").read_text()


def test_every_message_has_an_example_that_is_one() -> None:
    part = PAGE.partition("### The messages\n")[2].partition("\n### ")[0]
    blocks = re.findall(r"```json\n(.*?)```", part, re.DOTALL)
    assert len(blocks) == 2
    for block, kind in zip(blocks, (pb.ConnectRequest, pb.ConnectResponse), strict=True):
        shown = set()
        for line in block.splitlines():
            message = Parse(line, kind())
            shown.add(message.WhichOneof("message"))
            again = MessageToDict(message, preserving_proto_field_name=True)
            fields = {name for name, value in json.loads(line).items() if value}
            assert again.keys() == fields, line
        assert shown == {field.name for field in kind.DESCRIPTOR.oneofs[0].fields}


def test_the_numbers_are_those_of_the_service() -> None:
    part = PAGE.partition("### The numbers\n")[2].partition("\n### ")[0]
    documented = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", part, re.MULTILINE))
    hello, journal = (
        {field.name: field.GetOptions().Extensions[validate_pb2.field] for field in kind.fields}
        for kind in (pb.Hello.DESCRIPTOR, pb.Journal.DESCRIPTOR)
    )
    ping = dict(CHANNEL_OPTIONS)["grpc.http2.min_ping_interval_without_data_ms"]
    assert documented == {
        "messages a second, for long": f"{stream.MESSAGE_RATE.per_second:g}",
        "messages at once": f"{stream.MESSAGE_RATE.burst:g}",
        "pause of who sends more": f"{stream.THROTTLE_SECONDS * 1000:g} ms",
        "time for `hello` on a new stream": f"{hello_api.HELLO_SECONDS:g} s",
        "time for the answer to a command": f"{stream.COMMAND_TIMEOUT_SECONDS:g} s",
        "messages that can be answered again": str(MAX_RECORDED_MESSAGES),
        "closed epochs that are known": str(MAX_CLOSED_EPOCHS),
        "characters of a code, a stylus's id, an epoch, a software, a locale": (
            f"{MAX_CODE_LENGTH}, {MAX_STYLUS_ID_LENGTH}, {hello['epoch'].string.max_len},"
            f" {hello['software'].string.max_len}, {hello['locale'].string.max_len}"
        ),
        "entries of a journal": str(journal["entries"].repeated.max_items),
        "taps made offline in `skipped_entries`": str(MAX_SKIPPED_ENTRIES),
        "time for which taps are held at a version": f"{pending_journals.MAX_HOLD_SECONDS:g} s",
        "time in which a gateway that has connected may send what it kept": (
            f"{pending_journals.MAX_SENDING_HOLD_SECONDS:g} s"
        ),
        "gateways on one line beside the first": str(shared_streams.MAX_GATEWAYS),
        # Twice what is enforced, since pings come closer together on their way.
        "least time between pings": f"{ping * 2 // 1000} s",
    }


def test_the_limits_are_those_of_tables() -> None:
    part = PAGE.partition("| limit | |\n")[2].partition("\n\n")[0]
    rows = r"^\| (.+?) \| ([0-9]+(?: in [0-9]+ (?:minutes|hours))?)"
    documented = dict(re.findall(rows, part, re.MULTILINE))
    hours = PIN_GUESS_WINDOW // timedelta(hours=1)
    within = f"in {RATE_LIMIT_WINDOW.seconds // 60} minutes"
    assert documented == {
        "gateways of a table": str(commands.MAX_GATEWAYS),
        "styluses of a table": str(commands.MAX_STYLUSES),
        "wrong PINs of a stylus at a gateway": f"{MAX_WRONG_PINS} in {hours} hours",
        "wrong PINs of a stylus": f"{MAX_WRONG_PINS} {within}",
        "wrong PINs at a gateway": f"{commands.MAX_RECENT_WRONG_PINS} {within}",
        "styluses with the factory's PIN that a gateway pairs": (
            f"{commands.MAX_RECENT_PAIRINGS} {within}"
        ),
    }
    assert MIN_LOCKOUT.seconds == 60, "a minute's pause"
    assert timedelta(hours=1) == MAX_LOCKOUT, "up to an hour"
