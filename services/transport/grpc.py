"""The gRPC transport: binds handlers, which do not depend on gRPC, to `grpc.aio`.

Each proto service has a class of handlers with one coroutine, or for a stream an async generator,
for each rpc, named in snake_case: `async def submit_action(self, call, request)`. Where the client
streams, `request` is an async iterator. The transport passes a `RequestContext`, converts
`ApiError` to `google.rpc.Status`, masks all other exceptions and logs one line for each call.

Requests are parsed here and not by gRPC. gRPC itself refuses malformed or large requests with codes
and texts that no client can use, and leaves a call without a request unanswered. So for gRPC every
call is a client stream.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status.rpc_status import to_status

from services.accounts.context import Certificate, RequestContext, host_without_port
from services.api.store_errors import api_error
from services.runtime.errors import ApiError, Reason
from services.store.errors import StoreError
from services.transport.call_log import REQUEST_ID_HEADER, assign_call_id, current_call_id
from services.transport.pipeline import (
    FORWARDED_HEADER,
    FRONTEND_HEADER,
    TRACE_HEADER,
    CallPipeline,
    bearer_token,
    check_size,
    find_handler,
    frontend_key,
    max_request_bytes,
)
from services.transport.statuses import rich_status
from services.wire.emeth.v1 import play_service_pb2

TRANSPORT: Final = "grpc"
REQUEST_SECONDS: Final = 30.0
"""Time in which a caller must send the request of a unary call."""
LINGER_SECONDS: Final = 1.0
"""Time for which a client stream is still read after the call was refused."""
UNKNOWN_RPC: Final = "unknown"
"""Name under which calls of unknown methods are counted. Their own names could be without
number."""
MAX_PATH_LENGTH: Final = 100
"""Maximum characters of such a name in an error."""
GZIP_MAGIC: Final = b"\x1f\x8b"
"""Magic number of gzip. No protobuf message begins so, since its wire type does not exist."""


SUBSCRIBE: Final = "emeth.v1.ViewsService.Subscribe"
"""The rpc whose messages are assembled from shared parts."""
HEADERS: Final = frozenset(
    {"authorization", FRONTEND_HEADER, FORWARDED_HEADER, REQUEST_ID_HEADER, TRACE_HEADER}
)
"""Metadata of a call that is read."""

Context = grpc.aio.ServicerContext[Any, Any]


class RequestReader:
    """Reads and parses the requests of one rpc."""

    def __init__(self, method: MethodDescriptor) -> None:
        self._kind = GetMessageClass(method.input_type)
        self._largest = max_request_bytes(method)

    def read(self, raw: bytes) -> Message:
        """Parse a request.

        Raises:
            ApiError: MESSAGE_TOO_LARGE, COMPRESSION_UNSUPPORTED or MESSAGE_MALFORMED.
        """
        check_size(len(raw), self._largest)
        if raw.startswith(GZIP_MAGIC):
            raise ApiError(
                Reason.COMPRESSION_UNSUPPORTED,
                "compressed gRPC requests are not supported: send the request with the encoding"
                " `identity`",
                known="identity",
            )
        try:
            return self._kind.FromString(raw)
        except DecodeError:
            name = self._kind.DESCRIPTOR.full_name
            raise ApiError(
                Reason.MESSAGE_MALFORMED,
                f"the {len(raw)} bytes are not a {name}: they are cut off, garbled or compressed,"
                " have a text that is not UTF-8 (cut inside a letter?), or are nested too deep",
                expected=name,
                bytes=len(raw),
            ) from None

    async def one(self, context: Context) -> Message:
        """Read the request of a unary call. Raise MESSAGE_MALFORMED if none arrives in time."""
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                raw = await context.read()
        except TimeoutError:
            why = f"no request came within {REQUEST_SECONDS:g} s"
            raise ApiError(Reason.MESSAGE_MALFORMED, why) from None
        if raw is grpc.aio.EOF:
            raise ApiError(Reason.MESSAGE_MALFORMED, "the call ended before it sent a request")
        return self.read(raw)

    async def each(self, context: Context) -> AsyncIterator[Message]:
        """Yield each request of a client stream."""
        while (raw := await context.read()) is not grpc.aio.EOF:
            yield self.read(raw)


def bind_session(
    answer: "StreamHandler[bytes]", pipeline: CallPipeline
) -> tuple[str, dict[str, "Method"]]:
    """Return the gRPC handler of PlayService.Session, whose responses are already bytes."""
    service = play_service_pb2.DESCRIPTOR.services_by_name["PlayService"]
    reader = RequestReader(service.methods_by_name["Session"])

    async def ask(context: Context) -> Any:
        return reader.each(context)

    stream = _stream("Session", answer, pipeline, ask, bytes)
    method: Method = grpc.stream_stream_rpc_method_handler(stream)
    return service.full_name, {"Session": method}


def bind(
    service: ServiceDescriptor, handlers: object, pipeline: CallPipeline
) -> tuple[str, dict[str, "Method"]]:
    """Return the name of a proto service, and gRPC handlers for its methods that have one.

    `UnknownMethods` answers the others.
    """
    return service.full_name, {
        method.name: _bind_method(method, handler, pipeline)
        for method in service.methods
        if (handler := find_handler(handlers, method)) is not None
    }


class UnknownMethods(grpc.GenericRpcHandler):
    """Refuses calls of unknown methods with a reason, and within the rate limits."""

    def __init__(self, pipeline: CallPipeline) -> None:
        self._pipeline = pipeline

    def service(self, handler_call_details: Any) -> "Method":
        """Return a handler that refuses the call with METHOD_NOT_FOUND."""
        path = str(handler_call_details.method)

        async def ask(context: Context) -> None:
            """Read nothing: the call is refused whatever it sends."""

        async def refuse(call: RequestContext, request: Any) -> NoReturn:
            raise ApiError(
                Reason.METHOD_NOT_FOUND,
                f"there is no method {path[:MAX_PATH_LENGTH]!r}; server reflection lists the"
                " methods",
            )

        method: Method = grpc.stream_unary_rpc_method_handler(
            _unary(UNKNOWN_RPC, refuse, self._pipeline, ask)
        )
        return method


ReadRequest = Callable[[Context], Awaitable[Any]]
Handler = Callable[[RequestContext, Any], Awaitable[Message]]
ResponseT = TypeVar("ResponseT", bound=Message | bytes)
StreamHandler = Callable[[RequestContext, Any], AsyncIterator[ResponseT]]
Method: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"  # generic for the type checker only


def _bind_method(method: MethodDescriptor, handler: Any, pipeline: CallPipeline) -> "Method":
    reader = RequestReader(method)
    written: Any = GetMessageClass(method.output_type).SerializeToString
    if method.full_name == SUBSCRIBE:
        written = pipeline.shared.get

    async def ask(context: Context) -> Any:
        """Return the request, or an async iterator over the requests of a client stream."""
        if method.client_streaming:
            return reader.each(context)
        with pipeline.in_flight.waiting:
            return await reader.one(context)

    if method.server_streaming:
        return grpc.stream_stream_rpc_method_handler(
            _stream(method.name, handler, pipeline, ask, written)
        )
    answer = _unary(method.name, handler, pipeline, ask)
    return grpc.stream_unary_rpc_method_handler(answer, response_serializer=written)


def _unary(name: str, handler: Handler, pipeline: CallPipeline, ask: ReadRequest) -> Any:
    async def answer(_: object, context: Context) -> Message:
        started, request = time.perf_counter(), None
        record = pipeline.calls.begin(name, TRANSPORT, started, context.time_remaining())
        try:
            pipeline.enter()
            permit = pipeline.admission.permit(_call(context, pipeline, name), name, later=True)
            with pipeline.in_flight.working:
                async with permit as call:
                    request = await ask(context)
                    await permit.acquire()  # only now, so that slow requests hold no slot
                    response = await handler(await pipeline.authenticate(call), request)
            pipeline.admission.remember_issued(response)
        except (ApiError, StoreError) as error:
            if isinstance(request, AsyncIterator):
                await _drain_requests(context)
            await _refuse(context, pipeline, name, api_error(error), started)
        except asyncio.CancelledError:
            record.mark_canceled()
            raise
        except Exception:  # the outermost layer: nothing else may reach the caller
            await _mask(context, pipeline, name, started)
        pipeline.calls.record_answer(name, TRANSPORT, started)
        return response

    return answer


def _stream(
    name: str,
    handler: StreamHandler[Any],
    pipeline: CallPipeline,
    ask: ReadRequest,
    write: Callable[[Any], bytes],
) -> Any:
    async def answer(_: object, context: Context) -> AsyncIterator[bytes]:
        started = time.perf_counter()
        record = pipeline.calls.begin(
            name, TRANSPORT, started, context.time_remaining(), stream=True
        )
        try:
            pipeline.enter()
            permit = pipeline.admission.permit(_call(context, pipeline, name), name, stream=True)
            with pipeline.in_flight.working:
                async with permit as call:
                    call = await pipeline.authenticate(call)
                    async for response in handler(call, await ask(context)):
                        # As bytes: gRPC holds on to what it sent until the next one comes.
                        response = write(response)
                        permit.stream_opened()
                        with pipeline.in_flight.waiting:
                            yield response
        except (ApiError, StoreError) as error:
            await _refuse(context, pipeline, name, api_error(error), started)
        except (asyncio.CancelledError, GeneratorExit):
            record.mark_canceled()
            raise
        except Exception:  # as above
            await _mask(context, pipeline, name, started)
        pipeline.calls.record_answer(name, TRANSPORT, started)

    return answer


async def _drain_requests(context: Context) -> None:
    """Read the rest of a client stream for a while.

    Some clients report a broken connection if a call ends while they write, and never read its
    error.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while await context.read() is not grpc.aio.EOF:
                pass


def _call(context: Context, pipeline: CallPipeline, rpc: str) -> RequestContext:
    sent = {
        key: text.decode("ascii", "replace") if isinstance(text, bytes) else text
        for key, text in context.invocation_metadata() or ()
        if key in HEADERS
    }
    call_name = assign_call_id(rpc, TRANSPORT, sent.get(REQUEST_ID_HEADER, ""))
    context.set_trailing_metadata(((REQUEST_ID_HEADER, call_name),))
    return RequestContext(
        bearer_token(sent.get("authorization")),
        context.time_remaining(),
        frontend_key(sent.get(FRONTEND_HEADER)),
        certificate=_certificate(context) if pipeline.requires_certificates else None,
        trace=sent.get(TRACE_HEADER, ""),
        # gRPC passes on only the last of repeated headers: that of the nearest proxy.
        peer=pipeline.peer(
            host_without_port(context.peer().partition(":")[2]), [sent.get(FORWARDED_HEADER, "")]
        ),
    )


def _certificate(context: Context) -> Certificate | None:
    """Return the client certificate of a caller that uses mutual TLS."""
    properties = context.auth_context()
    name = next(iter(properties.get("x509_common_name", ())), None)
    shown = next(iter(properties.get("x509_pem_cert", ())), None)
    if name is None or shown is None:
        return None
    der = ssl.PEM_cert_to_DER_cert(shown.decode("ascii"))
    return Certificate(name.decode("utf-8", "replace"), sha256(der).hexdigest())


async def _refuse(
    context: Context, pipeline: CallPipeline, name: str, error: ApiError, started: float
) -> NoReturn:
    pipeline.calls.record_refusal(name, TRANSPORT, error.reason, started)
    await _abort(context, error)


async def _mask(context: Context, pipeline: CallPipeline, name: str, started: float) -> NoReturn:
    pipeline.calls.record_failure(name, TRANSPORT, started)
    await _abort(context, ApiError(Reason.INTERNAL))


async def _abort(context: Context, error: ApiError) -> NoReturn:
    status = to_status(rich_status(error))
    metadata = (*(status.trailing_metadata or ()), (REQUEST_ID_HEADER, current_call_id()))
    await context.abort(status.code, status.details or "", metadata)
