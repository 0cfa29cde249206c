"""A channel for the generated stubs that goes by the Connect door: the same client, another way."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc
from connectrpc.client import ConnectClient
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from google.protobuf import descriptor_pool
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, status_pb2
from grpc_status.rpc_status import to_status

Metadata = Iterable[tuple[str, str]] | None


class ConnectChannel:
    """Makes the calls that a `grpc.aio` channel makes for stubs; `json` or binary."""

    def __init__(self, address: str, *, json: bool = False) -> None:
        codec = google_protobuf_json_codec() if json else google_protobuf_binary_codec()
        self._client = ConnectClient(address, codec=codec)

    async def close(self) -> None:
        await self._client.close()

    def unary_unary(self, path: str, **_: Any) -> Callable[..., Any]:
        method = _method(path, StreamType.UNARY)

        async def call(
            request: Any,
            *,
            timeout: float | None = None,  # noqa: ASYNC109  # as gRPC's stubs take it
            metadata: Metadata = None,
        ) -> Any:
            with _grpc_errors():
                return await self._client.execute_unary(
                    request=request,
                    method=method,
                    headers=dict(metadata or ()),
                    timeout_ms=None if timeout is None else max(1, int(timeout * 1000)),
                )

        return call

    def stream_unary(self, path: str, **_: Any) -> Callable[..., Any]:
        method = _method(path, StreamType.CLIENT_STREAM)

        async def call(requests: Any, *, metadata: Metadata = None) -> Any:
            with _grpc_errors():
                return await self._client.execute_client_stream(
                    request=requests, method=method, headers=dict(metadata or ())
                )

        return call

    def unary_stream(self, path: str, **_: Any) -> Callable[..., Any]:
        method = _method(path, StreamType.SERVER_STREAM)

        def call(request: Any, *, metadata: Metadata = None) -> "_Stream":
            return _Stream(
                self._client.execute_server_stream(
                    request=request, method=method, headers=dict(metadata or ())
                )
            )

        return call

    def stream_stream(self, path: str, **_: Any) -> Callable[..., Any]:
        """Streams both ways are for gRPC alone."""
        del path
        return lambda *_, **__: None


class _Stream:
    """What a call streams."""

    def __init__(self, responses: AsyncIterator[Any]) -> None:
        self._responses = responses

    async def __aiter__(self) -> AsyncIterator[Any]:
        with _grpc_errors():
            async for response in self._responses:
                yield response

    def cancel(self) -> None:
        """Stop listening; the generator is closed by its consumer."""
        close = getattr(self._responses, "aclose", None)
        if close is not None:
            self._closing = asyncio.ensure_future(_close_silently(close()))


async def _close_silently(closing: Any) -> None:
    with suppress(RuntimeError):  # it is being read at this moment, and ends with its reader
        await closing


@contextmanager
def _grpc_errors() -> Iterator[None]:
    """Tells errors as gRPC does, with the details that the service packed."""
    try:
        yield
    except ConnectError as error:
        status = status_pb2.Status(
            code=code_pb2.Code.Value(_code_name(error.code)),
            message=error.message,
            details=[
                Packed(type_url=f"type.googleapis.com/{d.type_name}", value=d.message_bytes)
                for d in error.details
            ],
        )
        error_status = to_status(status)
        trailing = grpc.aio.Metadata(*(error_status.trailing_metadata or ()))
        raise grpc.aio.AioRpcError(
            error_status.code, grpc.aio.Metadata(), trailing, details=error_status.details
        ) from None


def _code_name(code: Code) -> str:
    return "CANCELLED" if code is Code.CANCELED else code.name


def _method(path: str, stream: StreamType) -> MethodInfo[Any, Any]:
    _, service, name = path.split("/")
    found = descriptor_pool.Default().FindServiceByName(service).FindMethodByName(name)
    return MethodInfo(
        name=name,
        service_name=service,
        input=GetMessageClass(found.input_type),
        output=GetMessageClass(found.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=stream,
    )
