"""Tickets that open one stream, in the URL of an EventSource: no token is ever written there."""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from secrets import token_bytes
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from msgspec import Struct, json

from services.accounts.context import RequestContext
from services.accounts.tokens import TokenIssuer
from services.runtime.errors import ApiError, Reason, field_invalid
from services.wire.emeth.v1 import subscriptions_pb2 as pb

TICKET_SECONDS: Final = 60.0
"""For how long a ticket opens its stream."""
MAX_TICKET_LENGTH: Final = 6_000
"""Characters of a ticket, at most: URLs of more are not taken everywhere."""
MAX_USED_TICKETS: Final = 100_000


class _Ticket(Struct, frozen=True):
    """What a ticket says, encrypted: any replica can read it."""

    expires: float
    token: str
    frontend_key: str
    topics: bytes
    nonce: bytes


class StreamTickets:
    """Makes tickets, and takes each once."""

    def __init__(self, token_issuer: TokenIssuer, clock: Callable[[], float] = time.time) -> None:
        self._cipher = AESSIV(token_issuer.key("stream tickets"))
        self._clock = clock
        self._used: dict[bytes, float] = {}
        """Tickets that were taken, with their ends."""

    def make(self, call: RequestContext, topics: pb.SubscribeRequest) -> tuple[str, float]:
        """Return a ticket for these topics, and when it ends, in seconds since 1970."""
        expires = self._clock() + TICKET_SECONDS
        raw = topics.SerializeToString()
        ticket = _Ticket(expires, call.token, call.frontend_key, raw, token_bytes(16))
        sealed = self._cipher.encrypt(json.encode(ticket), None)
        text = urlsafe_b64encode(sealed).decode().rstrip("=")
        if len(text) > MAX_TICKET_LENGTH:
            raise field_invalid("topics", "they are too many for a URL: read the stream with fetch")
        return text, expires

    def take(self, text: str, call: RequestContext) -> tuple[RequestContext, pb.SubscribeRequest]:
        """Return who made a ticket, and the topics in it. TICKET_INVALID if it is none, has
        expired or was taken before."""
        try:
            sealed = urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
            ticket = json.decode(self._cipher.decrypt(sealed, None), type=_Ticket)
        except (ValueError, InvalidTag):
            raise ApiError(Reason.TICKET_INVALID) from None
        now = self._clock()
        if now > ticket.expires or ticket.nonce in self._used:
            raise ApiError(Reason.TICKET_INVALID)
        if len(self._used) >= MAX_USED_TICKETS:
            self._used = {used: end for used, end in self._used.items() if end > now}
        self._used[ticket.nonce] = ticket.expires
        caller = RequestContext(
            ticket.token, None, ticket.frontend_key, peer=call.peer, trace=call.trace
        )
        return caller, pb.SubscribeRequest.FromString(ticket.topics)
