"""Idempotent changes of frontends and players."""

from collections.abc import Callable
from hmac import compare_digest
from typing import Any, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.frontend import Frontend
from domain.log.ledger import Changeset
from domain.log.origin import CommandContext
from domain.player import Player
from services.accounts.context import RequestContext
from services.accounts.tokens import token_digest
from services.api.idempotency import IdempotentRequest
from services.api.requests import check_same, parse_uuid
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.account_cache import FrontendCache, PlayerCache
from services.store.aggregate_cache import CachedAggregateWithRequests, Decision
from services.store.errors import VersionConflict

AccountT = TypeVar("AccountT", Frontend, Player)


class AccountChange(Struct, frozen=True):
    """A change that a request asks for, with what is compared if the request is repeated."""

    request: IdempotentRequest
    requested: list[Any]
    recorded_request: Callable[[Any], list[Any]]
    """Returns what the request of an event asked for."""
    has_secret_response: bool = False
    """Whether the response holds a secret, so that only the same caller may repeat the request."""

    def command_context(self, account: UUID) -> CommandContext:
        """Return the context that is recorded with the change, with a digest of the request ID."""
        return self.request.command_context(account)

    def check(self, stored: str, first: int, recorded: list[Any]) -> None:
        """Raise an error unless the request repeats the one that is stored as event `first`.

        Raises:
            ApiError: REQUEST_ID_REUSED if it asks for something else; RESPONSE_WITHHELD if another
                caller repeats a request with a secret response.
        """
        if self.has_secret_response:
            self.request.check(stored, first, recorded, self.requested)
        else:
            check_same(self.request.id, first, recorded, self.requested)


async def apply_change(
    live: FrontendCache | PlayerCache,
    identity: UUID,
    change: AccountChange,
    decide: Callable[[Any, CommandContext], Changeset[Any]],
) -> int:
    """Make a change unless the same request made it before; return the version of its event.

    Raises:
        ApiError: REQUEST_ID_REUSED if the request asked for something else before.
    """

    async def work(held: CachedAggregateWithRequests[Any]) -> Decision[Any, int]:
        if (first := held.version_of_request(*change.request.names)) is not None:
            event = await live.event(held, first)
            change.check(event.request, first, change.recorded_request(event))
            return None, first
        changeset = decide(held.state, change.command_context(identity))
        return changeset, changeset.state.version

    version: int = await live.command(identity, work)
    return version


async def create_account(
    live: FrontendCache | PlayerCache,
    identity: UUID,
    change: AccountChange,
    create: Callable[[CommandContext], Changeset[Any]],
) -> None:
    """Create an account unless the same request created it before.

    Raises:
        ApiError: REQUEST_ID_REUSED if the request asked for something else before.
    """
    if await live.find(identity) is None:
        try:
            await live.create(create(change.command_context(identity)))
        except VersionConflict:
            pass  # a concurrent duplicate of the request
        else:
            return

    def nothing_new(account: Any, command_context: CommandContext) -> Changeset[Any]:
        raise AssertionError(f"{account} was made by another request at {command_context.at}")

    await apply_change(live, identity, change, nothing_new)


def resolve_frontend(call: RequestContext, frontend_id: str, admin_key: str) -> UUID:
    """Return the frontend that a call is about.

    With the admin key, which has this digest, it is any frontend; with a frontend's key, that
    frontend.

    Raises:
        ApiError: FIELD_INVALID if the admin key comes without an ID; FRONTEND_KEY_MISSING without
            either key; FRONTEND_KEY_INVALID if the key belongs to another frontend.
    """
    wanted = parse_uuid(frontend_id) if frontend_id else None
    if call.token and compare_digest(token_digest(call.token), admin_key):
        call.confirm_tokens(call)
        if wanted is None:
            raise field_invalid("frontend_id", "it is required with the admin key")
        return wanted
    if call.frontend is None:
        raise ApiError(Reason.FRONTEND_KEY_MISSING)
    if wanted not in (None, call.frontend):
        raise ApiError(Reason.FRONTEND_KEY_INVALID, "the key belongs to another frontend")
    return call.frontend
