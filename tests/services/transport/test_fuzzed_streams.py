"""Frames of sessions and bodies of HTTP, changed at random: each call is answered or refused with a
reason, nothing is refused as UNKNOWN or INTERNAL, and others are served as before.

`EMETH_FUZZ=5000 pytest tests/services/transport/test_fuzzed_streams.py` sends so many of each.
"""

import asyncio
import gzip
import json
import os
import socket
import struct
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final
from urllib.parse import quote, urlsplit

import grpc.aio
import pytest
from google.protobuf.json_format import Error as JsonError
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo

from services.client import Client, ServiceError
from services.main import Service
from services.wire.emeth.v1 import session_pb2
from tests.fuzzing import mutate
from tests.services.conftest import CreatedMatch, create_match, newest_version, play
from tests.services.transport.any_request import METHODS, AnyRequest
from tests.services.transport.test_every_request import DOCUMENTED

ROUNDS: Final = int(os.environ.get("EMETH_FUZZ", "40"))
FRAMES: Final = 6
"""Of a session, at most."""
SECONDS: Final = 60.0
UNWRITTEN: Final = "Internal error from Core"
"""What gRPC says of a message for a stream that has ended."""
(SESSION,) = (method for method in METHODS if method.name == "Session")
NUMBERS: Final = (0, 1, 1, 2, 2**31, 2**32 - 1)


@pytest.fixture
def seed() -> int:
    """In CI the same each time."""
    return 1 if "CI" in os.environ else Random().randrange(10**6)


@pytest.fixture
async def match(client: Client) -> CreatedMatch:
    found = await create_match(client)
    await play(client, found, ("white", "a6-b6"), ("black", "h3-g3"))
    return found


def known(match: CreatedMatch) -> Mapping[str, Sequence[str]]:
    return {
        "match_id": [match.id],
        "key": ["map"],
        "action": ["f1-g1", "c8-c7", "nonsense"],
        "seat": ["white", "black", ""],
        "secret": [*match.tokens.values()],
        "viewer": ["white", "referee"],
        "page_token": [""],
    }


def frame(chance: Random, make: AnyRequest) -> session_pb2.SessionRequest:
    """Calls in any order, with numbers that are large, or taken already, and fields of none."""
    request = session_pb2.SessionRequest()
    for _ in range(chance.choice((1, 2, 5, 300))):
        drawn: Any = make.message(SESSION)
        for call in drawn.calls:
            call.call_id = chance.choice(NUMBERS)
            call.timeout.FromMilliseconds(chance.choice((1, 10_000, 2**32 - 1)))
            request.calls.append(call)
            if chance.random() < 0.2:
                request.calls[-1].MergeFromString(b"\xfa\x7f\x03new")  # a field of a later version
        if len(request.calls) > 600:
            break
    return request


async def test_each_call_of_a_session_is_answered_or_refused_with_a_reason(
    service: Service,
    client: Client,
    match: CreatedMatch,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Many ask for versions that never come: they are to be told so, and not to be waited for.
    monkeypatch.setattr("services.store.read_models.PATIENCE_SECONDS", 0.1)
    wrong = []
    for number in range(ROUNDS // 4):
        chance = Random(f"{seed} {number}")
        frames = [frame(chance, AnyRequest(chance, known(match))) for _ in range(FRAMES)]
        raw = [each.SerializeToString() for each in frames]
        if chance.random() < 0.3:
            raw.append(mutate(raw[0] or b"x", chance.randrange(10**6)))
        before = await newest_version(client, match)
        answers, error = await said(service, raw, match.tokens["white"])
        failures = (each.error for each in answers if each.HasField("error"))
        wrong += [f"of {seed}, {number}: {why}" for each in failures if (why := unsaid(each))]
        if error is None:
            asked = Counter(call.call_id for frame in frames for call in frame.calls)
            lacking = asked - Counter(each.call_id for each in answers)
            assert not lacking, f"of {seed}, {number}: no answer to {lacking}"
        elif error.message == UNWRITTEN:
            continue  # the session ended while this side was writing
        elif DOCUMENTED.get(error.reason) != error.code.name:
            wrong.append(f"of {seed}, {number}: the session ended with {error!r}")
        assert await newest_version(client, match) >= before
    assert not wrong, "\n".join(wrong[:20])
    verified = await client.verify_match(match.tokens["referee"], match.id)
    assert verified.sound, verified.findings


async def said(
    service: Service, raw: Sequence[bytes], token: str
) -> tuple[list[session_pb2.CallResponse], ServiceError | None]:
    """What a session answers to these frames, and how it ended."""
    answers: list[session_pb2.CallResponse] = []
    async with grpc.aio.insecure_channel(service.address) as channel:
        stream: Any = channel.stream_stream("/emeth.v1.PlayService/Session")
        call = stream(iter(raw), metadata=(("authorization", f"Bearer {token}"),))
        try:
            async with asyncio.timeout(SECONDS):
                async for each in call:
                    answers += session_pb2.SessionResponse.FromString(each).responses
        except grpc.aio.AioRpcError as error:
            return answers, ServiceError.from_rpc(error)
    return answers, None


def unsaid(failure: Any) -> str:
    """What is wrong with a failure; empty if it is as documented."""
    info = ErrorInfo()
    has_reason = bool(failure.details) and failure.details[0].Unpack(info)
    code = grpc.StatusCode[DOCUMENTED.get(info.reason, "UNKNOWN")] if has_reason else None
    fine = code is not None and code.value[0] == failure.code and info.reason != "INTERNAL"
    return "" if fine else f"{info.reason!r}: {failure}"


# --- HTTP ----------------------------------------------------------------------------------------

Made = Callable[[Message, Random], tuple[str, Mapping[str, str], bytes]]


def unary_json(message: Message, chance: Random) -> tuple[str, Mapping[str, str], bytes]:
    body = mutate(text_of(message), chance.randrange(10**9))
    return "POST", {"content-type": "application/json"}, body


def squeezed(message: Message, chance: Random) -> tuple[str, Mapping[str, str], bytes]:
    raw = gzip.compress(text_of(message) + b" " * chance.choice((0, 10**7)))
    body = raw if chance.random() < 0.5 else mutate(raw, chance.randrange(10**9))
    encoding = chance.choice(("gzip", "gzip", "br", "identity", "\t"))
    return "POST", {"content-type": "application/json", "content-encoding": encoding}, body


def enveloped(message: Message, chance: Random) -> tuple[str, Mapping[str, str], bytes]:
    kind = chance.choice(("json", "proto"))
    body = text_of(message) if kind == "json" else message.SerializeToString() or b"\0"
    size = len(body) if chance.random() < 0.6 else chance.choice((0, 1, 2**31, 2**32 - 1))
    frames = struct.pack(">BI", chance.choice((0, 0, 0, 1, 2, 3, 255)), size) + body
    frames *= chance.choice((1, 1, 2, 50))
    if chance.random() < 0.5:
        frames = mutate(frames, chance.randrange(10**9))
    encoding = {"connect-content-encoding": chance.choice(("gzip", "br"))}
    more = encoding if chance.random() < 0.3 else {}
    return "POST", {"content-type": f"application/connect+{kind}", **more}, frames


def asked_by_get(message: Message, chance: Random) -> tuple[str, Mapping[str, str], bytes]:
    text = quote(mutate(text_of(message), chance.randrange(10**9))[:4_000])
    more = chance.choice(("", "&base64=1", "&compression=gzip", "&connect=v9", "&encoding=x"))
    return f"GET ?connect=v1&encoding=json&message={text}{more}", {}, b""


def text_of(message: Message) -> bytes:
    return json.dumps(MessageToDict(message)).encode()


@pytest.mark.parametrize("made", [unary_json, squeezed, enveloped, asked_by_get])
async def test_each_body_gets_an_answer_or_an_error_that_is_no_fault_of_the_service(
    service: Service, client: Client, match: CreatedMatch, seed: int, made: Made
) -> None:
    unary = [each for each in METHODS if not each.client_streaming]
    methods = [each for each in unary if each.server_streaming] if made is enveloped else unary
    wrong = []
    for number in range(ROUNDS):
        chance = Random(f"{seed} {number}")
        method = chance.choice(methods)
        message = AnyRequest(chance, known(match)).message(method)
        if hasattr(message, "interval") or not is_text(message):
            continue
        how, headers, body = made(message, chance)
        path = f"/{method.containing_service.full_name}/{method.name}"
        headers = {**headers, "authorization": f"Bearer {match.tokens['white']}"}
        answer = await asyncio.to_thread(spoken, service.http_address, path, how, headers, body)
        if why := fault(answer):
            wrong.append(f"of {seed}, {number}: {method.name}: {why}")
    assert not wrong, "\n".join(wrong[:20])
    assert await newest_version(client, match) >= 3


def is_text(message: Message) -> bool:
    try:
        text_of(message)
    except (JsonError, ValueError, OverflowError):  # JSON has no way to say it
        return False
    return True


def spoken(
    address: str, path: str, how: str, headers: Mapping[str, str], body: bytes
) -> tuple[int, bytes]:
    """The status of an answer, and as much of it as comes before the line is quiet."""
    verb, _, query = how.partition(" ")
    place = urlsplit(address)
    head = f"{verb} {path}{query} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    said = b""
    with socket.create_connection((place.hostname, place.port), SECONDS) as line:
        line.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        try:
            while piece := line.recv(65_536):
                said += piece
                line.settimeout(0.3)  # a stream that stays open
        except (TimeoutError, ConnectionResetError):
            pass  # it stays open; or it ended, and what was sent to it since is refused
    return int(said.split(b" ", 2)[1]) if said else 0, said


def fault(answer: tuple[int, bytes]) -> str:
    """What is wrong with an answer; empty if nothing is."""
    status, said = answer
    if not status or (status >= 500 and status not in (501, 503, 504)):
        return f"{status}: {said[-300:]!r}"
    for code in ("unknown", "internal", "data_loss"):
        if f'"code": "{code}"'.encode() in said or f'"code":"{code}"'.encode() in said:
            return f"{code}: {said[-300:]!r}"
    if (status >= 400 or b'"error"' in said) and b"google.rpc.ErrorInfo" not in said:
        return f"no reason: {said[-300:]!r}"
    return ""
