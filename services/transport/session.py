"""`PlayService.Session`: many calls on one stream.

A door of its own: it takes a call out of a message, hands it to the same handler as the other
doors do, and puts the answer, or the error, into a message. What is ready goes out together, since
gRPC takes one write at a time on a stream.

Nothing piles up. A session whose answers are not read, or that has many calls under way, is not
read from; a watch looks for news only when what it showed last has been sent.
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
"""Calls of a session that are under way, or whose answers wait to be sent: more are not read."""
MAX_WATCHES: Final = 4_096
MAX_TOKENS: Final = 4_096
MAX_RESPONSE_BYTES: Final = 1 << 20
"""Bytes of answers that are put into one message, but for the last of them: clients of gRPC take
4 MiB."""

Handler = Callable[[RequestContext, Any], Awaitable[Message]]
Watch = Callable[[RequestContext, Any], AsyncGenerator[Message, None]]


class SessionHandlers(Struct, frozen=True):
    """The calls that a session may carry, by the name of their field."""

    calls: Mapping[str, Handler]
    watches: Mapping[str, Watch]


def session_handlers(services: Mapping[ServiceDescriptor, object]) -> SessionHandlers:
    """Finds, for each call of a session, the handler of the rpc that takes the same request."""
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
    """The sessions that are open."""

    def __init__(self, handlers: SessionHandlers, gate: CallPipeline) -> None:
        self._handlers = handlers
        self._gate = gate
        self._open: set[Session] = set()

    def __len__(self) -> int:
        return len(self._open)

    def close(self) -> None:
        """Let each end when what is under way has been answered."""
        for session in self._open:
            session.close()

    async def session(
        self, call: RequestContext, requests: AsyncIterator[pb.SessionRequest]
    ) -> AsyncIterator[bytes]:
        """What a session answers, as the bytes of a SessionResponse each."""
        session = Session(self._handlers, self._gate, call)
        self._open.add(session)
        try:
            async with aclosing(session.run(requests)) as responses:
                async for response in responses:
                    yield response
        finally:
            self._open.discard(session)


class Session:
    """One stream of calls."""

    def __init__(self, handlers: SessionHandlers, gate: CallPipeline, call: RequestContext) -> None:
        self._handlers = handlers
        self._gate = gate
        self._caller = call
        self._name = secrets.token_hex(8)
        self._tokens: dict[int, str] = {0: call.token}
        self._lanes: dict[str, deque[tuple[str, pb.SessionCall]]] = {}
        """The calls that wait for those before them, by match."""
        self._watches: dict[int, asyncio.Task[bool]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way = 0
        """Calls that were read and whose answers were not sent yet."""
        self._ready: list[bytes] = []
        self._answers = 0
        """How many of what is ready are answers to calls, and not from watches."""
        self._news = asyncio.Event()
        """Set when there is something to send, or nothing more to come."""
        self._sent = asyncio.Event()
        """Set, and replaced, whenever what was ready has been sent."""
        self._closing = False
        self._read_out = False
        self._failure: BaseException | None = None

    async def run(self, requests: AsyncIterator[pb.SessionRequest]) -> AsyncGenerator[bytes, None]:
        """Answer until the client has no more to ask and all is answered, or until it is closed.

        Watches end with what the client has to ask.
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
        """Take no more calls, and end when those under way are answered."""
        self._closing = True
        self._reading.cancel()
        self._news.set()

    def _is_over(self) -> bool:
        if self._ready or self._under_way or not (self._closing or self._read_out):
            return False
        return not self._watches

    def _take(self) -> bytes:
        """A message of what is ready: as many answers as fit."""
        size = count = 0
        while count < len(self._ready) and size < MAX_RESPONSE_BYTES:
            size += len(self._ready[count])
            count += 1
        # Messages of protobuf that are put behind each other are one message, with the elements of
        # both.
        response = b"".join(self._ready[:count])
        del self._ready[:count]
        if not self._ready:
            self._under_way -= self._answers
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
                    while self._under_way >= MAX_CALLS:
                        await self._sent.wait()
                    self._under_way += 1
                    self._begin(each)
        except (ApiError, StoreError) as error:  # what cannot be read ends the stream
            self._failure = error
        finally:
            self._read_out = True
            if not self._closing:  # else the watches end by themselves, and say where to go on
                for watch in self._watches.values():
                    watch.cancel()
            self._news.set()

    def _begin(self, call: pb.SessionCall) -> None:
        """Answer a call at once, or put it behind the others of its match."""
        name = call.WhichOneof("call")
        try:
            self._gate.enter()
            match name:
                case None:
                    raise field_invalid("call", "say what to call")
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
            raise field_invalid("token", f"a token has 1 to {MAX_TOKEN_LENGTH} characters")
        self._tokens[given.token_id] = given.token

    def _call(self, call: pb.SessionCall) -> RequestContext:
        token = self._tokens.get(call.token_id)
        if token is None:
            raise field_invalid("token_id", f"no token was given the ID {call.token_id}")
        seconds = _timeout_seconds(call)
        # Who calls is found out for each call: a token or key may be replaced meanwhile.
        return RequestContext(token, seconds, self._caller.frontend_key, peer=self._caller.peer)

    def _queue(self, name: str, call: pb.SessionCall) -> None:
        match_id = getattr(call, name).match_id
        if (lane := self._lanes.get(match_id)) is not None:
            lane.append((name, call))
            return
        self._lanes[match_id] = deque(((name, call),))
        self._start(self._run_lane(match_id))

    async def _run_lane(self, match_id: str) -> None:
        """Answer the calls of a match, one after another, until none is left."""
        lane = self._lanes[match_id]
        while lane:
            await self._handle(*lane.popleft())
        del self._lanes[match_id]

    async def _handle(self, name: str, call: pb.SessionCall) -> None:
        started = time.perf_counter()
        assign_call_id(_rpc_name(name), TRANSPORT, f"{self._name}:{call.call_id}")
        record = self._gate.calls.begin(_rpc_name(name), TRANSPORT, started, _timeout_seconds(call))
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
            record.give_up()
            raise
        except Exception:  # the outermost layer: nothing else may reach the caller
            self._gate.calls.failed(_rpc_name(name), TRANSPORT, started)
            self._fail(call.call_id, ApiError(Reason.INTERNAL))
        else:
            self._answer(call.call_id, name, answer)
            self._gate.calls.answered(_rpc_name(name), TRANSPORT, started)

    async def _ask(self, name: str, caller: RequestContext, call: pb.SessionCall) -> Message:
        async with self._gate.admission.turn(caller, _rpc_name(name), in_session=True) as let_in:
            known = await self._gate.authenticate(let_in)
            return await self._handlers.calls[name](known, getattr(call, name))

    # --- watching --------------------------------------------------------------------------------

    def _watch(self, name: str, call: pb.SessionCall) -> None:
        if call.call_id in self._watches:
            raise field_invalid("call_id", f"{call.call_id} is that of a watch that has not ended")
        if len(self._watches) >= MAX_WATCHES:
            raise field_invalid("call", f"a session watches {MAX_WATCHES} matches at most")
        showing = self._show(name, self._call(call), call)
        task = self._watches[call.call_id] = asyncio.create_task(showing)
        task.add_done_callback(lambda done: self._ended(call.call_id, done))
        self._under_way -= 1  # a watch is no call that must be answered before more are read

    async def _show(self, name: str, caller: RequestContext, call: pb.SessionCall) -> bool:
        """Send what a watch shows, each when the one before has been sent. Did it end well?"""
        number, started = call.call_id, time.perf_counter()
        record = self._gate.calls.begin(
            _rpc_name(name), TRANSPORT, started, caller.seconds_left, stream=True
        )
        try:
            async with self._gate.admission.turn(
                caller, _rpc_name(name), in_session=True
            ) as caller:
                await self._show_to(await self._gate.authenticate(caller), name, call)
        except (ApiError, StoreError) as error:
            self._refuse(number, name, api_error(error), started, counts=False)
        except asyncio.CancelledError:
            record.give_up()
            raise
        except Exception:  # as above
            self._gate.calls.failed(_rpc_name(name), TRANSPORT, started)
            self._fail(number, ApiError(Reason.INTERNAL), counts=False)
        else:
            self._gate.calls.answered(_rpc_name(name), TRANSPORT, started)
            return True
        return False

    async def _show_to(self, caller: RequestContext, name: str, call: pb.SessionCall) -> None:
        watch = self._handlers.watches[name](caller, getattr(call, name))
        async with aclosing(watch) as shown:
            async for each in shown:
                self._put(call.call_id, name, self._gate.shared.of(each), more=True)
                await self._sent.wait()

    def _ended(self, number: int, watch: asyncio.Task[bool]) -> None:
        """A watch has ended, or was stopped, perhaps before it had begun: say so once."""
        del self._watches[number]
        if watch.cancelled() or watch.result():
            self._put(number)
        self._news.set()

    async def _stop(self, call: pb.SessionCall) -> None:
        """End a watch; the answer comes after all that it showed."""
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
        self._gate.calls.refused(_rpc_name(name), TRANSPORT, error.reason, started)
        self._fail(number, error, counts=counts)

    def _fail(self, number: int, error: ApiError, *, counts: bool = True) -> None:
        self._answers += counts
        self._put(number, "error", rich_status(error).SerializeToString())

    def _put(self, number: int, name: str = "", answer: bytes = b"", *, more: bool = False) -> None:
        """What goes out next of a call: a message in the field of this name, if there is one, and
        whether there is `more` to come."""
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
"""What stands before each field's value: a message has its length next, a number comes at once."""
_CALL_ID, _RESPONSES = _KEYS["call_id"], _KEYS["responses"]
_MORE: Final = _KEYS["has_more"] + b"\x01"


def _timeout_seconds(call: pb.SessionCall) -> float | None:
    """Return how long the caller waits, in seconds; None for as long as it takes."""
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
    """`submit_action` as `SubmitAction`."""
    return field.title().replace("_", "")
