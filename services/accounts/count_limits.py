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
        self._new = RateLimit(limits.new / HOUR, limits.new)
        self._asks = RateLimit(limits.asks / MINUTE, limits.asks)
        self._most_armies = limits.armies
        self._most_players = limits.players
        self._begun = TokenBuckets[tuple[str, str]](clock=clock)
        self._invited = TokenBuckets[tuple[UUID, UUID | None]](clock=clock)
        self._asked = TokenBuckets[tuple[UUID, str]](clock=clock)

    def begin(self, call: RequestContext, what: str) -> None:
        """Count a new match, table or owner of armies that no frontend pays for.

        Raises:
            ApiError: LIMIT_EXCEEDED if the caller's network created too many.
        """
        place = client_network(call.peer)
        if wait := self._begun.take((what, place), self._new):
            most = round(self._new.burst)
            raise _limit_exceeded(f"new {what}", f"{most} an hour from one address", most, wait)

    def ask(self, match: UUID, seat: str) -> None:
        """Count a proposal that other players must answer.

        Raises:
            ApiError: LIMIT_EXCEEDED if the seat made too many.
        """
        if wait := self._asked.take((match, seat), self._asks):
            most = round(self._asks.burst)
            raise _limit_exceeded("requests", f"{most} a minute of one seat", most, wait)

    def invite(self, inviter: UUID, player: UUID) -> None:
        """Count an invite from one player to another.

        Raises:
            ApiError: LIMIT_EXCEEDED if the inviter invited this player, or players at all, too
                often.
        """
        for invited, rate in ((player, INVITES_PER_RECIPIENT), (None, INVITES_PER_PLAYER)):
            if wait := self._invited.take((inviter, invited), rate):
                most, whom = round(rate.burst), "one player" if invited else "players"
                raise _limit_exceeded(
                    "invites", f"{most} of {whom} an hour by one player", most, wait
                )

    def check_army_count(self, kept: int) -> None:
        """Raise LIMIT_EXCEEDED if an owner has `kept` armies and may not save another."""
        if self._most_armies and kept >= self._most_armies:
            most = self._most_armies
            raise _limit_exceeded(
                "armies", f"{most} of one owner: delete one", most, KEPT_LIMIT_RETRY_SECONDS
            )

    def check_player_count(self, kept: int) -> None:
        """Raise LIMIT_EXCEEDED if a frontend has `kept` players and may not create another."""
        if self._most_players and kept >= self._most_players:
            most = self._most_players
            raise _limit_exceeded(
                "players", f"{most} of one frontend: erase one", most, KEPT_LIMIT_RETRY_SECONDS
            )


def _limit_exceeded(limit: str, words: str, most: int, wait: float) -> ApiError:
    return ApiError(
        Reason.LIMIT_EXCEEDED,
        f"there are too many {limit}: {words}",
        retry_seconds=wait,
        limit=limit,
        most=most,
    )
