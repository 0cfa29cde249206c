"""A watch resumes after the last message that it received, however its stream broke."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from struct import pack
from time import monotonic
from typing import Any, Final, NamedTuple

import grpc
import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import DataReceived, StreamEnded

from services.client import Client, ServiceError, connection
from services.client.subscriptions import TOPIC_ID
from services.client.views import event_mask
from services.wire.emeth.v1 import games_pb2, tables_pb2
from services.wire.emeth.v1 import subscriptions_pb2 as pb

PATIENCE_SECONDS: Final = 30.0
"""How long the clients of these tests repeat a call."""
Break = Callable[["Peer", int], None]
"""Ends a stream of a peer."""


class Peer(asyncio.Protocol):
    """A scripted gRPC server: a real one does not break its streams on command."""

    def __init__(self, script: "Script") -> None:
        self._script = script
        self.http = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._bodies: dict[int, bytes] = {}

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.http.initiate_connection()
        self.flush()

    def data_received(self, data: bytes) -> None:
        for event in self.http.receive_data(data):
            if isinstance(event, DataReceived):
                self._bodies[event.stream_id] = self._bodies.get(event.stream_id, b"") + event.data
            elif isinstance(event, StreamEnded):
                self._script.answer(self, event.stream_id, self._bodies.pop(event.stream_id)[5:])
        self.flush()

    def flush(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(self.http.data_to_send())

    def show(self, stream: int, *messages: Message) -> None:
        head = ((":status", "200"), ("content-type", "application/grpc"))
        self.http.send_headers(stream, head)
        for each in messages:
            body = each.SerializeToString()
            self.http.send_data(stream, pack(">BI", 0, len(body)) + body)

    def end(self, stream: int, *trailers: tuple[str, str | bytes]) -> None:
        self.http.send_headers(stream, trailers, end_stream=True)


class Script:
    """A peer's messages, one per stream. Each stream but the last breaks on command:
    what comes with a reset may be lost."""

    def __init__(self, shown: list[Message], broken: Break) -> None:
        self._shown = shown
        self._break = broken
        self.asked: list[bytes] = []
        self.peers: list[Peer] = []
        self._open: tuple[Peer, int] | None = None

    def connect(self) -> Peer:
        self.peers.append(Peer(self))
        return self.peers[-1]

    def answer(self, peer: Peer, stream: int, request: bytes) -> None:
        number = len(self.asked)
        self.asked.append(request)
        peer.show(stream, *self._shown[number : number + 1])
        self._open = (peer, stream)

    def break_off(self) -> None:
        assert self._open is not None
        peer, stream = self._open
        self._break(peer, stream)
        peer.flush()

    def close(self) -> None:
        for peer in self.peers:
            peer.transport.abort()


def reset(code: int) -> Break:
    return lambda peer, stream: peer.http.reset_stream(stream, code)


def status(code: int) -> Break:
    """The word of a proxy, which knows no reasons."""
    return lambda peer, stream: peer.end(stream, ("grpc-status", str(code)))


def cut_off(peer: Peer, stream: int) -> None:
    peer.transport.abort()


def hung_up(peer: Peer, stream: int) -> None:
    peer.http.close_connection(ErrorCodes.INTERNAL_ERROR)
    peer.flush()
    peer.transport.close()


def half_sent(peer: Peer, stream: int) -> None:
    peer.http.send_data(stream, pack(">BI", 0, 9) + b"half")
    peer.http.reset_stream(stream, ErrorCodes.INTERNAL_ERROR)


def not_said(peer: Peer, stream: int) -> None:
    peer.http.send_data(stream, b"", end_stream=True)


BREAKS: Final[dict[str, Break]] = {
    **{f"reset by {code.name}": reset(code) for code in ErrorCodes if code not in (11, 12)},
    "UNAVAILABLE": status(14),
    "INTERNAL": status(13),
    "UNKNOWN": status(2),
    "CANCELLED": status(1),
    "DEADLINE_EXCEEDED": status(4),
    "ended": status(0),
    "ended without a status": not_said,
    "cut off": cut_off,
    "hung up": hung_up,
    "half sent": half_sent,
}
"""All ways in which a proxy or a service ends a stream that was to go on. Resets for too many pings
or for weak TLS are the client's to mend."""


class Watch(NamedTuple):
    """How something is watched, and what a service shows of it."""

    begin: Callable[[str], AsyncIterator[Any]]
    shown: list[Message]
    asked: list[Message]


def event(version: int) -> pb.SubscribeResponse:
    found = pb.SubscribeResponse(topic_id=TOPIC_ID, cursor=str(version))
    found.match_event.event.version = version
    return found


def notice(identity: str) -> pb.SubscribeResponse:
    found = pb.SubscribeResponse(topic_id=TOPIC_ID, cursor=identity)
    found.notice.notice_id = identity
    return found


def asked(**topic: Any) -> pb.SubscribeRequest:
    return pb.SubscribeRequest(topics=[pb.Topic(topic_id=TOPIC_ID, **topic)])


async def watched(client: Client | Client, begin: Callable[[Any], Any]) -> AsyncIterator[Any]:
    async with client, aclosing(begin(client)) as news:
        async for each in news:
            yield each


def by_client(begin: Callable[[Client], Any]) -> Callable[[str], AsyncIterator[Any]]:
    return lambda address: watched(Client(address, patience_seconds=PATIENCE_SECONDS), begin)


MATCH: Final = pb.MatchTopic(
    match_id="m", after_version=3, read_mask=event_mask(()), latest_read_mask=event_mask(())
)
PLAN: Final = pb.MatchTopic(
    match_id="m",
    viewer="white",
    read_mask=FieldMask(paths=("event.version",)),
    conditional_moves=True,
)
WATCHES: Final = {
    "a match": Watch(
        by_client(lambda client: client.watch("t", "m", after_version=3)),
        [event(4), event(5)],
        [asked(match=MATCH), asked(match=MATCH, cursor="4")],
    ),
    "a lobby": Watch(
        by_client(lambda client: client.watch_lobby(cursor="7")),
        [
            pb.SubscribeResponse(
                topic_id=TOPIC_ID, cursor=str(n), lobby_event=pb.LobbyEvent(removed="m")
            )
            for n in (8, 9)
        ],
        [asked(lobby=pb.LobbyTopic(), cursor=str(n)) for n in (7, 8)],
    ),
    "a player": Watch(
        by_client(lambda client: client.watch_player("t", cursor="1")),
        [notice("2"), notice("3")],
        [
            asked(player=pb.PlayerTopic(after_notice_id="1")),
            asked(player=pb.PlayerTopic(after_notice_id="1"), cursor="2"),
        ],
    ),
    "a plan": Watch(
        by_client(lambda client: client.watch_conditional_moves("t", "m", "white")),
        [
            pb.SubscribeResponse(
                topic_id=TOPIC_ID, cursor="2", conditional_moves=pb.SeatConditionalMoves()
            )
        ]
        * 2,
        [asked(match=PLAN), asked(match=PLAN, cursor="2")],
    ),
    "devices": Watch(
        lambda address: watched(
            Client(address, patience_seconds=PATIENCE_SECONDS),
            lambda client: client.watch_devices("k"),
        ),
        [pb.SubscribeResponse(topic_id=TOPIC_ID, table=tables_pb2.Table()) for _ in range(2)],
        [asked(table=pb.TableTopic())] * 2,
    ),
}


async def seen(watch: Watch, broken: Break) -> tuple[int, list[bytes]]:
    """How much was shown of a watch whose stream broke, and what was asked for."""
    script, count = Script(watch.shown, broken), 0
    server = await asyncio.get_running_loop().create_server(script.connect, "127.0.0.1", 0)
    async with server, asyncio.timeout(60):
        host, port = server.sockets[0].getsockname()
        news = watch.begin(f"{host}:{port}")
        try:
            async for _ in news:
                count += 1
                if count == len(watch.shown):
                    break
                script.break_off()
        finally:
            await news.aclose()  # type: ignore[attr-defined]  # an asynchronous generator
            script.close()
    return count, script.asked


@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS)
async def test_a_watched_match_continues_whatever_ends_its_stream(broken: Break) -> None:
    watch = WATCHES["a match"]
    asked = [each.SerializeToString() for each in watch.asked]
    assert await seen(watch, broken) == (len(watch.shown), asked)


@pytest.mark.parametrize("watch", WATCHES.values(), ids=WATCHES)
@pytest.mark.parametrize("broken", ["reset by INTERNAL_ERROR", "ended"])
async def test_whatever_is_watched_continues_from_where_it_was(watch: Watch, broken: str) -> None:
    asked = [each.SerializeToString() for each in watch.asked]
    assert await seen(watch, BREAKS[broken]) == (len(watch.shown), asked)


async def test_a_watch_that_showed_nothing_for_long_is_not_out_of_patience(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = monotonic

    def broken(peer: Peer, stream: int) -> None:
        hour = 3600.0  # passes before the stream breaks
        monkeypatch.setattr("services.client.connection.monotonic", lambda: now() + hour)
        peer.http.reset_stream(stream, ErrorCodes.INTERNAL_ERROR)

    watch = WATCHES["a match"]
    assert (await seen(watch, broken))[0] == len(watch.shown)


async def test_a_watch_leaves_a_service_that_is_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dict(connection.CHANNEL)["grpc.http2.ping_timeout_ms"] <= 10_000
    hurried = {
        **dict(connection.CHANNEL),
        "grpc.keepalive_time_ms": 500,
        "grpc.http2.ping_timeout_ms": 500,
    }
    monkeypatch.setattr(connection, "CHANNEL", tuple(hurried.items()))

    def frozen(peer: Peer, stream: int) -> None:
        peer.transport.pause_reading()  # so it answers no ping

    watch = WATCHES["a match"]
    assert (await seen(watch, frozen))[0] == len(watch.shown)


async def test_what_the_service_itself_says_of_a_watch_ends_it() -> None:
    info = ErrorInfo(reason="INTERNAL", domain="emeth.dev")
    details = Status(code=13, message="masked")
    details.details.add().Pack(info)

    packed = b64encode(details.SerializeToString())

    def refused(peer: Peer, stream: int) -> None:
        peer.end(
            stream,
            ("grpc-status", "13"),
            ("grpc-message", "masked"),
            ("grpc-status-details-bin", packed),
        )

    with pytest.raises(ServiceError) as failure:
        await seen(WATCHES["a match"], refused)
    assert (failure.value.code, failure.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")


async def test_a_call_whose_stream_is_reset_is_made_again() -> None:
    class Once(Script):
        def answer(self, peer: Peer, stream: int, request: bytes) -> None:
            super().answer(peer, stream, request)
            if len(self.asked) == 1:
                self.break_off()
            else:
                peer.end(stream, ("grpc-status", "0"))

    script = Once([games_pb2.ListGamesResponse()] * 2, BREAKS["reset by INTERNAL_ERROR"])
    server = await asyncio.get_running_loop().create_server(script.connect, "127.0.0.1", 0)
    async with server, asyncio.timeout(60):
        host, port = server.sockets[0].getsockname()
        async with Client(f"{host}:{port}", patience_seconds=PATIENCE_SECONDS) as client:
            assert await client.list_games() == []
        script.close()
    assert len(script.asked) == 2
