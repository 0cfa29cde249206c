"""The pipeline of a call that all transports share, from admission to validation."""

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from services.accounts.context import RequestContext, looks_like_jwt, parse_address
from services.runtime.errors import ApiError, Reason
from services.runtime.limits import Limits
from services.runtime.metrics import CallMetrics, empty_call_metrics
from services.runtime.settings import Settings, trusted_proxies
from services.transport.admission import TOPIC_RPC, AdmissionController
from services.transport.call_log import CallLog
from services.transport.calls_in_flight import CallsInFlight
from services.transport.shared_bytes import EncodedMessageCache
from services.transport.validation import violations

MAX_REQUEST_BYTES_BY_METHOD: Final[Mapping[str, int]] = {
    "emeth.v1.HistoryService.ImportTranscript": 4_200_000,
    "emeth.v1.AuditService.ResolveDispute": 1_700_000,
    "emeth.devices.v1.StylusesService.UpdateTapMap": 2_600_000,
}
"""Maximum request size in bytes of methods whose proto files allow larger texts: 1,048,576
characters, a hundred facts of 4000 characters, 5000 codes of 100. A character may take four
bytes."""
MAX_REQUEST_BYTES: Final = 256 << 10
"""Maximum request size in bytes of all other methods."""
MAX_TOKEN_LENGTH: Final = 256
MAX_JWT_LENGTH: Final = 4096
"""Maximum length of a JSON Web Token."""
MAX_FRONTEND_KEY_LENGTH: Final = 256
FRONTEND_HEADER: Final = "emeth-frontend"
"""Header or metadata key for the key of a frontend."""
TRACE_HEADER: Final = "traceparent"
"""Header of W3C Trace Context with the caller's span."""
FORWARDED_HEADER: Final = "x-forwarded-for"
"""Header in which proxies pass on the caller's address."""
Authenticate = Callable[[RequestContext], Awaitable[RequestContext]]


class CallPipeline:
    """What all transports share: admission, authentication, call log, calls in flight."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.admission = AdmissionController(limits)
        """Rate limits and queueing."""
        self.requires_certificates = bool(settings.tls_client_ca)
        """Whether callers must use mutual TLS."""
        self._proxies = trusted_proxies(settings)
        self.metrics: CallMetrics = empty_call_metrics()
        self.calls = CallLog(self.metrics)
        """Logs and counts calls when they end."""
        self.in_flight = CallsInFlight()
        """Tracks calls while they last."""
        self.open = True
        self.refused_count = 0
        self.authenticate: Authenticate = _no_authentication
        """Authenticates the caller of a call."""
        self.shared = EncodedMessageCache()
        self._latest = float("-inf")

    @property
    def idle_seconds(self) -> float:
        """Return the seconds since the last call; infinity if there was none."""
        return time.monotonic() - self._latest

    def enter(self) -> None:
        """Note that a call has arrived. Raise SHUTTING_DOWN once the service stops."""
        self._latest = time.monotonic()
        if not self.open:
            self.refused_count += 1
            raise ApiError(
                Reason.SHUTTING_DOWN,
                "the service is shutting down and has not executed this call: make it again in a"
                " moment, with the same request_id if it has one",
            )

    @asynccontextmanager
    async def topic(self, call: RequestContext) -> AsyncIterator[RequestContext]:
        """Admit and authenticate a topic of a subscription, like a call of a session."""
        async with self.admission.permit(call, TOPIC_RPC, in_session=True) as let_in:
            yield await self.authenticate(let_in)

    def peer(self, host: str, forwarded: Iterable[str]) -> str:
        """Return the address of the caller.

        It is the host that connected, unless that is a trusted proxy. Each proxy appends the
        address that it was called from, so the caller is the rightmost address that is not a
        trusted proxy. Anything to its left was written by the caller itself, and is ignored.

        Args:
            host: The address that connected, as the transport writes it.
            forwarded: The values of all `x-forwarded-for` headers, in order of arrival.
        """
        if not self._trusts(host):
            return host
        for text in reversed(",".join(forwarded).split(",")):
            address = parse_address(text)
            if address is None:  # not written by a proxy
                return host
            host = str(address)
            if not self._trusts(host):
                return host
        return host

    def _trusts(self, host: str) -> bool:
        address = parse_address(host)
        return address is not None and any(address in network for network in self._proxies)


async def _no_authentication(call: RequestContext) -> RequestContext:
    return call


def max_request_bytes(method: MethodDescriptor) -> int:
    """Return the maximum request size of a method in bytes."""
    return MAX_REQUEST_BYTES_BY_METHOD.get(method.full_name, MAX_REQUEST_BYTES)


def find_handler(handlers: object, method: MethodDescriptor) -> Any:
    """Return the handler of an rpc, with validation of its requests; None if there is none.

    The handler raises ApiError FIELD_INVALID, with all violations, for a request that violates its
    declared bounds.
    """
    handler = getattr(handlers, snake_case(method.name), None)
    if handler is None:
        return None

    async def each(requests: AsyncIterator[Message]) -> AsyncIterator[Message]:
        async for request in requests:
            check_bounds(request)
            yield request
            del request  # a message takes kilobytes, and the next one may be hours away

    def validated(call: RequestContext, request: Any) -> Any:
        if method.client_streaming:
            return handler(call, each(request))
        check_bounds(request)
        return handler(call, request)

    return validated


def check_bounds(request: Message) -> None:
    """Raise FIELD_INVALID if a request violates its declared bounds."""
    if found := violations(request):
        field, why = next(iter(found.items()))
        raise ApiError(Reason.FIELD_INVALID, f"{field}: {why}", violations=found)


def check_size(size: int, largest: int) -> None:
    """Raise MESSAGE_TOO_LARGE for a request of more than `largest` bytes."""
    if size > largest:
        raise ApiError(
            Reason.MESSAGE_TOO_LARGE,
            f"the request has {size} bytes; this method accepts at most {largest}",
            bytes=size,
            most=largest,
        )


def max_token_length(token: str) -> int:
    """Return the maximum length of a token of this form."""
    return MAX_JWT_LENGTH if looks_like_jwt(token) else MAX_TOKEN_LENGTH


def bearer_token(authorization: str | None) -> str:
    """Return the token in an `authorization` header; empty without the header.

    Raises:
        ApiError: TOKEN_MISSING for another scheme, or a token that is empty or too long.
    """
    if authorization is None:
        return ""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not 0 < len(token) <= max_token_length(token):
        raise ApiError(
            Reason.TOKEN_MISSING, "the header `authorization` must be `Bearer` and a token"
        )
    return token


def frontend_key(shown: str | None) -> str:
    """Return the key in an `emeth-frontend` header; empty without the header.

    Raises:
        ApiError: FRONTEND_KEY_INVALID if it is empty or too long.
    """
    if shown is not None and not 0 < len(shown) <= MAX_FRONTEND_KEY_LENGTH:
        raise ApiError(Reason.FRONTEND_KEY_INVALID)
    return shown or ""


def snake_case(name: str) -> str:
    """Return a name such as `SubmitAction` as `submit_action`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
