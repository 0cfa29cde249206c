"""The Connect transport: the API for browsers and curl, with the same handlers as gRPC.

It has unary calls, server streams and, for imports, client streams, as JSON or binary. Calls
without side effects may be GET requests. Bidirectional streams need HTTP/2 end to end, which
browsers do not offer: gateways use gRPC.
"""

import asyncio
import gzip
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, cast

from connectrpc.compression.gzip import GzipCompression
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.json_format import Parse, ParseError
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from starlette.types import Receive, Scope, Send

from services.accounts.context import RequestContext, host_without_port
from services.api.store_errors import api_error
from services.api.topics import TopicMessage
from services.runtime.errors import ApiError, Reason
from services.store.errors import StoreError
from services.transport.call_log import REQUEST_ID_HEADER, assign_call_id
from services.transport.connect_errors import (
    TRANSPORT,
    Context,
    ReasonedError,
    ReasonInterceptor,
    find_fault,
    unreadable_message,
)
from services.transport.event_streams import compression_group
from services.transport.pipeline import (
    FORWARDED_HEADER,
    FRONTEND_HEADER,
    MAX_REQUEST_BYTES_BY_METHOD,
    TRACE_HEADER,
    CallPipeline,
    bearer_token,
    check_size,
    find_handler,
    frontend_key,
    max_request_bytes,
)
from services.transport.shared_bytes import EncodedMessageCache, to_json

MESSAGES_BETWEEN_YIELDS: Final = 8
"""Number of messages of a stream that are sent before other tasks run."""


class DeterministicGzip(GzipCompression):
    """Gzip without a timestamp, so that equal responses have equal bytes and ETags."""

    def compress(self, data: bytes | bytearray | memoryview) -> bytes:
        """Compress a message without a timestamp."""
        return gzip.compress(data, compresslevel=self._level, mtime=0)


class ConnectApplication(ConnectASGIApplication[Mapping[str, Any]]):
    """An ASGI application with an endpoint for each method except bidirectional streams."""

    def __init__(
        self, services: Mapping[ServiceDescriptor, object], pipeline: CallPipeline
    ) -> None:
        endpoints = {
            f"/{service.full_name}/{method.name}": _endpoint(method, handler, pipeline)
            for service, handlers in services.items()
            for method in service.methods
            if (handler := find_handler(handlers, method)) is not None
            and not (method.client_streaming and method.server_streaming)
        }
        limits = {
            GetMessageClass(method.input_type): max_request_bytes(method)
            for service in services
            for method in service.methods
        }
        self._methods = {path: endpoint.method for path, endpoint in endpoints.items()}
        max_bytes = max(MAX_REQUEST_BYTES_BY_METHOD.values())
        super().__init__(
            service=endpoints,
            endpoints=lambda found: found,
            codecs=(
                BinaryCodec(limits, pipeline.shared),
                JsonCodec(limits, EncodedMessageCache(to_json)),
            ),
            interceptors=(ReasonInterceptor(pipeline, max_bytes),),
            compressions=(DeterministicGzip(),),
            read_max_bytes=max_bytes,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request, or refuse it if it is not a valid call."""
        if (wrong := find_fault(scope, self._methods.get(scope["path"]))) is not None:
            await wrong.answer(send)
            return
        await super().__call__(cast(Any, scope), cast(Any, receive), cast(Any, send))

    @property
    def path(self) -> str:
        """Return the path at which the application is mounted."""
        return "/"

    def has_rpc(self, path: str) -> bool:
        """Return whether this is the path of a method."""
        return path in self._methods


# --- what is sent and received -------------------------------------------------------------------


class _Codec:
    """Decodes requests within their size limits, and encodes shared responses only once."""

    def __init__(self, limits: Mapping[type[Message], int], bytes_of: EncodedMessageCache) -> None:
        self._limits = limits
        self._bytes_of = bytes_of

    def encode(self, message: Message) -> bytes:
        return self._bytes_of.get(message)

    def _check(self, data: bytes | bytearray, kind: type[Any]) -> None:
        try:
            check_size(len(data), self._limits[kind])
        except ApiError as error:
            raise ReasonedError(error) from None


class BinaryCodec(_Codec):
    """Messages in the binary protobuf format."""

    def name(self) -> str:
        """Return the name of the codec in content types."""
        return "proto"

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Parse a request of this type."""
        self._check(data, message_class)
        try:
            return message_class.FromString(bytes(data))
        except DecodeError:
            why = "it is cut off, garbled, or nested too deep"
            raise ReasonedError(unreadable_message(message_class, why)) from None


class JsonCodec(_Codec):
    """Messages in the JSON format of protobuf."""

    def name(self) -> str:
        """Return the name of the codec in content types."""
        return "json"

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Parse a request of this type."""
        self._check(data, message_class)
        text = bytes(data).strip() or b"{}"
        if not text.startswith(b"{"):
            raise ReasonedError(unreadable_message(message_class, "it is not a JSON object"))
        # An unknown field is a typing error, or meant for a later version: it is not ignored.
        try:
            return Parse(text, message_class())
        except (ParseError, UnicodeDecodeError, RecursionError) as error:
            raise ReasonedError(unreadable_message(message_class, str(error))) from None


# --- endpoints -----------------------------------------------------------------------------------


def _endpoint(method: MethodDescriptor, handler: Any, pipeline: CallPipeline) -> Any:
    info: MethodInfo[Any, Any] = MethodInfo(
        name=method.name,
        service_name=method.containing_service.full_name,
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=_idempotency(method),
        stream_type=_stream_type(method),
    )
    call = _Endpoint(method.name, handler, pipeline)
    if method.server_streaming:
        return Endpoint.server_stream(info, call.stream)
    if method.client_streaming:
        return Endpoint.client_stream(info, call.unary)
    return Endpoint.unary(info, call.unary)


def _idempotency(method: MethodDescriptor) -> IdempotencyLevel:
    options: Any = method.GetOptions()
    safe = options.idempotency_level == options.NO_SIDE_EFFECTS
    return IdempotencyLevel.NO_SIDE_EFFECTS if safe else IdempotencyLevel.UNKNOWN


def _stream_type(method: MethodDescriptor) -> StreamType:
    if method.server_streaming:
        return StreamType.SERVER_STREAM
    return StreamType.CLIENT_STREAM if method.client_streaming else StreamType.UNARY


class _Endpoint:
    """One method: calls its handler through the pipeline, and masks internal errors."""

    def __init__(self, name: str, handler: Any, pipeline: CallPipeline) -> None:
        self._name = name
        self._handler = handler
        self._pipeline = pipeline

    async def unary(self, request: Any, context: Context) -> Any:
        """Respond to a unary or client-streaming call."""
        started = time.perf_counter()
        record = self._pipeline.calls.begin(self._name, TRANSPORT, started, _seconds_left(context))
        try:
            self._pipeline.enter()
            call = _call(context, self._pipeline, self._name)
            with self._pipeline.in_flight.working:
                async with self._pipeline.admission.permit(call, self._name) as call:
                    response = await self._handler(await self._pipeline.authenticate(call), request)
            self._pipeline.admission.remember_issued(response)
        except (ApiError, StoreError, ConnectError) as error:
            raise self._connect_error(error, started) from None
        except asyncio.CancelledError:
            record.mark_canceled()
            raise
        except Exception:  # the outermost layer: nothing else may reach the caller
            raise self._internal_error(started) from None
        self._pipeline.calls.record_answer(self._name, TRANSPORT, started)
        return response

    async def stream(self, request: Any, context: Context) -> AsyncIterator[Any]:
        """Respond to a server-streaming call."""
        started = time.perf_counter()
        left = _seconds_left(context)
        record = self._pipeline.calls.begin(self._name, TRANSPORT, started, left, stream=True)
        try:
            self._pipeline.enter()
            call = _call(context, self._pipeline, self._name)
            with self._pipeline.in_flight.working:
                permit = self._pipeline.admission.permit(call, self._name, stream=True)
                async with permit as call:
                    handled = self._handler(await self._pipeline.authenticate(call), request)
                    number = 0
                    async for response in handled:
                        number += 1
                        permit.stream_opened()
                        if isinstance(response, TopicMessage):
                            compression_group.set(response.compression)
                        with self._pipeline.in_flight.waiting:
                            yield response
                            # Sending suspends only for slow clients, so a long page would otherwise
                            # delay all other calls, even after its client has left.
                            if not number % MESSAGES_BETWEEN_YIELDS:
                                await asyncio.sleep(0)
        except (ApiError, StoreError, ConnectError) as error:
            raise self._connect_error(error, started) from None
        except (asyncio.CancelledError, GeneratorExit):
            record.mark_canceled()
            raise
        except Exception:  # as above
            raise self._internal_error(started) from None
        self._pipeline.calls.record_answer(self._name, TRANSPORT, started)

    def _connect_error(
        self, error: ApiError | StoreError | ConnectError, started: float
    ) -> ConnectError:
        if isinstance(error, ConnectError):  # a message of the caller's stream
            return error
        sent = api_error(error)
        self._pipeline.calls.record_refusal(self._name, TRANSPORT, sent.reason, started)
        return ReasonedError(sent)

    def _internal_error(self, started: float) -> ConnectError:
        self._pipeline.calls.record_failure(self._name, TRANSPORT, started)
        return ReasonedError(ApiError(Reason.INTERNAL))


def _call(context: Context, pipeline: CallPipeline, rpc: str) -> RequestContext:
    headers = context.request_headers
    context.response_headers[REQUEST_ID_HEADER] = assign_call_id(
        rpc, TRANSPORT, headers.get(REQUEST_ID_HEADER) or ""
    )
    token = bearer_token(context.request_headers.get("authorization"))
    key = frontend_key(context.request_headers.get(FRONTEND_HEADER))
    peer = pipeline.peer(
        host_without_port(context.client_address), headers.getall(FORWARDED_HEADER)
    )
    return RequestContext(
        token, _seconds_left(context), key, peer=peer, trace=headers.get(TRACE_HEADER) or ""
    )


def _seconds_left(context: Context) -> float | None:
    """Return the seconds to the caller's deadline, or None without a deadline."""
    return None if context.timeout_ms is None else context.timeout_ms / 1000
