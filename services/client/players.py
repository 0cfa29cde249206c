"""The client's calls of PlayersService."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from services.client.connection import new_request
from services.client.subscriptions import SubscriptionCalls
from services.wire.emeth.v1 import players_pb2 as players
from services.wire.emeth.v1 import subscriptions_pb2 as subscriptions


class PlayersCalls(SubscriptionCalls):
    """Calls of PlayersService. A `token` is a player's, or a JSON Web Token in its place; a
    frontend leaves it empty, and shows the key that the client was made with."""

    async def update_player(
        self,
        external_id: str = "",
        name: str = "",
        token: str = "",
        *,
        player_id: str = "",
        allow_missing: bool = True,
        token_expire_time: datetime | None = None,
        request_id: str | None = None,
    ) -> players.UpdatePlayerResponse:
        """Update a player's name, or create the player. Return the player and its token."""
        request = players.UpdatePlayerRequest(
            request_id=request_id or new_request(),
            player=players.Player(player_id=player_id, external_id=external_id, name=name),
            allow_missing=allow_missing,
            token_expire_time=_time(token_expire_time),
        )
        return await self._call(self._players.UpdatePlayer, request, token)

    async def list_players(
        self, key: str = "", frontend_id: str = "", *, wanted: str = "", order_by: str = ""
    ) -> list[players.Player]:
        """Return all players of a frontend that fit a filter, as `external_id = "7"`. `key` is the
        admin key, or empty for the frontend's."""
        found: list[players.Player] = []
        page = ""
        while True:
            request = players.ListPlayersRequest(
                frontend_id=frontend_id, filter=wanted, order_by=order_by, page_token=page
            )
            answer = await self._call(self._players.ListPlayers, request, key)
            found += answer.players
            page = answer.next_page_token
            if not page:
                return found

    async def player(self, token: str, player_id: str = "") -> players.Player:
        """A player; without an id the one whose token it is."""
        request = players.GetPlayerRequest(player_id=player_id)
        return (await self._call(self._players.GetPlayer, request, token)).player

    async def rotate_player_token(
        self,
        token: str,
        player_id: str = "",
        *,
        token_expire_time: datetime | None = None,
        request_id: str | None = None,
    ) -> str:
        """Replace a player's token: without an id, of the player whose token it is."""
        request = players.RotatePlayerTokenRequest(
            request_id=request_id or new_request(),
            player_id=player_id,
            token_expire_time=_time(token_expire_time),
        )
        return (await self._call(self._players.RotatePlayerToken, request, token)).token

    async def delete_player(
        self, token: str, player_id: str, request_id: str | None = None
    ) -> None:
        """Delete a player. Takes the frontend's key, or the admin key as the token."""
        request = players.DeletePlayerRequest(
            request_id=request_id or new_request(), player_id=player_id
        )
        await self._call(self._players.DeletePlayer, request, token)

    async def watch_player(
        self, token: str, player_id: str = "", *, cursor: str | None = None
    ) -> AsyncGenerator[players.Notice, None]:
        """Yield the notices to a player, each once, over restarts of the service: from now on, or
        those after the notice with this ID; all of them if it is empty."""
        topic = subscriptions.PlayerTopic(player_id=player_id, after_notice_id=cursor)
        async with aclosing(self._follow(token, subscriptions.Topic(player=topic))) as stream:
            async for response in stream:
                yield response.notice


def _time(at: datetime | None) -> Timestamp | None:
    if at is None:
        return None
    message = Timestamp()
    message.FromDatetime(at)
    return message
