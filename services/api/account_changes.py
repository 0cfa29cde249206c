"""Changes to frontends and players, each made once for the request that asks for it."""

from collections.abc import Callable
from hmac import compare_digest
from typing import Any, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.frontend import Frontend
from domain.log.ledger import Decided
from domain.log.origin import Stamp
from domain.player import Player
from services.accounts.context import Call
from services.accounts.tokens import key_of
from services.api.repetitions import Repeatable
from services.api.requests import check_same, uuid_of
from services.runtime.errors import ApiError, Reason, malformed
from services.store.account_cache import LiveFrontends, LivePlayers
from services.store.aggregate_cache import Decision, HeldWithRequests
from services.store.errors import VersionConflict

AccountT = TypeVar("AccountT", Frontend, Player)


class Change(Struct, frozen=True):
    """What a request asks for, to be compared if it comes again."""

    request: Repeatable
    asked: list[Any]
    asked_for: Callable[[Any], list[Any]]
    """What the request asked for that made an event."""
    gives_secret: bool = False
    """Is its response for its caller alone?"""

    def stamp(self, account: UUID) -> Stamp:
        """Return what is recorded with it: of the request's id only a keyed digest, since responses
        hold keys."""
        return self.request.stamp(account)

    def check(self, stored: str, first: int, was: list[Any]) -> None:
        """Raise an error unless the request repeats what is stored as event `first`, which asked
        for `was`: REQUEST_ID_REUSED, or RESPONSE_WITHHELD."""
        if self.gives_secret:
            self.request.check(stored, first, was, self.asked)
        else:
            check_same(self.request.id, first, was, self.asked)


async def change(
    live: LiveFrontends | LivePlayers,
    identity: UUID,
    wanted: Change,
    decide: Callable[[Any, Stamp], Decided[Any]],
) -> int:
    """Make a change, unless the request made it before; the version of its event either way.
    REQUEST_ID_REUSED if it asked for something else then."""

    async def work(held: HeldWithRequests[Any]) -> Decision[Any, int]:
        if (first := held.made_by(*wanted.request.names)) is not None:
            event = await live.event(held, first)
            wanted.check(event.request, first, wanted.asked_for(event))
            return None, first
        decided = decide(held.state, wanted.stamp(identity))
        return decided, decided.state.version

    version: int = await live.command(identity, work)
    return version


async def create(
    live: LiveFrontends | LivePlayers,
    identity: UUID,
    wanted: Change,
    made: Callable[[Stamp], Decided[Any]],
) -> None:
    """Make a new account, unless the request made it before. REQUEST_ID_REUSED as above."""
    if await live.find(identity) is None:
        try:
            await live.create(made(wanted.stamp(identity)))
        except VersionConflict:
            pass  # the same request, sent twice at once
        else:
            return

    def nothing_new(account: Any, stamp: Stamp) -> Decided[Any]:
        raise AssertionError(f"{account} was made by another request at {stamp.at}")

    await change(live, identity, wanted, nothing_new)


def own_frontend(call: Call, frontend_id: str, admin_key: str) -> UUID:
    """Return the frontend that a call asks for: any with the admin key, which has this digest, or
    with a frontend's key that frontend itself.

    Raises:
        ApiError: FIELD_INVALID if the admin key comes without an id; FRONTEND_KEY_MISSING without
            either key; FRONTEND_KEY_INVALID if the key is another frontend's.
    """
    wanted = uuid_of(frontend_id) if frontend_id else None
    if call.token and compare_digest(key_of(call.token), admin_key):
        call.proved(call)
        if wanted is None:
            raise malformed("frontend_id", "with the admin key, say which frontend")
        return wanted
    if call.frontend is None:
        raise ApiError(Reason.FRONTEND_KEY_MISSING)
    if wanted not in (None, call.frontend):
        raise ApiError(Reason.FRONTEND_KEY_INVALID, "the key is another frontend's")
    return call.frontend
