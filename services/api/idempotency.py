"""Idempotency of requests whose responses hold secrets, such as tokens and keys.

A response with a secret is only repeated to the same caller. Otherwise a request ID, which is in
the logs of clients and proxies, would be as valuable as the secret. The log stores a keyed digest
of the caller with the request ID.
"""

from hmac import compare_digest
from typing import Any
from uuid import UUID

from domain.log.origin import CALLER_SEPARATOR, CommandContext
from services.accounts.context import RequestContext
from services.accounts.tokens import TokenIssuer
from services.api.requests import check_same
from services.runtime.errors import ApiError, Reason
from services.runtime.keys import MIN_ADMIN_KEY_LENGTH


def caller_identity(
    call: RequestContext, secret: str = "", *, token_is_shared: bool = False
) -> str:
    """Return an identity of the caller of a request; empty if nothing identifies it.

    It is the player, the token, the frontend, or the client secret of the request, in this order.

    Args:
        call: Context of the request.
        secret: The client secret of the request.
        token_is_shared: Whether several callers may have the token, such as the code of a link, so
            that it identifies none of them.
    """
    if call.player is not None:
        return f"player {call.player}"
    if (
        len(call.token) >= MIN_ADMIN_KEY_LENGTH
        and not call.has_only_frontend_key
        and not token_is_shared
    ):
        return f"token {call.token}"
    if call.frontend is not None:
        return f"frontend {call.frontend}"
    return f"secret {secret}" if secret else ""


class IdempotentRequest:
    """A request with a secret response, which only the same caller may repeat."""

    def __init__(self, token_issuer: TokenIssuer, request_id: str, caller: str) -> None:
        """Create a request. `caller` is the result of `caller_identity`."""
        self.id = request_id
        self._token_issuer = token_issuer
        self.names = token_issuer.request_names(request_id)
        """All forms in which the request may be stored."""
        self.stored = token_issuer.stored_request(request_id, caller)
        """The form in which the request is stored."""

    def command_context(self, aggregate: UUID) -> CommandContext:
        """Return the command context that is recorded with the request."""
        return self._token_issuer.command_context(aggregate, self.stored)

    def check(self, stored: str, version: int, first: Any, now: Any) -> None:
        """Raise an error unless this request repeats a stored one of the same caller.

        Args:
            stored: The stored request.
            version: The number of its first event.
            first: What it asked for.
            now: What this request asks for.

        Raises:
            ApiError: REQUEST_ID_REUSED if they ask for different things; RESPONSE_WITHHELD if the
                caller is not the same, or nothing identifies it.
        """
        check_same(self.id, version, first, now)
        if CALLER_SEPARATOR not in self.stored or not compare_digest(stored, self.stored):
            raise self.withheld()

    def check_same(self, version: int, first: Any, now: Any) -> None:
        """Raise REQUEST_ID_REUSED unless this request asks for the same as the stored one.

        This is enough where the response holds no secret.
        """
        check_same(self.id, version, first, now)

    def withheld(self) -> ApiError:
        """Return the error for a caller that is not known to have made the request first."""
        return ApiError(
            Reason.RESPONSE_WITHHELD,
            f"request {self.id} was made before, and its response contains secrets: repeat it with"
            " the same key, token or client_secret as the first time, or use a new request_id",
        )


def is_of_earlier_request(error: ApiError) -> bool:
    """Return whether an error says that the request ID was used before."""
    return error.reason in (Reason.REQUEST_ID_REUSED, Reason.RESPONSE_WITHHELD)
