"""`PlayService.Session`: many calls on one stream.

A session is a transport. It takes calls out of messages, passes them to the same handlers as the
other transports, and puts the responses or errors into messages. Responses that are ready are sent
together, since gRPC allows one write at a time on a stream.

Memory is bounded. A session whose client does not read, or that has many calls in flight, is not
read from. A watch looks for events only when its last message has been sent.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import aclosing, suppress
from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message
from msgspec import Struct

from services.accounts.context import RequestContext
from services.api.store_errors import api_error
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.errors import StoreError
from services.transport.call_log import assign_call_id
from services.transport.pipeline import (
    MAX_TOKEN_LENGTH,
    CallPipeline,
    check_bounds,
    find_handler,
    max_token_length,
)
from services.transport.shared_bytes import encode_field, encode_varint
from services.transport.statuses import rich_status
from services.wire.emeth.v1 import session_pb2 as pb

TRANSPORT: Final = "session"
MAX_CALLS: Final = 256
"""Calls of a session that are in flight or whose responses wait to be sent. More are not read."""
MAX_WATCHES: Final = 4_096
MAX_TOKENS: Final = 4_096
MAX_RESPONSE_BYTES: Final = 1 << 20
"""Bytes of responses that are combined into one message, not counting the last. gRPC clients accept
4 MiB."""

Handler = Callable[[RequestContext, Any], Awaitable[Message]]
Watch = Callable[[RequestContext, Any], AsyncGenerator[Message, None]]


class SessionHandlers(Struct, frozen=True):
    """Handlers of the calls that a session may carry, by the name of their field."""

    calls: Mapping[str, Handler]
    watches: Mapping[str, Watch]


def session_handlers(services: Mapping[ServiceDescriptor, object]) -> SessionHandlers:
    """Return, for each call of a session, the handler of the rpc with the same request type."""
    calls: dict[str, Handler] = {}
    watches: dict[str, Watch] = {}
    fields = {each.message_type: each.name for each in pb.SessionCall.DESCRIPTOR.fields}
    for service, handlers in services.items():
        for method in service.methods:
            if (name := fields.get(method.input_type)) is not None:
                kind: dict[str, Any] = watches if method.server_streaming else calls
                kind[name] = find_handler(handlers, method)
    return SessionHandlers(calls, watches)


class Sessions:
    """All open sessions of this service."""

    def __init__(self, handlers: SessionHandlers, pipeline: CallPipeline) -> None:
        self._handlers = handlers
        self._pipeline = pipeline
        self._open: set[Session] = set()

    def __len__(self) -> int:
        return len(self._open)

    def close(self) -> None:
        """Let each session end when its calls in flight have been answered."""
        for session in self._open:
            session.close()

    async def session(
        self, call: RequestContext, requests: AsyncIterator[pb.SessionRequest]
    ) -> AsyncIterator[bytes]:
        """Run a session, and yield its responses as encoded SessionResponse messages."""
        session = Session(self._handlers, self._pipeline, call)
        self._open.add(session)
        try:
            async with aclosing(session.run(requests)) as responses:
                async for response in responses:
                    yield response
        finally:
            self._open.discard(session)


class Session:
    """One stream of calls."""

    def __init__(
        self, handlers: SessionHandlers, pipeline: CallPipeline, call: RequestContext
    ) -> None:
        self._handlers = handlers
        self._pipeline = pipeline
        self._caller = call
        self._name = secrets.token_hex(8)
        self._tokens: dict[int, str] = {0: call.token}
        self._lanes: dict[str, deque[tuple[str, pb.SessionCall]]] = {}
        """Queues of calls that wait for earlier ones of the same match."""
        self._watches: dict[int, asyncio.Task[bool]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._running_count = 0
        """Number of calls that were read and whose responses were not sent yet."""
        self._ready: list[bytes] = []
        self._answers = 0
        """Number of ready responses that belong to calls and not to watches."""
        self._news = asyncio.Event()
        """Set when something can be sent, or when nothing more will come."""
        self._sent = asyncio.Event()
        """Set, and then replaced, whenever all ready responses have been sent."""
        self._closing = False
        self._has_read_all = False
        self._failure: BaseException | None = None

    async def run(self, requests: AsyncIterator[pb.SessionRequest]) -> AsyncGenerator[bytes, None]:
        """Yield responses until the client has closed its side and all calls are answered.

        Watches end when the client closes its side.
        """
        self._reading = self._start(self._read(requests))
        try:
            while not self._is_over():
                await self._news.wait()
                self._news.clear()
                while self._ready:
                    yield self._take()
            if self._failure is not None:
                raise self._failure
        finally:
            for task in (*self._tasks, *self._watches.values()):
                task.cancel()

    def close(self) -> None:
        """Take no more calls, and end when those in flight are answered."""
        self._closing = True
        self._reading.cancel()
        self._news.set()

    def _is_over(self) -> bool:
        if self._ready or self._running_count or not (self._closing or self._has_read_all):
            return False
        return not self._watches

    def _take(self) -> bytes:
        """Return one message with as many ready responses as fit."""
        size = count = 0
        while count < len(self._ready) and size < MAX_RESPONSE_BYTES:
            size += len(self._ready[count])
            count += 1
        # Concatenated protobuf messages are one message with the repeated elements of
        # all of them.
        response = b"".join(self._ready[:count])
        del self._ready[:count]
        if not self._ready:
            self._running_count -= self._answers
            self._answers = 0
            sent, self._sent = self._sent, asyncio.Event()
            sent.set()
        return response

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # --- what the client asks --------------------------------------------------------------------

    async def _read(self, requests: AsyncIterator[pb.SessionRequest]) -> None:
        try:
            async for request in requests:
                for each in request.calls:
                    while self._running_count >= MAX_CALLS:
                        await self._sent.wait()
                    self._running_count += 1
                    self._dispatch(each)
        except (ApiError, StoreError) as error:  # a request that cannot be read ends the stream
            self._failure = error
        finally:
            self._has_read_all = True
            if not self._closing:  # else watches end on their own, with a cursor
                for watch in self._watches.values():
                    watch.cancel()
            self._news.set()

    def _dispatch(self, call: pb.SessionCall) -> None:
        """Handle a call at once, or queue it behind earlier calls of its match."""
        name = call.WhichOneof("call")
        try:
            self._pipeline.enter()
            match name:
                case None:
                    raise field_invalid("call", "it is empty: name a method")
                case "authenticate":
                    self._authenticate(call.authenticate)
                    self._answer(call.call_id, name, pb.Authenticated())
                case "stop_watching":
                    self._start(self._stop(call))
                case _ if name in self._handlers.watches:
                    self._watch(name, call)
                case _:
                    self._queue(name, call)
        except ApiError as error:
            self._refuse(call.call_id, name or "", error, time.perf_counter())

    def _authenticate(self, given: pb.Authenticate) -> None:
        check_bounds(given)
        if len(given.token) > max_token_length(given.token):
            raise field_invalid("token", f"it must have 1 to {MAX_TOKEN_LENGTH} characters")
        self._tokens[given.token_id] = given.token

    def _call(self, call: pb.SessionCall) -> RequestContext:
        token = self._tokens.get(call.token_id)
        if token is None:
            raise field_invalid(
                "token_id", f"no token with the ID {call.token_id} was sent before in this session"
            )
        seconds = _timeout_seconds(call)
        # Each call is authenticated, since a token or key may be replaced meanwhile.
        return RequestContext(token, seconds, self._caller.frontend_key, peer=self._caller.peer)

    def _queue(self, name: str, call: pb.SessionCall) -> None:
        match_id = getattr(call, name).match_id
        if (lane := self._lanes.get(match_id)) is not None:
            lane.append((name, call))
            return
        self._lanes[match_id] = deque(((name, call),))
        self._start(self._run_lane(match_id))

    async def _run_lane(self, match_id: str) -> None:
        """Handle the queued calls of a match, one after another."""
        lane = self._lanes[match_id]
        while lane:
            await self._handle(*lane.popleft())
        del self._lanes[match_id]

    async def _handle(self, name: str, call: pb.SessionCall) -> None:
        started = time.perf_counter()
        assign_call_id(_rpc_name(name), TRANSPORT, f"{self._name}:{call.call_id}")
        record = self._pipeline.calls.begin(
            _rpc_name(name), TRANSPORT, started, _timeout_seconds(call)
        )
        try:
            caller = self._call(call)
            if caller.seconds_left is not None:
                async with asyncio.timeout(caller.seconds_left):
                    answer = await self._ask(name, caller, call)
            else:
                answer = await self._ask(name, caller, call)
        except TimeoutError:
            self._refuse(call.call_id, name, _deadline_error(call), started)
        except (ApiError, StoreError) as error:
            self._refuse(call.call_id, name, api_error(error), started)
        except asyncio.CancelledError:
            record.mark_canceled()
            raise
        except Exception:  # the outermost layer: nothing else may reach the caller
            self._pipeline.calls.record_failure(_rpc_name(name), TRANSPORT, started)
            self._fail(call.call_id, ApiError(Reason.INTERNAL))
        else:
            self._answer(call.call_id, name, answer)
            self._pipeline.calls.record_answer(_rpc_name(name), TRANSPORT, started)

    async def _ask(self, name: str, caller: RequestContext, call: pb.SessionCall) -> Message:
        async with self._pipeline.admission.permit(
            caller, _rpc_name(name), in_session=True
        ) as let_in:
            known = await self._pipeline.authenticate(let_in)
            return await self._handlers.calls[name](known, getattr(call, name))

    # --- watching --------------------------------------------------------------------------------

    def _watch(self, name: str, call: pb.SessionCall) -> None:
        if call.call_id in self._watches:
            raise field_invalid(
                "call_id", f"{call.call_id} is in use by a watch that has not ended"
            )
        if len(self._watches) >= MAX_WATCHES:
            raise field_invalid("call", f"a session may watch at most {MAX_WATCHES} matches")
        showing = self._show(name, self._call(call), call)
        task = self._watches[call.call_id] = asyncio.create_task(showing)
        task.add_done_callback(lambda done: self._end_watch(call.call_id, done))
        self._running_count -= 1  # watches do not count as calls in flight

    async def _show(self, name: str, caller: RequestContext, call: pb.SessionCall) -> bool:
        """Send the messages of a watch one by one, and return whether it ended well."""
        number, started = call.call_id, time.perf_counter()
        record = self._pipeline.calls.begin(
            _rpc_name(name), TRANSPORT, started, caller.seconds_left, stream=True
        )
        try:
            async with self._pipeline.admission.permit(
                caller, _rpc_name(name), in_session=True
            ) as caller:
                await self._show_to(await self._pipeline.authenticate(caller), name, call)
        except (ApiError, StoreError) as error:
            self._refuse(number, name, api_error(error), started, counts=False)
        except asyncio.CancelledError:
            record.mark_canceled()
            raise
        except Exception:  # as above
            self._pipeline.calls.record_failure(_rpc_name(name), TRANSPORT, started)
            self._fail(number, ApiError(Reason.INTERNAL), counts=False)
        else:
            self._pipeline.calls.record_answer(_rpc_name(name), TRANSPORT, started)
            return True
        return False

    async def _show_to(self, caller: RequestContext, name: str, call: pb.SessionCall) -> None:
        watch = self._handlers.watches[name](caller, getattr(call, name))
        async with aclosing(watch) as shown:
            async for each in shown:
                self._put(call.call_id, name, self._pipeline.shared.get(each), more=True)
                await self._sent.wait()

    def _end_watch(self, number: int, watch: asyncio.Task[bool]) -> None:
        """Send the end of a watch that has finished or was stopped."""
        del self._watches[number]
        if watch.cancelled() or watch.result():
            self._put(number)
        self._news.set()

    async def _stop(self, call: pb.SessionCall) -> None:
        """Stop a watch. The response comes after all messages of the watch."""
        watch = self._watches.get(call.stop_watching.call_id)
        if watch is not None:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch
        self._answer(call.call_id, "stop_watching", pb.WatchStopped())

    # --- what is answered ------------------------------------------------------------------------

    def _answer(self, number: int, name: str, answer: Message) -> None:
        self._answers += 1
        self._put(number, name, answer.SerializeToString())

    def _refuse(
        self, number: int, name: str, error: ApiError, started: float, *, counts: bool = True
    ) -> None:
        self._pipeline.calls.record_refusal(_rpc_name(name), TRANSPORT, error.reason, started)
        self._fail(number, error, counts=counts)

    def _fail(self, number: int, error: ApiError, *, counts: bool = True) -> None:
        self._answers += counts
        self._put(number, "error", rich_status(error).SerializeToString())

    def _put(self, number: int, name: str = "", answer: bytes = b"", *, more: bool = False) -> None:
        """Queue a response of a call: a message in the named field, if there is a name."""
        whole = _CALL_ID + encode_varint(number) if number else b""
        if more:
            whole += _MORE
        if name:
            whole += encode_field(_KEYS[name], answer)
        self._ready.append(encode_field(_RESPONSES, whole))
        self._news.set()


_KEYS: Final = {
    each.name: encode_varint(each.number << 3 | (0 if each.message_type is None else 2))
    for each in (*pb.CallResponse.DESCRIPTOR.fields, *pb.SessionResponse.DESCRIPTOR.fields)
}
"""Encoded key before the value of each field. A length follows for messages."""
_CALL_ID, _RESPONSES = _KEYS["call_id"], _KEYS["responses"]
_MORE: Final = _KEYS["has_more"] + b"\x01"


def _timeout_seconds(call: pb.SessionCall) -> float | None:
    """Return the timeout of a call in seconds, or None without a timeout."""
    return call.timeout.ToNanoseconds() / 1e9 if call.HasField("timeout") else None


def _deadline_error(call: pb.SessionCall) -> ApiError:
    return ApiError(
        Reason.DEADLINE_EXCEEDED,
        f"there was no answer within {_timeout_seconds(call)} s; what was being recorded may be"
        " recorded"
        " all the same: the same request_id tells",
    )


@cache
def _rpc_name(field: str) -> str:
    """Return a field name such as `submit_action` as `SubmitAction`."""
    return field.title().replace("_", "")
