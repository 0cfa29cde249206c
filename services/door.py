"""The gRPC door: binds handlers, which know nothing of gRPC, to `grpc.aio`.

Each proto service has a class of handlers with a coroutine (or, for a stream, an async generator)
for each rpc, named after it in snake_case: `async def submit_action(self, call, request)`. Where
the caller streams, `request` is an async iterator over what comes. The door gives it a `Call`,
turns `ApiError` into `google.rpc.Status`, masks whatever else escapes, and logs one line for each
call.
"""

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, NoReturn, TypeAlias

import grpc
import structlog
from google.protobuf import any_pb2
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status.rpc_status import to_status
from msgspec import Struct

from services.errors import DOMAIN, ApiError, Code, Reason

log = structlog.get_logger(__name__)

RETRY_SECONDS: Final = 1
"""What a caller is told to wait when the service is overloaded."""


class Call(Struct, frozen=True):
    """What a handler may know of a call beside its request."""

    token: str
    """The bearer token; empty if the caller sent none."""
    seconds_left: float | None
    """Until the caller's deadline."""


class Gate:
    """Lets calls in until the service begins to stop."""

    def __init__(self) -> None:
        self.open = True


class Together:
    """The handlers of one proto service that lie in several rooms: each rpc in one of them."""

    def __init__(self, *rooms: object) -> None:
        self._rooms = rooms

    def __getattr__(self, name: str) -> object:
        for room in self._rooms:
            if hasattr(room, name):
                return getattr(room, name)
        raise AttributeError(name)


def bind(
    service: ServiceDescriptor, handlers: object, gate: Gate
) -> tuple[str, dict[str, "Method"]]:
    """A proto service's name, and a gRPC handler for each of its methods that has one.

    For the others gRPC itself answers UNIMPLEMENTED.
    """
    return service.full_name, {
        method.name: _bind_method(method, handler, gate)
        for method in service.methods
        if (handler := getattr(handlers, snake_case(method.name), None)) is not None
    }


def snake_case(name: str) -> str:
    """`SubmitAction` as `submit_action`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


Handler = Callable[[Call, Any], Awaitable[Message]]
StreamHandler = Callable[[Call, Any], AsyncIterator[Message]]
Context = grpc.aio.ServicerContext[Any, Any]
Method: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # generic for the type checker only


def _bind_method(method: MethodDescriptor, handler: Any, gate: Gate) -> "Method":
    codec: dict[str, Any] = {
        "request_deserializer": GetMessageClass(method.input_type).FromString,
        "response_serializer": GetMessageClass(method.output_type).SerializeToString,
    }
    if method.client_streaming:
        if method.server_streaming:
            # The handler gets an asynchronous iterator in place of a request.
            answer = _stream(method.name, handler, gate)
            return grpc.stream_stream_rpc_method_handler(answer, **codec)
        return grpc.stream_unary_rpc_method_handler(_unary(method.name, handler, gate), **codec)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(_stream(method.name, handler, gate), **codec)
    return grpc.unary_unary_rpc_method_handler(_unary(method.name, handler, gate), **codec)


def _unary(name: str, handler: Handler, gate: Gate) -> Any:
    async def answer(request: Message | AsyncIterator[Message], context: Context) -> Message:
        started = time.perf_counter()
        try:
            response = await handler(_call(context, gate), request)
        except ApiError as error:
            await _refuse(context, name, error, started)
        except Exception:  # the outermost layer: nothing else may reach the caller
            await _mask(context, name, started)
        log.debug("call", rpc=name, ms=_ms(started))
        return response

    return answer


def _stream(name: str, handler: StreamHandler, gate: Gate) -> Any:
    async def answer(request: Message, context: Context) -> AsyncIterator[Message]:
        started = time.perf_counter()
        try:
            async for response in handler(_call(context, gate), request):
                yield response
        except ApiError as error:
            await _refuse(context, name, error, started)
        except Exception:  # as above
            await _mask(context, name, started)
        log.debug("call", rpc=name, ms=_ms(started))

    return answer


def _call(context: Context, gate: Gate) -> Call:
    if not gate.open:
        raise ApiError(Reason.SHUTTING_DOWN)
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
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=reason.name, domain=DOMAIN, metadata=error.figures)
    ]
    if error.violations:
        details.append(
            error_details_pb2.BadRequest(
                field_violations=[
                    error_details_pb2.BadRequest.FieldViolation(field=field, description=why)
                    for field, why in error.violations.items()
                ]
            )
        )
    if reason.code is Code.RESOURCE_EXHAUSTED:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.seconds = RETRY_SECONDS
        details.append(retry)
    packed = []
    for detail in details:
        packed.append(any_pb2.Any())
        packed[-1].Pack(detail)
    return status_pb2.Status(
        code=code_pb2.Code.Value(reason.code.value), message=error.message, details=packed
    )


def _ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
