"""The Connect door: what curl and a browser get."""

import asyncio
import json
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import msgspec
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from pyqwest import Client as Http
from pyqwest import FullResponse

from services.api.topics import TopicMessage
from services.client import Client
from services.client.subscriptions import match_subscription
from services.main import Service
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.transport.connect import MESSAGES_BETWEEN_YIELDS, ConnectApplication
from services.transport.pipeline import CallPipeline
from services.wire.emeth.v1 import views_pb2
from services.wire.emeth.v1.subscriptions_pb2 import SubscriptionStarted
from services.wire.emeth.v1.views_pb2_grpc import ViewsServiceStub
from tests.hostile_peers import connected, ended
from tests.services.conftest import OPENING, create_match, play
from tests.services.transport.connect_channel import ConnectChannel

JSON = {"content-type": "application/json"}


@pytest.fixture
async def http(service: Service) -> "Caller":
    return Caller(service.http_address)


class Caller:
    """Calls by plain HTTP."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._http = Http()

    async def get(self, path: str, **headers: str) -> FullResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self._http.get(self.address + path, headers=named)

    async def post(self, path: str, body: Any, token: str = "", **headers: str) -> FullResponse:
        named = {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if token:
            named["authorization"] = f"Bearer {token}"
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self._http.post(
            f"{self.address}/emeth.v1.{path}", headers=named, content=content
        )


def reason(response: FullResponse) -> str:
    """Why a call failed, as the service packed it."""
    (detail, *_) = response.json()["details"]
    assert detail["type"] == "google.rpc.ErrorInfo"
    value = detail["value"]
    return ErrorInfo.FromString(b64decode(value + "=" * (-len(value) % 4))).reason


async def test_a_match_is_played_with_nothing_but_json(http: Caller) -> None:
    created = (
        await http.post("MatchesService/CreateMatch", {"requestId": str(uuid4()), "game": "agog"})
    ).json()
    match, token = created["match"]["matchId"], created["tokens"]["white"]
    body = {"requestId": str(uuid4()), "matchId": match, "action": "a6-b6"}
    answer = (await http.post("PlayService/SubmitAction", body, token)).json()
    assert answer["accepted"]["events"][0]["sentence"].startswith("White's golem")
    again = (await http.post("PlayService/SubmitAction", body, token)).json()
    assert again == answer, "a repeated request gets the first answer"


async def test_an_error_has_its_reason(http: Caller, client: Client) -> None:
    match = await create_match(client)
    body = {"matchId": match.id}
    for token, status, why in (("", 401, "TOKEN_MISSING"), ("nonsense", 403, "TOKEN_WRONG_MATCH")):
        refused = await http.post("PlayService/ListActions", body, token)
        assert (refused.status, reason(refused)) == (status, why)
    long = await http.post("PlayService/ListActions", body, "x" * 300)
    assert (long.status, reason(long)) == (401, "TOKEN_MISSING")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'"x"',
        b'{"matchID": "typing error"}',
        b'{"matchId": 7}',
        b"\xff\xfe",
        b'{"matchId":' + b"[" * 5000,
    ],
)
async def test_an_unreadable_request_is_refused(http: Caller, body: bytes) -> None:
    refused = await http.post("PlayService/ListActions", body)
    assert (refused.status, reason(refused)) == (400, "MESSAGE_MALFORMED")


async def test_a_request_has_bounds(http: Caller) -> None:
    large = await http.post("PlayService/ListActions", {"matchId": "x" * 300_000})
    assert (large.status, reason(large)) == (400, "MESSAGE_TOO_LARGE")
    larger = await http.post("PlayService/ListActions", {"matchId": "x" * 5_000_000})
    assert larger.status == 400
    transcript = {"requestId": str(uuid4()), "transcript": "x" * 1_000_000}
    taken = await http.post("HistoryService/ImportTranscript", transcript)
    assert reason(taken) == "TRANSCRIPT_INVALID"


async def test_a_read_may_be_a_get_and_is_sent_once(http: Caller, client: Client) -> None:
    match = await create_match(client)
    message = quote(json.dumps({"matchId": match.id}))
    path = f"/emeth.v1.MatchesService/GetMatch?connect=v1&encoding=json&message={message}"
    first = await http.get(path)
    assert first.json()["match"]["matchId"] == match.id
    tag = first.headers["etag"]
    again = await http.get(path, if_none_match=tag)
    assert (again.status, again.content) == (304, b"")
    await play(client, match, *OPENING[:1])
    waiting = quote(json.dumps({"matchId": match.id, "atLeastVersion": "2"}))
    later = await http.get(
        f"/emeth.v1.MatchesService/GetMatch?connect=v1&encoding=json&message={waiting}",
        if_none_match=tag,
    )
    assert later.status == 200
    assert later.headers["etag"] != tag
    writing = await http.get("/emeth.v1.PlayService/SubmitAction?connect=v1&encoding=json")
    assert writing.status == 405


async def test_a_compressed_response_does_not_depend_on_the_time(
    service: Service, client: Client
) -> None:
    match = await create_match(client)
    message = quote(json.dumps({"matchId": match.id}))
    path = f"/emeth.v1.MatchesService/GetMatch?connect=v1&encoding=json&message={message}"
    lines = [f"GET {path} HTTP/1.1", "host: localhost", "accept-encoding: gzip"]
    with connected(service.http_address) as line:
        line.sendall("\r\n".join((*lines, "connection: close", "", "")).encode())
        _, _, body = (await asyncio.to_thread(ended, line)).partition(b"\x1f\x8b\x08")
    assert body[1:5] == bytes(4), (
        "RFC 1952: the time of modification, by which an ETag would change"
    )


async def test_a_stream_shows_events_as_they_come(service: Service, client: Client) -> None:
    match = await create_match(client)
    for json_codec in (False, True):
        async with Client(service.address) as other:
            other._use(ConnectChannel(service.http_address, json=json_codec))  # type: ignore[arg-type]
            watched = other.watch(match.tokens["spectator"], match.id)
            assert (await anext(watched)).event.version == 1
            await watched.aclose()


async def test_a_watcher_receives_a_resume_point_when_the_service_stops(
    settings: Settings,
) -> None:
    async with Service(settings) as service:
        async with Client(service.address) as client:
            match = await create_match(client)
        views = ViewsServiceStub(ConnectChannel(service.http_address))  # type: ignore[arg-type]
        token = (("authorization", f"Bearer {match.tokens['spectator']}"),)
        stream = aiter(views.Subscribe(match_subscription(match.id), metadata=token))
        assert (await anext(stream)).subscription_started.subscription_id
        assert (await anext(stream)).topic_started.viewer == "spectator"
        assert (await anext(stream)).match_event.event.version == 1
        stopping = asyncio.create_task(service.__aexit__())
        assert (await anext(stream)).HasField("stream_ending")
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        await stopping


async def test_an_internal_error_shows_no_details(
    http: Caller, client: Client, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await create_match(client)

    def fail(*_: object) -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(service._live, "get", fail)
    failed = await http.post(
        "PlayService/ListActions", {"matchId": match.id}, match.tokens["white"]
    )
    assert (failed.status, reason(failed)) == (500, "INTERNAL")
    assert b"inside" not in failed.content


async def test_others_have_their_turn_between_a_few_messages_of_a_page() -> None:
    class Page:
        async def subscribe(self, *_: object) -> AsyncIterator[TopicMessage]:
            for _ in range(5 * MESSAGES_BETWEEN_YIELDS):
                yield TopicMessage("subscription_started", SubscriptionStarted())

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    body = b'{"topics": [{"topicId": "all", "lobby": {}}]}'
    framed = b"\0" + len(body).to_bytes(4, "big") + body
    received.put_nowait({"type": "http.request", "body": framed, "more_body": False})

    async def send(message: Any) -> None:  # at once, as to a caller who takes all that comes
        if message.get("body", b"").startswith(b"\0"):
            sent_at.append(turns)

    turns, sent_at = 0, list[int]()
    views = views_pb2.DESCRIPTOR.services_by_name["ViewsService"]
    application: Any = ConnectApplication({views: Page()}, CallPipeline(Settings(), Limits()))
    path = f"/{views.full_name}/Subscribe"
    scope = {
        "type": "http",
        "method": "POST",
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"content-type", b"application/connect+json")],
        "client": ("127.0.0.1", 1),
    }
    counting = asyncio.create_task(count_turns())
    async with asyncio.timeout(30):
        await application(scope, received.get, send)
    counting.cancel()
    assert len(sent_at) == 5 * MESSAGES_BETWEEN_YIELDS
    assert max(Counter(sent_at).values()) == MESSAGES_BETWEEN_YIELDS


async def test_gateways_stream_both_ways_by_grpc_alone(http: Caller) -> None:
    assert (await http.post("GatewaysService/Connect", {})).status == 404


@pytest.mark.parametrize(
    ("allowed", "origin", "answered"),
    [
        ("", "https://play.example", False),
        ("https://play.example", "https://play.example", True),
        ("https://play.example", "https://evil.example", False),
        ("*", "https://anybody.example", True),
    ],
)
async def test_pages_of_other_origins_call_if_they_may(
    settings: Settings, allowed: str, origin: str, answered: bool
) -> None:
    async with Service(msgspec.structs.replace(settings, cors=allowed)) as service:
        caller = Caller(service.http_address)
        found = await caller.get("/healthz", origin=origin)
        assert ("access-control-allow-origin" in found.headers) == answered
        assert "set-cookie" not in found.headers
