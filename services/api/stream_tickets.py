"""Tickets that open one stream, so that the URL of an EventSource needs no token."""

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
"""Lifetime of a ticket."""
MAX_TICKET_LENGTH: Final = 6_000
"""Maximum characters of a ticket, since longer URLs are not accepted everywhere."""
MAX_USED_TICKETS: Final = 100_000


class _Ticket(Struct, frozen=True):
    """The encrypted content of a ticket, which any replica can decrypt."""

    expires: float
    token: str
    frontend_key: str
    topics: bytes
    nonce: bytes


class StreamTickets:
    """Creates tickets, and redeems each once."""

    def __init__(self, token_issuer: TokenIssuer, clock: Callable[[], float] = time.time) -> None:
        self._cipher = AESSIV(token_issuer.key("stream tickets"))
        self._clock = clock
        self._used_tickets: dict[bytes, float] = {}
        """Redeemed tickets, with their expiry times."""

    def make(self, call: RequestContext, topics: pb.SubscribeRequest) -> tuple[str, float]:
        """Return a ticket for these topics, and its expiry in seconds since 1970."""
        expires = self._clock() + TICKET_SECONDS
        raw = topics.SerializeToString()
        ticket = _Ticket(expires, call.token, call.frontend_key, raw, token_bytes(16))
        sealed = self._cipher.encrypt(json.encode(ticket), None)
        text = urlsafe_b64encode(sealed).decode().rstrip("=")
        if len(text) > MAX_TICKET_LENGTH:
            raise field_invalid(
                "topics", "they are too long for a URL: read the stream with fetch and a header"
            )
        return text, expires

    def redeem(self, text: str, call: RequestContext) -> tuple[RequestContext, pb.SubscribeRequest]:
        """Return the context of a ticket's creator, and its topics.

        Raises:
            ApiError: TICKET_INVALID if it is not valid, has expired or was redeemed before.
        """
        try:
            sealed = urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
            ticket = json.decode(self._cipher.decrypt(sealed, None), type=_Ticket)
        except (ValueError, InvalidTag):
            raise ApiError(Reason.TICKET_INVALID) from None
        now = self._clock()
        if now > ticket.expires or ticket.nonce in self._used_tickets:
            raise ApiError(Reason.TICKET_INVALID)
        if len(self._used_tickets) >= MAX_USED_TICKETS:
            self._used_tickets = {
                used: end for used, end in self._used_tickets.items() if end > now
            }
        self._used_tickets[ticket.nonce] = ticket.expires
        caller = RequestContext(
            ticket.token, None, ticket.frontend_key, peer=call.peer, trace=call.trace
        )
        return caller, pb.SubscribeRequest.FromString(ticket.topics)
