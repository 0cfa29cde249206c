"""What every door does with a call before its handler: counts it, bounds it, reads its token."""

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
"""Bytes of requests for which the proto files promise more than others have: 1,048,576 characters,
a hundred facts of 4000 characters, 5000 codes of 100. Each character may take four bytes."""
MAX_REQUEST_BYTES: Final = 256 << 10
"""Bytes of all other requests, of which none comes near this."""
MAX_TOKEN_LENGTH: Final = 256
MAX_JWT_LENGTH: Final = 4096
"""Characters of a JSON Web Token, which is the only token that is longer."""
MAX_FRONTEND_KEY_LENGTH: Final = 256
FRONTEND_HEADER: Final = "emeth-frontend"
"""The metadata, or header, in which a frontend shows its key."""
TRACE_HEADER: Final = "traceparent"
"""In which a caller that traces names the span of its own in which it calls."""
FORWARDED_HEADER: Final = "x-forwarded-for"
"""What a proxy tells of where a call came from."""
Authenticate = Callable[[RequestContext], Awaitable[RequestContext]]


class CallPipeline:
    """Lets calls in until the service begins to stop, and counts those that it sends away."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.admission = AdmissionController(limits)
        """Whose turn it is."""
        self.requires_certificates = bool(settings.tls_client_ca)
        """Must callers show a certificate, by mutual TLS?"""
        self._proxies = trusted_proxies(settings)
        self.metrics: CallMetrics = empty_call_metrics()
        self.calls = CallLog(self.metrics)
        """Is told of each call when it ends."""
        self.in_flight = CallsInFlight()
        """Is told of each call while it lasts."""
        self.open = True
        self.refused_count = 0
        self.authenticate: Authenticate = _no_authentication
        """Finds out who makes a call."""
        self.shared = EncodedMessageCache()
        self._latest = float("-inf")

    @property
    def idle_seconds(self) -> float:
        """Since a call came last; without end if none ever did."""
        return time.monotonic() - self._latest

    def enter(self) -> None:
        """SHUTTING_DOWN once it is closed."""
        self._latest = time.monotonic()
        if not self.open:
            self.refused_count += 1
            raise ApiError(
                Reason.SHUTTING_DOWN,
                "the service is about to stop, and has not begun with this call: make it again in a"
                " moment, with the same request_id if it has one",
            )

    @asynccontextmanager
    async def topic(self, call: RequestContext) -> AsyncIterator[RequestContext]:
        """Let a topic of a subscription in, as a call of a session."""
        async with self.admission.turn(call, TOPIC_RPC, in_session=True) as let_in:
            yield await self.authenticate(let_in)

    def peer(self, host: str, forwarded: Iterable[str]) -> str:
        """Return the address that a call came from.

        That is the host that connected, unless it is a trusted proxy. Each proxy appends the
        address that it was called from, so the caller is the rightmost address that is no trusted
        proxy. What stands to the left of it is the caller's own word, and counts for nothing.

        Args:
            host: The address that connected, as the transport writes it.
            forwarded: The values of all `x-forwarded-for` headers, in the order in which they came.
        """
        if not self._trusts(host):
            return host
        for text in reversed(",".join(forwarded).split(",")):
            address = parse_address(text)
            if address is None:  # no proxy writes that
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
    """Bytes of a request that a method takes, at most."""
    return MAX_REQUEST_BYTES_BY_METHOD.get(method.full_name, MAX_REQUEST_BYTES)


def find_handler(handlers: object, method: MethodDescriptor) -> Any:
    """Return the handler of an rpc, which refuses requests out of their declared bounds.

    Every transport finds its handlers here, so bounds hold on all of them. Returns None if there is
    no handler. The handler raises ApiError with reason FIELD_INVALID, and with all violations.
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
    """Raise ApiError with reason FIELD_INVALID if a request is out of its declared bounds."""
    if found := violations(request):
        field, why = next(iter(found.items()))
        raise ApiError(Reason.FIELD_INVALID, f"{field}: {why}", violations=found)


def check_size(size: int, largest: int) -> None:
    """MESSAGE_TOO_LARGE for a request of more bytes."""
    if size > largest:
        raise ApiError(
            Reason.MESSAGE_TOO_LARGE,
            f"the request has {size} bytes; this call takes {largest} at most",
            bytes=size,
            most=largest,
        )


def max_token_length(token: str) -> int:
    """Characters that a token such as this may have."""
    return MAX_JWT_LENGTH if looks_like_jwt(token) else MAX_TOKEN_LENGTH


def bearer_token(authorization: str | None) -> str:
    """The token in what a caller sent as `authorization`; empty if nothing was sent."""
    if authorization is None:
        return ""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not 0 < len(token) <= max_token_length(token):
        raise ApiError(Reason.TOKEN_MISSING, "`authorization` is `Bearer` and a token")
    return token


def frontend_key(shown: str | None) -> str:
    """The key in what a caller sent as `emeth-frontend`; empty if nothing was sent."""
    if shown is not None and not 0 < len(shown) <= MAX_FRONTEND_KEY_LENGTH:
        raise ApiError(Reason.FRONTEND_KEY_INVALID)
    return shown or ""


def snake_case(name: str) -> str:
    """`SubmitAction` as `submit_action`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
