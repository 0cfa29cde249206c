"""Quotas of frontends: open matches, actions per minute, watchers and stored bytes."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final
from uuid import UUID

from domain import frontend as frontends
from domain.match import AnyMatch
from projections.queries import frontends as listed
from services.accounts.context import RequestContext, find_role
from services.accounts.count_limits import CountLimits
from services.accounts.tokens import token_digest
from services.runtime.errors import ApiError, Reason
from services.runtime.rate_limits import RateLimit, TokenBuckets
from services.store.account_cache import FrontendCache
from services.store.read_models import ReadModelQueries

USAGE_CACHE_SECONDS: Final = 1.0
"""How long a count of stored bytes stays in the cache."""
MINUTE: Final = 60.0
MIN_SHARED_QUOTA: Final = 60
"""Quotas from this size on are shared by limiting each match and viewer to a part of them."""
MATCH_SHARE: Final = 0.75
"""Part of a frontend's actions that one match may use."""
VIEWER_SHARE: Final = 0.5
"""Part of a frontend's streams that one viewer may use."""


class Quotas:
    """Enforces the quotas of frontends."""

    def __init__(
        self,
        frontends: FrontendCache,
        read_models: ReadModelQueries,
        count_limits: CountLimits,
        *,
        is_open: bool,
    ) -> None:
        """Create quotas. If `is_open`, matches may be created without the key of a frontend."""
        self.count_limits = count_limits
        """Limits for callers without a frontend."""
        self._frontends = frontends
        self._read_models = read_models
        self._is_open = is_open
        self._creation_locks: dict[UUID, asyncio.Lock] = {}
        self._actions = TokenBuckets[UUID | str]()
        self._stored: dict[UUID, tuple[float, int]] = {}
        self._watchers: Counter[UUID | tuple[UUID, UUID | str]] = Counter()

    def watcher_count(self, frontend: UUID) -> int:
        """Return the number of open streams that watch matches or players of this frontend."""
        return self._watchers[frontend]

    @asynccontextmanager
    async def creating(self, call: RequestContext) -> AsyncIterator[None]:
        """Hold a place for a match while it is created for the caller.

        Raises:
            ApiError: FRONTEND_KEY_MISSING, FRONTEND_RIGHT_MISSING, QUOTA_EXCEEDED or LIMIT_EXCEEDED
                if the caller may not create a match.
        """
        if call.frontend is None:
            if not self._is_open:
                raise ApiError(
                    Reason.FRONTEND_KEY_MISSING,
                    "only frontends may create matches here: send a frontend's key in the header"
                    " `emeth-frontend`; the operator can open it to everybody with EMETH_OPEN=yes",
                )
            self.count_limits.count_new(call, "matches")
            yield
            return
        if "create" not in call.rights:
            raise ApiError(
                Reason.FRONTEND_RIGHT_MISSING, "the frontend may not create matches", right="create"
            )
        async with self.opening(call.frontend):
            yield

    @asynccontextmanager
    async def opening(self, frontend: UUID | None) -> AsyncIterator[None]:
        """Hold a place for a match of this frontend while it is created.

        Raises:
            ApiError: QUOTA_EXCEEDED if the frontend has too many open matches.
        """
        limit = 0 if frontend is None else (await self._quotas(frontend)).open_matches
        if frontend is None or not limit:
            yield
            return
        # Serialized, since two concurrent counts could both find room for one match.
        async with self._creation_locks.setdefault(frontend, asyncio.Lock()):
            await self._read_models.wait_until_caught_up()
            used = await self._usage(frontend)
            if used is not None and used.open_matches >= limit:
                raise _quota_exceeded("open_matches", used.open_matches, limit)
            yield

    async def count_action(self, match: AnyMatch, seat: str = "") -> None:
        """Count an action of a seat. Raise QUOTA_EXCEEDED if there were too many."""
        count = await self.action_counter(match)
        if (exceeded := count(seat)) is not None:
            raise exceeded

    async def action_counter(self, match: AnyMatch) -> Callable[[str], ApiError | None]:
        """Return a function that counts an action of a seat and returns QUOTA_EXCEEDED or None.

        The caller calls it after validation, so that refused actions are not counted. It refuses if
        the player, the match or the frontend acted too often, or if the frontend stores too many
        bytes.
        """
        owner = match.terms.frontend
        if owner is None:
            return lambda _: None
        quotas = await self._quotas(owner)
        if quotas.stored_bytes:
            stored = await self._stored_bytes(owner)
            if stored >= quotas.stored_bytes:
                # Not how many: a player could count what another has stored.
                limit = quotas.stored_bytes
                return lambda _: _quota_exceeded("stored_bytes", limit, limit)

        def count(seat: str) -> ApiError | None:
            holder = match.holders.get(seat)
            own = holder.id if holder and holder.id else f"{match.id} {seat}"
            # The narrow quotas come first, so that a player over its own quota uses up no other.
            for name, key, limit in (
                ("player_actions_per_minute", own, quotas.player_actions_per_minute),
                ("match_actions_per_minute", match.id, _share_of(quotas.actions_per_minute)),
                ("actions_per_minute", owner, quotas.actions_per_minute),
            ):
                if wait := self._actions.take(key, RateLimit(limit / MINUTE, limit)):
                    return _quota_exceeded(name, limit, limit, wait)
            return None

        return count

    def billed_frontend(self, call: RequestContext, match: AnyMatch) -> UUID | None:
        """Return the frontend whose quota a viewer's stream counts against, or None.

        It is the viewer's own frontend, or the match's for a token of that match. A spectator
        without either counts against none.
        """
        if (own := call.frontend or call.home) is not None:
            return own
        return match.terms.frontend if find_role(match, call) is not None else None

    async def max_watchers(self, owner: UUID | None) -> int:
        """Return how many streams may watch matches of this frontend; 0 for no limit."""
        return 0 if owner is None else (await self._quotas(owner)).watchers

    @contextmanager
    def watching(self, owner: UUID | None, limit: int, call: RequestContext) -> Iterator[None]:
        """Count a stream that watches a match or player of this frontend while it is open.

        Raises:
            ApiError: QUOTA_EXCEEDED if the frontend or the viewer has too many streams.
        """
        if owner is None:
            yield
            return
        viewer = (owner, call.player or token_digest(call.token))
        own = _share_of(limit, VIEWER_SHARE)
        if own and self._watchers[viewer] >= own:
            raise _quota_exceeded("viewer_watchers", self._watchers[viewer], own)
        if limit and self._watchers[owner] >= limit:
            raise _quota_exceeded("watchers", self._watchers[owner], limit)
        self._watchers.update((owner, viewer))
        try:
            yield
        finally:
            self._watchers.subtract((owner, viewer))
            if not self._watchers[viewer]:
                del self._watchers[viewer]

    async def _quotas(self, frontend: UUID) -> frontends.Quotas:
        # An imported match may name a frontend of another service.
        held = await self._frontends.find(frontend)
        return held.state.terms.quotas if held else frontends.Quotas()

    async def _usage(self, frontend: UUID) -> listed.FrontendWithUsage | None:
        return await self._read_models.ask(
            lambda connection: listed.frontend_usage(connection, frontend)
        )

    async def _stored_bytes(self, frontend: UUID) -> int:
        at, stored = self._stored.get(frontend, (float("-inf"), 0))
        if time.monotonic() - at > USAGE_CACHE_SECONDS:
            used = await self._usage(frontend)
            stored = used.bytes if used else 0
            self._stored[frontend] = (time.monotonic(), stored)
        return stored


def _share_of(limit: int, share: float = MATCH_SHARE) -> int:
    """Return one user's share of a quota; 0, which is no limit, for quotas too small to share."""
    return math.ceil(limit * share) if limit >= MIN_SHARED_QUOTA else 0


def _quota_exceeded(quota: str, used: int, limit: int, wait: float = 0.0) -> ApiError:
    words = quota.replace("_", " ")
    return ApiError(
        Reason.QUOTA_EXCEEDED,
        f"the frontend has reached its quota of {limit} {words}",
        retry_seconds=wait,
        quota=quota,
        used=used,
        most=limit,
    )
