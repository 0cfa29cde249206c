"""A connection to one service: deadlines, retries, paging and errors of all calls."""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from secrets import token_urlsafe
from time import monotonic
from typing import Any, Final, Self, TypeVar, cast
from uuid import uuid4

import grpc
import grpc.aio
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from grpc_status.rpc_status import from_call

from services.client.session import SessionChannel
from services.client.versions import MatchTokens, SeenVersions
from services.wire.calls import Calls

DEADLINE_SECONDS: Final = 30.0
"""Deadline of one call including its repetitions; a stream has none."""
PATIENCE_SECONDS: Final = 2.0
"""Default time for which calls are repeated while the service is away."""
SHORTEST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 1.0
"""Bounds of the pause between repetitions, which doubles each time."""
LARGEST_PAGE: Final = 1000
"""Page size for lists; the service reduces it to its own maximum."""
CHANNEL: Final = (
    # A service that starts anew is found within a second, not within gRPC's two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # A service that is frozen, or a network that swallows everything, is noticed within a minute.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # else a minute, whatever the line above says
    ("grpc.http2.max_pings_without_data", 0),
)
CONNECTION_LOST: Final = frozenset(
    {
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.UNKNOWN,
    }
)
"""The codes with which gRPC reports a connection or a stream that broke, such as by RST_STREAM. An
error of the service itself has a reason beside its code."""

Q = TypeVar("Q", bound=Message)
P = TypeVar("P", bound=Message)
T = TypeVar("T")


def new_request() -> str:
    """Return a new ID for one request; all repetitions of the request share it."""
    return str(uuid4())


class ServiceError(Exception):
    """A call that the service could not answer, or that never reached it."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: Mapping[str, str] | None = None,
        violations: Mapping[str, str] | None = None,
        retry_seconds: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        """UPPER_SNAKE_CASE; empty if the error is not the service's own but the transport's."""
        self.message = message
        self.metadata = dict(metadata or {})
        self.violations = dict(violations or {})
        """What is wrong with each field of a malformed request."""
        self.retry_seconds = retry_seconds
        """How long the service asks to wait before the same call is made again; 0 if it does not
        say."""

    @classmethod
    def from_rpc(cls, error: grpc.aio.AioRpcError) -> "ServiceError":
        """Return the error with the details that the service attached to it."""
        reason, metadata, violations, retry_seconds = "", {}, {}, 0.0
        status = from_call(error)  # type: ignore[arg-type]  # it has all that is read of a Call
        for detail in status.details if status else ():
            info, bad, retry = ErrorInfo(), BadRequest(), RetryInfo()
            if detail.Unpack(info):
                reason, metadata = info.reason, dict(info.metadata)
            elif detail.Unpack(bad):
                violations = {v.field: v.description for v in bad.field_violations}
            elif detail.Unpack(retry):
                retry_seconds = retry.retry_delay.ToTimedelta().total_seconds()
        return cls(error.code(), reason, error.details() or "", metadata, violations, retry_seconds)

    @property
    def unreachable(self) -> bool:
        """Return whether the call never reached a service."""
        return self.code is grpc.StatusCode.UNAVAILABLE and not self.reason

    @property
    def passing(self) -> bool:
        """Return whether the same call may succeed later.

        That is so if the connection broke, the service was away, or the service requests a retry.
        """
        broke = not self.reason and self.code in CONNECTION_LOST
        away = self.code is grpc.StatusCode.UNAVAILABLE
        return broke or away or self.retry_seconds > 0


class Connection(Calls):
    """A connection to one service. Every call raises ServiceError.

    A call that is to be repeated later needs a `request_id` from `new_request`. One is made for
    each request that has none.
    """

    def __init__(
        self,
        address: str,
        *,
        name: str = "",
        credentials: grpc.ChannelCredentials | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
        frontend_key: str = "",
        session: bool = False,
        client_secret: str = "",
    ) -> None:
        """Prepare a connection; the first call opens it.

        Args:
            address: Host and port of the service.
            name: Name of the client that the log records with each action.
            credentials: `grpc.ssl_channel_credentials(...)` for a service with TLS.
            patience_seconds: How long calls are repeated, and watches resumed, while the service is
                away. The request ID makes repetitions safe.
            frontend_key: Key of a frontend, sent with every call.
            session: Whether calls of matches share one stream at a fraction of the cost. Receipts
                may then share a signature (see `services.client.witness.receipt_of`).
            client_secret: Identifies a caller without key or token. A response with a token or key
                is repeated only to the same caller. At least 22 characters with 128 random bits;
                empty for a new secret.
        """
        self.address = address
        self._name = name
        self._frontend_key = frontend_key
        self._client_secret = client_secret or token_urlsafe()
        self._patience = patience_seconds
        self._shares_signatures = session
        self._seen_versions = SeenVersions()
        self._match_tokens = MatchTokens()
        channel = (
            grpc.aio.secure_channel(address, credentials, CHANNEL)
            if credentials
            else grpc.aio.insecure_channel(address, CHANNEL)
        )
        self._use(
            cast(grpc.aio.Channel, SessionChannel(channel, frontend_key)) if session else channel
        )

    def _use(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel
        super()._use(channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    async def call(
        self, method: MethodDescriptor, requests: Sequence[Message], token: str = ""
    ) -> AsyncGenerator[Message, None]:
        """Call any method of the API by its descriptor.

        Args:
            method: The method.
            requests: Its request; any number of requests for a method that takes a stream.
            token: The token or key to call with.

        Yields:
            The responses; one for a method without a stream of them.
        """
        request_kind = "stream" if method.client_streaming else "unary"
        response_kind = "stream" if method.server_streaming else "unary"
        rpc: Any = getattr(self._channel, f"{request_kind}_{response_kind}")(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        if request_kind == "stream":
            stream = rpc(iter(requests), metadata=authorization_metadata(token, self._frontend_key))
            try:
                if response_kind == "unary":
                    yield await stream
                    return
                async for message in stream:
                    yield message
            except grpc.aio.AioRpcError as error:
                raise ServiceError.from_rpc(error) from None
        elif response_kind == "stream":
            async for message in self._stream(rpc, requests[0], token):
                yield message
        else:
            yield await self._call(rpc, requests[0], token)

    async def _stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Q, P], request: Q, token: str = ""
    ) -> AsyncGenerator[P, None]:
        """Yield the responses of one streaming call, repeated while the service is away.

        The call is cancelled when the generator is closed.
        """
        self._seen_versions.ask(request)
        pauses, begun = RetryDelays(self._patience), False
        while True:
            call = method(request, metadata=authorization_metadata(token, self._frontend_key))
            try:
                async for message in call:
                    begun = True
                    yield message
                return
            except grpc.aio.AioRpcError as error:
                failure = ServiceError.from_rpc(error)
                if begun:  # to begin again would show it twice
                    raise failure from None
                await pauses.after(failure)
            finally:
                call.cancel()

    async def _watch(
        self,
        start: Callable[[], AsyncIterable[P]],
        patience_seconds: float | None = None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> AsyncGenerator[P, None]:
        """Yield the responses of a watch, and restart the watch when its stream breaks or ends.

        Args:
            start: Makes the call, from the last event that was received.
            patience_seconds: How long to wait for a service that is away; None for the client's own
                patience.
            is_over: Returns whether a stream that ended without an error is complete.
        """
        patience = self._patience if patience_seconds is None else patience_seconds
        pauses = RetryDelays(patience)
        while True:
            call: Any = start()
            try:
                async for message in call:
                    pauses = RetryDelays(patience)
                    yield message
                if is_over():
                    return
                failure = ServiceError(grpc.StatusCode.UNAVAILABLE, "", "the stream has ended")
            except grpc.aio.AioRpcError as error:
                failure = ServiceError.from_rpc(error)
                if failure.code is grpc.StatusCode.DEADLINE_EXCEEDED and not failure.reason:
                    # A watch has no deadline: it was a proxy's.
                    failure.code = grpc.StatusCode.UNAVAILABLE
            finally:
                call.cancel()
            await pauses.after(failure)

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Q, P], request: Q, token: str = ""
    ) -> P:
        """Make one call, and repeat it while the service is away."""
        self._seen_versions.ask(request)
        self._fill_in(request)
        pauses = RetryDelays(self._patience)
        until = asyncio.get_running_loop().time() + DEADLINE_SECONDS
        while True:
            left = until - asyncio.get_running_loop().time()
            try:
                response = await method(
                    request,
                    timeout=left,
                    metadata=authorization_metadata(token, self._frontend_key),
                )
            except grpc.aio.AioRpcError as error:
                await pauses.after(ServiceError.from_rpc(error))
            else:
                self._seen_versions.learn(request, response)
                self._match_tokens.learn(request, response, token)
                return response

    async def _upload(
        self,
        method: grpc.aio.StreamUnaryMultiCallable[Q, P],
        requests: Callable[[], Iterator[Q]],
        token: str = "",
    ) -> P:
        """Make a call that streams requests, from their beginning with each attempt."""
        pauses = RetryDelays(self._patience)
        while True:
            try:
                return await method(
                    requests(), metadata=authorization_metadata(token, self._frontend_key)
                )
            except grpc.aio.AioRpcError as error:
                await pauses.after(ServiceError.from_rpc(error))

    async def _list_all(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Q, P],
        request: Q,
        token: str,
        items: Callable[[P], Iterable[T]],
        limit: int | None,
    ) -> list[T]:
        """Ask for one page after the other. Return the items of all, at most `limit`."""
        asked: Any = request
        asked.page_size = asked.page_size or min(limit or LARGEST_PAGE, LARGEST_PAGE)
        found: list[T] = []
        while True:
            try:
                page: Any = await self._call(method, request, token)
            except ServiceError as error:
                if not asked.page_token or error.reason != "VERSION_STALE":
                    raise
                found, asked.page_token = [], ""  # the match moved on between two pages
                continue
            found.extend(items(page))
            asked.page_token = page.next_page_token
            if not asked.page_token or (limit is not None and len(found) >= limit):
                return found[:limit]

    def _fill_in(self, request: Message) -> None:
        """Set the fields of a request that are the connection's to know, where they are empty."""
        fields = request.DESCRIPTOR.fields_by_name
        for name, value in (
            ("request_id", new_request),
            ("client_secret", lambda: self._client_secret),
            ("client", lambda: self._name),
        ):
            if name in fields and not getattr(request, name):
                setattr(request, name, value())


class RetryDelays:
    """The pauses between repetitions of a call that finds the service away.

    Each is longer than the one before, until `patience_seconds` after the first failure.
    """

    def __init__(self, patience_seconds: float) -> None:
        self._patience = patience_seconds
        self._until: float | None = None
        self._pause = SHORTEST_PAUSE_SECONDS

    async def after(self, error: ServiceError) -> None:
        """Wait before the next try. Raises the error if there is to be none."""
        pause = max(self._pause, error.retry_seconds)
        now = monotonic()
        if self._until is None:
            self._until = now + self._patience
        if now + pause > self._until or not error.passing:
            raise error from None
        await asyncio.sleep(pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)


def authorization_metadata(token: str, frontend_key: str = "") -> tuple[tuple[str, str], ...]:
    """Return the metadata that carries a token and a frontend's key."""
    shown = (("emeth-frontend", frontend_key),) if frontend_key else ()
    return (("authorization", f"Bearer {token}"), *shown) if token else shown
