"""What is refused before any handler is asked has its reason too, over the HTTP port."""

import asyncio
import gzip
import json
import struct
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from structlog.testing import capture_logs

from services.client import Client
from services.main import Service
from services.runtime.errors import ApiError, Code, Reason
from services.transport.connect_errors import GRPC_WEB_TYPES, ReasonedError
from services.transport.pipeline import MAX_REQUEST_BYTES_BY_METHOD
from tests.hostile_peers import Target, connected, ended
from tests.services.conftest import create_match
from tests.services.transport.test_fuzzed_streams import spoken

GAME = "/emeth.v1.GamesService/GetGame"
LOBBY = "/emeth.v1.ViewsService/Subscribe"
JSON = {"content-type": "application/json"}
STREAM = {"content-type": "application/connect+json"}
BODY = b'{"game": "agog"}'
LARGEST = max(MAX_REQUEST_BYTES_BY_METHOD.values())


async def asked(
    service: Service, verb: str, path: str, headers: Mapping[str, str], body: bytes = b""
) -> tuple[int, str, str]:
    """Status, code and reason of the error that a request gets; the last two as a client finds
    them in what a call or a stream ended with."""
    status, said = await asyncio.to_thread(spoken, service.http_address, path, verb, headers, body)
    assert b"Traceback" not in said
    error = read_error(said)
    details = {each["type"]: each["value"] for each in error["details"]}
    packed = details["google.rpc.ErrorInfo"]
    info = ErrorInfo.FromString(b64decode(packed + "=" * (-len(packed) % 4)))
    assert info.domain == "emeth.dev"
    return status, error["code"], info.reason


def read_error(said: bytes) -> Any:
    """The error in an answer: it is the whole of it, or in the last message of a stream."""
    start = said.index(b"{")
    found = json.loads(said[start : said.rindex(b"}") + 1])
    return found.get("error", found)


def framed(body: bytes, flags: int = 0, size: int | None = None) -> bytes:
    return struct.pack(">BI", flags, len(body) if size is None else size) + body


@pytest.mark.parametrize(
    ("verb", "path", "headers", "body", "status", "code", "reason"),
    [
        ("POST", "/emeth.v1.PlayService/Play", JSON, BODY, 404, "unimplemented",
         "METHOD_NOT_FOUND"),
        ("POST", "/emeth.v1.None/GetGame", JSON, BODY, 404, "unimplemented", "METHOD_NOT_FOUND"),
        ("GET", "/nothing", {}, b"", 404, "unimplemented", "METHOD_NOT_FOUND"),
        ("PUT", GAME, JSON, BODY, 405, "invalid_argument", "HTTP_METHOD_NOT_ALLOWED"),
        ("GET", LOBBY, {}, b"", 405, "invalid_argument", "HTTP_METHOD_NOT_ALLOWED"),
        ("POST", GAME, {}, BODY, 415, "invalid_argument", "CONTENT_TYPE_UNSUPPORTED"),
        ("POST", GAME, STREAM, BODY, 415, "invalid_argument", "CONTENT_TYPE_UNSUPPORTED"),
        ("POST", LOBBY, JSON, BODY, 415, "invalid_argument", "CONTENT_TYPE_UNSUPPORTED"),
        ("GET ?encoding=xml&message=x", GAME, {}, b"", 415, "invalid_argument",
         "CONTENT_TYPE_UNSUPPORTED"),
        ("POST", GAME, {"content-type": "application/grpc"}, BODY, 415, "invalid_argument",
         "CONTENT_TYPE_UNSUPPORTED"),
        ("POST", GAME, {**JSON, "content-encoding": "br"}, BODY, 501, "unimplemented",
         "COMPRESSION_UNSUPPORTED"),
        ("GET ?encoding=json&message=x&compression=br", GAME, {}, b"", 501, "unimplemented",
         "COMPRESSION_UNSUPPORTED"),
        ("POST", LOBBY, {**STREAM, "connect-content-encoding": "br"}, framed(b"{}"), 200,
         "unimplemented", "COMPRESSION_UNSUPPORTED"),
        ("POST", GAME, {**JSON, "connect-protocol-version": "2"}, BODY, 400, "invalid_argument",
         "HEADER_INVALID"),
        ("POST", GAME, {**JSON, "connect-timeout-ms": "soon"}, BODY, 400, "invalid_argument",
         "HEADER_INVALID"),
        ("POST", GAME, JSON, b'{"game":', 400, "invalid_argument", "MESSAGE_MALFORMED"),
        ("POST", GAME, {**JSON, "content-encoding": "gzip"}, BODY, 400, "invalid_argument",
         "MESSAGE_MALFORMED"),
        ("GET ?encoding=json", GAME, {}, b"", 400, "invalid_argument", "MESSAGE_MALFORMED"),
        ("GET ?encoding=json&message=%C3&base64=1", GAME, {}, b"", 400, "invalid_argument",
         "MESSAGE_MALFORMED"),
        ("POST", LOBBY, STREAM, b"", 200, "invalid_argument", "MESSAGE_MALFORMED"),
        ("POST", LOBBY, STREAM, framed(b"{}") * 2, 200, "invalid_argument",
         "MESSAGE_MALFORMED"),
        ("POST", LOBBY, STREAM, framed(b"{}", flags=1), 200, "invalid_argument",
         "MESSAGE_MALFORMED"),
        ("POST", LOBBY, STREAM, framed(b"{}", flags=8), 200, "invalid_argument",
         "MESSAGE_MALFORMED"),
        ("POST", LOBBY, STREAM, framed(b"{}", size=2**32 - 1), 200, "invalid_argument",
         "MESSAGE_TOO_LARGE"),
        ("POST", GAME, JSON, b" " * (LARGEST + 1), 400, "invalid_argument",
         "MESSAGE_TOO_LARGE"),
        ("POST", GAME, {**JSON, "content-encoding": "gzip"},
         gzip.compress(b" " * (LARGEST + 1)), 400, "invalid_argument",
         "MESSAGE_TOO_LARGE"),
    ],
)  # fmt: skip
async def test_each_refusal_of_the_protocol_has_a_reason(
    service: Service,
    verb: str,
    path: str,
    headers: Mapping[str, str],
    body: bytes,
    status: int,
    code: str,
    reason: str,
) -> None:
    with capture_logs() as logs:
        assert await asked(service, verb, path, headers, body) == (status, code, reason)
    assert not [each for each in logs if each["log_level"] in ("error", "critical")]


@pytest.mark.parametrize(
    ("path", "body"),
    [(GAME, b'{"game": "chess"}'), (LOBBY, framed(b'{"pageSize": 1}')), ("/nothing", b"")],
    ids=["call", "stream", "no call"],
)
async def test_an_error_is_readable_without_protobuf(
    service: Service, path: str, body: bytes
) -> None:
    headers = STREAM if path == LOBBY else JSON
    _, said = await asyncio.to_thread(spoken, service.http_address, path, "POST", headers, body)
    error = read_error(said)
    (info,) = (each for each in error["details"] if each["type"] == "google.rpc.ErrorInfo")
    assert info["debug"]["domain"] == "emeth.dev"
    assert info["debug"]["reason"] in Reason.__members__
    assert ErrorInfo(**info["debug"]) == ErrorInfo.FromString(b64decode(info["value"] + "=="))


async def test_a_retryable_refusal_has_a_retry_delay(service: Service) -> None:
    service._pipeline.open = False
    status, said = await asyncio.to_thread(spoken, service.http_address, GAME, "POST", JSON, BODY)
    assert status == 503
    assert b"retry-after: 1\r\n" in said.lower()
    (retry,) = (each for each in read_error(said)["details"] if each["type"].endswith("RetryInfo"))
    assert retry["debug"] == {"retryDelay": "0.500s"}


@pytest.mark.parametrize("reason", Reason)
def test_every_error_with_status_429_or_503_says_when_to_come_again(reason: Reason) -> None:
    headers = ReasonedError(ApiError(reason)).headers
    assert ("retry-after" in headers) == (
        reason.code in {Code.RESOURCE_EXHAUSTED, Code.UNAVAILABLE}
    )
    assert headers.get("retry-after", "1") >= "1"


async def test_a_header_that_is_not_utf_8_is_refused(service: Service) -> None:
    target = Target(service.address, service.http_address)
    head = b"GET /emeth.v1.GamesService/ListGames?encoding=json&message=%7B%7D HTTP/1.1\r\n"
    with connected(target.http) as line:
        line.sendall(head + b"host: localhost\r\nconnection: close\r\nx-name: \xe9\r\n\r\n")
        said = await asyncio.to_thread(ended, line)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert "UTF-8" in read_error(said)["message"]


async def test_an_expired_deadline_is_reported_to_the_caller(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await create_match(client)
    headers = {**JSON, "connect-timeout-ms": "1"}

    async def late(*_: object) -> None:
        await asyncio.sleep(30)

    monkeypatch.setattr(service._pipeline, "authenticate", late)
    body = json.dumps({"matchId": match.id}).encode()
    found = await asked(service, "POST", "/emeth.v1.MatchesService/GetMatch", headers, body)
    assert found == (504, "deadline_exceeded", "DEADLINE_EXCEEDED")


async def test_refused_calls_are_counted_by_reason(service: Service) -> None:
    await asked(service, "POST", GAME, {**JSON, "content-encoding": "br"}, BODY)
    assert (
        service._pipeline.calls._metrics.calls["GetGame", "connect", "COMPRESSION_UNSUPPORTED"] == 1
    )


async def test_a_refusal_names_the_accepted_content_types_and_methods(service: Service) -> None:
    _, said = await asyncio.to_thread(
        spoken, service.http_address, GAME, "POST", {"content-type": "text/plain"}, BODY
    )
    assert b"application/json or application/proto, not 'text/plain'" in said
    _, said = await asyncio.to_thread(spoken, service.http_address, GAME, "PUT", JSON, BODY)
    assert b"allow: GET, POST" in said


@pytest.mark.parametrize("kind", sorted(GRPC_WEB_TYPES))
async def test_what_the_library_takes_besides_is_not_sent_away(service: Service, kind: str) -> None:
    body = framed(b'{"game": "agog"}' if kind.endswith("json") else b"\n\4agog")
    status, said = await asyncio.to_thread(
        spoken, service.http_address, GAME, "POST", {"content-type": kind}, body
    )
    assert status == 200
    assert b"A.G.O.G." in said
