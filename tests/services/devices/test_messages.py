"""The examples of messages, and the numbers, of the page for makers of gateways."""

import json
import re
from datetime import timedelta
from pathlib import Path

from google.protobuf.json_format import MessageToDict, Parse

from domain.table import commands
from domain.table.events import LONGEST_CODE, LONGEST_STYLUS
from domain.table.state import (
    CLOSED_EPOCHS,
    GUESSED_WITHIN,
    LOCKED,
    LONGEST_LOCKED,
    MOST_LEFT,
    REPEATED,
    WRONG_PINS,
    WRONG_WITHIN,
)
from services.api import greetings
from services.devices import gateway_stream as stream
from services.devices import pending_journals, shared_streams
from services.transport.port import CHANNEL
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
            told = {name for name, value in json.loads(line).items() if value}
            assert again.keys() == told, line
        assert shown == {field.name for field in kind.DESCRIPTOR.oneofs[0].fields}


def test_the_numbers_are_those_of_the_service() -> None:
    part = PAGE.partition("### The numbers\n")[2].partition("\n### ")[0]
    told = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", part, re.MULTILINE))
    hello, journal = (
        {field.name: field.GetOptions().Extensions[validate_pb2.field] for field in kind.fields}
        for kind in (pb.Hello.DESCRIPTOR, pb.Journal.DESCRIPTOR)
    )
    ping = dict(CHANNEL)["grpc.http2.min_ping_interval_without_data_ms"]
    assert told == {
        "messages a second, for long": f"{stream.RATE.per_second:g}",
        "messages at once": f"{stream.RATE.burst:g}",
        "pause of who sends more": f"{stream.PAUSE * 1000:g} ms",
        "time for `hello` on a new stream": f"{greetings.HELLO_SECONDS:g} s",
        "time for the answer to a command": f"{stream.ANSWER_SECONDS:g} s",
        "messages that can be answered again": str(REPEATED),
        "closed epochs that are known": str(CLOSED_EPOCHS),
        "characters of a code, a stylus's id, an epoch, a software, a locale": (
            f"{LONGEST_CODE}, {LONGEST_STYLUS}, {hello['epoch'].string.max_len},"
            f" {hello['software'].string.max_len}, {hello['locale'].string.max_len}"
        ),
        "entries of a journal": str(journal["entries"].repeated.max_items),
        "taps made offline in `skipped_entries`": str(MOST_LEFT),
        "time for which taps are held at a version": f"{pending_journals.WAIT_SECONDS:g} s",
        "time in which a gateway that has connected may send what it kept": (
            f"{pending_journals.SENDING_SECONDS:g} s"
        ),
        "gateways on one line beside the first": str(shared_streams.MOST),
        # Twice what is enforced, since pings come closer together on their way.
        "least time between pings": f"{ping * 2 // 1000} s",
    }


def test_the_limits_are_those_of_tables() -> None:
    part = PAGE.partition("| limit | |\n")[2].partition("\n\n")[0]
    rows = r"^\| (.+?) \| ([0-9]+(?: in [0-9]+ (?:minutes|hours))?)"
    told = dict(re.findall(rows, part, re.MULTILINE))
    hours = GUESSED_WITHIN // timedelta(hours=1)
    within = f"in {WRONG_WITHIN.seconds // 60} minutes"
    assert told == {
        "gateways of a table": str(commands.MOST_GATEWAYS),
        "styluses of a table": str(commands.MOST_STYLUSES),
        "wrong PINs of a stylus at a gateway": f"{WRONG_PINS} in {hours} hours",
        "wrong PINs of a stylus": f"{WRONG_PINS} {within}",
        "wrong PINs at a gateway": f"{commands.MOST_GUESSES} {within}",
        "styluses with the factory's PIN that a gateway pairs": (
            f"{commands.MOST_PAIRINGS} {within}"
        ),
    }
    assert LOCKED.seconds == 60, "a minute's pause"
    assert timedelta(hours=1) == LONGEST_LOCKED, "up to an hour"
