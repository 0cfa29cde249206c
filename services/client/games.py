"""The client's calls of GamesService."""

from collections.abc import Mapping
from typing import Any, Final

from services.client.connection import Connection
from services.json_values import to_struct
from services.wire.emeth.v1 import games_pb2 as pb

LARGEST_PAGE: Final = 500
"""Entries of content on a page, at most."""


class GamesCalls(Connection):
    """Calls of GamesService. Every method raises ServiceError."""

    async def games(self) -> list[pb.Game]:
        """List the games of the service, each with its first fields alone."""
        found: list[pb.Game] = []
        request = pb.ListGamesRequest()
        while True:
            page = await self._call(self._games.ListGames, request)
            found.extend(page.games)
            request.page_token = page.next_page_token
            if not request.page_token:
                return found

    async def game(self, slug: str, options: Mapping[str, Any] | None = None) -> pb.GetGameResponse:
        """Get one game, and the setup of a match of it with these options."""
        request = pb.GetGameRequest(game=slug, options=to_struct(dict(options or {})))
        return await self._call(self._games.GetGame, request)

    async def content(
        self,
        game: str,
        constraints: Mapping[str, Any] | None = None,
        *,
        wanted: str = "",
        order_by: str = "",
    ) -> list[pb.ContentEntry]:
        """List all content of a game that fits a filter, as `kind = golem AND points <= 60`."""
        found: list[pb.ContentEntry] = []
        request = pb.ListContentRequest(
            game=game,
            constraints=to_struct(dict(constraints or {})),
            filter=wanted,
            order_by=order_by,
            page_size=LARGEST_PAGE,
        )
        while True:
            page = await self._call(self._games.ListContent, request)
            found.extend(page.entries)
            request.page_token = page.next_page_token
            if not request.page_token:
                return found
