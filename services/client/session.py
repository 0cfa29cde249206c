"""The client's side of `PlayService.Session`: a channel that multiplexes calls over one stream.

It has the interface of a gRPC channel: generated stubs use it unchanged, and errors look the same.
Calls that a session does not support go over the underlying channel.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import timedelta
from typing import Any, Final, NamedTuple

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc import status_pb2
from grpc_status.rpc_status import to_status

from services.wire.emeth.v1 import play_service_pb2, session_pb2, views_pb2
from services.wire.emeth.v1.play_service_pb2_grpc import PlayServiceStub

MAX_TOKENS: Final = 4096
"""Number of tokens that a session remembers."""
Metadata = Iterable[tuple[str, str | bytes]] | None


def _session_methods() -> dict[str, str]:
    """Return the rpcs that a session supports, by path, each with the name of its field."""
    fields = {each.message_type: each.name for each in session_pb2.SessionCall.DESCRIPTOR.fields}
    return {
        f"/{service.full_name}/{method.name}": fields[method.input_type]
        for module in (play_service_pb2, views_pb2)
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if method.input_type in fields
    }


SESSION_METHODS: Final = _session_methods()


class SessionAnswer(NamedTuple):
    """One response to a call on a session."""

    content: Message | None
    """The response, or None at the end of a watch."""
    more: bool


class SessionChannel:
    """A channel that sends the calls of a session over one stream."""

    def __init__(self, channel: grpc.aio.Channel, frontend_key: str = "") -> None:
        self._channel = channel
        self._frontend_key = frontend_key
        self._open: OpenSession | None = None

    async def close(self) -> None:
        """Close the session and its channel."""
        if self._open is not None:
            await self._open.close()
        await self._channel.close()

    def session(self) -> "OpenSession":
        """Return the session; reopen it if it has ended."""
        if self._open is None or self._open.has_ended:
            self._open = OpenSession(PlayServiceStub(self._channel), self._frontend_key)
        return self._open

    def unary_unary(self, path: str, *arguments: Any, **more: Any) -> Any:
        """Return a unary call, over the session if it supports the method."""
        if path not in SESSION_METHODS:
            return self._channel.unary_unary(path, *arguments, **more)
        return self._caller(SESSION_METHODS[path])

    def unary_stream(self, path: str, *arguments: Any, **more: Any) -> Any:
        """Return a streaming call, over the session if it supports the method."""
        if path not in SESSION_METHODS:
            return self._channel.unary_stream(path, *arguments, **more)
        return lambda request, *, metadata=None: WatchCall(
            self, SESSION_METHODS[path], request, _token(metadata)
        )

    def stream_unary(self, *arguments: Any, **more: Any) -> Any:
        """Return a client-streaming call on the underlying channel."""
        return self._channel.stream_unary(*arguments, **more)

    def stream_stream(self, *arguments: Any, **more: Any) -> Any:
        """Return a bidirectional call on the underlying channel."""
        return self._channel.stream_stream(*arguments, **more)

    def _caller(self, name: str) -> Callable[..., Any]:
        async def call(
            request: Message,
            *,
            timeout: float | None = None,  # noqa: ASYNC109  # as gRPC's stubs take it
            metadata: Metadata = None,
        ) -> Message:
            return await self.session().call(name, request, _token(metadata), timeout)

        return call


class WatchCall:
    """A watch on a session, as gRPC's stubs give one."""

    def __init__(self, channel: SessionChannel, name: str, request: Message, token: str) -> None:
        self._channel = channel
        self._begin = (name, request, token)
        self._session: OpenSession | None = None
        self._number = 0

    async def __aiter__(self) -> AsyncIterator[Message]:
        self._session = self._channel.session()
        self._number, answers = self._session.watch(*self._begin)
        while True:
            content, more = await _next(answers)
            if content is not None:
                yield content
            if not more:
                self._session = None
                return

    def cancel(self) -> None:
        """Stop the watch on the session."""
        if self._session is not None and not self._session.has_ended:
            self._session.stop(self._number)
            self._session = None


class OpenSession:
    """One stream of a session, from its start to its end."""

    def __init__(self, stub: PlayServiceStub, frontend_key: str = "") -> None:
        self.has_ended = False
        connect: Any = stub.Session
        shown = (("emeth-frontend", frontend_key),) if frontend_key else ()
        self._stream: Any = connect(metadata=shown)
        self._last = 0
        self._pending_calls: dict[int, asyncio.Future[Message]] = {}
        self._watches: dict[int, asyncio.Queue[SessionAnswer | grpc.aio.AioRpcError]] = {}
        self._tokens: dict[str, int] = {"": 0}
        self._unsent: deque[session_pb2.SessionCall] = deque()
        self._news = asyncio.Event()
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]

    async def call(self, name: str, request: Message, token: str, seconds: float | None) -> Message:
        """Make a call and return its response. Raises AioRpcError, as gRPC does."""
        waiting: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        number = self._number()
        self._pending_calls[number] = waiting
        self._send(
            call_id=number,
            token_id=self._handle(token),
            timeout=None if seconds is None else timedelta(seconds=seconds),
            **{name: request},
        )
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        except TimeoutError:
            raise _error(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer came in time") from None
        finally:
            self._pending_calls.pop(number, None)

    def watch(
        self, name: str, request: Message, token: str
    ) -> "tuple[int, asyncio.Queue[SessionAnswer | grpc.aio.AioRpcError]]":
        """Start a watch. Return its number and the queue of its responses."""
        number, shown = self._number(), asyncio.Queue[SessionAnswer | grpc.aio.AioRpcError]()
        self._watches[number] = shown
        self._send(call_id=number, token_id=self._handle(token), **{name: request})
        return number, shown

    def stop(self, number: int) -> None:
        """Stop the watch with this number."""
        self._watches.pop(number, None)
        stopping = session_pb2.StopWatching(call_id=number)
        self._send(call_id=self._number(), stop_watching=stopping)

    async def close(self) -> None:
        """Cancel the stream of the session, and fail its pending calls."""
        self._end(_error(grpc.StatusCode.CANCELLED, "the client has hung up"))
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _handle(self, token: str) -> int:
        """Return the number of a token in this session, and register a new token."""
        if token not in self._tokens:
            if len(self._tokens) > MAX_TOKENS:
                self._tokens = {"": 0}
            handle = self._tokens[token] = len(self._tokens)
            given = session_pb2.Authenticate(token_id=handle, token=token)
            self._send(call_id=self._number(), authenticate=given)
        return self._tokens[token]

    def _send(self, **call: Any) -> None:
        self._unsent.append(session_pb2.SessionCall(**call))
        self._news.set()

    async def _write(self) -> None:
        """Write the queued calls as they come, all that are queued in one message."""
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                calls = tuple(self._unsent)
                self._unsent.clear()
                await self._stream.write(session_pb2.SessionRequest(calls=calls))
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the stream has ended: `_read` reports why

    async def _read(self) -> None:
        error = _error(grpc.StatusCode.UNAVAILABLE, "the session has ended")
        try:
            async for response in self._stream:
                for answer in response.responses:
                    self._take(answer)
        except grpc.aio.AioRpcError as failure:
            error = failure
        finally:
            self._end(error)

    def _take(self, answer: session_pb2.CallResponse) -> None:
        name = answer.WhichOneof("response")
        content: Any = getattr(answer, name) if name else None
        if (shown := self._watches.get(answer.call_id)) is not None:
            failed = name == "error"
            shown.put_nowait(
                rpc_error(content) if failed else SessionAnswer(content, answer.has_more)
            )
            if not answer.has_more:
                del self._watches[answer.call_id]
        waiting = self._pending_calls.get(answer.call_id)
        if waiting is None or waiting.done():
            return  # nobody waits any more, or ever did: a token was given, a watch stopped
        if name == "error":
            waiting.set_exception(rpc_error(content))
        else:
            waiting.set_result(content)

    def _end(self, error: grpc.aio.AioRpcError) -> None:
        """Fail all calls and watches that still wait."""
        self.has_ended = True
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        self._stream.cancel()
        for waiting in self._pending_calls.values():
            if not waiting.done():
                waiting.set_exception(error)
        for shown in self._watches.values():
            shown.put_nowait(error)


async def _next(answers: "asyncio.Queue[SessionAnswer | grpc.aio.AioRpcError]") -> SessionAnswer:
    answer = await answers.get()
    if isinstance(answer, grpc.aio.AioRpcError):
        raise answer
    return answer


def _token(metadata: Metadata) -> str:
    sent = dict(metadata or ()).get("authorization", "")
    return sent.removeprefix("Bearer ") if isinstance(sent, str) else ""


def rpc_error(failure: status_pb2.Status) -> grpc.aio.AioRpcError:
    """Return an error as gRPC reports it of a call of its own."""
    status = to_status(failure)
    trailing = grpc.aio.Metadata(*(status.trailing_metadata or ()))
    return grpc.aio.AioRpcError(status.code, grpc.aio.Metadata(), trailing, details=status.details)


def _error(code: grpc.StatusCode, why: str) -> grpc.aio.AioRpcError:
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), details=why)
