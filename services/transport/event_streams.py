"""Subscribe for browsers and curl: Server-Sent Events and compressed streams.

An event stream is translated to a Connect call, and its response messages to events. So
authentication, rate limits, errors and metrics are those of every other call.
"""

import asyncio
import json
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

EVENT_STREAM_TYPE: Final = b"text/event-stream"
ENVELOPE_BYTES: Final = 5
"""Bytes before each message of a Connect stream: flags and length."""
END_STREAM_FLAG: Final = 2
"""Flag of the last message of a stream, which has the error, if there is one."""
MAX_CURSORS_IN_ID: Final = 20
"""Number of topics whose cursors fit into an event ID. Streams with more have no IDs."""
KEEP_ALIVE_SECONDS: Final = 15.0
"""Interval of comments on an idle stream, for proxies that close idle connections."""
GZIP_WINDOW_BITS: Final = 16 + 13
"""gzip with a window of 8 KiB, about twenty events. It takes 64 KiB of memory for each stream."""
GZIP_LEVEL: Final = 6
GZIP_MEMORY_LEVEL: Final = 6

compression_group: ContextVar[str | None] = ContextVar("compressed_with", default=None)
"""Compression group of the message that is being sent; see `TopicMessage.compression`."""


class EventStreams:
    """Serves Subscribe as Server-Sent Events to clients that accept them, else unchanged."""

    def __init__(self, calls: ASGIApp) -> None:
        self._calls = calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""
        headers: dict[bytes, bytes] = dict(reversed(scope["headers"]))
        if EVENT_STREAM_TYPE not in headers.get(b"accept", b""):
            await self._calls(scope, receive, send)
            return
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET":
            asked: Any = {"ticket": query.get("ticket", [""])[0]}
        else:
            asked = await _read_body(receive)
        known = query.get("last_event_id", [headers.get(b"last-event-id", b"").decode("latin-1")])
        body = _with_cursors(asked, known[0])
        head = [
            (name, value)
            for name, value in scope["headers"]
            if name not in (b"content-type", b"content-length", b"content-encoding", b"accept")
        ]
        call = {
            **scope,
            "method": "POST",
            "query_string": b"",
            "headers": [*head, (b"content-type", b"application/connect+json")],
        }
        events = _EventWriter(send)
        unread = [{"type": "http.request", "body": _envelope(body), "more_body": False}]

        async def ask() -> Message:
            return unread.pop() if unread else await receive()

        beating = asyncio.create_task(events.keep_alive())
        try:
            await self._calls(call, ask, events.take)
        finally:
            beating.cancel()


class _EventWriter:
    """Translates the response of a Connect call to Server-Sent Events."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_stream = False
        self._rest = b""
        self._cursors: dict[str, str] = {}
        self._sending = asyncio.Lock()
        self._quiet = asyncio.Event()

    async def take(self, message: Message) -> None:
        """Send the events in a part of the response."""
        if message["type"] == "http.response.start":
            self._is_stream = message["status"] == 200
            if self._is_stream:
                kept = [each for each in message["headers"] if not each[0].startswith(b"content-")]
                message["headers"] = [
                    *((name, value) for name, value in kept if not name.startswith(b"connect-")),
                    (b"content-type", EVENT_STREAM_TYPE),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                ]
            await self._send(message)
            return
        if self._is_stream and (body := message.get("body", b"")):
            message["body"] = self._events(body)
        if message.get("body") or not message.get("more_body"):
            self._quiet.set()
            async with self._sending:
                await self._send(message)

    def _events(self, body: bytes) -> bytes:
        """Return the events of all messages that are complete."""
        self._rest += body
        events = b""
        while len(self._rest) >= ENVELOPE_BYTES:
            end = ENVELOPE_BYTES + int.from_bytes(self._rest[1:ENVELOPE_BYTES], "big")
            if len(self._rest) < end:
                break
            flags, content = self._rest[0], self._rest[ENVELOPE_BYTES:end]
            self._rest = self._rest[end:]
            events += self._last(content) if flags & END_STREAM_FLAG else self._event(content)
        return events

    def _event(self, content: bytes) -> bytes:
        message: dict[str, Any] = json.loads(content)
        (kind,) = message.keys() - {"topicId", "cursor"}
        topic, cursor = message.get("topicId", ""), message.get("cursor", "")
        if kind == "topicEnded":
            self._cursors.pop(topic, None)
        elif topic and cursor:
            self._cursors[topic] = cursor
        identity = b""
        if self._cursors and len(self._cursors) <= MAX_CURSORS_IN_ID:
            identity = b"id: " + json.dumps(self._cursors, separators=(",", ":")).encode() + b"\n"
        return b"%sevent: %s\ndata: %s\n\n" % (identity, kind.encode(), content)

    @staticmethod
    def _last(content: bytes) -> bytes:
        error = json.loads(content).get("error")
        return b"event: error\ndata: " + json.dumps(error).encode() + b"\n\n" if error else b""

    async def keep_alive(self) -> None:
        """Send a comment whenever the stream has been idle for a while."""
        while True:
            self._quiet.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await self._quiet.wait()
                continue
            if self._is_stream:
                async with self._sending:
                    heartbeat = {"type": "http.response.body", "body": b":\n\n", "more_body": True}
                    await self._send(heartbeat)


async def _read_body(receive: Receive) -> Any:
    """Return the JSON of a request, or its text if it is not JSON, which the call then refuses."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
        if len(body) > MAX_BODY_BYTES:
            return {}
    try:
        return json.loads(body or b"{}")
    except ValueError:
        return body.decode("utf-8", "replace")


MAX_BODY_BYTES: Final = 1 << 20
"""Maximum bytes of a request that are read. The call itself accepts fewer."""


def _with_cursors(asked: Any, last: str) -> bytes:
    """Return the request with the cursors of the last event ID, from which to resume."""
    with suppress(ValueError):
        cursors = json.loads(last) if last else {}
        if isinstance(cursors, Mapping) and isinstance(asked, Mapping) and cursors:
            asked = {**asked, "cursors": cursors}
    return asked.encode() if isinstance(asked, str) else json.dumps(asked).encode()


def _envelope(body: bytes) -> bytes:
    return b"\0" + len(body).to_bytes(4, "big") + body


class CompressedStreams:
    """Compresses the response with one gzip context for the whole stream, if the client accepts it.

    Earlier messages serve as the dictionary of later ones, so that similar events take few bytes.
    The context is reset before a message of another compression group.
    """

    def __init__(self, streams: ASGIApp) -> None:
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""
        if scope["type"] != "http" or not _accepts_gzip(scope["headers"]):
            await self._streams(scope, receive, send)
            return
        # The library must not compress each message as well.
        own = (b"connect-accept-encoding", b"accept-encoding")
        head = [each for each in scope["headers"] if each[0] not in own]
        packing = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, GZIP_WINDOW_BITS, GZIP_MEMORY_LEVEL)
        before = compression_group.get()

        async def pack(message: Message) -> None:
            nonlocal before
            if message["type"] == "http.response.start":
                headers = [each for each in message["headers"] if each[0] != b"content-length"]
                message["headers"] = [
                    *headers,
                    (b"content-encoding", b"gzip"),
                    (b"vary", b"Accept-Encoding"),
                ]
            else:
                more = message.get("more_body", False)
                flush = zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH
                now = compression_group.get()
                emptied = b"" if now == before else packing.flush(zlib.Z_FULL_FLUSH)
                before = now
                packed = packing.compress(message.get("body", b"")) + packing.flush(flush)
                message["body"] = emptied + packed
            await send(message)

        await self._streams({**scope, "headers": head}, receive, pack)


def _accepts_gzip(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    accepted = b",".join(value for name, value in headers if name == b"accept-encoding")
    for each in accepted.lower().split(b","):
        encoding, _, weight = each.partition(b";")
        if encoding.strip() == b"gzip":
            return not weight or weight.strip(b" q=0.") != b""
    return False
