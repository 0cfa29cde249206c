"""Limits on counts: new matches and tables, stored armies and players, invites, proposals.

Rate limits of calls are in `services/transport/admission.py`, and quotas of frontends in
`quotas.py`.
"""

import time
from uuid import UUID

from services.accounts.context import RequestContext, client_network
from services.runtime.errors import ApiError, Reason
from services.runtime.limits import Limits
from services.runtime.rate_limits import RateLimit, TimeSource, TokenBuckets

HOUR: float = 3600.0
MINUTE: float = 60.0
INVITES_PER_RECIPIENT: RateLimit = RateLimit(10 / HOUR, 10)
"""How often a player may invite one other player."""
INVITES_PER_PLAYER: RateLimit = RateLimit(60 / HOUR, 60)
"""How often a player may invite others, all invited players together."""
KEPT_LIMIT_RETRY_SECONDS: float = 3600.0
"""Retry delay for a limit on stored items. Nothing changes until the caller deletes one."""


class CountLimits:
    """Limits on counts for each caller. A limit of 0 means no limit."""

    def __init__(self, limits: Limits, clock: TimeSource = time.monotonic) -> None:
        self._new_rate = RateLimit(limits.new / HOUR, limits.new)
        self._request_rate = RateLimit(limits.requests / MINUTE, limits.requests)
        self._max_armies = limits.armies
        self._max_players = limits.players
        self._new_buckets = TokenBuckets[tuple[str, str]](clock=clock)
        self._invite_buckets = TokenBuckets[tuple[UUID, UUID | None]](clock=clock)
        self._request_buckets = TokenBuckets[tuple[UUID, str]](clock=clock)

    def count_new(self, call: RequestContext, what: str) -> None:
        """Count a new match, table or owner of armies that no frontend pays for.

        Raises:
            ApiError: LIMIT_EXCEEDED if the caller's network created too many.
        """
        place = client_network(call.peer)
        if wait := self._new_buckets.take((what, place), self._new_rate):
            limit = round(self._new_rate.burst)
            raise _limit_exceeded(f"new {what}", f"{limit} an hour from one address", limit, wait)

    def count_request(self, match: UUID, seat: str) -> None:
        """Count a proposal that other players must answer.

        Raises:
            ApiError: LIMIT_EXCEEDED if the seat made too many.
        """
        if wait := self._request_buckets.take((match, seat), self._request_rate):
            limit = round(self._request_rate.burst)
            raise _limit_exceeded("requests", f"{limit} a minute of one seat", limit, wait)

    def count_invite(self, inviter: UUID, player: UUID) -> None:
        """Count an invite from one player to another.

        Raises:
            ApiError: LIMIT_EXCEEDED if the inviter invited this player, or players at all, too
                often.
        """
        for invited, rate in ((player, INVITES_PER_RECIPIENT), (None, INVITES_PER_PLAYER)):
            if wait := self._invite_buckets.take((inviter, invited), rate):
                limit, whom = round(rate.burst), "one player" if invited else "players"
                raise _limit_exceeded(
                    "invites", f"{limit} of {whom} an hour by one player", limit, wait
                )

    def check_army_count(self, count: int) -> None:
        """Raise LIMIT_EXCEEDED if an owner has `count` armies and may not save another."""
        if self._max_armies and count >= self._max_armies:
            limit = self._max_armies
            raise _limit_exceeded(
                "armies", f"{limit} of one owner: delete one", limit, KEPT_LIMIT_RETRY_SECONDS
            )

    def check_player_count(self, count: int) -> None:
        """Raise LIMIT_EXCEEDED if a frontend has `count` players and may not create another."""
        if self._max_players and count >= self._max_players:
            limit = self._max_players
            raise _limit_exceeded(
                "players", f"{limit} of one frontend: erase one", limit, KEPT_LIMIT_RETRY_SECONDS
            )


def _limit_exceeded(limit: str, words: str, most: int, wait: float) -> ApiError:
    return ApiError(
        Reason.LIMIT_EXCEEDED,
        f"there are too many {limit}: {words}",
        retry_seconds=wait,
        limit=limit,
        most=most,
    )
