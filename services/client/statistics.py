"""The client's calls of StatisticsService."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from services.client.connection import Connection
from services.json_values import to_struct
from services.wire.emeth.v1 import statistics_pb2 as pb


class StatisticsCalls(Connection):
    """Calls of StatisticsService. Every method raises ServiceError."""

    async def statistics(
        self,
        token: str = "",
        *,
        game: str = "",
        options: Mapping[str, Any] | None = None,
        start_time: datetime | None = None,
        end_time: datetime | None = None,
        player_id: str = "",
        opponent_id: str = "",
        player_name: str = "",
        opening: str = "",
        opening_length: int = 0,
        max_results: int = 0,
    ) -> pb.GetStatisticsResponse:
        """Get how matches went: public ones, or more for a player's token or the admin key."""
        request = pb.GetStatisticsRequest(
            game=game,
            options=to_struct(dict(options or {})),
            player_id=player_id,
            opponent_id=opponent_id,
            player_name=player_name,
            opening=opening,
            opening_length=opening_length,
            max_results=max_results,
        )
        if start_time is not None:
            request.start_time.FromDatetime(start_time)
        if end_time is not None:
            request.end_time.FromDatetime(end_time)
        return await self._call(self._statistics.GetStatistics, request, token)

    async def search(
        self, query: str, *, wanted: str = "", page_size: int = 0, page_token: str = ""
    ) -> pb.SearchEventsResponse:
        """Return one page of the actions of public matches that words describe and that fit a
        filter, as `game = agog`."""
        request = pb.SearchEventsRequest(
            query=query, filter=wanted, page_size=page_size, page_token=page_token
        )
        return await self._call(self._statistics.SearchEvents, request)
