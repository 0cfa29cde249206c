"""The gRPC door: binds handlers, which know nothing of gRPC, to `grpc.aio`.

Each proto service has a class of handlers with a coroutine (or, for a stream, an async generator)
for each rpc, named after it in snake_case: `async def submit_action(self, call, request)`. Where
the caller streams, `request` is an async iterator over what comes. The door gives it a `Call`,
turns `ApiError` into `google.rpc.Status`, masks whatever else escapes, and logs one line for each
call.

Requests are read here too, and not by gRPC: what it cannot read, or finds too large, it would
answer by itself, with a code and a text that no client can make anything of. And it would leave a
call without any request unanswered. So to gRPC, every caller streams.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, Final, NoReturn, TypeAlias

import grpc
import structlog
from google.protobuf import any_pb2
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status.rpc_status import to_status

from services.callers import Call
from services.errors import DOMAIN, ApiError, Reason, api_error
from services.store.errors import StoreError

log = structlog.get_logger(__name__)

RETRY_SECONDS: Final[Mapping[Reason, float]] = {
    Reason.MATCH_BUSY: 1,
    Reason.LOG_OVERLOADED: 1,
    Reason.SHUTTING_DOWN: 0.5,
}
"""What a caller is told to wait before the same call is made again."""
LARGER: Final[Mapping[str, int]] = {
    "emeth.v1.HistoryService.ImportTranscript": 4_200_000,
    "emeth.v1.AuditService.GiveVerdict": 1_700_000,
    "emeth.v1.GatewaysService.SetTapMap": 2_600_000,
}
"""Bytes of requests for which the proto files promise more than others have: 1,048,576 characters,
a hundred facts of 4000 characters, 5000 codes of 100. Each character may take four bytes."""
LONGEST_WHY: Final = 800
LONGEST_FIGURE: Final = 200
MOST_VIOLATIONS: Final = 3
"""Bytes of a text in an error, and of a name or number, and fields that it tells of. An error goes
in headers, of which clients take 8 KiB, and what was sent may be repeated in it."""
LINGER_SECONDS: Final = 1.0
"""How long a refused caller may go on to stream."""
LARGEST_RECEIVED: Final = 64 << 20
"""Bytes of a message that is received at all, if only to say that it is too large."""


class Gate:
    """Lets calls in until the service begins to stop, and counts those that it sends away."""

    def __init__(self) -> None:
        self.open = True
        self.sent_away = 0
        self._latest = float("-inf")

    @property
    def idle_seconds(self) -> float:
        """Since a call came last; without end if none ever did."""
        return time.monotonic() - self._latest

    def enter(self) -> None:
        """SHUTTING_DOWN once it is closed."""
        self._latest = time.monotonic()
        if not self.open:
            self.sent_away += 1
            raise ApiError(
                Reason.SHUTTING_DOWN,
                "the service is about to stop, and has not begun with this call: make it again in a"
                " moment, with the same request_id if it has one",
            )


Context = grpc.aio.ServicerContext[Any, Any]


class Reader:
    """Reads the requests of one rpc."""

    def __init__(self, method: MethodDescriptor, largest: int) -> None:
        self._kind = GetMessageClass(method.input_type)
        self._largest = max(largest, LARGER.get(method.full_name, 0))

    def read(self, raw: bytes) -> Message:
        """A request from its bytes. MESSAGE_TOO_LARGE, or MESSAGE_UNREADABLE."""
        if len(raw) > self._largest:
            raise ApiError(
                Reason.MESSAGE_TOO_LARGE,
                f"the request has {len(raw)} bytes; this call takes {self._largest} at most",
                bytes=len(raw),
                most=self._largest,
            )
        try:
            return self._kind.FromString(raw)
        except DecodeError:
            name = self._kind.DESCRIPTOR.full_name
            raise ApiError(
                Reason.MESSAGE_UNREADABLE,
                f"the {len(raw)} bytes are not a {name}: they are cut off or garbled, have a text"
                " that is not UTF-8 (cut inside a letter?), or are nested too deep",
                expected=name,
                bytes=len(raw),
            ) from None

    async def one(self, context: Context) -> Message:
        """The one request of a call."""
        raw = await context.read()
        if raw is grpc.aio.EOF:
            raise ApiError(Reason.MESSAGE_UNREADABLE, "the call ended before it had a request")
        return self.read(raw)

    async def each(self, context: Context) -> AsyncIterator[Message]:
        """Each request of a call whose caller streams."""
        while (raw := await context.read()) is not grpc.aio.EOF:
            yield self.read(raw)


def bind(
    service: ServiceDescriptor, handlers: object, gate: Gate, largest: int
) -> tuple[str, dict[str, "Method"]]:
    """A proto service's name, and a gRPC handler for each of its methods that has one.

    For the others gRPC itself answers UNIMPLEMENTED. A request may have `largest` bytes.
    """
    return service.full_name, {
        method.name: _bind_method(method, handler, gate, largest)
        for method in service.methods
        if (handler := getattr(handlers, snake_case(method.name), None)) is not None
    }


def snake_case(name: str) -> str:
    """`SubmitAction` as `submit_action`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


Ask = Callable[[Context], Awaitable[Any]]
Handler = Callable[[Call, Any], Awaitable[Message]]
StreamHandler = Callable[[Call, Any], AsyncIterator[Message]]
Method: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # generic for the type checker only


def _bind_method(method: MethodDescriptor, handler: Any, gate: Gate, largest: int) -> "Method":
    reader = Reader(method, largest)
    written = GetMessageClass(method.output_type).SerializeToString

    async def ask(context: Context) -> Any:
        """The request; where the caller streams, an asynchronous iterator over what comes."""
        return reader.each(context) if method.client_streaming else await reader.one(context)

    if method.server_streaming:
        answer = _stream(method.name, handler, gate, ask)
        return grpc.stream_stream_rpc_method_handler(answer, response_serializer=written)
    answer = _unary(method.name, handler, gate, ask)
    return grpc.stream_unary_rpc_method_handler(answer, response_serializer=written)


def _unary(name: str, handler: Handler, gate: Gate, ask: Ask) -> Any:
    async def answer(_: object, context: Context) -> Message:
        started, request = time.perf_counter(), None
        try:
            gate.enter()
            request = await ask(context)
            response = await handler(_call(context), request)
        except (ApiError, StoreError) as error:
            if isinstance(request, AsyncIterator):
                await _read_out(context)
            await _refuse(context, name, api_error(error), started)
        except Exception:  # the outermost layer: nothing else may reach the caller
            await _mask(context, name, started)
        log.debug("call", rpc=name, ms=_ms(started))
        return response

    return answer


def _stream(name: str, handler: StreamHandler, gate: Gate, ask: Ask) -> Any:
    async def answer(_: object, context: Context) -> AsyncIterator[Message]:
        started = time.perf_counter()
        try:
            gate.enter()
            async for response in handler(_call(context), await ask(context)):
                yield response
        except (ApiError, StoreError) as error:
            await _refuse(context, name, api_error(error), started)
        except Exception:  # as above
            await _mask(context, name, started)
        log.debug("call", rpc=name, ms=_ms(started))

    return answer


async def _read_out(context: Context) -> None:
    """Read what the caller still sends: some clients take a call that is ended while they write for
    broken, and never look why it was."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while await context.read() is not grpc.aio.EOF:
                pass


def _call(context: Context) -> Call:
    token = ""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            text = value if isinstance(value, str) else value.decode("ascii", "replace")
            scheme, _, token = text.partition(" ")
            if scheme.lower() != "bearer" or not token or len(token) > 256:
                raise ApiError(
                    Reason.TOKEN_MISSING, "the metadata `authorization` is `Bearer` and a token"
                )
    return Call(token, context.time_remaining())


async def _refuse(context: Context, name: str, error: ApiError, started: float) -> NoReturn:
    log.info("call refused", rpc=name, reason=error.reason.name, ms=_ms(started))
    status = to_status(rich_status(error))
    await context.abort(status.code, status.details or "", status.trailing_metadata or ())


async def _mask(context: Context, name: str, started: float) -> NoReturn:
    log.exception("call failed", rpc=name, ms=_ms(started))
    status = to_status(rich_status(ApiError(Reason.INTERNAL)))
    await context.abort(status.code, status.details or "", status.trailing_metadata or ())


def rich_status(error: ApiError) -> status_pb2.Status:
    """The error as `google.rpc.Status`, with ErrorInfo and what else fits."""
    reason = error.reason
    figures = {name: _short(value, LONGEST_FIGURE) for name, value in error.figures.items()}
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=reason.name, domain=DOMAIN, metadata=figures)
    ]
    if error.violations:
        details.append(
            error_details_pb2.BadRequest(
                field_violations=[
                    error_details_pb2.BadRequest.FieldViolation(
                        field=_short(field, LONGEST_FIGURE), description=_short(why, LONGEST_WHY)
                    )
                    for field, why in islice(error.violations.items(), MOST_VIOLATIONS)
                ]
            )
        )
    if reason in RETRY_SECONDS:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromNanoseconds(int(RETRY_SECONDS[reason] * 1_000_000_000))
        details.append(retry)
    packed = []
    for detail in details:
        packed.append(any_pb2.Any())
        packed[-1].Pack(detail)
    return status_pb2.Status(
        code=code_pb2.Code.Value(reason.code.value),
        message=_short(error.message, LONGEST_WHY),
        details=packed,
    )


def _short(text: str, most: int) -> str:
    """A text for an error, of so many bytes at most."""
    raw = text.encode(errors="replace")
    return text if len(raw) <= most else raw[: most - 3].decode(errors="ignore") + "..."


def _ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
