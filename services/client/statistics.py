"""The client's calls of StatisticsService."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from services.client.connection import Connection
from services.json_values import to_struct
from services.wire.emeth.v1 import statistics_pb2 as pb


class StatisticsCalls(Connection):
    """Calls of StatisticsService."""

    async def statistics(
        self,
        token: str = "",
        *,
        game: str = "",
        options: Mapping[str, Any] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        player_id: str = "",
        player: str = "",
        opening: str = "",
        opening_actions: int = 0,
        most: int = 0,
    ) -> pb.GetStatisticsResponse:
        """How matches went: public ones, or more for a player's token or the admin key."""
        request = pb.GetStatisticsRequest(
            game=game,
            options=to_struct(dict(options or {})),
            player_id=player_id,
            player=player,
            opening=opening,
            opening_actions=opening_actions,
            most=most,
        )
        if since is not None:
            request.since.FromDatetime(since)
        if until is not None:
            request.until.FromDatetime(until)
        return await self._call(self._statistics.GetStatistics, request, token)

    async def search(
        self, text: str, *, game: str = "", page_size: int = 0, page_token: str = ""
    ) -> pb.SearchEventsResponse:
        """One page of the actions of public matches in which these words are told."""
        request = pb.SearchEventsRequest(
            text=text, game=game, page_size=page_size, page_token=page_token
        )
        return await self._call(self._statistics.SearchEvents, request)
