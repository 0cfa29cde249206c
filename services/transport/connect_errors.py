"""Errors of the Connect transport, each with a reason, as on the other transports.

The Connect library refuses some requests itself, without a reason. What it would refuse before it
knows the call is checked here first. What it refuses later is converted by an interceptor.
"""

import re
import time
from base64 import b64encode
from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

import msgspec
from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.json_format import MessageToDict
from protobuf import message_from_json_value
from protobuf.wkt import Any as WireAny
from protobuf.wkt import Struct
from starlette.types import Scope, Send

from services.runtime.errors import ApiError, Reason
from services.transport.pipeline import CallPipeline
from services.transport.statuses import retry_seconds, rich_status

TRANSPORT: Final = "connect"
CODECS: Final = ("json", "proto")
UNARY_TYPES: Final = frozenset(f"application/{codec}" for codec in CODECS)
STREAM_TYPES: Final = frozenset(f"application/connect+{codec}" for codec in CODECS)
GRPC_WEB_TYPES: Final = frozenset(
    {"application/grpc-web", *(f"application/grpc-web+{codec}" for codec in CODECS)}
)
"""Content types that the library accepts besides. It also accepts gRPC, which then fails since this
port has no trailers."""
HEADER_PATTERNS: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "connect-protocol-version": (re.compile("1"), "1"),
    "connect-timeout-ms": (re.compile("[0-9]{0,10}"), "milliseconds, in at most ten digits"),
    "grpc-timeout": (re.compile("[0-9]{1,8}[HMSmun]"), "at most eight digits and a unit"),
}
"""Headers that the library reads, with the values that are valid."""
COMPRESSION_HEADERS: Final = ("content-encoding", "connect-content-encoding", "grpc-encoding")
"""Headers that name the compression of a request: for unary calls, streams and gRPC-Web."""
COMPRESSIONS: Final = ("", "identity", "gzip")
MAX_QUOTED_LENGTH: Final = 100
MAX_FAULT_LENGTH: Final = 300
"""Maximum characters of quoted input, and of the description of an error."""
Context = RequestContext[Any, Any]
Method = MethodInfo[Any, Any]


class ReasonedError(ConnectError):
    """An error of the service in the form of the library."""

    def __init__(self, error: ApiError) -> None:
        status = rich_status(error)
        details = [ReadableDetail(detail) for detail in status.details]
        super().__init__(Code[error.reason.code.value], status.message, details)
        self.headers = _headers(error)


class ReadableDetail(ErrorDetail):
    """An error detail with its JSON as `debug`, for clients without protobuf."""

    def __init__(self, packed: Packed) -> None:
        super().__init__(WireAny(type_url=packed.type_url, value=packed.value))
        self._debug = _debug(packed)

    def value(self, desc_or_registry: Any = None) -> Any:
        """Return the detail as the library writes it into `debug`."""
        del desc_or_registry
        return message_from_json_value(Struct, self._debug)


def _debug(packed: Packed) -> dict[str, Any]:
    shown = MessageToDict(packed)
    del shown["@type"]
    return shown


def _headers(error: ApiError) -> dict[str, str]:
    """Return the headers of an error response: `retry-after` in whole seconds, if a retry helps."""
    seconds = retry_seconds(error)
    return {"retry-after": str(ceil(seconds))} if seconds else {}


def unreadable_message(kind: type[Any], why: str) -> ApiError:
    """Return MESSAGE_MALFORMED for bytes that are not a message of this type."""
    name = kind.DESCRIPTOR.full_name
    return ApiError(
        Reason.MESSAGE_MALFORMED,
        f"the request is not a {name}: {why[:MAX_FAULT_LENGTH]}",
        expected=name,
    )


# --- before the library --------------------------------------------------------------------------


class RequestFault(NamedTuple):
    """A request that is not a valid call, with the HTTP response that it gets."""

    status: HTTPStatus
    error: ApiError
    headers: tuple[tuple[bytes, bytes], ...] = ()

    async def answer(self, send: Send) -> None:
        """Send the error in the format of Connect, with its HTTP status."""
        start = (b"content-type", b"application/json"), *self.headers
        await send({"type": "http.response.start", "status": self.status.value, "headers": start})
        await send({"type": "http.response.body", "body": _error_body(self.error)})


def find_fault(scope: Scope, method: Method | None) -> RequestFault | None:
    """Return what is wrong with the method, headers or query of a request, or None."""
    if method is None:
        return RequestFault(
            HTTPStatus.NOT_FOUND,
            ApiError(
                Reason.METHOD_NOT_FOUND,
                f"there is no {scope['path'][:MAX_QUOTED_LENGTH]!r} on this port; a method has a"
                " path such as"
                " `/emeth.v1.GamesService/ListGames`, and bidirectional streams need gRPC",
            ),
        )
    safe = method.idempotency_level is IdempotencyLevel.NO_SIDE_EFFECTS
    verbs = ("GET", "POST") if safe and method.stream_type is StreamType.UNARY else ("POST",)
    if scope["method"] not in verbs:
        allowed = ", ".join(verbs)
        return RequestFault(
            HTTPStatus.METHOD_NOT_ALLOWED,
            ApiError(
                Reason.HTTP_METHOD_NOT_ALLOWED,
                f"the path takes {allowed}, not {scope['method'][:MAX_QUOTED_LENGTH]}",
                allowed=allowed,
            ),
            ((b"allow", allowed.encode()),),
        )
    try:
        # The library reads the first of repeated headers.
        headers = {name.decode(): value.decode() for name, value in reversed(scope["headers"])}
        query = scope["query_string"].decode()
    except UnicodeDecodeError:
        return _header_fault("a header, or what stands after `?`, is not UTF-8")
    for name, (right, what) in HEADER_PATTERNS.items():
        if (sent := headers.get(name)) is not None and not right.fullmatch(sent):
            return _header_fault(f"{name} is {what}, not {sent[:MAX_QUOTED_LENGTH]!r}", header=name)
    return _content_type_fault(scope["method"], method, headers.get("content-type", ""), query)


def _header_fault(why: str, header: str = "") -> RequestFault:
    return RequestFault(HTTPStatus.BAD_REQUEST, ApiError(Reason.HEADER_INVALID, why, header=header))


def _content_type_fault(
    verb: str, method: Method, content_type: str, query: str
) -> RequestFault | None:
    """Return what is wrong with the encoding or content type of a request, or None."""
    kind = content_type.partition(";")[0].strip().lower()
    if verb == "GET":
        what, value = "the query's `encoding`", parse_qs(query).get("encoding", [""])[0]
        takes = frozenset(CODECS)
        right = value in takes and not kind.startswith("application/grpc")
    else:
        what, value = "`content-type`", content_type
        takes = UNARY_TYPES if method.stream_type is StreamType.UNARY else STREAM_TYPES
        right = kind in takes | GRPC_WEB_TYPES
    if right:
        return None
    why = f"{what} is {' or '.join(sorted(takes))}, not {value[:MAX_QUOTED_LENGTH]!r}"
    if kind == "application/grpc" or kind.startswith("application/grpc+"):
        why += "; gRPC has a port of its own"
    return RequestFault(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        ApiError(Reason.CONTENT_TYPE_UNSUPPORTED, why),
        ((b"accept-post", ", ".join(sorted(UNARY_TYPES | STREAM_TYPES)).encode()),),
    )


def _error_body(error: ApiError) -> bytes:
    status = rich_status(error)
    details = [
        {
            "type": each.type_url.rpartition("/")[2],
            "value": b64encode(each.value).decode().rstrip("="),
            "debug": _debug(each),
        }
        for each in status.details
    ]
    code = error.reason.code.value.lower()
    return msgspec.json.encode({"code": code, "message": status.message, "details": details})


# --- in the library ------------------------------------------------------------------------------


class ReasonInterceptor:
    """An interceptor that converts errors of the library to API errors, and masks internal ones.

    Errors of handlers already have their reason and are counted.
    """

    def __init__(self, pipeline: CallPipeline, largest: int) -> None:
        self._pipeline = pipeline
        self._largest = largest

    async def on_start(self, ctx: Context) -> float:
        """Return the time at which the call started."""
        del ctx
        return time.perf_counter()

    async def on_end(self, started: float, ctx: Context, error: Exception | None, /) -> None:
        """Raise the API error that replaces an error of the call."""
        if error is not None:
            try:
                self._report(started, ctx, error)
            except ReasonedError as told:
                ctx.response_headers.update(told.headers)
                raise
            finally:
                _drop_tracebacks(error)

    def _report(self, started: float, ctx: Context, error: Exception) -> None:
        name = ctx.method.name
        try:
            raise error
        except ConnectError as refused:
            if isinstance(refused, ReasonedError):
                raise
            if refused.code is Code.CANCELED:  # the client has left
                return
            sent = self._api_error(refused, ctx)
            self._pipeline.calls.record_refusal(name, TRANSPORT, sent.reason, started)
        except Exception:  # internal errors must not reach the caller
            sent = ApiError(Reason.INTERNAL)
            self._pipeline.calls.record_failure(name, TRANSPORT, started)
        raise ReasonedError(sent) from None

    def _api_error(self, error: ConnectError, ctx: Context) -> ApiError:
        if error.code is Code.DEADLINE_EXCEEDED:
            return ApiError(Reason.DEADLINE_EXCEEDED)
        if error.code is Code.RESOURCE_EXHAUSTED:
            return ApiError(
                Reason.MESSAGE_TOO_LARGE,
                f"the request has more than {self._largest} bytes, more than any method accepts",
                most=self._largest,
            )
        if error.code is Code.UNIMPLEMENTED and _has_unknown_compression(ctx):
            return ApiError(
                Reason.COMPRESSION_UNSUPPORTED,
                "a request may be compressed only with gzip",
                known="gzip",
            )
        return unreadable_message(ctx.method.input, error.message)


def _drop_tracebacks(error: BaseException) -> None:
    """Drop the frames that an error and its causes refer to.

    The library keeps the error in one of these frames. That cycle would keep the request in memory
    until the garbage collector runs.
    """
    found: BaseException | None = error
    while found is not None:
        found.__traceback__ = None
        found = found.__cause__ or found.__context__


def _has_unknown_compression(ctx: Context) -> bool:
    """Return whether a request has an unknown compression. A GET names it in its query."""
    named = (ctx.request_headers.get(name) or "" for name in COMPRESSION_HEADERS)
    return ctx.http_method == "GET" or any(name not in COMPRESSIONS for name in named)
